"""A friend is invited: by a letter to forward, by one letter to an address, or with us in Cc."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from pbem.app import App
from pbem.core.lobby.invitations import mailbox_of
from pbem.inbox.process import work_through
from pbem.mail.person.mailbox import ReceivedLetter, new_mail
from pbem.store import challenges, games, moderation, players
from tests.amount import amount
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    NO_DEVELOPMENT,
    PLAY,
    SERVER,
    Clock,
    ask,
    last_letter,
    last_words,
    letters,
    load,
    mail,
    moves,
    player,
    proven,
    register,
    reply,
    writes,
)

TOM = "tom@example.net"
DATE = b"Sun, 01 Mar 2026 12:00:00 +0000"


@pytest.fixture
def app_config() -> dict[str, str]:
    return {**NO_DEVELOPMENT, "PBEM_AUTHSERV": SERVER}


@pytest.fixture
def bill(app: App) -> ReceivedLetter:
    """Bill is registered; returns his welcome."""
    return register(app, BILL, "Bill")


def kinds(app: App, who: str) -> list[str]:
    return [letter.header("Message-ID").split(".")[-2] for letter in letters(app, who)]


def names(app: App) -> list[str]:
    with app.store.read() as db:
        return [each.name for each in players.list_players(db) if not each.bot]


def pairs(app: App) -> list[tuple[str, str]]:
    """The players of each game with people, first to play first."""
    with app.store.read() as db:
        numbers = range(1, 9)
        found = [games.load_game(db, app.games_by_key, number) for number in numbers]
    seats = [game.seats for game in found if game is not None]
    return [(one.name, other.name) for one, other in seats if not (one.bot or other.bot)]


def a_code(app: App, words: str = "invite") -> str:
    """Bill asks for a letter to forward; returns its code's address."""
    assert "done" == writes(app, BILL, words)
    return last_letter(app, BILL).header("Reply-To")


def friend_writes(app: App, who: str, code: str, words: str = "ok", *, sure: bool = True) -> str:
    """Somebody writes to an address of ours; `sure`: our mail server says that From is theirs."""
    raw = new_mail(who, code, words)
    if not sure:  # a header of a server in front without a verdict
        raw = raw.replace(b"\nSubject:", b"\nReceived: from x by mx.example.com; " + DATE + b"\nSubject:", 1)
    return mail(app, who, proven(raw, who, app.clock()) if sure else raw, code)


def to_friends(app: App, words: str, *to: str, cc: str = "", sure: bool = True) -> str:
    """Bill writes to friends, with us among the recipients; our copy is handled."""
    raw = new_mail(BILL, ", ".join([*to, *([] if cc else [PLAY])]), words)
    raw = raw.replace(b"\nSubject:", f"\nCc: {cc}\nSubject:".encode()) if cc else raw
    return mail(app, BILL, proven(raw, BILL, app.clock()) if sure else raw)


# ------------------------------------------------------------------------------------------ the usual ways


def test_by_address_two_mails_bring_both_boards(app: App, bill: ReceivedLetter) -> None:
    assert "done" == writes(app, BILL, "invite anna@example.com bipod")
    assert ["invitation"] == kinds(app, ANNA)
    assert "To play Bipod with Bill, answer" in last_words(app, ANNA)
    assert "done" == writes(app, ANNA, "yes")
    assert [("Anna", "Bill")] == pairs(app)
    assert ["start"] * 2 == [kinds(app, who)[-1] for who in (BILL, ANNA)]
    assert "Anna has accepted your invitation: the game begins." in last_words(app, BILL)


def test_with_us_in_cc_two_mails_bring_both_boards(app: App, bill: ReceivedLetter) -> None:
    assert "done" == to_friends(app, "bipod?\n\nIt is fun.\nBill", ANNA, cc=PLAY)
    asked = last_letter(app, ANNA)
    assert asked.header("In-Reply-To") and "fun" not in asked.raw.decode()
    assert "done" == writes(app, ANNA, "yes")
    assert [("Anna", "Bill")] == pairs(app)


def test_by_code_three_mails_bring_both_boards(app: App, bill: ReceivedLetter) -> None:
    code = a_code(app)
    assert f"{code} " in last_words(app, BILL)
    assert "done" == friend_writes(app, TOM, code)
    assert [("Tom", "Bill")] == pairs(app)
    assert "begird" == load(app).rules.key


