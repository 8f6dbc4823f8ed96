"""Hexagonal Thing composed in a real browser, at both widths."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from pbem.app import App
from tests.amount import amount
from tests.browser import DESKTOP, FAINT_TEXT, SMALL_TARGETS, TELEPHONE
from tests.web.markup import read
from tests.web.pages.test_compose_browser import cell, page_of, plies, start

pytestmark = pytest.mark.chromium

DRAFTS = re.compile(r"[?]move=")

BANKED = ["play 1S", "play 2U"]
"""Plies after which the bank has two lots to auction."""


def enter(page: Page, label: str, number: int) -> None:
    """Fill in an amount and submit it."""
    field = page.get_by_label(label)
    field.fill(str(number))
    field.press("Enter")


def send(page: Page) -> None:
    page.get_by_role("button", name="Send now").click()
    expect(page.locator("h1")).to_contain_text("is recorded")


@pytest.mark.parametrize(
    ("size", "scripts"),
    [
        pytest.param(DESKTOP, False, id="desktop-without"),
        pytest.param(TELEPHONE, True, id="telephone-with scripts"),
        *amount(
            [],
            [
                pytest.param(DESKTOP, True, id="desktop-with scripts"),
                pytest.param(TELEPHONE, False, id="telephone-without"),
            ],
        ),
    ],
)
def test_a_thing_is_bid_for_with_a_limit_and_its_hex(
    app: App,
    serve: Callable[[App], str],
    open_page: Callable[..., Page],
    size: dict[str, int],
    scripts: bool,
) -> None:
    game = start(app, "hexthing", [])
    page = open_page(viewport=size, java_script_enabled=scripts)
    page.goto(serve(app) + page_of(app, game))
    cell(page, "g4").click()
    expect(page.locator("figcaption")).to_have_text(
        "g4 is a Buy: name your opening bid for a Thing in dollars."
    )
    enter(page, "Your opening bid in dollars", 5)
    enter(page, "Max, kept secret", 20)
    cell(page, "e5").click()
    expect(page.locator("#move")).to_have_value("play 3S bid 5 max 20 take e5")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    send(page)
    assert ["play 3S bid 5"] == plies(app, game)


def test_cards_go_into_the_lot_and_out_of_it(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    game = start(app, "hexthing", BANKED)
    page = open_page(viewport=TELEPHONE)
    page.goto(serve(app) + page_of(app, game))
    page.get_by_role("link", name="Lot: auction cards").click()
    page.get_by_role("link", name="Put up all cards").click()
    page.get_by_role("link", name="Take 2U out").click()
    expect(page.locator("#move")).to_have_value("lot 1S")
    enter(page, "Your opening bid in pounds", 60)
    expect(page.locator("figcaption")).to_have_text("White takes the lot for £60.")
    send(page)
    assert ["lot 1S bid 60"] == plies(app, game)


def test_a_number_beyond_ones_means_is_refused_before_it_is_sent(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    game = start(app, "hexthing", ["play 3S bid 5"])
    page = open_page(viewport=DESKTOP, java_script_enabled=False)
    page.goto(f"{serve(app)}{page_of(app, game)}?before=bid+&amount=51&after=")
    expect(page.get_by_role("alert")).to_have_text("bid 51: you have $50, so bid 6 to 50, or pass.")
    assert [] == plies(app, game)


def test_the_board_is_heard_cell_by_cell_where_no_cell_can_be_chosen(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    page = open_page(viewport=DESKTOP)
    page.goto(serve(app) + page_of(app, start(app, "hexthing", ["play 3S bid 5"])))
    assert 0 == page.locator(".click a").count()
    assert 37 == page.locator(".click").get_by_role("img").count()
    page.get_by_role("link", name="Skip the cells").focus()
    page.keyboard.press("Tab")
    expect(page.locator('.click [data-cell="a1"]')).to_be_focused()


def test_the_counter_leaves_its_hex_on_the_board(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    game = start(app, "hexthing", [])
    page = open_page(viewport=DESKTOP)
    page.goto(serve(app) + page_of(app, game))
    place = page.locator('.click [data-cell="d7"]')
    expect(place).to_contain_text("White's counter")
    cell(page, "e6").click()
    expect(page.locator('.click [data-cell="e6"]')).to_contain_text("White's counter")
    expect(place).not_to_contain_text("White's counter")


def click_and_wait_for_nothing(page: Page, names: tuple[str, ...]) -> Route:
    """Click on, while the first request is held until it is released."""
    held: list[Route] = []
    page.route(DRAFTS, lambda route: route.continue_() if held else held.append(route))
    with page.expect_request(DRAFTS):
        cell(page, names[0]).click(no_wait_after=True)
    for name in names[1:]:
        cell(page, name).click(no_wait_after=True)
    page.get_by_role("button", name="Send now").click(no_wait_after=True)
    return held[0]


def test_what_a_hurried_hand_clicks_is_what_is_sent(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    game = start(app, "bipod", [])
    page = open_page(viewport=DESKTOP)
    page.goto(serve(app) + page_of(app, game))
    click_and_wait_for_nothing(page, ("f2", "f4", "g3")).continue_()
    expect(page.locator("h1")).to_contain_text("is recorded")
    assert ["f2 f4 g3"] == plies(app, game)


def test_a_double_click_chooses_a_cell_and_does_not_take_it_back(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    page = open_page(viewport=DESKTOP)
    page.goto(serve(app) + page_of(app, start(app, "bipod", [])))
    cell(page, "f2").dblclick()
    expect(page.locator("#move")).to_have_value("f2")
    cell(page, "f4").click()
    expect(page.locator("#move")).to_have_value("f2 f4")


def test_a_hurried_click_on_what_is_gone_sends_nothing(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    game = start(app, "bagel", ["a4"])
    page = open_page(viewport=DESKTOP)
    page.goto(serve(app) + page_of(app, game))
    click_and_wait_for_nothing(page, ("a1", "d7")).continue_()  # a croissant and a bagel
    expect(page.locator("#move")).to_have_value("a1")
    assert [] == plies(app, game)


@pytest.mark.parametrize("scheme", ["light", *amount([], ["dark"])])
@pytest.mark.parametrize("ply", ["lot 2U bid 3", "play 1W"], ids=["a lot", "a move onto a Change"])
def test_cards_and_numbers_fit_a_telephone_and_can_be_read(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page], ply: str, scheme: str
) -> None:
    game = start(app, "hexthing", BANKED if ply.startswith("lot") else [])
    page = open_page(viewport=TELEPHONE, color_scheme=scheme)
    page.goto(f"{serve(app)}{page_of(app, game)}?move={ply.replace(' ', '%20')}")
    assert 0 < page.locator("[data-amount]").count()
    assert [] == read(page.content()).problems
    assert TELEPHONE["width"] == page.evaluate("document.documentElement.scrollWidth")
    assert [] == page.evaluate(FAINT_TEXT)
    page.locator(".click").evaluate("board => board.remove()")  # other tests check the board's hexes
    assert [] == page.evaluate(SMALL_TARGETS)
