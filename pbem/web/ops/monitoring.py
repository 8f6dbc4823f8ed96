"""`/status`, `/healthz`, `/readyz` for monitoring, and `/now`, the server's time."""

from datetime import datetime

from flask import Response, jsonify, make_response

from pbem.core.game.fingerprint import iso
from pbem.duties import health
from pbem.outbox import warm_up
from pbem.store import bot_jobs, bots, inbox, monitoring, outages, revisions
from pbem.store.engine import is_unavailable
from pbem.web.blueprints import Pages
from pbem.web.responses import application, forbid_caching

pages = Pages("monitoring", __name__, rates={"status": "none", "healthz": "none", "readyz": "none"})


@pages.get("/now")
def time() -> Response:
    """The current time, for browsers with wrong clocks or old pages."""
    return forbid_caching(Response(iso(application().now()), mimetype="text/plain"))


@pages.get("/healthz")
def healthz() -> Response:
    """200: this process answers, whatever the database does. Restart it where this fails."""
    return forbid_caching(Response("ok\n", mimetype="text/plain"))


@pages.get("/readyz")
def readyz() -> Response:
    """200: pages can be made. 503: the database does not answer, or needs a migration."""
    try:
        problem = revisions.migration_problem(application().store)
    except Exception as error:
        if not is_unavailable(error):
            raise
        problem = "the database does not answer"
    text = f"{problem or 'ok'}\n"
    return forbid_caching(Response(text, 503 if problem else 200, mimetype="text/plain"))


@pages.get("/status")
def status() -> Response:
    """Return health as JSON. 503 means that the database or a person must act."""
    try:
        now = application().clock()
        with application().store.read() as db:
            unfiled, unsent = inbox.oldest_waiting_times(db)
            aside, failed = bots.count_put_aside(db, now), bot_jobs.count_failed(db, now)
            stuck = {"games_put_aside": aside, "jobs_failed": failed}
            backup = outages.last_backup(db)
            mails, letters = monitoring.count_open_mails(db), monitoring.count_open_letters(db)
            refused = health.count_policy_refusals(application(), db)
            put_off = warm_up.count_waiting(application(), db)
            worked = health.last_work(db)
            needs = [trouble.code for trouble in health.find_troubles(application(), db)]
    except Exception as error:
        if not is_unavailable(error):
            raise
        down = jsonify({"status": "down", "database": "does not answer"})
        return forbid_caching(make_response(down, 503))
    facts = {
        "status": "failing" if set(needs) - health.LATE else "late" if needs else "ok",
        "needs": needs,
        "database": "ok",
        "worker_silent_s": _waiting_seconds(worked, now),
        "oldest_unfiled_mail_s": _waiting_seconds(unfiled, now),
        "oldest_unsent_letter_s": _waiting_seconds(unsent, now),
        "backup_age_s": _waiting_seconds(backup, now),
        "mails": mails,
        "letters": letters,
        "refused_by_policy": refused,
        "put_off": put_off,
        "bots": stuck,
    }
    return forbid_caching(make_response(jsonify(facts), 503 if needs else 200))


def _waiting_seconds(at: datetime | None, now: datetime) -> int | None:
    return None if at is None else max(0, round((now - at).total_seconds()))
