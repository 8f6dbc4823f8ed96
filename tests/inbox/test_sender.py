"""Identification of a mail's sender, and the rights of each proof.

The order follows the design. Every mail is handled completely; signatures are made here and checked against a
made-up zone.
"""

from __future__ import annotations

from dataclasses import replace
from email.utils import format_datetime

import pytest

from pbem.app import App
from pbem.mail.addresses import Token
from pbem.mail.person.mailbox import ReceivedLetter, new_mail, reply_mail
from pbem.store import games, inbox, locks, players
from tests.apps import (
    BILL,
    JOAO,
    NO_DEVELOPMENT,
    PLAY,
    Clock,
    a_game,
    flat,
    letters,
    mail,
    moves,
    register,
    reply,
    writes,
)
from tests.mail.zone import Zone, sign_for_domain
from tests.people import NOON

DATE = format_datetime(NOON).encode()
WORK, THIEF, VICTIM = "bill@work.example", "thief@evil.example", "victim@example.com"


@pytest.fixture
def app_config() -> dict[str, str]:
    return {**NO_DEVELOPMENT, "PBEM_AUTHSERV": "mx.localhost"}


@pytest.fixture
def zone() -> Zone:
    zone = Zone()
    for domain in ("example.org", "example.net", "work.example", "evil.example", "example.com"):
        zone.publish(domain)
    return zone


def checking(app: App, zone: Zone) -> App:
    """A server that checks signatures itself."""
    return replace(app, lookup=zone)


def told(word: str, raw: bytes) -> bytes:
    """The mail with the front server's result above its Received line."""
    top = f"Authentication-Results: mx.localhost; dmarc={word}\r\nReceived: from x by mx.localhost; today\r\n"
    return top.encode() + dated(raw)


def dated(raw: bytes) -> bytes:
    """The mail with a Date, by default the clock's first moment."""
    return raw if b"\r\nDate:" in raw else b"Date: " + DATE + b"\r\n" + raw


def sign(raw: bytes, address: str) -> bytes:
    return sign_for_domain(dated(raw), address.rpartition("@")[2])


def kinds(app: App, address: str) -> list[str]:
    """The kinds of all letters to an address, oldest first."""
    return [letter.header("Message-ID").split(".")[-2 - PLAY.count(".")] for letter in letters(app, address)]


def addresses(app: App, name: str = "Bill") -> tuple[str, list[str]]:
    """The address for a player's letters, and all proven addresses."""
    with app.store.read() as db:
        player = players.player_by_name(db, name)
    assert player is not None
    return player.address, sorted(player.addresses)


def named(app: App, name: str) -> bool:
    with app.store.read() as db:
        return players.player_by_name(db, name) is not None


# The reply address is the credential.


def test_a_reply_address_is_lower_case_and_short_and_read_in_any_case(app: App) -> None:
    bills, _ = a_game(app)
    address = bills.header("Reply-To")
    assert address == address.lower()
    assert len(address.partition("@")[0]) < 64
    assert "done" == mail(app, BILL, reply_mail(bills, BILL, "f2"), address.upper())


def test_a_reply_address_is_bound_to_its_game_and_seat(app: App) -> None:
    _, joaos = a_game(app)
    assert "refused" == mail(app, BILL, reply_mail(joaos, BILL, "f2"), joaos.header("Reply-To"))
    assert [] == moves(app)


@pytest.mark.parametrize("use", ["player", "confirm", "unsubscribe", "sign-in", "bounce"])
def test_a_secret_of_one_use_serves_as_no_other(app: App, use: str) -> None:
    a_game(app)
    game = Token("game", (1, 0, 1, 0))
    sealed = app.addressing.sign_token(replace(game, use=use))
    forged = app.addressing.reply(game).replace(app.addressing.sign_token(game)[-19:], sealed[-19:])
    with pytest.raises(ValueError, match="token"):
        app.addressing.read(forged)


