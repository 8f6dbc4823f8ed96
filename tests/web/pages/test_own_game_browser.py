"""A player in their own games on the web, in a real browser: by a link from a mail, on a telephone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pbem.app import App
from pbem.duties.signin import send_links
from tests.amount import amount
from tests.browser import DESKTOP, FAINT_TEXT, SMALL_TARGETS, TELEPHONE
from tests.web.library import ADDRESSES, a_short_game, begin, play
from tests.web.pages.test_compose import game_of
from tests.web.pages.test_compose_browser import cell
from tests.web.signing_in import LINK, letters

pytestmark = pytest.mark.chromium

CELL = re.compile(r"[a-zA-Z]\d+: ")
"""A cell's name, as small cells are magnified instead."""


def sign_in(app: App, page: Page, site: str, who: str) -> None:
    """Sign in as a player does: ask, open the link of the letter, press its button."""
    page.goto(site)
    page.get_by_role("link", name="Sign in", exact=True).click()
    page.get_by_label(re.compile("name|address", re.IGNORECASE)).first.fill(who)
    page.locator("main form button").first.click()
    page.wait_for_load_state()
    send_links(app)
    link = LINK.search(letters(app, ADDRESSES[who])[-1].text)
    assert link is not None
    page.goto(site + link[0])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name=who, exact=True)).to_be_visible()


def look(page: Page) -> None:
    assert [] == page.evaluate(FAINT_TEXT)
    assert [] == [each for each in page.evaluate(SMALL_TARGETS) if not CELL.match(each)]
    assert page.viewport_size is not None
    assert page.viewport_size["width"] == page.evaluate("document.documentElement.scrollWidth")


@pytest.mark.parametrize("scripts", [True, *amount([], [False])])
def test_a_player_moves_on_the_pages_of_their_games_on_a_telephone(
    at_home: App, serve: Callable[[App], str], open_page: Callable[..., Page], scripts: bool
) -> None:
    play(at_home, begin(at_home), ["f2 f4 g3", "k3"], {2: "Good luck, Bill!"})
    begin(at_home, "Bill", "Anna")
    site = serve(at_home)
    page = open_page(viewport=TELEPHONE, java_script_enabled=scripts)
    sign_in(at_home, page, site, "Bill")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your move, Bill")
    page.get_by_role("link", name="Bipod against Joao").click()
    expect(page.get_by_text("Good luck, Bill!").first).to_be_visible()
    send = page.get_by_role("button", name="Send now")
    expect(send).to_be_in_viewport()
    if scripts:
        expect(send).to_have_attribute("aria-disabled", "true")
        send.click(force=True)
        assert page.url.endswith("/games/1")
        look(page)
    for name, so_far in (("h4", "h4"), ("j4", "h4 j4")):
        cell(page, name).click()
        expect(page.locator("#move")).to_have_value(so_far)
    expect(send).to_be_in_viewport()
    page.locator("#words").fill("Thanks, and to you!")
    send.click()
    if scripts:
        expect(page.locator(".recorded strong")).to_have_text("Move 3 is recorded")
        assert page.url.endswith("/games/1")
    else:
        expect(page.get_by_role("heading", level=1)).to_have_text("Move 3 is recorded")
        expect(page.locator("figure.now svg")).to_be_visible()
    expect(page.locator(".sent")).to_contain_text("Thanks, and to you!")
    look(page)
    page.get_by_role("link", name="Next game: Bipod #2 against Anna").click()
    expect(page.locator("#send")).to_be_visible()
    assert "h4 j4" == game_of(at_home).state.plies[-1].move


@pytest.mark.parametrize("scripts", amount([False], [True, False]))
def test_a_draw_is_offered_by_one_player_and_accepted_by_the_other(
    at_home: App, serve: Callable[[App], str], open_page: Callable[..., Page], scripts: bool
) -> None:
    play(at_home, begin(at_home), ["f2 f4 g3"])
    site = serve(at_home)
    bill = open_page(viewport=TELEPHONE, java_script_enabled=scripts)
    sign_in(at_home, bill, site, "Bill")
    bill.goto(f"{site}/games/1")
    look(bill)
    bill.get_by_label("Words to Joao").fill("It is level, I think.")
    bill.get_by_role("button", name="Offer a draw").click()
    expect(bill.get_by_role("heading", level=1)).to_have_text("You offered Joao a draw")
    joao = open_page(viewport=DESKTOP, java_script_enabled=scripts)
    sign_in(at_home, joao, site, "Joao")
    joao.goto(f"{site}/games/1")
    expect(joao.locator(".heard")).to_contain_text("It is level, I think.")
    look(joao)
    joao.get_by_role("button", name="Accept the draw").click()
    expect(joao.locator(".outcome")).to_have_text("The game is over: Draw agreed.")
    bill.goto(f"{site}/games/1")
    expect(bill.locator(".outcome")).to_contain_text("Draw agreed")


@pytest.mark.parametrize("scripts", amount([True], [True, False]))
def test_a_resignation_is_asked_about_once(
    at_home: App, serve: Callable[[App], str], open_page: Callable[..., Page], scripts: bool
) -> None:
    begin(at_home)
    site = serve(at_home)
    page = open_page(viewport=TELEPHONE, java_script_enabled=scripts)
    sign_in(at_home, page, site, "Bill")
    page.goto(f"{site}/games/1")
    page.get_by_text("Write, offer a draw").click()
    page.get_by_role("button", name="Resign", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Resign?")
    look(page)
    page.get_by_role("link", name="No, go on playing").click()
    assert game_of(at_home).state.ending is None
    page.get_by_text("Write, offer a draw").click()
    page.get_by_role("button", name="Resign", exact=True).click()
    page.get_by_role("button", name="Resign the game").click()
    expect(page.locator(".outcome")).to_have_text("The game is over: Bill resigned.")


def test_steps_back_from_the_board_to_click_on_and_on_to_it_again(
    at_home: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    play(at_home, begin(at_home), ["f2 f4 g3", "k3"])
    site = serve(at_home)
    page = open_page(viewport=DESKTOP)
    sign_in(at_home, page, site, "Bill")
    page.goto(f"{site}/games/1")
    page.get_by_role("link", name="Previous").click()
    expect(page.locator("figcaption")).to_have_text("Move 1 of 2: Bill, f2 f4 g3")
    page.wait_for_load_state()  # earlier key presses are lost
    page.keyboard.press("ArrowRight")
    expect(page.locator("#send")).to_be_visible()
    cell(page, "h4").click()
    expect(page.locator("#move")).to_have_value("h4")


def test_a_comment_typed_on_one_move_goes_along_to_the_next_and_stands_there(
    at_home: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    a_short_game(at_home)
    site = serve(at_home)
    page = open_page(viewport=TELEPHONE)
    sign_in(at_home, page, site, "Joao")
    page.goto(f"{site}/games/1/1")
    page.get_by_label("Your comment on move 1").fill("Why not here?")
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_label("Your comment on move 2")).to_have_value("Why not here?")
    page.get_by_role("button", name="Comment").click()
    expect(page.locator("#move-2 .comment")).to_contain_text("Why not here?")
    expect(page.locator("#move-2 .comment")).to_be_in_viewport()
    look(page)
