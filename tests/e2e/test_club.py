"""Twenty people with twenty habits, their club and its league over weeks; the operator types nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from pbem.app import App
from pbem.mail.person.mailbox import ReceivedLetter
from pbem.store import clubs
from tests.amount import amount
from tests.apps import NO_DEVELOPMENT, OPERATOR, SERVER, Clock, flat
from tests.e2e.club import Club
from tests.e2e.club_people import everybody, kind_of
from tests.inbox.test_examples import examples

pytestmark = pytest.mark.whole

WEEKS = amount(4, 8)
GAMES = amount(40, 80)
ON_THE_BOARD = 0.9
ON_EVERY_LETTER = {"help", "rules", "games"}
PAGE = re.compile(r"http://127\.0\.0\.1:8000/(?!rules/)\S")


@pytest.fixture
def app_config() -> dict[str, str]:
    return {**NO_DEVELOPMENT, "PBEM_AUTHSERV": SERVER, "PBEM_OPERATOR": OPERATOR}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_club_lives_for_weeks_by_itself(app: App, clock: Clock) -> None:
    club = Club(app, clock, list(everybody()), "bounders size=3 4d/move")
    club.live(WEEKS)
    ended = Counter(how for how in club.endings() if how)
    assert sum(ended.values()) >= GAMES
    assert ended["rules"] >= ON_THE_BOARD * sum(ended.values())
    assert ended.keys() <= {"rules", "timeout", "void"}, "nobody resigned, or took a draw"
    with app.store.read() as db:
        found = clubs.club_by_key(db, "tuesday-evening")
        assert found is not None
        members = {member.name for member in clubs.members_of(db, found.id)}
    assert members == {person.name for person in club.people}
    assert {"month"} >= {kind_of(letter) for person, letter in club.letters if person is None}
    assert [] == list(without_next_step(club))
    heard = {person.name for person, letter in club.letters if person and "is a cheat" in flat(letter.text)}
    assert heard <= {"Gregor"}


def without_next_step(club: Club) -> Iterator[str]:
    """Letters that name neither a page nor a command beside those that stand below each letter."""
    for person, letter in club.letters:
        if person and not PAGE.search(letter.text) and not own_examples(letter):
            yield f"{kind_of(letter)} to {person.name}: {letter.text}"


def own_examples(letter: ReceivedLetter) -> set[str]:
    quoted = set(re.findall(r'"([a-z][^"]*)"', flat(letter.text)))
    return (set(examples(letter)) | quoted) - ON_EVERY_LETTER
