"""A director's acts by mail and web, in one table. Lines and forms are made from it.

`direct extend 42 2d second` on a line, with the reason below it, is one act.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.core.game.state import RESULTS
from rules.contract import SEAT_NAMES

BOTH = "both"


@dataclass(frozen=True)
class Field:
    """One word of an act. `pattern` has no groups; one that is not `needed` may be left out."""

    name: str
    label: str
    pattern: str
    example: str
    choices: Sequence[str] = ()
    needed: bool = True
    of_game: bool = False


@dataclass(frozen=True)
class DirectorAct:
    """An act: its label on the page, its words, and its undoing."""

    label: str
    fields: Sequence[Field]
    taken_back: str

    @property
    def is_of_game(self) -> bool:
        """True if the act is an entry of a game's journal."""
        return self.fields[0] is GAME and ENTRY not in self.fields

    @property
    def is_of_event(self) -> bool:
        """True if the act is an entry of an event's journal."""
        return self.fields[0] is EVENT


def _one_of(*words: str) -> str:
    return f"(?:{'|'.join(map(re.escape, words))})"


GAME = Field("game", "Game", r"#?\d{1,9}", "42")
ENTRY = Field("entry", "Number of the entry", r"#?\d{1,6}", "17")
PLAYER = Field("player", "Player", r"[A-Za-z][\w-]{0,59}", "Bill")
EVENT = Field("event", "Number of the league or match", r"#?\d{1,9}", "7")
BY_GAME = "game"
"""The result of an award that is taken back."""
_NAME = r"[A-Za-z][\w-]{0,59}"
_AWARDS = ("1-0", "1/2", "0-1", "+", "-", BY_GAME)
_SEAT = Field("seat", "Whose seat", _one_of(*SEAT_NAMES), "first", SEAT_NAMES)

ACTS: Mapping[str, DirectorAct] = {
    "extend": DirectorAct(
        "Give time",
        (
            GAME,
            Field("time", "Time", r"\d{1,3}[dh]", "2d"),
            Field("to", "To whom", _one_of(*SEAT_NAMES, BOTH), BOTH, (*SEAT_NAMES, BOTH), needed=False),
        ),
        "Time that is given stays. `direct rollback` makes the clocks what they were.",
    ),
    "pause": DirectorAct(
        "Stop the clocks",
        (GAME, Field("until", "Until", r"until \S.{0,30}|", "until 2026-12-27", needed=False)),
        "`direct resume` starts the clocks again.",
    ),
    "resume": DirectorAct("Start the clocks again", (GAME,), "`direct pause` stops the clocks again."),
    "rollback": DirectorAct(
        "Take the game back",
        (GAME, Field("ply", "To after move", r"#?\d{1,4}", "6")),
        "No command brings these moves back.",
    ),
    "enter": DirectorAct(
        "Enter a move for a player",
        (GAME, Field("move", "The move of whoever is to play", r"\S.{0,200}", "f2 f4")),
        "`direct rollback` to the move before it takes the move back.",
    ),
    "adjudicate": DirectorAct(
        "End the game",
        (GAME, Field("result", "Who wins", _one_of(*RESULTS), "draw", RESULTS)),
        "`direct rollback` to its last move opens the game again.",
    ),
    "replace": DirectorAct(
        "Give a seat to another player",
        (GAME, _SEAT, PLAYER),
        "`direct replace` with the old player gives the seat back. The game stays unrated.",
    ),
    "message": DirectorAct("Write to both players", (GAME,), "A letter that has left cannot be called back."),
    "award": DirectorAct(
        "Give two players a result",
        (
            EVENT,
            Field("first", "Player", _NAME, "Bill"),
            Field("second", "Against", _NAME, "Joao"),
            Field("result", "Result, as the first of them sees it", _one_of(*_AWARDS), "1/2", _AWARDS),
        ),
        "`direct award` with the result `game` takes it back.",
    ),
    "forfeit": DirectorAct(
        "Take a player out", (EVENT, PLAYER), "`direct reinstate` lets the player play again."
    ),
    "reinstate": DirectorAct(
        "Let a player play again", (EVENT, PLAYER), "`direct forfeit` takes the player out again."
    ),
    "substitute": DirectorAct(
        "Give a player's place to another",
        (EVENT, PLAYER, Field("other", "Who plays on", _NAME, "Anna")),
        "No command gives the place back.",
    ),
    "announce": DirectorAct(
        "Write to all players", (EVENT,), "A letter that has left cannot be called back."
    ),
    "close": DirectorAct("End a league or match as it is", (EVENT,), "No command opens it again."),
    "hide": DirectorAct("Hide words", (GAME, ENTRY), "`direct show` shows the words again."),
    "show": DirectorAct("Show hidden words again", (GAME, ENTRY), "`direct hide` hides the words again."),
    "bar": DirectorAct("Bar a player", (PLAYER,), "`direct unbar` takes it back."),
    "unbar": DirectorAct("Take a bar back", (PLAYER,), "`direct bar` bars the player again."),
    "rename": DirectorAct(
        "Call a player otherwise",
        (PLAYER, Field("name", "New name", r"[A-Za-z][\w-]{0,59}", "Quiet")),
        "`direct rename` with the old name takes it back.",
    ),
}
"""Each act by its word, in the order of the page."""
MODERATION = frozenset(word for word, act in ACTS.items() if not (act.is_of_game or act.is_of_event))
WORDED = frozenset({"message", "announce"})
"""Acts that send words instead of a reason."""


def _shape(act: DirectorAct) -> re.Pattern[str]:
    groups = (
        f" (?P<{each.name}>{each.pattern})" if each.needed else f"(?: (?P<{each.name}>{each.pattern}))?"
        for each in act.fields
    )
    return re.compile("".join(groups), re.IGNORECASE)


_SHAPES = {word: _shape(act) for word, act in ACTS.items()}


def read_act(rest: str) -> Mapping[str, str] | None:
    """Read the words after `direct`; None if they are no act. A word left out is ""."""
    word, _, more = rest.strip().partition(" ")
    shape = _SHAPES.get(word.lower())
    found = shape.fullmatch(f" {more.strip()}") if shape else None
    if found is None:
        return None
    given = {
        each.name: (text or "").lower() if each.choices else (text or "").lstrip("#")
        for each in ACTS[word.lower()].fields
        for text in [found[each.name]]
    }
    return {"act": word.lower(), **given}


def how_to_write(word: str) -> str:
    """An act as it is written, short and whole."""
    fields = ACTS[word].fields
    needed = [each for each in fields if each.needed]
    shapes = [needed, fields] if len(needed) < len(fields) else [needed]
    return " or ".join(
        f"`{' '.join(['direct', word, *(each.example for each in shape)])}`" for shape in shapes
    )


def unread_act(words: str) -> str:
    """Say how to write the act that `words` begin with, or ""."""
    first, word, *_ = [*next(filter(None, map(str.split, words.lower().split("\n"))), []), "", ""]
    if first != "direct":
        return ""
    how = f"Write {how_to_write(word)}, and on the lines below it why. " if word in ACTS else ""
    return f"I could not read this order. {how}`help direct` shows how each act is written."
