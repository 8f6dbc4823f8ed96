"""Live play: two people who are both on their game's page agree to play on at once, and letters wait.

The game itself never depends on that. At the end each of them gets one letter, made from the journal.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from pbem.core.game.answered import answered_offer
from pbem.core.game.game import Game
from pbem.core.game.journal import SEATS
from pbem.core.game.view import View, view
from pbem.core.letters.facts import LiveFacts, ReceiptFacts, ResultFacts, Untold
from pbem.core.letters.letter import Letter, about_game
from pbem.core.players import is_computer_name
from rules.contract import Seat, other

NOTED_EVERY = timedelta(minutes=1)
"""How often a player's presence is stored at most."""
HERE = timedelta(seconds=150)
"""How long after it was stored a player still counts as here: a page asks once a minute at least."""
AWAY = timedelta(minutes=5)
"""How long one of them may be away before live play ends, and an offer stays open."""
LONGEST = timedelta(hours=2)
WAITING_KINDS = frozenset({"turn", "receipt", "chat", "draw", "undo"})
"""The letters that wait until live play ends, where the last letter tells the same."""

LiveStatus = Literal["apart", "here", "waiting", "asked", "playing"]
"""One player's side of it: the other is away, is here, has to answer, has asked; or both play on."""


@dataclass(frozen=True)
class LivePlay:
    """The last times of both players on a game's page, and their offer and agreement to play on."""

    seen: tuple[datetime | None, datetime | None] = (None, None)
    offered_by: Seat | None = None
    offered_at: datetime | None = None
    agreed_at: datetime | None = None
    entry: int = 0
    """The length of the journal at the agreement."""

    @property
    def ends_at(self) -> datetime | None:
        """The end of live play if nobody is seen again, None without an agreement."""
        if self.agreed_at is None:
            return None
        return min(self.agreed_at + LONGEST, *(at + AWAY for at in self.seen if at is not None))

    def is_on(self, now: datetime) -> bool:
        return self.ends_at is not None and now < self.ends_at

    def is_over(self, now: datetime) -> bool:
        """True if live play must end now, and has not."""
        return self.ends_at is not None and now >= self.ends_at

    def is_offered(self, now: datetime) -> bool:
        return self.agreed_at is None and self.offered_at is not None and now < self.offered_at + AWAY

    def status(self, seat: Seat, now: datetime) -> LiveStatus:
        if self.agreed_at is not None:
            return "playing" if self.is_on(now) else "apart"
        if self.is_offered(now):
            return "waiting" if self.offered_by == seat else "asked"
        at = self.seen[other(seat)]
        return "here" if at is not None and now - at < HERE else "apart"

    def is_to_be_noted(self, seat: Seat, now: datetime) -> bool:
        """True if a player's presence must be stored again. Nobody comes back to live play that is over."""
        at = self.seen[seat]
        return not self.is_over(now) and (at is None or now - at >= NOTED_EVERY)

    def with_seen(self, seat: Seat, now: datetime) -> "LivePlay":
        return replace(self, seen=(now, self.seen[1]) if seat == 0 else (self.seen[0], now))

    def wanted_by(self, seat: Seat, now: datetime, entry: int) -> "LivePlay":
        """Return what a player's wish to play on makes: an offer, or the agreement to the other's."""
        here = self.with_seen(seat, now)
        status = self.status(seat, now)
        if status == "asked":
            return LivePlay(here.seen, agreed_at=now, entry=entry)
        return here if status in ("waiting", "playing") else LivePlay(here.seen, seat, now)

    @property
    def ended(self) -> "LivePlay":
        return LivePlay(self.seen)


def is_possible(game: Game) -> bool:
    """True for a running game of two people."""
    return game.state.ending is None and not any(is_computer_name(player.name) for player in game.seats)


def waits(letter: Letter) -> bool:
    """True if a letter about a game in live play is not written, as the last letter tells the same."""
    seen = letter.view
    if letter.kind not in WAITING_KINDS or seen is None or seen.seat is None or seen.state.ending is not None:
        return False
    facts = letter.facts
    if letter.untold != Untold() or letter.held_until is not None or letter.told.get("stop"):
        return False
    if isinstance(facts, ReceiptFacts):
        return not (facts.remarks or facts.already or facts.unsent or facts.planned or facts.deals)
    return not letter.needed


def with_all_since(letter: Letter, play: LivePlay) -> Letter:
    """A result's letter with all that was played and said in live play."""
    facts = letter.facts
    if not isinstance(facts, ResultFacts):
        return letter
    return letter.telling(
        since=min(facts.since, play.entry), heard=min(facts.heard, play.entry), together=True
    )


def last_letters(game: Game, play: LivePlay, site: str) -> list[Letter]:
    """Return the letters at the end of live play; none if nothing has happened, or the game is over."""
    happened = game.pending is not None or any(entry.n > play.entry for entry in game.open_entries)
    return list(_last_letters(game, play, site)) if happened and game.state.ending is None else []


def _last_letters(game: Game, play: LivePlay, site: str) -> Iterator[Letter]:
    for seat in SEATS:
        seen = view(game, seat, site)
        letter = about_game("live", seen, LiveFacts(play.entry, answered_offer(game, seat)))
        if game.pending is not None and game.pending.seat == seat:
            letter = replace(letter, held_until=game.pending.until)
        wants_receipts = "receipts" not in seen.reader.unsent
        if seen.your_turn or wants_receipts or _has_to_know(seen, play):
            yield replace(letter, needed=wants_receipts and not seen.your_turn)


def _has_to_know(seen: View, play: LivePlay) -> bool:
    """True if there is more to tell than the moves, to a player who waits."""
    said = any(words.seat != seen.seat for words in seen.said_after(play.entry))
    with_moves = any(ply.comment and ply.seat != seen.seat for ply in seen.plies_after(play.entry))
    return said or with_moves or bool(seen.offers)
