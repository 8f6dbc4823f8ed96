"""A season of a league by real mail, from `join` to the letter of its end, on a clock that jumps ahead."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from pbem.core.events import league
from pbem.core.game.game import Game
from pbem.mail.person.mailbox import MailUser, ReceivedLetter
from pbem.store import events, players
from tests.apps import DAY, Clock, example, flat, load
from tests.e2e.town import PATIENCE_SECONDS, Town, running_town
from tests.inbox.seasons import RULES, a_league, current, going, rows_follow_from_the_journal
from tests.inbox.test_journey import register
from tests.inbox.test_seasons import independent_table

pytestmark = pytest.mark.whole

NAMES = ("Anna", "Bill", "Clara", "Duarte")
WINNERS = ("Anna", "Clara")
"""They win the games in which they have the first seat; the others give theirs up."""


@pytest.mark.slow
def test_a_season_by_real_mail_from_join_to_its_last_letter(tmp_path: Path, postgresql_url: str) -> None:
    clock = Clock()
    with running_town(tmp_path, postgresql_url, clock=clock) as town:
        a_league(town.app, clock, 0, at_once=3)
        event = current(town.app).id
        people = {name: town.resident(f"{name.lower()}@example.org") for name in NAMES}
        for name, person in people.items():
            person.reply(register(town, person, name), f"join {RULES} league")
            assert f"{name}, you have joined the Bipod league, season 1." in flat(
                town.next_letter(person).text
            )
        jump(town, clock, 8)
        for person in people.values():
            asked = town.next_letter(person)
            assert "do you play in the Bipod league" in flat(asked.text)
            person.reply(asked, "yes")
            assert "you play in the Bipod league" in flat(town.next_letter(person).text)
        jump(town, clock, 7)
        for person in people.values():
            told = [flat(letter.text) for letter in town.next_letters(person, 4)]
            assert "the Bipod league, season 1, begins." in told[0]
        for pair in sorted(going(town.app, event, 1), key=lambda pair: pair.game or 0):
            play(town, people, load(town.app, pair.game or 0))
        until_over(town, event)
        assert rows_follow_from_the_journal(town.app, event)
        order = independent_table(town.app, event, 1)
        with town.app.store.read() as db:
            assert [order] == events.final_tables(db, event)
            names = {id: player.name for id, player in players.players_by_ids(db, order).items()}
        for place, id in enumerate(order, 1):
            last = people[names[id]].fetch(people[names[id]].address)[-1]
            assert f"you are at place {place} of the Bipod league, season 1." in flat(last.text)


def jump(town: Town, clock: Clock, days: int) -> None:
    """Let days pass once all mail is handled, and wake the worker."""
    town.quiet()
    clock.now += days * DAY
    town.app.wake()


def until_over(town: Town, event: int) -> None:
    """Wait until the worker has ended the season and sent its last letters."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        town.app.wake()
        with town.app.store.read() as db:
            found = events.find_event(db, event)
        if found is not None and found.state == league.OVER and found.next_at is None:
            return town.quiet()
        time.sleep(0.02)
    raise AssertionError("the season has no end")


def letter_of(person: MailUser, game: Game) -> ReceivedLetter:
    """A person's newest letter of a game."""
    return next(
        each for each in reversed(person.fetch(person.address)) if each.header("Subject") == game.title
    )


def play(town: Town, people: dict[str, MailUser], game: Game) -> None:
    """Play a game to its end: the first seat moves and the second gives up, or the first gives up."""
    first, second = (people[seat.name] for seat in game.seats)
    if game.seats[0].name in WINNERS:
        first.reply(letter_of(first, game), example(game))
        town.quiet()
        second.reply(letter_of(second, game), "resign yes")
    else:
        first.reply(letter_of(first, game), "resign yes")
    town.quiet()
