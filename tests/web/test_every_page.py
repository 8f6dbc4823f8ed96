"""Every page of a filled server: accessible, valid, cached rightly, linked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask.testing import FlaskClient
from html5lib import HTMLParser
from playwright.sync_api import Browser, Page
from werkzeug.test import TestResponse

from pbem.web import create_app
from tests.amount import amount
from tests.browser import DESKTOP, FAINT_TEXT, SMALL_TARGETS, TELEPHONE, Visit, web_pages
from tests.plain_words import old_words
from tests.web.filled import REFUSED, House, fill, in_public, settings_link
from tests.web.markup import read

SANDBOXED = "/mailroom/letters/1.html"
"""Letters alone, in which no script can run, axe's neither."""

PICTURES_AS_NAMED = """() => {
  for (const each of document.querySelectorAll("svg[role=img], svg[aria-hidden]"))
    each.replaceChildren(...each.querySelectorAll(":scope > title, :scope > desc"));
}"""
"""Replaces a drawing's hundreds of cells by its name. A screen reader reads the name alone too."""

STANDARDS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "resultTypes": ["violations"],
    "iframes": False,
    "preload": False,
}
"""The rules that axe checks, outside the letters' frames."""


@pytest.fixture(scope="module")
def house(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("house")
    path = folder / "pbem.sqlite"
    path.write_bytes(migrated_sqlite.read_bytes())
    house = fill(folder, f"sqlite:///{path}")
    yield house
    house.app.close()


@pytest.fixture(scope="module")
def public(house: House) -> Iterator[FlaskClient]:
    """A visitor of the same pages on a public server."""
    config = house.app.config
    app = in_public(config.var, config.database)
    yield create_app(app).test_client()
    app.close()


@pytest.fixture(scope="module")
def answers(house: House) -> Mapping[str, TestResponse]:
    """Answers to a signed-in client, by path."""
    client = house.client()
    return {path: client.get(path) for path in (*house.paths, *REFUSED)}


def html_of(answers: Mapping[str, TestResponse]) -> dict[str, str]:
    """The HTML pages among them, without letters of the mailroom."""
    return {
        path: answer.text
        for path, answer in answers.items()
        if answer.mimetype == "text/html" and answer.status_code not in (301, 302, 303)
    }


def test_every_route_has_an_example(house: House) -> None:
    routes = {rule.rule for rule in house.flask_app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    assert set() == routes - set(house.examples), "give each an example path where `examples` is made"
    assert set() == set(house.examples) - routes, "these routes are gone: remove their examples"


def test_every_page_can_be_opened_and_those_that_say_no_say_it_as_they_should(
    answers: Mapping[str, TestResponse],
) -> None:
    found = {path: answer.status_code for path, answer in answers.items() if answer.status_code >= 400}
    assert REFUSED == found


# Valid HTML.


def test_every_page_is_valid_html(answers: Mapping[str, TestResponse], public: FlaskClient) -> None:
    pages = html_of(answers)
    pages |= {f"{path} in public": public.get(path).text for path in ("/", "/seeks", "/games/8", "/settings")}
    assert {} == {path: found for path, html in pages.items() if (found := errors(html))}
    ours = {path: html for path, html in pages.items() if not path.endswith(".html")}  # letters set their own
    assert {} == {path: found for path, html in ours.items() if (found := read(html).all_problems())}


def test_every_page_has_plain_words(answers: Mapping[str, TestResponse]) -> None:
    pages = {path: html for path, html in html_of(answers).items() if not path.startswith("/api")}
    assert {} == {path: found for path, html in pages.items() if (found := old_words(read(html).text))}


def test_no_choice_of_a_form_is_a_name_of_the_code(answers: Mapping[str, TestResponse]) -> None:
    choices = {
        each: path
        for path, html in html_of(answers).items()
        for each in re.findall(r"<option[^>]*>([^<]*)", html)
    }
    assert len(choices) > 20
    assert {} == {each: path for each, path in choices.items() if "_" in each}


def errors(html: str) -> list[str]:
    """Errors that a browser would repair (HTML Standard, 13.2.2)."""
    parser = HTMLParser()
    parser.parse(html)
    return [f"line {place[0]}: {error} {facts}" for place, error, facts in parser.errors]


# Caching.


def test_whoever_has_a_public_page_is_not_sent_it_again(
    house: House, answers: Mapping[str, TestResponse]
) -> None:
    client = house.flask_app.test_client()
    shown = {path: answer for path in answers if is_public(answer := client.get(path))}
    assert {"/", "/games/1", "/games/1.svg", "/rules/bipod", "/feeds/games.atom", "/robots.txt"} <= set(shown)
    for path, answer in shown.items():
        tag, changed = answer.headers.get("ETag"), answer.headers.get("Last-Modified")
        assert tag and changed, path
        assert parsedate_to_datetime(changed)
        again = client.get(path, headers={"If-None-Match": tag, "If-Modified-Since": changed})
        assert (304, b"") == (again.status_code, again.data), path


def is_public(answer: TestResponse) -> bool:
    return answer.headers.get("Cache-Control", "").startswith("public")


def test_whatever_is_not_public_says_so(answers: Mapping[str, TestResponse]) -> None:
    """Browsers guess without a caching rule (RFC 9111 4.2.2)."""
    unsaid = {
        path
        for path, answer in answers.items()
        if answer.status_code < 300
        and not is_public(answer)
        and not {"no-store", "private"}
        & {each.strip() for each in answer.headers.get("Cache-Control", "").split(",")}
    }
    assert set() == unsaid


# Links.

CELL = re.compile(r"\w+: ")
"""A cell to click on; a magnifier helps where cells are small."""

ALIKE = re.compile(r"(?<=/games/)\d+(?=[/.])(/\d+)?|(?<=/study/)[^/.]+(/\d+)?|(?<=/plan/)[^/?]+|\?.*")
"""Numbers, plans and queries, in which similar pages differ. A few pages of each kind are opened."""
OF_A_KIND = amount(1, 6)
USED_UP = 410
"""Answers of a used one-time link, which a letter may hold."""


@pytest.mark.parametrize("where", ["at home", "in public"])
def test_every_link_leads_somewhere(house: House, public: FlaskClient, where: str) -> None:
    at_home = where == "at home"
    crawl = Crawl(house.client() if at_home else public)
    crawl.open("", ["/", *(house.paths if at_home else ())])
    assert [] == crawl.broken
    assert 100 < len(crawl.seen)


class Crawl:
    """Opens whatever can be reached; `broken` are the dead links."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.seen: dict[str, Counter[str]] = {}
        self.kinds: Counter[str] = Counter()
        self.broken: list[str] = []

    def open(self, page: str, links: Sequence[str]) -> None:
        """Open a page's links, and those of the linked pages."""
        todo = [(page, link) for link in links]
        while todo:
            page, link = todo.pop()
            path, anchor = urldefrag(urljoin(page or "/", link))
            if not path.startswith("/"):
                continue
            if path not in self.seen and self._wanted(path):
                todo += self._opened(page, path)
            if anchor and path in self.seen and unquote(anchor) not in self.seen[path]:
                self.broken.append(f"nothing at #{anchor} of {path}, to which {page} leads")

    def _wanted(self, path: str) -> bool:
        kind = ALIKE.sub("", path)
        self.kinds[kind] += 1
        return self.kinds[kind] <= OF_A_KIND

    def _opened(self, page: str, path: str) -> list[tuple[str, str]]:
        """The links of a page, each with the address that it is found at."""
        answer = self.client.get(path, follow_redirects=True)
        if answer.status_code >= 400 and answer.status_code != USED_UP:
            self.broken.append(f"{answer.status_code}: {path}, to which {page} leads")
        html = read(answer.text if answer.mimetype == "text/html" and answer.status_code < 400 else "")
        self.seen[path] = html.ids
        at, links = answer.request.path, (*html.links, *html.loads)
        return [(at, link) for link in links if link != "None"]  # an anchor without `href`


# Accessibility.


@pytest.fixture(scope="module")
def site(house: House) -> Iterator[str]:
    with web_pages(house.app) as site:
        yield site


@pytest.fixture(scope="module")
def signed_in(house: House, site: str, browser: Browser) -> Any:
    """Cookies of a signed-in browser."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(site + settings_link(house.app, house.flask_app.test_client()))
    page.get_by_role("button", name="Sign in").click()
    kept = context.storage_state()
    context.close()
    return kept


def looked_at(
    browser: Browser, site: str, paths: Iterable[str], **settings: object
) -> Iterator[tuple[str, Page]]:
    """Each page in turn; the console may hold nothing but refusals."""
    visit = Visit(browser)
    page = visit.open_page(**settings)
    try:
        for path in paths:
            page.goto(site + path)
            yield path, page
            expected = 1 if path in REFUSED else 0
            assert expected == len(visit.complaints), (path, visit.complaints)
            visit.complaints.clear()
    finally:
        visit.close()


def pages_of(house: House, answers: Mapping[str, TestResponse], most: int) -> list[str]:
    """Pages to check, at most so many of each route."""
    html = html_of(answers)
    paths = [path for found in (*house.examples.values(), [*REFUSED]) for path in found[:most]]
    return [path for path in paths if path in html and path != SANDBOXED]


@pytest.mark.chromium
@pytest.mark.whole
@pytest.mark.parametrize(
    ("viewport", "scheme", "most", "first"),
    [(TELEPHONE, "light", amount(1, 6), 0), (DESKTOP, "dark", amount(1, 2), amount(1, 0))],
    ids=["telephone", "desktop"],
)
def test_every_page_fits_and_is_there_for_everybody(
    house: House,
    answers: Mapping[str, TestResponse],
    site: str,
    signed_in: Any,
    browser: Browser,
    viewport: dict[str, int],
    scheme: str,
    most: int,
    first: int,
) -> None:
    """In a short run axe checks a fifth of the pages on each, and the desktop shows no others."""
    way = {"viewport": viewport, "color_scheme": scheme, "storage_state": signed_in}
    pages = pages_of(house, answers, most)
    checked = pages[first :: amount(14, 1)]
    walk = looked_at(browser, site, checked if first else pages, **way)
    faults = {path: hindrances(page, viewport["width"], path in checked) for path, page in walk}
    assert {} == {path: found for path, found in faults.items() if found}


def hindrances(page: Page, width: int, checked: bool) -> list[str]:
    """Barriers that keep people from reading or using a page; if it is to be checked, axe's too."""
    found = [f"faint: {each}" for each in page.evaluate(FAINT_TEXT)]
    found += [f"small: {each}" for each in page.evaluate(SMALL_TARGETS) if not CELL.match(each)]
    if (needed := page.evaluate("document.documentElement.scrollWidth")) > width:
        found.append(f"{needed} wide")
    if not checked:
        return found
    page.evaluate(PICTURES_AS_NAMED)
    found += [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in Axe().run(page, options=STANDARDS).response["violations"]
        for node in each["nodes"]
    ]
    return found


@pytest.mark.chromium
@pytest.mark.whole
def test_no_page_is_wider_than_its_window_whatever_the_width(
    site: str, signed_in: Any, browser: Browser
) -> None:
    wide = {}
    pages = "/", "/games", "/games/1", "/players/Bill", "/standings/bipod", "/seeks", "/settings", "/mailroom"
    for path, page in looked_at(browser, site, pages, storage_state=signed_in):
        for width in (320, 600, 768, 900):
            page.set_viewport_size({"width": width, "height": 800})
            if (needed := page.evaluate("document.documentElement.scrollWidth")) > width:
                wide[path, width] = needed
    assert {} == wide


@pytest.mark.chromium
@pytest.mark.whole
def test_without_scripts_every_page_says_as_much(
    house: House, answers: Mapping[str, TestResponse], site: str, signed_in: Any, browser: Browser
) -> None:
    lost = {}
    pages = pages_of(house, answers, amount(1, 2))[:: amount(14, 1)]
    way = {"viewport": TELEPHONE, "storage_state": signed_in}
    bare = looked_at(browser, site, pages, java_script_enabled=False, **way)
    for (path, full), (_, plain) in zip(looked_at(browser, site, pages, **way), bare, strict=True):
        if gone := Counter(words(full)) - Counter(words(plain)):
            lost[path] = list(gone)
    assert {} == lost


def words(page: Page) -> list[str]:
    """The visible text, without clocks that scripts count down."""
    page.evaluate("for (const clock of document.querySelectorAll('[data-left]')) clock.remove();")
    return page.inner_text("body").split()
