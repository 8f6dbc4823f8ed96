"""The Saturday paper: what it has, when it is made, and who gets it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from pbem.app import App
from pbem.bots.puzzling import find_puzzles
from pbem.core.exercises.analysis import ANALYSIS, analysis_key
from pbem.core.exercises.puzzle import Puzzle
from pbem.core.game.state import board_states
from pbem.core.paper import Issue, Lead, Newcomer, ShownPaper, last_week
from pbem.duties import paper as actions
from pbem.duties.game_clock import check_due_games
from pbem.duties.paper import load_paper, send_papers
from pbem.store import bot_jobs, moderation, papers, players, puzzles
from pbem.store.erase import erase_player
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    SERVER,
    Clock,
    advance,
    last_letter,
    last_words,
    letters,
    load,
    player,
    register,
    reply,
    writes,
)
from tests.snapshots import once

SMALL = "begird islands=3 side=4 first"
MOVES = ["d1", "swap", "b1", "d4", "d3", "d2", "a1", "c2", "c1", "c3"]
SUBJECT = "The Saturday paper"


def _game(app: App, moves: list[str], terms: str) -> None:
    """A small game of Bill and Joao, to its end."""
    writes(app, BILL, f"challenge Joao {SMALL} {terms} none")
    assert "done" == writes(app, JOAO, "accept")
    for n, move in enumerate(moves):
        assert "done" == writes(app, (BILL, JOAO)[n % 2], move)


def _resigned(app: App, number: int, who: str) -> None:
    """A rated game of Bipod between Bill and Joao, which one of them gives up."""
    writes(app, BILL, "challenge Joao bipod rated first 3d/move")
    assert "done" == writes(app, JOAO, "accept")
    advance(app, number, plies=6)
    writes(app, who, f"game {number}\nresign yes")
    assert load(app, number).state.ending is not None


def _played(app: App) -> None:
    """Game 1 with puzzles, game 2 with values; Bill wins game 3 of Bipod, and Joao, then lower, game 4."""
    for who, name in ((BILL, "Bill"), (JOAO, "Joao"), (ANNA, "Anna")):
        register(app, who, name)
    _game(app, MOVES, "unrated")
    _game(app, MOVES, "unrated")
    _resigned(app, 3, JOAO)
    _resigned(app, 4, BILL)
    positions = [state.position for state in board_states(load(app, 1).state)]
    key, values = analysis_key(load(app, 2)), [0.5, 0.5, 0.5, 0.9, 0.9, 0.1, 0.1, 0.1, 0.0, 0.0, 0.0]
    with app.store.write() as db:
        for each in find_puzzles(positions, 60.0):
            puzzles.add_puzzle(
                db, Puzzle(0, 1, each.ply, "begird", each.line[0], each.line, each.replies), app.now()
            )
        bot_jobs.add_job(db, ANALYSIS, key, {}, app.now())
        job = bot_jobs.claim_job(db, app.now(), app.now(), [ANALYSIS])
        assert job is not None
        bot_jobs.finish_job(db, job, {"values": values})


@pytest.fixture
def app_config() -> dict[str, str]:
    """A public server: one in development has no undo window."""
    return {
        "PBEM_HOST": "localhost",
        "PBEM_RELAY": "smtp://127.0.0.1:1",
        "PBEM_SECRET": "s" * 32,
        "PBEM_AUTHSERV": SERVER,
        "PBEM_UNDO_MINUTES": "0",
    }


@pytest.fixture
def town(app: App) -> App:
    once(app, "paper", lambda: _played(app))
    return app


def to_saturday(clock: Clock, hour: int = 8) -> None:
    """Pass the time to the next Saturday."""
    days = (5 - clock.now.weekday()) % 7 or 7
    clock.now = clock.now.replace(hour=hour, minute=0, second=0, microsecond=0) + timedelta(days=days)


def sent(app: App, who: str) -> int:
    return sum(SUBJECT in letter.header("Subject") for letter in letters(app, who))


def shown(app: App) -> ShownPaper:
    with app.store.read() as db:
        found = load_paper(app, db, last_week(app.now()))
    assert found is not None
    return found


def test_the_paper_comes_on_saturday_to_who_wants_it(town: App, clock: Clock) -> None:
    writes(town, BILL, "set paper on")
    assert "paper is now on" in last_words(town, BILL)
    assert 0 == send_papers(town)
    to_saturday(clock, hour=6)
    assert 0 == send_papers(town)
    clock.pass_by(hours=1)
    assert 1 == send_papers(town)
    assert 0 == send_papers(town)
    assert (1, 0) == (sent(town, BILL), sent(town, JOAO))


@pytest.mark.parametrize(
    ("zone", "due"),
    [
        ("Pacific/Kiritimati", "2026-03-06T17:00"),
        ("Pacific/Honolulu", "2026-03-07T17:00"),
        ("Europe/Berlin", "2026-03-07T06:00"),
    ],
)
def test_it_is_saturday_morning_where_the_reader_lives(town: App, clock: Clock, zone: str, due: str) -> None:
    writes(town, BILL, f"set zone {zone}")
    writes(town, BILL, "set paper on")
    clock.now = datetime.fromisoformat(f"{due}+00:00") - timedelta(seconds=1)
    assert 0 == send_papers(town)
    clock.pass_by(seconds=1)
    assert 1 == send_papers(town)


def test_it_says_what_the_records_say(town: App, clock: Clock) -> None:
    writes(town, BILL, "set paper on")
    to_saturday(clock)
    send_papers(town)
    words = last_words(town, BILL)
    found = shown(town)
    assert "Bill and Joao finished game 2 of Begird after 10 moves." in words
    assert found.lead is not None
    assert found.lead.mover is not None
    assert f"/games/2/{found.lead.ply}" in words
    assert f"A bot gives {found.lead.mover.name} {found.lead.lead.before} in 100 before it" in words
    ((rules, ((mover, who), *_)),) = found.movers
    assert (
        f"In {rules.name}: * {who.name} rose by {mover.gain} points to {mover.after} (provisional)" in words
    )
    assert "in 2 rated games." in words
    assert found.upset is not None
    assert ("Joao", "Bill") == (found.upset.winner.name, found.upset.loser.name)
    assert f"Joao had a rating of {found.upset.upset.low}, and Bill one of {found.upset.upset.high}." in words
    assert "Joao won against Bill in game 4 of Bipod." in words
    assert "Bill, with game 1." in words
    assert "Joao, with game 1." in words
    assert "Anna" not in words


def test_its_puzzle_is_answered_by_its_number(town: App, clock: Clock) -> None:
    writes(town, BILL, "set paper on")
    to_saturday(clock)
    send_papers(town)
    puzzle = shown(town).puzzle
    assert puzzle is not None
    answer = puzzle.puzzle.answer
    letter = last_letter(town, BILL)
    told = last_words(town, BILL).split("A puzzle")[1].split("Newcomers")[0]
    assert f'write "puzzle {puzzle.puzzle.id}"' in told
    assert f'"{answer}"' not in told
    assert " ".join(puzzle.puzzle.line) not in told
    reply(town, BILL, letter, f"puzzle {puzzle.puzzle.id}")
    assert f"Puzzle {puzzle.puzzle.id}:" in last_letter(town, BILL).header("Subject")
    reply(town, BILL, last_letter(town, BILL), answer)
    assert "Right, Bill" in last_words(town, BILL)
    assert "refused" == writes(town, BILL, "puzzle 99")
    assert "There is no puzzle 99" in last_words(town, BILL)
    assert "refused" == writes(town, BILL, "puzzle chess")
    assert "No game is called chess here" in last_words(town, BILL)


def test_it_stops_as_other_letters_do(town: App, clock: Clock) -> None:
    for who in (BILL, JOAO):
        writes(town, who, "set paper on")
    writes(town, BILL, "stop paper")
    writes(town, JOAO, "set paper off")
    to_saturday(clock)
    assert 0 == send_papers(town)
    writes(town, BILL, "set paper on")
    to_saturday(clock)
    _game(town, MOVES, "unrated")
    clock.pass_by(days=7)
    assert 1 == send_papers(town)
    assert (1, 0) == (sent(town, BILL), sent(town, JOAO))


def test_a_week_with_nothing_sends_nothing(town: App, clock: Clock) -> None:
    writes(town, BILL, "set paper on")
    to_saturday(clock)
    assert 1 == send_papers(town)
    for _ in range(2):
        to_saturday(clock)
        assert 0 == send_papers(town)
        assert not shown(town).has_news
        with town.store.read() as db:
            assert Issue() == papers.find_issue(db, last_week(clock.now))
            assert 1 == len(papers.newest_issues(db, 9))


@pytest.mark.each_database
def test_until_the_first_game_of_people_ends_the_paper_has_a_lesson_a_week(app: App, clock: Clock) -> None:
    register(app, BILL, "Bill")
    writes(app, BILL, "set paper on")
    titles = []
    for _ in range(2):
        to_saturday(clock)
        assert 1 == send_papers(app)
        told = last_words(app, BILL)
        lesson = shown(app).lesson
        assert lesson is not None and lesson.lesson.title in told
        assert f'write "learn {lesson.rules.key} {lesson.n}"' in told and "A puzzle" not in told
        titles.append(lesson.lesson.title)
    assert titles[0] != titles[1]
    assert "done" == writes(app, BILL, f"learn {lesson.rules.key} {lesson.n}")
    assert ".lesson." in last_letter(app, BILL).header("Message-ID")
    register(app, JOAO, "Joao")
    _game(app, MOVES, "unrated")
    to_saturday(clock)
    assert 1 == send_papers(app)
    assert shown(app).lesson is None and "Game of the week" in last_words(app, BILL)


def test_a_server_without_people_has_no_paper(app: App, clock: Clock) -> None:
    to_saturday(clock)
    actions.make_issue(app, last_week(clock.now))
    with app.store.read() as db:
        assert [] == papers.newest_issues(db, 9)


@pytest.mark.parametrize("made_before", [False, True])
@pytest.mark.parametrize("how", ["barred", "erased"])
def test_nobody_is_named_who_is_barred_or_erased(
    town: App, clock: Clock, how: str, made_before: bool
) -> None:
    to_saturday(clock)
    if made_before:
        send_papers(town)
        assert shown(town).lead is not None
    joao = player(town, "Joao")
    with town.store.write() as db:
        if how == "barred":
            moderation.bar_player(db, joao, "rude")
        else:
            erase_player(db, joao, None)
    send_papers(town)
    found = shown(town)
    assert (None, None, None) == (found.lead, found.upset, found.puzzle)
    assert ["Bill"] == [each.player.name for each in found.newcomers]
    assert {"Bill"} >= {who.name for _, rows in found.movers for _, who in rows}


def test_a_game_that_goes_on_is_in_no_paper(town: App, clock: Clock) -> None:
    writes(town, BILL, "challenge Anna bipod unrated first none")
    writes(town, ANNA, "accept")
    to_saturday(clock)
    week, issue = last_week(town.now()), Issue(Lead(5), newcomers=(Newcomer(player(town, "Anna").id, 5),))
    with town.store.write() as db:
        papers.store_issue(db, week, issue, town.now())
    assert not shown(town).has_news


def test_a_move_that_can_be_taken_back_ends_no_game_for_the_paper(town: App, clock: Clock) -> None:
    writes(town, BILL, f"challenge Joao {SMALL} unrated none")
    writes(town, JOAO, "accept")
    for n, move in enumerate(MOVES[:-1]):
        writes(town, (BILL, JOAO)[n % 2], move)
    writes(town, JOAO, "set undo 10m")
    assert "done" == writes(town, JOAO, MOVES[-1])
    week = last_week(clock.now + timedelta(weeks=1))
    with town.store.read() as db:
        assert [1, 2, 3, 4] == sorted(each.id for each in papers.ended_games(db, ["bipod", "begird"], week))
    clock.pass_by(minutes=11)
    check_due_games(town)
    with town.store.read() as db:
        assert 5 in {each.id for each in papers.ended_games(db, ["bipod", "begird"], week)}


def test_many_readers_cost_one_calculation(town: App, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    with town.store.write() as db:
        for n in range(30):
            one = players.add_player(db, f"Reader{n}", f"reader{n}@example.com", town.now())
            players.set_preference(db, one, "paper", "on")
            actions.schedule_paper(db, one, "on", town.now())
    calls = list[str]()
    for name in ("_gather", "load_paper"):
        real = getattr(actions, name)
        monkeypatch.setattr(
            actions, name, lambda *given, name=name, real=real: (calls.append(name), real(*given))[1]
        )
    to_saturday(clock)
    assert 30 == send_papers(town)
    assert ["_gather", "load_paper"] == calls


class Killed(BaseException):
    """The end of the process."""


@pytest.mark.parametrize("at", range(4))
def test_a_kill_doubles_and_loses_nothing(town: App, clock: Clock, at: int) -> None:
    for who in (BILL, JOAO, ANNA):
        writes(town, who, "set paper on")
    to_saturday(clock)
    steps = list[str]()

    def die(step: str) -> None:
        steps.append(step)
        if len(steps) == at + 1:
            raise Killed

    with pytest.raises(Killed):
        send_papers(replace(town, step=die))
    send_papers(town)
    send_papers(town)
    assert [1, 1, 1] == [sent(town, who) for who in (BILL, JOAO, ANNA)]
    with town.store.read() as db:
        assert 1 == len(papers.newest_issues(db, 9))


def test_a_paper_that_cannot_be_made_is_made_later(
    town: App, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes(town, BILL, "set paper on")
    to_saturday(clock)
    with monkeypatch.context() as broken:
        broken.setattr(actions, "_gather", lambda *given: 1 / 0)
        assert 0 == send_papers(town)
    assert 1 == send_papers(town)
