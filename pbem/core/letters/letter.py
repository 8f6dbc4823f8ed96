"""A letter to write: reader, template and facts, without any prose.

KINDS is the table of all letters; each kind has a template `templates/mail/<kind>.txt`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.core.errors import Refusal
from pbem.core.game.view import View
from pbem.core.players import Player
from rules.notation import listed


@dataclass(frozen=True)
class Kind:
    """The purpose of a kind of letter, and its unsubscribe category.

    `stop` is "" for letters that answer the player's own mail or protect the account: those are always sent.
    `answers` marks an answer to a mail (Auto-Submitted: auto-replied).
    """

    about: str
    stop: str = ""
    answers: bool = False


KINDS: Mapping[str, Kind] = {
    "confirm": Kind("asks a newcomer to confirm the address", answers=True),
    "newcomer": Kind("tells a proven address that is not registered how to begin", answers=True),
    "welcome": Kind("the name is registered; what to do next", answers=True),
    "proof": Kind("asks whether a mail without a reply address was really the player's"),
    "address": Kind("asks once before an address is added or dropped, or all are renewed", answers=True),
    "newaddress": Kind("asks a new address whether it is the player's"),
    "addresses": Kind("the player's addresses, and what was done with them", answers=True),
    "signin": Kind("brings a link to sign in on the web with"),
    "forget": Kind("asks once before a player is forgotten", answers=True),
    "forgotten": Kind("the last letter: the player is forgotten", answers=True),
    "challenge": Kind("somebody proposes a game", stop="challenges"),
    "offered": Kind("the challenge is on its way", answers=True),
    "declined": Kind("a challenge was declined", stop="challenges"),
    "withdrawn": Kind("a seek or a challenge was taken back", stop="challenges"),
    "seek": Kind("the seek waits in public", answers=True),
    "seeks": Kind("who waits for a game, as asked for", answers=True),
    "bounds": Kind("the player's limits and blocks, as asked for or changed", answers=True),
    "start": Kind("the game begins", stop="turns"),
    "turn": Kind("the other has played, it is your turn", stop="turns"),
    "receipt": Kind("what was done with your mail", stop="receipts", answers=True),
    "result": Kind("the game is over", stop="results"),
    "reminder": Kind("time runs out in a game", stop="reminders"),
    "reminders": Kind("time runs out in several games", stop="reminders"),
    "flag": Kind("somebody's time ran out, and what that brings", stop="turns"),
    "silent": Kind("nothing has happened for long in a game without a clock", stop="turns"),
    "director": Kind("what the director decided or has to say"),
    "draw": Kind("a draw is offered, or declined"),
    "undo": Kind("a ply is asked to be taken back, was, or stays"),
    "deal": Kind("time is given, or a pause asked for, agreed to or declined"),
    "chat": Kind("the other says something", stop="chat"),
    "refused": Kind("nothing was done, and why", answers=True),
    "resign": Kind("asks once before an early resignation, or a move that is like one", answers=True),
    "elsewhere": Kind(
        "asks about orders for another game than the one whose letter was answered", answers=True
    ),
    "show": Kind("a board, as asked for", answers=True),
    "tried": Kind("the boards that moves would bring, as asked for", answers=True),
    "noted": Kind("a private note, as it was kept", answers=True),
    "notes": Kind("the player's private notes, as asked for", answers=True),
    "export": Kind("the player's games as files, as asked for", answers=True),
    "watching": Kind("the games that the player watches, as asked for or changed", answers=True),
    "watched": Kind("a game that the player watches has gone on", stop="watched"),
    "moves": Kind("the plies of a game, as asked for", answers=True),
    "plans": Kind("what the player has planned in a game, as asked for", answers=True),
    "rating": Kind("a player's ratings and results, as asked for", answers=True),
    "standings": Kind("the best in a game, as asked for", answers=True),
    "games": Kind("the player's games, as asked for", answers=True),
    "rules": Kind("a game's rules, as asked for", answers=True),
    "help": Kind("what one can write", answers=True),
    "mismatch": Kind("somebody else used the player's reply address"),
    "expired": Kind("the reply address was too old", answers=True),
    "stopped": Kind("letters of a category come no more, as asked for", answers=True),
    "unreachable": Kind("letters to an opponent come back"),
    "reachable": Kind("letters go to the player again, who has written", answers=True),
    "settings": Kind("how the player wants letters, as asked for or changed", answers=True),
    "bundle": Kind("all boards that wait for the player, as asked for", answers=True),
    "receipts": Kind("what was done with a mail about several games", answers=True),
    "digest": Kind("once a day: what happened, and all boards that wait", stop="digests"),
    "daily": Kind("when the digest comes, as set or asked for", answers=True),
    "remind": Kind("when reminders come, as set or asked for", answers=True),
    "vacation": Kind("the player's days off, as asked for or changed", answers=True),
    "forwarded": Kind("brings the operator a mail to postmaster or abuse"),
    "moderated": Kind("what the operator did about the player's words or name, and why"),
    "report": Kind("brings the operator words that a player complains of"),
    "reported": Kind("the report is with the operator", answers=True),
    "shunted": Kind("tells the operator that a mail could not be handled"),
}


CATEGORIES = ("turns", "challenges", "chat", "receipts", "results", "reminders", "digests", "watched")
"""Unsubscribe categories, in the order of unsubscribe addresses: add only at the end."""


@dataclass(frozen=True)
class ReplyTo:
    """The credential in the letter's Reply-To.

    `use` is game (id, seat, entry), player (id, about: a challenge or 0), bundle (id) or confirm (id); "" is
    the plain address, which proves nothing.
    """

    use: str = ""
    id: int = 0
    seat: int = 0
    entry: int = 0
    about: int = 0


@dataclass(frozen=True)
class Attachment:
    """A file in a letter; `type` is `text/plain` or `application/json`."""

    name: str
    type: str
    text: str


@dataclass(frozen=True)
class Letter:
    """A letter of `kind` to `address`; `player` is None for unregistered people.

    `view` is the game as the reader sees it, for letters about a game; `facts` are what else the
    template needs. `needed` says that it comes even where letters of its kind are stopped: it answers the
    player's own mail, and tells something besides.
    """

    kind: str
    address: str
    player: Player | None
    reply: ReplyTo = ReplyTo()
    view: View | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    needed: bool = False
    attached: tuple[Attachment, ...] = ()

    @property
    def wanted(self) -> bool:
        """False if the reader is gone or has stopped this kind."""
        if not self.address:
            return False
        stopped = self.player is not None and KINDS[self.kind].stop in self.player.stopped
        return self.needed or not stopped

    @property
    def game_id(self) -> int | None:
        return self.view.id if self.view else None


def to_player(kind: str, player: Player, *, about: int = 0, **facts: Any) -> Letter:
    """A letter of the lobby, to be answered at the player's own reply address."""
    reply = ReplyTo("player", player.id, about=about)
    return Letter(kind, player.address, player, reply, facts=facts)


def about_game(kind: str, view: View, **facts: Any) -> Letter:
    """A letter about a game to the player whose view it is."""
    assert view.seat is not None
    reply = ReplyTo("game", view.id, view.seat, view.entry)
    return Letter(kind, view.reader.address, view.reader, reply, view, facts)


# Categories.

_SINGULAR: Mapping[str, str] = {
    **{category.removesuffix("s"): category for category in CATEGORIES},
    **{category: category for category in CATEGORIES},
    **dict.fromkeys(("words", "messages", "talk", "chats"), "chat"),
    "watching": "watched",
}


def categories_of(word: str) -> tuple[str, ...]:
    """The letter categories that a word means, `all` of them included. Raises Refusal."""
    return CATEGORIES if word.lower() in ("all", "everything") else (category_of(word),)


def category_of(word: str) -> str:
    """The letter category that a word means. Raises Refusal."""
    if (found := _SINGULAR.get(word.lower())) is not None:
        return found
    ways = listed([f"`stop {category}`" for category in CATEGORIES], "or")
    raise Refusal(f"There are no letters called {word}: write {ways}.")
