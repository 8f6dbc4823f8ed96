"""Seeks by mail: made, listed, taken once, cancelled; limits and blocks. All run on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from pbem.app import App
from pbem.core.game.game import Game
from pbem.inbox.process import process, work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import ReceivedLetter, reply_mail
from pbem.store import challenges, games
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
from tests.snapshots import once


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_RUNNING_GAMES": "3"}


@pytest.fixture
def app(app: App) -> App:
    once(app, "three players", lambda: _register(app))
    return app


def _register(app: App) -> None:
    for who, name in ((BILL, "Bill"), (JOAO, "Joao"), (ANNA, "Anna")):
        register(app, who, name)


def welcome(app: App, who: str) -> ReceivedLetter:
    """A letter about no game."""
    return next(letter for letter in letters(app, who) if "Welcome" in letter.header("Subject"))


def ask(app: App, who: str, words: str) -> str:
    """Answer the welcome with `words`; return the reply's text."""
    reply(app, who, welcome(app, who), words)
    return last_words(app, who)


def game(app: App, number: int = 1) -> Game | None:
    with app.store.read() as db:
        return games.load_game(db, app.games_by_key, number)


def waiting(app: App) -> list[int]:
    with app.store.read() as db:
        return [seek.id for seek in challenges.open_seeks(db, app.games_by_key, app.now())]


def test_a_seek_waits_in_public_and_begins_the_game_it_asks_for(app: App) -> None:
    told = ask(app, BILL, "seek bipod size=4 stones=1 3d/move unrated first soft")
    assert "your seek waits now" in told
    assert "3d/move, soft" in told
    listed = ask(app, JOAO, "seeks")
    assert "Seek 1: Bill seeks Bipod, size=4" in listed
    assert "3 days for each move, soft, unrated, Bill first" in listed
    begun = ask(app, JOAO, "take 1\n\nGood luck, Bill.")
    assert "Joao, you have taken seek 1 of Bill: the game begins." in begun
    bills = last_words(app, BILL)
    assert "Joao has taken your seek 1: the game begins. You are first" in bills
    assert "Good luck, Bill." in bills
    found = game(app)
    assert found is not None
    assert ("Bill", "Joao") == (found.seats[0].name, found.seats[1].name)
    assert ("3d/move", False, True, "4") == (
        str(found.time_control),
        found.rated,
        found.soft,
        str(found.options["size"]),
    )
    assert [] == waiting(app)


def test_nobody_takes_his_own_seek_and_the_list_keeps_it_apart(app: App) -> None:
    ask(app, BILL, "seek bipod")
    assert 'Seek 1 is your own; "withdraw 1" takes it back.' in ask(app, BILL, "take 1")
    listed = ask(app, BILL, "seeks")
    assert "nobody else waits" in listed
    assert "Your own: Seek 1: Bipod" in listed
    assert "You seek: Seek 1: Bipod" in ask(app, BILL, "games")
    ask(app, JOAO, "take 1")
    told = ask(app, BILL, "take 1")
    assert "Seek 1 has been taken" in told and "takes it back" not in told


def test_a_seek_that_was_taken_is_taken(app: App) -> None:
    ask(app, BILL, "seek bipod")
    ask(app, JOAO, "take 1")
    assert "Seek 1 has been taken" in ask(app, ANNA, "take 1")
    assert "You have taken seek 1 before" in ask(app, JOAO, "take 1")
    assert "There is no seek 7" in ask(app, ANNA, "take 7")
    assert game(app, 2) is None


@pytest.mark.each_database
def test_a_seek_taken_twice_at_once_begins_one_game(app: App) -> None:
    ask(app, BILL, "seek bipod")
    keys = []
    for who in (JOAO, ANNA):
        letter = welcome(app, who)
        keys += receive(app, reply_mail(letter, who, "take 1"), who, [letter.header("Reply-To")])
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda key: process(app, int(key[1:])), keys))
    work_through(app)
    assert ["done", "refused"] == sorted(state(app, key) for key in keys)
    assert game(app, 1) is not None
    assert game(app, 2) is None


