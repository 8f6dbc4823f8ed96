"""A signed-in player's own game: what they see and may order."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from pbem.commands import proved_claims
from pbem.commands.hint import KIND as HINT
from pbem.commands.hint import hint_key, refuse_hint
from pbem.core.errors import Refusal
from pbem.core.game.answered import Answered, answered_offer
from pbem.core.game.game import Game
from pbem.core.game.state import offers_to
from pbem.core.game.view import View, view
from pbem.core.play.live import LONGEST
from pbem.core.play.preview import closed_sentence, possible_orders
from pbem.duties.live import may_play_on, note_presence
from pbem.inbox import web_move
from pbem.inbox.web_move import ComposeLink
from pbem.store import bot_jobs, events, live
from pbem.store.engine import Connection
from pbem.web import security
from pbem.web.composer import ComposerForm, composer_facts, form_number, move_in_query
from pbem.web.responses import application
from pbem.web.viewer import session, viewer
from rules.contract import Seat

PROVED = "claim win proved"
ORDERS = {
    "accept draw": "Accept the draw",
    "decline draw": "Decline the draw",
    "accept annul": "Annul the game",
    "decline annul": "Do not annul the game",
    "accept undo": "Let {other} take the move back",
    "decline undo": "Do not let {other} take it back",
    "accept pause": "Accept the pause",
    "decline pause": "Decline the pause",
    "draw": "Offer a draw",
    "annul": "Ask to annul the game",
    "undo": "{ask} my last move back",
    "claim win": "Claim the win",
    "claim draw": "Claim a draw",
    "claim void": "Have the game declared void",
    PROVED: "Claim a proved win",
    "resign yes": "Resign",
}
"""Orders that are one button each, with the words on it; they are shown when they would be carried out."""
WITH_FIELD = ("pause 1 day", "give 1d", "if clear")
"""Orders with more to write: these ask whether they can be given at all."""


@dataclass(frozen=True)
class OwnGame:
    """A player's own game on its page: link, orders and private facts."""

    link: ComposeLink
    sealed: str
    view: View
    possible: Sequence[str]
    mark: Markup
    number: str

    @property
    def other(self) -> str:
        return self.link.game.seats[1 - self.link.seat].name

    @property
    def answered(self) -> Answered | None:
        return answered_offer(self.link.composition.game, self.link.seat)

    @property
    def your_turn(self) -> bool:
        return not closed_sentence(self.link.composition)

    def buttons(self, *verbs: str) -> list[tuple[str, str]]:
        """Return the possible orders with one of these verbs, with button texts."""
        chosen = [one for one in self.possible if one in ORDERS and _group(one) in verbs]
        waiting = self.link.game.pending
        own = waiting is not None and waiting.seat == self.link.seat  # nobody sees that the other's waits
        ask = "Take" if own else "Ask to take"
        return [(one, ORDERS[one].format(other=self.other, ask=ask)) for one in chosen]


def _group(order: str) -> str:
    """The verb by which a page asks for an order's button."""
    return "proved" if order == PROVED else order.split()[0]


def own_game(db: Connection, game: Game, sealed: str = "") -> OwnGame | None:
    """Return the signed-in player's game, or None. `sealed` is from a form."""
    player, app = viewer(), application()
    if player is None or game.seat_of(player) is None:
        return None
    sealed = sealed or web_move.seal(app, db, game, player)
    link = web_move.read_compose_link(app, db, game.id, sealed)
    seen = view(link.composition.game, link.seat, app.config.site)
    possible = [] if seen.state.ending else possible_orders(link.composition, [*ORDERS, *WITH_FIELD])
    offered = set(offers_to(seen.state, link.seat))
    if events.pairing_state(db, game.id) is not None:
        offered.add("annul")
    possible = [one for one in possible if one not in offered]  # each would accept the other's
    if proved_claims.refusal_sentence(app, db, game, player):
        possible = [one for one in possible if one != PROVED]
    return OwnGame(link, sealed, seen, possible, security.csrf_field(session()), form_number())


def own_facts(game: Game) -> dict[str, Any]:
    """Return a game's orders for its player, and the composer if a ply is due."""
    with application().store.read() as db:
        own = own_game(db, game)
        hint = None if own is None else hint_facts(db, game, own.link.seat)
        together = own is not None and may_play_on(db, game)
    if own is None:
        return {"own": None, "hint": None, "live": None}
    facts = {"own": own, "hint": hint, "live": live_facts(game, own.link.seat) if together else None}
    if own.your_turn:
        facts |= composer_facts(own.link, own.sealed, ComposerForm(move_in_query()))
    return facts


def live_facts(game: Game, seat: Seat) -> dict[str, Any]:
    """Note that the player is on this game's page; return how it is with live play, and its latest end."""
    app = application()
    with app.store.read() as db:
        play = live.live_play(db, game.id)
    play = note_presence(app, game.id, seat, play)
    until = play.agreed_at + LONGEST if play.agreed_at else None
    return {"status": play.status(seat, app.now()), "until": until}


def hint_facts(db: Connection, game: Game, seat: Seat) -> dict[str, Any] | None:
    """Return what is known of the hint for the due ply; None if no hint is possible."""
    try:
        refuse_hint(application(), db, game, seat)
    except Refusal:
        return None
    job = bot_jobs.find_job(db, HINT, hint_key(game, seat), application().now())
    words = job.result["words"] if job is not None and job.result else ""
    return {"words": words, "asked": bool(words) or (job is not None and not (job.done or job.failed))}
