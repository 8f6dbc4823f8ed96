"""Lessons by mail: the command `learn`, the answers, and hints about them."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from pbem.commands.context import Context, MailOutcome, Request, handles, plain_refusal
from pbem.core.errors import Refusal
from pbem.core.exercises.lesson import ShownLesson, find_lesson, next_lesson
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby.challenges import find_rules
from pbem.core.parsing.lesson_answer import read_lesson_answer
from pbem.core.players import Player
from pbem.store import lessons
from pbem.store.players import Confirmation
from rules.contract import Move, Rules
from rules.teaching import judge_answer

PURPOSE = "lesson"
GONE = "There is no such lesson any more; `learn` lists those that there are."


@handles("learn")
def _learn(request: Request) -> list[Letter]:
    ctx, player, args = request.ctx, request.player, request.args
    if not args["game"]:
        return [_list_letter(ctx, player)]
    rules = find_rules(args["game"], ctx.app.offered)
    shown = _choose(rules, args["number"], _solved_lessons(ctx, player, rules), again=bool(args["again"]))
    return [_give(ctx, player, shown)]


def _choose(rules: Rules, number: int | None, solved: Collection[int], *, again: bool) -> ShownLesson:
    """Return the wanted lesson: by number, the first, or the first unsolved."""
    if not rules.lessons:
        raise Refusal(f"There are no lessons of {rules.name} yet; `rules {rules.key}` brings its rules.")
    first = 1 if again else None
    number = first if number is None else number
    if number is None:
        return next_lesson(rules, solved) or ShownLesson(rules, 1)
    shown = find_lesson(rules, number)
    if shown is None:
        raise Refusal(f"{rules.name} has lessons 1 to {len(rules.lessons)}, and no lesson {number}.")
    return shown


def _solved_lessons(ctx: Context, player: Player, rules: Rules) -> frozenset[int]:
    return lessons.solved_lessons(ctx.db, player).get(rules.key, frozenset())


def _list_letter(ctx: Context, player: Player) -> Letter:
    taught = [rules for rules in ctx.app.offered.values() if rules.lessons]
    if not taught:
        raise Refusal("There are no lessons here; `rules` lists the games.")
    return to_player("lessons", player, taught=taught, solved=lessons.solved_lessons(ctx.db, player))


def _give(ctx: Context, player: Player, shown: ShownLesson, **more: Any) -> Letter:
    """The letter with a lesson; its reply address takes the answer."""
    facts = {"shown": shown, "problem": "", "hint": False, **more}
    return _to_be_answered(ctx, shown, to_player("lesson", player, **facts))


def _to_be_answered(ctx: Context, shown: ShownLesson, letter: Letter) -> Letter:
    data = {"rules": shown.rules.key, "lesson": shown.n}
    return replace(letter, reply=ctx.ask(PURPOSE, letter.address, data))


def answer_lesson(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome | None:
    """Judge the move in a mail, or give a hint. Return None for a mail with other commands."""
    rules = ctx.app.games_by_key.get(question.data["rules"])
    shown = find_lesson(rules, question.data["lesson"])
    if shown is None:
        return plain_refusal(owner, GONE)
    answer = read_lesson_answer(ctx.inbound.words, shown.position, marked=ctx.inbound.marked)
    if answer is None:
        return None
    if answer.hint:
        letter = _give(ctx, owner, shown, hint=True)
    elif answer.move is None:
        letter = _give(ctx, owner, shown, problem=answer.problem)
    else:
        letter = _judge(ctx, owner, shown, answer.move)
    state = "refused" if answer.problem else "done"
    return MailOutcome(state, answer.problem, (letter,), owner, beside=answer.beside)


def _judge(ctx: Context, player: Player, shown: ShownLesson, move: Move) -> Letter:
    """Store the answer. Returns a letter that judges it, with the next lesson."""
    rules, judgement = shown.rules, judge_answer(shown.lesson, shown.position, move)
    lessons.store_try(ctx.db, player, rules.key, shown.n, judgement.move, ctx.now, right=judgement.right)
    solved = _solved_lessons(ctx, player, rules)
    following = next_lesson(rules, solved, shown.n)
    letter = to_player(
        "taught", player, answered=shown, judgement=judgement, shown=following, solved=len(solved)
    )
    return letter if following is None else _to_be_answered(ctx, following, letter)