@pytest.mark.each_database
def test_a_seek_taken_back_and_taken_at_once_is_one_or_the_other(app: App) -> None:
    ask(app, BILL, "seek bipod")
    keys = []
    for who, words in ((BILL, "withdraw 1"), (JOAO, "take 1")):
        letter = welcome(app, who)
        keys += receive(app, reply_mail(letter, who, words), who, [letter.header("Reply-To")])
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda key: process(app, int(key[1:])), keys))
    work_through(app)
    withdrawn, taken = (state(app, key) for key in keys)
    assert {"done", "refused"} == {withdrawn, taken}
    assert (taken == "done") == (game(app) is not None)


def test_a_seek_can_be_taken_back_by_its_owner_alone(app: App) -> None:
    ask(app, BILL, "seek bipod")
    assert "no open seek or challenge with the number 1" in ask(app, JOAO, "withdraw 1")
    assert "you have taken back seek 1" in ask(app, BILL, "withdraw 1")
    assert "Seek 1 is not open any more" in ask(app, JOAO, "take 1")
    assert "no open seek or challenge with the number 1" in ask(app, BILL, "withdraw 1")


def test_withdraw_without_a_number_means_the_letter_answered_or_the_only_one(app: App) -> None:
    assert "You have no seek or challenge open." in ask(app, BILL, "withdraw")
    ask(app, BILL, "seek bipod")
    first = letters(app, BILL)[-1]
    ask(app, BILL, "seek begird")
    assert 'write "withdraw 1" or "withdraw 2"' in ask(app, BILL, "withdraw")
    reply(app, BILL, first, "withdraw")
    assert [2] == waiting(app)
    ask(app, BILL, "withdraw")
    assert [] == waiting(app)


def test_a_challenge_is_taken_back_too_and_the_other_told(app: App) -> None:
    ask(app, BILL, "challenge Joao bipod")
    challenge = letters(app, JOAO)[-1]
    assert '1 to Joao for the same game waits already; "withdraw 1" takes it back.' in ask(
        app, BILL, "challenge Joao bipod 3d/move"
    )
    assert "you have taken back challenge 1" in ask(app, BILL, "withdraw 1")
    assert "Bill has taken back challenge 1" in last_words(app, JOAO)
    assert "refused" == reply(app, JOAO, challenge, "accept")
    assert game(app) is None


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
    app: App, words: str
) -> None:
    ask(app, BILL, "challenge Joao bipod second")
    ask(app, JOAO, "accept 1")
    ask(app, ANNA, "challenge Joao bipod second")
    challenge = letters(app, JOAO)[-1]
    ask(app, ANNA, "seek bipod second")
    begun = game(app)
    assert begun is not None
    ask(app, JOAO, words)
    assert game(app) == begun
    reply(app, JOAO, challenge, words.replace(" 2", ""))
    assert game(app) == begun


@pytest.mark.parametrize("words", ["seek bagel", "accept 2", "decline 2", "take 3", "challenge Anna bagel"])
def test_a_move_below_the_number_of_the_only_game_is_played_there_whatever_stands_above_it(
    app: App, words: str
) -> None:
    ask(app, BILL, "challenge Joao bipod second")
    ask(app, JOAO, "accept 1")
    ask(app, ANNA, "challenge Joao bipod second")
    ask(app, ANNA, "seek bipod second")
    ask(app, JOAO, f"{words}\n\ngame 1\nf2")
    assert ["f2"] == moves(app)


