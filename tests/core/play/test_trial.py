"""The command `try`: boards after moves, for both seats of every game."""

from __future__ import annotations

from random import Random

import pytest

from pbem.core.parsing.mail_orders import read_orders
from pbem.core.play.show import MAX_PLIES, try_out
from rules import RULES
from rules.contract import NoMove
from tests.people import SEED_GAME, a_game, asks


def texts(trial) -> list[str]:
    return [step.move for step in trial.steps]


@pytest.mark.parametrize("key", RULES)
def test_what_is_tried_is_what_would_be_played(key):
    rng = Random(7)
    position = start = RULES[key].start({})
    moves = []
    while position.to_play is not None and len(moves) < MAX_PLIES:
        move = position.sample(rng)
        moves.append(str(move))
        position = position.follow(position.split(move)[0])
    trial = try_out(start, moves)
    assert "" == trial.problem
    assert len(moves) == len(trial.steps)
    assert position.data() == trial.steps[-1].position.data()


@pytest.mark.parametrize("key", RULES)
def test_a_line_with_try_is_read_in_every_game_and_changes_nothing(key):
    game = a_game(key=key)
    rng = Random(3)
    first = game.state.position.sample(rng)
    second = game.state.position.split(first)[0]
    then = game.state.position.follow(second).sample(rng)
    for seat in (0, 1):
        done = asks(game, seat, f"TRY {first} Then {then}")
        assert ((), "") == (done.entries, done.refused)
        assert ["tried"] == [letter.kind for letter in done.letters]
        assert 2 == len(done.letters[0].told["trial"].steps)
        assert game.state.position.data() == done.state.position.data()


def test_a_trial_stops_where_a_ply_cannot_be_made_and_says_why():
    trial = try_out(a_game(SEED_GAME[:4]).state.position, ["F2", "f7", "k3"])
    assert ["F2"] == texts(trial)
    assert "there is no row 7" in trial.problem


def test_nothing_is_tried_of_more_plies_than_a_letter_has_room_for():
    trial = try_out(a_game().state.position, ["f2"] * (MAX_PLIES + 1))
    assert ((), f"At most {MAX_PLIES} moves can be tried at once.") == (trial.steps, trial.problem)


def test_nothing_can_be_tried_after_the_rules_have_ended_the_game():
    rng = Random(1)
    position = RULES["bipod"].start({})
    while position.to_play is not None:
        position = position.follow(position.sample(rng))
    assert "ended by its rules" in try_out(position, ["f2"]).problem


def test_one_may_try_on_after_a_resignation_and_on_the_others_turn():
    game = a_game(SEED_GAME)
    over = game.with_entries(asks(game, 1, "resign").entries)
    move = over.state.position.examples()[0]
    for seat in (0, 1):
        assert [move] == texts(asks(over, seat, f"try {move}").letters[0].told["trial"])


def test_a_trial_below_a_move_begins_from_the_board_after_it():
    done = asks(a_game(SEED_GAME[:4]), 0, "F2\ntry k3")
    assert ["ply"] == [entry.kind for entry in done.entries]
    (letter,) = (letter for letter in done.letters if letter.kind == "tried")
    assert [6] == [step.n for step in letter.told["trial"].steps]


def test_a_trial_above_a_move_begins_from_the_board_before_it():
    done = asks(a_game(SEED_GAME[:4]), 0, "try k3\nF2")
    (letter,) = (letter for letter in done.letters if letter.kind == "tried")
    assert [5] == [step.n for step in letter.told["trial"].steps]
    assert ["F2"] == [entry.data["move"] for entry in done.entries]


@pytest.mark.parametrize("words", ["F2\ntry f7", "try f7\nF2", "try f7; say hello"])
def test_a_trial_that_fails_beside_other_commands_stops_them_all(words):
    done = asks(a_game(SEED_GAME[:4]), 0, words)
    assert () == done.entries
    assert ["refused"] == [letter.kind for letter in done.letters]
    assert "nothing of your mail was done" in done.refused


def test_a_failed_trial_alone_is_refused_with_the_board():
    done = asks(a_game(SEED_GAME[:4]), 0, "try f7")
    assert "there is no row 7" in done.refused
    assert ["tried"] == [letter.kind for letter in done.letters]


def test_no_standing_orders_answer_in_a_trial():
    game = a_game(key="hexthing")
    first = next(text for text in game.state.position.examples() if "bid" in text)
    hidden = asks(game, 0, f"{first} max 12")
    assert hidden.entries[0].data["standing"]
    game = game.with_entries(hidden.entries)
    trial = asks(game, 1, "try bid 5 max 9").letters[0].told["trial"]
    assert ["bid 5"] == texts(trial)


@pytest.mark.parametrize("line", ["try again tomorrow", "try it", "Try to see it my way", "try", "try f2 or"])
def test_prose_that_begins_with_try_is_no_trial(line):
    assert () == read_orders(line, marked=True, reader=reads).blocks


def reads(text: str) -> str:
    if text not in ("f2", "f4"):
        raise NoMove(text)
    return text


@pytest.mark.parametrize("words", ["try f2 then\nf4", "try f2\nthen f4", "TRY: f2 then\n  f4 then\nf2"])
def test_a_trial_that_a_mail_program_broke_is_put_together_again(words):
    (block,) = read_orders(words, marked=True, reader=reads).blocks
    assert ["f2", "f4"] == block.commands[0].args["moves"][:2]
    assert "" == block.comment


def test_a_trial_of_which_only_a_part_is_a_move_is_refused_and_not_sent_as_words():
    done = asks(a_game(SEED_GAME[:4]), 0, "F2\ntry k3 then whatever")
    assert () == done.entries
    assert "nothing of your mail was done" in done.refused
    done = asks(a_game(SEED_GAME[:4]), 0, "try F2 then whatever")
    assert "That is no move of Bipod" in done.refused
