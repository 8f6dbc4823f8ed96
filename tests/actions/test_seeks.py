"""Seeks by mail: made, listed, taken once, cancelled; limits and blocks. All run on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from pbem.app import Office
from pbem.core.game.game import Game
from pbem.inbox.process import process, work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import Letter, answer
from pbem.store import games, seeks
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    Clock,
    flat,
    last_words,
    letters,
    moves,
    register,
    reply,
    state,
    writes,
)


@pytest.fixture
def office_settings() -> dict[str, str]:
    return {"PBEM_RUNNING_GAMES": "3"}


@pytest.fixture
def office(office: Office) -> Office:
    for who, name in ((BILL, "Bill"), (JOAO, "Joao"), (ANNA, "Anna")):
        register(office, who, name)
    return office


def welcome(office: Office, who: str) -> Letter:
    """A letter about no game."""
    return next(letter for letter in letters(office, who) if "Welcome" in letter.header("Subject"))


def ask(office: Office, who: str, words: str) -> str:
    """Answer the welcome with `words`; return the reply's text."""
    reply(office, who, welcome(office, who), words)
    return last_words(office, who)


def game(office: Office, number: int = 1) -> Game | None:
    with office.store.read() as db:
        return games.load(db, office.shelf, number)


def waiting(office: Office) -> list[int]:
    with office.store.read() as db:
        return [seek.id for seek in seeks.waiting(db, office.shelf, office.now())]


def test_a_seek_waits_in_public_and_begins_the_game_it_asks_for(office: Office) -> None:
    told = ask(office, BILL, "seek bipod size=4 stones=1 3d/move unrated first soft")
    assert "your seek waits now" in told
    assert "3d/move, soft" in told
    listed = ask(office, JOAO, "seeks")
    assert "Seek 1: Bill seeks Bipod, size=4" in listed
    assert "3d/move soft, unrated, Bill first" in listed
    begun = ask(office, JOAO, "take 1\n\nGood luck, Bill.")
    assert "Joao, you have taken seek 1 of Bill: the game begins." in begun
    bills = last_words(office, BILL)
    assert "Joao has taken your seek 1: the game begins. You are first" in bills
    assert "Good luck, Bill." in bills
    found = game(office)
    assert found is not None
    assert ("Bill", "Joao") == (found.seats[0].name, found.seats[1].name)
    assert ("3d/move", False, True, "4") == (
        str(found.pace),
        found.rated,
        found.soft,
        str(found.options["size"]),
    )
    assert [] == waiting(office)


def test_nobody_takes_his_own_seek_and_the_list_keeps_it_apart(office: Office) -> None:
    ask(office, BILL, "seek bipod")
    assert 'Seek 1 is your own; "withdraw 1" takes it back.' in ask(office, BILL, "take 1")
    listed = ask(office, BILL, "seeks")
    assert "nobody else waits" in listed
    assert "Your own: Seek 1: Bipod" in listed
    assert "You seek: Seek 1: Bipod" in ask(office, BILL, "games")


def test_a_seek_that_was_taken_is_taken(office: Office) -> None:
    ask(office, BILL, "seek bipod")
    ask(office, JOAO, "take 1")
    assert "Seek 1 has been taken" in ask(office, ANNA, "take 1")
    assert "You have taken seek 1 before" in ask(office, JOAO, "take 1")
    assert "There is no seek 7" in ask(office, ANNA, "take 7")
    assert game(office, 2) is None


@pytest.mark.each_database
def test_a_seek_taken_twice_at_once_begins_one_game(office: Office) -> None:
    ask(office, BILL, "seek bipod")
    keys = []
    for who in (JOAO, ANNA):
        letter = welcome(office, who)
        keys += receive(office, answer(letter, who, "take 1"), who, [letter.header("Reply-To")])
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda key: process(office, int(key[1:])), keys))
    work_through(office)
    assert ["done", "refused"] == sorted(state(office, key) for key in keys)
    assert game(office, 1) is not None
    assert game(office, 2) is None


