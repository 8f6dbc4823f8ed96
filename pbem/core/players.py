"""Players, and the rules for their names."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,19}\Z")
MAX_NAME = 20
FORGOTTEN_PREFIX = "forgotten-"
RESERVED = frozenset(
    "any first second play admin random rated unrated postmaster please pls plz bitte thanks thx".split()
)


@dataclass(frozen=True)
class Preferences:
    """A player's preferences. `more` has those without a field of their own, by their words.

    `board` is table, picture, text for signs in the HTML part too, or words for no drawing; `digest` is a
    local hour, or None; `days_off` lets a fallen flag take vacation; `undo` is the undo window in minutes,
    None for the server's; `remind` is usual, off, or hours before the flag; `quiet` the local hours without
    reminders, or off.
    """

    format: str = "both"
    zone: str = "UTC"
    board: str = "table"
    stones: bool = True
    digest: int | None = None
    days_off: bool = True
    undo: int | None = None
    remind: str = "usual"
    quiet: str = "22-7"
    calendar: bool = False
    more: Mapping[str, Any] = field(default_factory=dict, hash=False)


BOARD_WORDS = "words"
"""The value of `board` for boards in words and lines of at most 40 signs, as for braille."""
DIGEST_TOO = "digest_too"
"""The key of a flag: True if letters about turns come beside the digest."""
TOKEN, TOKEN_DIGEST = "token", "token_digest"
"""The keys of a flag, True if the player has a token for programs, and of that token's digest."""
SPARE = "spare"
"""The key of the address to which letters go where those to the usual address come back."""
RETURNED = "returned"
"""The key of the time when a letter to the player came back, until the player writes or one arrives."""


@dataclass(frozen=True)
class Player:
    """A registered player; `addresses` are all confirmed ones, in lower case.

    Reply addresses of an older `epoch` are void. `stopped` holds the unsubscribed categories of letters;
    `suspended` those of `addresses` that bounced.
    """

    id: int
    name: str
    address: str
    addresses: frozenset[str]
    created_at: datetime
    epoch: int = 0
    stopped: frozenset[str] = frozenset()
    preferences: Preferences = Preferences()
    suspended: frozenset[str] = frozenset()
    barred: str = ""
    """The operator's reason for barring the player from words and new games, or ""."""
    director: bool = False
    """True if the operator has named the player a director, who may decide about games of others.

    The office of a barred player rests.
    """

    @property
    def has_digest(self) -> bool:
        return self.preferences.digest is not None and "digests" not in self.stopped

    @property
    def unsent(self) -> frozenset[str]:
        """The categories of letters that do not come now; a digest takes the place of turns."""
        replaced = self.has_digest and not self.preferences.more.get(DIGEST_TOO)
        return self.stopped | {"turns"} if replaced else self.stopped

    @property
    def is_told_of_turns(self) -> bool:
        return "turns" not in self.stopped or self.has_digest

    @property
    def bot(self) -> int:
        """The level of a bot, 0 for people."""
        return int(self.name[3:]) if self.address == bot_address(self.name) else 0

    @property
    def program(self) -> bool:
        """True for somebody's program, whose games are never rated."""
        return is_program_name(self.name)

    @property
    def is_quick_bot(self) -> bool:
        """True for a bot that answers within seconds, however long others think."""
        return 0 < self.bot <= QUICK_BOT

    @property
    def gone(self) -> bool:
        """True if the player was forgotten, and has no real name and address any more."""
        return not self.address

    @property
    def reachable(self) -> bool:
        """True if letters to this player's address arrive, as far as known."""
        return same_address(self.address) not in self.suspended

    @property
    def returned_at(self) -> datetime | None:
        """The time when a letter to the player came back, if that is still news."""
        kept = self.preferences.more.get(RETURNED)
        return datetime.fromisoformat(kept) if kept else None

    @property
    def spare(self) -> str:
        """The spare address, or "" where there is none or letters go there already."""
        kept = str(self.preferences.more.get(SPARE, ""))
        return kept if kept in self.addresses and kept != same_address(self.address) else ""


def name_fault(name: str, keywords: frozenset[str]) -> str:
    """A code for why nobody can be called `name`, or "". `keywords` begin a command, so no name is one."""
    if len(name.split()) > 1:
        return "words"
    if len(name) > MAX_NAME:
        return "long"
    if not NAME.match(name):
        return "short" if len(name) < 2 else "signs"
    small = name.lower()
    kept = small in RESERVED or small in keywords or small.startswith(("bot", FORGOTTEN_PREFIX))
    return "reserved" if kept else ""


def name_problem(name: str, keywords: frozenset[str]) -> str | None:
    """A sentence on why `name` is not allowed, or None."""
    match name_fault(name, keywords):
        case "":
            return None
        case "reserved":
            return f"{name} is a word this server keeps for itself; please choose another name."
    return (
        f"{name} cannot be a name here: a name has 2 to 20 letters, digits, - or _, and begins with a letter."
    )


BOT_HOST = "bots.invalid"
"""A host that no mail can reach (RFC 2606)."""
BOT_LEVELS = range(1, 6)
QUICK_BOT = 3
"""The highest level that answers within seconds."""
USUAL_BOT = 3
"""The level of `bot` without a number, where it is offered."""
PROGRAM_END = "-bot"
"""The end of the names of players' own programs."""
_PROGRAM = re.compile(rf"{PROGRAM_END}\d{{0,2}}\Z", re.IGNORECASE)
_BOT = re.compile(r"bot(\d{0,3})", re.IGNORECASE)


def usual_bot(levels: Sequence[int]) -> int:
    """Return the level of `bot` without a number, from those offered."""
    return min(levels, key=lambda level: abs(level - USUAL_BOT), default=USUAL_BOT)


def bot_level(name: str, levels: Sequence[int] = ()) -> int | None:
    """Return the level that a name such as `bot3` asks for. A person's name gives None."""
    found = _BOT.fullmatch(name)
    return None if found is None else int(found[1] or usual_bot(levels))


def bot_name(level: int) -> str:
    return f"bot{level}"


def has_program(players: Iterable[Player]) -> bool:
    """True if somebody's program is among these players, so that their game is never rated."""
    return any(player.program for player in players)


def is_bot_name(name: str) -> bool:
    """True if the name is like `bot1`, which no person may be called."""
    return name in map(bot_name, BOT_LEVELS)


def is_program_name(name: str) -> bool:
    """True if a name such as `Ada-bot` or `Ada-bot2` says that somebody's program plays."""
    return _PROGRAM.search(name) is not None


def is_computer_name(name: str) -> bool:
    return is_bot_name(name) or is_program_name(name)


def shown_name(name: str) -> str:
    """A name in a list: bots as `bot3, computer`."""
    return f"{name}, computer" if is_computer_name(name) else name


def bot_address(name: str) -> str:
    return f"{name}@{BOT_HOST}"


def same_address(address: str) -> str:
    """An address for comparison. RFC 5321 2.4 allows local parts that differ by case; no host does that."""
    return without_quotes(address.strip()).lower()


_NEEDLESS = re.compile(r'"([^\s"\\<>()\[\],;:@.]+(?:\.[^\s"\\<>()\[\],;:@.]+)*)"(?=@)')


def without_quotes(address: str) -> str:
    """The address without quotes round a dot-atom (RFC 5321 4.1.2). Others are needed: `"a@b, "@host`."""
    return _NEEDLESS.sub(r"\1", address) if address.startswith('"') else address