def test_a_renewed_address_is_void_and_its_owner_gets_a_new_one(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "address renew")
    assert "done" == writes(app, BILL, "confirm")
    renewed = letters(app, BILL)[-1]
    assert "refused" == reply(app, BILL, bills, "f2")
    assert [] == moves(app)
    assert "done" == writes(app, BILL, "f2")
    assert "done" == reply(app, BILL, renewed, "games")


def test_what_was_asked_before_a_renewal_cannot_be_confirmed_after_it(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, f"address add {WORK}")
    before = letters(app, BILL)[-1]
    reply(app, BILL, bills, "resign")
    resigning = letters(app, BILL)[-1]
    reply(app, BILL, bills, "address renew")
    writes(app, BILL, "confirm")
    assert "refused" == reply(app, BILL, before, "confirm")
    assert "refused" == reply(app, BILL, resigning, "confirm")
    assert "This question is closed." in letters(app, BILL)[-1].text.replace("\n", " ")
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, 1)
    assert game is not None and game.state.ending is None
    assert (BILL, [BILL]) == addresses(app)


def test_what_else_stands_beside_confirm_is_done_too(app: App) -> None:
    bills, _ = a_game(app)
    _with_work(app, bills)
    reply(app, BILL, bills, f"address drop {BILL}")
    assert "done" == writes(app, WORK, "confirm\naddress\ngame 1\nshow")
    assert ["addresses", "addresses", "show"] == kinds(app, WORK)[-3:]


# Token and a registered From: all commands; some need confirmation.


def test_a_new_address_counts_once_both_have_agreed_and_letters_go_there(app: App) -> None:
    bills, joaos = a_game(app)
    assert "done" == reply(app, BILL, bills, f"address add {WORK}")
    assert (BILL, [BILL]) == addresses(app)
    assert [] == letters(app, WORK)
    assert "done" == writes(app, BILL, "confirm")
    assert (BILL, [BILL]) == addresses(app)
    (question,) = letters(app, WORK)
    assert "Bill" not in question.text
    assert "done" == reply(app, WORK, question, "confirm")
    assert (WORK, [BILL, WORK]) == addresses(app)
    assert ["newaddress", "addresses"] == kinds(app, WORK)
    assert WORK in letters(app, BILL)[-1].text
    reply(app, JOAO, joaos, "say hello")
    assert "chat" == kinds(app, WORK)[-1]
    assert "done" == reply(app, BILL, bills, "f2")


def test_letters_go_to_another_proven_address_after_one_question(app: App) -> None:
    bills, _ = a_game(app)
    _with_work(app, bills)
    reply(app, BILL, bills, f"address add {BILL}")
    assert "address" == kinds(app, WORK)[-1]
    assert "done" == writes(app, WORK, "confirm")
    assert (BILL, [BILL, WORK]) == addresses(app)


def _with_work(app: App, bills: ReceivedLetter) -> None:
    reply(app, BILL, bills, f"address add {WORK}")
    writes(app, BILL, "confirm")
    writes(app, WORK, "confirm")


def test_a_dropped_address_does_nothing_more_and_both_mailboxes_hear_of_it(app: App) -> None:
    bills, _ = a_game(app)
    _with_work(app, bills)
    reply(app, BILL, bills, f"address drop {WORK}")
    assert [BILL, WORK] == addresses(app)[1]
    assert "done" == writes(app, WORK, "confirm")
    assert (BILL, [BILL]) == addresses(app)
    assert "addresses" == kinds(app, BILL)[-1] == kinds(app, WORK)[-1]
    assert BILL not in letters(app, WORK)[-1].text
    assert "refused" == reply(app, WORK, bills, "f2")


def test_the_last_address_cannot_be_dropped(app: App) -> None:
    bills, _ = a_game(app)
    assert "refused" == reply(app, BILL, bills, f"address drop {BILL}")
    assert "only address" in letters(app, BILL)[-1].text
    assert (BILL, [BILL]) == addresses(app)


