"""A letter to write: reader, template `templates/mail/<kind>.txt` and facts, without any prose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from pbem.core.game.view import View
from pbem.core.players import Player
from pbem.core.preferences.letter_kinds import KINDS


@dataclass(frozen=True)
class ReplyTo:
    """The credential in the letter's Reply-To.

    `use` is game (id, seat, entry), player (id, about: a challenge or 0), bundle (id), confirm (id), watch
    (id of the game, entry: the number of its plies), or "" for the plain address, which proves nothing.
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
    """A letter. `needed`: sent even where its kind is stopped, since it answers a mail and tells more."""

    kind: str
    address: str
    player: Player | None
    reply: ReplyTo = ReplyTo()
    view: View | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    needed: bool = False
    waits: timedelta = timedelta()
    """How long the letter waits for another of the same game to its reader, which tells the same."""
    attached: tuple[Attachment, ...] = ()

    @property
    def wanted(self) -> bool:
        """True if the reader has an address and has not stopped this kind, or if the letter is `needed`."""
        if not self.address:
            return False
        stopped = self.player is not None and KINDS[self.kind].stop in self.player.stopped
        return self.needed or not stopped

    @property
    def game_id(self) -> int | None:
        return self.view.game.id if self.view else None


def to_player(kind: str, player: Player, *, about: int = 0, **facts: Any) -> Letter:
    reply = ReplyTo("player", player.id, about=about)
    return Letter(kind, player.address, player, reply, facts=facts)


def result_letter(
    view: View, heard: int, since: int | None = None, read: Sequence[str] = (), remarks: Sequence[str] = ()
) -> Letter:
    """Make the letter on a game's end for a reader who knew `heard` entries, with the plies after `since`."""
    since = heard if since is None else since
    return about_game("result", view, since=since, heard=heard, read=read, remarks=remarks)


def about_game(kind: str, view: View, **facts: Any) -> Letter:
    """Make a letter about a game to any reader; only a player can make moves by replying."""
    reply = ReplyTo("player", view.reader.id)
    if view.seat is not None:
        reply = ReplyTo("game", view.game.id, view.seat, view.entry)
    return Letter(kind, view.reader.address, view.reader, reply, view, facts)