def test_a_move_below_a_challenge_declined_is_told_where_it_belongs_and_is_no_word_to_the_challenger(
    app: App,
) -> None:
    ask(app, BILL, "challenge Joao bipod second")
    ask(app, JOAO, "accept 1")
    ask(app, ANNA, "challenge Joao bipod second")
    before = len(letters(app, JOAO))
    ask(app, JOAO, "decline 2\nf2")
    told = " ".join(letter.text for letter in letters(app, JOAO)[before:])
    assert "belongs to no game; it is your turn in game 1" in flat(told)
    assert "you have declined challenge 2" in flat(told)
    assert "f2" not in last_words(app, ANNA)


@pytest.mark.parametrize("words", ["f2", "Hello\n\nf2 f4, g3.\nHave fun"])
def test_a_move_that_may_be_for_any_game_or_none_is_told_that_not_to_be_written_otherwise(
    app: App, words: str
) -> None:
    assert 'You have no game running. To begin a game, write "play bipod".' in flat(ask(app, ANNA, words))
    for number in (1, 2):
        ask(app, BILL, "challenge Joao bipod second")
        ask(app, JOAO, f"accept {number}")
    told = ask(app, JOAO, words)
    assert "belongs to no game; it is your turn in games 1 and 2." in told
    ask(app, BILL, "challenge Joao bipod second")
    ask(app, JOAO, "accept 3")
    assert "it is your turn in games 1, 2 and 3." in ask(app, JOAO, words)
    assert "alone on a line" not in told
    assert [] == moves(app)


def test_a_challenge_s_letter_can_be_answered_with_the_first_ply_once_the_game_has_begun(
    app: App, clock: Clock
) -> None:
    ask(app, BILL, "challenge Joao bipod second")
    challenge = letters(app, JOAO)[-1]
    ask(app, JOAO, "accept 1")
    ask(app, BILL, "challenge Joao begird second")
    ask(app, JOAO, "accept 2")
    clock.pass_by(minutes=1)
    assert "done" == reply(app, JOAO, challenge, "f2")
    assert ["f2"] == moves(app)
    assert "done" == writes(app, BILL, "game 1\ng3")
    assert "refused" == reply(app, JOAO, challenge, "h4")
    assert ["f2", "g3"] == moves(app)


def test_a_challenge_to_somebody_is_no_seek_for_others(app: App) -> None:
    ask(app, BILL, "challenge Joao bipod")
    assert "There is no seek 1" in ask(app, ANNA, "take 1")
    assert "There is no seek 1" in ask(app, JOAO, "take 1")
    assert "nobody else waits" in ask(app, ANNA, "seeks")


def test_accepting_the_number_of_a_seek_says_how_it_is_taken(app: App) -> None:
    ask(app, BILL, "seek bipod")
    assert '1 is a seek; "take 1" takes it.' in ask(app, JOAO, "accept 1")


def test_a_seek_lapses_after_30_days(app: App, clock: Clock) -> None:
    ask(app, BILL, "seek bipod")
    clock.pass_by(days=29, hours=23)
    assert [1] == waiting(app)
    clock.pass_by(hours=1)
    assert [] == waiting(app)
    assert "Seek 1 is not open any more" in ask(app, JOAO, "take 1")


def test_the_same_seek_twice_and_more_than_five_are_refused(app: App) -> None:
    for n, pace in enumerate(("1d/move", "2d/move", "3d/move", "4d/move", "5d/move")):
        assert "waits now" in ask(app, BILL, f"seek bipod {pace}")
        assert f"Your seek {n + 1} for the same game waits already" in ask(app, BILL, f"seek bipod {pace}")
    assert '"withdraw 1" takes one back' in ask(app, BILL, "seek bipod 6d/move")
    assert [1, 2, 3, 4, 5] == waiting(app)


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
def test_a_seek_that_cannot_be_is_refused_with_the_reason(app: App, words: str, why: str) -> None:
    assert why in ask(app, BILL, words)
    assert [] == waiting(app)


