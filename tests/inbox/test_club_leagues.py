"""A club and its league by mail alone, without the system's shell."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pbem.app import App
from pbem.commands import moderation as acts
from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.store import event_entries, events, games, players
from pbem.worker.events import check_events
from tests.apps import Clock, ask, last_words, letters, register, writes

NAMES = ("Anna", "Bill", "Chris", "Dora", "Emil", "Fritz", "Greta", "Hugo")


def address(name: str) -> str:
    return f"{name.lower()}@example.org"


def a_club(app: App, names: Sequence[str] = NAMES) -> None:
    """The first of these makes a club and invites the others, who all join."""
    for name in names:
        register(app, address(name), name)
    first, *others = names
    assert "Tuesday Evening is made" in ask(app, address(first), "club new Tuesday Evening")
    assert "we have asked" in ask(app, address(first), f"club invite {' '.join(others)}")
    for name in others:
        assert "you are in Tuesday Evening now" in ask(app, address(name), "yes")


@pytest.fixture
def club(app: App) -> App:
    a_club(app, NAMES[:5])
    return app


def current(app: App) -> Event:
    with app.store.read() as db:
        return [event for id in events.event_ids(db) if (event := events.find_event(db, id))][-1]


def running(app: App, name: str) -> list[int]:
    with app.store.read() as db:
        player = players.player_by_name(db, name)
        assert player is not None
        return [each.id for each in games.running_of_player(db, app.games_by_key, player)]


def answer_all(app: App, names: Sequence[str], words: str = "yes") -> None:
    for name in names:
        assert "do you play in the Bipod league of Tuesday Evening?" in last_words(app, address(name))
        writes(app, address(name), words)


def play_out(app: App) -> None:
    """All games of the season end on the board or by resignation, the later name winning."""
    while current(app).state != league.OVER:
        for name in NAMES:
            for number in running(app, name):
                writes(app, address(name), f"game {number}\nresign yes")
        check_events(app)


def test_eight_people_make_a_club_and_play_a_season_by_mail_alone(app: App, clock: Clock) -> None:
    a_club(app)
    told = ask(app, address("Anna"), "league new bipod 3d/move")
    assert "the Bipod league of Tuesday Evening is made" in told
    check_events(app)
    answer_all(app, NAMES[1:])
    check_events(app)
    for name in NAMES:
        subjects = [each.header("Subject") for each in letters(app, address(name))]
        assert "Bipod league of Tuesday Evening" in subjects
        assert running(app, name)
    play_out(app)
    assert "you are at place 1 of the Bipod league of Tuesday Evening" in last_words(app, address("Hugo"))
    assert "You have won the league" in last_words(app, address("Hugo"))
    again = ask(app, address("Anna"), "league new bipod 3d/move")
    assert "the Bipod league of Tuesday Evening, season 2, is made" in again


def test_a_league_starts_when_its_organiser_says(club: App) -> None:
    ask(club, address("Anna"), "league new bipod double for Bill Chris, Dora and Emil")
    check_events(club)
    assert "1 player has said yes, and a league has at least 4" in ask(
        club, address("Anna"), "league start bipod"
    )
    answer_all(club, ["Bill", "Chris", "Dora"])
    assert "starts now" in ask(club, address("Anna"), "league start bipod")
    check_events(club)
    assert current(club).state == league.RUNNING
    with club.store.read() as db:
        assert len(events.division_games(db, current(club).id, 1)) == 12
        assert [] == event_entries.wrong_rows(db, current(club).id)
    assert "No league of Bipod waits to start" in ask(club, address("Anna"), "league start bipod")


def test_a_no_counts_as_an_answer(club: App) -> None:
    ask(club, address("Anna"), "league new bipod")
    check_events(club)
    answer_all(club, ["Bill"], "no")
    answer_all(club, ["Chris", "Dora", "Emil"])
    check_events(club)
    assert current(club).state == league.RUNNING


def test_a_league_of_too_few_is_closed_and_all_are_told(club: App) -> None:
    ask(club, address("Anna"), "league new bipod for Bill Chris Dora")
    check_events(club)
    answer_all(club, ["Bill", "Chris", "Dora"], "no")
    check_events(club)
    assert current(club).state == league.VOID
    assert "has not begun. Only one has said yes, and a season takes four. It is closed." in last_words(
        club, address("Anna")
    )


def test_silence_means_no_after_a_week(club: App, clock: Clock) -> None:
    ask(club, address("Anna"), "league new bipod")
    check_events(club)
    answer_all(club, ["Chris", "Dora", "Emil"])
    clock.pass_by(days=7)
    check_events(club)
    assert current(club).state == league.RUNNING
    assert not running(club, "Bill")
    assert "on the standby list" in ask(club, address("Bill"), f"join league {current(club).id}")


def test_others_cannot_join_a_clubs_league(club: App) -> None:
    register(club, address("Zoe"), "Zoe")
    ask(club, address("Anna"), "league new bipod")
    number = current(club).id
    assert "is for its members" in ask(club, address("Zoe"), f"join league {number}")
    assert "There is no league of Bipod" in ask(club, address("Zoe"), "join bipod league")
    assert "you have left" in ask(club, address("Anna"), f"leave league {number}")
    back = ask(club, address("Anna"), "join bipod league")
    assert "you play in the Bipod league of Tuesday Evening" in back


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("league new chess", "No game is called chess here"),
        ("league new bipod none", "An event has a clock"),
        ("league new bipod size=99", "size"),
        ("league new bipod for Bill Zoe", "Zoe"),
        ("league new bipod for Bill Chris", "A league has at least 4 players"),
        ("league new bipod in Monday Club", "You organise no club called Monday Club"),
        ("league start bipod", "No league of Bipod waits to start"),
    ],
)
def test_what_cannot_be_in_a_league_is_said(club: App, words: str, sentence: str) -> None:
    assert sentence in ask(club, address("Anna"), words)
    with club.store.read() as db:
        assert [] == events.event_ids(db)


def test_only_an_organiser_makes_a_league_and_only_one_a_game(club: App) -> None:
    assert "You organise no club" in ask(club, address("Bill"), "league new bipod")
    ask(club, address("Anna"), "league new bipod")
    assert "Bipod league of Tuesday Evening, begins on" in ask(club, address("Bill"), "events")
    assert "is open or runs already" in ask(club, address("Anna"), "league new bipod")


# Its organiser directs it.


@pytest.fixture
def season(club: App) -> App:
    """A season of Anna's club that runs, with all five members."""
    ask(club, address("Anna"), "league new bipod 3d/move")
    check_events(club)
    answer_all(club, NAMES[1:5])
    check_events(club)
    assert current(club).state == league.RUNNING
    return club


