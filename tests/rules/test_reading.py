"""Games read what players write: forgiving in form, never guessing, a sentence for each slip."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RULES
from rules.conformance_words import junk_is_refused
from rules.contract import NoMove, RulesError, Unreadable
from tests.rules.lines_atoll import ATOLL
from tests.rules.lines_bagel import BAGEL
from tests.rules.lines_begird import BEGIRD
from tests.rules.lines_bipod import BIPOD
from tests.rules.lines_bounders import BOUNDERS
from tests.rules.lines_breakthrough import BREAKTHROUGH
from tests.rules.lines_gomoku import GOMOKU
from tests.rules.lines_gonnect import GONNECT
from tests.rules.lines_hadron import HADRON
from tests.rules.lines_havannah import HAVANNAH
from tests.rules.lines_hex import HEX
from tests.rules.lines_hexthing import HEXTHING
from tests.rules.lines_reversi import REVERSI
from tests.rules.lines_unlur import UNLUR

FOLDER = Path(__file__).parent
LINES = {
    "atoll": ATOLL,
    "bagel": BAGEL,
    "begird": BEGIRD,
    "bipod": BIPOD,
    "bounders": BOUNDERS,
    "breakthrough": BREAKTHROUGH,
    "gomoku": GOMOKU,
    "havannah": HAVANNAH,
    "hex": HEX,
    "gonnect": GONNECT,
    "hadron": HADRON,
    "hexthing": HEXTHING,
    "reversi": REVERSI,
    "unlur": UNLUR,
}


def rows(turn):
    """A row of that table of a game, of every game in turn, under the game's key and what is written."""
    return [
        pytest.param(
            lines, *(row if isinstance(row, tuple) else [row]), id=f"{key}: {_written(row)[:60]}".strip()
        )
        for key, lines in LINES.items()
        for row in getattr(lines, turn)
    ]


def _written(row):
    if isinstance(row, str):
        return row
    return row[0] if isinstance(row[0], str) else f"{row[0]} {row[1]}"


games = pytest.mark.parametrize("lines", LINES.values(), ids=LINES)


def test_every_game_of_ours_has_its_lines():
    for key in RULES:
        named = f"put lines that players write into {FOLDER / f'lines_{key}.py'}, and its value into LINES"
        assert key in LINES, named
    assert set(RULES) == set(LINES)


@pytest.mark.parametrize(("lines", "written", "canonical"), rows("spellings"))
def test_many_spellings_have_one_canonical_text(lines, written, canonical):
    board = lines.spelt_on or lines.start
    assert canonical == str(board.read(written))
    assert canonical == str(board.read(canonical))
    assert board.read(written) == board.read(canonical)


@pytest.mark.parametrize(("lines", "line"), rows("prose"))
def test_prose_is_no_move_at_any_time(lines, line):
    for position in lines.positions():
        with pytest.raises(NoMove):
            position.read(line)


@pytest.mark.parametrize(("lines", "line", "sentence"), rows("misspelt"))
def test_what_is_meant_as_a_move_and_is_none_gets_its_reason(lines, line, sentence):
    for position in lines.positions():
        with pytest.raises(Unreadable) as error:
            position.read(line)
        assert not isinstance(error.value, NoMove)
        assert sentence == str(error.value)


@pytest.mark.parametrize(("lines", "plies", "line", "sentence"), rows("not_now"))
def test_what_may_not_be_played_now_gets_its_reason(lines, plies, line, sentence):
    position = lines.after(plies)
    assert sentence == position.problem(position.read(line))


@games
@given(junk=st.text(max_size=300))
def test_any_text_is_read_or_refused_with_a_sentence(lines, junk):
    junk_is_refused(lines.start, junk)


@games
@given(data=st.data())
def test_text_that_looks_like_moves_is_read_or_refused_with_a_sentence(lines, data):
    junk = data.draw(st.text(lines.alphabet, max_size=40))
    for position in lines.positions():
        junk_is_refused(position, junk)


@games
@given(data=st.data())
def test_what_is_read_has_one_spelling_that_reads_the_same(lines, data):
    words = sorted({word for line, _ in lines.spellings for word in line.split()})
    letters = "".join(sorted(set("".join(words)))) + " "
    several = st.lists(st.sampled_from(words), min_size=1, max_size=6).map(" ".join)
    line = data.draw(several | st.text(letters, min_size=1, max_size=12))
    try:
        move = lines.start.read(line)
    except RulesError:
        return
    assert move == lines.start.read(str(move))
    assert str(move) == str(lines.start.read(str(move)))
