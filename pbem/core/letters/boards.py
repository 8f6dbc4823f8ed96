"""Several games in one letter. A reply is checked against the boards that the reader saw."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pbem.core.game.game import last_own_ply
from pbem.core.game.journal import Entry
from pbem.core.game.state import Ply, SpokenWords
from pbem.core.game.view import View
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.parsing.commands import GAME
from pbem.core.players import Player

MAX_BOARDS = 20
"""Equal to the maximum of `game N` lines in a reply."""

MERGED_KINDS = frozenset({"receipt", "refused", "result"})
"""Answers that merge into one letter about several games."""

MAX_WORDS = 500
"""Maximum characters of a remark in a bundle; `show` gives the rest."""


@dataclass(frozen=True)
class Bundle:
    """A stored letter with several boards. `entries` maps each game's number to its journal length."""

    id: int
    player_id: int
    created_at: datetime
    entries: Mapping[int, int]

    @property
    def only_game(self) -> int | None:
        return next(iter(self.entries)) if len(self.entries) == 1 else None


@dataclass(frozen=True)
class Boards:
    """A bundle: boards in order, one line for each game of the `rest`, and the bundle's id."""

    views: Sequence[View] = ()
    rest: Sequence[Any] = ()
    bundle: int = 0


@dataclass(frozen=True)
class News:
    """News of one game since the last digest; `entry` is the journal length at that digest."""

    view: View
    entry: int

    @property
    def told(self) -> bool:
        """True if anything happened that the reader did not do themselves."""
        theirs = [ply for ply in self.view.plies_after(self.entry) if ply.auto or ply.seat != self.view.seat]
        said = [said for said in self.view.said_after(self.entry) if said.seat != self.view.seat]
        ended = self.view.state.ending is not None and len(self.view.game.journal) > self.entry
        taken = self.view.taken_back_after(self.entry)
        return bool(theirs or said or ended or self.view.offers or taken or self.entry == 0)


def entries_until(entries: Sequence[Entry], moment: datetime) -> int:
    """Count the entries up to `moment`, which are those that a letter of that time knew."""
    return next((count for count, entry in enumerate(entries) if entry.at > moment), len(entries))


def new_plies_and_words(view: View) -> tuple[list[Ply], list[SpokenWords]]:
    """Plies and the opponent's words since the reader's own last ply."""
    since = last_own_ply(view.game, view.seat or 0)
    return view.plies_after(since), [said for said in view.said_after(since) if said.seat != view.seat]


_HEADING = re.compile(r"[|\s]{0,8}>[>|\s]{0,20}game (\d{1,9})[,:] ", re.IGNORECASE)


def lines_between_boards(text: str, own: int | None = None) -> list[str]:
    """Find ambiguous lines: lines below a quoted board heading with no `game N` line between.

    Below the board of the game `own` nothing is ambiguous.
    """
    found: list[str] = []
    numbered = True
    for line in text.split("\n"):
        bare = line.strip()
        if heading := _HEADING.match(line):
            numbered = int(heading[1]) == own
        elif GAME.fullmatch(bare):
            numbered = True
        elif bare and not numbered and not bare.startswith((">", "|")):
            found.append(bare)
    return found


def letter_with_boards(kind: str, player: Player, boards: Boards, **facts: Any) -> Letter:
    """Make a letter with several boards, which the reply address identifies."""
    reply = ReplyTo("bundle", boards.bundle) if boards.views else ReplyTo("player", player.id)
    letter = to_player(kind, player, boards=list(boards.views), rest=list(boards.rest), **facts)
    return replace(letter, reply=reply)


def several_games(letters: Iterable[Letter]) -> bool:
    return len({letter.game_id for letter in letters if letter.game_id is not None}) > 1


def shorten_words(words: str) -> str:
    if len(words) <= MAX_WORDS:
        return words
    cut = words[:MAX_WORDS]
    return f"{cut[: cut.rfind(' ')] if ' ' in cut else cut} ..."