def test_neither_takes_more_games_than_there_is_room_for(app: App) -> None:
    for n in range(1, 4):
        ask(app, BILL, f"seek bipod {n}d/move")
    ask(app, ANNA, "seek bipod")
    for n in range(1, 4):
        ask(app, JOAO, f"take {n}")
    assert "You have 3 games running" in ask(app, JOAO, "take 4")
    assert "You have 3 games running" in ask(app, BILL, "seek begird")
    assert game(app, 4) is None
    assert [4] == waiting(app)


@pytest.mark.parametrize(
    "words", ["seek a game with me", "seek", "take it", "take 2 stones", "block you", "black", "make 3"]
)
def test_prose_that_begins_like_a_command_stays_prose(app: App, words: str) -> None:
    assert "I did not understand" in ask(app, BILL, words)


# Hexagonal Thing has a `take` of its own.


def a_thing(app: App) -> None:
    """Game 1, Hexagonal Thing, Bill first, who must name a hex."""
    ask(app, BILL, "challenge Joao hexthing first")
    writes(app, JOAO, "accept")


def until_a_hex_is_due(app: App) -> str:
    """Play until a hex must be named; return the player's address."""
    for _ in range(60):
        found = game(app)
        assert found is not None and found.state.to_play is not None
        who = (BILL, JOAO)[found.state.to_play]
        examples = found.state.position.examples()
        if examples[0].startswith(("take ", "put ")):
            return who
        move = next((text for text in examples if text.startswith(("play", "lot"))), examples[-1])
        letter = [one for one in letters(app, who) if "#1" in one.header("Subject")][-1]
        assert "done" == reply(app, who, letter, move), (move, letters(app, who)[-1].text)
    raise AssertionError("no hex came due")


def test_while_a_game_waits_for_a_hex_a_mail_to_its_address_takes_no_seek(app: App) -> None:
    ask(app, ANNA, "seek bipod")
    a_thing(app)
    who = until_a_hex_is_due(app)
    letter = [one for one in letters(app, who) if "#1" in one.header("Subject")][-1]
    assert "refused" == reply(app, who, letter, "take 1")
    assert "Game 1 waits for a hex, such as" in last_words(app, who)
    assert [1] == waiting(app)
    assert "you have taken seek 1" in ask(app, who, "take 1")
    assert [] == waiting(app)


def test_in_another_game_a_mail_to_its_address_may_take_a_seek(app: App) -> None:
    ask(app, ANNA, "seek bipod")
    a_thing(app)
    assert "done" == writes(app, BILL, "take 1")
    assert [] == waiting(app)


# Limits.


def test_a_limit_holds_for_its_game_and_the_challenger_hears_nothing_of_it(app: App) -> None:
    told = ask(app, BILL, "limit bipod 1")
    assert "Bipod: no more than 1 running at once; 0 run now" in told
    ask(app, JOAO, "challenge Bill bipod")
    writes(app, BILL, "accept")
    heard = ask(app, ANNA, "challenge Bill bipod")
    assert "No game of Bipod with Bill can begin at present" in heard
    assert "limit" not in heard.partition("read:")[0]
    assert "on its way to Bill" in ask(app, ANNA, "challenge Bill begird")
    assert "You want at most 1 games of Bipod at a time" in ask(app, BILL, "challenge Anna bipod")
    assert "You want at most 1 games of Bipod at a time" in ask(app, BILL, "seek bipod")
    assert "You have set no limit" in ask(app, BILL, "limit bipod none")
    assert "on its way to Bill" in ask(app, ANNA, "challenge Bill bipod")


def test_a_limit_set_after_a_seek_holds_when_the_seek_is_taken(app: App) -> None:
    ask(app, BILL, "seek bipod")
    ask(app, BILL, "limit bipod 0")
    assert "No game of Bipod with Bill can begin" in ask(app, JOAO, "take 1")
    assert [1] == waiting(app)
    assert game(app) is None


def test_a_limit_for_a_game_that_is_none_is_refused(app: App) -> None:
    assert "No game is called chess here." in ask(app, BILL, "limit chess 2")
    assert "You have set no limit" in ask(app, BILL, "limit")


