"""Typing errors in command words: some are forgiven, others asked about."""

from functools import lru_cache

from pbem.core.parsing.commands import IRREVERSIBLE, KEYWORDS
from rules.notation import one_slip

NOT_MISSPELLED = frozenset(
    "beck drew moved mover movie snow shoe shot shop slow shown gamed gamer names plane plank plant clans "
    "hunt mint lint tint held heap helm ruled ruler votes noted hoards seems weeks expert dating eating "
    "match catch patch lean loin coin week seen peek".split()
)
"""Words and names that are no misspellings of commands, though one letter away."""
MIN_FORGIVEN_LENGTH = 4
_KNOWN_BY_A_SLIP = tuple(sorted(word for word in KEYWORDS if len(word) >= MIN_FORGIVEN_LENGTH))


def correct_word(word: str) -> str | None:
    """Return the command word that `word` misspells, or None if there is none or the slip is not forgiven."""
    found = nearest_word(word)
    return found if found not in IRREVERSIBLE else None


def irreversible_meant(word: str) -> str | None:
    """The irreversible word that `word` misspells, or whose letters it reorders."""
    if (near := nearest_word(word)) is not None or not word.isalpha():
        return near if near in IRREVERSIBLE else None
    small = word.lower()
    other = (each for each in IRREVERSIBLE if small != each and small[0] == each[0])
    return next((each for each in other if sorted(small) == sorted(each)), None)


@lru_cache(4096)  # every line of a letter comes here, and most words repeat
def nearest_word(word: str) -> str | None:
    """Return the one command that `word` misspells. None for several, and for a correct word.

    Words with one letter wrong or two neighbours swapped come before those with one missing or too many.
    """
    small = word.lower()
    if len(small) < MIN_FORGIVEN_LENGTH or small in KEYWORDS | NOT_MISSPELLED or not small.isalpha():
        return None
    near = [keyword for keyword in _KNOWN_BY_A_SLIP if one_slip(small, keyword)]
    found = [keyword for keyword in near if len(keyword) == len(small)] or near
    return found[0] if len(found) == 1 else None
