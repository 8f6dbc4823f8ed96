"""Bots: they accept at once, move by mail like anybody, and get no letters."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.exc import OperationalError

from pbem.app import App
from pbem.bots import playing
from pbem.bots.playing import play_one
from pbem.bots.thinking import BotAnswer
from pbem.core.players import BOT_LEVELS
from pbem.inbox.process import work_through
from pbem.outbox.send import send_due
from pbem.store import bots, inbox
from pbem.store.tables import journal
from pbem.store.tables.bots import bot_usage
from rules.search import Thought
from tests.apps import (
    BILL,
    NO_DEVELOPMENT,
    SERVER,
    Clock,
    Relay,
    flat,
    last_words,
    letters,
    load,
    moves,
    player,
    register,
    reply,
    writes,
)


def answer(app: App) -> None:
    """Let the bots do all that waits for them."""
    while play_one(app):
        work_through(app)


@pytest.fixture
def begun(app: App) -> App:
    """Game 1: Bill, who moves first, against bot1."""
    reply(app, BILL, register(app, BILL, "Bill"), "challenge bot1 bipod first")
    return app


def test_a_bot_accepts_at_once_and_answers_each_move(begun: App) -> None:
    assert ["Bill", "bot1"] == [each.name for each in load(begun).seats]
    assert not load(begun).rated
    answer(begun)
    assert [] == moves(begun)  # nothing is thought about before the player moves
    assert "done" == writes(begun, BILL, "f2 f4 g3")
    answer(begun)
    assert "f2 f4 g3" == moves(begun)[0]
    assert 0 == load(begun).state.to_play
    assert "Your move" in last_words(begun, BILL)


@pytest.mark.parametrize(("words", "told"), [("Danke, guter Zug!", True), ("Here is my move: f2 f4", False)])
def test_words_alone_to_a_bot_are_answered_with_who_reads_none(begun: App, words: str, told: bool) -> None:
    writes(begun, BILL, words)
    assert told == ("bot1 is a computer, and reads no words." in last_words(begun, BILL))
    assert [] == moves(begun)


def test_words_that_are_said_to_a_bot_are_kept_and_read_by_nobody(begun: App) -> None:
    assert "done" == writes(begun, BILL, "say Hello bot")
    assert "your words are kept with the game. bot1 reads none." in last_words(begun, BILL)
    assert "gone to bot1" not in last_words(begun, BILL)
    assert "done" == writes(begun, BILL, "f2 f4 g3\n\nGood luck, bot!")
    receipt = next(letter for letter in reversed(letters(begun, BILL)) if "to bot1:" in letter.text)
    assert "These words are kept with the game. bot1 reads none." in flat(receipt.text)


def test_a_bot_is_found_by_what_people_call_it(begun: App) -> None:
    writes(begun, BILL, "challenge computer bagel")
    assert "Did you mean bot?" in last_words(begun, BILL)
    writes(begun, BILL, "challenge bot 5 bagel")
    assert "bot5 has accepted your challenge" in last_words(begun, BILL)


def test_a_bot_gets_no_letters_and_its_clock_stands(begun: App, clock: Clock) -> None:
    writes(begun, BILL, "f2 f4 g3")
    answer(begun)
    assert [] == letters(begun, "bot1@bots.invalid")
    assert None is load(begun).deadline


def test_bot_alone_is_the_third_and_there_is_no_ninth(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    reply(app, BILL, welcome, "challenge bot begird islands=9 second")
    assert ["bot3", "Bill"] == [each.name for each in load(app).seats]
    assert {"islands": 9}.items() <= dict(load(app).options).items()
    reply(app, BILL, welcome, "challenge bot9 bipod")
    assert "There is no bot9 here. You can challenge bot1, bot2, bot3, bot4, bot5" in last_words(app, BILL)


def test_games_against_bots_have_a_limit_of_their_own(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    for _ in range(6):
        reply(app, BILL, welcome, "challenge bot1 bounders size=3 first")
    assert "You have 5 games against bots running" in last_words(app, BILL)
    reply(app, BILL, welcome, "challenge bot1 chess")
    assert "No game is called chess here." in last_words(app, BILL)
    with app.store.read() as db:
        assert 5 == bots.count_running(db, player(app, "Bill"))


def test_a_bot_accepts_a_takeback(begun: App) -> None:
    writes(begun, BILL, "f2")
    answer(begun)
    assert 2 == len(moves(begun))
    writes(begun, BILL, "undo")
    answer(begun)
    assert len(moves(begun)) < 2


def test_a_bot_agrees_to_a_pause(app: App) -> None:
    reply(app, BILL, register(app, BILL, "Bill"), "challenge bot1 bipod rated first")
    assert "done" == writes(app, BILL, "pause 5 days")
    answer(app)
    assert {} == load(app).state.offers
    assert load(app).pause is not None


def test_a_bot_answers_a_draw(begun: App) -> None:
    writes(begun, BILL, "f2")
    answer(begun)
    writes(begun, BILL, "draw")
    answer(begun)
    assert {} == load(begun).state.offers
    ending = load(begun).state.ending
    assert ending is None or ending.how == "agreement"


@pytest.mark.parametrize("words", ["draw\nundo", "undo\ndraw"])
def test_a_bot_answers_several_offers_of_one_mail(begun: App, words: str) -> None:
    writes(begun, BILL, "f2")
    answer(begun)
    writes(begun, BILL, words)
    for _ in range(4):
        answer(begun)
    assert {} == load(begun).state.offers
    assert "needs more time" not in last_words(begun, BILL)


def test_whoever_may_move_is_told_so_where_a_bot_cannot_answer(
    begun: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes(begun, BILL, "f2")
    answer(begun)
    writes(begun, BILL, "draw")
    monkeypatch.setattr(playing, "_think", lambda *_: 1 / 0)
    answer(begun)
    told = last_words(begun, BILL)
    assert "You may move meanwhile. An error of ours stops bot1." in told
    assert "It is bot1's turn" not in told


def test_a_bot_takes_no_move_back_in_a_rated_game(app: App) -> None:
    reply(app, BILL, register(app, BILL, "Bill"), "challenge bot1 bipod rated first")
    writes(app, BILL, "f2")
    answer(app)
    writes(app, BILL, "undo")
    answer(app)
    assert 2 == len(moves(app))
    assert {} == load(app).state.offers


def test_a_bot_confirms_what_gives_a_game_up_and_waits_for_no_undo(
    begun: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "find_move", lambda *_: BotAnswer("resign yes", "Thank you!"))
    writes(begun, BILL, "f2")
    answer(begun)
    ending = load(begun).state.ending
    assert ending is not None
    assert ("resignation", 0) == (ending.how, ending.winner)
    assert "Thank you!" in last_words(begun, BILL)


def test_quick_and_slow_levels_are_claimed_apart(begun: App) -> None:
    writes(begun, BILL, "f2")
    assert not play_one(begun, playing.SLOW)
    assert play_one(begun, playing.QUICK)


def test_a_claimed_turn_is_no_other_process_s_until_its_lease_ends(begun: App, clock: Clock) -> None:
    writes(begun, BILL, "f2")

    def dies(step: str) -> None:
        if step == "claim":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_one(replace(begun, step=dies))
    assert not play_one(begun)
    clock.pass_by(minutes=3)
    assert play_one(begun)
    assert 2 == len(moves(begun))


def test_a_bot_killed_after_its_mail_moves_once(begun: App, clock: Clock) -> None:
    writes(begun, BILL, "f2")

    def dies(step: str) -> None:
        if step == "play":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_one(replace(begun, step=dies))
    clock.pass_by(minutes=3)
    answer(begun)
    assert 2 == len(moves(begun))


def test_a_bot_that_fails_says_so_once_and_is_put_aside(
    begun: App, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> Thought:
        raise ZeroDivisionError

    monkeypatch.setattr(playing, "find_move", fails)
    writes(begun, BILL, "f2")
    before = len(letters(begun, BILL))
    for _ in range(bots.MAX_TRIES + 2):
        play_one(begun)
        clock.pass_by(minutes=1)
    (told,) = letters(begun, BILL)[before:]
    assert "bot1 needs more time" in told.text
    with begun.store.read() as db:
        assert 1 == bots.count_put_aside(db, begun.clock())


def test_a_position_that_kills_the_process_each_time_is_put_aside_and_told(begun: App, clock: Clock) -> None:
    def dies(now: str) -> None:
        if now == "think":
            raise KeyboardInterrupt

    writes(begun, BILL, "f2")
    before = len(letters(begun, BILL))
    for n in range(bots.MAX_TRIES):
        with begun.store.read() as db:
            assert [] == bots.games_put_aside(db, begun.clock())
        with pytest.raises(KeyboardInterrupt):
            play_one(replace(begun, step=dies))
        assert (n + 1 == bots.MAX_TRIES) == (len(letters(begun, BILL)) > before)
        clock.pass_by(minutes=2)
    assert not play_one(begun)
    with begun.store.write() as db:
        assert [1] == bots.games_put_aside(db, begun.clock())
        bots.retry_games(db, [1], begun.clock())
    answer(begun)
    assert 2 == len(moves(begun))


def test_a_bot_whose_move_was_refused_plays_the_same_move_once_that_is_mended(
    begun: App, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(app: App, number: int) -> None:
        with app.store.write() as db:
            inbox.set_disposition(db, number, "refused", "an error of ours", app.now())

    writes(begun, BILL, "f2")
    move = load(begun).state.position.examples()[0]
    monkeypatch.setattr(playing, "find_move", lambda *_: BotAnswer(move, "", ""))
    with monkeypatch.context() as patched:
        patched.setattr(playing.web_move, "process", refuses)
        for _ in range(bots.MAX_TRIES):
            assert play_one(begun)
            clock.pass_by(minutes=1)
    with begun.store.write() as db:
        assert [1] == bots.games_put_aside(db, begun.clock())
        bots.retry_games(db, [1], begun.clock())
    answer(begun)
    assert ["f2", move] == moves(begun)


def test_an_outage_of_the_database_is_no_try(begun: App, clock: Clock) -> None:
    def away(now: str) -> None:
        if now == "think":
            raise OperationalError("SELECT 1", {}, Exception("database is locked"))

    writes(begun, BILL, "f2")
    for _ in range(bots.MAX_TRIES + 1):
        with pytest.raises(OperationalError):
            play_one(replace(begun, step=away))
        clock.pass_by(minutes=2)
    answer(begun)
    assert 2 == len(moves(begun))


def test_a_mail_that_waits_is_no_failure(begun: App, monkeypatch: pytest.MonkeyPatch) -> None:
    writes(begun, BILL, "f2")
    before = len(letters(begun, BILL))
    with monkeypatch.context() as patched:
        patched.setattr(playing.web_move, "process", lambda *_: None)
        patched.setattr(playing.web_move, "wait_until_filed", lambda *_: None)
        assert play_one(begun)
    assert before == len(letters(begun, BILL))
    work_through(begun)
    assert 2 == len(moves(begun))


def test_with_the_bots_off_running_games_are_played_on(begun: App) -> None:
    off = replace(begun, config=replace(begun.config, bots=()))
    with off.store.read() as db:
        assert bots.have_games(db)
    writes(begun, BILL, "f2")
    ends = time.monotonic() + 60
    playing.run(off, lambda _: len(load(begun).state.plies) == 2 or time.monotonic() > ends)
    assert 2 == len(moves(begun))


def test_a_game_that_cannot_be_read_is_put_aside_and_holds_up_no_other(begun: App, clock: Clock) -> None:
    writes(begun, BILL, "f2")
    writes(begun, BILL, "challenge bot1 bipod first")
    writes(begun, BILL, "game 2\nf2")
    with begun.store.write() as db:
        data = {"move": "zz99"}
        db.execute(journal.update().where(journal.c.game_id == 1, journal.c.kind == "ply").values(data=data))
    heard = len(letters(begun, BILL))
    for _ in range(2 * bots.MAX_TRIES):
        answer(begun)
        clock.pass_by(minutes=1)
    assert 2 == len(moves(begun, 2))
    with begun.store.read() as db:
        assert [1] == bots.games_put_aside(db, begun.clock())
    assert heard + 1 == len(letters(begun, BILL))


def test_a_look_for_seeks_that_fails_holds_up_no_bot(begun: App, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = list[App]()

    def fails(app: App) -> None:
        looks.append(app)
        raise ZeroDivisionError

    monkeypatch.setattr(playing, "take_seeks", fails)
    monkeypatch.setattr(playing, "QUICK", (9,))
    monkeypatch.setattr(playing, "SLOW", BOT_LEVELS)
    writes(begun, BILL, "f2")
    ends = time.monotonic() + 60
    playing.run(begun, lambda _: len(load(begun).state.plies) == 2 or time.monotonic() > ends)
    assert looks
    assert 2 == len(moves(begun))


class TestQueue:
    """Whom the bots serve first: for whom they thought least today, then short games."""

    def begin(self, app: App, *names: str) -> None:
        """A game of each against bot1, longer for who has a longer name, and a move that waits in each."""
        people = [(number, f"{name.lower()}@example.org", name) for number, name in enumerate(names, 1)]
        for number, who, name in people:
            reply(app, who, register(app, who, name), "challenge bot1 bounders size=5 first")
            for _ in range(len(name) - 3):
                assert "done" == writes(app, who, load(app, number).state.examples[0])
                answer(app)
        for number, who, _ in people:
            assert "done" == writes(app, who, load(app, number).state.examples[0])
        with app.store.write() as db:
            db.execute(bot_usage.delete())

    def claim(self, app: App) -> int | None:
        with app.store.write() as db:
            lease = timedelta(minutes=1)
            turn = bots.claim_turn(db, app.clock(), lease, list(app.games_by_key))
        return turn and turn.game_id

    def test_short_games_first(self, app: App) -> None:
        self.begin(app, "Abigail", "Bert", "Carla")
        assert [2, 3, 1, None] == [self.claim(app) for _ in range(4)]

    def test_no_player_starves_others(self, app: App) -> None:
        self.begin(app, "Ann", "Abigail", "Carla")
        with app.store.write() as db:
            bots.add_seconds(db, player(app, "Ann").id, 20.0, app.now())
            bots.add_seconds(db, player(app, "Carla").id, 5.0, app.now())
        assert [2, 3, 1, None] == [self.claim(app) for _ in range(4)]


def test_the_clock_of_a_bot_stands_in_a_rated_game_too(app: App, clock: Clock) -> None:
    reply(app, BILL, register(app, BILL, "Bill"), "challenge bot1 bipod rated first")
    writes(app, BILL, "f2")
    clock.pass_by(days=30)
    game = load(app)
    assert game.deadline is None
    assert timedelta(days=7) == game.clock.left(1, game.stops, clock.now)
    answer(app)
    assert load(app).deadline is not None


class TestBudget:
    @pytest.fixture
    def app_config(self, app_config: Mapping[str, str]) -> Mapping[str, str]:
        return {**app_config, "PBEM_BOT_SECONDS": "1,1"}

    def test_a_bot_out_of_budget_says_so_once_and_goes_on_the_next_day(
        self, begun: App, clock: Clock
    ) -> None:
        writes(begun, BILL, "f2")
        with begun.store.write() as db:
            bots.add_seconds(db, player(begun, "Bill").id, 2.0, begun.now())
        before = len(letters(begun, BILL))
        for _ in range(3):
            answer(begun)
        assert 1 == len(letters(begun, BILL)) - before
        assert 1 == len(moves(begun))
        clock.now += timedelta(days=1)
        answer(begun)
        assert 2 == len(moves(begun))

    def test_it_goes_on_in_an_hour_if_the_operator_gives_more_time(self, begun: App, clock: Clock) -> None:
        writes(begun, BILL, "f2")
        with begun.store.write() as db:
            bots.add_seconds(db, player(begun, "Bill").id, 2.0, begun.now())
        answer(begun)
        richer = replace(begun, config=replace(begun.config, bot_seconds=(1, 1000)))
        clock.pass_by(minutes=59)
        answer(richer)
        assert 1 == len(moves(begun))
        clock.pass_by(minutes=2)
        answer(richer)
        assert 2 == len(moves(begun))

    def test_slow_levels_leave_a_fifth_of_the_day_to_the_others(self, app: App) -> None:
        rich = replace(app, config=replace(app.config, bot_seconds=(1, 1000)))
        welcome = register(app, BILL, "Bill")
        for number, level in ((1, 1), (2, 5)):
            reply(app, BILL, welcome, f"challenge bot{level} bounders size=3 first")
            reply(app, BILL, welcome, f"game {number}\n{load(app, number).state.examples[0]}")
        with app.store.write() as db:
            bots.add_seconds(db, 0, 800.0, app.now())
        answer(rich)
        assert [2, 1] == [len(moves(app, number)) for number in (1, 2)]

    def test_one_player_has_a_quarter_of_the_day(self, begun: App) -> None:
        rich = replace(begun, config=replace(begun.config, bot_seconds=(1, 1000)))
        joao = "joao@example.net"
        reply(begun, joao, register(begun, joao, "Joao"), "challenge bot1 bipod first")
        writes(begun, BILL, "f2")
        writes(begun, joao, "f2")
        with begun.store.write() as db:
            bots.add_seconds(db, player(begun, "Bill").id, 250.0, begun.now())
        answer(rich)
        assert [1, 2] == [len(moves(begun, number)) for number in (1, 2)]


def test_words_to_a_bot_are_not_offered_to_be_sent_but_answered_with_a_next_step(begun: App) -> None:
    assert "refused" == writes(begun, BILL, "I don't know what to do. What are the rules?")
    said = last_words(begun, BILL)
    assert "Not sent yet" not in said
    assert 'Do you want to see the rules? Answer "rules", or "yes".' in said
    assert 'To see a good move, answer "hint".' in said
    assert "goes to bot1" not in said


def test_who_asks_for_the_computer_in_a_sentence_hears_what_to_write(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    assert 'A computer: "challenge bot bipod"' in " ".join(welcome.text.split())
    writes(app, BILL, "I would like to play begird with the computer")
    assert 'write "challenge bot begird"; bot1 is the easiest.' in last_words(app, BILL)
    writes(app, BILL, "What now?")
    assert "done" == writes(app, BILL, "challenge bot begird")


# One letter a move.


def sent_kinds(app: App, clock: Clock, **later: float) -> list[str]:
    """The kinds of letters that are sent after a time, oldest first."""
    clock.pass_by(**later)
    sent = Relay()
    send_due(replace(app, sender=sent))
    return [letter.header("Message-ID").split(".")[-2] for letter in sent.to(BILL)]


def test_a_quick_bots_answer_tells_both_moves_in_one_letter(begun: App, clock: Clock) -> None:
    sent_kinds(begun, clock)
    writes(begun, BILL, "f2 f4 g3")
    assert [] == sent_kinds(begun, clock, seconds=2)
    answer(begun)
    assert ["turn"] == sent_kinds(begun, clock)
    assert "Your move, Bill: you played f2 f4 g3; bot1 answered" in last_words(begun, BILL)
    assert [] == sent_kinds(begun, clock, minutes=1)


def test_a_receipt_goes_alone_where_the_bot_is_late(begun: App, clock: Clock) -> None:
    sent_kinds(begun, clock)
    writes(begun, BILL, "f2 f4 g3")
    assert ["receipt"] == sent_kinds(begun, clock, seconds=6)
    answer(begun)
    assert ["turn"] == sent_kinds(begun, clock)
    assert "Your move, Bill: bot1 played" in last_words(begun, BILL)


def test_words_to_a_bot_are_answered_at_once(begun: App, clock: Clock) -> None:
    sent_kinds(begun, clock)
    writes(begun, BILL, "f2 f4 g3\n\nGood luck!")
    assert ["receipt"] == sent_kinds(begun, clock)


class TestWithAnUndoWindow:
    """The settings of a server that lets moves wait."""

    @pytest.fixture
    def app_config(self) -> dict[str, str]:
        return {**NO_DEVELOPMENT, "PBEM_AUTHSERV": SERVER, "PBEM_UNDO_MINUTES": "5"}

    def test_a_move_against_a_bot_waits_only_if_its_player_wants_it(self, begun: App) -> None:
        writes(begun, BILL, "f2 f4 g3")
        assert ["f2 f4 g3"] == moves(begun)
        answer(begun)
        writes(begun, BILL, "set undo 5m")
        writes(begun, BILL, f"move {load(begun).state.position.examples()[0]}")
        assert 2 == len(moves(begun))
