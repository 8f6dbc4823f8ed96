"""Private notes in a mail, and wrapped lines of a trial. No part may become words for the other player."""

import re
from collections.abc import Callable, Sequence

from pbem.core.parsing.misspelled import correct_word
from pbem.core.parsing.wrapping import may_continue

NOTE = re.compile(r"(?:(.*?);\s{0,9})?note(?:\s?:|\s)\s{0,9}(?!(?:that|of)\b)(\S.*)", re.IGNORECASE)
"""A note, perhaps after other commands. `note that …` and `take / note of …` are prose."""
NOT_MISSPELLED_NOTE = frozenset("none vote noted node nose rote mote tote dote notch".split())
MAX_COMMANDS = 10
MAX_TRIAL = 1_000


def split_note(
    lines: Sequence[str], is_order: Callable[[str], bool]
) -> tuple[Sequence[str], str, Sequence[str]]:
    """Return the lines above a note, its first line, and its words. Without a note all lines, "" and nothing.

    A typing error in `note` is accepted if only commands stand above. Before the first command a possible end
    of a sentence is no note: such words go to nobody.
    """
    commands = 0  # -1 after the first line that is no command
    commanded, above_it = False, ""
    for number, line in enumerate(lines):
        text = line.strip()
        forgiving = 0 <= commands < MAX_COMMANDS
        match = NOTE.fullmatch(_with_note_corrected(text) if forgiving else text)
        before = match[1] if match else None
        prose = bool(match) and not commanded and may_continue(above_it, text)
        if match and not prose and (before is None or is_order(before)):
            own = text if before is None else text[len(before) :].lstrip("; ")
            above = [*lines[:number], before] if before else lines[:number]
            return above, own, [match[2], *lines[number + 1 :]]
        ordered = bool(text) and (forgiving or not commanded) and is_order(text)
        commanded = commanded or ordered
        above_it = "" if ordered else line
        if forgiving and text:
            commands = commands + 1 if ordered else -1
    return lines, "", ()


def _with_note_corrected(text: str) -> str:
    word, _, rest = text.partition(" ")
    slip = word.lower() not in NOT_MISSPELLED_NOTE and correct_word(word) == "note"
    return f"note {rest}" if slip else text


_TRY = re.compile(r"\s*try:?\s", re.IGNORECASE)
_ENDS_OPEN = re.compile(r".*\sthen\s*", re.IGNORECASE)
_GOES_ON = re.compile(r"\s*then\s.*", re.IGNORECASE)


def rejoin_trial_lines(lines: Sequence[str]) -> list[str]:
    whole: list[str] = []
    for line in lines:
        above = whole[-1] if whole else ""
        broken = len(above) < MAX_TRIAL and _TRY.match(above) and line.strip()
        if broken and (_ENDS_OPEN.fullmatch(above) or _GOES_ON.fullmatch(line)):
            whole[-1] = f"{above.rstrip()} {line.strip()}"
        else:
            whole.append(line)
    return whole
