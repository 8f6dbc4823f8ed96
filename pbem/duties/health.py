"""Troubles that need a person. `/status`, `pbem check` and letters to the operator show them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.app import App
from pbem.core.bounces import POLICY_WINDOW, REFUSED_PLAYERS
from pbem.duties.outages import WORKER_HEARTBEAT
from pbem.store import bot_jobs, bots, bounces, inbox, monitoring, outages, restores
from pbem.store.engine import Connection

TOO_LONG = timedelta(minutes=10)
"""Longest wait of a mail, a letter, or a game for the clock."""
SILENT = timedelta(seconds=55)
"""Time without a heartbeat after which no worker runs; each has one every 30 seconds."""
LOW_DISK = 256 * 1024**2
"""In bytes."""

WORKER, DISK = "worker_silent", "disk_low"
BOTS, JOBS = "bots_stuck", "jobs_failed"
MAIL_WAITS, LETTER_WAITS, CLOCK_LATE = "mail_waits", "letter_waits", "clock_late"
PROVIDER = "provider_refuses"
LATE = frozenset({MAIL_WAITS, LETTER_WAITS, CLOCK_LATE})
"""Troubles that may pass by themselves."""


@dataclass(frozen=True)
class Trouble:
    """`words`: the trouble and the remedy, for the operator. Only `code` and `about` decide anything."""

    code: str
    words: str
    about: str = ""


def free_space(app: App) -> dict[str, int]:
    """Free bytes of the folders that we write to, by folder."""
    file = app.store.file
    folders = {app.config.var, *([file.parent] if file is not None else [])}
    return {str(each): app.free_bytes(each) for each in sorted(folders) if each.is_dir()}


def last_work(db: Connection) -> datetime | None:
    """Return the last heartbeat of any worker. None before the first, also after a restore."""
    last, restored = outages.last_heartbeat(db, WORKER_HEARTBEAT), restores.last_restore(db)
    return None if last is None or (restored is not None and restored > last) else last


def find_troubles(app: App, db: Connection) -> list[Trouble]:
    return [
        *_time_troubles(app, db),
        *_counted_troubles(db, app.clock()),
        *_refusing(app, db),
        *_disk_troubles(app),
    ]


def count_policy_refusals(app: App, db: Connection) -> int:
    """Count the letters to players that policies have refused lately."""
    return len(bounces.policy_refusals(db, app.clock() - POLICY_WINDOW))


def _refusing(app: App, db: Connection) -> Iterator[Trouble]:
    """Yield the providers that refuse letters to several players by policy."""
    statuses: dict[str, dict[str, str]] = {}
    for address, status in bounces.policy_refusals(db, app.clock() - POLICY_WINDOW):
        statuses.setdefault(address.rpartition("@")[2], {})[address] = status
    for provider, of_players in sorted(statuses.items()):
        if len(of_players) >= REFUSED_PLAYERS:
            said = ", ".join(sorted(set(of_players.values())))
            words = f"{provider} refuses letters to {len(of_players)} players by policy ({said})"
            yield Trouble(PROVIDER, f"{words}: pbem check looks at our name, DKIM, SPF and DMARC", provider)


def _time_troubles(app: App, db: Connection) -> Iterator[Trouble]:
    now, hurry, worked = app.clock(), app.config.hurry, last_work(db)
    if worked is not None and now - worked > SILENT * hurry:
        yield Trouble(WORKER, f"no worker is at work since {_at(worked)}: start pbem serve, or pbem work")
    questions = (
        (MAIL_WAITS, "mail", "is pbem work running?"),
        (LETTER_WAITS, "letter", "does the relay answer?"),
    )
    for since, (code, what, question) in zip(inbox.oldest_waiting_times(db), questions, strict=True):
        if since is not None and now - since > TOO_LONG:
            yield Trouble(code, f"a {what} waits since {_at(since)}: {question}")
    due = None if worked is None else monitoring.oldest_due_game(db, now)
    if due is not None and now - due > TOO_LONG * hurry:
        yield Trouble(CLOCK_LATE, f"a game waits for the clock since {_at(due)}: see the log of pbem work")


def _counted_troubles(db: Connection, now: datetime) -> Iterator[Trouble]:
    letters = monitoring.count_open_letters(db)
    counted = {
        "mails_put_aside": (
            monitoring.count_open_mails(db)["shunted"],
            "mail",
            "put aside: pbem retry --shunted",
        ),
        "relay_refuses": (
            letters[monitoring.REFUSED],
            "letter",
            "refused by the relay: mend PBEM_RELAY or it",
        ),
        "letters_given_up": (letters[monitoring.GIVEN_UP], "letter", "given up: pbem retry --failed"),
        BOTS: (bots.count_put_aside(db, now), "game", "that bots cannot go on with: pbem retry --bots"),
        JOBS: (bot_jobs.count_failed(db, now), "job", "of bots that failed: pbem retry --bots"),
    }
    for code, (number, noun, words) in counted.items():
        if number:
            yield Trouble(code, f"{number} {noun}{'' if number == 1 else 's'} {words}")


def _disk_troubles(app: App) -> Iterator[Trouble]:
    for folder, free in free_space(app).items():
        if free < LOW_DISK:
            yield Trouble(DISK, f"the disk of {folder} has only {free // 1024**2} MiB left")


def _at(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
