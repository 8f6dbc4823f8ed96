"""Limits: lifetimes of addresses, and numbers of letters, challenges and games."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime

import pytest

from pbem.app import App
from pbem.core.game.journal import Entry
from pbem.inbox.process import process, work_through
from pbem.inbox.receive import receive, receive_all
from pbem.mail.person.mailbox import new_mail, reply_mail
from pbem.mail.transport.smtp_server import ReceivedMail
from pbem.store import games, inbox, players
from pbem.store.inbox import Code
from tests.apps import (
    BILL,
    JOAO,
    OPERATOR,
    PLAY,
    Clock,
    a_game,
    ending,
    letters,
    mail,
    moves,
    register,
    reply,
    writes,
)
from tests.people import NOON


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


def test_a_reply_address_is_good_for_30_days_after_its_turn_and_its_owner_is_told(
    app: App, clock: Clock
) -> None:
    bills, _ = a_game(app)
    reply(app, BILL, bills, "f2")
    clock.pass_by(days=30, seconds=-1)
    assert "done" == reply(app, BILL, bills, "say still here")
    clock.pass_by(days=1)
    assert "refused" == reply(app, BILL, bills, "say too late")
    told = letters(app, BILL)[-1]
    assert told.header("Message-ID").startswith("<g1.e3.s0.expired.1@")
    assert "done" == reply(app, BILL, told, "say a fresh address works")


def test_an_address_of_a_turn_that_lasts_does_not_expire(app: App, clock: Clock) -> None:
    bills, _ = a_game(app)
    clock.pass_by(days=400)
    assert "done" == reply(app, BILL, bills, "f2")


def test_an_address_of_the_lobby_is_good_for_90_days(app: App, clock: Clock) -> None:
    welcome = register(app, BILL, "Bill")
    clock.pass_by(days=90)
    assert "done" == reply(app, BILL, welcome, "games")
    clock.pass_by(days=1)
    assert "refused" == reply(app, BILL, welcome, "help")


def test_a_revoked_address_is_void(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    with app.store.write() as db:
        bill = players.player_by_name(db, "Bill")
        assert bill is not None
        players.revoke_addresses(db, bill)
    assert "refused" == reply(app, BILL, welcome, "games")


def test_sixty_strangers_an_hour_are_asked_to_confirm_and_no_more(app: App, clock: Clock) -> None:
    app = replace(app, config=replace(app.config, confirmations_per_hour=5))
    for n in range(8):
        who = f"n@example{n}.com"
        mail(app, who, new_mail(who, PLAY, f"register Name{n}"))
    assert [1] * 5 + [0] * 3 == [len(letters(app, f"n@example{n}.com")) for n in range(8)]
    clock.pass_by(hours=1, seconds=1)
    assert "done" == mail(app, "n@example7.com", new_mail("n@example7.com", PLAY, "register Name7"))


def brought(raw: bytes, client: str) -> bytes:
    """A mail received by our mail server from this client address."""
    return f"Received: from x (x [{client}]) by mx.localhost; today\r\n".encode() + raw


def wishes(app: App, who: str, client: str, word: str = "") -> str:
    """The state of a mail that registers, from this client address."""
    told = f"Authentication-Results: mx.localhost; dmarc={word}\r\n".encode() if word else b""
    raw = new_mail(who, PLAY, f"register N{abs(hash(who)) % 10**9}")
    date = f"Date: {format_datetime(app.now())}\r\n".encode()
    return mail(app, who, told + brought(date + raw, client))


def test_forged_mails_of_one_network_shut_out_nobody_from_elsewhere(app: App) -> None:
    states = [wishes(app, f"n@forged{n}.com", f"8.8.4.{n}") for n in range(60)]
    assert ["done"] * 10 + ["stranger"] * 50 == states
    assert "done" == wishes(app, "new@gmail.com", "9.9.9.9")
    assert "done" == wishes(app, "new@gmx.de", "2001:4860:4860::8888")


def handed_over(app: App, who: str, client: str) -> str | None:
    """The state of a mail that registers, received by our own listener."""
    raw = b"\r\n" + new_mail(who, PLAY, f"register N{abs(hash(who)) % 10**9}")
    (keys,) = receive_all(app, [ReceivedMail(raw, who, (PLAY,), client=client)])
    assert isinstance(keys, list), keys
    return process(app, int(keys[0][1:]))


def test_without_a_server_in_front_the_listener_knows_the_network(app: App) -> None:
    states = [handed_over(app, f"n@forged{n}.com", f"8.8.4.{n}") for n in range(12)]
    assert ["done"] * 10 + ["stranger"] * 2 == states
    assert "done" == handed_over(app, "new@gmail.com", "9.9.9.9")
    assert "done" == handed_over(app, "local@gmx.de", "127.0.0.1")


def test_forged_mails_of_one_domain_leave_half_of_the_ration_to_others(app: App) -> None:
    states = [wishes(app, f"n{n}@gmail.com", f"8.8.{n}.1") for n in range(60)]
    assert ["done"] * 30 + ["stranger"] * 30 == states
    assert "done" == wishes(app, "new@gmx.de", "9.9.9.9")


def test_who_is_authenticated_has_a_ration_apart(app: App) -> None:
    app = replace(app, config=replace(app.config, authserv="mx.localhost", confirmations_per_hour=6))
    forged = [wishes(app, f"n@forged{n}.com", f"8.8.{n}.1") for n in range(8)]
    assert ["done"] * 6 + ["stranger"] * 2 == forged
    mine = [wishes(app, f"n{n}@evil.example", "9.9.9.9", "pass") for n in range(8)]
    assert ["done"] * 6 + ["stranger"] * 2 == mine
    assert "done" == wishes(app, "new@gmail.com", "8.8.1.1", "pass")
    assert "stranger" == wishes(app, "new@forged1.com", "8.8.1.1", "fail")


def test_one_players_wishes_for_addresses_leave_others_theirs(app: App) -> None:
    app = replace(app, config=replace(app.config, confirmations_per_hour=6))
    bills, joaos = a_game(app)
    for n in range(3):
        reply(app, BILL, bills, f"address add bill{n}@work.example")
        writes(app, BILL, "confirm")
    assert [1, 0, 0] == [len(letters(app, f"bill{n}@work.example")) for n in range(3)]
    reply(app, JOAO, joaos, "address add joao@work.example")
    writes(app, JOAO, "confirm")
    assert 1 == len(letters(app, "joao@work.example"))


def test_words_with_a_challenge_or_its_answer_are_as_many_as_a_mail_may_bring(app: App) -> None:
    bill, _joao = register(app, BILL, "Bill"), register(app, JOAO, "Joao")
    long = "It was a dark and stormy night.\n" * 200
    before = len(letters(app, JOAO))
    assert "refused" == reply(app, BILL, bill, f"challenge Joao bipod\n\n{long}")
    assert "have 6399 characters, and 4000 can be" in " ".join(letters(app, BILL)[-1].text.split())
    assert before == len(letters(app, JOAO))
    assert "done" == reply(app, BILL, bill, f"challenge Joao bipod\n\n{long[:3900]}")
    offered = letters(app, JOAO)[-1]
    assert "refused" == reply(app, JOAO, offered, f"accept\n\n{long}")
    assert "refused" == reply(app, JOAO, offered, f"decline\n\n{long}")
    assert "done" == reply(app, JOAO, offered, "accept\n\nGladly!")


def test_a_flood_of_words_in_a_game_grows_its_rows_and_its_page_by_no_more_than_a_day_has_room_for(
    app: App,
) -> None:
    bills, _ = a_game(app)
    long = "It was a dark and stormy night; the rain fell in torrents.\n" * 390
    filed = [reply(app, BILL, bills, f"say {n}: {long}") for n in range(8)]
    assert ["done"] * 5 + ["refused"] * 3 == filed
    kept = games_of(app)
    assert 19_000 < sum(len(entry.data.get("words", "")) for entry in kept) <= 20_000
    assert "done" == reply(app, BILL, bills, f"f2\n\n{long}")
    assert "in one game each player can say 20000 characters within 24 hours" in " ".join(
        letters(app, BILL)[-1].text.split()
    )


def games_of(app: App) -> list[Entry]:
    """The journal of game 1."""
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, 1)
    assert game is not None
    return list(game.journal)


def test_more_mails_in_an_hour_than_are_answered_are_filed_in_silence(app: App, clock: Clock) -> None:
    app = replace(app, config=replace(app.config, letters_per_hour=10))
    bills, _ = a_game(app)
    states = [reply(app, BILL, bills, f"say {n}") for n in range(12)]
    assert {"done", "refused"} == set(states)
    answers = [one for one in letters(app, BILL) if ".start." not in one.header("Message-ID")]
    assert 10 == len(answers)
    clock.pass_by(hours=1, seconds=1)
    assert "done" == reply(app, BILL, bills, "say again")


def test_nobody_has_another_written_to_without_end_though_hearing_nothing(app: App, clock: Clock) -> None:
    app = replace(app, config=replace(app.config, letters_per_hour=10))
    bills, _ = a_game(app)
    reply(app, BILL, bills, "set receipts off")
    clock.pass_by(hours=2)
    before = len(letters(app, JOAO))
    for n in range(30):
        reply(app, BILL, bills, f"say {n}")
    assert 10 == len(letters(app, JOAO)) - before
    assert "You have sent Joao too many messages" in letters(app, BILL)[-1].text
    clock.pass_by(hours=1, seconds=1)
    assert "done" == reply(app, BILL, bills, "say again")


@pytest.fixture
def spent(app: App) -> App:
    """A server on which ten answers an hour are the limit."""
    return replace(app, config=replace(app.config, letters_per_hour=10))


def test_a_move_is_played_though_a_robot_has_used_up_the_answers(spent: App, clock: Clock) -> None:
    bills, _ = a_game(spent)
    for _ in range(12):
        reply(spent, BILL, bills, "Thank you, I am away.")
    answers, heard = len(letters(spent, BILL)), len(letters(spent, JOAO))
    (key,) = receive(spent, reply_mail(bills, BILL, "f2"), BILL, [bills.header("Reply-To")])
    work_through(spent)
    assert ["f2"] == moves(spent)
    assert (answers, heard + 1) == (len(letters(spent, BILL)), len(letters(spent, JOAO)))
    assert ".turn." in letters(spent, JOAO)[-1].header("Message-ID")
    with spent.store.read() as db:
        kept = inbox.mail_by_id(db, int(key[1:]))
    assert kept is not None
    assert ("done", Code.UNANSWERED) == (kept.state, kept.code)


def test_a_question_is_answered_though_a_robot_has_used_up_the_answers(spent: App) -> None:
    bills, _ = a_game(spent)
    reply(spent, BILL, bills, "resign")
    question = letters(spent, BILL)[-1]
    for _ in range(12):
        reply(spent, BILL, bills, "Thank you, I am away.")
    assert "done" == reply(spent, BILL, question, "confirm")
    assert ending(spent) is not None
    assert ".result." in letters(spent, JOAO)[-1].header("Message-ID")


def test_who_has_said_too_much_still_moves_and_the_other_hears_of_it(spent: App) -> None:
    bills, _ = a_game(spent)
    reply(spent, BILL, bills, "set receipts off")
    for n in range(12):
        reply(spent, BILL, bills, f"say {n}")
    heard = len(letters(spent, JOAO))
    assert "refused" == reply(spent, BILL, bills, "draw")
    assert "done" == reply(spent, BILL, bills, "show")
    assert "done" == reply(spent, BILL, bills, "f2\n\nGood luck!")
    (turn,) = letters(spent, JOAO)[heard:]
    assert "Good luck!" in turn.text
    assert "done" == reply(spent, BILL, bills, "resign yes")
    assert ".result." in letters(spent, JOAO)[-1].header("Message-ID")


def test_three_challenges_to_one_player_and_twenty_in_all_may_wait(app: App) -> None:
    welcome = register(app, BILL, "Bill")
    names = [f"Player{n}" for n in range(7)]
    for name in names:
        register(app, f"{name.lower()}@example.net", name)
    sent = [
        reply(app, BILL, welcome, f"challenge {name} bipod size={size}")
        for name in names
        for size in (3, 4, 5, 6)
    ]
    assert [*["done"] * 3, "refused"] * 6 + ["done", "done", "refused", "refused"] == sent
    assert "20 challenges of yours wait already" in letters(app, BILL)[-1].text


def test_one_person_is_asked_once_however_the_address_is_spelled(app: App) -> None:
    for sender in ("victim@example.com", "Victim@example.com", "VICTIM@Example.com", '"victim"@example.com'):
        mail(app, sender, new_mail(sender, PLAY, "register Victim"))
    with app.store.read() as db:
        assert 1 == players.count_confirmations(db, "register", NOON - timedelta(days=1))


@pytest.mark.each_database
def test_many_registrations_at_once_from_one_address_are_asked_once(app: App) -> None:
    from concurrent.futures import ThreadPoolExecutor

    who = "victim@example.com"
    keys = [receive(app, new_mail(who, PLAY, f"register Victim{n}"), who, [PLAY])[0] for n in range(6)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda key: process(app, int(key[1:])), keys))
    work_through(app)
    assert 1 == len(letters(app, who))


def test_a_question_answered_over_and_over_is_answered_no_more_than_other_mail(app: App) -> None:
    app = replace(app, config=replace(app.config, letters_per_hour=10))
    mail(app, BILL, new_mail(BILL, PLAY, "register Bill"))
    question = letters(app, BILL)[0]
    for _ in range(20):
        reply(app, BILL, question, "confirm")
    assert 10 == len(letters(app, BILL))


def test_neither_player_gets_more_games_than_there_is_room_for(app: App) -> None:
    app = replace(app, config=replace(app.config, running_games=1))
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    register(app, "carla@example.org", "Carla")
    for name in ("Joao", "Carla"):
        reply(app, BILL, welcome, f"challenge {name} bipod")
    writes(app, JOAO, "accept")
    assert "refused" == reply(app, "carla@example.org", letters(app, "carla@example.org")[-1], "accept")
