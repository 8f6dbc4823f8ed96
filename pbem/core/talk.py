"""How much one player may say to another: in one mail, in one game within a day, in one game at all.

A move is never refused for the words below it. What was not sent is told to whoever wrote it; nothing is cut
unseen. Values only.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.core.game import Game
from pbem.core.journal import PLY, RESIGN, SAY, Entry
from pbem.core.lobby import Refusal
from rules.contract import Seat

MAX_WORDS = 4_000
"""Characters that go with one mail: two printed pages."""
MAX_WORDS_A_DAY = 20_000
"""Characters that one player says in one game within 24 hours."""
MAX_WORDS_A_GAME = 200_000
"""Characters that one player says in one game: a record of it must stay a file that programs open."""
MAX_QUOTED = 40
"""Characters of what was not sent that are quoted: few enough never to fill a line of a letter."""
DAY = timedelta(days=1)
SPEECH = {PLY: "comment", RESIGN: "comment", SAY: "words"}
"""The entries in which players speak, and where their words stand in them."""


@dataclass(frozen=True)
class Sent:
    """What goes to the other player, and a sentence about what does not, or ""."""

    words: str
    problem: str = ""


def bounded(game: Game, seat: Seat, words: str, at: datetime) -> Sent:
    """As many of the words as one mail may bring; none where the player has said too much already."""
    name = game.seats[1 - seat].name
    if problem := _enough(game, seat, min(len(words), MAX_WORDS), at):
        return Sent("", f"Your words have not gone to {name}: {problem}")
    if len(words) <= MAX_WORDS:
        return Sent(words)
    kept = _beginning(words)
    rest = words[len(kept) :].strip()
    return Sent(
        kept,
        f"One mail brings {name} {MAX_WORDS} characters at most, and yours held {len(words)}. The first "
        f'{len(kept)} have gone; the last {len(rest)} have not, from "{_quoted(rest)}" on.',
    )


def refuse_too_long(words: str) -> None:
    """Raise Refusal where words that go with no game are more than one mail may bring."""
    if len(words) > MAX_WORDS:
        raise Refusal(
            f"The words in your mail have {len(words)} characters, and {MAX_WORDS} can be sent, so nothing "
            "was done; please write fewer."
        )


def shown(words: str) -> str:
    """The beginning of words that are only shown to whoever wrote them, and how many more there are."""
    if len(words) <= MAX_WORDS:
        return words
    kept = _beginning(words)
    return f"{kept}\n(and {len(words) - len(kept)} more characters)"


def _enough(game: Game, seat: Seat, more: int, at: datetime) -> str:
    said = [(entry.at, spoken(entry)) for entry in game.journal if entry.seat == seat]
    if sum(number for _, number in said) + more > MAX_WORDS_A_GAME:
        return f"in one game each player can say {MAX_WORDS_A_GAME} characters, and yours are used up."
    if sum(number for when, number in said if when > at - DAY) + more > MAX_WORDS_A_DAY:
        return (
            f"in one game each player can say {MAX_WORDS_A_DAY} characters within 24 hours, and with these "
            "you would have said more. Moves are made all the same."
        )
    return ""


def spoken(entry: Entry) -> int:
    """How many characters a player says in an entry."""
    return len(entry.data.get(SPEECH[entry.kind], "")) if entry.kind in SPEECH else 0


def _beginning(words: str) -> str:
    """As much as one mail may bring, up to the end of a word."""
    cut = max(words.rfind(space, MAX_WORDS // 2, MAX_WORDS + 1) for space in " \n")
    return words[: cut if cut > 0 else MAX_WORDS].rstrip()


def _quoted(words: str) -> str:
    return " ".join(words[:MAX_QUOTED].split())
