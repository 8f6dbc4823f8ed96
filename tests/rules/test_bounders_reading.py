"""Bounders reads cells of boards of other sizes."""

from __future__ import annotations

import pytest

from rules import RULES
from rules.contract import Unreadable


def test_what_is_a_cell_depends_on_the_board():
    assert "u21" == str(RULES["bounders"].start({"size": "11"}).read("u21"))
    small = RULES["bounders"].start({"size": "3"})
    assert "c3" == str(small.read("c3"))
    with pytest.raises(Unreadable) as error:
        small.read("g7")
    assert "g7: there is no letter g; letters run from a to e." == str(error.value)
