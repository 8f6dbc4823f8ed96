"""`/games/42/plan`: conditional moves grown as a tree on the board, a ply of either player at each click.

The address holds the tree and the board that is shown. Nothing is stored before the plan is sent like a mail.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from urllib.parse import quote

from flask import Response, request

from pbem.core.parsing.line import MAX_PLAN
from pbem.core.play.planner import (
    IF,
    THEN,
    JudgedPlan,
    PlanLine,
    PlanRow,
    PlanTree,
    judge_tree,
    lines_of_plan,
    position_after_line,
    read_plan_line,
    write_plan_line,
)
from pbem.core.play.preview import MovePreview, preview_on_board
from pbem.core.play.show import MAX_PLIES
from pbem.core.records.study import DamagedAddress, TooLong, pack, unpack
from pbem.inbox import web_move
from pbem.store import games
from pbem.store.engine import Connection
from pbem.store.inbox import StoredMail
from pbem.web.blueprints import Pages
from pbem.web.composer import board_facts, link_to_move, move_in_query
from pbem.web.own_game import OwnGame, own_game
from pbem.web.pages.compose import void_page
from pbem.web.pages.games import GAME_PATH
from pbem.web.pages.orders import UNREADABLE, ordered_game
from pbem.web.responses import (
    application,
    lead_to,
    mail_link,
    parse_number,
    private_response,
    raise_not_found,
)
from rules.contract import Position
from rules.draft import Draft

PLAN_PATH = f"{GAME_PATH}/plan"
CODE_PATH = f"{PLAN_PATH}/<code>"
MAX_LINES = 60
CLEAR = "if clear"
VERBS = frozenset({"move", "plan"})
NOT_SIGNED_IN = "Sign in at /settings to plan in a game of yours."
NOTHING = "There is nothing new to keep yet. A plan needs the other's move and your answer to it."
LOSES = "With {move} you lose the game at once, so it is sent from the game's page alone."
GONE_ON = "The game has gone on since. Here is what is left of your plan."
NOT_KEPT = f"Nothing was kept. {GONE_ON}"
DAMAGED = "This link holds no whole plan. Please begin again from the game's page."

pages = Pages("plan", __name__, robots=["/games/*/plan"])
pages.errorhandler(web_move.InvalidLink)(void_page)


@pages.errorhandler(TooLong)
def refuse_size(error: TooLong) -> Response:
    return void_page(web_move.InvalidLink(str(error)), 422)


@dataclass(frozen=True)
class Planner:
    """A player's tree on their board, and the line that leads to the board shown."""

    own: OwnGame
    tree: PlanTree
    at: PlanLine = ()

    @property
    def position(self) -> Position:
        return self.own.link.composition.game.state.position

    @cached_property
    def shown(self) -> Position:
        """The position after the line, or the game's own if a word such as `any` has none."""
        return position_after_line(self.position, self.at) or self.position

    @property
    def my_turn(self) -> bool:
        """True if the player is to move in the game, so that the tree begins with their own ply."""
        return self.position.to_play == self.own.link.seat

    @property
    def mine(self) -> bool:
        """True if the next ply on the board shown is the player's own."""
        return self.shown.to_play == self.own.link.seat

    def path(self, tree: PlanTree | None = None, at: PlanLine = ()) -> str:
        """The page's path with a tree and a line. Raises TooLong."""
        lines = [write_plan_line(line) for line in (tree or self.tree).lines]
        if len(lines) > MAX_LINES or any(len(line) > MAX_PLAN for line in lines):
            raise TooLong(f"A plan on this page has at most {MAX_LINES} lines of {MAX_PLAN} characters.")
        code = pack([len(self.own.link.composition.game.state.plies), lines, write_plan_line(at)])
        return f"/games/{self.own.link.game.id}/plan/{code}"

    def path_with(self, ply: str) -> str:
        """The path after one more ply on the board shown. Raises TooLong."""
        line = (*self.at, (THEN if self.mine else IF, ply))
        return self.path(self.tree.with_line(line), line)

    def path_without(self, row: PlanRow) -> str:
        """The path without a row; the board shown is the one before it."""
        return self.path(self.tree.without(row), row.line[: row.start])

    @property
    def kept(self) -> tuple[PlanLine, ...]:
        """The lines of the plan that is kept for the other's next ply."""
        state, seat = self.own.link.composition.game.state, self.own.link.seat
        planned = state.conditional_moves[seat]
        return tuple(lines_of_plan(planned.plan)) if planned and planned.ply == len(state.plies) else ()

    @cached_property
    def judged(self) -> Sequence[tuple[str, JudgedPlan]]:
        """The parts that can be kept, each with the player's ply that is sent above it, or with ""."""
        seat = self.own.link.seat
        if not self.my_turn:
            return [("", judge_tree(self.tree, self.position, seat))]
        found = []
        for root in dict.fromkeys(line[:1] for line in self.tree.lines):
            after = position_after_line(self.position, root) or self.position
            below = judge_tree(self.tree.after([root[0][1]]), after, seat)
            problems = {(*root, *line): sentence for line, sentence in below.problems.items()}
            found.append((root[0][1], replace(below, problems=problems)))
        return found

    @property
    def rows(self) -> list[PlanRow]:
        problems = {line: why for _, judged in self.judged for line, why in judged.problems.items()}
        return list(self.tree.rows(problems))

    def has_board(self, line: PlanLine) -> bool:
        return position_after_line(self.position, line) is not None

    def is_kept(self, row: PlanRow) -> bool:
        return any(line[: len(row.line)] == row.line for line in self.kept)

    def orders(self, ply: str) -> list[str]:
        """The lines of a mail that keep what can be kept, below the player's own ply if there is one.

        Lines are added to the plan that is kept, and replace it only if some of that is gone.
        """
        judged = dict(self.judged).get(ply, JudgedPlan())
        if ply:
            return [ply, *judged.written]
        if all(any(line[: len(old)] == old for line in judged.lines) for old in self.kept):
            return [write_plan_line(line) for line in judged.lines if line not in self.kept]
        return [CLEAR, *judged.written]

    @property
    def dropped(self) -> list[str]:
        """The lines that are kept now and are not in the tree, so that keeping it removes them."""
        ends = [line for line in self.kept if not any(each[: len(line)] == line for each in self.tree.lines)]
        return [write_plan_line(line) for line in ends]

    @property
    def ends_order(self) -> str:
        """The standing order that ends with the plan that is replaced, or ""."""
        return self.own.view.ordered if CLEAR in self.orders("") else ""


