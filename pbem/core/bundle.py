"""Several games in one letter: which boards it shows, and what its reader saw of each game.

A bundle remembers how long each game's journal was when the letter was written, so that a move sent in
answer is judged by the board that was seen and by no newer one. Values only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.core.agreeing import offers_to
from pbem.core.game import last_own_ply
from pbem.core.journal import Entry
from pbem.core.letters import Letter, ReplyTo
from pbem.core.people import Player
from pbem.core.state import Ply, Said
from pbem.core.view import View
from pbem.core.vocabulary import GAME

MOST_BOARDS = 20
"""As many as an answer may have `game N` lines for."""

MERGED = frozenset({"receipt", "refused", "result"})
"""Answers that become one letter where a mail was about several games."""

WORDS_MOST = 500
"""Characters of what somebody said that stand in a bundle; the rest comes with `show`."""


@dataclass(frozen=True)
class Bundle:
    """A letter with several boards as it was kept: `entries` is each game's journal length by its number."""

    id: int
    player_id: int
    created_at: datetime
    entries: Mapping[int, int]

    @property
    def only_game(self) -> int | None:
        """The one game it shows, None where it shows several or none."""
        return next(iter(self.entries)) if len(self.entries) == 1 else None


@dataclass(frozen=True)
class Boards:
    """What a bundle shows: boards in order, a line each for the `rest`, and the number it is kept under."""

    views: Sequence[View] = ()
    rest: Sequence[Any] = ()
    bundle: int = 0

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"boards": list(self.views), "rest": list(self.rest)}


@dataclass(frozen=True)
class News:
    """What happened in one game since the last digest; `entry` is where the journal stood then."""

    view: View
    entry: int

    @property
    def told(self) -> bool:
        """Whether there is anything in it that the reader did not do."""
        offered = self.view.seat is not None and offers_to(self.view.state, self.view.seat)
        theirs = [ply for ply in self.view.plies_after(self.entry) if ply.auto or ply.seat != self.view.seat]
        said = [said for said in self.view.said_after(self.entry) if said.seat != self.view.seat]
        ended = self.view.ending is not None and len(self.view.game.journal) > self.entry
        taken = self.view.taken_after(self.entry)
        return bool(theirs or said or ended or offered or taken or self.entry == 0)


def entries_until(entries: Sequence[Entry], moment: datetime) -> int:
    """How many of the entries there were at `moment`: what a letter of that time could tell of the game."""
    return next((count for count, entry in enumerate(entries) if entry.at > moment), len(entries))


def news_here(view: View) -> tuple[list[Ply], list[Said]]:
    """The plies and the opponent's words since the reader played last: what is new on a board that waits."""
    since = last_own_ply(view.game, view.seat or 0)
    return view.plies_after(since), [said for said in view.said_after(since) if said.seat != view.seat]


_HEADING = re.compile(r"[|\s]{0,8}>[>|\s]{0,20}game \d{1,9}[,:] ", re.IGNORECASE)
"""A board's heading as mail programs quote it."""


def between_boards(text: str) -> list[str]:
    """The lines of an answer that stand below a board's quoted heading, with no `game N` line between.

    Such a line may be meant for the board above it, or for the game whose number was written before.
    """
    found: list[str] = []
    numbered = True
    for line in text.split("\n"):
        bare = line.strip()
        if _HEADING.match(line):
            numbered = False
        elif GAME.fullmatch(bare):
            numbered = True
        elif bare and not numbered and not bare.startswith((">", "|")):
            found.append(bare)
    return found


def with_boards(kind: str, player: Player, boards: Boards, **facts: Any) -> Letter:
    """A letter with several boards, to be answered at an address that knows what was shown."""
    reply = ReplyTo("bundle", boards.bundle) if boards.views else ReplyTo("player", player.id)
    return Letter(kind, player.address, player, reply, facts={**boards.facts, **facts})


def several_games(letters: Iterable[Letter]) -> bool:
    """Whether letters are about more than one game."""
    return len({letter.game_id for letter in letters if letter.game_id is not None}) > 1


def in_short(words: str) -> str:
    """The beginning of what somebody said, cut at a space."""
    if len(words) <= WORDS_MOST:
        return words
    cut = words[:WORDS_MOST]
    return f"{cut[: cut.rfind(' ')] if ' ' in cut else cut} ..."
