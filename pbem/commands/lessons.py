"""Lessons by mail: the command `learn`, the answers, and hints about them."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from pbem.commands.context import Context, MailOutcome, Request, handles, plain_refusal
from pbem.core.errors import Refusal
from pbem.core.exercises.answer import Progress, progress_of
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
    return [_give(ctx, player, shown, Progress())]


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


def _give(ctx: Context, player: Player, shown: ShownLesson, so_far: Progress, **more: Any) -> Letter:
    """The letter with a lesson; its reply address takes the answer."""
    facts = {"shown": shown, "problem": "", "hints": 0, **more}
    return _to_be_answered(ctx, shown, to_player("lesson", player, **facts), so_far)


def _to_be_answered(ctx: Context, shown: ShownLesson, letter: Letter, so_far: Progress) -> Letter:
    data = {"rules": shown.rules.key, "lesson": shown.n, **so_far.data}
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
    so_far = progress_of(question.data)
    if answer.hint:
        letter = _give(ctx, owner, shown, so_far.hinted, hints=so_far.hinted.hints)
    elif answer.move is None:
        letter = _give(ctx, owner, shown, so_far, problem=answer.problem)
    else:
        letter = _judge(ctx, owner, shown, answer.move, so_far)
    state = "refused" if answer.problem else "done"
    return MailOutcome(state, answer.problem, (letter,), owner, beside=answer.beside)


def _judge(ctx: Context, player: Player, shown: ShownLesson, move: Move, so_far: Progress) -> Letter:
    """Store the answer. Returns a letter that judges it, with the next lesson or for another try."""
    rules, judgement = shown.rules, judge_answer(shown.lesson, shown.position, move)
    lessons.store_try(ctx.db, player, rules.key, shown.n, judgement.move, ctx.now, right=judgement.right)
    solved = _solved_lessons(ctx, player, rules)
    left = 0 if judgement.right else so_far.tried.left
    following = shown if left else next_lesson(rules, solved, shown.n)
    facts: dict[str, Any] = {"answered": shown, "judgement": judgement, "solved": len(solved)}
    letter = to_player("taught", player, **facts, shown=following, left=left)
    if following is None:
        return letter
    return _to_be_answered(ctx, following, letter, so_far.tried if left else Progress())
