"""Handling of mail step by step: limits, failures, retries, final states."""

from __future__ import annotations

import logging
import re
from dataclasses import replace

import pytest

from pbem.app import App
from pbem.inbox.process import process, work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import new_mail, reply_mail
from pbem.outbox.send import send_due
from pbem.store import games, inbox, players
from tests.apps import (
    BILL,
    JOAO,
    OPERATOR,
    PLAY,
    Broken,
    Clock,
    Relay,
    a_game,
    letters,
    load,
    mail,
    moves,
    register,
    reply,
    state,
    writes,
)


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


# Final states of mails.


def test_every_kind_of_mail_ends_in_a_state_one_can_count(app: App) -> None:
    bills, _ = a_game(app)
    raw = reply_mail(bills, BILL, "f2")
    address = bills.header("Reply-To")
    assert "done" == mail(app, BILL, raw, address)
    assert "duplicate" == mail(app, BILL, raw, address)
    assert "refused" == writes(app, BILL, "f7")
    robot = b"Auto-Submitted: auto-replied\r\n" + reply_mail(bills, BILL, "f4")
    assert "robot" == mail(app, BILL, robot, address)
    assert "bounce" == mail(app, "", reply_mail(bills, BILL, "f4"), address)
    assert "loop" == mail(app, BILL, bills.raw, address)
    assert "stranger" == mail(app, "x@example.com", new_mail("x@example.com", PLAY, "hello"))
    with app.store.read() as db:
        assert inbox.STATES[0] not in inbox.count_by_state(db)["mail in"]


@pytest.mark.parametrize("sender", ["", BILL])
def test_robots_and_bounces_are_never_answered(app: App, sender: str) -> None:
    bills, _ = a_game(app)
    before = len(letters(app, BILL)), len(letters(app, JOAO))
    address = bills.header("Reply-To")
    words = new_mail(BILL, address, "I am at the sea until Monday.")
    away = words.replace(b"Subject: Games", b"Subject: Automatic reply: Bipod #1")
    robots = [
        (b"Auto-Submitted: auto-notified\r\n" + reply_mail(bills, BILL, "resign yes"), address),
        (b"Precedence: bulk\r\n" + reply_mail(bills, BILL, "resign yes"), address),
        (b"X-Autoreply: yes\r\n" + reply_mail(bills, BILL, "resign yes"), address),
        (b"List-Id: <x.example.org>\r\n" + new_mail(BILL, PLAY, "show"), PLAY),
        (away, address),
    ]
    assert away != words
    for raw, to in robots:
        assert ("robot" if sender else "bounce") == mail(app, sender, raw, to)
    assert before == (len(letters(app, BILL)), len(letters(app, JOAO)))


def test_one_mail_to_two_addresses_is_handled_for_each(app: App) -> None:
    bills, joaos = a_game(app)
    raw = reply_mail(bills, BILL, "show")
    keys = receive(app, raw, BILL, [bills.header("Reply-To"), joaos.header("Reply-To")])
    work_through(app)
    assert ["done", "refused"] == [state(app, key) for key in keys]


# Failures.


def failing(app: App, times: int) -> App:
    return replace(app, step=Broken(times))


def test_a_fault_of_ours_is_tried_again_and_changes_nothing_meanwhile(app: App, clock: Clock) -> None:
    bills, _ = a_game(app)
    broken = failing(app, 2)
    key = receive(broken, reply_mail(bills, BILL, "f2"), BILL, [bills.header("Reply-To")])[0]
    work_through(broken)
    assert "new" == state(app, key)
    clock.pass_by(minutes=1)
    work_through(broken)
    assert "new" == state(app, key)
    clock.pass_by(minutes=1)
    work_through(broken)
    assert "done" == state(app, key)
    game = load(app)
    assert ["f2"] == [ply.move for ply in game.state.plies]


