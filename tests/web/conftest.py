"""Offices and browsers for looking at pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.serving import make_server

from pbem.office import Office
from pbem.web import create_app
from tests.web.library import PUBLIC, open_library


@pytest.fixture
def office(tmp_path: Path, sqlite_url: str) -> Iterator[Office]:
    """A server that people can reach."""
    office = open_library(tmp_path, sqlite_url, **PUBLIC)
    yield office
    office.close()


@pytest.fixture
def at_home(tmp_path: Path, sqlite_url: str) -> Iterator[Office]:
    """A server in development mode, with its mailroom; players are Bill, Joao and Anna."""
    office = open_library(tmp_path, sqlite_url)
    yield office
    office.close()


@pytest.fixture
def client(office: Office) -> FlaskClient:
    return create_app(office).test_client()


@pytest.fixture
def home(at_home: Office) -> FlaskClient:
    return create_app(at_home).test_client()


@pytest.fixture
def serve() -> Iterator[Callable[[Office], str]]:
    """Serves an office's pages on a port of its own and gives their address."""
    servers = []

    def start(office: Office) -> str:
        server = make_server("127.0.0.1", 0, create_app(office), threaded=True)
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        servers.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages, and at the end wants nothing complained of: no error, no breach of the policy."""
    complaints: list[str] = []
    contexts = []

    def open_page(**settings: object) -> Page:
        context = browser.new_context(**settings)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [] == complaints
