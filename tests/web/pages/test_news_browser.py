"""Pages that notice what has happened, in a real browser: moves come without a page being loaded."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pbem.app import App
from pbem.bots.playing import play_one
from pbem.core.game.journal import SAY
from pbem.inbox.dispatch import run_commands
from tests.apps import player
from tests.browser import DESKTOP, TELEPHONE
from tests.web.library import add, begin, play
from tests.web.pages.test_compose import game_of
from tests.web.pages.test_compose_browser import cell
from tests.web.pages.test_own_game_browser import look, sign_in

pytestmark = pytest.mark.chromium

STAYS = "window.stays = true"
LOOK_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"


def make_move(page: Page, *cells: str) -> None:
    for n, name in enumerate(cells, 1):
        cell(page, name).click()
        expect(page.locator("#move")).to_have_value(" ".join(cells[:n]))
    page.get_by_role("button", name="Send now").click()


def test_two_people_play_on_without_a_page_being_loaded(
    at_home: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    begin(at_home)
    site = serve(at_home)
    bill, joao = open_page(viewport=TELEPHONE), open_page(viewport=DESKTOP)
    for page, who in ((bill, "Bill"), (joao, "Joao")):
        sign_in(at_home, page, site, who)
        page.goto(f"{site}/games/1")
        page.evaluate(STAYS)
    make_move(bill, "f2", "f4", "g3")
    expect(bill.locator(".recorded")).to_contain_text("Move 1 is recorded")
    expect(bill.locator("#send")).to_have_count(0)
    look(bill)
    joao.locator("#say").fill("I am here.")
    joao.evaluate(LOOK_AGAIN)
    expect(joao.locator("#send")).to_be_visible()
    expect(joao.locator(".outcome")).to_contain_text("It is your turn")
    expect(joao.locator("#say")).to_have_value("I am here.")
    make_move(joao, "k3")
    expect(joao.locator(".recorded")).to_contain_text("Move 2 is recorded")
    bill.evaluate(LOOK_AGAIN)
    make_move(bill, "h4", "j4")
    expect(bill.locator(".recorded")).to_contain_text("Move 3 is recorded")
    assert ["f2 f4 g3", "k3", "h4 j4"] == [ply.move for ply in game_of(at_home).state.plies]
    assert bill.evaluate("window.stays") and joao.evaluate("window.stays")


def test_words_that_are_being_written_stay_when_news_comes(
    at_home: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    game = begin(at_home)
    page = open_page(viewport=TELEPHONE)
    sign_in(at_home, page, serve(at_home), "Bill")
    page.goto(f"{page.url.rstrip('/')}/games/{game.id}")
    cell(page, "f2").click()
    page.locator("#words").fill("Good luck!")
    add(at_home, game, SAY, 1, {"words": "Are you there?"})
    page.evaluate(LOOK_AGAIN)
    expect(page.locator(".heard")).to_contain_text("Are you there?")
    expect(page.locator("#words")).to_have_value("Good luck!")
    expect(page.locator("#move")).to_have_value("f2")


def test_a_game_against_the_computer_goes_to_its_end_without_a_page_being_loaded(
    at_home: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    run_commands(at_home, player(at_home, "Bill"), [("challenge", "bot1 bounders size=3 first")])
    site = serve(at_home)
    page = open_page(viewport=TELEPHONE)
    sign_in(at_home, page, site, "Bill")
    page.goto(f"{site}/games/1")
    page.evaluate(STAYS)
    for _ in range(30):
        expect(page.locator("#send")).to_be_visible()
        page.locator(".click .places a").first.click()
        expect(page.locator("#send [data-ready]")).to_be_visible()
        page.get_by_role("button", name="Send now").click()
        expect(page.locator(".recorded, .won").first).to_be_visible()
        if game_of(at_home).state.ending is None:
            assert play_one(at_home)
        if game_of(at_home).state.ending is not None:
            break
    expect(page.locator(".outcome").first).to_contain_text("won")
    assert page.evaluate("window.stays")


def test_the_home_page_notices_a_move(
    at_home: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    game = begin(at_home)
    page = open_page(viewport=DESKTOP)
    sign_in(at_home, page, serve(at_home), "Joao")
    page.goto(page.url.partition("/settings")[0])
    expect(page.get_by_role("heading", level=1)).to_have_text("No game waits for you, Joao")
    play(at_home, game, ["f2 f4 g3"])
    page.evaluate(LOOK_AGAIN)
    expect(page.get_by_role("heading", level=1)).to_have_text("Your move, Joao")