def test_two_drops_confirmed_one_after_the_other_leave_one_address(app: App) -> None:
    bills, _ = a_game(app)
    _with_work(app, bills)
    for address in (BILL, WORK):
        reply(app, BILL, bills, f"address drop {address}")
    questions = letters(app, WORK)[-2:]
    assert ["done", "refused"] == [reply(app, WORK, question, "confirm") for question in questions]
    assert (WORK, [WORK]) == addresses(app)


@pytest.mark.parametrize("change", ["add", "drop"])
def test_whether_an_address_is_somebody_elses_cannot_be_found_out(app: App, change: str) -> None:
    bills, _ = a_game(app)
    heard = []
    for address in (JOAO, VICTIM):
        before = len(letters(app, BILL))
        reply(app, BILL, bills, f"address {change} {address}")
        if change == "add":
            writes(app, BILL, "confirm")
        heard.append([flat(letter.text.replace(address, "X")) for letter in letters(app, BILL)[before:]])
    assert heard[0] == heard[1]
    assert "newaddress" not in kinds(app, JOAO)


def test_an_address_that_registers_meanwhile_is_not_taken_away(app: App) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, f"address add {VICTIM}")
    writes(app, BILL, "confirm")
    question = letters(app, VICTIM)[-1]
    register(app, VICTIM, "Victoria")
    assert "refused" == reply(app, VICTIM, question, "confirm")
    assert (VICTIM, [VICTIM]) == addresses(app, "Victoria")
    assert (BILL, [BILL]) == addresses(app)


def test_the_new_address_must_answer_itself_and_in_time(app: App, clock: Clock) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, f"address add {WORK}")
    writes(app, BILL, "confirm")
    question = letters(app, WORK)[-1]
    assert "refused" == reply(app, THIEF, question, "confirm")
    assert "refused" == reply(app, WORK, question, "what is this?")
    clock.pass_by(days=7, seconds=1)
    assert "refused" == reply(app, WORK, question, "confirm")
    assert (BILL, [BILL]) == addresses(app)


def test_a_new_address_is_written_to_once_a_day_whoever_asks(app: App, clock: Clock) -> None:
    bills, joaos = a_game(app)
    for who, letter in ((BILL, bills), (BILL, bills), (JOAO, joaos)):
        reply(app, who, letter, f"address add {VICTIM}")
        writes(app, who, "confirm")
    assert ["newaddress"] == kinds(app, VICTIM)
    clock.pass_by(days=1, seconds=1)
    reply(app, BILL, bills, f"address add {VICTIM}")
    writes(app, BILL, "confirm")
    assert ["newaddress"] * 2 == kinds(app, VICTIM)


@pytest.mark.parametrize(
    "address", [PLAY, "play+x@localhost", "no@@b", "a@b@c", '"a"@b.org', "ü@b.org", "a@-b"]
)
def test_an_address_that_cannot_be_written_to_is_refused(app: App, address: str) -> None:
    bills, _ = a_game(app)
    assert "refused" == reply(app, BILL, bills, f"address add {address}")
    assert "address" not in kinds(app, BILL)


def test_addresses_are_listed(app: App) -> None:
    bills, _ = a_game(app)
    _with_work(app, bills)
    assert "done" == reply(app, BILL, bills, "address")
    shown = letters(app, WORK)[-1].text
    assert BILL in shown and WORK in shown


# Token with another From or failed DMARC: nothing done, the owner told once.


def test_a_token_with_another_from_does_nothing_and_the_owner_is_told_once(app: App) -> None:
    bills, _ = a_game(app)
    for _ in range(3):
        assert "refused" == reply(app, THIEF, bills, "f2")
    assert [] == moves(app)
    assert 1 == kinds(app, BILL).count("mismatch")
    assert [] == letters(app, THIEF)


def test_a_token_with_a_forged_from_does_nothing_and_the_owner_is_told_once(app: App, zone: Zone) -> None:
    bills, _ = a_game(app)
    raw = reply_mail(bills, BILL, "f2")
    address = bills.header("Reply-To")
    assert "refused" == mail(app, THIEF, told("fail", raw), address)
    again = reply_mail(bills, BILL, "f2 f4")
    assert "refused" == mail(checking(app, zone), THIEF, again, address)
    assert [] == moves(app)
    assert 1 == kinds(app, BILL).count("mismatch")


