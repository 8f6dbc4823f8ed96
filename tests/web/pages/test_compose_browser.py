"""Plies composed and sent in a real browser. By mouse, keyboard and finger, with scripts and without."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from operator import itemgetter

import pytest
from playwright.sync_api import Page, expect

from pbem.app import App
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.lobby.challenges import opening_entry
from pbem.mail.addresses import Token
from pbem.store import games
from rules import RULES
from tests.amount import some
from tests.apps import add_game, player
from tests.browser import DESKTOP, FAINT_TEXT, SMALL_TARGETS, TELEPHONE
from tests.people import NOON
from tests.web.library import play

pytestmark = pytest.mark.chromium

CLICKABLE = [key for key in RULES if any(RULES[key].start().draft("").choices)]
"""Games whose plies can be composed."""

OPENINGS = {"bipod": ["f2 f4 g3", "adopt"], "begird": ["q14"], "bounders": ["g7"]}
"""Plies after which the board has stones and a second control."""


def start(app: App, key: str, plies: list[str] | None = None) -> Game:
    rules = RULES[key]
    seats = player(app, "Bill"), player(app, "Joao")
    with app.store.write() as db:
        game = add_game(db, rules, rules.start({}, 3).options, 3, seats, True, NOON)
        begun = game.with_entries([opening_entry(game)])
        games.append_entries(db, game, fold(begun), [opening_entry(game)])
    return play(app, begun, OPENINGS.get(key, []) if plies is None else plies)


def page_of(app: App, game: Game) -> str:
    seat = game.state.to_play
    assert seat is not None
    numbers = (game.id, seat, len(game.open_entries), game.seats[seat].epoch)
    return f"/games/{game.id}/compose/{app.addressing.sign_token(Token('game', numbers))}"


def plies(app: App, game: Game) -> list[str]:
    with app.store.read() as db:
        found = games.load_game(db, app.games_by_key, game.id)
    assert found is not None
    return [ply.move for ply in found.state.plies[len(game.state.plies) :]]


def cell(page: Page, name: str):
    return page.locator(f'.click a:has([data-cell="{name}"])')


def click_together(page: Page, game: Game) -> str:
    """Click the first choices until the ply is complete; return its text."""
    text = ""
    for _ in range(12):
        draft = game.state.position.draft(text)
        if draft.complete:
            return text
        if draft.choices:
            choice = next((each for each in draft.choices if len(each.text) > len(text)), draft.choices[0])
            text = choice.text
            page.locator(f'a[href="?move={text.replace(" ", "%20")}"]').first.click()
        else:
            amount = draft.amounts[0]
            text = f"{amount.before}{amount.least}{amount.after}"
            page.locator("[data-amount] button").first.click()
        expect(page.locator("#move")).to_have_value(text)
    raise AssertionError(f"{text} is not complete")


@pytest.mark.parametrize(("key", "scripts"), some(product(CLICKABLE, (True, False)), 2, itemgetter(1)))
def test_a_ply_of_every_game_is_clicked_and_sent(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page], key: str, scripts: bool
) -> None:
    game = start(app, key)
    page = open_page(viewport=DESKTOP, java_script_enabled=scripts)
    page.goto(serve(app) + page_of(app, game))
    text = click_together(page, game)
    page.locator("#words").fill("Good luck!\nThis is from the board.")
    page.get_by_role("button", name="Send now").click()
    expect(page.locator("h1")).to_have_text(f"Move {game.state.position.ply + 1} is recorded")
    assert [text] == plies(app, game)
    page.reload()
    assert [text] == plies(app, game)


@pytest.mark.parametrize(
    ("key", "viewport", "scheme"),
    some(product(CLICKABLE, (TELEPHONE, DESKTOP), ("dark", "light")), 2, itemgetter(2)),
)
def test_the_page_fits_and_can_be_read(
    app: App,
    serve: Callable[[App], str],
    open_page: Callable[..., Page],
    key: str,
    viewport: dict[str, int],
    scheme: str,
) -> None:
    game = start(app, key)
    page = open_page(viewport=viewport, color_scheme=scheme)
    page.goto(serve(app) + page_of(app, game))
    click_together(page, game)
    assert viewport["width"] == page.evaluate("document.documentElement.scrollWidth")
    assert [] == page.evaluate(FAINT_TEXT)
    page.locator(".click").evaluate("board => board.remove()")  # small cells are magnified instead
    assert [] == page.evaluate(SMALL_TARGETS)


def test_a_click_changes_the_page_without_loading_another(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    page = open_page(viewport=DESKTOP)
    page.goto(serve(app) + page_of(app, start(app, "bipod", [])))
    page.evaluate("window.here = true")
    page.locator("#words").fill("Hello")
    cell(page, "f2").click()
    expect(page.locator("#move")).to_have_value("f2")
    cell(page, "f4").click()
    expect(page.locator("#move")).to_have_value("f2 f4")
    cell(page, "f2").click()
    expect(page.locator("#move")).to_have_value("f4")
    page.get_by_role("link", name="One step back").click()
    expect(page.locator("#move")).to_have_value("")
    assert page.evaluate("window.here")
    assert "Hello" == page.locator("#words").input_value()


def test_arrow_keys_walk_over_the_board_and_enter_chooses(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    page = open_page(viewport=DESKTOP)
    page.goto(serve(app) + page_of(app, start(app, "bipod", [])))
    assert 1 == page.locator('.click a[tabindex="0"]').count()
    cell(page, "f2").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#move")).to_have_value("h2")
    expect(cell(page, "h2")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#move")).to_have_value("h2 g3")


def test_whoever_hears_the_board_meets_each_cell_in_its_place_and_can_walk_to_what_is_taken(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    page = open_page(viewport=DESKTOP)
    page.goto(serve(app) + page_of(app, start(app, "bipod", ["f2"])))
    heard = [
        line.strip("- '\":")
        for line in page.locator(".click").aria_snapshot().splitlines()
        if "img" in line or "link" in line
    ]
    place = heard.index('img "f2: a block, move 1, the last move')
    assert ['link "Lay a block on d2', 'link "Lay a block on h2'] == [heard[place - 1], heard[place + 1]]
    assert 'img "k1: the left start' in heard
    cell(page, "d2").focus()
    page.keyboard.press("ArrowRight")
    taken = page.locator('.click [data-cell="f2"]')
    expect(taken).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#move")).to_have_value("h2")


def test_what_is_typed_is_shown_on_the_board_and_the_caret_stays(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    page = open_page(viewport=DESKTOP)
    page.goto(serve(app) + page_of(app, start(app, "bipod", [])))
    page.locator("#move").press_sequentially("f2 f4")
    expect(page.locator(".click .chosen")).to_have_count(2)
    expect(page.locator("#move")).to_be_focused()
    page.locator("#move").press_sequentially(" k1")
    expect(page.locator("[role=alert]")).to_have_text("k1 is taken (the left start).")
    assert "f2 f4 k1" == page.locator("#move").input_value()
    assert 0 == page.get_by_role("link", name="Send by mail").count()


def test_the_mail_grows_with_the_words(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    page = open_page(viewport=DESKTOP)
    page.goto(serve(app) + page_of(app, start(app, "bipod", [])))
    cell(page, "f2").click()
    link = page.get_by_role("link", name="Send by mail")
    expect(link).to_be_visible()
    page.locator("#words").fill("Good luck!\nBill")
    assert link.get_attribute("href").endswith("&body=f2%0D%0A%0D%0AGood%20luck!%0D%0ABill")
    page.locator("#words").fill("x " * 1000)
    expect(page.locator("[data-mail]")).to_be_hidden()


def test_an_impatient_double_click_sends_once(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    game = start(app, "bipod", [])
    page = open_page(viewport=DESKTOP)
    page.goto(serve(app) + page_of(app, game))
    cell(page, "f2").click()
    expect(page.locator("#move")).to_have_value("f2")
    page.get_by_role("button", name="Send now").dblclick(no_wait_after=True)
    expect(page.locator("h1")).to_have_text("Move 1 is recorded")
    assert ["f2"] == plies(app, game)


def test_cells_are_as_large_as_a_finger_where_somebody_chose_so(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    page = open_page(viewport=TELEPHONE, has_touch=True)
    page.goto(serve(app) + page_of(app, start(app, "bipod", [])))
    larger = page.get_by_label("Larger cells")
    larger.check()
    width = "(each) => each.getBoundingClientRect().width"
    assert cell(page, "k3").evaluate(width) > 30
    assert page.evaluate("document.documentElement.scrollWidth") == TELEPHONE["width"]
    cell(page, "E1").scroll_into_view_if_needed()
    pan = page.locator(".pan")
    before = pan.evaluate("(each) => each.scrollLeft")
    assert before > 0
    cell(page, "E1").tap()
    expect(page.locator("#move")).to_have_value("E1")
    assert before == pan.evaluate("(each) => each.scrollLeft")
    page.reload()
    expect(larger).to_be_checked()
    larger.uncheck()
    assert cell(page, "k3").evaluate(width) < 24


def test_on_a_telephone_the_question_that_a_cell_leaves_open_is_in_view(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    page = open_page(viewport={"width": 390, "height": 664}, has_touch=True)
    page.goto(serve(app) + page_of(app, start(app, "bipod", ["adopt"])))
    colours = page.locator(".controls [data-go]")
    expect(colours).to_have_count(0)
    cell(page, "k3").tap()
    expect(colours).to_have_count(2)
    lowest = "(each) => each.getBoundingClientRect().bottom"
    assert colours.last.evaluate(lowest) < page.locator(".ways").evaluate(
        "(each) => each.getBoundingClientRect().top"
    )
    colours.last.tap()
    expect(page.locator("#move")).to_have_value("k3 O")


def test_there_is_no_choice_of_larger_cells_where_all_are_large(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    page = open_page(viewport=TELEPHONE, has_touch=True)
    page.goto(serve(app) + page_of(app, start(app, "bagel")))
    expect(page.locator(".click svg.board")).to_be_visible()
    expect(page.get_by_label("Larger cells")).to_have_count(0)


def test_under_a_finger_a_fine_board_is_magnified(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    page = open_page(viewport=TELEPHONE, has_touch=True, color_scheme="dark")
    page.goto(serve(app) + page_of(app, start(app, "begird")))
    box = cell(page, "k9").bounding_box()
    assert box is not None and box["width"] < 24
    finger = page.context.new_cdp_session(page)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(page.locator(".lens .aim")).to_have_count(1)
    moved = {"x": at["x"] + box["width"], "y": at["y"]}
    finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [moved]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#move")).to_have_value("l9")
    expect(page.locator(".lens")).to_have_count(0)
