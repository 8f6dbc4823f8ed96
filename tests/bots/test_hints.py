"""`hint`: a move and one sentence, worked out by the bots' process, in unrated games only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from pbem.app import App
from pbem.bots import hints, jobs, judging
from pbem.bots.judging import Hint, find_hint
from pbem.commands.hint import MAX_A_GAME, ask_for_hint
from pbem.store import bots
from pbem.store import hints as stored
from rules import RULES
from tests.apps import (
    BILL,
    JOAO,
    Clock,
    a_game,
    flat,
    last_letter,
    last_words,
    letters,
    load,
    moves,
    player,
    register,
    reply,
    writes,
)
from tests.bots.test_playing import answer


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "HINT_SECONDS", 0.02)


@pytest.fixture
def begun(app: App) -> App:
    """Game 1: Bill, who moves first, against bot1."""
    reply(app, BILL, register(app, BILL, "Bill"), "challenge bot1 bipod first")
    return app


def do_jobs(app: App) -> None:
    while jobs.do_one(app):
        pass


def test_a_hint_comes_as_a_letter_that_takes_the_move(begun: App) -> None:
    before = len(letters(begun, BILL))
    assert "done" == writes(begun, BILL, "hint")
    assert before == len(letters(begun, BILL))  # nobody thinks while a mail is handled
    do_jobs(begun)
    assert 1 == len(letters(begun, BILL)) - before
    letter = last_letter(begun, BILL)
    assert "A hint for move 1, Bill" in letter.text
    position = load(begun).state.position
    assert position.problem(position.read_ply(letter.text.split('"')[1])) is None


@pytest.mark.parametrize(("move", "answers"), [("f2", ["f2"]), ("C3", ["C3", "large"])])
def test_a_hint_is_taken_by_an_answer(
    begun: App, monkeypatch: pytest.MonkeyPatch, move: str, answers: list[str]
) -> None:
    """`C3` may be the c3 of a phone, which makes the first letter a capital: that is asked."""
    monkeypatch.setattr(hints, "find_hint", lambda *_: Hint(move, f"`{move}` looks best."))
    writes(begun, BILL, "hint")
    do_jobs(begun)
    results = [reply(begun, BILL, last_letter(begun, BILL), answer) for answer in answers]
    assert [*["refused"] * (len(answers) - 1), "done"] == results
    assert [move] == moves(begun)


def test_the_same_hint_again_comes_at_once_and_counts_once(begun: App) -> None:
    writes(begun, BILL, "hint")
    do_jobs(begun)
    first = last_words(begun, BILL)
    writes(begun, BILL, "hint")
    assert first.partition("##-")[0] == last_words(begun, BILL).partition("##-")[0]
    with begun.store.read() as db:
        assert {player(begun, "Bill").id: [1]} == stored.hints_of_game(db, 1)


def test_a_hint_of_a_position_that_is_gone_is_not_sent(begun: App) -> None:
    writes(begun, BILL, "hint")
    writes(begun, BILL, "f2")
    before = len(letters(begun, BILL))
    do_jobs(begun)
    assert before == len(letters(begun, BILL))


def test_a_hint_that_came_too_late_comes_when_it_is_asked_for_again(begun: App) -> None:
    writes(begun, BILL, "hint")
    writes(begun, BILL, "f2")
    do_jobs(begun)
    assert "done" == writes(begun, BILL, "undo")
    answer(begun)
    assert [] == moves(begun)
    before = len(letters(begun, BILL))
    assert "done" == writes(begun, BILL, "hint")
    do_jobs(begun)
    assert 1 == len(letters(begun, BILL)) - before
    assert "A hint for move 1" in last_words(begun, BILL)


@pytest.mark.parametrize("begins", [False, True])
def test_a_hint_asked_on_the_web_and_then_by_mail_comes_by_mail(begun: App, begins: bool) -> None:
    def asks(name: str) -> None:
        if name == "compute job":  # the search has begun
            assert "done" == writes(begun, BILL, "hint")

    game, before = load(begun), len(letters(begun, BILL))
    with begun.store.write() as db:
        assert ask_for_hint(begun, db, game, 0, begun.now(), by_mail=False) is None
    if not begins:
        writes(begun, BILL, "hint")
    assert jobs.do_one(replace(begun, step=asks) if begins else begun)
    assert 1 == len(letters(begun, BILL)) - before


def test_a_hint_that_cannot_be_worked_out_is_refused(
    begun: App, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "find_hint", lambda *_: 1 / 0)
    writes(begun, BILL, "hint")
    for _ in range(bots.MAX_TRIES):
        assert jobs.do_one(begun)
        clock.pass_by(minutes=2)
    assert "refused" == writes(begun, BILL, "hint")
    assert "could not work out a hint" in last_words(begun, BILL)


@pytest.mark.parametrize("step", ["claim job", "compute job"])
def test_a_hint_of_a_killed_process_is_sent_once(begun: App, clock: Clock, step: str) -> None:
    def dies(now: str) -> None:
        if now == step:
            raise KeyboardInterrupt

    writes(begun, BILL, "hint")
    before = len(letters(begun, BILL))
    with pytest.raises(KeyboardInterrupt):
        jobs.do_one(replace(begun, step=dies))
    clock.pass_by(minutes=11)
    do_jobs(begun)
    do_jobs(begun)
    assert 1 == len(letters(begun, BILL)) - before


def test_there_is_none_in_a_rated_game_between_people(app: App) -> None:
    a_game(app, "3d/move")
    assert load(app).rated
    assert "refused" == writes(app, BILL, "hint")
    assert "Game 1 is rated, and hints are for unrated games only" in last_words(app, BILL)
    refused = last_letter(app, BILL)
    assert "answer this letter with" in flat(refused.text)
    assert "done" == reply(app, BILL, refused, "f2"), "the board takes the move"
    assert not jobs.do_one(app)


def test_there_is_none_when_it_is_not_your_turn(begun: App) -> None:
    writes(begun, BILL, "f2")
    assert "refused" == writes(begun, BILL, "hint")
    assert "It is bot1's turn; ask for a hint when it is yours." in last_words(begun, BILL)


def test_there_is_none_after_the_end(begun: App) -> None:
    writes(begun, BILL, "f2")
    answer(begun)
    writes(begun, BILL, "resign yes")
    assert "refused" == writes(begun, BILL, "hint 1")
    assert "Game 1 is over" in last_words(begun, BILL)


def test_there_is_a_limit_in_a_game(begun: App, clock: Clock) -> None:
    with begun.store.write() as db:
        for entry in range(100, 100 + MAX_A_GAME):
            stored.add_hint(db, player(begun, "Bill"), 1, entry, entry, begun.now())
    assert "refused" == writes(begun, BILL, "hint")
    assert "You have had 5 hints in game 1" in last_words(begun, BILL)
    clock.pass_by(days=1, hours=1)
    assert "done" == writes(begun, BILL, "hint")


class TestWithoutBots:
    @pytest.fixture
    def app_config(self, app_config: Mapping[str, str]) -> Mapping[str, str]:
        return {**app_config, "PBEM_BOTS": "off"}

    def test_there_is_none(self, app: App) -> None:
        a_game(app, "none unrated")
        assert "refused" == writes(app, BILL, "hint")
        assert "There are no hints here" in last_words(app, BILL)


class TestBudget:
    @pytest.fixture
    def app_config(self, app_config: Mapping[str, str]) -> Mapping[str, str]:
        return {**app_config, "PBEM_BOT_SECONDS": "1,1"}

    def test_there_is_none_when_the_bots_have_no_time_left(self, begun: App) -> None:
        with begun.store.write() as db:
            bots.add_seconds(db, 0, 2.0, begun.now())
        assert "refused" == writes(begun, BILL, "hint")
        assert "used up their time" in last_words(begun, BILL)


def test_whoever_is_against_a_person_is_told_that_hints_are_seen(app: App) -> None:
    a_game(app, "none unrated")
    writes(app, BILL, "hint")
    do_jobs(app)
    assert "Joao can see it" in last_words(app, BILL)
    assert not any("A hint for" in letter.text for letter in letters(app, JOAO))


def test_the_last_letter_tells_both_who_had_hints(app: App) -> None:
    a_game(app, "none unrated")
    writes(app, BILL, "hint")
    do_jobs(app)
    writes(app, BILL, "resign yes")
    for who in (BILL, JOAO):
        assert "Bill had a hint before move 1." in last_words(app, who)


def test_a_hint_has_a_thread_of_its_own(begun: App) -> None:
    writes(begun, BILL, "hint")
    assert jobs.do_one(begun, jobs.HINTS)
    assert "A hint for move 1" in last_words(begun, BILL)


@pytest.mark.parametrize("key", sorted(RULES))
def test_every_game_has_hints_with_a_legal_move_and_one_sentence(key: str) -> None:
    position = RULES[key].start()
    found = find_hint(position, 1, 0.02)
    position.play(position.read(found.move))
    assert f"`{found.move}`" in found.words
    assert found.words.endswith(".")
    assert 1 == found.words.count(".") - found.move.count(".") * found.words.count(found.move)


def test_a_proved_win_is_called_one() -> None:
    thought = judging.Thought("f2", 1.0, 3, "win", ("f2",))
    assert "`f2` wins, whatever is played after it." == judging.hint_words(thought)


def test_a_hint_beside_a_move_is_refused_and_says_that_the_move_was_played(begun: App) -> None:
    writes(begun, BILL, "hint\nk3")
    assert ["k3"] == moves(begun)
    assert "The rest of your mail was carried out." in last_words(begun, BILL)
    assert "Nothing has changed" not in last_words(begun, BILL)
