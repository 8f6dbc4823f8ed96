"""Several games in one mail: boards, one reply to many, stale parts."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from random import Random
from urllib.parse import unquote

import pytest

from pbem.core.clock.time_control import read_pace
from pbem.core.game.journal import PLY
from pbem.core.letters.boards import MAX_BOARDS
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import ReceivedLetter, new_mail, reply_mail
from pbem.store import inbox, players
from rules import RULES
from tests.amount import amount, some
from tests.apps import ANNA, BILL, JOAO, Town, example, flat

# The digest of boards, on request.


def test_boards_brings_every_board_that_waits_the_longest_waiting_first(town: Town) -> None:
    newer = town.game(JOAO, BILL, plies=1)
    theirs = town.game(JOAO, BILL)
    town.now -= timedelta(days=2)
    older = town.game(BILL, ANNA, "begird")
    town.pass_by(days=3)
    text = town.boards().text
    assert text.index(f"GAME {older.id}, Begird against Anna") < text.index(f"GAME {newer.id}, Bipod")
    assert f"GAME {theirs.id}," not in text


def test_boards_all_brings_those_too_that_wait_for_others(town: Town) -> None:
    mine, theirs = town.game(BILL, JOAO), town.game(JOAO, BILL)
    text = town.boards(words="boards all").text
    assert text.index(f"GAME {mine.id},") < text.index(f"GAME {theirs.id},")


def test_somebody_for_whom_nothing_waits_is_told_so(town: Town) -> None:
    assert "no board waits for you" in town.boards().text


@pytest.mark.parametrize("key", some(RULES, 2))
def test_boards_are_drawn_as_long_as_the_letter_stays_within_100_kilobytes(key: str, town: Town) -> None:
    drawn = []
    for n in range(1, amount(6, 9)):
        town.game(BILL, JOAO, key, plies=6, seed=n)
        letter = town.boards()
        if "GAME " in letter.text:
            drawn.append("<table class=board" in letter.html)
        assert 100_000 > len(letter.raw)
    assert sorted(drawn, reverse=True) == drawn
    assert drawn[0]


@pytest.mark.parametrize("key", some(RULES, 2))
def test_a_bundle_shows_twenty_boards_at_most_within_100_kilobytes_and_lists_the_rest(
    town: Town, key: str
) -> None:
    all_of_them = [town.game(BILL, JOAO, key, plies=2 * (n % 5), seed=n) for n in range(MAX_BOARDS + 3)]
    waiting = [game for game in all_of_them if game.state.to_play == 0]
    letter = town.boards()
    shown = [game for game in waiting if f"GAME {game.id}," in letter.text]
    assert min(MAX_BOARDS, len(waiting)) == len(shown)
    assert 100_000 > len(letter.raw)
    for game in waiting:
        assert game in shown or f"#{game.id} against Joao" in letter.text


# One reply to many.


@pytest.mark.parametrize("seed", some(range(6), 2))
def test_a_reply_with_a_move_for_each_board_plays_every_one_exactly_once(town: Town, seed: int) -> None:
    rng = Random(seed)
    numbers = []
    for n in range(rng.randrange(2, 7)):
        pair = rng.choice([(BILL, JOAO), (JOAO, BILL), (ANNA, BILL)])
        key = rng.choice(list(RULES))
        numbers.append(town.game(*pair, key, plies=rng.randrange(6), seed=seed + n).id)
    bundle = town.boards()
    before = {number: town.load(number) for number in numbers}
    waiting = [n for n, game in before.items() if game.state.to_play == game.seat_of(town.players[BILL])]
    if not waiting:
        assert "no board" in bundle.text
        return
    moved_on = {n for n in waiting if rng.random() < 0.3}
    for number in moved_on:  # by another letter, before the answer to this one
        town.mail(BILL, new_mail(BILL, town.lobby(BILL), "help"), town.lobby(BILL))
        (own,) = town.reply(BILL, bundle, f"game {number}\nshow")
        assert town.reply(BILL, own, example(before[number]))
    plies = {number: len(town.moves(number)) for number in numbers}
    spelling = ["game {}", "Game {}:", "GAME #{}", "game {}:"]
    blocks = [f"{rng.choice(spelling).format(n)}\n{example(before[n])}" for n in waiting]
    blocks += [f"game {rng.choice(waiting)}"]  # named twice, the second time with nothing below
    words = "Hello,\n\n" + "\n\n".join(blocks)
    raw, to = reply_mail(bundle, BILL, words), bundle.header("Reply-To")
    town.mail(BILL, raw, to)
    first = {number: town.moves(number) for number in numbers}
    assert [] == town.mail(BILL, raw, to)  # the same mail, once more
    town.reply(BILL, bundle, words)  # the same words in another mail
    for number in numbers:
        assert first[number] == town.moves(number)
        made = sum(entry.kind == PLY and "auto" not in entry.data for entry in town.load(number).journal)
        was = sum(entry.kind == PLY and "auto" not in entry.data for entry in before[number].journal)
        assert was + (number in waiting) == made
        if number not in waiting or number in moved_on:
            assert plies[number] == len(first[number])


def test_a_mail_for_several_games_gets_one_answer_and_each_opponent_a_letter(town: Town) -> None:
    one, two, three = town.game(BILL, JOAO), town.game(BILL, ANNA), town.game(BILL, JOAO)
    words = f"game {one.id}\nf2\n\nHello Joao\n\ngame {two.id}\nf99\n\ngame {three.id}\nk3\n"
    (told,) = town.reply(BILL, town.boards(), words)
    assert "Your boards, Bill" == told.header("Subject")
    assert f"DONE in game {one.id}, Bipod against Joao: your move 1 is f2." in told.text
    assert "to Joao: Hello Joao" in told.text
    assert f"NOT DONE in game {two.id}, Bipod against Anna:" in told.text
    assert f"DONE in game {three.id}, Bipod against Joao: your move 1 is k3." in told.text
    assert f"GAME {two.id}, Bipod against Anna: your move 1" in told.text  # still waiting
    assert f"GAME {one.id}," not in told.text
    assert 2 == sum("Your move, Joao" in letter.text for letter in town.letters(JOAO))
    assert [] == town.letters(ANNA)


def test_that_answer_says_until_when_there_is_time_and_what_went_with_a_move(town: Town) -> None:
    one, two = town.game(BILL, JOAO, time_control=read_pace("3d/move")), town.game(BILL, ANNA)
    town.now = town.now.replace(hour=15, minute=59)
    (told,) = town.reply(BILL, town.boards(), f"game {one.id}\nf2; draw\ngame {two.id}\nf2")
    words, time = flat(told.text), town.now + timedelta(days=3)
    assert "Your offer of a draw has gone to Joao with it. It is Joao's turn, move" in words
    assert f"Joao has until {time:%A} {time.day} {time:%B, %H:%M} UTC; the clock shows 3 days." in words


def test_a_bare_accept_is_told_in_which_game_something_is_on_offer(town: Town) -> None:
    one, two = town.game(BILL, JOAO), town.game(BILL, ANNA)
    town.mail(ANNA, new_mail(ANNA, town.lobby(ANNA), f"game {two.id}\ndraw"), town.lobby(ANNA))
    (told,) = town.reply(BILL, town.boards(), "accept")
    assert f'write "game {two.id}" on a line and "accept" on the line below it' in flat(told.text)
    (drawn,) = town.reply(BILL, told, f"game {two.id}\naccept")
    assert "The game is drawn, Bill." in drawn.text
    assert town.load(one.id).state.ending is None


@pytest.mark.parametrize("words", ["game 77\nf2", "game 1\nf2\ngame 77\nf2", "game77\nshow"])
def test_a_number_that_no_game_has_is_told(town: Town, words: str) -> None:
    town.game(BILL, JOAO), town.game(BILL, ANNA)
    *_, told = town.reply(BILL, town.boards(), words)
    assert "There is no game 77." in flat(told.text)
    assert ["f2"] * ("game 1" in words) == town.moves(1)


def test_that_answer_can_be_answered_like_a_bundle(town: Town) -> None:
    one, two, three = town.game(BILL, JOAO), town.game(BILL, ANNA), town.game(BILL, ANNA)
    (told,) = town.reply(BILL, town.boards(), f"game {one.id}\nf2\ngame {two.id}\nf2")
    (done,) = town.reply(BILL, told, f"game {three.id}\nf4")
    assert ["f4"] == town.moves(three.id)
    assert f"Bipod #{three.id}" in done.header("Subject")


def test_a_block_fails_as_a_whole_and_the_others_stand(town: Town) -> None:
    one, two = town.game(BILL, JOAO), town.game(BILL, ANNA)
    town.reply(BILL, town.boards(), f"game {one.id}\nf2\ndraw\ndraw\ngame {two.id}\nf2")
    assert ([], ["f2"]) == (town.moves(one.id), town.moves(two.id))


def test_two_moves_for_the_same_game_in_two_places_are_both_refused(town: Town) -> None:
    one, two = town.game(BILL, JOAO), town.game(BILL, ANNA)
    words = f"game {one.id}\nf2\ngame {two.id}\nf2\ngame {one.id}\nf4"
    (told,) = town.reply(BILL, town.boards(), words)
    assert ([], ["f2"]) == (town.moves(one.id), town.moves(two.id))
    assert "holds more than one move" in " ".join(told.text.split())


def test_games_left_empty_in_the_prepared_mail_are_left_as_they_are(town: Town) -> None:
    one, two = town.game(BILL, JOAO), town.game(BILL, ANNA)
    (told,) = town.reply(BILL, town.boards(), f"game {one.id}\nf2\n\n\ngame {two.id}\n\n\n")
    assert (["f2"], []) == (town.moves(one.id), town.moves(two.id))
    assert "There was no move" not in told.text


def test_the_button_begins_a_mail_with_the_number_of_each_game_and_room_between(town: Town) -> None:
    one, two = town.game(BILL, JOAO), town.game(BILL, ANNA)
    bundle = town.boards()
    (link,) = {*re.findall(r'href="(mailto:[^"]*body=[^"]*)"', bundle.html)}
    to, _, query = unescape(link).removeprefix("mailto:").partition("?")
    body = unquote(query.partition("&body=")[2])
    assert f"game {one.id}\r\n\r\n\r\ngame {two.id}\r\n" == body
    assert bundle.header("Reply-To") == to
    filled = body.replace(f"game {two.id}\r\n", f"game {two.id}\r\nf4\r\n")
    assert town.mail(BILL, new_mail(BILL, to, filled), to)  # such a mail has no In-Reply-To
    assert ([], ["f4"]) == (town.moves(one.id), town.moves(two.id))


def test_a_prepared_mail_sent_as_it_is_gets_an_answer(town: Town) -> None:
    one, two = town.game(BILL, JOAO), town.game(BILL, ANNA)
    assert 1 == len(town.reply(BILL, town.boards(), f"game {one.id}\n\n\ngame {two.id}\n\n\n"))


def test_moves_without_a_number_are_refused_and_the_answer_can_be_answered(town: Town) -> None:
    one, two = town.game(BILL, JOAO), town.game(BILL, ANNA)
    (told,) = town.reply(BILL, town.boards(), "f2\nf4")
    assert f'such as "game {one.id}" must come before' in " ".join(told.text.split())
    town.reply(BILL, told, f"game {two.id}\nf2")
    assert ([], ["f2"]) == (town.moves(one.id), town.moves(two.id))


def test_a_bundle_of_one_board_takes_a_move_alone(town: Town) -> None:
    one, _other = town.game(BILL, JOAO), town.game(JOAO, BILL)
    town.reply(BILL, town.boards(), "f2")
    assert ["f2"] == town.moves(one.id)


def test_a_bare_move_is_for_the_only_board_that_asked_for_one(town: Town) -> None:
    mine, theirs = town.game(BILL, JOAO), town.game(ANNA, BILL)
    bundle = town.boards(words="boards all")
    town.reply(BILL, bundle, "Good luck!\nf2")
    assert (["f2"], []) == (town.moves(mine.id), town.moves(theirs.id))
    town.reply(ANNA, town.boards(ANNA), "f2")
    town.reply(BILL, bundle, "f4")  # the letter asked for no move there
    assert (["f2"], ["f2"]) == (town.moves(mine.id), town.moves(theirs.id))


@pytest.mark.parametrize(("below", "played"), [(0, ["f2"]), (1, [])])
def test_a_bare_move_below_another_board_than_the_only_one_to_play_is_asked_about(
    town: Town, below: int, played: list[str]
) -> None:
    mine, theirs = town.game(BILL, JOAO), town.game(JOAO, BILL)
    bundle = town.boards(words="boards all")
    words = inline(bundle, {(mine.id, theirs.id)[below]: "f2"})
    (told,) = town.reply(BILL, bundle, words, quoting=False)
    assert ("must come before each move" in flat(told.text)) == (not played)
    assert (played, []) == (town.moves(mine.id), town.moves(theirs.id))


def test_words_alone_for_several_opponents_go_to_none(town: Town) -> None:
    town.game(BILL, JOAO)
    town.game(ANNA, BILL)
    before = len(town.letters(JOAO))
    town.reply(BILL, town.boards(words="boards all"), "Good luck to all of you!")
    assert before == len(town.letters(JOAO))


def test_a_number_that_only_a_mail_program_quoted_names_no_game(town: Town) -> None:
    one, two = town.game(BILL, JOAO), town.game(BILL, ANNA)
    words = f"> GAME {one.id}, Bipod against Joao\nf2\n> game {two.id}\nf4\n> ##- write"
    town.reply(BILL, town.boards(), words, quoting=False)
    assert ([], []) == (town.moves(one.id), town.moves(two.id))


def inline(bundle: ReceivedLetter, answers: dict[int, str]) -> str:
    """The digest of boards quoted whole, with words below some boards."""
    lines: list[str] = []
    below = ""
    for line in bundle.text.splitlines():
        if line.startswith(("GAME ", "TO PLAY")):
            lines += below.split("\n") if below else []
            number = line.split()[1].strip(",:")
            below = answers.get(int(number), "") if number.isdigit() else ""
        lines.append(f"> {line}".rstrip())
    return "\n".join(lines)


def test_moves_written_below_the_quoted_boards_need_their_numbers_too(town: Town) -> None:
    one, two = town.game(BILL, JOAO), town.game(BILL, ANNA)
    bundle = town.boards()
    (told,) = town.reply(BILL, bundle, inline(bundle, {one.id: "f2", two.id: "f4"}), quoting=False)
    assert "must come before each move" in " ".join(told.text.split())
    mixed = f"game {one.id}\n\n" + inline(bundle, {two.id: "f4"})  # for which of the two?
    (told,) = town.reply(BILL, bundle, mixed, quoting=False)
    assert "must come before each move" in " ".join(told.text.split())
    assert ([], []) == (town.moves(one.id), town.moves(two.id))
    numbered = {number: f"game {number}\n{move}" for number, move in ((one.id, "f2"), (two.id, "f4"))}
    town.reply(BILL, bundle, inline(bundle, numbered), quoting=False)
    assert (["f2"], ["f4"]) == (town.moves(one.id), town.moves(two.id))


def test_a_first_move_without_its_number_is_refused_with_the_rest(town: Town) -> None:
    one, two = town.game(BILL, JOAO), town.game(BILL, ANNA)
    (told,) = town.reply(BILL, town.boards(), f"f2\ngame {two.id}\nf4")
    assert "must come before each move" in " ".join(told.text.split())
    assert ([], []) == (town.moves(one.id), town.moves(two.id))


def test_words_below_the_quote_that_are_no_orders_do_no_harm(town: Town) -> None:
    one, _two = town.game(BILL, JOAO), town.game(BILL, ANNA)
    bundle = town.boards()
    words = f"game {one.id}\nf2\n\n{inline(bundle, {})}\n\nHave a nice day, and greet the cat."
    town.reply(BILL, bundle, words, quoting=False)
    assert ["f2"] == town.moves(one.id)


def test_twenty_games_in_one_mail_with_a_greeting_are_not_too_many(town: Town) -> None:
    numbers = [town.game(BILL, JOAO, "bagel", seed=n).id for n in range(MAX_BOARDS)]
    bundle = town.boards()
    blocks = "\n".join(f"game {number}\n{example(town.load(number))}" for number in numbers)
    assert 1 == len(town.reply(BILL, bundle, f"Hello everybody\n\n{blocks}"))
    assert {1} == {len(town.moves(number)) for number in numbers}


# Stale parts.


def test_a_move_for_a_game_that_moved_on_is_refused_and_the_others_are_made(town: Town) -> None:
    one, two = town.game(BILL, JOAO), town.game(BILL, ANNA)
    bundle = town.boards()
    town.reply(BILL, bundle, f"game {one.id}\nf2")
    town.reply(JOAO, town.letters(JOAO)[-1], "f4")
    (told,) = town.reply(BILL, bundle, f"game {one.id}\ng3\ngame {two.id}\nf2")
    assert (["f2", "f4"], ["f2"]) == (town.moves(one.id), town.moves(two.id))
    assert "Your move 1 is recorded as f2, and that does not change." in told.text


@pytest.mark.parametrize("quoting", [True, False])
def test_the_lobby_s_address_plays_no_ply_that_its_letter_could_not_know(town: Town, quoting: bool) -> None:
    one, _two = town.game(JOAO, BILL, plies=1), town.game(BILL, ANNA)
    (listed,) = town.mail(BILL, new_mail(BILL, town.lobby(BILL), "games"), town.lobby(BILL))
    town.reply(BILL, town.boards(), f"game {one.id}\nf2")
    town.pass_by(hours=1)
    town.reply(JOAO, town.letters(JOAO)[-1], "k3")
    before = town.moves(one.id)
    (told,) = town.reply(BILL, listed, f"game {one.id}\nm1", quoting=quoting)
    assert before == town.moves(one.id)
    assert "is recorded as f2" in " ".join(told.text.split())
    town.reply(BILL, told, "m1")  # the answer shows the board, and takes the move
    assert [*before, "m1"] == town.moves(one.id)


def test_a_letter_of_one_game_plays_no_ply_of_another_that_it_could_not_know(town: Town) -> None:
    one, two = town.game(BILL, ANNA), town.game(JOAO, BILL)
    (own,) = town.reply(BILL, town.boards(), f"game {one.id}\nshow")
    town.pass_by(hours=1)
    town.reply(JOAO, town.boards(JOAO), f"game {two.id}\nf2")
    assert ["f2"] == town.moves(two.id)
    town.reply(BILL, own, f"f2\ngame {two.id}\nf4")
    assert (["f2"], ["f2"]) == (town.moves(one.id), town.moves(two.id))


def test_a_new_mail_to_a_lobby_address_of_yesterday_plays_nothing_made_today(town: Town) -> None:
    two = town.game(JOAO, BILL)
    to = town.lobby(BILL)
    town.pass_by(days=1)
    town.reply(JOAO, town.boards(JOAO), f"game {two.id}\nf2")
    town.mail(BILL, new_mail(BILL, to, f"game {two.id}\nf4"), to)
    assert ["f2"] == town.moves(two.id)
    town.mail(
        BILL, new_mail(BILL, to, f"game {two.id}\n#2 f4"), to
    )  # a ply number proves that the board is known
    assert ["f2", "f4"] == town.moves(two.id)


def test_a_game_that_the_bundle_did_not_show_is_as_with_a_letter_of_that_hour(town: Town) -> None:
    shown = town.game(BILL, JOAO)
    bundle = town.boards()
    town.pass_by(hours=1)
    later = town.game(JOAO, BILL, plies=1)
    before = town.moves(later.id)
    town.reply(BILL, bundle, f"game {later.id}\nf4\ngame {shown.id}\nf2")
    assert (before, ["f2"]) == (town.moves(later.id), town.moves(shown.id))


# Senders who may answer.


def test_nobody_else_can_use_a_bundle_s_address(town: Town) -> None:
    one, two = town.game(BILL, JOAO), town.game(BILL, ANNA)
    bundle = town.boards()
    raw = reply_mail(bundle, JOAO, f"game {one.id}\nf2\ngame {two.id}\nf2")
    town.mail(JOAO, raw, bundle.header("Reply-To"))
    assert ([], []) == (town.moves(one.id), town.moves(two.id))
    assert "used" in town.letters(BILL)[-1].text or "address" in town.letters(BILL)[-1].text


def test_a_bundle_s_address_is_void_after_ninety_days_and_once_revoked(town: Town) -> None:
    one = town.game(BILL, JOAO)
    bundle = town.boards()
    town.pass_by(days=92)
    town.reply(BILL, bundle, f"game {one.id}\nf2")
    assert [] == town.moves(one.id)
    newer = town.boards()
    with town.app.store.write() as db:
        players.revoke_addresses(db, town.players[BILL])
    town.reply(BILL, newer, f"game {one.id}\nf2")
    assert [] == town.moves(one.id)


def test_who_stopped_receipts_gets_none_for_several_games_but_hears_of_what_failed(town: Town) -> None:
    one, two, three = (town.game(BILL, JOAO) for _ in range(3))
    bundle = town.boards()
    with town.app.store.write() as db:
        players.set_category_stopped(db, town.players[BILL], "receipts")
    told = town.reply(BILL, bundle, f"game {one.id}\nf2\ngame {two.id}\nf2")
    assert "receipts" not in {letter.header("Message-ID").split(".")[1] for letter in told}
    (told_of,) = town.reply(BILL, bundle, f"game {one.id}\nf4\ngame {three.id}\nf2")
    assert "NOT DONE" in told_of.text


@pytest.mark.each_database
def test_two_players_answer_their_bundles_at_the_same_time(town: Town) -> None:
    """Both name the same games in opposite orders, without a deadlock."""
    from threading import Thread

    numbers = [town.game(BILL, JOAO).id if n % 2 else town.game(JOAO, BILL).id for n in range(6)]
    bills, joaos = town.boards(BILL), town.boards(JOAO)
    keys = []
    for who, bundle, order in ((BILL, bills, numbers), (JOAO, joaos, numbers[::-1])):
        mine = [n for n in order if town.load(n).seats[0].address == who]
        words = "\n".join(f"game {n}\n{'f2' if n in mine else 'say Hello'}" for n in order)
        (key,) = receive(town.app, reply_mail(bundle, who, words), who, [bundle.header("Reply-To")])
        keys.append(int(key[1:]))
    threads = [Thread(target=process, args=(town.app, key)) for key in keys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with town.app.store.read() as db:
        assert ["done", "done"] == [kept.state for key in keys if (kept := inbox.mail_by_id(db, key))]
    assert [["f2"]] * 6 == [town.moves(number) for number in numbers]
