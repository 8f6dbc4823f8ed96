"""The lessons of a game, `/rules/bipod/learn`, without an account: nothing is stored.

An answer is the query of the lesson's own page, so a link to it shows the same to everybody.
"""

from dataclasses import dataclass

from flask import Response, render_template, request

from pbem.core.exercises.lesson import ShownLesson, find_lesson
from pbem.core.play.preview import MovePreview, preview_on_board
from pbem.web.blueprints import Pages
from pbem.web.composer import board_facts, move_in_query
from pbem.web.responses import Validator, public_page, public_response, raise_not_found, rules_of
from rules.contract import Position
from rules.teaching import Judgement, judge_answer

pages = Pages("lessons", __name__, sitemap=["/rules/{game}/learn"], robots=["/rules/*/learn/*?"])


@dataclass(frozen=True)
class AnsweredLesson:
    """An answer with the board after it."""

    judgement: Judgement
    after: Position


@pages.get("/rules/<key>/learn")
def show_lessons(key: str) -> Response:
    return public_page("lessons.html", validator=Validator(f"lessons.{key}"), rules=rules_of(key))


@pages.get("/rules/<key>/learn/<int(max=99):n>")
def show_lesson(key: str, n: int) -> Response:
    rules = rules_of(key)
    shown = find_lesson(rules, n)
    if shown is None:
        raise_not_found(f"{rules.name} has no lesson {n}; it has {len(rules.lessons)}.")
    return public_response(lambda: _page(shown, move_in_query()))


def _page(shown: ShownLesson, text: str) -> str:
    drawn = preview_on_board(shown.position, text)
    answered = _judge(shown, drawn) if request.args.get("do") == "send" else None
    return render_template(
        "lesson.html",
        shown=shown,
        rules=shown.rules,
        answered=answered,
        hint=request.args.get("do") == "hint",
        following=find_lesson(shown.rules, shown.n + 1),
        **board_facts(shown.position, drawn),
    )


def _judge(shown: ShownLesson, drawn: MovePreview) -> AnsweredLesson | None:
    """The judgement of a complete move, None where it is not complete."""
    if drawn.after is None:
        return None
    move = shown.position.read_ply(drawn.draft.text)
    return AnsweredLesson(judge_answer(shown.lesson, shown.position, move), drawn.after)
