"""Two people in two browsers play on at once, and then by mail."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pbem.app import App
from pbem.core.game.game import Game
from tests.apps import load
from tests.browser import DESKTOP, TELEPHONE
from tests.duties.test_live import by_mail, live_letters
from tests.web.library import begin
from tests.web.pages.test_news_browser import LOOK_AGAIN, STAYS, make_move
from tests.web.pages.test_own_game_browser import look, sign_in

pytestmark = pytest.mark.chromium


def some_move(game: Game) -> str:
    return next(text for text in game.state.position.examples() if text != "adopt")


def both_there(
    app: App, serve: Callable[[App], str], open_page: Callable[..., Page], **settings: object
) -> tuple[Page, Page]:
    """Bill on a telephone and Joao at a desk, both on the page of game 1."""
    site = serve(app)
    bill, joao = open_page(viewport=TELEPHONE, **settings), open_page(viewport=DESKTOP, **settings)
    for page, who in ((bill, "Bill"), (joao, "Joao")):
        sign_in(app, page, site, who)
        page.goto(f"{site}/games/1")
    return bill, joao


def test_ten_moves_are_made_at_once_and_the_next_by_mail(
    at_home: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    begin(at_home)
    begin(at_home)
    bill, joao = both_there(at_home, serve, open_page)
    expect(joao.locator("#live")).to_contain_text("Bill is here too: play on now?")
    bill.evaluate(LOOK_AGAIN)
    expect(bill.locator("#live")).to_contain_text("Joao is here too: play on now?")
    look(bill)
    joao.get_by_role("button", name="Play on").click()
    expect(joao.locator("#live")).to_contain_text("Waiting for Bill")
    bill.evaluate(LOOK_AGAIN)
    bill.get_by_role("button", name="Play on").click()
    for page in (bill, joao):
        expect(page.locator("#live")).to_contain_text("Playing now")
        look(page)
        page.evaluate(STAYS)
    for number in range(10):
        page = (bill, joao)[number % 2]
        expect(page.locator("#send")).to_be_visible()
        make_move(page, *some_move(load(at_home)).split())
        expect(page.locator(".recorded")).to_contain_text(f"Move {number + 1} is recorded")
    expect(bill.locator("#send")).to_be_visible()
    assert bill.evaluate("window.stays") and joao.evaluate("window.stays")
    assert [0, 0] == live_letters(at_home, 1)
    joao.get_by_role("button", name="End this").click()
    expect(joao.locator("#live")).to_contain_text("Bill is here too")
    expect(bill.locator("#live")).to_contain_text("Joao is here too")
    assert [1, 1] == live_letters(at_home, 1)
    for _ in range(2):
        by_mail(at_home, load(at_home), some_move(load(at_home)))
    for ply in load(at_home).state.plies:
        by_mail(at_home, load(at_home, 2), ply.move)
    mine, mailed = (load(at_home, number).journal[1:] for number in (1, 2))
    assert [(each.kind, each.seat, each.data) for each in mailed] == [
        (each.kind, each.seat, each.data) for each in mine
    ]


def test_without_scripts_the_page_asks_again_by_itself(
    at_home: App, serve: Callable[[App], str], open_page: Callable[..., Page]
) -> None:
    begin(at_home)
    bill, joao = both_there(at_home, serve, open_page, java_script_enabled=False)
    joao.get_by_role("button", name="Play on").click()
    bill.reload()
    bill.get_by_role("button", name="Play on").click()
    expect(joao.locator("#live")).to_contain_text("Playing now")
    make = some_move(load(at_home))
    by_mail(at_home, load(at_home), make)
    expect(joao.locator("#send")).to_be_visible()
    assert 0 == joao.locator('noscript meta[http-equiv="refresh"]').count()