# Blocks.


def test_words_beside_a_resignation_between_two_kept_apart_do_not_stand_in_its_way(app: App) -> None:
    ask(app, BILL, "challenge Joao bipod first")
    writes(app, JOAO, "accept")
    ask(app, JOAO, "block Bill")
    bills = [one for one in letters(app, BILL) if "#1" in one.header("Subject")][-1]
    assert "done" == reply(app, BILL, bills, "resign\n\nYou are no fun at all.")
    assert "done" == writes(app, BILL, "confirm\n\nNone at all.")
    found = game(app)
    assert found is not None and found.state.ending is not None
    assert "no fun at all" not in letters(app, JOAO)[-1].text
    assert "None at all" not in letters(app, JOAO)[-1].text


def test_a_block_ends_challenges_and_takes_both_ways_and_is_told_to_nobody(app: App) -> None:
    ask(app, JOAO, "seek bipod")
    before = len(letters(app, JOAO))
    assert "You have blocked: Joao" in ask(app, BILL, "block joao")
    assert before == len(letters(app, JOAO))
    assert 'You have blocked Joao; "unblock Joao" ends that.' in ask(app, BILL, "challenge Joao bipod")
    heard = ask(app, JOAO, "challenge Bill bipod")
    assert "No game of Bipod with Bill can begin at present" in heard
    assert "block" not in heard.partition("read:")[0]
    assert "nobody else waits" in ask(app, BILL, "seeks")
    assert "You have blocked Joao" in ask(app, BILL, "take 1")
    ask(app, BILL, "seek begird")
    assert "nobody else waits" in ask(app, JOAO, "seeks")
    assert "No game of Begird with Bill can begin" in ask(app, JOAO, "take 2")
    assert "Bill seeks Begird" in ask(app, ANNA, "seeks")
    assert "You have blocked nobody." in ask(app, BILL, "unblock Joao")
    assert "you have taken seek 2" in ask(app, JOAO, "take 2")


def test_a_block_alone_lists_and_wrong_names_are_refused(app: App) -> None:
    assert "You have blocked nobody." in ask(app, BILL, "block")
    assert "That is your own name." in ask(app, BILL, "block bill")
    assert "Nobody here is called Jaoo. Did you mean Joao?" in ask(app, BILL, "block Jaoo")
    assert "You have not blocked Anna." in ask(app, BILL, "unblock Anna")
    ask(app, BILL, "block Joao")
    ask(app, BILL, "block Joao; block Anna")
    assert "You have blocked: Anna Joao" in ask(app, BILL, "block")


def test_between_two_kept_apart_games_go_on_and_words_do_not(app: App) -> None:
    ask(app, BILL, "challenge Joao bipod first")
    writes(app, JOAO, "accept")
    ask(app, JOAO, "block Bill")
    bills = [one for one in letters(app, BILL) if "#1" in one.header("Subject")][-1]
    before = len(letters(app, JOAO))
    assert "refused" == reply(app, BILL, bills, "say Are you there?")
    assert "Messages between you and Joao are off" in last_words(app, BILL)
    assert before == len(letters(app, JOAO))
    assert "done" == reply(app, BILL, bills, "f2\n\nHave a look at that.")
    assert "Messages between you and Joao are off" in last_words(app, BILL)
    assert "f2" in letters(app, JOAO)[-1].text
    assert "Have a look" not in letters(app, JOAO)[-1].text
    found = game(app)
    assert found is not None
    assert [""] == [ply.comment for ply in found.state.plies]
    joaos = letters(app, JOAO)[-1]
    assert "refused" == reply(app, JOAO, joaos, "say Hello")
    ask(app, JOAO, "unblock Bill")
    assert "done" == reply(app, JOAO, joaos, "say Hello")
    assert "Hello" in letters(app, BILL)[-1].text
