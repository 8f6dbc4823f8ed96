"""Screenshots of every page: `make shots` writes them to `var/shots`.

`python -m tests.web.shots docs/images chosen` makes those of README and docs.
"""

from __future__ import annotations

import re
import sys
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, Page

from pbem.app import App
from pbem.core.game.journal import RESIGN
from pbem.store.engine import open_store
from pbem.store.migrate import migrate
from tests.browser import DESKTOP, TELEPHONE, launched, web_pages
from tests.conftest import program
from tests.people import NOON
from tests.web.filled import (
    DAY,
    HOUR,
    MIDDLES,
    NOW,
    REFUSED,
    House,
    add_at,
    begun,
    fill,
    in_public,
    settings_link,
    write,
)

WIDTHS: Mapping[str, Any] = {"360": TELEPHONE, "1280": DESKTOP}
SCHEMES = ("light", "dark")
TALL = {"width": 360, "height": 800}
COMPOSE = "/games/<int(max=999999999999):id>/compose/<sealed>"

CHOSEN = {
    "game": ("/games/1", "/games/3"),
    "composer": ("bipod?move=m5%20O", "bounders"),
    "story": ("/games/5/20", "/games/5/20#plies"),
    "standings": ("/standings/bipod", "/players/Bill#curves"),
}
"""Pages by picture: a desktop by day, and a telephone by night."""

OPENINGS = (["f2 f4 g3", "adopt"], ["adopt", "k3 o"], ["f2", "g3", "h4"], ["f2 f4 g3", "e5 g1", "f6"])

SIDE_BY_SIDE = """<body style="margin:0"><div style="display:flex;gap:32px;width:max-content">
<img height="800" src="data:image/png;base64,{}"><img height="800" src="data:image/png;base64,{}"></div>"""
LOAD_ALL = """async () => {
  const all = [...document.images];
  for (const each of all) each.loading = "eager";
  await Promise.all(all.map((each) => each.decode().catch(() => {})));
}"""


def main(folder: Path, which: str) -> None:
    chromium = program("chromium")
    if chromium is None:
        sys.exit("Chromium is not installed; on Debian and Ubuntu: sudo apt-get install chromium")
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place, launched(chromium) as browser:
        url = _tables(Path(place))
        house = fill(Path(place), url)
        if which == "chosen":
            _chosen(browser, house, in_public(Path(place), url), folder)
        else:
            _all(browser, house, folder)


def _tables(place: Path) -> str:
    url = f"sqlite:///{place / 'pbem.sqlite'}"
    store = open_store(url)
    migrate(store)
    store.close()
    return url


def _all(browser: Browser, house: House, folder: Path) -> None:
    """Screenshots of every page, at two widths and in two colour schemes."""
    with web_pages(house.app) as site:
        kept = _signed_in(browser, site, house)
        for width, viewport in WIDTHS.items():
            for scheme in SCHEMES:
                with _window(browser, viewport=viewport, color_scheme=scheme, storage_state=kept) as page:
                    for number, path in enumerate([*house.paths, *REFUSED]):
                        if _is_page(path):
                            picture = folder / f"{number:03}-{_named(path)}-{width}-{scheme}.png"
                            picture.write_bytes(_seen(page, site + path, whole=True))


def _chosen(browser: Browser, house: House, app: Any, folder: Path) -> None:
    """Pictures of two pages side by side, from a public server."""
    _season(house.app)
    composers = dict(zip(MIDDLES, house.examples[COMPOSE], strict=False))
    with web_pages(app) as site:
        for name, paths in CHOSEN.items():
            wide, narrow = (site + _addressed(path, composers) for path in paths)
            with _window(browser, viewport={"width": 1280, "height": 800}, color_scheme="light") as page:
                left = _seen(page, wide)
            with _window(browser, viewport=TALL, color_scheme="dark", device_scale_factor=1) as page:
                right = _seen(page, narrow)
            with _window(browser, viewport={"width": 1800, "height": 800}) as page:
                page.set_content(SIDE_BY_SIDE.format(*(b64encode(each).decode() for each in (left, right))))
                page.evaluate(LOAD_ALL)
                (folder / f"{name}.png").write_bytes(page.locator("div").screenshot(omit_background=True))


def _addressed(path: str, composers: Mapping[str, str]) -> str:
    key, mark, query = path.partition("?")
    return composers.get(key, key) + mark + query


def _season(app: App) -> None:
    """Sixty rated games of Bipod; the first player wins a third."""
    names = ("Bill", "Joao", "Anna")
    for n in range(60):
        first, second = names[n % 3], names[(n + 1 + n // 30) % 3]
        game = write(app, begun(app, "bipod", first, second, "none"), OPENINGS[n % 4], NOON + n * DAY / 3)
        winner = 0 if n % 3 == 0 or (n * 7 % 5 == 1) else 1
        add_at(app, game, RESIGN, 1 - winner, {}, NOON + n * DAY / 3 + 2 * HOUR)


@contextmanager
def _window(browser: Browser, **settings: Any) -> Iterator[Page]:
    context = browser.new_context(**settings)
    page = context.new_page()
    page.clock.set_fixed_time(NOW)
    yield page
    context.close()


def _seen(page: Page, address: str, *, whole: bool = False) -> bytes:
    page.goto(address)
    page.evaluate(LOAD_ALL)
    return page.screenshot(full_page=whole)


def _signed_in(browser: Browser, site: str, house: House) -> Any:
    with _window(browser) as page:
        page.goto(site + settings_link(house.app, house.flask_app.test_client()))
        page.get_by_role("button", name="Sign in").click()
        return page.context.storage_state()


def _is_page(path: str) -> bool:
    """True for our own pages, without downloads and bare frames."""
    file = re.search(r"\.(\w+)$", path.partition("?")[0])
    return path.startswith("/mailroom/box") or not (file or path in ("/status", "/records/key"))


def _named(path: str) -> str:
    return re.sub(r"[^\w.=-]+", "_", path.strip("/"))[:40] or "front"


if __name__ == "__main__":
    main(Path(sys.argv[1]), *(sys.argv[2:] or ["all"]))
