"""`/paper`: the newest Saturday paper, `/paper/2026-47` that of a week.

The page says what the letter says, for who has no account. Boards are text, as in the letter.
"""

from collections.abc import Sequence

from flask import Response, render_template

from pbem.core.paper import Week
from pbem.duties.paper import load_paper
from pbem.store import papers
from pbem.web.blueprints import MenuLink, Pages
from pbem.web.responses import application, public_response, raise_not_found

pages = Pages(
    "paper",
    __name__,
    nav=[MenuLink("/paper", "The Saturday paper", 5, "foot")],
    sitemap=["/paper"],
)

LISTED = 60
NO_PAPER = "There is no paper of week {week} here."


@pages.get("/paper")
def newest() -> Response:
    """The newest paper that says something."""
    weeks = _weeks()
    return public_response(lambda: _page(weeks[0] if weeks else None, weeks))


@pages.get("/paper/<int(fixed_digits=4):year>-<int(max=53):number>")
def of_week(year: int, number: int) -> Response:
    week = Week(year, number)
    return public_response(lambda: _page(week, _weeks()))


def _weeks() -> list[Week]:
    """The weeks whose papers say something, the newest first."""
    with application().store.read() as db:
        return [each.week for each in papers.newest_issues(db, LISTED)]


def _page(week: Week | None, weeks: Sequence[Week]) -> str:
    shown = None
    if week is not None:
        with application().store.read() as db:
            shown = load_paper(application(), db, week)
        if shown is None or not shown.has_news:
            raise_not_found(NO_PAPER.format(week=week))
    return render_template("paper.html", paper=shown, weeks=weeks)
