"""Migrations by several processes, and impossible journals, which `pbem check` reports."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pbem.cli.migrate import check_game
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, RESIGN, SAY, Entry
from pbem.store import games
from pbem.store.revisions import newest_revision
from tests.cli.program import run
from tests.people import NOON, a_game


def found(game: Game) -> list[str]:
    return check_game(game, games.row_summary(fold(game), game.open_entries))


def more(game: Game, kind: str, seat: int, **data: str) -> Game:
    entry = Entry(len(game.journal) + 1, NOON, kind, seat, data)  # type: ignore[arg-type]
    return game.with_entries([entry])


def test_a_game_as_it_is_played_is_well() -> None:
    over = more(a_game(["f2 f4 g3"]), RESIGN, 1)
    assert [] == found(more(over, SAY, 0, words="Thank you."))


def test_a_ply_of_the_wrong_seat_is_found() -> None:
    game = more(a_game(["f2 f4 g3"]), PLY, 0, move="e5 g1")
    assert ["game 42: entry 3 is a ply of the seat whose turn it is not"] == found(game)


@pytest.mark.parametrize(("kind", "data"), [(PLY, {"move": "e5 g1"}), (RESIGN, {})])
def test_what_comes_after_the_end_is_found(kind: str, data: dict[str, str]) -> None:
    game = more(more(a_game(["f2 f4 g3"]), RESIGN, 1), kind, 1, **data)
    assert [f"game 42: entry 4 is a {kind} after the end"] == found(game)


@pytest.mark.each_database
def test_three_at_once_migrate_one_after_another(empty_database_url: str, tmp_path: Path) -> None:
    environ = {"PATH": os.environ["PATH"], "PBEM_VAR": str(tmp_path), "PBEM_DATABASE": empty_database_url}
    environ |= {} if empty_database_url.startswith("sqlite") else {"PBEM_SECRET": "s" * 32}
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda _: run(["migrate"], environ), range(3)))
    assert [(0, b"")] * 3 == [(each.returncode, each.stderr) for each in done]
    assert f"The database went from nothing to {newest_revision()}.\n".encode() in [
        each.stdout for each in done
    ]