# No token; registered From, DMARC or DKIM pass: the game named.


@pytest.mark.parametrize("way", ["in front", "here"])
def test_a_proven_from_plays_in_the_one_game_that_waits(app: App, zone: Zone, way: str) -> None:
    a_game(app)
    raw = new_mail(BILL, PLAY, "f2")
    if way == "in front":
        assert "done" == mail(app, BILL, told("pass", raw))
    else:
        assert "done" == mail(checking(app, zone), BILL, sign(raw, BILL))
    assert ["f2"] == moves(app)


@pytest.mark.parametrize("way", ["thread", "subject", "line"])
def test_a_proven_from_names_its_game_by_thread_subject_or_line(app: App, zone: Zone, way: str) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "challenge Joao bipod first size=4")
    writes(app, JOAO, "accept")
    second = letters(app, BILL)[-1]
    raw = new_mail(BILL, PLAY, "game 2\nf2" if way == "line" else "f2")
    if way == "thread":
        raw = f"In-Reply-To: {second.header('Message-ID')}\r\n".encode() + raw
    if way == "subject":
        raw = raw.replace(b"Subject: Games", b"Subject: Re: Bipod #2")
    assert "done" == mail(checking(app, zone), BILL, sign(raw, BILL))
    assert ([], ["f2"]) == (moves(app), moves(app, 2))


def test_a_proven_from_may_use_any_of_the_players_addresses(app: App, zone: Zone) -> None:
    bills, _ = a_game(app)
    _with_work(app, bills)
    assert "done" == mail(checking(app, zone), WORK, sign(new_mail(WORK, PLAY, "f2"), WORK))


def test_a_signed_yes_in_the_thread_of_an_offer_is_no_answer_without_its_address(
    app: App, zone: Zone
) -> None:
    a_game(app)
    writes(app, JOAO, "draw")
    offer = letters(app, BILL)[-1]
    raw = sign(reply_mail(offer, BILL, "yes"), BILL)
    assert "refused" == mail(checking(app, zone), BILL, raw, PLAY)
    assert '"accept"' in letters(app, BILL)[-1].text
    assert "done" == reply(app, BILL, offer, "yes")


def test_a_signed_mail_to_somebody_else_that_is_passed_on_here_is_asked_about(app: App, zone: Zone) -> None:
    a_game(app)
    raw = sign(new_mail(BILL, JOAO, "resign"), BILL)
    assert "stranger" == mail(checking(app, zone), JOAO, raw)
    assert "proof" == kinds(app, BILL)[-1]


def test_a_pass_that_the_writer_put_there_is_none(app: App) -> None:
    a_game(app)
    forged = b"Received: from x by mx.localhost; today\r\n" + told("pass", new_mail(BILL, PLAY, "f2"))
    assert "stranger" == mail(app, THIEF, forged)
    assert [] == moves(app)


@pytest.mark.parametrize(
    "words", ["No! That was not me.\n\nconfirm", "show\nconfirm", "It was not me, do not\nconfirm"]
)
def test_confirm_below_other_words_confirms_nothing(app: App, words: str) -> None:
    a_game(app)
    assert "stranger" == mail(app, BILL, new_mail(BILL, PLAY, "game 1\nresign yes"))
    question = letters(app, BILL)[-1]
    assert "it says: game 1: resign yes" in question.text
    reply(app, BILL, question, words)
    assert [] == moves(app)
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, 1)
    assert game is not None and game.state.ending is None
    assert "done" == reply(app, BILL, question, "Hello!\nconfirm")


