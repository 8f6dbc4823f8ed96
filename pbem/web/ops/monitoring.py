"""`/status`: health for monitoring; `/metrics`: figures for Prometheus; `/now`: the server's time."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from flask import Response, jsonify, make_response

from pbem import __version__
from pbem.actions.outages import WORKER_HEARTBEAT
from pbem.core.game.fingerprint import iso
from pbem.store import bot_jobs, bots, game_lists, inbox, monitoring, outages
from pbem.store.engine import Connection, is_unavailable
from pbem.web.blueprints import Pages
from pbem.web.responses import application, forbid_caching

pages = Pages("monitoring", __name__, rates={"status": "none", "metrics": "none"})

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
            stuck = {"games_put_aside": bots.count_put_aside(db), "jobs_failed": bot_jobs.count_failed(db)}
            backup = outages.last_backup(db)
            mails, letters = monitoring.count_open_mails(db), monitoring.count_open_letters(db)
    except Exception as error:
        if not is_unavailable(error):
            raise
        down = jsonify({"status": "down", "database": "does not answer"})
        return forbid_caching(make_response(down, 503))
    now = application().clock()
    late = any(at is not None and now - at > TOO_LONG for at in (unfiled, unsent))
    failing = letters[monitoring.REFUSED] or letters[monitoring.GIVEN_UP]
    facts = {
        "status": "failing" if failing else "late" if late else "ok",
        "database": "ok",
        "oldest_unfiled_mail_s": _waiting_seconds(unfiled, now),
        "oldest_unsent_letter_s": _waiting_seconds(unsent, now),
        "backup_age_s": _waiting_seconds(backup, now),
        "mails": mails,
        "letters": letters,
        "bots": stuck,
    }
    return forbid_caching(make_response(jsonify(facts), 503 if late or failing else 200))


def _waiting_seconds(at: datetime | None, now: datetime) -> int | None:
    return None if at is None else max(0, round((now - at).total_seconds()))


def _metric(
    name: str, help: str, values: Mapping[str, int] | int | None, label: str = "", type: str = "gauge"
) -> str:
    """One metric with its values by `label`, or a single value; an unknown one is left out."""
    found = values if isinstance(values, Mapping) else {"": values}
    lines = [f"# HELP pbem_{name} {help}\n# TYPE pbem_{name} {type}\n"]
    for key, value in found.items():
        if value is not None:
            lines.append(f"pbem_{name}" + (f'{{{label}="{key}"}}' if label else "") + f" {value}\n")
    return "".join(lines)


@pages.get("/metrics")
def metrics() -> Response:
    with application().store.read() as db:
        text = "".join(_read_metrics(db))
    return forbid_caching(Response(text, content_type="text/plain; version=0.0.4; charset=utf-8"))


def _read_metrics(db: Connection) -> Iterator[str]:
    now, counts = application().clock(), game_lists.count_wanted(db, application().games_by_key)
    mails, letters = monitoring.count_open_mails(db), monitoring.count_open_letters(db)
    mail_age, letter_age = (_waiting_seconds(at, now) or 0 for at in inbox.oldest_waiting_times(db))
    beat_age = _waiting_seconds(outages.last_heartbeat(db, WORKER_HEARTBEAT), now)
    newest = f"What became of the newest {monitoring.NEWEST} mails."
    due = monitoring.count_due_games(db, application().now())
    games = {"running": counts.running, "finished": counts.finished}
    yield _metric("version_info", "Which version is at work.", {__version__: 1}, "version")
    yield _metric("mails", "Mails not done with: new, or put aside.", mails, "state")
    yield _metric("letters", "Letters not sent: queued, not taken, and why.", letters, "state")
    yield _metric("oldest_unfiled_mail_seconds", "How long the oldest has waited.", mail_age)
    yield _metric("oldest_unsent_letter_seconds", "How long the oldest has waited.", letter_age)
    yield _metric("newest_mails", newest, monitoring.count_outcomes(db), "outcome")
    yield _metric("due_games", "Games that wait for the clock.", due)
    yield _metric("clock_age_seconds", "How long ago the clock said that it is at work.", beat_age)
    yield _metric("games", "Games kept.", games, "state")
    stuck = {"games": bots.count_put_aside(db), "jobs": bot_jobs.count_failed(db)}
    yield _metric("bots_put_aside", "What bots could not go on with.", stuck, "what")
    for what, number in monitoring.count_ever(db).items():
        yield _metric(f"{what}_total", f"How many {what} there ever were, about.", number, type="counter")
