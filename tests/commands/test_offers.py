"""Draws, pauses, time and claims by mail, from listener to outbox. All run on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from pbem.app import App
from pbem.duties.game_clock import WORKER_DELAY, check_due_games
from pbem.inbox.process import process, work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import reply_mail
from pbem.store import challenges, games, inbox, players
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    Clock,
    ask,
    begin,
    flat,
    last_words,
    letters,
    load,
    register,
    reply,
    state,
    writes,
)
from tests.people import NOON

DAY = timedelta(days=1)


def due(app: App, clock: Clock, days: float) -> int:
    """The number of games with due clock events, reminders left out."""
    with app.store.write() as db:
        for number in (1, 2):
            player = players.player_by_id(db, number)
            assert player is not None
            players.set_preference(db, player, "remind", "off")
        game = games.load_game(db, app.games_by_key, 1)
        assert game is not None
        games.reschedule(db, game)
    clock.pass_by(days=days)
    clock.now += WORKER_DELAY
    return check_due_games(app)


# Offers.


def test_an_open_draw_is_shown_with_its_last_day_in_the_letters_of_both(app: App) -> None:
    begin(app)
    assert "your offer of a draw has gone" in ask(app, BILL, "draw")
    assert "The offer is open until Sunday 15 March" in last_words(app, JOAO)
    assert "You have offered a draw; the offer is open until Sunday 15 March" in ask(app, BILL, "show")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("f2", "move 1 is f2. Nothing has changed."),
        ("f2\ndraw", "move 1 is f2. Your offer of a draw has gone to Joao."),
        (
            "undo\ndraw",
            "your offer of a draw has gone to Joao. Joao has been asked whether your move 1 may be",
        ),
    ],
)
def test_a_receipt_says_what_was_offered_beside_a_move_that_is_recorded(
    app: App, words: str, told: str
) -> None:
    begin(app, plies=1)
    assert told in ask(app, BILL, words)


def test_a_draw_not_answered_in_fourteen_days_lapses(app: App, clock: Clock) -> None:
    begin(app, "30d/move")
    ask(app, BILL, "draw")
    before = len(letters(app, BILL)) + len(letters(app, JOAO))
    assert 0 == due(app, clock, 13.9)
    assert 1 == due(app, clock, 0.2)
    assert "draw" not in load(app).state.offers
    assert before == len(letters(app, BILL)) + len(letters(app, JOAO))
    assert "There is no offer of a draw that you could accept." in ask(app, JOAO, "accept draw")


def test_an_acceptance_in_time_counts_though_it_is_read_late(app: App, clock: Clock) -> None:
    begin(app, "30d/move")
    ask(app, BILL, "draw")
    clock.pass_by(days=13)
    letter = letters(app, JOAO)[-1]
    receive(app, reply_mail(letter, JOAO, "accept"), JOAO, [letter.header("Reply-To")])
    due(app, clock, 3)
    work_through(app)
    ending = load(app).state.ending
    assert ending is not None
    assert "Draw agreed" == ending.reason


def test_accept_is_refused_where_a_game_and_a_challenge_wait_and_no_letter_tells(app: App) -> None:
    begin(app)
    register(app, ANNA, "Anna")
    ask(app, ANNA, "challenge Joao bipod")
    bills = [letter for letter in letters(app, BILL) if "#1" in letter.header("Subject")][-1]
    reply(app, BILL, bills, "draw")
    welcome = next(letter for letter in letters(app, JOAO) if "Welcome" in letter.header("Subject"))
    assert "refused" == reply(app, JOAO, welcome, "accept")
    assert 'Several offers are open; write "accept draw" or "accept 2".' in last_words(app, JOAO)
    assert load(app).state.ending is None
    assert "done" == reply(app, JOAO, welcome, "accept draw")
    assert load(app).state.ending is not None


def test_the_letter_replied_to_says_what_is_accepted(app: App) -> None:
    begin(app)
    register(app, ANNA, "Anna")
    ask(app, BILL, "draw")
    draw = letters(app, JOAO)[-1]
    ask(app, ANNA, "challenge Joao bipod")
    challenge = letters(app, JOAO)[-1]
    assert "done" == reply(app, JOAO, challenge, "decline")
    assert load(app).state.offers["draw"].seat == 0
    assert "done" == reply(app, JOAO, draw, "accept")
    assert load(app).state.ending is not None


@pytest.mark.parametrize("word", ["accept", "decline"])
def test_an_answer_to_a_games_letter_never_answers_a_challenge_that_happens_to_wait(
    app: App, clock: Clock, word: str
) -> None:
    """The draw has lapsed since; another player's challenge waits."""
    begin(app, "30d/move")
    register(app, ANNA, "Anna")
    ask(app, BILL, "draw")
    draw = letters(app, JOAO)[-1]
    due(app, clock, 15)
    ask(app, ANNA, "challenge Joao bipod")
    assert "refused" == reply(app, JOAO, draw, word)
    wanted = f'Nothing is on offer in game 1; to answer a challenge, write "{word} 2".'
    assert wanted in last_words(app, JOAO)
    with app.store.read() as db:
        joao = players.player_by_id(db, 2)
        assert joao is not None
        assert [2] == [each.id for each in challenges.open_challenges(db, app.games_by_key, joao, app.now())]
    assert "done" == reply(app, JOAO, draw, f"{word} 2")


