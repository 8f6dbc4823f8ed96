"""Reads a lesson's answer, as orders of a game at its board."""

from dataclasses import dataclass

from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import read_orders
from pbem.core.parsing.seen_move import no_answer_sentence
from rules.contract import Move, Position, RulesError

ONE_MOVE = "A lesson is answered by one move, or by `hint`. Please write only one of them."


@dataclass(frozen=True)
class LessonAnswer:
    """A legal move, wish for a hint, or reason, in these lines."""

    move: Move | None = None
    hint: bool = False
    problem: str = ""
    lines: tuple[str, ...] = ()


def read_lesson_answer(words: str, position: Position, *, marked: bool) -> LessonAnswer | None:
    """Return the answer in a mail's own words. None means other commands alone."""
    orders = read_orders(words, marked=marked, reader=position.read)
    if orders.problem:
        seen = no_answer_sentence(words, position) if orders.nothing_read else ""
        return LessonAnswer(problem=seen or orders.problem)
    own = [command for block in orders.blocks if block.game is None for command in block.commands]
    answers = [command for command in own if command.verb == "move" or _is_wish(command)]
    lines = tuple(command.text for command in answers)
    if len(answers) > 1:
        return LessonAnswer(problem=ONE_MOVE, lines=lines)
    if not answers:
        return None
    if answers[0].verb == "hint":
        return LessonAnswer(hint=True, lines=lines)
    return _legal_answer(position, answers[0].args["move"], lines)


def _is_wish(command: Command) -> bool:
    """True for `hint` without a game's number."""
    return command.verb == "hint" and not command.args["number"]


def _legal_answer(position: Position, text: str, lines: tuple[str, ...]) -> LessonAnswer:
    try:
        move = position.read_ply(text)
        position.play(move)
    except RulesError as error:
        return LessonAnswer(problem=str(error), lines=lines)
    return LessonAnswer(move, lines=lines)
