"""A letter to write: reader, template `templates/mail/<kind>.txt` and facts, without any prose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from pbem.core.game.view import View
from pbem.core.letters.facts import Facts, ResultFacts, Untold
from pbem.core.letters.muted import COMES_ALL_THE_SAME, muted_games
from pbem.core.players import Player
from pbem.core.preferences.letter_kinds import KINDS


@dataclass(frozen=True)
class ReplyTo:
    """The credential in the letter's Reply-To.

    `use` is game (id, seat, entry), player (id, about: a challenge or 0), bundle (id), confirm (id),
    invite (id), watch (id of the game, entry: the number of its plies), or "" for the plain address, which
    proves nothing.
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
    """A letter. `needed`: sent even where its kind is stopped, since it answers a mail and tells more.

    `held_until` is when a move stops being its owner's secret. `ratings` of players by id and the
    `place_in_event` of the game (an `EventPlace` or None) are added when the letter is written.
    """

    kind: str
    address: str
    player: Player | None
    reply: ReplyTo = ReplyTo()
    view: View | None = None
    facts: Facts | Mapping[str, Any] = field(default_factory=dict)
    needed: bool = False
    waits: timedelta = timedelta()
    """How long the letter waits for another of the same game to its reader, which tells the same."""
    attached: tuple[Attachment, ...] = ()
    untold: Untold = field(default_factory=Untold)
    held_until: datetime | None = None
    ratings: Mapping[int, str] = field(default_factory=dict)
    place_in_event: object = None
    thread: tuple[str, ...] = ()
    """The ids of a mail between others that the letter belongs to; its reader has that mail too."""

    @property
    def wanted(self) -> bool:
        """True if the reader has an address and has stopped neither kind nor game, or if it is `needed`."""
        if not self.address:
            return False
        stopped = self.player is not None and KINDS[self.kind].stop in self.player.unsent
        return self.needed or not (stopped or self._is_muted)

    @property
    def _is_muted(self) -> bool:
        """True if the reader has muted the game. The end comes, and so does the reader's own fallen flag."""
        view, kind = self.view, KINDS[self.kind]
        if view is None or self.player is None or view.state.ending is not None or kind.answers:
            return False
        own_flag = self.kind == "flag" and self.told["whose"] == view.seat
        muted = view.game.id in muted_games(self.player)
        return muted and not own_flag and self.kind not in COMES_ALL_THE_SAME

    @property
    def game_id(self) -> int | None:
        return self.view.game.id if self.view else None

    @property
    def told(self) -> Mapping[str, Any]:
        """The facts by name."""
        return vars(self.facts) if isinstance(self.facts, Facts) else self.facts

    def telling(self, **more: Any) -> "Letter":
        """Return the letter with facts changed, or added where they have no class."""
        facts = self.facts
        return replace(self, facts=replace(facts, **more) if isinstance(facts, Facts) else {**facts, **more})


def to_player(
    kind: str, player: Player, told: Facts | None = None, /, *, about: int = 0, **facts: Any
) -> Letter:
    """Make a letter to a player, which tells facts of a class or by name."""
    reply = ReplyTo("player", player.id, about=about)
    return Letter(kind, player.address, player, reply, facts=told or facts)


def result_letter(
    view: View, heard: int, since: int | None = None, read: Sequence[str] = (), remarks: Sequence[str] = ()
) -> Letter:
    """Make the letter on a game's end for a reader who knew `heard` entries, with the plies after `since`."""
    since = heard if since is None else since
    return about_game("result", view, ResultFacts(since, heard, read, remarks))


def about_game(kind: str, view: View, told: Facts | None = None, /, **facts: Any) -> Letter:
    """Make a letter about a game to any reader; only a player can make moves by replying."""
    reply = ReplyTo("player", view.reader.id)
    if view.seat is not None:
        reply = ReplyTo("game", view.game.id, view.seat, view.entry)
    return Letter(kind, view.reader.address, view.reader, reply, view, told or facts)
