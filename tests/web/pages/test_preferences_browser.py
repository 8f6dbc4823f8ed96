"""Settings in a real browser: sign in, change, export, erase."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Event, Thread
from zipfile import ZipFile

import pytest
from playwright.sync_api import Page, expect

from pbem.app import App
from pbem.duties.signin import send_links
from pbem.inbox.process import work_through
from pbem.outbox.send import send_due
from tests.amount import amount
from tests.apps import player
from tests.browser import DESKTOP, FAINT_TEXT, SMALL_TARGETS, TELEPHONE
from tests.web.library import begin, the_seeds_game

pytestmark = pytest.mark.chromium


@pytest.fixture
def working(at_home: App) -> Iterator[App]:
    """A server that handles all waiting work at once, without a worker."""
    due, over = Event(), Event()

    def work() -> None:
        while due.wait() and not over.is_set():
            due.clear()
            send_links(at_home)
            work_through(at_home)
            send_due(at_home)

    thread = Thread(target=work)
    thread.start()
    yield replace(at_home, wake=lambda *names: due.set())
    over.set()
    due.set()
    thread.join()


def newest_letter(page: Page, site: str, subject: str) -> None:
    """Reload Bill's mailbox until the letter is there."""
    for _ in range(50):
        page.goto(f"{site}/mailroom/box/bill@example.org")
        if page.get_by_role("heading", name=subject).count() or page.get_by_text(subject).count():
            return
    raise AssertionError(f"no letter {subject}")


def look(page: Page) -> None:
    """Check contrast, size of controls, and text that is cut off."""
    assert [] == page.evaluate(FAINT_TEXT)
    assert [] == page.evaluate(SMALL_TARGETS)
    assert page.viewport_size is not None
    assert page.viewport_size["width"] == page.evaluate("document.documentElement.scrollWidth")


def sign_in(page: Page, site: str) -> None:
    page.goto(f"{site}/settings")
    look(page)
    page.get_by_label("Your name here").fill("Bill")
    page.get_by_role("button", name="Send me a link").click()
    expect(page.get_by_role("heading", name="Look into your mail")).to_be_visible()
    newest_letter(page, site, "Sign in on the web, Bill")
    page.get_by_role("link").filter(has_text="/settings/in/").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    look(page)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Bill", exact=True).click()
    expect(page.get_by_role("heading", name="Bill", exact=True)).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("viewport", "scheme"), amount([(TELEPHONE, "dark")], [(TELEPHONE, "dark"), (DESKTOP, "light")])
)
def test_a_player_signs_in_by_the_mailroom_and_changes_everything(
    working: App,
    serve: Callable[[App], str],
    open_page: Callable[..., Page],
    viewport: dict[str, int],
    scheme: str,
) -> None:
    the_seeds_game(working)
    begin(working)
    site, page = serve(working), open_page(viewport=viewport, color_scheme=scheme)
    sign_in(page, site)
    look(page)
    change_all(page, working)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download").click()
    with ZipFile(waiting.value.path()) as zip:
        assert {"account.json", "games/bipod-1.txt", "games/bipod-2.json"} <= set(zip.namelist())
    page.get_by_role("button", name="Forget me").click()
    expect(page.get_by_role("status")).to_contain_text("asks once more")
    newest_letter(page, site, "Shall we forget you, Bill?")
    page.locator("textarea").first.fill("confirm")
    page.get_by_role("button", name=re.compile("^Send")).first.click()
    expect(page.get_by_text("You are forgotten").first).to_be_visible()
    page.goto(f"{site}/settings")
    expect(page.get_by_role("button", name="Send me a link")).to_be_visible()
    page.goto(f"{site}/games/2")
    expect(page.get_by_text("forgotten-1 resigned").first).to_be_visible()


def change_all(page: Page, app: App) -> None:
    """Submit every form of the page once."""
    page.get_by_label("Time zone").fill("Berlin")
    page.get_by_label("Format").select_option("text")
    page.locator("#letters button").click()
    expect(page.locator("#letters [role=status]")).to_be_visible()
    page.get_by_label("that tell of games you watch").uncheck()
    page.locator("#kinds button").click()
    expect(page.locator("#kinds [role=status]")).to_be_visible()
    page.get_by_label("Reminders before a deadline").fill("48h")
    page.get_by_label("One letter a day").select_option("7")
    page.locator("#reminders button").click()
    expect(page.locator("#reminders [role=status]")).to_be_visible()
    page.get_by_label("Days from now").fill("2")
    page.get_by_role("button", name="Take them").click()
    page.get_by_role("button", name="I am back").click()
    expect(page.locator("#vacation [role=status]")).to_have_text(re.compile("Welcome back"))
    page.get_by_label("Bipod").fill("4")
    page.locator("#company button").first.click()
    page.get_by_label("Block a player").fill("Anna")
    page.get_by_role("button", name="Block", exact=True).click()
    page.get_by_role("button", name="Lift the block of Anna").click()
    expect(page.locator("#company [role=status]")).to_be_visible()
    page.get_by_label("Have letters go to another address").fill("bill@work.example")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator("#addresses [role=status]")).to_contain_text("asks once more")
    bill = player(app, "Bill")
    assert ("Europe/Berlin", "text", "48h", 7) == (
        bill.preferences.zone,
        bill.preferences.format,
        bill.preferences.remind,
        bill.preferences.digest,
    )
    assert {"watched"} == bill.stopped
