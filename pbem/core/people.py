"""Players, and what a name may be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,19}\Z")
GONE = "forgotten-"
"""How the names begin that stand for players who are forgotten."""
RESERVED = frozenset({"any", "first", "second", "play", "admin", "random", "rated", "unrated", "postmaster"})


@dataclass(frozen=True)
class Wishes:
    """How a player wants letters: what `set` and `digest` change.

    `format` is text, html or both; `zone` an IANA name; `board` is table, or text for a board in signs
    in the HTML part too; `coordinates` whether letters and numbers stand round the board; `stones`
    whether the stones stand below it as a list; `digest` the local hour of a daily letter, None for
    none; `days_off` whether a fallen flag takes vacation; `undo` how many minutes a ply waits, None for as
    many as is usual here; `remind` when reminders come (usual, off, or hours before the flag), `quiet` the
    local hours in which none does (or off), `calendar` whether they bring the deadline for a calendar too.
    Whether a move is acknowledged is in `Player.stopped`, as `receipts`.
    """

    format: str = "both"
    zone: str = "UTC"
    board: str = "table"
    coordinates: bool = True
    stones: bool = True
    digest: int | None = None
    days_off: bool = True
    undo: int | None = None
    remind: str = "usual"
    quiet: str = "22-7"
    calendar: bool = False


@dataclass(frozen=True)
class Player:
    """Somebody registered.

    `address` is where letters go; `addresses` all proven ones, lower case; `epoch` counts
    revocations: reply addresses of an older epoch are void. `stopped` holds the categories of
    letters the player asked not to get; `suspended` those of `addresses` that letters came back from.
    """

    id: int
    name: str
    address: str
    addresses: frozenset[str]
    created_at: datetime
    epoch: int = 0
    stopped: frozenset[str] = frozenset()
    wishes: Wishes = Wishes()
    suspended: frozenset[str] = frozenset()
    barred: str = ""
    """Why the operator lets the player say nothing and begin no game; "" for everybody else."""

    @property
    def hears_turns(self) -> bool:
        """Whether a letter says when it is this player's turn: one of its own, or the digest."""
        by_digest = self.wishes.digest is not None and "digests" not in self.stopped
        return "turns" not in self.stopped or by_digest

    @property
    def gone(self) -> bool:
        """Whether the player is forgotten: games show a name that says nothing, and no letter has a place."""
        return not self.address

    @property
    def reachable(self) -> bool:
        """Whether letters to this player's address arrive, as far as is known."""
        return same_address(self.address) not in self.suspended


def name_problem(name: str, keywords: frozenset[str]) -> str | None:
    """Why nobody can be called `name`, in a sentence for the person asking; None if one can.

    `keywords` are the words that begin a command: a name that is one could be read as an order.
    """
    if not NAME.match(name):
        return (
            f"{name} cannot be a name here: a name has 2 to 20 letters, digits, - or _, "
            "and begins with a letter."
        )
    lowered = name.lower()
    if lowered in RESERVED or lowered in keywords or lowered.startswith(("bot", GONE)):
        return f"{name} is a word this server keeps for itself; please choose another name."
    return None


def same_address(address: str) -> str:
    """The form in which addresses are compared: lower case throughout, without blanks or needless quotes.

    RFC 5321 2.4 lets a host tell capitals apart in the local part; none that people use does.
    """
    return without_quotes(address.strip()).lower()


_NEEDLESS = re.compile(r'"([^\s"\\<>()\[\],;:@.]+(?:\.[^\s"\\<>()\[\],;:@.]+)*)"(?=@)')


def without_quotes(address: str) -> str:
    """The address with quotes off that mean nothing, as in `"bill"@host` (RFC 5321 4.1.2).

    Only round a dot-atom do they mean nothing: without them `"a@b, "@host` would be another address.
    """
    return _NEEDLESS.sub(r"\1", address) if address.startswith('"') else address