def decide(app: App, words: str, who: str = "Anna") -> str:
    """Have a player direct, and answer the question with yes; returns the answer."""
    told = ask(app, address(who), f"{words}\n\nThey asked for it.")
    return ask(app, address(who), "yes") if "is this what you decide" in told else told


def a_game(app: App) -> tuple[int, str, str]:
    """A running game in which Anna does not play: its number and its players."""
    with app.store.read() as db:
        found = events.division_games(db, current(app).id, 1)
        known = players.players_by_ids(db, [id for each in found for id in each.pair])
    names = {id: player.name for id, player in known.items()}
    going = [each for each in found if each.game and "Anna" not in (names[each.first], names[each.second])]
    return going[0].game or 0, names[going[0].first], names[going[0].second]


def test_an_organiser_directs_the_games_of_the_league(season: App) -> None:
    number, one, other = a_game(season)
    assert "You have decided" not in decide(season, f"direct extend {number} 2d both", one)
    assert "it is done" in decide(season, f"direct extend {number} 2d both")
    assert "They asked for it." in last_words(season, address(other))
    assert "it is done" in decide(season, f"direct adjudicate {number} draw")
    own = running(season, "Anna")[0]
    assert f"You play in game {own}" in decide(season, f"direct extend {own} 2d both")


def test_an_organiser_awards_takes_out_and_writes_to_all(season: App) -> None:
    (number, one, other), event = a_game(season), current(season).id
    assert f"Game {number} goes on" in decide(season, f"direct award {event} {one} {other} 1-0")
    decide(season, f"direct adjudicate {number} void")
    check_events(season)
    assert "it is done" in decide(season, f"direct award {event} {one} {other} 1-0")
    decide(season, f"direct announce {event}")
    assert "They asked for it." in last_words(season, address("Emil"))
    assert "it is done" in decide(season, f"direct forfeit {event} Emil")
    assert "you are out of the Bipod league of Tuesday Evening" in last_words(season, address("Emil"))
    assert "Somebody else must decide about you" in decide(season, f"direct forfeit {event} Anna")


