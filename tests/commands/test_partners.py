"""`suggest`: people about a player's strength who have moved lately. All run on both databases."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.app import App
from pbem.core.clock.vacation import Vacation
from pbem.store import vacations
from tests.apps import (
    BILL,
    Clock,
    ask,
    last_letter,
    last_words,
    player,
    register,
    writes,
)
from tests.commands.test_finding import rate
from tests.inbox.test_club_leagues import address

OTHERS = ("Carl", "Dora", "Emil", "Fred", "Gina")
pytestmark = pytest.mark.each_database


@pytest.fixture
def app(app: App) -> App:
    """Bill and five others, of whom Carl plays with Dora and Emil with Fred; Gina has never moved."""
    for name in ("Bill", *OTHERS):
        register(app, address(name), name)
    begin(app, "Carl", "Dora", "bipod")
    begin(app, "Emil", "Fred", "bounders")
    return app


def begin(app: App, first: str, second: str, game: str) -> None:
    """A game of two, with a move of each."""
    ask(app, address(first), f"challenge {second} {game} first")
    writes(app, address(second), "accept")
    for who, move in ((first, "f2"), (second, "e5")):
        assert "done" == writes(app, address(who), move)


def named(app: App, words: str = "suggest") -> list[str]:
    """The players and games that are suggested to Bill, in order."""
    told = ask(app, BILL, words)
    return [part.split('"')[0] for part in told.split('"challenge ')[1:] if not part.startswith("bot")]


def test_three_people_are_named_with_words_that_work(app: App) -> None:
    found = named(app)
    assert 3 == len(found)
    assert {"Carl bipod", "Dora bipod", "Emil bounders", "Fred bounders"} > {*found}
    assert "done" == writes(app, BILL, f"challenge {found[0]}")
    asked = last_letter(app, address(found[0].split()[0]))
    assert ".challenge." in asked.header("Message-ID") and "Bill" in asked.text


def test_one_game_is_asked_for_by_its_name(app: App) -> None:
    assert {"Emil bounders", "Fred bounders"} == {*named(app, "suggest bounders")}
    told = ask(app, BILL, "suggest bagel")
    assert "nobody about your strength has played Bagel lately" in told and '"seek bagel"' in told


def test_the_nearest_in_strength_come_first_and_the_far_do_not_come(app: App) -> None:
    for name, value in (("Bill", 1700), ("Carl", 1650), ("Dora", 1690), ("Emil", 2100), ("Fred", 1300)):
        rate(app, name, value)
    begin(app, "Emil", "Fred", "bipod")
    assert ["Dora bipod", "Carl bipod"] == named(app, "suggest bipod")
    assert "Dora, Bipod, rated 1690, last move on 1 March 2026" in last_words(app, BILL)


def goes_away(app: App, clock: Clock) -> None:
    with app.store.write() as db:
        vacations.store_vacation(db, player(app, "Carl").id, Vacation(clock.now, clock.now.replace(day=9)))


@pytest.mark.parametrize(
    "happens",
    [
        lambda app, clock: writes(app, address("Carl"), "stop challenges"),
        lambda app, clock: writes(app, address("Carl"), "block Bill"),
        lambda app, clock: writes(app, BILL, "block Carl"),
        lambda app, clock: writes(app, address("Carl"), "limit bipod 0"),
        lambda app, clock: writes(app, BILL, "challenge Carl bipod"),
        goes_away,
    ],
    ids=["opted out", "blocks", "blocked", "has no room", "asked already", "on vacation"],
)
def test_who_could_or_would_not_play_is_not_named(
    app: App, clock: Clock, happens: Callable[[App, Clock], object]
) -> None:
    assert "Carl bipod" in named(app, "suggest bipod")
    happens(app, clock)
    assert ["Dora bipod"] == named(app, "suggest bipod")


def test_who_has_not_moved_for_two_weeks_is_not_named(app: App, clock: Clock) -> None:
    clock.pass_by(days=13)
    assert 2 == len(named(app, "suggest bipod"))
    clock.pass_by(days=2)
    assert [] == named(app, "suggest bipod")
    begin(app, "Dora", "Gina", "bipod")
    assert {"Dora bipod", "Gina bipod"} == {*named(app, "suggest bipod")}


def test_whoever_cannot_begin_a_game_is_told_so(app: App) -> None:
    writes(app, BILL, "limit bipod 0")
    assert "You want at most 0 games of Bipod at a time" in ask(app, BILL, "suggest bipod")
    assert "Carl bipod" not in named(app)


@pytest.mark.parametrize(
    "words",
    ["players", "Who is online?", "who's there", "list players", "find me an opponent", "Spieler?"],
)
def test_questions_for_players_are_answered_by_it(app: App, words: str) -> None:
    assert "about your strength" in ask(app, BILL, words)


@pytest.mark.parametrize("words", ["suggest something else to me", "suggest a move"])
def test_prose_is_no_order(app: App, words: str) -> None:
    assert "about your strength" not in ask(app, BILL, words)
