"""Puzzles by mail: the command `puzzle`, and answers."""

from collections.abc import Collection
from dataclasses import replace

from pbem.commands.context import Context, MailOutcome, Request, handles, plain_refusal
from pbem.core.errors import Refusal
from pbem.core.exercises.answer import progress_of
from pbem.core.exercises.puzzle import PuzzleVerdict, ShownPuzzle, find_answer
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.lobby.challenges import find_rules
from pbem.core.parsing.seen_move import no_answer_sentence
from pbem.core.players import Player
from pbem.duties.puzzles import KIND, PURPOSE, find_unseen, give, load_shown
from pbem.store import puzzles
from pbem.store.players import Confirmation

GONE = "The game of this puzzle has changed, so there is nothing to answer; `puzzle` brings another."


@handles(KIND)
def _puzzle(request: Request) -> list[Letter]:
    ctx, player = request.ctx, request.player
    if request.args["number"] is not None:
        return [
            give(ctx.app, ctx.db, _of_number(ctx, request.args["number"]), player, ctx.now, is_daily=False)
        ]
    if request.args["game"].lower() in ("daily", "on", "off"):
        raise Refusal("For a puzzle every morning, write `set puzzles daily`; `set puzzles off` ends it.")
    known = ctx.app.games_by_key
    found = find_rules(request.args["game"], known) if request.args["game"] else None
    keys = [found.key] if found is not None else list(known)
    shown = find_unseen(ctx.app, ctx.db, player, keys)
    if shown is None:
        raise Refusal(_none_sentence(ctx, player, found.name if found else "", keys))
    return [give(ctx.app, ctx.db, shown, player, ctx.now, is_daily=False)]


def _of_number(ctx: Context, number: int) -> ShownPuzzle:
    shown = load_shown(ctx.app, ctx.db, puzzles.puzzle_by_id(ctx.db, number))
    if shown is None:
        raise Refusal(f"There is no puzzle {number}; `puzzle` brings another.")
    return shown


def _none_sentence(ctx: Context, player: Player, name: str, keys: Collection[str]) -> str:
    """The reason why there is no puzzle, and what is possible."""
    counts = puzzles.count_by_rules(ctx.db)
    kind = f"puzzle of {name}" if name else "puzzle"
    there = sum(counts[key].puzzles for key in keys if key in counts)
    if there:
        return f"You have had every {kind} that there is. New ones come from games that end here."
    others = [key for key in counts if key in ctx.app.games_by_key]
    if name and others:
        return f"There is no {kind} yet. Write `puzzle {others[0]}`, or `puzzle` for one of any game."
    more = "" if ctx.app.config.bots else " None will come, for the bots are off."
    with_lessons = [key for key, rules in ctx.app.offered.items() if rules.lessons]
    learn = next((key for key in [*(keys if name else ()), *with_lessons] if key in with_lessons), "")
    lessons = f" Until then, `learn {learn}` brings boards to solve." if learn else ""
    return f"There is no {kind} yet: they come from games that end here.{more}{lessons}"


def answer_puzzle(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome | None:
    """Judge the move in a mail. Return None for a mail with commands instead."""
    shown = load_shown(ctx.app, ctx.db, puzzles.puzzle_by_id(ctx.db, question.data["puzzle"]))
    if shown is None:
        return plain_refusal(owner, GONE)
    answer = find_answer(shown, ctx.words_about_no_game)
    if answer is None:
        if ctx.asks_for_hint():
            return _give_hint(ctx, question, owner, shown)
        if not ctx.orders(None).problem:
            return None
        problem = no_answer_sentence(ctx.inbound.words, shown.position)
        return refuse_answer(question, owner, shown, problem)
    beside = ctx.orders_beside([answer.line])
    if answer.verdict is None:
        return replace(refuse_answer(question, owner, shown, answer.problem), beside=beside)
    so_far = progress_of(question.data).tried
    left = 0 if answer.verdict.right else so_far.left
    letter = solved_letter(ctx, shown, owner, answer.verdict, left=left)
    if left:
        reply = ctx.ask(PURPOSE, owner.address, {**question.data, **so_far.data})
        letter = replace(letter, reply=reply)
    return MailOutcome("done", "", (letter,), owner, beside=beside)


def _give_hint(ctx: Context, question: Confirmation, owner: Player, shown: ShownPuzzle) -> MailOutcome:
    """Name a few moves of which one wins, and at the second time the one."""
    so_far = progress_of(question.data).hinted
    moves = shown.moves_near if so_far.hints == 1 else [shown.puzzle.answer]
    letter = to_player(KIND, owner, shown=shown, daily=False, moves=moves)
    reply = ctx.ask(PURPOSE, owner.address, {**question.data, **so_far.data})
    return MailOutcome("done", "a hint about a puzzle", (replace(letter, reply=reply),), owner)


def refuse_answer(question: Confirmation, owner: Player, shown: ShownPuzzle, problem: str) -> MailOutcome:
    """Say why a mail answers nothing; the puzzle stays open."""
    letter = to_player("solved", owner, shown=shown, verdict=None, problem=problem, left=0)
    letter = replace(letter, reply=ReplyTo("confirm", question.id))
    return MailOutcome("refused", problem, (letter,), owner)


def solved_letter(
    ctx: Context, shown: ShownPuzzle, player: Player, verdict: PuzzleVerdict, *, left: int = 0
) -> Letter:
    """Store a first answer; returns the letter that judges it, without the move if tries are left."""
    id = shown.puzzle.id
    first = puzzles.store_answer(ctx.db, id, player, verdict.move, ctx.now, right=verdict.right)
    counts = puzzles.count_of_player(ctx.db, player)
    known = puzzles.puzzle_by_id(ctx.db, id) or shown.puzzle
    shown = replace(shown, puzzle=known)
    return to_player("solved", player, shown=shown, verdict=verdict, first=first, counts=counts, left=left)