def test_an_answer_to_a_games_letter_with_nothing_on_offer_says_so_and_shows_the_board(
    app: App,
) -> None:
    begin(app)
    assert "There is no offer of a draw that you could accept." in ask(app, JOAO, "accept")
    ask(app, BILL, "draw")
    ask(app, BILL, "resign yes")
    assert "The game is over: Bill resigned." in ask(app, JOAO, "accept")
    assert "resignation" == getattr(load(app).state.ending, "how", "")


# Time given.


def test_time_given_is_told_and_moves_what_the_clock_waits_for(app: App, clock: Clock) -> None:
    begin(app, "1d/move", plies=4)
    assert "You gave Bill 1 day more." in ask(app, JOAO, "give 24h\n\nNo hurry.")
    flat = last_words(app, BILL)
    assert "Joao has given you 1 day more on your clock, Bill." in flat
    assert "No hurry." in flat
    assert NOON + 2 * DAY == load(app).deadline
    assert 0 == due(app, clock, 1.9)
    assert 1 == due(app, clock, 0.2)
    assert load(app).state.ending is not None


@pytest.mark.each_database
def test_the_same_gift_by_the_same_mail_is_given_once(app: App) -> None:
    begin(app, "1d/move", plies=4)
    letter = letters(app, JOAO)[-1]
    raw = reply_mail(letter, JOAO, "give 2d")
    keys = [receive(app, raw, JOAO, [letter.header("Reply-To")])[0] for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda key: process(app, int(key[1:])), keys))
    work_through(app)
    assert ["done", "duplicate"] == sorted(state(app, key) for key in keys)
    assert NOON + 3 * DAY == load(app).deadline


def test_a_gift_is_not_doubled_where_its_mail_is_run_again(app: App, clock: Clock) -> None:
    begin(app, "1d/move", plies=4)
    letter = letters(app, JOAO)[-1]
    (key,) = receive(app, reply_mail(letter, JOAO, "give 2d"), JOAO, [letter.header("Reply-To")])
    work_through(app)
    clock.pass_by(hours=1)
    with app.store.write() as db:
        inbox.reopen_mails(db, [int(key[1:])])
    process(app, int(key[1:]))
    assert NOON + 3 * DAY == load(app).deadline


def test_with_a_clock_that_stands_at_none_nothing_can_be_given(app: App) -> None:
    begin(app, "none")
    assert "This game is played without a clock" in ask(app, BILL, "give 2d")


@pytest.mark.parametrize("words", ["give 2U", "give a Thing"])
def test_in_hexagonal_thing_a_card_or_a_thing_is_not_given_by_hand(app: App, words: str) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    reply(app, BILL, welcome, "challenge Joao hexthing first")
    writes(app, JOAO, "accept")
    assert "nothing is given by hand here" in ask(app, BILL, words)
    assert "You gave Joao 2 days more." in ask(app, BILL, "give 2d")


# A pause by agreement.