def test_by_code_four_mails_bring_both_boards_where_from_is_not_proven(
    app: App, bill: ReceivedLetter
) -> None:
    code = a_code(app, "invite bipod")
    assert "done" == friend_writes(app, TOM, code, sure=False)
    assert ["Bill"] == names(app)
    assert "To play Bipod with Bill" in last_words(app, TOM)
    assert "done" == writes(app, TOM, "yes")
    assert [("Tom", "Bill")] == pairs(app)


@pytest.mark.parametrize(
    ("words", "name"), [("ok", "Tom"), ("Kim", "Kim"), ("register Kim", "Kim"), ("Sure!", "Tom"), ("", "Tom")]
)
def test_any_word_answers_a_code_and_a_name_is_taken(
    app: App, bill: ReceivedLetter, words: str, name: str
) -> None:
    assert "done" == friend_writes(app, TOM, a_code(app), words)
    assert [(name, "Bill")] == pairs(app)


def test_a_move_answers_and_is_played(app: App, bill: ReceivedLetter) -> None:
    writes(app, BILL, "invite anna@example.com bipod")
    assert "done" == writes(app, ANNA, "f2 f4")
    assert [("Anna", "Bill")] == pairs(app)
    assert ["f2 f4"] == moves(app)
    assert "turn" == kinds(app, BILL)[-1]
    friend_writes(app, TOM, a_code(app, "invite bipod"), "f2")
    assert ["f2"] == moves(app, 2)


def test_words_behind_a_yes_go_to_the_inviter(app: App, bill: ReceivedLetter) -> None:
    writes(app, BILL, "invite anna@example.com bipod")
    assert "done" == writes(app, ANNA, "Yes, gladly! I have long wanted to try this.")
    assert "I have long wanted to try this." in last_words(app, BILL)


def test_a_seat_and_options_are_as_said(app: App, bill: ReceivedLetter) -> None:
    writes(app, BILL, "invite anna@example.com bipod size=4 first unrated 3d/move")
    writes(app, ANNA, "yes")
    game = load(app)
    assert [("Bill", "Anna")] == pairs(app)
    assert ("4", False, "3d/move") == (str(game.options["size"]), game.rated, str(game.time_control))


def test_an_invitation_for_five_takes_five(app: App, bill: ReceivedLetter) -> None:
    code = a_code(app, "invite 5 bipod")
    for number in range(6):
        friend_writes(app, f"friend{number}@example.net", code, f"Friend{number}")
    assert [(f"Friend{number}", "Bill") for number in range(5)] == pairs(app)
    assert "has been taken by 5 friends before you" in last_words(app, "friend5@example.net")


def test_challenge_with_an_address_means_the_same(app: App, bill: ReceivedLetter) -> None:
    assert "done" == writes(app, BILL, "challenge anna@example.com bipod\n\nYou will like it.")
    assert ["invitation"] == kinds(app, ANNA)
    assert "like it" not in last_words(app, ANNA)


@pytest.mark.parametrize("words", ["invite Joao to bipod", "invite Joao bipod"])
def test_a_players_name_is_challenged(app: App, bill: ReceivedLetter, words: str) -> None:
    register(app, JOAO, "Joao")
    writes(app, BILL, words)
    assert "challenge" == kinds(app, JOAO)[-1]


# --------------------------------------------------------------------------------------- a registered friend


def test_nothing_tells_whether_an_address_is_a_players(app: App, bill: ReceivedLetter) -> None:
    register(app, JOAO, "Joao")
    told = {who: ask(app, BILL, f"invite {who} bipod").replace(who, "X") for who in (JOAO, ANNA)}
    assert told[JOAO] == told[ANNA]
    assert "challenge" == kinds(app, JOAO)[-1]
    assert "You have no games" in ask(app, BILL, "games") or "Joao" not in last_words(app, BILL)
    before = len(letters(app, BILL))
    writes(app, JOAO, "decline")
    assert before == len(letters(app, BILL))


def test_a_registered_friend_accepts_it_as_a_challenge(app: App, bill: ReceivedLetter) -> None:
    register(app, JOAO, "Joao")
    writes(app, BILL, f"invite {JOAO} bipod")
    assert "done" == writes(app, JOAO, "accept")
    assert [("Joao", "Bill")] == pairs(app)
    assert "Joao has accepted your invitation" in last_words(app, BILL)


