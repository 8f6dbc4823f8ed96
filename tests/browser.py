"""Pages in a real browser: the web app on a port, Chromium.

One Chromium serves a whole test process; every test has its own browser context. The fixtures `serve` and
`open_page` are in `tests/conftest.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from werkzeug.serving import make_server

from pbem.app import App
from pbem.web import create_app
from tests.serving import serving

QUIETLY = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--in-process-gpu",
    "--renderer-process-limit=1",
    "--disable-features=SitePerProcess,IsolateOrigins",
]
"""Chromium's options: no requests of its own, few processes."""

PATIENCE_MS = 60_000
"""Longest wait for a page, in milliseconds. Playwright's own five seconds are too few on a busy machine."""

TELEPHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 900}

# Text nodes with a contrast under 7:1 to their background (WCAG 2.2, 1.4.6). Disabled
# controls are exempt, and drawings have their own rules.
FAINT_TEXT = """() => {
  const parse = (c) => c.match(/[\\d.]+/g).map(Number);
  const lum = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (el) => {
    for (let e = el; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const el = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || el.closest("svg, .off, script, .against")) continue;
    const [a, b] = [lum(parse(getComputedStyle(el).color)), lum(behind(el))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 7) found.push(`${ratio.toFixed(1)} ${walker.currentNode.data.trim()}`);
  }
  return found;
}"""

SMALL_TARGETS = """() => [...document.querySelectorAll("main :is(a, button, input, select), header a")]
  .filter((el) => !el.closest("p, dd, pre, figcaption") || el.matches("button, .button, input"))
  .map((el) => [el, el.getBoundingClientRect()])
  .filter(([el, box]) => box.width && (box.height < 24 || box.width < 24) && el.type !== "checkbox")
  .map(([el, box]) => `${el.textContent.trim()} ${box.width}x${box.height}`)"""


@contextmanager
def web_pages(app: App) -> Iterator[str]:
    """Serve the pages of an app; give their address without a slash."""
    with serving(make_server("127.0.0.1", 0, create_app(app), threaded=True)) as server:
        yield f"http://127.0.0.1:{server.server_port}"


@contextmanager
def launched(chromium: str) -> Iterator[Browser]:
    """Start the browser at the path `chromium`."""
    expect.set_options(PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIETLY, timeout=PATIENCE_MS)
        yield browser
        browser.close()


class Visit:
    """Pages opened by one test, with their errors and policy violations."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def open_page(self, **settings: object) -> Page:
        """A page in its own context; `settings` are Playwright's for `new_context`."""
        context = self._browser.new_context(**settings)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()