def test_after_three_failures_a_mail_is_put_aside_and_the_operator_told_once(app: App, clock: Clock) -> None:
    bills, _ = a_game(app)
    broken = failing(app, 99)
    key = receive(broken, reply_mail(bills, BILL, "f2"), BILL, [bills.header("Reply-To")])[0]
    for left in (98, 97, 96, 96, 96):
        work_through(broken)
        clock.pass_by(minutes=1)
        assert left == broken.step.times  # type: ignore[attr-defined]
    assert "shunted" == state(app, key)
    with app.store.read() as db:
        kept = inbox.mail_by_id(db, int(key[1:]))
    assert kept is not None
    assert "ZeroDivisionError: a fault of ours" in kept.detail
    (told,) = letters(app, "op@example.org")
    assert key in told.text


def test_a_shunted_mail_can_be_run_again(app: App, clock: Clock) -> None:
    bills, _ = a_game(app)
    broken = failing(app, 3)
    key = receive(broken, reply_mail(bills, BILL, "f2"), BILL, [bills.header("Reply-To")])[0]
    for _ in range(3):
        work_through(broken)
        clock.pass_by(minutes=1)
    with app.store.write() as db:
        inbox.reopen_mails(db, [int(key[1:])])
    assert "done" == process(app, int(key[1:]))


def test_a_mail_that_was_done_can_be_run_again_and_changes_nothing(app: App, clock: Clock) -> None:
    bills, _ = a_game(app)
    key = receive(app, reply_mail(bills, BILL, "f2"), BILL, [bills.header("Reply-To")])[0]
    work_through(app)
    with app.store.write() as db:
        inbox.reopen_mails(db, [int(key[1:])])
    assert "done" == process(app, int(key[1:]))
    game = load(app)
    assert 1 == len(game.state.plies)


def test_a_lobby_mail_can_be_run_again_too(app: App, clock: Clock) -> None:
    welcome = register(app, BILL, "Bill")
    key = receive(
        app, reply_mail(welcome, BILL, "help\nrules bipod\ngames"), BILL, [welcome.header("Reply-To")]
    )[0]
    work_through(app)
    with app.store.write() as db:
        inbox.reopen_mails(db, [int(key[1:])])
    assert "done" == process(app, int(key[1:]))


# Lobby.


