"""`pbem hide`, `bar`, `rename` and `moderation`, as an operator types them."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.core.game.journal import SAY
from pbem.store.engine import open_store
from pbem.store.moderation import ModerationAct, add_act
from tests.cli.program import migrate
from tests.cli.test_ratings import database
from tests.cli.test_serve import env, pbem
from tests.web.library import add, begin, open_library

__all__ = ["env"]


@pytest.fixture
def house(env: dict[str, str]) -> dict[str, str]:
    """Settings of a server on which Joao spoke in entry 2."""
    env = env | {"PBEM_DATABASE": database(env)}
    migrate(env)
    app = open_library(Path(env["PBEM_VAR"]), database(env))
    add(app, begin(app), SAY, 1, {"words": "You are a fool."})
    app.close()
    return env


def test_each_is_done_undone_told_and_listed(house: dict[str, str]) -> None:
    why = ("--reason", "Rude.")
    for told, *command in (
        ("What Joao said in entry 2 of game 1 is hidden.", "hide", "1", "2"),
        ("What Joao said in entry 2 of game 1 is shown again.", "hide", "1", "2", "--undo"),
        ("Joao is barred.", "bar", "Joao"),
        ("Joao is not barred any more.", "bar", "joao", "--undo"),
        ("Joao is called Quiet now.", "rename", "Joao", "Quiet"),
        ("Quiet is called Joao now.", "rename", "Quiet", "--undo"),
    ):
        done = pbem(house, *command, *why)
        assert (0, f"{told}\n") == (done.returncode, done.stdout), done.stderr
    acts = json.loads(pbem(house, "moderation", "--json").stdout)
    assert ["rename", "rename", "unbar", "bar", "show", "hide"] == [act["kind"] for act in acts]
    assert {"Rude."} == {act["reason"] for act in acts}
    lines = pbem(house, "moderation", "--most", "3").stdout.splitlines()
    assert 3 == len(lines)
    assert "\tplayer Joao\t" in lines[2]


def test_a_reason_of_several_lines_is_listed_on_one(house: dict[str, str]) -> None:
    report = ModerationAct("report", datetime.now(UTC), "Joao", "One.\nTwo.\x1b[2J")
    with closing(open_store(database(house))) as store, store.write() as db:
        add_act(db, report)
    (line,) = pbem(house, "moderation").stdout.splitlines()
    assert line.endswith("\tOne. Two.\ufffd[2J")


def test_show_has_the_number_of_the_entry(house: dict[str, str]) -> None:
    assert "Entry 2, " in pbem(house, "show", "1").stdout
    pbem(house, "hide", "1", "2", "--reason", "Rude.")
    (said,) = json.loads(pbem(house, "show", "1", "--json").stdout)["words"]
    assert (2, "Joao", "[hidden by the operator]", True) == tuple(
        said[name] for name in ("entry", "name", "words", "hidden")
    )
    assert "Joao: [hidden by the operator]" in pbem(house, "show", "1").stdout


def test_what_cannot_be_done_is_refused_with_the_reason(house: dict[str, str]) -> None:
    refused = pbem(house, "bar", "Nobody", "--reason", "Rude.")
    assert (1, "Nobody here is called Nobody.") == (refused.returncode, refused.stderr.strip()[-29:])
    assert 2 == pbem(house, "bar", "Joao").returncode
    assert 2 == pbem(house, "rename", "Joao", "--reason", "Rude.").returncode
    assert 2 == pbem(house, "rename", "Joao", "Quiet", "--undo", "--reason", "Rude.").returncode
