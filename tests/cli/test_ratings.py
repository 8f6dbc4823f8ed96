"""`pbem rebuild-ratings`."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import delete, select

from pbem.core.game.journal import RESIGN
from pbem.store.tables.ratings import rating_steps, ratings, results, summaries
from tests.cli.program import migrate
from tests.cli.test_serve import env, pbem
from tests.people import SEED_PLIES
from tests.web.library import add, begin, open_library, play

__all__ = ["env"]


def database(env: dict[str, str]) -> str:
    return f"sqlite:///{env['PBEM_VAR']}/pbem.sqlite"


def test_ratings_are_made_again(env: dict[str, str]) -> None:
    env |= {"PBEM_DATABASE": database(env)}
    migrate(env)
    app = open_library(Path(env["PBEM_VAR"]), database(env))
    add(app, play(app, begin(app), SEED_PLIES[:4]), RESIGN, 1, {})
    with app.store.read() as db:
        kept = db.execute(select(rating_steps)).all()
    assert 2 == len(kept)
    told = "Ratings are made again. Games that have ended: 1; rated: 1.\n"
    assert told == pbem(env, "rebuild-ratings").stdout
    with app.store.write() as db:
        for table in (rating_steps, ratings, summaries, results):
            db.execute(delete(table))
    assert told == pbem(env, "rebuild-ratings").stdout
    with app.store.read() as db:
        assert kept == db.execute(select(rating_steps)).all()
    app.close()