def test_a_pause_is_asked_for_agreed_to_and_stops_the_clocks(app: App, clock: Clock) -> None:
    begin(app, "1d/move", plies=4)
    assert "You have asked Bill for a pause of 10 days" in ask(app, JOAO, "pause 10 days")
    assert "Joao asks for a pause of 10 days, Bill" in last_words(app, BILL)
    assert "both clocks are stopped until Wednesday 11 March" in ask(app, BILL, "accept")
    assert "Bill has agreed to the pause, Joao" in last_words(app, JOAO)
    assert NOON + 11 * DAY == load(app).deadline
    assert 0 == due(app, clock, 10.9)
    assert 1 == due(app, clock, 0.2)
    assert load(app).state.ending is not None


def test_a_pause_that_is_over_is_told_of_no_more(app: App, clock: Clock) -> None:
    begin(app)
    ask(app, JOAO, "pause 10 days")
    ask(app, BILL, "accept pause")
    assert "As you both agreed, the clocks" in ask(app, JOAO, "show")
    clock.pass_by(days=10)
    assert "As you both agreed, the clocks" not in ask(app, JOAO, "show")


def test_in_a_pause_one_may_play_all_the_same(app: App, clock: Clock) -> None:
    begin(app, "1d/move", plies=4)
    ask(app, JOAO, "pause 10 days")
    ask(app, BILL, "accept pause")
    clock.pass_by(days=4)
    assert "As you both agreed, the clocks of this game are stopped from Sunday 1 March" in ask(
        app, BILL, "show"
    )
    assert "Done, Bill: your move 5" in ask(app, BILL, "F2")
    assert NOON + 11 * DAY == load(app).deadline


# Soft clocks.


def test_a_soft_flag_is_told_to_both_and_the_one_who_waits_claims(app: App, clock: Clock) -> None:
    begin(app, "1d/move unrated soft", plies=4)
    before = len(letters(app, BILL)), len(letters(app, JOAO))
    assert 1 == due(app, clock, 1)
    assert (before[0] + 1, before[1] + 1) == (len(letters(app, BILL)), len(letters(app, JOAO)))
    assert "You may still play. Joao may now claim" in last_words(app, BILL)
    assert '"claim win", "claim draw" or "claim void"' in last_words(app, JOAO)
    assert 0 == check_due_games(app)
    assert 'or end the game with "claim win", "claim draw" or "claim void"' in flat(ask(app, JOAO, "show"))
    assert "You have been out of time since Monday 2 March" in flat(ask(app, BILL, "show"))
    assert "Joao has not run out of time" in ask(app, BILL, "claim win")
    assert "You have won, Joao. Bill ran out of time." in ask(app, JOAO, "claim win")
    assert "Joao has won, Bill. You ran out of time, so you lose." in last_words(app, BILL)


@pytest.mark.each_database
def test_a_claim_and_a_late_move_at_once_are_one_or_the_other(app: App, clock: Clock) -> None:
    begin(app, "1d/move unrated soft", plies=4)
    due(app, clock, 2)
    keys = []
    for who, words in ((BILL, "F2"), (JOAO, "claim draw")):
        letter = letters(app, who)[-1]
        keys += receive(app, reply_mail(letter, who, words), who, [letter.header("Reply-To")])
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda key: process(app, int(key[1:])), keys))
    work_through(app)
    assert {"done", "refused"} == {state(app, key) for key in keys}
    played = len(load(app).state.plies) == 5
    assert played == (load(app).state.ending is None)


def test_a_soft_game_that_nobody_ends_is_closed_after_thirty_days(app: App, clock: Clock) -> None:
    begin(app, "1d/move unrated soft", plies=4)
    due(app, clock, 1)
    assert 0 == due(app, clock, 29.9)
    assert 1 == due(app, clock, 0.2)
    flat = last_words(app, BILL)
    assert "The game is void, Bill" in flat
    assert "Bill ran out of time, and nothing came of it for 30 days." in flat
    with app.store.read() as db:
        assert ("void", None) == tuple(games.stored_summary(db, 1)[name] for name in ("ended_by", "winner"))


def test_a_claim_found_due_by_the_mail_itself_is_told_with_the_flag(app: App, clock: Clock) -> None:
    begin(app, "1d/move unrated soft", plies=4)
    clock.pass_by(days=3)
    letter = letters(app, JOAO)[-1]
    assert "done" == reply(app, JOAO, letter, "claim void")
    ending = load(app).state.ending
    assert ending is not None
    assert "void" == ending.how
    assert clock.now == ending.at
