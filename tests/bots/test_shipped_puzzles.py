"""Puzzles that come with the program: proved anew, given to a new server, answered by mail and on pages."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.app import App
from pbem.cli.lab_puzzles import puzzles_command
from pbem.core.exercises.puzzle import Puzzle, ShownPuzzle, laboratory_game, show_puzzle
from pbem.core.paper import last_week
from pbem.duties.paper import load_paper, make_issue
from pbem.duties.puzzles import SHIPPED, add_shipped, read_shipped
from pbem.resources import find_template
from pbem.store import puzzles
from pbem.web import create_app
from rules import RULES
from rules.search.prove import settle
from tests.amount import amount
from tests.apps import BILL, Clock, ask, last_words, register, writes

MAX_NODES = 250_000
ALL = read_shipped(find_template(SHIPPED))
EACH = [pytest.param(each, id=f"{each.rules}-{n}") for n, each in enumerate(ALL, 1)]


def shown_puzzle(puzzle: Puzzle) -> ShownPuzzle:
    assert puzzle.setup is not None
    shown = show_puzzle(puzzle, laboratory_game(RULES[puzzle.rules], puzzle.setup))
    assert shown is not None  # every legal move is the answer or has a reply
    return shown


@pytest.mark.parametrize("puzzle", EACH[:: amount(8, 1)])
def test_one_move_is_proved_to_win_and_each_other_not_to(puzzle: Puzzle) -> None:
    position = shown_puzzle(puzzle).position
    seat = position.to_play
    assert seat is not None and position.complete
    for move in position.actions():
        proof = settle(position.follow(move), seat, MAX_NODES)
        assert proof is not None and proof.draws == (str(move) != puzzle.answer), move


def test_each_line_ends_with_a_win_and_each_reply_is_legal() -> None:
    for puzzle in ALL:
        shown = shown_puzzle(puzzle)
        seat, after = shown.position.to_play, shown.position
        for text in puzzle.line:
            after = after.play(after.read(text))
        assert after.outcome is not None and after.outcome.winner == seat and len(puzzle.line) >= 3
        for text, reply in puzzle.replies.items():
            other = shown.position.play(shown.position.read(text))
            assert not reply or other.problem(other.read(reply)) is None


def test_no_position_is_there_twice() -> None:
    keys = Counter((each.rules, shown_puzzle(each).position.key()) for each in ALL)
    assert {1} == set(keys.values())


@pytest.mark.each_database
def test_a_new_server_gets_them_once(app: App) -> None:
    assert len(ALL) == add_shipped(app)
    assert 0 == add_shipped(app)
    with app.store.read() as db:
        counted = {key: each.puzzles for key, each in puzzles.count_by_rules(db).items()}
    assert Counter(each.rules for each in ALL) == counted


@pytest.mark.each_database
def test_one_of_them_comes_by_mail_and_is_answered(app: App) -> None:
    add_shipped(app)
    register(app, BILL, "Bill")
    told = ask(app, BILL, "puzzle begird")
    assert "Bots came to this board, in a game that was played to find puzzles." in told
    newest = [each for each in ALL if each.rules == "begird"][-1]
    assert "done" == writes(app, BILL, newest.answer)
    assert f"Right, Bill: {newest.answer} wins." in last_words(app, BILL)
    again = ask(app, BILL, "puzzle begird")
    assert "which move wins?" in again


@pytest.mark.each_database
def test_pages_and_the_api_have_them(app: App) -> None:
    add_shipped(app)
    client = create_app(app).test_client()
    listed = client.get("/puzzles")
    assert 200 == listed.status_code and "/games/0" not in listed.text
    page = client.get("/puzzles/1").text
    assert "From a game that bots played to find puzzles." in page and "/games/0" not in page
    answered = client.get(f"/puzzles/1?tried={ALL[0].answer.replace(' ', '%20')}").text
    assert f"Right: {ALL[0].answer} wins" in answered and "/games/0" not in answered
    assert client.get("/api/puzzles/1").json["played_in"] is None


@pytest.mark.each_database
def test_the_paper_of_the_first_week_has_a_puzzle_and_a_lesson(app: App, clock: Clock) -> None:
    register(app, BILL, "Bill")
    add_shipped(app)
    clock.pass_by(days=7)
    make_issue(app, last_week(clock.now))
    with app.store.read() as db:
        shown = load_paper(app, db, last_week(clock.now))
    assert shown is not None and shown.puzzle is not None and shown.lesson is not None
    words = create_app(app).test_client().get("/paper").text
    assert "Bots came to this board" in words and "A lesson: " in words and "in game 0" not in words


@pytest.mark.whole
def test_the_laboratory_makes_more_of_them(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    given = ["begird", "islands=3", "side=4", "--count", "1", "--minutes", "1", "--output", str(file)]
    done = CliRunner().invoke(puzzles_command, given)
    assert (0, True) == (done.exit_code, done.output.startswith("1 puzzle of Begird in "))
    (puzzle,) = read_shipped(file)
    assert shown_puzzle(puzzle).position.complete
    assert 1 == len([json.loads(line) for line in file.read_text().splitlines()])
    assert 2 == CliRunner().invoke(puzzles_command, ["chess", "--output", str(file)]).exit_code
