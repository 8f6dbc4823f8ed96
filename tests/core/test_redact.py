"""Keys of reply addresses in words that others read."""

from __future__ import annotations

from functools import partial

import pytest

from pbem.core.parsing.normalise import normalise
from pbem.core.redact import HIDDEN_LINK, MAX_PIECES, without_keys
from tests.quickness import quick

KEY = "aeaqbf2lk3jq7wzr4m2vbc6dxy5npt3hgs2a"


def redacted(text: str) -> str:
    return without_keys(normalise(text), KEY.__eq__)


@pytest.mark.parametrize(
    "spelling",
    [
        KEY,
        KEY.upper(),
        f"<{KEY}>",
        f"compose/\n{KEY}",
        f"compose%2F{KEY}",
        " ".join(KEY[at : at + 4] for at in range(0, len(KEY), 4)),
        " ".join(KEY),
        f"{KEY[:10]}\n{KEY[10:]}",
        f"{KEY[:10]}\n> {KEY[10:]}",
        f"{KEY[:10]}-{KEY[10:]}",
        f"{KEY[:10]}=\n{KEY[10:]}",
        "".join(chr(ord(letter) + 0xFEE0) for letter in KEY),
        f"play+{KEY}@games.example.org",
        f"https://games.example.org/games/1/compose/{KEY}",
        f"{KEY[:12]}\u200b{KEY[12:]}",
        f"key={KEY}.",
    ],
)
def test_no_spelling_of_a_key_stays(spelling: str) -> None:
    left = redacted(f"Look:\n{spelling}\nNice move!")
    letters = "".join(filter(str.isalnum, left.lower()))
    assert (KEY not in letters, HIDDEN_LINK in left) == (True, True)
    assert left.endswith("\nNice move!")


def test_other_words_stay_as_they_are() -> None:
    text = f"f6 h2 i1\n\nIn 2 games we had 3 wins; {KEY[:-1]}b is no key.\n\nJoao"
    assert text == redacted(text)


def test_no_text_takes_long() -> None:
    quick(0.2, partial(without_keys, "a2 " * 2 * MAX_PIECES, KEY.__eq__))
