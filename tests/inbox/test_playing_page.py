"""The pages of docs/play: each line that they print is written as a mail, and done."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.app import App
from pbem.core.parsing.commands import WORDS
from pbem.duties.game_clock import check_due_games
from tests.amount import some
from tests.apps import ANNA, BILL, JOAO, Clock, a_game, begin, last_letter, letters, register, reply, writes
from tests.inbox.matches import a_match
from tests.inbox.seasons import a_league
from tests.snapshots import once

DOCS = Path(__file__).parents[2] / "docs" / "play"
PAGES = [(DOCS / f"{name}.md").read_text() for name in ("playing", "letters", "learning", "events")]
PAGE = "\n".join(PAGES)
MOVES = ("f2 f4 g3", "#1 f2 f4 g3")
NO_MAIL = {
    "hint",
    "puzzle",
    "puzzle begird",
    "puzzle 7",
    "bid 3 max 9",
    "game 42",
    "game 57",
    "if",
    "set",
    "table",
    "leave club",
    "join league 7",
    "join match 7",
    "ladder new bipod",
    "ladder 7",
    "leave ladder 7",
}  # of another game, a line before others, of clubs, or for bots

ELSEWHERE = {"claim", "club", "league", "match", "simul"}
"""Words whose examples are tried below, and in the tests of clubs."""

BEFORE: dict[str, list[tuple[str, str]]] = {  # who writes what before Bill writes the example
    **{key: [(BILL, "c1")] for key in ("undo", "if", "plans")},
    "if clear": [(BILL, "c1\nif f2 then g3")],
    **{key: [(BILL, "c1"), (JOAO, "e1"), (JOAO, "undo")] for key in ("accept undo", "decline undo")},
    **{key: [(JOAO, "draw")] for key in ("accept", "decline", "accept draw")},
    "decline pause": [(JOAO, "pause 10 days")],
    "vacation cancel": [(BILL, "vacation 20 Dec to 24 Dec")],
    "back": [(BILL, "vacation 10 days")],
    "unblock": [(BILL, "block Anna")],
    "unmute": [(BILL, "mute")],
    "unwatch": [(BILL, "watch 2")],
    "unwatch Joao": [(BILL, "watch Joao")],
    "unwatch bipod league": [(BILL, "watch bipod league")],
    "start": [(BILL, "stop turns")],
    "take": [(ANNA, "seek bipod size=4")],
    "withdraw": [(BILL, "seek bipod size=4")],
    **{key: [(ANNA, "challenge Bill bipod size=4")] for key in ("accept 17", "decline 17")},
    "rematch": [(JOAO, "resign"), (JOAO, "yes")],
    "leave": [(BILL, "join bipod league")],
    "leave match 7": [(BILL, "join Lisbon")],
    "table bipod ladder": [(JOAO, "ladder bipod")],
    "leave bipod ladder": [(BILL, "ladder bipod")],
    "ladder bipod Joao": [(JOAO, "ladder bipod"), (BILL, "ladder bipod")],
    "ladder bipod Joao yes": [(BILL, "ladder bipod"), (JOAO, "ladder bipod"), (JOAO, "ladder bipod Bill")],
    "report": [(JOAO, "say You fool!")],
}


def examples() -> list[str]:
    prose = re.sub(r"^\| address .*?\n\n", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    found = dict.fromkeys(re.findall(r"`([^`\n]+)`", prose))
    told = [each for each in found if each in MOVES or each.split()[0] in WORDS]
    return [each for each in told if each not in NO_MAIL and each.split()[0] not in ELSEWHERE]


@pytest.fixture
def two_games(app: App, clock: Clock) -> App:
    """Bill's turn in game 1, against Joao; game 2 is Anna's and Joao's. A league and a match are open."""
    once(app, "two games", lambda: _two_games(app))
    a_league(app, clock, 0)
    a_match(app, 0, 0)
    return app


def _two_games(app: App) -> None:
    register(app, ANNA, "Anna")
    a_game(app, "3d/move")
    writes(app, ANNA, "challenge Joao bipod first")
    writes(app, JOAO, "accept")


def numbered(line: str) -> str:
    """The example with numbers that are there: the game of others, the third seek or challenge, the match."""
    if line.split()[0] in ("mute", "unmute"):
        return line.replace("42", "1")
    return line.replace("42", "2").replace("17", "3").replace("match 7", "match 2")


@pytest.mark.parametrize("line", some(examples(), 24))
def test_what_the_page_prints_can_be_written(two_games: App, line: str) -> None:
    app, word = two_games, line.split()[0]
    for who, words in BEFORE.get(line) or BEFORE.get(word) or []:
        assert "done" == about_game_1(app, who, words), (who, words)
    below = "\n\nThis is not what one says." if word in ("report", "note") else ""
    assert "done" == about_game_1(app, BILL, numbered(line) + below), last_letter(app, BILL).text


def about_game_1(app: App, who: str, words: str) -> str:
    """Answer the newest letter about game 1, or else the newest."""
    found = letters(app, who)
    about = [each for each in found if "#1" in each.header("Subject")]
    return reply(app, who, (about or found)[-1], words)


@pytest.mark.parametrize("line", re.findall(r"`(claim \w+)`", PAGE))
def test_what_the_page_prints_for_soft_clocks_can_be_written(app: App, clock: Clock, line: str) -> None:
    begin(app, "1d/move unrated soft", plies=4)
    clock.pass_by(days=3)
    assert 1 == check_due_games(app)
    assert "done" == about_game_1(app, JOAO, line)


def test_each_page_is_short() -> None:
    assert all(len(page.splitlines()) < 270 for page in PAGES)
    assert not re.search(r"\bply|plies\b", PAGE)
