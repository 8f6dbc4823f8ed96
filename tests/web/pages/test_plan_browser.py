"""Plans grown on the board in a real browser: by clicks alone, with scripts and without, at two widths."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pbem.app import App
from tests.amount import amount
from tests.browser import DESKTOP
from tests.web.library import begin, play
from tests.web.pages.test_compose import game_of
from tests.web.pages.test_compose_browser import cell
from tests.web.pages.test_own_game_browser import look, sign_in
from tests.web.pages.test_plan import planned

pytestmark = pytest.mark.chromium

PHONE = {"width": 390, "height": 844}


def at(page: Page, ply: str) -> None:
    """Wait until the board after a ply is shown."""
    expect(page.locator(".planner [aria-current]")).to_have_text(ply)


def rows(page: Page) -> list[str]:
    return [
        " ".join(row.replace("Remove", "").split()) for row in page.locator(".planner li").all_inner_texts()
    ]


@pytest.mark.parametrize(
    ("viewport", "scripts", "scheme"),
    [(PHONE, True, "dark"), (DESKTOP, True, "light"), *amount([], [(PHONE, False, "light")])],
)
def test_a_tree_of_two_branches_is_grown_by_clicks_and_kept(
    at_home: App,
    serve: Callable[[App], str],
    open_page: Callable[..., Page],
    viewport: dict[str, int],
    scripts: bool,
    scheme: str,
) -> None:
    play(at_home, begin(at_home, key="bounders"), ["g7"])
    site = serve(at_home)
    page = open_page(viewport=viewport, java_script_enabled=scripts, color_scheme=scheme)
    sign_in(at_home, page, site, "Bill")
    page.goto(f"{site}/games/1")
    page.get_by_role("link", name="Plan on this board").click()
    if scripts:
        page.evaluate("window.here = true")
    for ply in ("c3", "k10", "d9", "e5"):
        cell(page, ply).click()
        at(page, ply)
    page.locator(".planner").get_by_role("link", name="k10", exact=True).click()
    at(page, "k10")
    for ply in ("h2", "b5"):
        cell(page, ply).click()
        at(page, ply)
    page.get_by_role("link", name="One move back").click()
    at(page, "h2")
    assert ["1 if c3 then k10", "1.1 if d9 then e5", "1.2 if h2 then b5"] == rows(page)
    if scripts:
        assert page.evaluate("window.here")
    look(page)
    page.get_by_role("link", name="Remove 1.1").click()
    expect(page.locator(".planner li")).to_have_count(2)
    page.get_by_role("button", name="Keep the plan").click()
    expect(page.get_by_role("status")).to_have_text("Your plan is kept. Nobody else sees it.")
    look(page)
    assert ["1 if c3 then k10", "1.1 if h2 then b5"] == planned(at_home)


def test_two_clicks_in_a_hurry_are_a_ply_and_its_answer(
    at_home: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    play(at_home, begin(at_home, key="begird"), ["a1"])
    site = serve(at_home)
    page = open_page(viewport=DESKTOP)
    sign_in(at_home, page, site, "Bill")
    page.goto(f"{site}/games/1/plan")
    page.evaluate("""() => {
      for (const name of ["b2", "c3"]) {
        const link = document.querySelector(`.click a:has([data-cell="${name}"])`);
        link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
      }
    }""")
    at(page, "c3")
    assert ["1 if b2 then c3"] == rows(page)


def test_a_move_is_played_with_its_plan_on_the_own_turn(
    at_home: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    begin(at_home)
    site = serve(at_home)
    page = open_page(viewport=PHONE, has_touch=True)
    sign_in(at_home, page, site, "Bill")
    page.goto(f"{site}/games/1/plan")
    for ply in ("f2", "h2", "h4"):
        page.locator("#move").fill(ply)
        expect(page.locator("#send [data-ready]")).to_be_visible()
        page.get_by_role("button", name="Plan it").click()
        at(page, ply)
    assert ["1 f2", "1.1 if h2 then h4"] == rows(page)
    page.get_by_role("button", name="Play f2 now, and keep its plan").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Move 1 is recorded")
    assert (["f2"], ["1 if h2 then h4"]) == (
        [ply.move for ply in game_of(at_home).state.plies],
        planned(at_home),
    )


# What stands out on a board to click.


def test_there_are_no_dots_where_all_empty_cells_may_be_played(
    at_home: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    for key in ("begird", "bounders", "bagel", "bipod", "hexthing"):
        begin(at_home, key=key)
    site = serve(at_home)
    page = open_page(viewport=DESKTOP)
    sign_in(at_home, page, site, "Bill")
    dots = []
    for number in range(1, 6):
        page.goto(f"{site}/games/{number}")
        dots.append(page.locator(".click .legal").count())
    assert ([0, 0, 0, 0], True) == (dots[:4], dots[4] > 0)