def test_an_organiser_gives_a_place_to_another_member(season: App) -> None:
    register(season, address("Fritz"), "Fritz")
    event = current(season).id
    assert "Fritz is not in Tuesday Evening" in decide(season, f"direct substitute {event} Emil Fritz")
    ask(season, address("Anna"), "club invite Fritz")
    ask(season, address("Fritz"), "yes")
    assert "it is done" in decide(season, f"direct substitute {event} Emil Fritz")
    assert "you now play in the Bipod league of Tuesday Evening" in last_words(season, address("Fritz"))
    check_events(season)
    assert running(season, "Fritz")
    assert not running(season, "Emil")
    with season.store.read() as db:
        assert [] == event_entries.wrong_rows(db, event)


def test_an_organiser_decides_about_nothing_else(season: App) -> None:
    writes(season, address("Bill"), "challenge Chris bagel")
    writes(season, address("Chris"), "accept")
    other = max(running(season, "Bill"))
    for words in (f"extend {other} 2d both", "bar Bill", "rename Bill Quiet", f"hide {other} 1"):
        assert "`direct` is for" in decide(season, f"direct {words}").replace('"direct" is', "`direct` is")


@pytest.mark.each_database
def test_whoever_is_put_out_plays_on_but_leaves_what_has_not_begun(season: App) -> None:
    ask(season, address("Anna"), "league new bagel 3d/move")
    check_events(season)
    bagel = current(season).id
    assert "Emil is in Tuesday Evening no more" in ask(season, address("Anna"), "club remove Emil yes")
    with season.store.read() as db:
        emil = players.player_by_name(db, "Emil")
        assert emil is not None
        there = {each.event: each.state for each in events.entrants_of_player(db, emil.id)}
        assert {bagel - 1: league.PLAYING} == there
        assert [] == event_entries.wrong_rows(db, bagel)
    assert running(season, "Emil")
    assert "is for its members" in ask(season, address("Emil"), f"join league {bagel}")


def test_the_office_of_a_barred_organiser_rests(season: App) -> None:
    number, *_ = a_game(season)
    acts.carry_out(season, acts.Operator("op", "Rude."), acts.bar_player, "Anna")
    assert "you organise Tuesday Evening now" in last_words(season, address("Bill"))
    assert "has barred you" in decide(season, f"direct extend {number} 2d both")
    assert "Anna is in Tuesday Evening no more" not in ask(season, address("Chris"), "club remove Anna yes")
    for words in ("club say Hello.", "league new bagel", "club invite Bill", "club new Other Club"):
        assert "has barred you" in ask(season, address("Anna"), words)
    assert "has barred you" in ask(season, address("Anna"), "club remove Emil yes")
    assert "Anna is in Tuesday Evening no more" in ask(season, address("Bill"), "club remove Anna yes")
    theirs = {*running(season, "Chris")} - {*running(season, "Bill")}
    assert "it is done" in decide(season, f"direct extend {min(theirs)} 2d both", "Bill")
