"""Sign-in as a player does it: a letter, its link, a button."""

from __future__ import annotations

import re

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pbem.app import App
from pbem.duties.signin import send_links
from pbem.mail.person.mailbox import ReceivedLetter
from pbem.store import outbox
from tests.web.library import ADDRESSES

SITE = "https://pbem.example.org"
LINK = re.compile(r"/settings/in/[a-z2-7]{32}")


def letters(app: App, address: str) -> list[ReceivedLetter]:
    with app.store.read() as db:
        return [ReceivedLetter(raw) for raw in outbox.letters_to(db, address)]


def mark(page: str) -> str:
    """The CSRF mark of a page's forms."""
    found = re.search(r'name="mark" value="([0-9a-f]+)"', page)
    assert found is not None, page
    return found[1]


def get(client: FlaskClient, path: str) -> TestResponse:
    return client.get(path, base_url=SITE)


def send(client: FlaskClient, path: str, page: str = "/settings", **data: str | list[str]) -> TestResponse:
    """POST a form of a page, as a browser does."""
    seen = mark(get(client, page).text)
    headers = {"Sec-Fetch-Site": "same-origin", "Origin": "null"}
    return client.post(path, base_url=SITE, data={"mark": seen, **data}, headers=headers)


def asked_for_link(app: App, client: FlaskClient, who: str = "Bill") -> str:
    """The sign-in link mailed to a player who asks."""
    send(client, "/settings", who=who)
    send_links(app)
    link = LINK.search(letters(app, ADDRESSES["Bill"] if "@" in who else ADDRESSES[who])[-1].text)
    assert link is not None
    return link[0]


def sign_in(app: App, client: FlaskClient, who: str = "Bill") -> TestResponse:
    """Sign a player in; return the settings page."""
    link = asked_for_link(app, client, who)
    answer = send(client, link, page=link)
    assert (303, "/") == (answer.status_code, answer.headers["Location"])
    return get(client, "/settings")
