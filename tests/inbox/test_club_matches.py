"""A match of two clubs of players: two organisers agree, members alone play, both organisers direct."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.commands import moderation as acts
from pbem.core.events import league
from pbem.duties.clubs import directs
from pbem.store import clubs, event_entries, players
from pbem.store.engine import Connection
from pbem.worker.events import check_events
from tests.apps import DAY, Clock, ask, flat, last_words, letters, register, writes
from tests.inbox.test_club_leagues import NAMES, address, current, decide, running

TITLE = "Bipod match of Tuesday Evening and Monday Club"
OURS, THEIRS = NAMES[:3], NAMES[3:6]
"""Players of the two clubs, with the organisers first: Anna and Dora."""


@pytest.fixture
def both(app: App) -> App:
    for names, club in ((OURS, "Tuesday Evening"), (THEIRS, "Monday Club")):
        for name in names:
            register(app, address(name), name)
        ask(app, address(names[0]), f"club new {club}")
        ask(app, address(names[0]), f"club invite {' '.join(names[1:])}")
        for name in names[1:]:
            ask(app, address(name), "yes")
    register(app, address("Greta"), "Greta")
    return app


@pytest.fixture
def made(both: App) -> App:
    """The match that both organisers want; nobody has joined it."""
    told = ask(both, address("Anna"), "match new bipod 3d/move against Monday Club")
    assert "we have asked Monday Club for a match with Tuesday Evening. Dora can say yes." in told
    assert "Anna asks Monday Club for a match of Bipod" in last_words(both, address("Dora"))
    assert "do you play?" in ask(both, address("Dora"), "yes")
    return both


def organises(db: Connection, app: App, name: str) -> bool:
    player = players.player_by_name(db, name)
    return player is not None and directs(db, player, current(app))


def test_two_clubs_agree_and_play_by_mail_alone(made: App, clock: Clock) -> None:
    for name in (*OURS, *THEIRS):
        words = last_words(made, address(name))
        assert "plays a match of Bipod with" in words and "join match 1" in words
        assert ("You direct it" in words) == (name in ("Anna", "Dora"))
    assert "do you play?" not in last_words(made, address("Greta"))
    for name in ("Bill", "Chris"):
        assert "you play for Tuesday Evening" in ask(made, address(name), "join match 1")
    assert "you play for Monday Club" in ask(made, address("Emil"), "join match 1 Monday Club")
    assert TITLE in ask(made, address("Fritz"), "events")
    clock.now += 8 * DAY
    check_events(made)
    assert current(made).state == league.RUNNING
    assert 2 == len(running(made, "Bill")) == len(running(made, "Emil"))
    assert "begins without a board for you" in last_words(made, address("Chris"))
    with made.store.read() as db:
        assert [] == event_entries.wrong_rows(db, 1)
        assert ["Anna", "Dora"] == [name for name in NAMES[:7] if organises(db, made, name)]
    for number in running(made, "Bill"):
        writes(made, address("Bill"), f"game {number}\nresign yes")
    check_events(made)
    assert f"Monday Club has won the {TITLE}." in flat(
        "\n".join(each.text for each in letters(made, address("Emil")))
    )


def test_either_organiser_starts_it_before_and_decides(made: App) -> None:
    assert "Nobody plays for Tuesday Evening yet" in ask(made, address("Anna"), "match start 1")
    ask(made, address("Bill"), "join match 1")
    ask(made, address("Emil"), "join match 1")
    assert "Only an organiser" in ask(made, address("Bill"), "match start 1")
    assert "starts now" in ask(made, address("Dora"), "match start 1")
    check_events(made)
    assert current(made).state == league.RUNNING
    assert "has begun already" in ask(made, address("Anna"), "match start 1")
    assert "it is done" in decide(made, "direct announce 1", "Dora")
    assert "They asked for it." in last_words(made, address("Bill"))


@pytest.mark.parametrize(
    ("who", "line", "words"),
    [
        ("Greta", "join match 1", "Only members of Tuesday Evening or Monday Club play"),
        ("Greta", "join match 1 Monday Club", "Only members of Tuesday Evening or Monday Club play"),
        ("Bill", "join match 1 Monday Club", 'write "join match 1 Tuesday Evening"'),
        ("Anna", "match new bipod against Monday Club", f"The {TITLE} is open or runs already"),
        ("Dora", "match new bipod against Tuesday Evening", f"The {TITLE} is open or runs already"),
        ("Anna", "match new bipod against Tuesday Evening", "A match is of two clubs"),
        ("Anna", "match new bipod against Sunday Club", "No club is called Sunday Club here"),
        ("Bill", "match new bagel against Monday Club", "You organise no club"),
        ("Anna", "match new bagel none against Monday Club", "An event has a clock"),
        ("Anna", "match start 7", "No match of two clubs has number 7"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(made: App, who: str, line: str, words: str) -> None:
    assert words in ask(made, address(who), line).replace("\n", " ")
    assert current(made).state == league.OPEN


def test_who_leaves_or_is_put_out_of_a_club_is_out_of_its_match_before_the_start(made: App) -> None:
    for name in ("Bill", "Chris", "Emil"):
        ask(made, address(name), "join match 1")
    ask(made, address("Bill"), "leave club Tuesday Evening yes")
    assert "Chris is in Tuesday Evening no more" in ask(made, address("Anna"), "club remove Chris yes")
    shown = ask(made, address("Anna"), "table 1")
    assert "Tuesday Evening: nobody yet." in shown and "Monday Club: Emil." in shown


def test_who_is_in_both_clubs_says_for_which_they_play(made: App) -> None:
    ask(made, address("Anna"), "club invite Fritz")
    ask(made, address("Fritz"), "yes")
    told = ask(made, address("Fritz"), "join match 1")
    assert '"join match 1 Tuesday Evening" or "join match 1 Monday Club"' in told.replace("\n", " ")
    assert "you play for Monday Club" in ask(made, address("Fritz"), "join match 1 monday club")
    ask(made, address("Fritz"), "leave club Tuesday Evening yes")
    assert "Monday Club: Fritz." in ask(made, address("Fritz"), "table 1")
    assert 1 == ask(made, address("Fritz"), "events").count(TITLE)


def test_a_yes_that_comes_too_late_makes_nothing(both: App) -> None:
    ask(both, address("Anna"), "match new bipod against Monday Club")
    acts.carry_out(both, acts.Operator("op", "Rude."), acts.bar_player, "Anna")
    assert "Anna does not organise Tuesday Evening any more" in ask(both, address("Dora"), "yes")
    with both.store.read() as db:
        assert [] == clubs.matches_between(db, (1, 2), "bipod")


def test_a_no_and_a_block_make_no_match(both: App) -> None:
    ask(both, address("Anna"), "match new bipod against Monday Club")
    ask(both, address("Dora"), "no")
    with both.store.read() as db:
        assert [] == clubs.matches_between(db, (1, 2), "bipod")
    ask(both, address("Dora"), "block Anna")
    before = len(letters(both, address("Dora")))
    ask(both, address("Anna"), "match new bagel against Monday Club")
    assert before == len(letters(both, address("Dora")))
