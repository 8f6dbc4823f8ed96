"""Playing both sides at a terminal or through a pipe."""

from __future__ import annotations

import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from rules.__main__ import main
from rules.record import read, replay

SEED_GAME = replay(read((Path(__file__).parent / "golden/bipod.game").read_text()))


def talk(*lines: str, arguments: tuple[str, ...] = ("bipod",)) -> str:
    """Everything that is printed when these lines are typed."""
    out = StringIO()
    assert 0 == main(arguments, StringIO("".join(f"{line}\n" for line in lines)), out)
    return out.getvalue()


def test_the_board_and_the_seat_to_play_are_shown():
    said = talk("f2 f4 g3", "adopt")
    assert "move 1, first> f2 f4 g3\n" in said
    assert " . .(x). . ." in said
    assert "move 3, first (Runner)> " in said
    assert said.endswith("\n")


def test_a_wrong_move_is_answered_with_its_sentence_and_changes_nothing():
    said = talk("f7", "k3 o")
    assert "f7: there is no row 7; column f has rows 2, 4 and 6.\n" in said
    assert "k3 o: nobody has adopted yet" in said
    assert said.count("move 1, first> ") == 3


def test_prose_is_answered_with_moves_that_are_open():
    assert "That is no move of Bipod" in talk("hello there")
    assert "Open now, for example: k3 or k3 w3 or adopt." in " ".join(talk("hello there").split())


def test_a_misspelt_word_is_asked_about():
    assert "Did you mean undo?" in " ".join(talk("udno").split())


def test_undo_takes_back_one_ply_at_a_time():
    said = talk("f2", "f4", "undo", "undo", "undo")
    assert "There is no move to take back." in said
    assert said.count("move 1, first> ") == 3


def test_resign_ends_the_game_and_undo_takes_it_back():
    said = talk("f2", "adopt", "resign", "f4 o", "undo", "f4 o")
    assert "Blocker wins: Runner resigned. save FILE keeps the game" in said
    assert "The game is over: Blocker wins: Runner resigned.\n" in said
    assert "move 4, second (Blocker)> " in said


def test_moves_lists_what_is_open():
    said = talk("moves", arguments=("bipod", "size=3", "rows=3"))
    assert "Open now (28): a1 c1 e1 i1" in said
    assert "For example: g3 or g3 o3 or adopt" in said


def test_help_says_how_a_turn_is_written():
    said = talk("help", "HELP")
    assert 2 == said.count("save FILE  write the game so far as a record")


def test_the_remark_about_a_capital_is_printed():
    assert "F2 was taken as written, with its capital; f2 was open as well." in talk("F2")


def test_a_saved_game_replays_to_the_same_end(tmp_path):
    name = tmp_path / "seed.game"
    said = talk(*SEED_GAME.moves, "resign", f"save {name}")
    assert f"Saved as {name}.\n" in said
    played = replay(read(name.read_text()))
    assert (SEED_GAME.position, SEED_GAME.outcome) == (played.position, played.outcome)


def test_a_game_under_way_is_saved_with_an_open_result(tmp_path):
    name = tmp_path / "half.game"
    talk("f2", f"save {name}")
    assert "*" == read(name.read_text()).tags["Result"]


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    assert f"{tmp_path} cannot be written: Is a directory.\n" in talk(f"save {tmp_path}")
    assert "save needs the name of a file" in talk("save")


def test_quit_leaves_and_so_does_the_end_of_the_input():
    assert "f4" not in talk("f2", "quit", "f4").partition("quit\n")[2]
    assert talk().endswith("move 1, first> \n\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "usage: python -m rules GAME"),
        (["chess"], "There is no game chess; there are: "),
        (["bipod", "size=9"], "size=9 cannot be: size is 3 to 8."),
        (["bipod", "large"], "large should be a name and a value, as in size=..."),
        (["bipod", "seed=x"], "seed=x cannot be: seed is a whole number."),
    ],
)
def test_a_game_that_cannot_be_begun_says_why(arguments, sentence):
    out = StringIO()
    assert 2 == main(arguments, StringIO(), out)
    assert sentence in out.getvalue()


def test_it_works_from_a_pipe_whatever_the_bytes():
    done = subprocess.run(
        [sys.executable, "-m", "rules", "bipod", "size=3"],
        input=b"adopt\n\xff\xfe\x00\nk1 o\nundo\nquit\n",
        capture_output=True,
        cwd=Path(__file__).parents[2],
        check=True,
    )
    assert b"" == done.stderr
    assert b"move 2, second (Runner)> k1 o" in done.stdout