def test_who_is_blocked_is_told_what_everybody_is_told(app: App, bill: ReceivedLetter) -> None:
    register(app, JOAO, "Joao")
    writes(app, JOAO, "block Bill")
    before = kinds(app, JOAO)
    assert "is on its way" in ask(app, BILL, f"invite {JOAO} bipod")
    assert before == kinds(app, JOAO)


def test_a_registered_friend_with_a_code_plays_at_once(app: App, bill: ReceivedLetter) -> None:
    register(app, JOAO, "Joao")
    friend_writes(app, JOAO, a_code(app, "invite bipod"))
    assert [("Joao", "Bill")] == pairs(app)


def test_a_registered_friend_without_proof_is_asked_first(app: App, bill: ReceivedLetter) -> None:
    register(app, JOAO, "Joao")
    friend_writes(app, JOAO, a_code(app, "invite bipod"), sure=False)
    assert [] == pairs(app)
    writes(app, JOAO, "yes")
    assert [("Joao", "Bill")] == pairs(app)


# -------------------------------------------------------------------------------------------- what goes wrong


def test_an_invitation_used_twice_takes_the_first_and_shows_others_a_board(
    app: App, bill: ReceivedLetter
) -> None:
    code = a_code(app)
    friend_writes(app, TOM, code)
    friend_writes(app, ANNA, code, "me too!")
    assert [("Tom", "Bill")] == pairs(app)
    assert "The invitation of Bill has been taken by somebody before you." in last_words(app, ANNA)
    assert "The board before your first move" in last_words(app, ANNA)
    assert ["Bill", "Tom"] == names(app)
    assert "refused" == friend_writes(app, TOM, code)
    assert "You have joined before; it is game 1." in last_words(app, TOM)


def test_after_thirty_days_an_invitation_is_over(app: App, clock: Clock, bill: ReceivedLetter) -> None:
    code = a_code(app)
    writes(app, BILL, "invite bipod")
    clock.pass_by(days=31)
    friend_writes(app, TOM, code)
    assert "good for 30 days, which are over. Ask Bill" in last_words(app, TOM)
    assert ["Bill"] == names(app)


def test_after_thirty_days_the_letter_to_an_address_is_over(
    app: App, clock: Clock, bill: ReceivedLetter
) -> None:
    writes(app, BILL, "invite anna@example.com bipod")
    clock.pass_by(days=31)
    writes(app, ANNA, "yes")
    assert "good for 30 days, which are over. Ask Bill" in last_words(app, ANNA)


def test_its_own_maker_is_told_to_forward_it(app: App, bill: ReceivedLetter) -> None:
    code = a_code(app)
    assert "refused" == friend_writes(app, BILL, code)
    assert "This is your own invitation. Forward its letter" in last_words(app, BILL)
    assert "done" == friend_writes(app, BILL, code, "help")
    assert "help" == kinds(app, BILL)[-1]
    assert [] == pairs(app)


def test_a_barred_inviters_invitation_is_closed(app: App, bill: ReceivedLetter) -> None:
    code = a_code(app)
    with app.store.write() as db:
        moderation.bar_player(db, player(app, "Bill"), "Spam")
    friend_writes(app, TOM, code)
    assert "is not open any more" in last_words(app, TOM)
    assert "You are barred" in ask(app, BILL, "invite") or "barred" in last_words(app, BILL)
    assert ["Bill"] == names(app)


def test_a_forgotten_inviters_invitation_is_closed(app: App, bill: ReceivedLetter) -> None:
    code = a_code(app)
    writes(app, BILL, "invite anna@example.com bipod")
    mail(app, BILL, new_mail(BILL, bill.header("Reply-To"), "forget me"), bill.header("Reply-To"))
    assert "done" == writes(app, BILL, "yes")
    friend_writes(app, TOM, code)
    assert "is not open any more" in last_words(app, TOM)
    writes(app, ANNA, "yes")
    assert "is not open any more" in last_words(app, ANNA)
    assert "Bill" not in last_letter(app, ANNA).text


def test_where_the_inviter_has_no_room_nothing_is_half_done(app: App, bill: ReceivedLetter) -> None:
    code = a_code(app, "invite bipod")
    writes(app, BILL, "limit bipod 1")
    code_of_one_more = a_code(app, "invite bipod")
    friend_writes(app, TOM, code)
    friend_writes(app, ANNA, code_of_one_more)
    assert [("Tom", "Bill")] == pairs(app)
    assert ["Bill", "Tom"] == names(app)
    assert "No game of Bipod with Bill can begin at present" in last_words(app, ANNA)


