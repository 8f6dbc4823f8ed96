"""`/metrics`: figures from the database in Prometheus's text format (0.0.4), the same from every process."""

from collections.abc import Iterator, Mapping

from flask import Response

from pbem import __version__
from pbem.actions.outages import WORKER_HEARTBEAT
from pbem.store import game_lists, inbox, monitoring, outages
from pbem.store.engine import Connection
from pbem.web.blueprints import Pages
from pbem.web.ops.status import waiting_seconds
from pbem.web.responses import application, forbid_caching

pages = Pages("metrics", __name__, rates={"metrics": "none"})

MEDIA = "text/plain; version=0.0.4; charset=utf-8"


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
    return forbid_caching(Response(text, content_type=MEDIA))


def _read_metrics(db: Connection) -> Iterator[str]:
    now, counts = application().clock(), game_lists.count_wanted(db, application().games_by_key)
    mails, letters = monitoring.count_open_mails(db), monitoring.count_open_letters(db)
    mail_age, letter_age = (waiting_seconds(at, now) or 0 for at in inbox.oldest_waiting_times(db))
    beat_age = waiting_seconds(outages.last_heartbeat(db, WORKER_HEARTBEAT), now)
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
    for what, number in monitoring.count_ever(db).items():
        yield _metric(f"{what}_total", f"How many {what} there ever were, about.", number, type="counter")
