"""Vacation by mail: what is planned, taken, cancelled and given back, and what the clocks make of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from pbem.config import settings_from
from pbem.core.dates import BadDate, read_date
from pbem.office import Office, open_office
from pbem.store import games, people
from pbem.timekeeper import LATER, tick
from tests.people import NOON
from tests.test_postoffice import BILL, JOAO, Clock, letters, register, reply

DAY = timedelta(days=1)
TODAY = date(2026, 3, 1)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def office(database_url: str, tmp_path: Path, clock: Clock) -> Iterator[Office]:
    environ = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": database_url}
    office = open_office(settings_from(environ), clock=clock)
    yield office
    office.close()


def begin(office: Office) -> None:
    welcome = register(office, BILL, "Bill")
    register(office, JOAO, "Joao")
    reply(office, BILL, welcome, "challenge Joao bipod first 3d/move")
    reply(office, JOAO, letters(office, JOAO)[-1], "accept")


def ask(office: Office, words: str, who: str = BILL) -> str:
    """Write `words` in answer to the last letter; the text of what comes back, on one line."""
    reply(office, who, letters(office, who)[-1], words)
    return " ".join(letters(office, who)[-1].text.split())


def deadline(office: Office) -> datetime | None:
    with office.store.read() as db:
        game = games.load(db, office.shelf, 1)
    assert game is not None
    return game.deadline


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-12-20", date(2026, 12, 20)),
        ("20.12.2026", date(2026, 12, 20)),
        ("20.12.", date(2026, 12, 20)),
        ("20 Dec", date(2026, 12, 20)),
        ("20th Dec", date(2026, 12, 20)),
        ("December 20", date(2026, 12, 20)),
        ("Dec 20, 2027", date(2027, 12, 20)),
        ("28 February", date(2027, 2, 28)),
        ("1 March", TODAY),
        ("29 Feb 2028", date(2028, 2, 29)),
        ("today", TODAY),
        ("tomorrow", date(2026, 3, 2)),
    ],
)
def test_a_day_is_read_as_people_write_it(text, day):
    assert day == read_date(text, TODAY)


@pytest.mark.parametrize("text", ["", "5/6", "31 Feb", "2026-13-01", "soon", "32.1.2026"])
def test_what_is_no_day_is_refused(text):
    with pytest.raises(BadDate):
        read_date(text, TODAY)


def test_days_from_now_stop_the_clocks_at_once(office: Office, clock: Clock) -> None:
    begin(office)
    flag = deadline(office)
    clock.pass_by(days=1)
    told = ask(office, "vacation 10 days")
    assert "You are on vacation" in told
    assert "You have 4 days left" in told
    assert flag + 10 * DAY == deadline(office)
    clock.now = flag + LATER
    tick(office)
    assert flag + 10 * DAY == deadline(office)


def test_a_planned_vacation_holds_both_its_days_in_the_players_zone(office: Office, clock: Clock) -> None:
    begin(office)
    with office.store.write() as db:
        people.wish(db, people.by_name(db, "Bill"), "zone", "Europe/Berlin")
    flag = deadline(office)
    told = ask(office, "vacation 2 March to 2026-03-04")
    assert "planned" in told
    assert flag + 3 * DAY == deadline(office)
    clock.now = datetime(2026, 3, 1, 23, 0, 0, tzinfo=UTC)
    assert "You are on vacation" in ask(office, "vacation")
    clock.now = datetime(2026, 3, 4, 22, 59, 59, tzinfo=UTC)
    assert "You are on vacation" in ask(office, "vacation")
    clock.now = datetime(2026, 3, 4, 23, 0, 0, tzinfo=UTC)
    assert "You are not on vacation" in ask(office, "vacation")


def test_back_ends_it_and_gives_the_rest_back(office: Office, clock: Clock) -> None:
    begin(office)
    flag = deadline(office)
    ask(office, "vacation 10 days")
    clock.pass_by(days=4)
    told = ask(office, "back")
    assert "Welcome back, Bill" in told
    assert "You have 10 days left" in told
    assert flag + 4 * DAY == deadline(office)


def test_what_is_planned_can_be_cancelled_and_what_has_begun_cannot(office: Office, clock: Clock) -> None:
    begin(office)
    flag = deadline(office)
    ask(office, "vacation 2 March to 4 March")
    told = ask(office, "vacation cancel")
    assert "Your vacation is cancelled" in told
    assert "none planned" in told
    assert flag == deadline(office)
    ask(office, "vacation 2 days")
    assert "back" in ask(office, "vacation cancel")
    assert flag + 2 * DAY == deadline(office)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("vacation 22 days", "at most 21 days"),
        ("vacation 15 days", "you have 14 left"),
        ("vacation 5 March to 2 March 2026", "ends after it begins"),
        ("vacation 31 Feb to 3 March", "There is no 31 Feb"),
        ("back", "not on vacation"),
        ("vacation cancel", "no vacation planned"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(office: Office, words: str, reason: str) -> None:
    begin(office)
    flag = deadline(office)
    assert reason in ask(office, words)
    assert flag == deadline(office)


def test_two_vacations_do_not_overlap(office: Office) -> None:
    begin(office)
    ask(office, "vacation 5 days")
    assert "on vacation already" in ask(office, "vacation 3 days")


def test_a_vacation_stops_ones_own_clocks_alone(office: Office) -> None:
    begin(office)
    flag = deadline(office)
    ask(office, "vacation 5 days", JOAO)
    assert flag == deadline(office)


def test_a_move_made_on_vacation_adds_no_time(office: Office, clock: Clock) -> None:
    welcome = register(office, BILL, "Bill")
    register(office, JOAO, "Joao")
    reply(office, BILL, welcome, "challenge Joao bipod first 3d+1d")
    reply(office, JOAO, letters(office, JOAO)[-1], "accept")
    start = letters(office, BILL)[-1]
    ask(office, "vacation 5 days")
    assert "done" == reply(office, BILL, start, "f2")
    with office.store.read() as db:
        game = games.load(db, office.shelf, 1)
    assert 3 * DAY == game.clock.banks[0]
    assert NOON + 3 * DAY == game.deadline


def test_words_about_a_vacation_are_no_command(office: Office) -> None:
    begin(office)
    reply(office, BILL, letters(office, BILL)[-1], "f2\nvacation was great, thanks")
    assert "vacation was great" in letters(office, JOAO)[-1].text
