"""Servers and clients for tests of pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.web import create_app
from tests.web.library import PUBLIC, open_library


@pytest.fixture
def app(tmp_path: Path, sqlite_url: str) -> Iterator[App]:
    """A public server."""
    app = open_library(tmp_path, sqlite_url, **PUBLIC)
    yield app
    app.close()


@pytest.fixture
def at_home(tmp_path: Path, sqlite_url: str) -> Iterator[App]:
    """A server in development mode, with Bill, Joao, Anna and a mailroom."""
    app = open_library(tmp_path, sqlite_url)
    yield app
    app.close()


@pytest.fixture
def client(app: App) -> FlaskClient:
    return create_app(app).test_client()


@pytest.fixture
def home(at_home: App) -> FlaskClient:
    return create_app(at_home).test_client()
