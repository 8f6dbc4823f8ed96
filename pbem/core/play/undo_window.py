"""The undo window. A pending move is in no journal yet, so that no reader can reveal it."""

from dataclasses import replace
from datetime import datetime, timedelta

from pbem.core.clock.mail_times import same_moment
from pbem.core.game.game import Game
from pbem.core.game.journal import DECLINE, PLAN, PLY, SAY, TAKEBACK_DECLINED, PendingMove
from pbem.core.game.view import view
from pbem.core.letters.facts import TurnFacts
from pbem.core.letters.letter import Letter, about_game, result_letter
from pbem.core.play.automatic import add_automatic_entries, draw_news, find_conditional_stop
from pbem.core.play.turn import Decision, Turn, TurnRequest
from pbem.core.play.turn_letters import letters_for_news
from rules.contract import Seat

QUIET_KINDS = frozenset({SAY, PLAN, DECLINE, TAKEBACK_DECLINED})
"""The other's entries that mean the same before a pending move as after, so that they do not release it."""

CAUTION_WINDOW = timedelta(minutes=5)


def must_release_first(pending: PendingMove, seat: Seat, decision: Decision) -> bool:
    """True if the entries by `seat` must follow the pending move. Then it is released first."""
    kinds = {entry.kind for entry in decision.entries}
    return bool(kinds if pending.seat == seat else kinds - QUIET_KINDS)


def decide_release(game: Game, at: datetime, site: str) -> Decision:
    pending = game.pending
    assert pending is not None
    request = TurnRequest(pending.seat, (), same_moment(at), site)
    game = replace(game, pending=None)
    turn = Turn(request, game, game)
    for entry in pending.entries:
        more = {"made": entry.effective_time.isoformat()} if entry.kind == PLY else {}
        turn = turn.add(entry.kind, pending.seat, at, {**entry.data, **more})
    own = len(turn.entries)
    turn = add_automatic_entries(turn, at)
    return Decision(turn.entries, turn.state, tuple(_letters(turn, own)))


def _letters(turn: Turn, own: int) -> list[Letter]:
    """Return the other's usual letters. The owner's come only if something answered."""
    mine = view(turn.game, turn.seat, turn.request.site)
    letters = [letter for letter in letters_for_news(turn, mine) if letter.player != mine.reader]
    if len(turn.entries) == own:
        return letters
    since = len(turn.start.journal) + own
    if turn.state.ending is not None:
        return [*letters, result_letter(mine, since)]
    if draw_news(turn.entries) == "turned down":
        letters.append(about_game("draw", mine, draw="declined", words=""))
    if mine.your_turn:
        stop = find_conditional_stop(turn.before, turn.state, turn.seat)
        letters.append(about_game("turn", mine, TurnFacts(since, since, stop)))
    return letters
