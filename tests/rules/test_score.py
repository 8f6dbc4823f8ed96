"""The two-column score of a newsgroup post is a record too."""

from __future__ import annotations

import pytest

from rules.record import IllegalPly, NotARecord, read, replay
from rules.score import one_ply_each
from tests.people import SEED_PLIES

POST = """\
BI-POD     (Final board)
======                                 Bill      Joao
_________________________________      ==============
: : : x x @ x x . . . Q . . . x :   1. f2 f4 g3  e5 g1
 : : x x . . x . . . O x . . . x    2. f6 h2 i1  E1
  : : x . o . . . . O x O . . .     3. F2        mo1 n2
   : x . x . . . O . . x . . .      4. adopt     k3 o
    x . . . . O . . x . . . .       5. x4        y3 O
     x . . . . . x . . . . .        6. x2        v2 O
                                    7. w3        u3 O
abcdefghijklmnopqrstuvwxyzABCDEFG   8. u5        r4 O
---------------------------------   9. r6        o5 O
                                   10. j4        resign

We earnestly recommend you give this new game a try!
"""


def test_the_post_of_the_authors_is_their_game() -> None:
    played = replay(read(POST))
    assert tuple(SEED_PLIES) == played.moves
    assert {"Game": "Bipod", "First": "Bill", "Second": "Joao"} == played.record.tags
    assert played.outcome is not None
    assert "Blocker wins: Runner resigned" == played.outcome.reason


def test_a_misprint_of_the_post_is_told_with_the_line_where_it_stands() -> None:
    with pytest.raises(IllegalPly, match="line 5: move 3: f7"):
        replay(read(POST.replace("f6 h2", "f7 h2")))


def test_a_score_alone_takes_the_game_from_a_tag() -> None:
    found = read('[Game "Bipod"]\n\n1. f2 f4 g3  e5 g1\n2. f6 h2 i1\n')
    assert ["f2 f4 g3", "e5 g1", "f6 h2 i1"] == [ply.move for ply in found.plies]


@pytest.mark.parametrize("text", ["1. f2 f4\n2. g3\n", "1. first f2   2. second g3\n", "1. f2  {a word}\n"])
def test_other_forms_of_a_record_are_left_as_they_are(text: str) -> None:
    assert text == one_ply_each(text, lambda _: "")


def test_a_score_with_a_row_left_out_is_no_record() -> None:
    with pytest.raises(NotARecord):
        read('[Game "Bipod"]\n1. f2  g3\n3. i1  h2\n')