@pytest.mark.each_database
def test_a_seek_taken_back_and_taken_at_once_is_one_or_the_other(office: Office) -> None:
    ask(office, BILL, "seek bipod")
    keys = []
    for who, words in ((BILL, "withdraw 1"), (JOAO, "take 1")):
        letter = welcome(office, who)
        keys += receive(office, answer(letter, who, words), who, [letter.header("Reply-To")])
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda key: process(office, int(key[1:])), keys))
    work_through(office)
    withdrawn, taken = (state(office, key) for key in keys)
    assert {"done", "refused"} == {withdrawn, taken}
    assert (taken == "done") == (game(office) is not None)


def test_a_seek_can_be_taken_back_by_its_owner_alone(office: Office) -> None:
    ask(office, BILL, "seek bipod")
    assert "no open seek or challenge with the number 1" in ask(office, JOAO, "withdraw 1")
    assert "you have taken back seek 1" in ask(office, BILL, "withdraw 1")
    assert "Seek 1 is not open any more" in ask(office, JOAO, "take 1")
    assert "no open seek or challenge with the number 1" in ask(office, BILL, "withdraw 1")


def test_withdraw_without_a_number_means_the_letter_answered_or_the_only_one(office: Office) -> None:
    assert "You have no seek or challenge open." in ask(office, BILL, "withdraw")
    ask(office, BILL, "seek bipod")
    first = letters(office, BILL)[-1]
    ask(office, BILL, "seek begird")
    assert 'write "withdraw 1" or "withdraw 2"' in ask(office, BILL, "withdraw")
    reply(office, BILL, first, "withdraw")
    assert [2] == waiting(office)
    ask(office, BILL, "withdraw")
    assert [] == waiting(office)


def test_a_challenge_is_taken_back_too_and_the_other_told(office: Office) -> None:
    ask(office, BILL, "challenge Joao bipod")
    challenge = letters(office, JOAO)[-1]
    assert '1 to Joao for the same game waits already; "withdraw 1" takes it back.' in ask(
        office, BILL, "challenge Joao bipod 3d/move"
    )
    assert "you have taken back challenge 1" in ask(office, BILL, "withdraw 1")
    assert "Bill has taken back challenge 1" in last_words(office, JOAO)
    assert "refused" == reply(office, JOAO, challenge, "accept")
    assert game(office) is None


@pytest.mark.parametrize(
    "words",
    [
        "accept 2\nf2\nHello",
        "take 3\nf2\nHello",
        "challenge Anna bagel\nf2\nHello",
        "decline 2\nresign yes",
        "seek bagel\nf2",
    ],
)
def test_a_move_below_an_answer_to_a_challenge_is_none_in_the_only_game_that_runs(
    office: Office, words: str
) -> None:
    ask(office, BILL, "challenge Joao bipod second")
    ask(office, JOAO, "accept 1")
    ask(office, ANNA, "challenge Joao bipod second")
    challenge = letters(office, JOAO)[-1]
    ask(office, ANNA, "seek bipod second")
    begun = game(office)
    assert begun is not None
    ask(office, JOAO, words)
    assert game(office) == begun
    reply(office, JOAO, challenge, words.replace(" 2", ""))
    assert game(office) == begun


@pytest.mark.parametrize("words", ["seek bagel", "accept 2", "decline 2", "take 3", "challenge Anna bagel"])
def test_a_move_below_the_number_of_the_only_game_is_played_there_whatever_stands_above_it(
    office: Office, words: str
) -> None:
    ask(office, BILL, "challenge Joao bipod second")
    ask(office, JOAO, "accept 1")
    ask(office, ANNA, "challenge Joao bipod second")
    ask(office, ANNA, "seek bipod second")
    ask(office, JOAO, f"{words}\n\ngame 1\nf2")
    assert ["f2"] == moves(office)


