"""Facts of letters, as a class for each kind that has defaults or chooses between sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

from pbem.core.game.answered import Answered
from pbem.core.game.conditional import ConditionalStop
from pbem.core.game.journal import AGREE, RESIGN
from pbem.core.game.state import Ply
from pbem.core.game.view import View
from pbem.core.parsing.suggestions import Suggestion


@dataclass(frozen=True)
class Facts:
    """The facts of a letter, which its template knows by name; the value itself is `facts` there."""


@dataclass(frozen=True)
class Untold:
    """Words of a mail that went to nobody, and remarks about lines of it, the `asides`."""

    above: str = ""
    below: str = ""
    unread: str = ""
    asides: Sequence[str] = ()
    files: Sequence[str] = ()
    """The names of attached files."""


DrawNews = Literal["", "offered", "declined", "turned down"]
UndoNews = Literal["", "asked", "taken", "kept"]
_Rest = Literal["recorded", "moved", "planned", "unplanned", "settled", "unread", "unheard", "sent", "ended"]
Done = Literal[DrawNews, UndoNews, _Rest]
"""The thing that a mail has done in a game. Templates have a sentence for each."""


@dataclass(frozen=True)
class ReceiptFacts(Facts):
    """The answer to a mail about a game whose journal had `since` entries before.

    `already`: the ply that the mail repeats. `draw` and `undo` are news of an offer, `deals` of a settlement.
    """

    read: Sequence[str]
    since: int
    remarks: Sequence[str] = ()
    already: Ply | None = None
    said: str = ""
    draw: DrawNews = ""
    undo: UndoNews = ""
    deals: Sequence[Mapping[str, Any]] = ()
    planned: bool = False
    unsent: bool = False
    stop: ConditionalStop | None = None
    gained: timedelta = timedelta()
    """What the mover's clock gains for the move."""

    def done(self, view: View) -> Done:
        """Return what the first sentence says."""
        if self.already:
            return "recorded"
        if view.plies_after(self.since):
            return "moved"
        if news := self.draw or self.undo:
            return news
        if self.planned and not self.said:
            return "planned" if view.plan else "unplanned"
        if self.deals:
            return "settled"
        if view.opponent.bot:
            return "unread"
        return "unheard" if "chat" in view.opponent.stopped else "sent"

    def shows_board(self, view: View) -> bool:
        """True if the board is news; words and offers change nothing on it."""
        return self.done(view) in ("recorded", "moved", "planned", "unplanned", "taken")

    def besides(self, view: View) -> list[Done]:
        """Return what is done besides about a draw or a move to take back."""
        news: Sequence[Done] = ("offered", "turned down", "asked")
        return [each for each in news if each in (self.draw, self.undo) and each != self.done(view)]


@dataclass(frozen=True)
class TableChange:
    """A player's place in a division after a game; `forfeit` is + or - if the game is one there."""

    title: str
    place: int
    players: int
    points: float
    forfeit: str = ""


@dataclass(frozen=True)
class LadderChange:
    """A player's place on a ladder of `number` players after a game; the place `was` the earlier one."""

    title: str
    place: int
    was: int
    number: int


@dataclass(frozen=True)
class MatchChange:
    """The club that gained a game's point, or "", and how the match stands."""

    title: str
    gain: str
    drawn: bool
    score: str
    games_left: int


@dataclass(frozen=True)
class ResultFacts(Facts):
    """A game's end, for a reader who knew `heard` entries, with the plies after `since`.

    `unrated` says why no rating changed. All from `rating_changes` on is added when the letter is written.
    """

    since: int
    heard: int
    read: Sequence[str] = ()
    remarks: Sequence[str] = ()
    rating_changes: Mapping[int, Any] = field(default_factory=dict)
    unrated: str = ""
    hinted: Sequence[tuple[str, Sequence[int]]] = ()
    guesses: int = 0
    right_guesses: int = 0
    table: TableChange | None = None
    ladder: LadderChange | None = None
    match: MatchChange | None = None
    forgotten: bool = False
    together: bool = False
    """True if the game ended in live play, so that all of that is told."""

    def done(self, view: View) -> Done:
        return "moved" if view.plies_after(self.since) else "ended"

    def planned(self, view: View) -> bool:
        """True if the reader's own plan resigned or agreed to a draw."""
        last = view.game.journal[-1]
        return last.kind in (RESIGN, AGREE) and last.seat == view.seat and bool(last.data.get("auto"))


@dataclass(frozen=True)
class TurnFacts(Facts):
    """The plies after entry `since` and the words after `heard`; `stop`: why a plan has not answered.

    `joined`: the letter tells the reader's own move too, in place of a receipt.
    """

    since: int
    heard: int
    stop: ConditionalStop | None = None
    joined: bool = False


@dataclass(frozen=True)
class LiveFacts(Facts):
    """All that happened in live play, after entry `since`; `answered`: the end of the reader's own offer."""

    since: int
    answered: Answered | None = None


@dataclass(frozen=True)
class StartFacts(Facts):
    """A game's first letter. `mine`: the reader accepted, and `comment` holds the words of whoever did.

    `event` is the title of a league or ladder that began the game, `unplayed` a move among the words.
    """

    challenge: object
    mine: bool = False
    comment: str = ""
    often: bool = False
    unplayed: str = ""
    event: str = ""
    on_ladder: bool = False


@dataclass(frozen=True)
class RefusalFacts(Facts):
    """The `problems` of a mail, as it was `read`, or the lines `found` in it.

    `seen_move` and `guess` are its likely meaning. `to_send`: the words found go out on `send`.
    `beside`: other parts of the mail were carried out. `begins`: a game to suggest to who wrote about none.
    """

    problems: Sequence[str]
    read: Sequence[str] = ()
    found: Sequence[str] = ()
    seen_move: str = ""
    comment: str = ""
    guess: Suggestion | None = None
    to_send: bool = False
    beside: bool = False
    begins: str = ""
    known: bool = False
    """True if the answered letter has the same board."""
