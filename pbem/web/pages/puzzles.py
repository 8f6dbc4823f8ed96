"""`/puzzles`: a list of puzzles, and a page to try a move.

The verdict on a move has an address of its own, `?tried=d4`, and the form leads there. The first answer of a
signed-in player is stored and counted; nothing is stored of visitors.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import urlencode

from flask import Response, render_template, request
from flask.typing import ResponseReturnValue

from pbem.commands.puzzles import GONE
from pbem.core.errors import Refusal
from pbem.core.exercises.answer import read_answer
from pbem.core.exercises.puzzle import Puzzle, PuzzleVerdict, ShownPuzzle, judge_answer
from pbem.core.parsing.seen_move import NO_ANSWER
from pbem.core.play.preview import preview_on_board
from pbem.core.players import Player
from pbem.duties.puzzles import load_shown
from pbem.store import game_lists, puzzles
from pbem.store.engine import Connection
from pbem.store.puzzles import ListedPuzzle, PuzzleCount
from pbem.web.blueprints import MenuLink, Pages
from pbem.web.composer import board_facts, move_in_query
from pbem.web.responses import (
    Validator,
    application,
    forbid_caching,
    key_of,
    lead_to,
    parse_number,
    public_page,
    public_response,
    raise_not_found,
)
from pbem.web.viewer import changing_viewer, viewer
from rules.contract import Rules, RulesError

pages = Pages(
    "puzzles",
    __name__,
    nav=[MenuLink("/puzzles", "Puzzles", 45)],
    sitemap=["/puzzles"],
    robots=["/puzzles/*?"],
)

PUZZLE = "/puzzles/<int(max=999999999999):id>"
OF_EACH, PAGE_SIZE = 6, 30
NO_PUZZLE = "There is no puzzle {id} here."


@dataclass(frozen=True)
class PuzzleSection:
    """Some puzzles of one game, and the counts of all."""

    rules: Rules
    count: PuzzleCount
    puzzles: list[ListedPuzzle]


@dataclass(frozen=True)
class AskedPuzzle:
    """The part of a request that says what a puzzle's page shows."""

    move: str = ""
    """The move so far, on the board to click on."""
    problem: str = ""
    tried: str = ""
    """A whole move, to be judged."""
    answer: bool = False
    """True if the answer is to be shown."""


@pages.get("/puzzles")
def all_puzzles() -> Response:
    """Show the newest puzzles of each game, or one's, in pages."""
    key = key_of(request.args.get("game", "").strip()[:40])
    before = request.args.get("before", type=parse_number) if key else None
    keys, most = ([key], PAGE_SIZE) if key else (list(application().games_by_key), OF_EACH)
    player = viewer()
    with application().store.read() as db:
        counts = puzzles.count_by_rules(db)
        found = puzzles.list_puzzles(db, [each for each in keys if each in counts], most + 1, before)
        ids = [each.puzzle.id for each in found]
        answers = puzzles.answers_among(db, player, ids) if player else {}
        changed_at = puzzles.last_puzzle_at(db)
    sections = _sections(found, counts)
    return public_page("puzzles.html", changed_at, sections=sections, asked=key, answers=answers, most=most)


def _sections(found: list[ListedPuzzle], counts: Mapping[str, PuzzleCount]) -> list[PuzzleSection]:
    """The puzzles by game, in the games' order."""
    known = application().games_by_key
    order = {key: n for n, key in enumerate(known)}
    ordered = sorted(found, key=lambda each: order[each.puzzle.rules])
    grouped = groupby(ordered, key=lambda each: each.puzzle.rules)
    return [PuzzleSection(known[key], counts[key], list(some)) for key, some in grouped]


@pages.get(PUZZLE)
def show(id: int) -> Response:
    with application().store.read() as db:
        puzzle = puzzle_or_404(db, id)
        fresh = game_lists.freshness(db, puzzle.game_id)
        first = _first_answer(db, puzzle)
    asked = AskedPuzzle(move_in_query()) if first is None else _asked_by_query()

    def make() -> str:
        with application().store.read() as db:
            return _write(db, shown_or_404(db, puzzle), first, asked)

    tag = f"puzzle.{id}.{fresh.tag if fresh else ''}.{puzzle.tried}.{puzzle.solved}"
    return public_response(make, Validator(tag, fresh.changed_at if fresh else None, by_date=False))


