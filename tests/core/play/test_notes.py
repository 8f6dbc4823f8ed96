"""Private notes: their bounds in a mail, and their secrecy."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.core.parsing.mail_orders import read_orders
from pbem.core.play.notes import MAX_LETTER, MAX_NOTE, Note, newest_notes, notes_by_game
from rules.contract import NoMove
from tests.mail.letters import part_of_letter, write_sample
from tests.people import NOON, SEED_GAME, a_game, asks

SECRET = "Sesame"


def reads(text: str) -> str:
    """A game whose moves are f2 and f4."""
    if text not in ("f2", "f4"):
        raise NoMove(text)
    return text


def parts(words: str) -> tuple[list[str], str, str | None]:
    """The commands without the note, the words sent on, and the note."""
    orders = read_orders(words, marked=True, reader=reads)
    block = orders.blocks[0]
    notes = [command.args["words"] for command in block.commands if command.verb == "note"]
    others = [command.text for command in block.commands if command.verb != "note"]
    return others, block.comment, notes[0] if notes else None


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("note my plan", ([], "", "my plan")),
        ("NOTE: my plan", ([], "", "my plan")),
        ("Note : my plan", ([], "", "my plan")),
        ("note my plan\n\nis long\n", ([], "", "my plan\n\nis long")),
        ("f2\nnote my plan", (["f2"], "", "my plan")),
        ("f2; note my plan", (["f2"], "", "my plan")),
        ("f2\nWell played!\n\nnote my plan", (["f2"], "Well played!", "my plan")),
        ("f2\nWell played!\nnote my plan\nis long", (["f2"], "Well played!", "my plan\nis long")),
        ("say hello\nnote my plan", ([], "hello", "my plan")),
        ("say hello; note my plan", ([], "hello", "my plan")),
        ("f2; say hello; note my plan", (["f2"], "hello", "my plan")),
        ("note my plan\nsay hello", ([], "", "my plan\nsay hello")),
        ("note my plan\nf2\nresign", ([], "", "my plan\nf2\nresign")),
        ("note a\nnote b", ([], "", "a\nnote b")),
        ("Hello!\nnote my plan", ([], "", "my plan")),
        ("f2\nntoe my plan", (["f2"], "", "my plan")),
        ("nots my plan", ([], "", "my plan")),
    ],
)
def test_a_note_takes_all_from_its_word_on_and_nothing_above(words, found):
    assert found == parts(words)


@pytest.mark.parametrize(
    "comment",
    [
        "Please take\nnote of the date.",
        "Note that I am away.",
        "None of this was easy.",
        "I like it; note the fork.",
        "I noted it.",
        "Vote for me.",
        "A good one.\nntoe is no word.",
    ],
)
def test_words_that_are_no_note_go_to_the_other_player(comment):
    assert (["f2"], comment, None) == parts(f"f2\n{comment}")


def test_a_note_ends_where_another_game_begins():
    orders = read_orders("game 1\nnote mine\ngame 2\nf2", marked=True, reader_of=lambda _: reads)
    assert [("note mine",), ("f2",)] == [tuple(c.text for c in block.commands) for block in orders.blocks]


def test_reply_addresses_and_links_are_taken_out_of_a_note():
    token = "play+aeaqbf2lk3jq7wzr4m2vbc6dxy5npt3hgs2a@pbem.example.org"
    link = "https://pbem.example.org/unsubscribe/aeaqbf2lk3jq7wzr4m2vbc6dxy5npt3hgs2a"
    _, _, note = parts(f"note see {token}\nand {link}")
    assert "see [address removed]\nand [link removed]" == note


def test_a_note_is_kept_beside_the_journal_and_told_to_its_writer_alone():
    middle = a_game(SEED_GAME[:4])
    done = asks(middle, 0, f"F2\nYour turn.\nnote {SECRET}")
    assert (SECRET,) == done.notes
    assert [{"move": "F2", "comment": "Your turn."}] == [dict(entry.data) for entry in done.entries]
    assert SECRET not in json.dumps([dict(e.data) for e in middle.with_entries(done.entries).journal])
    told = {
        letter.player.name
        for letter in done.letters
        if any(SECRET in part_of_letter(write_sample(letter), p) for p in ("plain", "html"))
    }
    assert {"Bill"} == told
    assert ["Joao"] == [letter.player.name for letter in done.letters if letter.kind == "turn"]


@pytest.mark.parametrize("words", ["f7\nnote x", "f7; note x", "try f7\nnote x"])
def test_a_note_is_not_kept_where_another_command_of_the_game_fails(words):
    done = asks(a_game(SEED_GAME[:4]), 0, words)
    assert ((), ()) == (done.notes, done.entries)
    assert ["refused"] == [letter.kind for letter in done.letters]


def test_a_note_that_is_too_long_is_refused_with_its_length():
    done = asks(a_game(), 0, f"note {'x' * (MAX_NOTE + 1)}")
    assert () == done.notes
    assert f"this one has {MAX_NOTE + 1}" in done.refused
    assert ("x" * MAX_NOTE,) == asks(a_game(), 0, f"note {'x' * MAX_NOTE}").notes


def test_a_note_may_be_written_in_any_turn_and_after_the_end():
    game = a_game(SEED_GAME)
    over = game.with_entries(asks(game, 1, "resign").entries)
    for played, seat in ((game, 0), (game, 1), (over, 0)):
        assert ("x",) == asks(played, seat, "note x").notes


def test_a_move_inside_a_note_is_pointed_out():
    letter = asks(a_game(), 0, "note this:\nlet me see\nF2 f4").letters[0]
    assert "F2 f4" == letter.told["inside"]
    assert "" == asks(a_game(), 0, "note F2\nlet me see").letters[0].told["inside"]


def test_a_letter_holds_the_newest_notes_in_the_order_they_were_asked_for():
    half = Note(1, 0, NOON, "x" * (MAX_LETTER // 2))
    later = replace(half, game=2, at=NOON + timedelta(hours=1))
    last = replace(half, game=1, at=NOON + timedelta(hours=2))
    assert [later, last] == newest_notes([half, later, last])
    assert [(1, [last]), (2, [later])] == notes_by_game(newest_notes([half, later, last]))
