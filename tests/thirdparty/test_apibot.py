"""`docs/build/apibot.py`: a player in forty lines, by the API alone."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from pbem.duties.tokens import new_token
from tests.apps import load, player
from tests.browser import web_pages
from tests.web.library import PUBLIC, SMALL, begin, open_library

BOT = Path(__file__).parents[2] / "docs" / "build" / "apibot.py"


def test_it_has_forty_lines() -> None:
    assert len(BOT.read_text().splitlines()) <= 40


@pytest.mark.parametrize("key", ["bipod", "begird"])
def test_two_of_them_play_a_game_to_its_end(tmp_path: Path, sqlite_url: str, key: str) -> None:
    app = open_library(tmp_path, sqlite_url, **PUBLIC)
    begin(app, key=key, **(SMALL if key == "bipod" else {"side": "4", "islands": "3"}))
    with app.store.write() as db:
        tokens = {name: new_token(app, db, player(app, name)) for name in ("Bill", "Joao")}
    bot = runpy.run_path(str(BOT))
    with web_pages(app) as site:
        for _ in range(100):
            running = [bot["play"](site, *each) for each in tokens.items()]
            if not any(running):
                break
    assert load(app).state.ending is not None
    app.close()
