"""`/.well-known/security.txt`: the contact for security reports."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from pbem.web import create_app
from tests.web.library import PUBLIC, open_library

PATH = "/.well-known/security.txt"


def fields(text: str) -> dict[str, str]:
    """The fields of the file, each once (RFC 9116 2.5)."""
    pairs = [(name, value) for name, _, value in (line.partition(": ") for line in text.splitlines())]
    found = dict(pairs)
    assert len(pairs) == len(found)
    return found


@pytest.mark.parametrize(
    "now",
    [
        datetime(2026, 3, 31, 12, tzinfo=UTC),
        datetime(2026, 8, 31, tzinfo=UTC),
        datetime(2027, 12, 1, tzinfo=UTC),
    ],
)
def test_it_names_the_operator_and_is_good_for_months_and_less_than_a_year(
    tmp_path: Path, sqlite_url: str, now: datetime
) -> None:
    app = open_library(tmp_path, sqlite_url, **PUBLIC, PBEM_OPERATOR="post+master@example.org")
    client = create_app(replace(app, clock=lambda: now)).test_client()
    answer = client.get(PATH)
    found = fields(answer.text)
    assert (200, "text/plain; charset=utf-8") == (answer.status_code, answer.headers["Content-Type"])
    assert "mailto:post+master@example.org" == found["Contact"]
    assert f"https://pbem.example.org{PATH}" == found["Canonical"]
    until = datetime.fromisoformat(found["Expires"]) - now
    assert timedelta(days=120) < until < timedelta(days=364)
    assert 304 == client.get(PATH, headers={"If-None-Match": answer.headers["ETag"]}).status_code
    app.close()


def test_without_tls_it_names_no_address_of_its_own(tmp_path: Path, sqlite_url: str) -> None:
    app = open_library(tmp_path, sqlite_url, PBEM_OPERATOR="op@example.org")
    assert "Canonical" not in fields(create_app(app).test_client().get(PATH).text)
    app.close()


def test_where_no_operator_is_set_there_is_none(client: FlaskClient) -> None:
    assert 404 == client.get(PATH).status_code
