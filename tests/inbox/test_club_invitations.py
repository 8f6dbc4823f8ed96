"""Friends who have no account are invited into a club: by address, or by a letter to forward."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.commands import moderation as acts
from pbem.mail.person.mailbox import ReceivedLetter
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    NO_DEVELOPMENT,
    SERVER,
    Clock,
    ask,
    last_letter,
    last_words,
    letters,
    moves,
    register,
    reply,
    writes,
)
from tests.inbox.test_invitations import TOM, friend_writes, kinds, names, pairs


@pytest.fixture
def app_config() -> dict[str, str]:
    return {**NO_DEVELOPMENT, "PBEM_AUTHSERV": SERVER}


@pytest.fixture
def bill(app: App) -> ReceivedLetter:
    """Bill organises a club; returns the letter that says so."""
    register(app, BILL, "Bill")
    assert "Tuesday Evening is made" in ask(app, BILL, "club new Tuesday Evening, Lisbon")
    return last_letter(app, BILL)


def a_code(app: App, words: str = "club invite") -> str:
    assert "done" == writes(app, BILL, words)
    return last_letter(app, BILL).header("Reply-To")


def members(app: App) -> str:
    return ask(app, BILL, "club").partition("Tuesday Evening, Lisbon, ")[2].partition(" member")[0]


@pytest.mark.each_database
def test_by_address_two_mails_bring_a_friend_into_the_club(app: App, bill: ReceivedLetter) -> None:
    assert "your invitation of anna@example.com is on its way" in ask(app, BILL, f"club invite {ANNA}")
    assert ["invitation"] == kinds(app, ANNA)
    assert 'To join Tuesday Evening, the club of Bill, answer "yes"' in last_words(app, ANNA)
    assert "Lisbon" not in last_words(app, ANNA)
    assert "done" == writes(app, ANNA, "Yes, gladly! See you on Tuesday.")
    assert ["welcome", "club"] == kinds(app, ANNA)[1:]
    assert "you are in Tuesday Evening now" in last_words(app, ANNA)
    assert "Anna has joined Tuesday Evening. Anna: Yes, gladly! See you on Tuesday." in last_words(app, BILL)
    assert ([], "2") == (pairs(app), members(app))


def test_a_named_game_begins_too(app: App, bill: ReceivedLetter) -> None:
    writes(app, BILL, f"club invite {ANNA} bipod in Tuesday Evening")
    assert "To join Tuesday Evening and play Bipod with Bill" in last_words(app, ANNA)
    assert "done" == writes(app, ANNA, "f2 f4")
    assert ([("Anna", "Bill")], ["f2 f4"]) == (pairs(app), moves(app))
    assert {"welcome", "club", "start"} <= {*kinds(app, ANNA)}
    assert "2" == members(app)


@pytest.mark.each_database
def test_a_letter_to_forward_takes_as_many_as_it_says(app: App, bill: ReceivedLetter) -> None:
    code = a_code(app, "club invite 2")
    assert "Bill invites you to Tuesday Evening" in last_letter(app, BILL).header("Subject")
    for number in range(3):
        friend_writes(app, f"friend{number}@example.net", code, f"Friend{number}")
    assert (["Bill", "Friend0", "Friend1"], "3") == (names(app), members(app))
    assert "has been taken by 2 friends before you" in last_words(app, "friend2@example.net")
    friend_writes(app, "friend0@example.net", code)
    assert "You have joined before" in last_words(app, "friend0@example.net")
    friend_writes(app, TOM, a_code(app, "club invite 5 bagel"))
    assert ([("Tom", "Bill")], "4") == (pairs(app), members(app))


def test_by_code_without_proof_a_friend_is_asked_once(app: App, bill: ReceivedLetter) -> None:
    friend_writes(app, TOM, a_code(app), sure=False)
    assert (["Bill"], ["invitation"]) == (names(app), kinds(app, TOM))
    assert "done" == writes(app, TOM, "yes")
    assert "2" == members(app)
    assert "done" == writes(app, TOM, "help")


def test_nothing_tells_whether_an_address_is_a_player_s(app: App, bill: ReceivedLetter) -> None:
    register(app, JOAO, "Joao")
    told = {who: ask(app, BILL, f"club invite {who} bipod").replace(who, "X") for who in (JOAO, ANNA)}
    assert told[JOAO] == told[ANNA]
    assert "Bill invites you to Tuesday Evening" in last_words(app, JOAO)
    assert "a game of Bipod with Bill begins too" in last_words(app, JOAO)
    assert "done" == writes(app, JOAO, "yes")
    assert ([("Joao", "Bill")], "2") == (pairs(app), members(app))
    before = kinds(app, JOAO)
    for words in (f"club invite {JOAO}", f"club invite {JOAO} bagel"):
        assert "is open already" in ask(app, BILL, words)
    assert before == kinds(app, JOAO)


def test_a_member_and_whoever_blocked_the_inviter_get_nothing(app: App, bill: ReceivedLetter) -> None:
    register(app, JOAO, "Joao")
    writes(app, JOAO, "block Bill")
    before = kinds(app, JOAO)
    assert "is on its way" in ask(app, BILL, f"club invite {JOAO}")
    assert before == kinds(app, JOAO)


def test_the_limits_are_those_of_invitations(app: App, clock: Clock, bill: ReceivedLetter) -> None:
    for number in range(5):
        writes(app, BILL, f"{'club invite' if number % 2 else 'invite'} friend{number}@host{number}.example")
    assert "You have invited 5 addresses within a day" in ask(app, BILL, "club invite friend5@host5.example")
    clock.pass_by(days=2)
    assert "is open already" in ask(app, BILL, "club invite friend0@host0.example")
    clock.pass_by(days=40)
    assert "is on its way" in ask(app, BILL, "club invite friend0@host0.example")
    assert ["invitation"] == kinds(app, "friend0@host0.example")


def test_without_proof_no_club_invitation_goes_out(app: App, bill: ReceivedLetter) -> None:
    friend_writes(app, BILL, bill.header("Reply-To"), f"club invite {ANNA}", sure=False)
    assert [] == letters(app, ANNA)
    assert "proof" == kinds(app, BILL)[-1]


@pytest.mark.parametrize("how", ["leaves", "is barred", "is put out", "is forgotten"])
def test_an_invitation_ends_with_its_maker_s_office(app: App, bill: ReceivedLetter, how: str) -> None:
    register(app, JOAO, "Joao")
    writes(app, BILL, "club invite Joao")
    writes(app, JOAO, "yes")
    writes(app, BILL, "club organiser Joao")
    code = a_code(app, "club invite 5")
    writes(app, BILL, f"club invite {ANNA}")
    if how == "leaves":
        writes(app, BILL, "leave club yes")
    elif how == "is barred":
        acts.carry_out(app, acts.Operator("op", "Rude."), acts.bar_player, "Bill")
    elif how == "is put out":  # by its maker alone, whom nobody puts out
        acts.carry_out(app, acts.Operator("op", "Rude."), acts.bar_player, "Bill")
        writes(app, JOAO, "club remove Bill yes")
    else:
        writes(app, BILL, "forget me")
        writes(app, BILL, "yes")
    writes(app, ANNA, "yes")
    friend_writes(app, TOM, code)
    assert "is not open any more" in last_words(app, TOM)
    assert not {"Anna", "Tom"} & {*names(app)}


def test_an_unclear_answer_after_the_club_has_ended_is_refused(app: App, bill: ReceivedLetter) -> None:
    writes(app, BILL, f"club invite {ANNA}")
    assert "you have left Tuesday Evening" in ask(app, BILL, "leave club yes")
    writes(app, ANNA, "Who is this, and what do you want from me?")
    assert "is not open any more" in last_words(app, ANNA)
    assert ["Bill"] == names(app)


def test_a_barred_player_joins_nothing(app: App, bill: ReceivedLetter) -> None:
    register(app, JOAO, "Joao")
    code = a_code(app, "club invite 5")
    writes(app, BILL, f"club invite {JOAO}")
    asked = last_letter(app, JOAO)
    acts.carry_out(app, acts.Operator("op", "Rude."), acts.bar_player, "Joao")
    reply(app, JOAO, asked, "yes")
    friend_writes(app, JOAO, code)
    assert "has barred you" in last_words(app, JOAO)
    assert "1" == members(app)


def test_whoever_was_put_out_does_not_return_by_an_older_code(
    app: App, clock: Clock, bill: ReceivedLetter
) -> None:
    code = a_code(app, "club invite 5")
    friend_writes(app, TOM, code)
    other = a_code(app, "club invite 5")
    assert "Tom is in Tuesday Evening no more" in ask(app, BILL, "club remove Tom yes")
    clock.pass_by(minutes=1)
    friend_writes(app, TOM, other)
    friend_writes(app, TOM, code)
    assert "1" == members(app)
    friend_writes(app, TOM, a_code(app, "club invite 5"))
    assert "2" == members(app)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (f"club invite {ANNA} {TOM}", "An invitation is for one address"),
        ("club invite 99", "An invitation is for one to 9 friends"),
        (f"club invite {BILL}", "is not a friend's address"),
        (f"club invite {ANNA} in Monday Club", "You organise no club called Monday Club"),
        (f"club invite {ANNA} bipod size=99", "size"),
    ],
)
def test_what_cannot_be_done_is_said(app: App, bill: ReceivedLetter, words: str, sentence: str) -> None:
    assert sentence in ask(app, BILL, words)
    assert [] == letters(app, ANNA)


def test_who_organises_no_club_invites_nobody_into_one(app: App, bill: ReceivedLetter) -> None:
    register(app, JOAO, "Joao")
    assert "You organise no club" in ask(app, JOAO, f"club invite {ANNA}")
    assert "You organise no club" in ask(app, JOAO, "club invite 5")
    assert [] == letters(app, ANNA)


def test_never_is_never(app: App, bill: ReceivedLetter) -> None:
    writes(app, BILL, f"club invite {ANNA}")
    assert "done" == writes(app, ANNA, "never")
    friend_writes(app, ANNA, a_code(app), sure=False)
    assert ["invitation"] == kinds(app, ANNA)
    assert ["Bill"] == names(app)


def test_a_game_that_cannot_begin_leaves_the_club_as_it_was(app: App, bill: ReceivedLetter) -> None:
    register(app, ANNA, "Anna")
    writes(app, ANNA, "limit bipod 0")
    writes(app, BILL, f"club invite {ANNA} bipod")
    question = last_letter(app, ANNA)
    assert "refused" == reply(app, ANNA, question, "yes")
    assert "at most 0 games" in last_words(app, ANNA)
    assert "1" == members(app)