def test_no_and_never_close_it_without_another_letter(app: App, bill: ReceivedLetter) -> None:
    for address, words in ((ANNA, "no"), (TOM, "Never write to me again.")):
        writes(app, BILL, f"invite {address} bipod")
        assert "done" == writes(app, address, words)
        assert ["invitation"] == kinds(app, address)
        assert "done" == writes(app, address, "yes")
        assert ["Bill"] == names(app)


def test_an_answer_without_a_yes_is_asked_again(app: App, bill: ReceivedLetter) -> None:
    writes(app, BILL, "invite anna@example.com bipod")
    writes(app, ANNA, "Who is this, and what do you want from me?")
    assert "I could not tell whether your answer means yes or no." in last_words(app, ANNA)
    assert ["Bill"] == names(app)


def test_a_letter_passed_on_takes_whoever_answers(app: App, bill: ReceivedLetter) -> None:
    writes(app, BILL, "invite anna@example.com bipod")
    friend_writes(app, TOM, last_letter(app, ANNA).header("Reply-To"))
    assert [("Tom", "Bill")] == pairs(app)


def test_a_second_yes_begins_no_second_game(app: App, bill: ReceivedLetter) -> None:
    writes(app, BILL, "invite anna@example.com bipod")
    asked = last_letter(app, ANNA)
    reply(app, ANNA, asked, "yes")
    reply(app, ANNA, asked, "Yes!")
    assert "You have joined before; it is game 1." in last_words(app, ANNA)
    assert "done" == reply(app, ANNA, asked, "f2")
    assert ([("Anna", "Bill")], ["f2"]) == (pairs(app), moves(app))


@pytest.mark.parametrize("step", ["open", "authenticate", "write"])
@pytest.mark.parametrize("by_code", [True, False])
def test_a_fault_at_any_step_leaves_before_or_after(
    app: App, clock: Clock, bill: ReceivedLetter, step: str, by_code: bool
) -> None:
    code = a_code(app, "invite bipod" if by_code else "invite anna@example.com bipod")
    code = code if by_code else last_letter(app, ANNA).header("Reply-To")
    before = kinds(app, ANNA)
    faults = [step]

    def fail_once(now: str) -> None:
        if now in faults:
            faults.remove(now)
            raise ZeroDivisionError("a fault of ours")

    broken = replace(app, step=fail_once)
    assert "new" == friend_writes(broken, ANNA, code)
    assert ([], ["Bill"], before) == (pairs(app), names(app), kinds(app, ANNA))
    clock.pass_by(minutes=5)
    work_through(app)
    assert ([("Anna", "Bill")], ["Bill", "Anna"]) == (pairs(app), names(app))
    assert [*before, "welcome", "start"] == kinds(app, ANNA)


# ----------------------------------------------------------------------------------- who may write to whom


def test_without_proof_nobody_else_is_written_to(app: App, bill: ReceivedLetter) -> None:
    to = last_letter(app, BILL).header("Reply-To")
    friend_writes(app, BILL, to, "invite anna@example.com bipod", sure=False)
    assert [] == letters(app, ANNA)
    assert "proof" == kinds(app, BILL)[-1]
    writes(app, BILL, "yes")
    assert ["invitation"] == kinds(app, ANNA)


def test_without_proof_a_letter_to_forward_comes(app: App, bill: ReceivedLetter) -> None:
    to = last_letter(app, BILL).header("Reply-To")
    friend_writes(app, BILL, to, "invite bagel", sure=False)
    assert "invite" == kinds(app, BILL)[-1]


def test_a_forged_cc_asks_the_owner_what_to_do(app: App, bill: ReceivedLetter) -> None:
    to_friends(app, "bipod?", ANNA, cc=PLAY, sure=False)
    assert [] == letters(app, ANNA)
    assert '"invite anna@example.com bipod"' in last_words(app, BILL) or "proof" == kinds(app, BILL)[-1]
    assert "invite anna@example.com bipod" in last_words(app, BILL)


def test_ten_addresses_in_cc_get_no_letter(app: App, bill: ReceivedLetter) -> None:
    others = [f"friend{number}@example.net" for number in range(10)]
    to_friends(app, "bipod?", *others)
    assert "Your mail went to 10 others, and an invitation is for one" in last_words(app, BILL)
    assert all(not letters(app, other) for other in others)


