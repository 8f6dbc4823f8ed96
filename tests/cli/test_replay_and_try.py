"""`pbem replay` and `pbem try`, without configuration or database."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import ROOT, run

RECORD = Path(__file__).parents[2] / "templates" / "rules" / "bipod.game"


FINAL_BOARD = """\
_________________________________
: : : x x @ x x . . . Q . . . x :   1
 : : x x . . x . . . O x . . . x    2
  : : x . o . . . . O x O . . .     3
   : x . x . . . O . . x . . .      4
    x . . . . O . . x . . . .       5
     x . . . . . x . . . . .        6
abcdefghijklmnopqrstuvwxyzABCDEFG"""


def pbem(*arguments: str | Path, stdin: bytes = b"", **environ: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command with a wrong setting, which it must not read."""
    env = {"PATH": os.environ["PATH"], "PBEM_NONSENSE": "1", "PYTHONPATH": str(ROOT), **environ}
    return run([*map(str, arguments)], env, stdin=stdin)


def replayed(*arguments: str | Path, stdin: bytes = b"") -> dict[str, Any]:
    done = pbem("replay", *arguments, "--json", stdin=stdin)
    assert b"" == done.stderr
    data = json.loads(done.stdout)
    assert isinstance(data, dict)
    return data


def test_replay_prints_the_final_board_and_the_outcome_with_its_reason() -> None:
    done = pbem("replay", RECORD)
    assert 0 == done.returncode
    assert done.stdout.decode().startswith(FINAL_BOARD + "\n")
    assert "Blocker wins: Runner resigned" in done.stdout.decode()


def test_replay_json_has_exactly_these_members() -> None:
    data = replayed(RECORD)
    assert [
        "game",
        "options",
        "ply",
        "to_play",
        "side_to_play",
        "outcome",
        "board",
        "playable",
        "scores",
    ] == list(data)
    assert {"size": 5, "middle": 5, "rows": 6, "stones": 3} == data["options"]
    assert ("bipod", 19, None, None, {}) == tuple(
        data[name] for name in ("game", "ply", "to_play", "side_to_play", "scores")
    )
    assert {"winner": "first", "side": "Blocker", "reason": "Blocker wins: Runner resigned"} == data[
        "outcome"
    ]
    assert FINAL_BOARD == data["board"]
    assert [] == data["playable"]


def test_replay_to_a_ply_shows_who_is_to_play_there() -> None:
    data = replayed(RECORD, "--ply", "7")
    assert (7, "second", "Runner", None) == tuple(
        data[name] for name in ("ply", "to_play", "side_to_play", "outcome")
    )
    assert "k3" in data["playable"]


def test_replay_of_ply_0_is_the_start_where_nobody_has_a_side() -> None:
    data = replayed(RECORD, "--ply", "0")
    assert (0, "first", None) == (data["ply"], data["to_play"], data["side_to_play"])
    assert 85 == len(data["playable"])


def test_replay_reads_standard_input() -> None:
    assert FINAL_BOARD == replayed("-", stdin=RECORD.read_bytes())["board"]


def test_replay_svg_is_a_picture_that_stands_alone() -> None:
    from xml.etree import ElementTree

    done = pbem("replay", RECORD, "--svg")
    assert "{http://www.w3.org/2000/svg}svg" == ElementTree.fromstring(done.stdout).tag


def test_an_illegal_move_is_exit_1_with_line_ply_and_reason() -> None:
    done = pbem("replay", "-", stdin=b'[Game "Bipod"]\n\n1 first f2\n2 second f7\n')
    assert 1 == done.returncode
    assert "line 4: move 2: f7: there is no row 7; column f has rows 2, 4 and 6.\n" == done.stderr.decode()
    assert b"" == done.stdout


@pytest.mark.parametrize(
    "text",
    [b"", b"hello", b'[Game "Chess"]\n1 e4', b'[Game "Bipod"]\n[Options "size=99"]\n', b"\xff\xfe\x00"],
)
def test_what_is_no_record_is_exit_2(text: bytes) -> None:
    done = pbem("replay", "-", stdin=text)
    assert 2 == done.returncode
    assert done.stderr.strip()


@pytest.mark.parametrize("ply", ["20", "-1", "x"])
def test_a_ply_that_the_record_has_not_is_exit_2(ply: str) -> None:
    assert 2 == pbem("replay", RECORD, "--ply", ply).returncode


def test_a_file_that_is_not_there_is_exit_2() -> None:
    assert 2 == pbem("replay", "nowhere.game").returncode


MAIL = b"""From: Bill <bill@example.org>
To: play+abcdefghijklmnop234567@games.example.com
Subject: Re: Bipod #42: Bill - Joao
Message-ID: <1@example.org>

f2 f4 g3

Your turn!

> ##- write your move above this line -##
> ply 1: e5
"""


def test_try_finds_the_orders_and_the_comment_in_a_mail_to_any_host() -> None:
    done = pbem("try", "-", "--game", "bipod", "--json", stdin=MAIL)
    assert 0 == done.returncode, done.stderr
    assert {
        "kind": "person",
        "reason": "",
        "orders": ["f2 f4 g3"],
        "comment": "Your turn!",
        "text": "f2 f4 g3\n\nYour turn!",
    } == json.loads(done.stdout)


def test_try_without_a_game_recognises_no_moves_but_commands() -> None:
    data = json.loads(pbem("try", "-", "--json", stdin=MAIL).stdout)
    assert ("person", []) == (data["kind"], data["orders"])
    assert data["reason"]
    assert ["show"] == json.loads(
        pbem("try", "-", "--json", stdin=MAIL.replace(b"f2 f4 g3", b"show")).stdout
    )["orders"]


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        (b"Auto-Submitted: auto-replied\n", "robot"),
        (b"Return-Path: <>\n", "bounce"),
        (b"X-PBEM-Loop: games.example.com\n", "loop"),
    ],
)
def test_try_names_mail_of_machines(header: bytes, kind: str) -> None:
    assert kind == json.loads(pbem("try", "-", "--json", stdin=header + MAIL).stdout)["kind"]


def test_try_refuses_what_has_two_writers() -> None:
    data = json.loads(
        pbem("try", "-", "--json", stdin=MAIL.replace(b"From: ", b"From: x@example.org, ")).stdout
    )
    assert "refused" == data["kind"]
    assert data["reason"]


@pytest.mark.parametrize("raw", [b"", b"\x00" * 1000, b"\r\n\r\n", b"From: \xff\n\n\xff", b"a" * 300_000])
def test_try_takes_any_bytes(raw: bytes) -> None:
    done = pbem("try", "-", "--json", stdin=raw)
    assert 0 == done.returncode
    assert json.loads(done.stdout)["kind"] in ("person", "robot", "bounce", "loop", "refused")


def test_try_for_people_shows_each_step() -> None:
    done = pbem("try", "-", "--game", "bipod", stdin=MAIL)
    assert "f2 f4 g3" in done.stdout.decode()
    assert ["marker", "found"] in [line.split() for line in done.stdout.decode().splitlines()]


def test_try_gives_programs_every_step_where_they_ask() -> None:
    data = json.loads(pbem("try", "-", "--game", "bipod", "--json", "--steps", stdin=MAIL).stdout)
    assert list(range(1, 11)) == [step["step"] for step in data["steps"]]
    assert ["move", "f2 f4 g3"] in data["steps"][5]["told"]


def test_try_with_a_game_that_is_not_there_is_exit_2() -> None:
    done = pbem("try", "-", "--game", "chess", stdin=MAIL)
    assert 2 == done.returncode
    assert re.search(r"there is .*bipod", done.stderr.decode())