def test_challenge_decline_and_the_same_challenge_twice(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    reply(app, BILL, welcome, "challenge joao bipod size=4 stones=1 unrated second 3d/move")
    offered = letters(app, BILL)[-1]
    assert "3d/move" in offered.text
    assert "refused" == reply(app, BILL, welcome, "challenge Joao bipod size=4 stones=1")
    challenge = letters(app, JOAO)[-1]
    assert "size=4" in challenge.text
    assert "done" == reply(app, JOAO, challenge, "decline\n\nNo time, sorry.")
    assert "No time, sorry." in letters(app, BILL)[-1].text
    assert "refused" == reply(app, JOAO, challenge, "accept")


def test_a_challenge_accepted_twice_begins_one_game(app: App) -> None:
    a_game(app)
    challenge = letters(app, JOAO)[-2]
    assert "refused" == reply(app, JOAO, challenge, "accept")
    assert "it is game 1" in letters(app, JOAO)[-1].text.replace("\n", " ")


@pytest.mark.parametrize("words", ["help", "rules bipod", "rules", "games", "help move"])
def test_what_a_player_asks_for_is_answered(app: App, words: str) -> None:
    welcome = register(app, BILL, "Bill")
    assert "done" == reply(app, BILL, welcome, words)


def test_one_mail_may_hold_a_block_for_each_game(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "challenge Joao bipod first size=4")
    writes(app, JOAO, "accept")
    writes(app, BILL, "games")
    assert "done" == writes(app, BILL, "game 2\nf2\n\ngame 1\nf2 f4 g3\n\nGood luck in both!")
    with app.store.read() as db:
        loaded = [games.load_game(db, app.games_by_key, id) for id in (1, 2)]
    assert [["f2 f4 g3"], ["f2"]] == [[ply.move for ply in game.state.plies] for game in loaded if game]


def test_an_onlooker_may_see_any_game_and_do_nothing_in_it(app: App) -> None:
    a_game(app)
    welcome = register(app, "carla@example.org", "Carla")
    assert "done" == reply(app, "carla@example.org", welcome, "game 1\nshow")
    assert "refused" == reply(app, "carla@example.org", welcome, "game 1\nf2")


def test_no_token_stands_in_any_log_line(app: App, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    bills, _ = a_game(app)
    reply(app, BILL, bills, "f2")
    send_due(app)
    token = bills.header("Reply-To").partition("+")[2].partition("@")[0]
    assert caplog.records
    assert token not in caplog.text


def test_a_mail_to_the_unsubscribe_address_stops_that_category_alone_and_never_resigns(
    app: App,
) -> None:
    bills, joaos = a_game(app)
    reply(app, JOAO, joaos, "say hello")
    chat = letters(app, BILL)[-1]
    address = chat.header("List-Unsubscribe").partition("<mailto:")[2].partition(">")[0].partition("?")[0]
    assert "refused" == mail(app, JOAO, new_mail(JOAO, address, "stop"), address)
    assert "done" == mail(app, BILL, new_mail(BILL, address, "stop"), address)
    before = len(letters(app, BILL))
    reply(app, JOAO, joaos, "say are you there?")
    assert before == len(letters(app, BILL))
    reply(app, BILL, bills, "f2")
    writes(app, JOAO, "g3")
    assert letters(app, BILL)[-1].header("Message-ID").startswith("<g1.e5.s0.turn.1@")


def test_a_letter_of_no_game_means_the_only_one_that_runs(app: App) -> None:
    a_game(app)
    welcome = next(letter for letter in letters(app, BILL) if "Welcome" in letter.header("Subject"))
    assert "done" == reply(app, BILL, welcome, "show")
    assert "done" == reply(app, BILL, welcome, "f2")
    assert ["f2"] == moves(app)


def test_blocks_of_one_game_stand_or_fall_together_wherever_they_are(app: App) -> None:
    bills, _ = a_game(app)
    assert "refused" == reply(app, BILL, bills, "f2\ngame 1\nf77")
    assert "refused" == reply(app, BILL, bills, "game 1\nf2\ngame 1\nshow #99")
    assert [] == moves(app)


@pytest.mark.each_database
@pytest.mark.parametrize(
    "header",
    [
        b"References: <a\0b@c>\r\n",
        b"Auto-Submitted: auto-\0x\r\n",
        b"Subject: \0\r\n",
        b"X-Mailer: " + b"a" * 600 + b"\r\n",
    ],
)
def test_bytes_that_a_database_does_not_take_put_no_mail_aside(app: App, header: bytes) -> None:
    bills, _ = a_game(app)
    raw = header + reply_mail(bills, BILL, "f2 \0\n\nWords \0 too.").replace(b"References", b"X-References")
    (key,) = receive(app, raw, BILL, [bills.header("Reply-To")])
    work_through(app)
    assert state(app, key) in ("done", "robot", "refused")


def test_an_address_that_is_too_long_is_refused_and_puts_no_mail_aside(app: App) -> None:
    who = "a" * 60 + "@" + ".".join(["b" * 60] * 4) + ".org"
    assert "refused" == mail(app, "x@example.com", new_mail(who, PLAY, "register Zed"))


# Former faults.


@pytest.mark.each_database
def test_the_same_challenge_twice_at_once_is_sent_once(app: App) -> None:
    from concurrent.futures import ThreadPoolExecutor

    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    address = welcome.header("Reply-To")
    raws = [reply_mail(welcome, BILL, "challenge Joao bipod") for _ in range(4)]
    keys = [receive(app, raw, BILL, [address])[0] for raw in raws]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda key: process(app, int(key[1:])), keys))
    work_through(app)
    assert 1 == sum("Challenge" in letter.header("Subject") for letter in letters(app, JOAO))


def test_nothing_of_a_strangers_but_the_name_goes_back_not_even_the_message_id(app: App) -> None:
    raw = new_mail("v@example.com", PLAY, "register Ana\n\nCheap pills!").replace(
        b"Message-ID: <", b"Message-ID: <BUY-PILLS"
    )
    mail(app, "v@example.com", raw)
    (letter,) = letters(app, "v@example.com")
    assert b"pills" not in letter.raw.lower()


