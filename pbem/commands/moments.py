"""Answers by mail and web to the moments of a finished game, which change no game."""

from collections.abc import Sequence, Set
from dataclasses import replace

from pbem.app import App
from pbem.commands.context import Context, MailOutcome, plain_refusal
from pbem.core.exercises.analysis import Moment, moments_of
from pbem.core.game.view import View, view
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.parsing.moment_answers import MomentAnswer, read_moment_answers
from pbem.core.players import Player
from pbem.mail.addresses import BadAddress
from pbem.store import games, moments, players, restores
from pbem.store.engine import Connection
from pbem.store.moments import StoredMoments
from pbem.store.players import Confirmation

ALL_ANSWERED = "You have answered all of these moments. You find them again on the web."
NO_HINT = "There is no hint for a moment. Write what you would have played, and you hear what a bot would."
GONE = "The game of these moments is not as it was any more, so there is nothing to answer."


def answer_moments(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome | None:
    """Store a mail's answers and tell the bot's opinion; None if the mail has no answers."""
    stored = moments.find_moments(ctx.db, question.data["moments"])
    seen = view_of_moments(ctx.app, ctx.db, stored) if stored else None
    shown = moments_of(seen, stored.positions, stored.said) if stored and seen else []
    if stored is None or seen is None or not shown:
        return plain_refusal(owner, GONE)
    answers = read_moment_answers(ctx.words_about_no_game, shown)
    if not answers and all(moment.said for moment in shown) and ctx.orders(None).problem:
        return plain_refusal(owner, ALL_ANSWERED)
    if not answers:
        return plain_refusal(owner, NO_HINT) if ctx.asks_for_hint() else None
    told = store_answers(ctx.db, stored, seen, answers)
    problems = [answer.problem for answer in answers if answer.problem]
    letter = _judged_letter(owner, seen, told, {answer.n for answer in answers if answer.move}, problems)
    state = "done" if len(problems) < len(answers) else "refused"
    letter = replace(letter, reply=ReplyTo("confirm", question.id))
    beside = ctx.orders_beside(answer.line for answer in answers)
    return MailOutcome(state, " / ".join(problems), (letter,), owner, beside=beside)


def view_of_moments(app: App, db: Connection, stored: StoredMoments) -> View | None:
    """Return the game of stored moments as its player sees it; None if the player has no seat any more."""
    game = games.load_game(db, app.games_by_key, stored.game_id)
    player = players.player_by_id(db, stored.player_id)
    seat = None if game is None or player is None else game.seat_of(player)
    return None if game is None or seat is None else view(game, seat, app.config.host)


def moments_by_link(app: App, db: Connection, sealed: str) -> StoredMoments | None:
    """Return the moments that the credential in a letter's link gives access to."""
    try:
        token = app.addressing.read_token(sealed)
    except BadAddress:
        return None
    if token.use != "confirm" or restores.is_reused_number(db, "confirm", token.numbers[0], token.restored):
        return None
    question = players.find_confirmation(db, token.numbers[0])
    if question is None or question.purpose != "moments" or question.expires_at < app.now():
        return None
    return moments.find_moments(db, question.data["moments"])


def store_answers(
    db: Connection, stored: StoredMoments, seen: View, answers: Sequence[MomentAnswer]
) -> list[Moment]:
    """Store new answers and return the moments. The first answer to each moment counts."""
    new = {str(answer.n): answer.move for answer in answers if answer.move}
    said = moments.store_answers(db, stored.id, new)
    return moments_of(seen, stored.positions, said)


def _judged_letter(
    owner: Player, seen: View, told: Sequence[Moment], new: Set[int], problems: Sequence[str]
) -> Letter:
    items = [moment for moment in told if moment.n in new]
    left = [moment.n for moment in told if not moment.said]
    return to_player("judged", owner, seen=seen, items=items, left=left, problems=problems)
