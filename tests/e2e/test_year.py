"""A simulated year with every fault that can happen: the state of the games at its end.

The server must have what `reckoning`, `nudges` and `daily` calculate from the specification alone. A whole
run, and no other, simulates two years of 200 players and 200 games each, some thirty seconds of one core a
year; `CI=true PBEM_YEAR_GAMES=2000 make test TESTS=tests/e2e/test_year.py` simulates 2,000 games.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import event, select

from pbem.app import open_app
from pbem.config.load import config_from
from pbem.core.clock.vacation import Vacation
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.duties.game_clock import WORKER_DELAY
from pbem.store import games, inbox, vacations
from pbem.store import outages as outage_rows
from pbem.store import outbox as outbox_rows
from pbem.store.tables import outbox
from tests.apps import SERVER
from tests.e2e.busy import DEALS
from tests.e2e.cast import BEATS, NEW_YEAR, OUTAGES, PLAYERS, STEPS, YEAR, moment, quiet
from tests.e2e.daily import DailyYear
from tests.e2e.match import NEVER

pytestmark = pytest.mark.whole

SIZE = int(os.environ.get("PBEM_YEAR_GAMES") or 400)
"""Games of all the years together."""
SEEDS = (2027, 2028)
OFTEN = ("lost", "doubled", "plies", "auto", "unseen", "accept", "decline", "vacation", "back", "digest")
SELDOM = ("resume", "in a bundle", "stale in a bundle", "won")


@contextmanager
def lived(path: Path, seed: int) -> Iterator[DailyYear]:
    """A simulated year, in its own database."""
    environ = {
        "PBEM_VAR": str(path.parent),
        "PBEM_DATABASE": f"sqlite:///{path}",
        "PBEM_HOST": "localhost",
        "PBEM_RELAY": "smtp://127.0.0.1:1",
        "PBEM_SECRET": "s" * 32,
        "PBEM_AUTHSERV": SERVER,
    }
    app = open_app(config_from(environ))
    # The disk is not what is tried here: processes die, the machine does not.
    event.listen(app.store.engine, "connect", lambda db, _: db.execute("PRAGMA synchronous=OFF").close())
    with app.store.write() as db:
        for table, column in (("reminders", "at"), ("outbox", "created_at")):
            db.exec_driver_sql(f"CREATE INDEX {table}_looked_at_here ON {table} ({column})")
    year = DailyYear(app, SIZE // len(SEEDS), seed)
    try:
        year.live()
        yield year
    finally:
        app.close()


def _stored(year: DailyYear) -> dict[int, Game]:
    """Every game in the store at the end of the year."""
    with year.app.store.read() as db:
        found = {
            number: games.load_game(db, year.app.games_by_key, number) for number in games.list_game_ids(db)
        }
    return {number: game for number, game in found.items() if game is not None}


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_year_of_two_hundred_players_is_what_the_moments_make_it(
    migrated_sqlite: Path, tmp_path: Path, seed: int
) -> None:
    path = tmp_path / "pbem.sqlite"
    path.write_bytes(migrated_sqlite.read_bytes())
    wrong: list[Exception] = []
    with lived(path, seed) as year:
        stored = _stored(year)
        for claim in CLAIMS:
            try:
                claim(year, stored)
            except AssertionError as error:
                wrong.append(error)
    if wrong:
        raise ExceptionGroup(f"the year {seed}", wrong)


def the_year_had_everything_in_it(year: DailyYear, stored: dict[int, Game]) -> None:
    assert year.size == len(stored) == len(year.reckoning.matches)
    seldom = dict.fromkeys((*SELDOM, *(f"killed after {step}" for step in (*STEPS, *BEATS, "digest"))), 1)
    least = dict.fromkeys(DEALS, year.size // 25) | dict.fromkeys(OFTEN, year.size // 50) | seldom
    assert {} == {what: year.counts[what] for what, least in least.items() if year.counts[what] < least}
    ended = Counter(match.over[0] if match.over else "running" for match in year.reckoning.matches.values())
    assert min(ended["void"], 3 * ended["timeout"]) >= year.size // 5, ended
    assert ended["running"], ended
    days_off = [automatic for taken in year.reckoning.taken.values() for *_, automatic in taken]
    assert min(sum(days_off), len(days_off) - sum(days_off)) >= year.size // 4, len(days_off)


def every_journal_is_what_the_moments_make_it(year: DailyYear, stored: dict[int, Game]) -> None:
    for number, match in year.reckoning.matches.items():
        told = [(entry.kind, entry.at, entry.seat) for entry in stored[number].open_entries]
        assert [(kind, moment(at), seat) for kind, at, seat in match.told] == told, number


def every_loss_is_dated_to_its_flag(year: DailyYear, stored: dict[int, Game]) -> None:
    for number, match in year.reckoning.matches.items():
        ending = stored[number].state.ending
        found = (ending.how, ending.winner, ending.at) if ending else None
        assert (match.over and (*match.over[:2], moment(match.over[2]))) == found, number


def every_clock_shows_what_was_reckoned_and_none_less_than_nothing(
    year: DailyYear, stored: dict[int, Game]
) -> None:
    for number, match in year.reckoning.matches.items():
        clock = stored[number].clock
        assert tuple(timedelta(seconds=bank) for bank in match.banks) == clock.banks, number
        assert min(clock.banks) >= timedelta()
        if not match.over:
            deadline = year.reckoning.deadline(match)
            wanted = None if deadline >= NEVER else moment(deadline)
            assert wanted == stored[number].deadline, number
            assert match.waiting or deadline > YEAR - WORKER_DELAY.total_seconds(), number


def every_reminder_comes_once_at_its_hour_and_none_is_missing(
    year: DailyYear, _stored: dict[int, Game]
) -> None:
    assert [] == year.nudges.wrong, (len(year.nudges.wrong), year.nudges.wrong[:5])
    seen = year.nudges.seen
    assert min(seen["due"], seen["letters"]) >= year.size and seen["merged"] >= year.size // 50, seen


def every_daily_letter_comes_once_on_its_day_if_there_is_anything_in_it(
    year: DailyYear, _stored: dict[int, Game]
) -> None:
    assert [] == year.wrong, (len(year.wrong), year.wrong[:5])


def every_vacation_and_outage_is_kept_once(year: DailyYear, _stored: dict[int, Game]) -> None:
    with year.app.store.read() as db:
        kept = vacations.vacations_of_players(db, range(1, PLAYERS + 1))
        outages = outage_rows.outages_since(db, NEW_YEAR)
    for player, blocks in kept.items():
        wanted = [
            Vacation(moment(a), moment(b), auto) for a, b, auto in year.reckoning.taken[player] if a < b
        ]
        assert sorted(wanted, key=lambda block: block.begins) == [replace(block, id=0) for block in blocks], (
            player
        )
    assert tuple((moment(begin), moment(end)) for begin, end in OUTAGES) == outages


def the_rows_say_what_the_journals_say(year: DailyYear, stored: dict[int, Game]) -> None:
    assert [] == year.unlike
    with year.app.store.read() as db:
        for number, game in stored.items():
            refolded = games.row_summary(fold(game), game.open_entries)
            assert refolded == games.stored_summary(db, number), number
        assert [] == games.due_game_ids(db, moment(YEAR) - WORKER_DELAY, 10)
        waiting = set(games.due_game_ids(db, datetime.max.replace(tzinfo=UTC), 2 * year.size))
    assert {number for number, game in stored.items() if game.state.ending is None} == waiting


def every_mail_is_filed(year: DailyYear, _stored: dict[int, Game]) -> None:
    with year.app.store.read() as db:
        states = inbox.count_by_state(db)["mail in"]
    assert states.keys() <= {"done", "refused", "duplicate"}, states
    assert states["done"] > year.counts["plies"]


def whoever_stopped_letters_gets_none_and_everybody_else_each_once(
    year: DailyYear, stored: dict[int, Game]
) -> None:
    with year.app.store.read() as db:
        letters = outbox_rows.letters_of_games(db, list(stored))
    usual = {"start", "ply", "grace", "timeout"}
    for number, match in year.reckoning.matches.items():
        if {kind for kind, *_ in match.told} - usual:  # a director's decision is told in a letter of its own
            continue
        kinds = Counter((letter.player_id, letter.kind) for letter in letters[number])
        for player in match.players:
            unwanted = quiet(player)
            among_others = not unwanted and told_among_others(year, player, number)
            results = kinds[player, "result"] or among_others
            # A ply that wins and is taken back unseen has told its player too.
            told = min(results, 1) if match.unseen else results
            assert told == (match.over is not None and not unwanted), number
            if unwanted:
                assert not kinds[player, "turn"] + kinds[player, "flag"], number


def told_among_others(year: DailyYear, player: int, number: int) -> bool:
    """True if a letter about moves in several games told a player the end of this one."""
    over = year.reckoning.matches[number].over
    answers = select(outbox.c.raw).where(outbox.c.player_id == player, outbox.c.kind == "receipts")
    with year.app.store.read() as db:
        raws = list(db.scalars(answers.where(outbox.c.created_at >= moment(over[2])))) if over else []
    return any(re.search(rb"game %d\b.{0,200}\bwon\b" % number, raw, re.DOTALL) for raw in raws)


CLAIMS: tuple[Callable[[DailyYear, dict[int, Game]], None], ...] = (
    the_year_had_everything_in_it,
    every_journal_is_what_the_moments_make_it,
    every_loss_is_dated_to_its_flag,
    every_clock_shows_what_was_reckoned_and_none_less_than_nothing,
    every_reminder_comes_once_at_its_hour_and_none_is_missing,
    every_daily_letter_comes_once_on_its_day_if_there_is_anything_in_it,
    every_vacation_and_outage_is_kept_once,
    the_rows_say_what_the_journals_say,
    every_mail_is_filed,
    whoever_stopped_letters_gets_none_and_everybody_else_each_once,
)
