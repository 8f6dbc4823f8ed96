"""Game counts equal the number of games, whatever many processes do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from sqlalchemy import func, select

from pbem.app import Office
from pbem.core.game.game import Game
from pbem.store import game_counts
from pbem.store.migrate import downgrade, migrate
from pbem.store.tables import games
from tests.web.library import BLOCKED, PUBLIC, SMALL, add, begin, open_library, play

pytestmark = pytest.mark.each_database


@pytest.fixture
def office(tmp_path: Path, database_url: str) -> Iterator[Office]:
    office = open_library(tmp_path, database_url, **PUBLIC)
    yield office
    office.close()


def kept(office: Office) -> Counter[tuple[str, str]]:
    with office.store.read() as db:
        return Counter({(one.rules, one.outcome): one.games for one in game_counts.tally(db)})


def recounted(office: Office) -> Counter[tuple[str, str]]:
    with office.store.read() as db:
        query = select(games.c.rules, game_counts.OUTCOME.label("outcome"), func.count().label("games"))
        rows = db.execute(query.group_by(games.c.rules, game_counts.OUTCOME))
        return Counter({(row.rules, row.outcome): row.games for row in rows})


def some_end(office: Office, rng: Random, game: Game) -> Game:
    """Continue a game in one of its ways."""
    match rng.randrange(6):
        case 0:
            return add(office, game, "resign", 0, {})
        case 1:
            return add(office, game, "resign", 1, {})
        case 2:
            return add(office, game, "adjudicate", None, {"result": "void", "reason": "Nobody came."})
        case 3:
            return add(office, game, "adjudicate", None, {"result": "draw", "reason": "Both agree."})
        case 4:
            return play(office, game, BLOCKED)
        case _:
            return play(office, game, BLOCKED[:2])


def random_work(office: Office, seed: int, many: int) -> None:
    rng = Random(seed)
    for _ in range(many):
        game = some_end(office, rng, begin(office, **SMALL))
        if game.state.ending and rng.random() < 0.3:
            game = add(office, game, "rollback", None, {"ply": 0, "entry": 1, "reason": "Begun anew."})


def test_tallies_equal_a_recount_after_random_work_of_many_at_once(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_counts, "GATHER", 5)
    workers = [Thread(target=random_work, args=(office, seed, 8)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    found = recounted(office)
    assert 32 == found.total()
    assert {"running", "first", "second", "draw", "void"} == {outcome for _, outcome in found}
    assert found == kept(office)


def test_what_is_rolled_back_was_never_tallied(office: Office) -> None:
    begin(office)
    with pytest.raises(ZeroDivisionError), office.store.write() as db:
        game_counts.note(db, "bipod", None, "running")
        raise ZeroDivisionError
    assert {("bipod", "running"): 1} == kept(office)


def test_many_notes_are_gathered_into_few(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_counts, "GATHER", 4)
    for _ in range(8):
        begin(office)
    with office.store.read() as db:
        rows = db.execute(select(func.count()).select_from(game_counts.tallies)).scalar_one()
    assert rows < 4
    assert {("bipod", "running"): 8} == kept(office)


def test_a_database_from_before_is_counted_when_it_is_migrated(office: Office) -> None:
    random_work(office, 1, 12)
    before = recounted(office)
    downgrade(office.store, "0007")
    migrate(office.store)
    assert before == kept(office)


def test_a_database_filled_by_other_hands_can_be_counted_anew(office: Office) -> None:
    random_work(office, 2, 6)
    with office.store.write() as db:
        game_counts.note(db, "bipod", None, "draw")
    assert recounted(office) != kept(office)
    with office.store.write() as db:
        game_counts.recount(db)
    assert recounted(office) == kept(office)