def test_a_move_below_a_challenge_declined_is_told_where_it_belongs_and_is_no_word_to_the_challenger(
    office: Office,
) -> None:
    ask(office, BILL, "challenge Joao bipod second")
    ask(office, JOAO, "accept 1")
    ask(office, ANNA, "challenge Joao bipod second")
    before = len(letters(office, JOAO))
    ask(office, JOAO, "decline 2\nf2")
    told = " ".join(letter.text for letter in letters(office, JOAO)[before:])
    assert "belongs to no game; it is your turn in game 1" in flat(told)
    assert "you have declined challenge 2" in flat(told)
    assert "f2" not in last_words(office, ANNA)


@pytest.mark.parametrize("words", ["f2", "Hello\n\nf2 f4, g3.\nHave fun"])
def test_a_move_that_may_be_for_any_game_or_none_is_told_that_not_to_be_written_otherwise(
    office: Office, words: str
) -> None:
    assert "This mail belongs to no game. Answer a letter" in ask(office, ANNA, words)
    for number in (1, 2):
        ask(office, BILL, "challenge Joao bipod second")
        ask(office, JOAO, f"accept {number}")
    told = ask(office, JOAO, words)
    assert "belongs to no game; it is your turn in game" in told
    assert "alone on a line" not in told
    assert [] == moves(office)


def test_a_challenge_s_letter_can_be_answered_with_the_first_ply_once_the_game_has_begun(
    office: Office, clock: Clock
) -> None:
    ask(office, BILL, "challenge Joao bipod second")
    challenge = letters(office, JOAO)[-1]
    ask(office, JOAO, "accept 1")
    ask(office, BILL, "challenge Joao begird second")
    ask(office, JOAO, "accept 2")
    clock.pass_by(minutes=1)
    assert "done" == reply(office, JOAO, challenge, "f2")
    assert ["f2"] == moves(office)
    assert "done" == writes(office, BILL, "game 1\ng3")
    assert "refused" == reply(office, JOAO, challenge, "h4")
    assert ["f2", "g3"] == moves(office)


def test_a_challenge_to_somebody_is_no_seek_for_others(office: Office) -> None:
    ask(office, BILL, "challenge Joao bipod")
    assert "There is no seek 1" in ask(office, ANNA, "take 1")
    assert "There is no seek 1" in ask(office, JOAO, "take 1")
    assert "nobody else waits" in ask(office, ANNA, "seeks")


def test_accepting_the_number_of_a_seek_says_how_it_is_taken(office: Office) -> None:
    ask(office, BILL, "seek bipod")
    assert '1 is a seek; "take 1" takes it.' in ask(office, JOAO, "accept 1")


def test_a_seek_lapses_after_30_days(office: Office, clock: Clock) -> None:
    ask(office, BILL, "seek bipod")
    clock.pass_by(days=29, hours=23)
    assert [1] == waiting(office)
    clock.pass_by(hours=1)
    assert [] == waiting(office)
    assert "Seek 1 is not open any more" in ask(office, JOAO, "take 1")


def test_the_same_seek_twice_and_more_than_five_are_refused(office: Office) -> None:
    for n, pace in enumerate(("1d/move", "2d/move", "3d/move", "4d/move", "5d/move")):
        assert "waits now" in ask(office, BILL, f"seek bipod {pace}")
        assert f"Your seek {n + 1} for the same game waits already" in ask(office, BILL, f"seek bipod {pace}")
    assert '"withdraw 1" takes one back' in ask(office, BILL, "seek bipod 6d/move")
    assert [1, 2, 3, 4, 5] == waiting(office)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("seek chess", "No game is called chess here."),
        ("seek bipod size=99", "size"),
        ("seek bipod size=3 size=4", "size=3 and size=4 cannot be: size is 3 to 8."),
        ("seek bipod 0d/move", "a time here is from an hour"),
        ("seek bipod soft", 'add the word "unrated"'),
    ],
)
def test_a_seek_that_cannot_be_is_refused_with_the_reason(office: Office, words: str, why: str) -> None:
    assert why in ask(office, BILL, words)
    assert [] == waiting(office)


