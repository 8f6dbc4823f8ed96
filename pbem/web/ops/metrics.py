"""`/metrics`: figures for Prometheus, about pages from this process and all others from the database."""

import hmac
from collections.abc import Iterator, Mapping
from datetime import datetime

from flask import Response, request
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, CollectorRegistry, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from werkzeug.exceptions import Forbidden, Unauthorized

from pbem import __version__
from pbem.app import App
from pbem.core.connections import ip_address_of
from pbem.duties.health import free_space
from pbem.duties.outages import WORKER_HEARTBEAT
from pbem.outbox import warm_up
from pbem.store import bot_jobs, bots, counters, game_lists, inbox, monitoring, outages
from pbem.store.engine import Connection, is_unavailable
from pbem.web.blueprints import Pages
from pbem.web.measure import figures_of_pages
from pbem.web.responses import application, forbid_caching

pages = Pages("metrics", __name__, rates={"metrics": "none"}, robots=["/metrics"])

FORWARDED = ("X-Forwarded-For", "Forwarded", "Via")


@pages.get("/metrics")
def metrics() -> Response:
    _check_reader(application().config.metrics_token)
    registry = CollectorRegistry()
    registry.register(DatabaseFigures(application()))
    text = figures_of_pages() + generate_latest(registry)
    return forbid_caching(Response(text, content_type=CONTENT_TYPE_PLAIN_0_0_4))


def _check_reader(token: str | None) -> None:
    """Raise Unauthorized or Forbidden for strangers. Behind an uncounted proxy all look like neighbours."""
    if token is not None:
        given = request.authorization
        if given is None or given.type != "bearer" or not _same(given.token or "", token):
            raise Unauthorized("This needs the token of PBEM_METRICS_TOKEN.")
        return
    address = ip_address_of(request.remote_addr or "")
    near = address.is_private if address else not request.remote_addr  # none: a unix socket
    if not near or any(name in request.headers for name in FORWARDED):
        raise Forbidden("This is for this machine and private networks, or for a PBEM_METRICS_TOKEN.")


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())


def _gauge(
    name: str, help: str, values: Mapping[str, float] | float | None, label: str = ""
) -> GaugeMetricFamily:
    """Return one metric, by `label` or as a single value. Unknown values are left out."""
    found = GaugeMetricFamily(f"pbem_{name}", help, labels=[label] if label else [])
    values = values if isinstance(values, Mapping) else {"": values} if values is not None else {}
    for key, value in values.items():
        found.add_metric([key] if label else [], value)
    return found


class DatabaseFigures(Collector):
    """Figures of all processes together, read at each scrape, and whether the database answers."""

    def __init__(self, app: App) -> None:
        self._app = app

    def describe(self) -> list[Metric]:
        return []  # else every figure is read once when this is registered

    def collect(self) -> Iterator[Metric]:
        yield _gauge("version_info", "Which version is at work.", {__version__: 1}, "version")
        yield _gauge(
            "disk_free_bytes", "Room on the disks that we write to.", free_space(self._app), "folder"
        )
        found: list[Metric] = []
        try:
            with self._app.store.read() as db:
                found += _queues(self._app, db)
                found += _clock_and_bots(self._app, db)
                found += _totals(db)
        except Exception as error:
            if not is_unavailable(error):
                raise
            found = []
        yield _gauge("database_up", "1 where the database answers.", int(bool(found)))
        yield from found


def _age(at: datetime | None, now: datetime) -> float | None:
    """Seconds since a moment."""
    return None if at is None else max(0.0, (now - at).total_seconds())


def _queues(app: App, db: Connection) -> Iterator[Metric]:
    now = app.clock()
    letters = monitoring.count_open_letters(db) | {monitoring.DEFERRED: monitoring.count_deferred(db)}
    mail_age, letter_age = (_age(at, now) or 0 for at in inbox.oldest_waiting_times(db))
    put_off = sum(warm_up.count_waiting(app, db).values())
    newest = f"What became of the newest {monitoring.NEWEST} mails."
    yield _gauge("mails", "Mails not done with: new, or put aside.", monitoring.count_open_mails(db), "state")
    yield _gauge("letters", "Letters not sent: queued, not taken, and why.", letters, "state")
    yield _gauge("letters_put_off", "Letters beyond the ceiling of PBEM_WARM_UP.", put_off)
    yield _gauge("oldest_unfiled_mail_seconds", "How long the oldest has waited.", mail_age)
    yield _gauge("oldest_unsent_letter_seconds", "How long the oldest has waited.", letter_age)
    yield _gauge("newest_mails", newest, monitoring.count_outcomes(db), "outcome")


def _clock_and_bots(app: App, db: Connection) -> Iterator[Metric]:
    now, counts = app.clock(), game_lists.count_wanted(db, app.games_by_key)
    beat = _age(outages.last_heartbeat(db, WORKER_HEARTBEAT), now)
    lag = _age(monitoring.oldest_due_game(db, now), now) or 0
    jobs, oldest = bot_jobs.waiting_jobs(db, now)
    stuck = {"games": bots.count_put_aside(db, now), "jobs": bot_jobs.count_failed(db, now)}
    waiting = {"games": bots.count_waiting(db, now), "jobs": jobs}
    yield _gauge("clock_age_seconds", "How long ago a worker said that it is at work.", beat)
    yield _gauge("due_games", "Games that wait for the clock.", monitoring.count_due_games(db, app.now()))
    yield _gauge("clock_lag_seconds", "How long the oldest of them has waited.", lag)
    yield _gauge("games", "Games kept.", {"running": counts.running, "finished": counts.finished}, "state")
    yield _gauge("bots_waiting", "What waits for a bot.", waiting, "what")
    yield _gauge("oldest_bot_job_seconds", "How long the oldest job has waited.", _age(oldest, now) or 0)
    yield _gauge("bots_put_aside", "What bots could not go on with.", stuck, "what")


def _totals(db: Connection) -> Iterator[Metric]:
    for what, number in monitoring.count_ever(db).items():
        yield CounterMetricFamily(f"pbem_{what}", f"How many {what} there ever were, about.", number)
    for name, number in counters.read_counters(db).items():
        yield CounterMetricFamily(f"pbem_{name}", counters.COUNTERS[name], number)
