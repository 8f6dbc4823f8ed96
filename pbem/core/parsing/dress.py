"""The dress that people and programs give a move: labels, quotation marks, joints, stops, a greeting."""

import re
from collections.abc import Iterator

from pbem.core.parsing.taken_back import is_polite_line

PLEASE = r"(?:please|pls|plz|bitte|por favor|per favore|s['\u2019]il (?:vous|te) pla[i\u00ee]t)"
PLEASE_BEHIND = re.compile(rf",? (?:{PLEASE}|thanks|thank you|thx)\Z", re.IGNORECASE)
_BEHIND_A_MOVE = re.compile(rf",? (?:{PLEASE}|thanks|thank you|thx|danke)\W*\Z", re.IGNORECASE)
"""The same behind a move, where no name can stand."""
_LABEL = (
    r"(?:(?:my|mein|mon|mi|mio|meu|mijn|min|mitt) )?(?:next |n\u00e4chster )?"
    r"(?:move|zug|coup|jugada|movimiento|mossa|jogada|lance|zet|drag|trekk|tr\u00e6k|siirto|ruch|tah"
    r"|\u0445\u043e\u0434) ?: ?"
)
"""What people write before a move: `Zug: f6`."""
_QUOTES = "\"'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a"
_ROUND = re.compile(
    rf"^(?:{_LABEL})?[-\u2022\u00b7{_QUOTES}]*\s*(?=[^\W_])"
    rf"|[\s!?.,;:)(\u3002{_QUOTES}\U0001f000-\U0001ffff\u2600-\u27bf\ufe0f]+$",
    re.IGNORECASE,
)
"""A label, dash or quotation mark before a move; stops and pictures behind it."""
_JOINTS = re.compile(r"\s*[\u3001\uff0c]\s*|\s+(?:&|\+|and|und|et|y|e|og|och|en|i|ja)\s+", re.IGNORECASE)
"""Signs and words that people write between two cells."""
_WISHES = re.compile(
    r"(?:good luck|have fun|gl(?: hf)?|hf|your turn|enjoy|viel (?:gl\u00fcck|spa\u00df)|du bist dran"
    r"|bonne chance|suerte|buona fortuna|boa sorte|succes|lykke til|lycka till)\b\W*\w*\W*",
    re.IGNORECASE,
)
MAX_WORDS_BEHIND = 8
_DASHES = "-\u2013\u2014, "


def undress(text: str) -> str:
    """Return a line without what may stand round a move: `Zug: f6, h2 & i1 please` gives `f6, h2 i1`."""
    return _JOINTS.sub(" ", _ROUND.sub("", _BEHIND_A_MOVE.sub("", text)))


def greetings_behind(text: str) -> Iterator[tuple[str, str]]:
    """Yield each way to cut a line behind its cells, where the words behind are a greeting."""
    words = text.split(" ")
    if not any(map(str.isdigit, words[0])):
        return
    for at in range(len(words) - 1, max(len(words) - MAX_WORDS_BEHIND, 0), -1):
        behind = " ".join(words[at:]).lstrip(_DASHES)
        if is_polite_line(behind) or _WISHES.fullmatch(behind):
            yield " ".join(words[:at]).rstrip(_DASHES), behind