def _first_answer(db: Connection, puzzle: Puzzle) -> str | None:
    """Return the viewer's stored answer, None before the first one, or "" for visitors."""
    player = viewer()
    return "" if player is None else puzzles.answer_of(db, puzzle.id, player)


def _asked_by_query() -> AskedPuzzle:
    given = request.args
    return AskedPuzzle(move_in_query(), "", given.get("tried", "").strip(), "answer" in given)


@pages.post(PUZZLE)
def answer(id: int) -> ResponseReturnValue:
    """Judge a move, or show the answer. Either is a signed-in player's first try."""
    text, player = request.form.get("move", "").strip(), changing_viewer() if viewer() else None
    with application().store.read() as db:
        shown = shown_or_404(db, puzzle_or_404(db, id))
    if request.form.get("do") == "answer":
        _store(shown, player, PuzzleVerdict("", right=False))
        return _lead_to(id, answer="shown")
    drawn = preview_on_board(shown.position, text)
    if request.form.get("do") != "send" or drawn.after is None:
        return _refuse(shown, text, drawn.problem)
    try:
        verdict = judge_answer(shown, shown.position.read_ply(drawn.draft.text))
    except (Refusal, RulesError) as error:
        return _refuse(shown, text, str(error))
    _store(shown, player, verdict)
    return _lead_to(id, tried=verdict.move)


def _store(shown: ShownPuzzle, player: Player | None, verdict: PuzzleVerdict) -> None:
    """Store and count a player's first answer, but never a visitor's."""
    if player is None:
        return
    now = application().now()
    with application().store.write() as db:
        puzzles.store_answer(db, shown.puzzle.id, player, verdict.move, now, right=verdict.right)


def _lead_to(id: int, **query: str) -> ResponseReturnValue:
    return lead_to(f"/puzzles/{id}?{urlencode(query)}")


def puzzle_or_404(db: Connection, id: int) -> Puzzle:
    return puzzles.puzzle_by_id(db, id) or raise_not_found(NO_PUZZLE.format(id=id))


def shown_or_404(db: Connection, puzzle: Puzzle) -> ShownPuzzle:
    return load_shown(application(), db, puzzle) or raise_not_found(GONE)


def _refuse(shown: ShownPuzzle, text: str, problem: str) -> Response:
    """Show the form again, with the move as far as read."""
    with application().store.read() as db:
        page = _write(db, shown, _first_answer(db, shown.puzzle), AskedPuzzle(text, problem))
    return forbid_caching(Response(page, 422 if problem else 200))


def _write(db: Connection, shown: ShownPuzzle, first: str | None, asked: AskedPuzzle) -> str:
    verdict = judge_or_404(shown, asked.tried) if asked.tried else None
    is_told = verdict is not None or asked.answer
    drawn = preview_on_board(shown.position, "" if is_told else asked.move)
    return render_template(
        "puzzle.html",
        shown=shown,
        verdict=verdict,
        boards=shown.boards_after(verdict) if verdict else None,
        told=is_told,
        next_id=_find_next(db, shown.puzzle) if is_told else None,
        first=first if viewer() else None,
        **board_facts(shown.position, drawn, asked.problem),
    )


def judge_or_404(shown: ShownPuzzle, text: str) -> PuzzleVerdict:
    try:
        move = read_answer(shown.position, text) or raise_not_found(NO_ANSWER)
        return judge_answer(shown, move)
    except (Refusal, RulesError) as problem:
        raise_not_found(str(problem))


def _find_next(db: Connection, puzzle: Puzzle) -> int | None:
    """Return the game's newest puzzle that the viewer has not had, or for visitors the one before this."""
    player = viewer()
    if player is not None:
        unseen = puzzles.unseen_puzzle(db, player, [puzzle.rules])
        return unseen.id if unseen else None
    older = puzzles.newest_puzzles(db, [puzzle.rules], 1, puzzle.id)
    return older[0].id if older else None