def test_what_was_asked_about_is_not_carried_out_where_it_would_be_read_otherwise_now(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    mail(app, BILL, new_mail(BILL, PLAY, "game 1\nf2\nhelp"))
    question = letters(app, BILL)[-1]
    reply(app, BILL, welcome, "challenge Joao bipod first none")
    writes(app, JOAO, "accept")
    assert "refused" == reply(app, BILL, question, "confirm")
    assert "differently now" in letters(app, BILL)[-1].text.replace("\n", " ")
    assert [] == moves(app)


# No token, no proof: a question to the registered address, never to From.


def test_no_token_and_no_proof_asks_at_the_registered_address(app: App) -> None:
    bills, _ = a_game(app)
    _with_work(app, bills)
    before = letters(app, BILL)
    mail(app, BILL, new_mail(BILL, PLAY, "game 1\nf2"))
    assert before == letters(app, BILL)
    assert "proof" == kinds(app, WORK)[-1]
    assert "done" == writes(app, WORK, "confirm")
    assert ["f2"] == moves(app)


def test_a_forged_from_gets_nothing_where_signatures_are_checked(app: App, zone: Zone) -> None:
    a_game(app)
    before = len(letters(app, BILL)), len(letters(app, JOAO))
    for n in range(4):
        assert "stranger" == mail(checking(app, zone), THIEF, new_mail(BILL, PLAY, f"game 1\nf{n + 1}"))
        assert "stranger" == mail(checking(app, zone), THIEF, sign(new_mail(BILL, PLAY, "resign"), THIEF))
    assert before == (len(letters(app, BILL)), len(letters(app, JOAO)))


def test_silent_name_servers_prove_nothing_and_take_nothing_from_a_token(app: App, zone: Zone) -> None:
    bills, _ = a_game(app)
    zone.silent |= {"_dmarc.example.org", "sel._domainkey.example.org"}
    assert "stranger" == mail(checking(app, zone), BILL, sign(new_mail(BILL, PLAY, "f2"), BILL))
    assert [] == moves(app)
    assert "done" == mail(checking(app, zone), BILL, reply_mail(bills, BILL, "f2"), bills.header("Reply-To"))


def test_the_name_servers_are_not_asked_inside_a_transaction(app: App, zone: Zone) -> None:
    a_game(app)
    open_now: list[str] = []

    def slow(name: str) -> list[str]:
        with app.store.write() as db:  # deadlocks if a writer waits for this answer
            locks.advisory_lock(db, "name servers")
        open_now.append(name)
        return zone(name)

    assert "done" == mail(replace(app, lookup=slow), BILL, sign(new_mail(BILL, PLAY, "f2"), BILL))
    assert open_now


def test_robots_cost_no_question_to_the_name_servers(app: App, zone: Zone) -> None:
    raw = b"Auto-Submitted: auto-replied\r\n" + new_mail(BILL, PLAY, "f2")
    assert "robot" == mail(checking(app, zone), BILL, raw)
    assert [] == zone.asked


# Strangers.


def test_register_gets_one_letter_with_nothing_of_theirs_in_it_but_the_name(app: App) -> None:
    raw = new_mail(VICTIM, PLAY, "register Cheap-Pills").replace(b"Subject: Games", b"Subject: Buy pills")
    for n in range(3):
        mail(app, THIEF, raw.replace(b"Message-ID: <", b"Message-ID: <%d" % n))
    (letter,) = letters(app, VICTIM)
    assert b"buy" not in letter.raw.lower() and b"Cheap-Pills" in letter.raw


def test_register_gets_no_letter_where_authentication_failed(app: App, zone: Zone) -> None:
    assert "stranger" == mail(app, THIEF, told("fail", new_mail(VICTIM, PLAY, "register Vic")))
    assert "stranger" == mail(checking(app, zone), THIEF, new_mail(VICTIM, PLAY, "register Vic"))
    assert [] == letters(app, VICTIM)


def test_anything_else_of_a_strangers_is_answered_once_a_day(app: App, zone: Zone, clock: Clock) -> None:
    for _ in range(2):
        mail(checking(app, zone), VICTIM, sign(new_mail(VICTIM, PLAY, "hello, how do I play?"), VICTIM))
    assert ["confirm"] == kinds(app, VICTIM)
    clock.pass_by(days=1, seconds=1)
    mail(checking(app, zone), VICTIM, sign(new_mail(VICTIM, PLAY, "anybody there?"), VICTIM))
    assert ["confirm"] * 2 == kinds(app, VICTIM)


@pytest.mark.parametrize(
    ("words", "name"), [("register Viktor", "Viktor"), ("g4", "Victim"), ("yes", "Victim")]
)
def test_a_proven_strangers_next_mail_answers_the_question(
    app: App, zone: Zone, words: str, name: str
) -> None:
    for said in ("hello!", "anybody there?", words):
        mail(checking(app, zone), VICTIM, sign(new_mail(VICTIM, PLAY, said), VICTIM))
    assert ["confirm", "welcome"] == kinds(app, VICTIM)[:2]
    assert named(app, name)
    assert (["g4"] if words == "g4" else []) == moves(app)


def test_an_unproven_strangers_next_mail_answers_nothing(app: App) -> None:
    for said in ("hello!", "g4", "yes"):
        mail(app, THIEF, new_mail(VICTIM, PLAY, said))
    assert ["confirm"] == kinds(app, VICTIM)
    assert not named(app, "Victim")


@pytest.mark.parametrize("local", ['"victim@example.com, "', '"x <victim@example.com>"', '"(c)"'])
def test_a_proven_from_that_hides_another_address_brings_nobody_a_letter(app: App, local: str) -> None:
    raw = new_mail(THIEF, PLAY, "register Vic").replace(THIEF.encode(), f"{local}@evil.example".encode(), 1)
    assert "refused" == mail(app, THIEF, told("pass", raw))
    with app.store.read() as db:
        assert {"mail in": {"refused": 1}, "letters out": {}} == inbox.count_by_state(db)


def test_the_answer_to_a_strangers_mail_leads_to_a_name(app: App, zone: Zone) -> None:
    mail(checking(app, zone), VICTIM, sign(new_mail(VICTIM, PLAY, "hello?"), VICTIM))
    writes(app, VICTIM, "register Vic")
    assert named(app, "Vic")


def test_many_forged_mails_cause_one_letter_an_address_and_none_where_checked(app: App, zone: Zone) -> None:
    bills, _ = a_game(app)
    address = bills.header("Reply-To")
    before = len(letters(app, BILL))
    checked = checking(app, zone)
    for n in range(20):
        for raw, to in (
            (new_mail(BILL, PLAY, f"game 1\nf{n}"), PLAY),
            (new_mail(VICTIM, PLAY, f"register Vic{n}"), PLAY),
            (new_mail(VICTIM, PLAY, f"hello {n}"), PLAY),
            (reply_mail(bills, THIEF, f"f{n}"), address),
        ):
            mail(checked, THIEF, raw, to)
    assert [] == letters(app, VICTIM) == letters(app, THIEF)
    assert 1 == len(letters(app, BILL)) - before  # a stolen reply address
    for n in range(20):
        mail(app, THIEF, new_mail(VICTIM, PLAY, f"register Vic{n}"))
        mail(app, THIEF, new_mail(BILL, PLAY, f"game 1\nf{n}"))
    assert (1, 2) == (len(letters(app, VICTIM)), len(letters(app, BILL)) - before)


def test_an_address_that_proved_nothing_gets_ten_letters_a_day_at_most(app: App) -> None:
    mail(app, VICTIM, new_mail(VICTIM, PLAY, "register Vic"))
    question = letters(app, VICTIM)[0]
    for n in range(15):
        reply(app, VICTIM, question, f"who are you? {n}")
    assert 10 == len(letters(app, VICTIM))


def test_every_mail_of_a_player_with_a_token_is_answered_until_the_hour_is_full(
    app: App, clock: Clock
) -> None:
    bills, _ = a_game(app)
    clock.pass_by(hours=1, seconds=1)
    small = replace(app, config=replace(app.config, letters_per_hour=8))
    heard = []
    for n in range(10):
        before = len(letters(app, BILL))
        reply(small, BILL, bills, f"address drop a{n}@b.org")
        heard.append(len(letters(app, BILL)) - before)
    assert [1] * 8 + [0] * 2 == heard


# One game's token, and commands for another game.


def two_games(app: App) -> tuple[ReceivedLetter, ReceivedLetter]:
    """Bill's letters about the beginnings of games 1 and 2."""
    bills, _ = a_game(app)
    reply(app, BILL, bills, "challenge Joao bipod first none")
    writes(app, JOAO, "accept")
    return bills, letters(app, BILL)[-1]


def test_a_secret_of_one_game_plays_in_no_other_until_its_owner_says_so(app: App) -> None:
    first, _ = two_games(app)
    assert "done" == reply(app, BILL, first, "f2\n\ngame 2\nf4\n\nGood luck!")
    assert (["f2"], []) == (moves(app), moves(app, 2))
    question = letters(app, BILL)[-1]
    assert "proof" == kinds(app, BILL)[-1]
    assert ("it says: game 2: f4" in question.text, "it says: game 2: Good luck!" in question.text) == (
        True,
        True,
    )
    assert "Good luck!" not in letters(app, JOAO)[-1].text
    assert "done" == reply(app, BILL, question, "confirm")
    assert ["f4"] == moves(app, 2)
    assert "Good luck!" in letters(app, JOAO)[-1].text
    assert "refused" == reply(app, BILL, question, "confirm")


def test_the_same_words_in_answer_to_the_question_are_carried_out(app: App) -> None:
    first, _ = two_games(app)
    assert "refused" == reply(app, BILL, first, "game 2\nf2")
    assert "done" == writes(app, BILL, "game 2\nf2")
    assert ([], ["f2"]) == (moves(app), moves(app, 2))


def test_who_only_looks_at_another_game_is_asked_nothing(app: App) -> None:
    first, _ = two_games(app)
    assert "done" == reply(app, BILL, first, "game 2\nshow")
    assert "show" == kinds(app, BILL)[-1]


def test_more_than_can_be_shown_is_to_be_written_again(app: App) -> None:
    first, _ = two_games(app)
    words = "\n".join(["f2", "", *(f"Line {n}" for n in range(12))])
    assert "refused" == reply(app, BILL, first, f"game 2\n{words}")
    assert "too many to show here" in flat(letters(app, BILL)[-1].text)
    assert [] == moves(app, 2)


def test_an_authenticated_sender_plays_in_all_games_from_one_letter(app: App, zone: Zone) -> None:
    first, _ = two_games(app)
    raw = sign(reply_mail(first, BILL, "f2\n\ngame 2\nf4"), BILL)
    assert "done" == mail(checking(app, zone), BILL, raw, first.header("Reply-To"))
    assert (["f2"], ["f4"]) == (moves(app), moves(app, 2))


def test_a_signed_mail_sent_on_to_another_reply_address_is_done_once(app: App, zone: Zone) -> None:
    first, second = two_games(app)
    raw = sign(reply_mail(first, BILL, "draw"), BILL)
    assert "done" == mail(checking(app, zone), BILL, raw, first.header("Reply-To"))
    assert "duplicate" == mail(checking(app, zone), BILL, raw, second.header("Reply-To"))
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, 2)
    assert game is not None and not game.state.offers


def test_beside_an_answer_about_one_game_nothing_is_done_in_another(app: App) -> None:
    first, _ = two_games(app)
    reply(app, BILL, first, "resign")
    assert "done" == writes(app, BILL, "confirm\n\ngame 2\ndraw")
    assert [] == moves(app, 2)
    assert "proof" == kinds(app, BILL)[-1]


def test_what_was_asked_about_one_game_plays_in_no_other_either(app: App) -> None:
    first, _ = two_games(app)
    reply(app, BILL, first, "resign")
    writes(app, BILL, "game 2\nf2")
    assert [] == moves(app, 2)