def test_neither_takes_more_games_than_there_is_room_for(office: Office) -> None:
    for n in range(1, 4):
        ask(office, BILL, f"seek bipod {n}d/move")
    ask(office, ANNA, "seek bipod")
    for n in range(1, 4):
        ask(office, JOAO, f"take {n}")
    assert "You have 3 games running" in ask(office, JOAO, "take 4")
    assert "You have 3 games running" in ask(office, BILL, "seek begird")
    assert game(office, 4) is None
    assert [4] == waiting(office)


@pytest.mark.parametrize(
    "words", ["seek a game with me", "seek", "take it", "take 2 stones", "block you", "black", "make 3"]
)
def test_prose_that_begins_like_a_command_stays_prose(office: Office, words: str) -> None:
    assert "No line of this mail is a move or a command." in ask(office, BILL, words)


# Hexagonal Thing has a `take` of its own.


def a_thing(office: Office) -> None:
    """Game 1, Hexagonal Thing, Bill first, who must name a hex."""
    ask(office, BILL, "challenge Joao hexthing first")
    writes(office, JOAO, "accept")


def until_a_hex_is_due(office: Office) -> str:
    """Play until a hex must be named; return the player's address."""
    for _ in range(60):
        found = game(office)
        assert found is not None and found.state.to_play is not None
        who = (BILL, JOAO)[found.state.to_play]
        examples = found.state.position.examples()
        if examples[0].startswith(("take ", "put ")):
            return who
        move = next((text for text in examples if text.startswith(("play", "lot"))), examples[-1])
        letter = [one for one in letters(office, who) if "#1" in one.header("Subject")][-1]
        assert "done" == reply(office, who, letter, move), (move, letters(office, who)[-1].text)
    raise AssertionError("no hex came due")


def test_while_a_game_waits_for_a_hex_a_mail_to_its_address_takes_no_seek(office: Office) -> None:
    ask(office, ANNA, "seek bipod")
    a_thing(office)
    who = until_a_hex_is_due(office)
    letter = [one for one in letters(office, who) if "#1" in one.header("Subject")][-1]
    assert "refused" == reply(office, who, letter, "take 1")
    assert "Game 1 waits for a hex, such as" in last_words(office, who)
    assert [1] == waiting(office)
    assert "you have taken seek 1" in ask(office, who, "take 1")
    assert [] == waiting(office)


def test_in_another_game_a_mail_to_its_address_may_take_a_seek(office: Office) -> None:
    ask(office, ANNA, "seek bipod")
    a_thing(office)
    assert "done" == writes(office, BILL, "take 1")
    assert [] == waiting(office)


# Limits.


def test_a_limit_holds_for_its_game_and_the_challenger_hears_nothing_of_it(office: Office) -> None:
    told = ask(office, BILL, "limit bipod 1")
    assert "Bipod: no more than 1 running at once; 0 run now" in told
    ask(office, JOAO, "challenge Bill bipod")
    writes(office, BILL, "accept")
    heard = ask(office, ANNA, "challenge Bill bipod")
    assert "No game of Bipod with Bill can begin at present" in heard
    assert "limit" not in heard.partition("read:")[0]
    assert "on its way to Bill" in ask(office, ANNA, "challenge Bill begird")
    assert "You wish to have no more than 1 of Bipod running" in ask(office, BILL, "challenge Anna bipod")
    assert "You wish to have no more than 1 of Bipod running" in ask(office, BILL, "seek bipod")
    assert "You have set no limit" in ask(office, BILL, "limit bipod none")
    assert "on its way to Bill" in ask(office, ANNA, "challenge Bill bipod")


def test_a_limit_set_after_a_seek_holds_when_the_seek_is_taken(office: Office) -> None:
    ask(office, BILL, "seek bipod")
    ask(office, BILL, "limit bipod 0")
    assert "No game of Bipod with Bill can begin" in ask(office, JOAO, "take 1")
    assert [1] == waiting(office)
    assert game(office) is None


