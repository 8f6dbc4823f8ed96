"""Servers and clients for tests of pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from pbem.app import Office
from pbem.web import create_app
from tests.web.library import PUBLIC, open_library


@pytest.fixture
def office(tmp_path: Path, sqlite_url: str) -> Iterator[Office]:
    """A public server."""
    office = open_library(tmp_path, sqlite_url, **PUBLIC)
    yield office
    office.close()


@pytest.fixture
def at_home(tmp_path: Path, sqlite_url: str) -> Iterator[Office]:
    """A server in development mode, with Bill, Joao, Anna and a mailroom."""
    office = open_library(tmp_path, sqlite_url)
    yield office
    office.close()


@pytest.fixture
def client(office: Office) -> FlaskClient:
    return create_app(office).test_client()


@pytest.fixture
def home(at_home: Office) -> FlaskClient:
    return create_app(at_home).test_client()
