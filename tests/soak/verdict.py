"""What is looked for when everything works again: harm that lasts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select

from pbem.app import App
from pbem.store import games, inbox
from pbem.store.tables import outbox
from tests.soak.pairs import Pair
from tests.soak.relay import Relay


@dataclass
class Verdict:
    """Counts, and one sentence for each harm."""

    moves: int = 0
    games: int = 0
    letters: int = 0
    twice: int = 0
    """Letters that were delivered more than once."""
    most: int = 0
    """The deliveries of the letter that came most often."""
    resent: int = 0
    harm: list[str] = field(default_factory=list)


def is_quiet(app: App) -> bool:
    """True if no mail and no letter waits."""
    with app.store.read() as db:
        return inbox.oldest_waiting_times(db) == (None, None)


def judge(app: App, pairs: Sequence[Pair], relay: Relay, settings: Mapping[str, str]) -> Verdict:
    found = Verdict(resent=sum(pair.resent for pair in pairs))
    for pair in pairs:
        found.harm += pair.faults
        found.harm += _moves(app, pair, found)
    found.harm += _letters(app, relay, found)
    check = run_pbem(settings, "check", "--offline")
    if check.returncode:
        found.harm.append(f"pbem check: {check.stdout}{check.stderr}")
    return found


def run_pbem(settings: Mapping[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pbem", *words]
    return subprocess.run(command, env={**os.environ, **settings}, capture_output=True, text=True)


def _moves(app: App, pair: Pair, found: Verdict) -> Iterator[str]:
    for id, table in pair.tables.items():
        with app.store.read() as db:
            game = games.load_game(db, app.games_by_key, id)
        if game is None:
            yield f"game {id} is gone"
            continue
        kept = [ply.move for ply in game.state.plies]
        found.games, found.moves = found.games + 1, found.moves + len(kept)
        if kept != table.moves:
            yield f"game {id}: {len(table.moves)} moves were sent, {len(kept)} are kept: {table.moves} {kept}"


def _letters(app: App, relay: Relay, found: Verdict) -> Iterator[str]:
    with app.store.read() as db:
        rows = db.execute(select(outbox.c.message_id, outbox.c.state, outbox.c.detail)).all()
    for row in rows:
        if row.state != "sent":
            yield f"letter {row.message_id} is {row.state}: {row.detail}"
        elif not relay.counts[row.message_id]:
            yield f"letter {row.message_id} is marked as sent, and never came"
    found.letters = len(relay.counts)
    found.twice = sum(count > 1 for count in relay.counts.values())
    found.most = max(relay.counts.values(), default=0)
    unknown = relay.counts.keys() - {row.message_id for row in rows}
    if unknown:
        yield f"{len(unknown)} letters came that nobody has kept, such as {min(unknown)}"
