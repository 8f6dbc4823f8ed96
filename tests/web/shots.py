"""Pictures of every page, to be looked at: `make shots` leaves them in `var/shots`.

`python -m tests.web.shots FOLDER chosen` makes those few that stand in README and docs.
"""

from __future__ import annotations

import re
import shutil
import sys
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, BrowserContext, Page

from pbem.store.engine import open_store
from pbem.store.migrating import migrate
from tests.browser import DESKTOP, TELEPHONE, launched, web_pages
from tests.conftest import program
from tests.web.filled import REFUSED, House, fill, settings_link

WIDTHS = {"360": TELEPHONE, "1280": DESKTOP}
SCHEMES = ("light", "dark")

CHOSEN: Mapping[str, Sequence[tuple[str, str, str]]] = {
    "game": [("/games/1", "1280", "light"), ("/games/1", "360", "dark")],
    "front": [("/", "1280", "light"), ("/", "360", "dark")],
    "composer": [("compose bipod", "1280", "light"), ("compose begird", "360", "dark")],
    "standings": [("/standings/bipod", "1280", "light"), ("/players/Bill", "360", "dark")],
}
"""For README and docs, by name: pages side by side."""
HEIGHT = 860


def main(folder: Path, which: str) -> None:
    chromium = program("chromium")
    if chromium is None:
        sys.exit("Chromium is not installed; on Debian and Ubuntu: sudo apt-get install chromium")
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place, launched(chromium) as browser:
        house = fill(Path(place), _tables(Path(place)))
        with web_pages(house.office) as site:
            if which == "chosen":
                _chosen(browser, site, house, folder)
            else:
                _all(browser, site, house, folder)
        house.office.close()


def _tables(place: Path) -> str:
    url = f"sqlite:///{place / 'pbem.sqlite'}"
    store = open_store(url)
    migrate(store)
    store.close()
    return url


def _chosen(browser: Browser, site: str, house: House, folder: Path) -> None:
    raise NotImplementedError


def _all(browser: Browser, site: str, house: House, folder: Path) -> None:
    """Every page at both widths in both schemes, whole."""
    kept = _signed_in(browser, site, house)
    for width, viewport in WIDTHS.items():
        for scheme in SCHEMES:
            context = browser.new_context(viewport=viewport, color_scheme=scheme, storage_state=kept)  # type: ignore[arg-type]
            page = context.new_page()
            for number, path in enumerate([*house.paths, *REFUSED]):
                answer = None if _is_file(path) else page.goto(site + path)
                if answer and answer.header_value("content-type") == "text/html; charset=utf-8":
                    name = re.sub(r"[^\w.=-]+", "_", path.strip("/"))[:40] or "front"
                    page.screenshot(path=folder / f"{number:03}-{name}-{width}-{scheme}.png", full_page=True)
            context.close()


def _is_file(path: str) -> bool:
    """What a browser would download, or show without a page of ours round it."""
    return bool(re.search(r"\.(\w+)$", path.partition("?")[0])) and not path.startswith("/mailroom/box")


def _signed_in(browser: Browser, site: str, house: House) -> object:
    context = browser.new_context()
    page = context.new_page()
    page.goto(site + settings_link(house.office, house.app.test_client()))
    page.get_by_role("button", name="Sign in").click()
    kept = context.storage_state()
    context.close()
    return kept


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "all")
