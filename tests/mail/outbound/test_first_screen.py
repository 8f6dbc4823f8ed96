"""Each letter on a telephone: what there is to do stands in the first screen."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.amount import amount, some
from tests.mail.letters import CHOSEN, SAMPLES, part_of_letter, sample_bytes

pytestmark = [pytest.mark.chromium, pytest.mark.whole]

WIDTH, HEIGHT = 390, 844
ASKING = frozenset(
    "confirm newcomer welcome address newaddress proof signin forget challenge resign meant expired "
    "reminders reminder silent seeks play rules".split()
)
"""Kinds that ask for something whoever is to play."""
ONLY_TELLS = frozenset({"rules", "silent-theirs"})
ASKS = sorted(
    name
    for name, letter in SAMPLES.items()
    if name not in ONLY_TELLS
    and (
        letter.kind in ASKING
        or (letter.view is not None and letter.view.your_turn and letter.reply.use == "game")
        or (letter.view is not None and letter.view.offers and letter.kind in ("draw", "undo", "deal"))
        or any(view.your_turn for view in letter.told.get("boards", ()))
    )
)
"""Samples that ask their reader for something."""
FIRST_WORDS = """
quoted => {
  const all = [...document.querySelectorAll('a[class], code')];
  const said = all.find(each => each.tagName === 'A' || quoted.includes(each.textContent));
  return said ? said.getBoundingClientRect().bottom : Infinity;
}
"""
"""The lower edge of the first button, or of the first words that the text part has in quotes."""


@pytest.fixture(scope="module", params=amount(["light"], ["light", "dark"]))
def telephone(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme=request.param)
    yield page
    page.close()


def html_of(name: str) -> str:
    return part_of_letter(sample_bytes(SAMPLES[name]), "html")


def test_what_to_do_is_in_the_first_screen_of_every_letter_that_asks_for_something(telephone: Page):
    late = {}
    assert len(ASKS) > 60
    for name in some(ASKS, 16):
        text = " ".join(part_of_letter(sample_bytes(SAMPLES[name]), "plain").split())
        if html := html_of(name):
            telephone.set_content(html)
            below = telephone.evaluate(FIRST_WORDS, re.findall(r'"([^"]+)"', text))
            late |= {name: below} if below > HEIGHT else {}
    assert {} == late


CUT_OFF = "[...document.querySelectorAll('pre, table')].some(each => each.scrollWidth > each.clientWidth + 1)"
"""True if a board as text or a table is wider than what is shown of it."""


def test_no_letter_is_wider_than_a_telephone(telephone: Page):
    wide = {}
    for name in some(CHOSEN, 16):
        if html := html_of(name):
            telephone.set_content(html)
            width = telephone.evaluate("document.documentElement.scrollWidth")
            wide |= {name: width} if width > WIDTH or telephone.evaluate(CUT_OFF) else {}
    assert {} == wide