@pages.get(PLAN_PATH)
@pages.get(CODE_PATH)
def show(id: int, code: str = "") -> Response:
    """Show the tree; a click that makes a whole ply leads to the board after it."""
    with application().store.read() as db:
        planner, gone_on = _read(_own(db, id), code)
        number = request.args.get("kept", 0, type=parse_number)
        sent = web_move.mail_sent_by_link(db, planner.own.link, number) if number else None
    if planner.own.link.composition.game.state.ending is not None:
        return lead_to(f"/games/{id}")
    drawn, problem = preview_on_board(planner.shown, move_in_query()), GONE_ON if gone_on else ""
    asked = request.args.get("do") == "send"
    if drawn.after is not None and (asked or ("go" in request.args and _is_whole(drawn.draft))):
        try:
            return lead_to(planner.path_with(str(planner.shown.read(drawn.draft.text))))
        except TooLong as error:
            problem = str(error)
    elif asked:
        problem = drawn.problem or web_move.UNFINISHED.format(hint=drawn.draft.hint)
    return _page(planner, drawn, problem, sent)


@pages.post(PLAN_PATH)
@pages.post(CODE_PATH)
def keep(id: int, code: str = "") -> Response:
    """Send what can be kept as one mail, below the player's own ply if that is sent with it."""
    planner, gone_on = _read(ordered_game(id), code)
    link, ply = planner.own.link, request.form.get("ply", "")
    orders = [] if gone_on else planner.orders(ply)
    problem = NOT_KEPT if gone_on else "" if orders else NOTHING
    if ply and orders:
        orders[0], problem, loses = web_move.order_of_move(link, ply, sure=False)
        problem = LOSES.format(move=ply) if loses else problem
    body = None if problem else web_move.compose_body(link, orders, "", link.composition.site, VERBS)
    if body is None:
        with application().store.read() as db:
            planner = replace(planner, own=_own(db, id))  # the form may know an earlier board
        drawn = preview_on_board(planner.shown, "")
        return _page(planner, drawn, problem or UNREADABLE, status=422)
    number = web_move.submit(application(), link, body, request.form.get("number", ""))
    if ply:
        return lead_to(f"/games/{id}/compose/{quote(planner.own.sealed)}/{number}")
    return lead_to(f"{planner.path(at=planner.at)}?kept={number}")


def _own(db: Connection, id: int) -> OwnGame:
    game = games.load_game(db, application().games_by_key, id)
    own = own_game(db, game or raise_not_found(f"There is no game {id} here."))
    return own or raise_not_found(NOT_SIGNED_IN)


def _read(own: OwnGame, code: str) -> tuple[Planner, bool]:
    """Return the planner at an address, and True if its tree was grown on an earlier board."""
    start = Planner(own, PlanTree())
    if not start.my_turn:
        start = replace(start, tree=PlanTree(start.kept))
    if not code:
        return start, False
    try:
        since, lines, at = unpack(code)
        if len(lines) > MAX_LINES or any(len(line) > MAX_PLAN for line in (*lines, at)):
            raise_not_found(DAMAGED)
        tree = reduce(PlanTree.with_line, filter(None, map(read_plan_line, lines)), PlanTree())
        moves = [ply.move for ply in own.link.composition.game.state.plies]
        if since == len(moves):
            planner = Planner(own, tree, read_plan_line(at))
            return planner if planner.has_board(planner.at) else replace(planner, at=()), False
        left = tree.after(moves[since:]) if 0 <= since < len(moves) else start.tree
        return (Planner(own, left) if left.lines else start), True
    except (DamagedAddress, ValueError, TypeError):
        raise_not_found(DAMAGED)


def _is_whole(draft: Draft) -> bool:
    """True if no click makes the ply longer."""
    words = Counter(draft.text.split())
    return not draft.amounts and not any(words < Counter(choice.text.split()) for choice in draft.choices)


def _page(
    planner: Planner, drawn: MovePreview, problem: str, sent: StoredMail | None = None, status: int = 200
) -> Response:
    link = planner.own.link
    tried = [ply for _, ply in planner.at] if len(planner.at) <= MAX_PLIES else []
    start_mail = partial(mail_link, to=link.address, subject=link.subject, sender=link.player.address)
    words = f"try {' then '.join(tried)}" if tried else ""
    return private_response(
        "plan.html",
        status,
        planner=planner,
        sent=sent,
        tried=words,
        start_mail=start_mail,
        **board_facts(planner.shown, drawn, problem, lambda text: f"{link_to_move(text)}&go=1"),
    )