def test_a_limit_for_a_game_that_is_none_is_refused(office: Office) -> None:
    assert "No game is called chess here." in ask(office, BILL, "limit chess 2")
    assert "You have set no limit" in ask(office, BILL, "limit")


# Blocks.


def test_words_beside_a_resignation_between_two_kept_apart_do_not_stand_in_its_way(office: Office) -> None:
    ask(office, BILL, "challenge Joao bipod first")
    writes(office, JOAO, "accept")
    ask(office, JOAO, "block Bill")
    bills = [one for one in letters(office, BILL) if "#1" in one.header("Subject")][-1]
    assert "done" == reply(office, BILL, bills, "resign\n\nYou are no fun at all.")
    assert "done" == writes(office, BILL, "confirm\n\nNone at all.")
    found = game(office)
    assert found is not None and found.state.ending is not None
    assert "no fun at all" not in letters(office, JOAO)[-1].text
    assert "None at all" not in letters(office, JOAO)[-1].text


def test_a_block_ends_challenges_and_takes_both_ways_and_is_told_to_nobody(office: Office) -> None:
    ask(office, JOAO, "seek bipod")
    before = len(letters(office, JOAO))
    assert "You have blocked: Joao" in ask(office, BILL, "block joao")
    assert before == len(letters(office, JOAO))
    assert 'You have blocked Joao; "unblock Joao" ends that.' in ask(office, BILL, "challenge Joao bipod")
    heard = ask(office, JOAO, "challenge Bill bipod")
    assert "No game of Bipod with Bill can begin at present" in heard
    assert "block" not in heard.partition("read:")[0]
    assert "nobody else waits" in ask(office, BILL, "seeks")
    assert "You have blocked Joao" in ask(office, BILL, "take 1")
    ask(office, BILL, "seek begird")
    assert "nobody else waits" in ask(office, JOAO, "seeks")
    assert "No game of Begird with Bill can begin" in ask(office, JOAO, "take 2")
    assert "Bill seeks Begird" in ask(office, ANNA, "seeks")
    assert "You have blocked nobody." in ask(office, BILL, "unblock Joao")
    assert "you have taken seek 2" in ask(office, JOAO, "take 2")


def test_a_block_alone_lists_and_wrong_names_are_refused(office: Office) -> None:
    assert "You have blocked nobody." in ask(office, BILL, "block")
    assert "That is your own name." in ask(office, BILL, "block bill")
    assert "Nobody here is called Jaoo. Did you mean Joao?" in ask(office, BILL, "block Jaoo")
    assert "You have not blocked Anna." in ask(office, BILL, "unblock Anna")
    ask(office, BILL, "block Joao")
    ask(office, BILL, "block Joao; block Anna")
    assert "You have blocked: Anna Joao" in ask(office, BILL, "block")


def test_between_two_kept_apart_games_go_on_and_words_do_not(office: Office) -> None:
    ask(office, BILL, "challenge Joao bipod first")
    writes(office, JOAO, "accept")
    ask(office, JOAO, "block Bill")
    bills = [one for one in letters(office, BILL) if "#1" in one.header("Subject")][-1]
    before = len(letters(office, JOAO))
    assert "refused" == reply(office, BILL, bills, "say Are you there?")
    assert "No words go between you and Joao at present" in last_words(office, BILL)
    assert before == len(letters(office, JOAO))
    assert "done" == reply(office, BILL, bills, "f2\n\nHave a look at that.")
    assert "No words go between you and Joao" in last_words(office, BILL)
    assert "f2" in letters(office, JOAO)[-1].text
    assert "Have a look" not in letters(office, JOAO)[-1].text
    found = game(office)
    assert found is not None
    assert [""] == [ply.comment for ply in found.state.plies]
    joaos = letters(office, JOAO)[-1]
    assert "refused" == reply(office, JOAO, joaos, "say Hello")
    ask(office, JOAO, "unblock Bill")
    assert "done" == reply(office, JOAO, joaos, "say Hello")
    assert "Hello" in letters(office, BILL)[-1].text
