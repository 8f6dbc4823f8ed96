"""Reads a lesson's answer, as orders of a game at its board."""

from dataclasses import dataclass, field, replace

from pbem.core.exercises.answer import read_answer
from pbem.core.parsing.line import Command, is_wish_for_hint
from pbem.core.parsing.mail_orders import GameBlock, MailCommands, read_orders
from pbem.core.parsing.seen_move import NO_ANSWER, no_answer_sentence
from rules.contract import Move, Position, RulesError

ONE_MOVE = "A lesson is answered by one move, or by `hint`. Please write only one of them."


@dataclass(frozen=True)
class LessonAnswer:
    """A legal move, wish for a hint, or reason for neither."""

    move: Move | None = None
    hint: bool = False
    problem: str = ""
    beside: MailCommands = field(default_factory=MailCommands)
    """What else the mail asks for."""


def read_lesson_answer(words: str, position: Position, *, marked: bool) -> LessonAnswer | None:
    """Return the answer in a mail's own words, or None for other commands alone."""
    orders = read_orders(words, marked=marked, reader=position.read)
    if orders.problem:
        seen = no_answer_sentence(words, position) if orders.nothing_read else ""
        return LessonAnswer(problem=seen or orders.problem)
    own = [command for block in orders.blocks if block.game is None for command in block.commands]
    answers = [command for command in own if _is_answer(command)]
    if not answers:
        return None
    blocks = (block if block.game is not None else _without_answers(block) for block in orders.blocks)
    beside = MailCommands(tuple(blocks))
    if len(answers) > 1:
        return LessonAnswer(problem=ONE_MOVE, beside=beside)
    if answers[0].verb == "hint":
        return LessonAnswer(hint=True, beside=beside)
    return replace(_legal_answer(position, answers[0].args["move"]), beside=beside)


def _is_answer(command: Command) -> bool:
    return command.verb == "move" or is_wish_for_hint(command)


def _without_answers(block: GameBlock) -> GameBlock:
    return replace(block, commands=tuple(each for each in block.commands if not _is_answer(each)))


def _legal_answer(position: Position, text: str) -> LessonAnswer:
    try:
        move = read_answer(position, text)
        return LessonAnswer(move, problem="" if move else NO_ANSWER)
    except RulesError as error:
        return LessonAnswer(problem=str(error))
