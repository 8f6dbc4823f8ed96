"""`/status`: health for monitoring; `/now`: the server's time."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from flask import Response, jsonify, make_response

from pbem.core.game.fingerprint import iso
from pbem.store import inbox, monitoring
from pbem.store.engine import is_unavailable
from pbem.web.blueprints import Pages
from pbem.web.responses import application, forbid_caching

pages = Pages("status", __name__, rates={"status": "none"})

TOO_LONG = timedelta(minutes=10)
"""Longest wait of a mail or letter before `/status` fails."""


@pages.get("/now")
def time() -> Response:
    """The current time, for browsers with wrong clocks or old pages."""
    return forbid_caching(Response(iso(application().now()), mimetype="text/plain"))


@pages.get("/status")
def status() -> Response:
    """Health as JSON: 503 if the database does not answer, mail waits too long, or letters fail; else 200."""
    try:
        with application().store.read() as db:
            unfiled, unsent = inbox.oldest_waiting_times(db)
            mails, letters = monitoring.count_open_mails(db), monitoring.count_open_letters(db)
    except Exception as error:
        if not is_unavailable(error):
            raise
        return _answer({"status": "down", "database": "does not answer"}, 503)
    now = application().clock()
    late = any(at is not None and now - at > TOO_LONG for at in (unfiled, unsent))
    failing = letters[monitoring.REFUSED] or letters[monitoring.GIVEN_UP]
    facts = {
        "status": "failing" if failing else "late" if late else "ok",
        "database": "ok",
        "oldest_unfiled_mail_s": waiting_seconds(unfiled, now),
        "oldest_unsent_letter_s": waiting_seconds(unsent, now),
        "mails": mails,
        "letters": letters,
    }
    return _answer(facts, 503 if late or failing else 200)


def waiting_seconds(at: datetime | None, now: datetime) -> int | None:
    return None if at is None else max(0, round((now - at).total_seconds()))


def _answer(facts: Mapping[str, object], code: int) -> Response:
    return forbid_caching(make_response(jsonify(facts), code))