@pytest.mark.parametrize("header", ["List-Id: <chess.example.org>", "Auto-Submitted: auto-replied"])
def test_a_robots_mail_and_that_of_a_list_invite_nobody(app: App, bill: ReceivedLetter, header: str) -> None:
    before = kinds(app, BILL)
    raw = new_mail(BILL, f"{ANNA}, {PLAY}", "bipod?").replace(b"\nSubject:", f"\n{header}\nSubject:".encode())
    mail(app, BILL, proven(raw, BILL, app.clock()))
    assert ([], before) == (letters(app, ANNA), kinds(app, BILL))


def test_a_friend_who_answers_the_inviters_own_mail_to_all_plays(app: App, bill: ReceivedLetter) -> None:
    to_friends(app, "bipod?", ANNA, cc=PLAY)
    friend_writes(app, ANNA, PLAY, "Yes, gladly")
    assert [("Anna", "Bill")] == pairs(app)


def test_nobody_gets_a_second_letter(app: App, clock: Clock, bill: ReceivedLetter) -> None:
    register(app, JOAO, "Joao")
    writes(app, BILL, "invite anna@example.com bipod")
    assert "is open already" in ask(app, BILL, "invite Anna+games@example.com bagel")
    clock.pass_by(days=40)
    for who in (BILL, JOAO):
        assert "is on its way" in ask(app, who, "invite anna@example.com bipod")
    assert ["invitation"] == kinds(app, ANNA)


def test_five_addresses_a_day(app: App, clock: Clock, bill: ReceivedLetter) -> None:
    for number in range(6):
        writes(app, BILL, f"invite friend{number}@host{number}.example bipod")
    assert "You have invited 5 addresses within a day" in last_words(app, BILL)
    assert [] == letters(app, "friend5@host5.example")
    clock.pass_by(days=1, hours=1)
    writes(app, BILL, "invite friend5@host5.example bipod")
    assert ["invitation"] == kinds(app, "friend5@host5.example")


@pytest.mark.parametrize("address", [BILL, "play@localhost", "anna@home@example.com"])
def test_what_is_no_friends_address_is_refused(app: App, bill: ReceivedLetter, address: str) -> None:
    assert "could not be done" in ask(app, BILL, f"invite {address} bipod")


def test_a_mail_to_the_unsubscribe_address_ends_it(app: App, bill: ReceivedLetter) -> None:
    writes(app, BILL, "invite anna@example.com bipod")
    stop = last_letter(app, ANNA).header("List-Unsubscribe")
    to = stop.partition("<mailto:")[2].partition("?")[0]
    assert "done" == mail(app, ANNA, new_mail(ANNA, to, "unsubscribe"), to)
    friend_writes(app, ANNA, a_code(app), sure=False)
    assert ["invitation"] == kinds(app, ANNA)


def hostile(number: int) -> Iterator[str]:
    """Addresses that a hostile crowd would invite, again and again, also as others spell them."""
    for n in range(number):
        yield f"victim{n % 7}{['', '+x', '+y'][n % 3]}@{['example.com', 'Example.COM'][n % 2]}"


def test_hostile_invitations_bring_nobody_a_second_letter(app: App, clock: Clock) -> None:
    crowd = [f"crook{number}@crooks{number}.example" for number in range(amount(3, 40))]
    for number, crook in enumerate(crowd):
        clock.pass_by(hours=1)
        register(app, crook, f"Crook{number}")
    for number, address in enumerate(hostile(amount(60, 10_000))):
        clock.pass_by(hours=1)
        writes(app, crowd[number % len(crowd)], f"invite {address} bipod")
        written = letters(app, address)
        if written and len(written) == 1 and number % 2:
            reply(app, address, written[0], "never")
    with app.store.read() as db:
        assert [] == challenges.open_seeks(db, app.games_by_key, app.now())
    by_mailbox: dict[str, int] = {}
    for address in {each.lower() for each in hostile(42)}:
        by_mailbox[mailbox_of(address)] = by_mailbox.get(mailbox_of(address), 0) + len(letters(app, address))
    assert {1} == set(by_mailbox.values())


def test_forged_answers_to_a_code_bring_nobody_a_second_letter(
    app: App, clock: Clock, bill: ReceivedLetter
) -> None:
    code = a_code(app, "invite 9 bipod")
    for _ in range(4):
        friend_writes(app, ANNA, code, sure=False)
        clock.pass_by(hours=1)
    assert ["invitation"] == kinds(app, ANNA)[:1]
    assert 1 == kinds(app, ANNA).count("invitation")
