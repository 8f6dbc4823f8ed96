"""`/metrics`: monitoring figures in Prometheus's text format (0.0.4).

All figures are read from the database, so every process gives the same answer.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from flask import Response

from pbem import __version__
from pbem.actions.outages import WORKER_HEARTBEAT
from pbem.store import game_lists, heartbeats, inbox, monitoring
from pbem.store.engine import Connection
from pbem.web.blueprints import Pages
from pbem.web.responses import NO_STORE, application

pages = Pages("metrics", __name__, rates={"metrics": "none"})

MEDIA = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True)
class Metric:
    """One metric with its values by `label`; "" is a single value. Unknown values are left out."""

    name: str
    help: str
    values: Mapping[str, int | None]
    label: str = ""
    type: str = "gauge"

    def __str__(self) -> str:
        head = f"# HELP pbem_{self.name} {self.help}\n# TYPE pbem_{self.name} {self.type}\n"
        return head + "".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for key, value in self.values.items():
            label = f'{{{self.label}="{key}"}}' if self.label else ""
            if value is not None:
                yield f"pbem_{self.name}{label} {value}\n"


@pages.get("/metrics")
def metrics() -> Response:
    with application().store.read() as db:
        text = "".join(map(str, _read_metrics(db)))
    answer = Response(text, content_type=MEDIA)
    answer.headers["Cache-Control"] = NO_STORE
    return answer


def _read_metrics(db: Connection) -> Iterator[Metric]:
    now, counts = application().clock(), game_lists.count_wanted(db, application().games_by_key)
    mail, letter = inbox.oldest_waiting_times(db)
    beat = heartbeats.last_heartbeat(db, WORKER_HEARTBEAT)
    yield Metric("version_info", "Which version is at work.", {__version__: 1}, "version")
    yield Metric("mails", "Mails not done with: new, or put aside.", monitoring.count_open_mails(db), "state")
    yield Metric(
        "letters", "Letters not sent: queued, not taken, and why.", monitoring.count_open_letters(db), "state"
    )
    yield Metric("oldest_unfiled_mail_seconds", "How long the oldest has waited.", {"": _age(mail, now) or 0})
    yield Metric(
        "oldest_unsent_letter_seconds", "How long the oldest has waited.", {"": _age(letter, now) or 0}
    )
    newest = f"What became of the newest {monitoring.NEWEST} mails."
    yield Metric("newest_mails", newest, monitoring.count_outcomes(db), "outcome")
    yield Metric(
        "due_games",
        "Games that wait for the clock.",
        {"": monitoring.count_due_games(db, application().now())},
    )
    yield Metric(
        "clock_age_seconds", "How long ago the clock said that it is at work.", {"": _age(beat, now)}
    )
    yield Metric("games", "Games kept.", {"running": counts.running, "finished": counts.finished}, "state")
    for what, number in monitoring.count_ever(db).items():
        yield Metric(
            f"{what}_total", f"How many {what} there ever were, about.", {"": number}, type="counter"
        )


def _age(at: datetime | None, now: datetime) -> int | None:
    return None if at is None else max(0, round((now - at).total_seconds()))