@pytest.mark.parametrize("words", ["games\nsay hello Joao", "help\nsay hello Joao", "say hello Joao"])
def test_words_meant_to_be_said_arrive_whatever_stands_beside_them(app: App, words: str) -> None:
    bills, _ = a_game(app)
    assert "done" == reply(app, BILL, bills, words)
    assert "hello Joao" in letters(app, JOAO)[-1].text


def test_a_block_for_a_game_that_is_not_there_is_answered(app: App) -> None:
    bills, _ = a_game(app)
    assert "done" == reply(app, BILL, bills, "f2\ngame 99\nf4")
    assert ["f2"] == moves(app)
    assert any("game 99" in letter.text for letter in letters(app, BILL))


def test_words_without_a_game_hear_where_they_may_belong(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "challenge Joao bipod first size=4")
    writes(app, JOAO, "accept")
    welcome = next(letter for letter in letters(app, BILL) if "Welcome" in letter.header("Subject"))
    assert "refused" == reply(app, BILL, welcome, "say hello")
    assert "it is your turn in games 1 and 2" in letters(app, BILL)[-1].text.replace("\n", " ")


def test_a_move_beside_an_acceptance_is_not_lost_silently(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    reply(app, BILL, welcome, "challenge Joao bipod second")
    writes(app, JOAO, "accept\n\nf2")
    assert "looks like a move" in letters(app, JOAO)[-1].text.replace("\n", " ")


def test_a_mail_counts_as_done_where_any_of_it_was(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    reply(app, BILL, welcome, "challenge Joao bipod")
    assert "done" == writes(app, JOAO, "accept\ndecline")


def test_a_clock_that_goes_back_holds_nothing_up(app: App, clock: Clock) -> None:
    (key,) = receive(app, new_mail(BILL, PLAY, "register Bill"), BILL, [PLAY])
    clock.pass_by(hours=-2)
    work_through(app)
    assert "done" == state(app, key)
    sender = Relay()
    assert 1 == send_due(replace(app, sender=sender))


def test_stopping_letters_by_mail_is_answered_with_the_way_back(app: App) -> None:
    bills, joaos = a_game(app)
    reply(app, JOAO, joaos, "say hello")
    chat = letters(app, BILL)[-1]
    address = chat.header("List-Unsubscribe").partition("<mailto:")[2].partition(">")[0].partition("?")[0]
    mail(app, BILL, new_mail(BILL, address, "stop"), address)
    assert "/unsubscribe/" in letters(app, BILL)[-1].text
    assert () == tuple(moves(app))
    assert bills.header("Reply-To")


def test_the_result_comes_whatever_was_stopped(app: App) -> None:
    bills, joaos = a_game(app)
    with app.store.write() as db:
        bill = players.player_by_name(db, "Bill")
        assert bill is not None
        players.set_category_stopped(db, bill, "turns")
    reply(app, JOAO, joaos, "resign yes")
    assert "Joao resigned" in letters(app, BILL)[-1].text
    assert bills.text


def test_a_draw_is_offered_and_agreed_to_by_mail(app: App) -> None:
    bills, joaos = a_game(app)
    reply(app, BILL, bills, "draw\n\nShall we call it even?")
    offer = letters(app, JOAO)[-1]
    assert "Shall we call it even?" in offer.text
    assert "done" == reply(app, JOAO, offer, "accept")
    assert "The game is drawn" in letters(app, BILL)[-1].text
    assert "refused" == reply(app, JOAO, joaos, "accept draw")


def test_a_bare_accept_in_a_game_without_an_offer_answers_no_challenge(app: App) -> None:
    bills, joaos = a_game(app)
    reply(app, BILL, bills, "challenge Joao bipod first size=4")
    assert "refused" == reply(app, JOAO, joaos, "accept")
    with app.store.read() as db:
        assert games.load_game(db, app.games_by_key, 2) is None
    (named,) = set(re.findall(r"accept \d+", letters(app, JOAO)[-1].text))
    assert "done" == reply(app, JOAO, joaos, named)
    with app.store.read() as db:
        assert games.load_game(db, app.games_by_key, 2) is not None
