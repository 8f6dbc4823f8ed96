"""Pages in a real browser: the web application on a port of its own, and Chromium to look at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from playwright.sync_api import Page, sync_playwright
from werkzeug.serving import make_server

from pbem.office import Office
from pbem.web import create_app

QUIETLY = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""A browser that asks nobody on the network for anything but the page."""


@contextmanager
def web_pages(office: Office) -> Iterator[str]:
    """The pages of an office, served; their address without a slash at the end."""
    server = make_server("127.0.0.1", 0, create_app(office), threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def page(chromium: str, *, width: int = 1280, dark: bool = False) -> Iterator[Page]:
    """A page of the browser at the path `chromium`, `width` CSS pixels wide.

    Whatever the page writes to its console, a violation of the content policy say, is an error.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIETLY)
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
        )
        shown = context.new_page()
        complaints: list[str] = []
        shown.on("console", lambda message: complaints.append(message.text))
        shown.on("pageerror", lambda error: complaints.append(str(error)))
        yield shown
        browser.close()
        assert [] == complaints
