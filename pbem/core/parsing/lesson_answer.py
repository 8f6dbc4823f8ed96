"""Reads a lesson's answer, as orders of a game at its board."""

from dataclasses import dataclass

from pbem.core.parsing.mail_orders import read_orders
from pbem.core.parsing.seen_move import no_answer_sentence
from rules.contract import Move, Position, RulesError

ONE_MOVE = (
    "A lesson is answered by one move alone, so nothing was done. Please write the rest in another mail."
)


@dataclass(frozen=True)
class LessonAnswer:
    """A legal move, wish for a hint, or the reason for neither."""

    move: Move | None = None
    hint: bool = False
    problem: str = ""


def read_lesson_answer(words: str, position: Position, *, marked: bool) -> LessonAnswer | None:
    """Return the answer in a mail's own words. None means other commands and no move."""
    orders = read_orders(words, marked=marked, reader=position.read)
    if orders.problem:
        seen = no_answer_sentence(words, position) if orders.nothing_read else ""
        return LessonAnswer(problem=seen or orders.problem)
    verbs = [command.verb for command in orders.commands]
    if "move" not in verbs or any(block.game is not None for block in orders.blocks):
        return LessonAnswer(hint=True) if verbs == ["hint"] else None
    if len(verbs) > 1:
        return LessonAnswer(problem=ONE_MOVE)
    return _legal_answer(position, orders.commands[0].args["move"])


def _legal_answer(position: Position, text: str) -> LessonAnswer:
    try:
        move = position.read_ply(text)
        position.play(move)
    except RulesError as error:
        return LessonAnswer(problem=str(error))
    return LessonAnswer(move)
