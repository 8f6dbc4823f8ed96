"""A proved win: its position, and the game's end after the check."""

from datetime import datetime

from pbem.core.clock.mail_times import same_moment
from pbem.core.game.game import Game
from pbem.core.game.journal import PROVED
from pbem.core.game.view import view
from pbem.core.play.turn import Decision, Turn, TurnRequest
from pbem.core.play.turn_letters import letters_for_news
from rules.contract import Seat
from rules.search.proof import BadProof, check_proof, read_proof

MAX_PROOF = 60_000
"""Characters of a proof that is kept with a game."""


def claimed_moves(game: Game, seat: Seat) -> list[str]:
    """Return the moves so far as `seat` sees them. A claim is about the board after them."""
    return [ply.move for ply in game.as_seen_by(seat).state.plies]


def decide_proved(game: Game, seat: Seat, text: str, at: datetime, site: str) -> Decision:
    """End the game by a proof that the rules replay. Raises BadProof if it does not hold."""
    proof = read_proof(text)
    if proof.seat != seat or proof.draws:
        raise BadProof("The proof is for another claim.")
    check_proof(game.state.position, proof)
    turn = Turn(TurnRequest(seat, (), same_moment(at), site), game, game)
    turn = turn.add(PROVED, seat, game.not_before(at), {"proof": text})
    letters = letters_for_news(turn, view(turn.game, seat, site))
    return Decision(turn.entries, turn.state, tuple(letters))
