"""`pbem event`: a league's director."""

from __future__ import annotations

import getpass
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import update

from pbem.__main__ import main
from pbem.app import App, open_app
from pbem.cli.event import event_command
from pbem.config.load import config_from
from pbem.core.events import league
from pbem.store import event_entries, events
from pbem.store import players as player_rows
from pbem.store.tables.events import event_games
from pbem.web import create_app
from pbem.worker.events import check_events
from tests.amount import amount
from tests.apps import flat, last_words, letters
from tests.inbox.ladders import order, shown
from tests.inbox.matches import shown as a_match
from tests.inbox.seasons import (
    address_of,
    all_games,
    current,
    divisions,
    finish,
    going,
    name_of,
    rows_follow_from_the_journal,
)

WHY = ("--reason", "A test of ours.")
MATCH = ("match", "bipod", "--starts", "2999-12-01", "--first")
Pbem = Callable[..., Result]


@pytest.fixture
def app(environ: dict[str, str]) -> Iterator[App]:
    app = open_app(config_from(environ))
    with app.store.write() as db:
        for number in range(1, 6):
            player_rows.add_player(db, name_of(number), address_of(number), app.now())
    yield app
    app.close()


@pytest.fixture
def pbem(environ: dict[str, str], app: App) -> Pbem:
    def run(*words: str) -> Result:
        done = CliRunner(env=environ).invoke(main, ["event", *words])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done

    return run


def _start(app: App, pbem: Pbem, at_once: int = 2) -> None:
    """A league of four, whose season has begun."""
    assert 0 == pbem("new", "bipod", "--size", "4", "--games", str(at_once), *WHY).exit_code
    day = f"{app.now() + timedelta(days=9):%Y-%m-%d}"
    assert 0 == pbem("open", "1", "--starts", day, *WHY).exit_code
    with app.store.write() as db:
        event_entries.append(db, 1, "join", app.now(), players=[1, 2, 3, 4], state=league.CONFIRMED)
    later = replace(app, clock=lambda: app.clock() + timedelta(days=10))
    check_events(later)
    assert league.RUNNING == current(app).state


@pytest.mark.each_database
def test_a_league_is_created_opened_and_told(app: App, pbem: Pbem) -> None:
    done = pbem("new", "bipod", "--days", "60", "--option", "size=4", *WHY)
    assert "Event 1: Bipod league, season 1. `pbem event open 1` opens it.\n" == done.stdout
    done = pbem("open", "1", "--starts", "2999-12-01", *WHY)
    assert "The Bipod league, season 1 begins on 2999-12-01. `join bipod league` joins it.\n" == done.stdout
    event = current(app)
    assert (60, {"size": "4"}, 2999) == (event.settings.days, event.settings.options, event.starts.year)
    with app.store.write() as db:
        event_entries.append(db, 1, "join", app.now(), players=[1, 2], state=league.ENTERED)
    assert "2 players will get it.\n" == pbem("message", "1", "Welcome to you all.").stdout
    assert "The director: Welcome to you all." in last_words(app, address_of(2))
    assert 0 == pbem("close", "1", *WHY).exit_code
    with app.store.read() as db:
        assert events.live_league(db, "bipod") is None
        told = [entry.data["act"] for entry in events.journal_of(db, 1) if entry.kind == "director"]
    assert ["new", "open", "message", "close"] == told


def test_a_director_awards_and_forfeits(app: App, pbem: Pbem) -> None:
    _start(app, pbem)
    game = next(each for each in going(app, 1, 1) if {1, 4} == {each.first, each.second})
    refused = pbem("award", "1", name_of(1), name_of(4), "1-0", *WHY)
    assert (1, True) == (refused.exit_code, f"Game {game.game} goes on" in refused.stderr)
    finish(app, game.game or 0, None)
    first, second = (name_of(1), name_of(4)) if game.first == 4 else (name_of(4), name_of(1))
    assert 0 == pbem("award", "1", first, second, "0-1", *WHY).exit_code  # named in the other order
    assert ["1-0"] == [each.score for each in all_games(app, 1) if each.n == game.n]
    assert 0 == pbem("forfeit", "1", name_of(2), *WHY).exit_code
    assert "The director has taken you out of it: A test of ours." in last_words(app, address_of(2))
    check_events(app)
    line = divisions(app, 1)[0].line_of(2)
    assert line is not None and (True, 0) == (line.left, line.points)
    assert rows_follow_from_the_journal(app, 1)


def test_a_director_takes_an_award_back(app: App, pbem: Pbem) -> None:
    _start(app, pbem)
    game = going(app, 1, 1)[0]
    pair = [name_of(game.first), name_of(game.second)]
    assert "No director gave them a result" in pbem("award", "1", *pair, "game", *WHY).stderr
    finish(app, game.game or 0, 0)
    assert 0 == pbem("award", "1", *pair, "0-1", *WHY).exit_code
    assert "counts as their game says.\n" in pbem("award", "1", *pair, "game", *WHY).stdout
    assert "1-0" == _score(app, game.n)
    waiting = next(each for each in all_games(app, 1) if each.game is None)
    pair = [name_of(waiting.first), name_of(waiting.second)]
    assert 0 == pbem("award", "1", *pair, "1/2", *WHY).exit_code
    for _ in range(2):  # both have no other game then
        for each in going(app, 1, 1):
            if each.has(waiting.first) or each.has(waiting.second):
                finish(app, each.game or 0, 0)
        check_events(app)
    assert 0 == pbem("award", "1", *pair, "game", *WHY).exit_code
    assert _score(app, waiting.n) is None
    assert waiting.n in [each.n for each in going(app, 1, 1)], "their game begins at once"
    assert rows_follow_from_the_journal(app, 1)


def _score(app: App, n: int) -> str | None:
    return next(each.score for each in all_games(app, 1) if each.n == n)


@pytest.mark.parametrize("handled", [False, True])
def test_a_director_has_a_player_play_on_whom_they_took_out(app: App, pbem: Pbem, handled: bool) -> None:
    _start(app, pbem, at_once=3)
    first = next(each for each in going(app, 1, 1) if each.has(2))
    finish(app, first.game or 0, 0)
    check_events(app)
    assert "is not out of the" in pbem("reinstate", "1", name_of(2), *WHY).stderr
    assert 0 == pbem("forfeit", "1", name_of(2), *WHY).exit_code
    if handled:
        check_events(app)  # the games that went on are void now
    before = [each.score for each in all_games(app, 1) if each.has(2)]
    assert None not in before
    assert f"{name_of(2)} plays in event 1 again.\n" == pbem("reinstate", "1", name_of(2), *WHY).stdout
    told = [each.text for each in letters(app, address_of(2))]
    assert any("you play in the Bipod league, season 1 again." in flat(text) for text in told)
    check_events(app)
    mine = [each for each in all_games(app, 1) if each.has(2)]
    assert [None, None] == [each.score for each in mine if each.n != first.n]
    assert 2 == len([each for each in going(app, 1, 1) if each.has(2)])
    assert rows_follow_from_the_journal(app, 1)
    for each in going(app, 1, 1):
        finish(app, each.game or 0, 0)
    check_events(app)
    assert {"1-0"} == {each.score for each in all_games(app, 1)}


@pytest.mark.parametrize("handled", amount([True], [False, True]))
@pytest.mark.parametrize("back", [(2, 3), (3, 2)])
def test_two_who_were_out_meet_again_in_whatever_order_they_come_back(
    app: App, pbem: Pbem, handled: bool, back: tuple[int, int]
) -> None:
    _start(app, pbem, at_once=3)
    for number in (2, 3):
        assert 0 == pbem("forfeit", "1", name_of(number), *WHY).exit_code
        if handled:
            check_events(app)
    assert 0 == pbem("reinstate", "1", name_of(back[0]), *WHY).exit_code
    (between,) = [each for each in all_games(app, 1) if {*each.pair} == {2, 3}]
    assert between.score in ("+", "-"), "one of them is still out"
    assert 0 == pbem("reinstate", "1", name_of(back[1]), *WHY).exit_code
    check_events(app)
    assert {None} == {each.score for each in all_games(app, 1)}
    assert 6 == len(going(app, 1, 1))
    assert rows_follow_from_the_journal(app, 1)


@pytest.mark.each_database
def test_a_game_goes_on_whose_player_comes_back_before_the_worker_has_ended_it(app: App, pbem: Pbem) -> None:
    _start(app, pbem, at_once=3)
    before = {each.game for each in going(app, 1, 1)}
    assert 0 == pbem("forfeit", "1", name_of(2), *WHY).exit_code
    done: list[Result] = []

    def come_back(step: str) -> None:
        if step == "event game" and not done:
            done.append(pbem("reinstate", "1", name_of(2), *WHY))

    check_events(replace(app, step=come_back))
    assert [0] == [each.exit_code for each in done]
    check_events(app)
    assert before == {each.game for each in going(app, 1, 1)}
    assert {None} == {each.score for each in all_games(app, 1)}
    assert rows_follow_from_the_journal(app, 1)


def test_a_place_that_somebody_else_has_is_not_given_back(app: App, pbem: Pbem) -> None:
    _start(app, pbem)
    with app.store.write() as db:
        event_entries.append(db, 1, "join", app.now(), players=[5], state=league.STANDBY)
    assert 0 == pbem("forfeit", "1", name_of(2), *WHY).exit_code
    refused = pbem("reinstate", "1", name_of(2), *WHY)
    assert (1, True) == (refused.exit_code, "or somebody else has their place" in refused.stderr)
    assert rows_follow_from_the_journal(app, 1)


def test_closing_ends_a_season_as_it_stands_and_opens_no_other(app: App, pbem: Pbem) -> None:
    _start(app, pbem)
    assert "4 players will hear of it" in pbem("close", "1", *WHY).stdout
    check_events(app)
    with app.store.read() as db:
        found = events.find_event(db, 1)
        assert found is not None and events.live_league(db, "bipod") is None
    assert (league.OVER, {"void"}) == (found.state, {game.score for game in all_games(app, 1)})
    assert rows_follow_from_the_journal(app, 1)


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("new", "chess", *WHY), 1, "No game is called chess here"),
        (("new", "bipod", "--size", "3", *WHY), 1, "A division has 4 to 10 players"),
        (("new", "bipod", "--pace", "none", *WHY), 1, "An event has a clock"),
        (("new", "bipod", "--option", "colour=7", *WHY), 2, "colour"),
        (("new", "bipod", "--reason", " "), 1, "A reason is needed"),
        (("new", "bipod"), 2, "--reason"),
        ((*MATCH, "Lisbon", "--second", "lisbon", *WHY), 1, "different names"),
        ((*MATCH, "Lisbon", "--second", "Ox ford", *WHY), 1, "2 to 30 letters"),
        ((*MATCH, "Lisbon", "--second", "Oxford", "--pace", "none", *WHY), 1, "An event has a clock"),
        ((*MATCH, "Lisbon", "--second", "Oxford", "--option", "colour=7", *WHY), 2, "colour"),
        ((*MATCH, "Lisbon", "--second", "Oxford", *WHY, "--starts", "2001-12-01"), 1, "in the future"),
        (("open", "7", "--starts", "2999-12-01", *WHY), 1, "There is no event 7"),
        (("forfeit", "7", "P001", *WHY), 1, "There is no event 7"),
        (("forfeit", "7", "Nobody", *WHY), 1, "Nobody here is called Nobody"),
        (("award", "1", "P001", "P002", "2-0", *WHY), 2, "2-0"),
        (("message", "7", "Hello"), 1, "There is no event 7"),
    ],
)
def test_what_is_refused_says_why(pbem: Pbem, words: tuple[str, ...], code: int, sentence: str) -> None:
    done = pbem(*words)
    assert (code, True) == (done.exit_code, sentence in done.stderr), done.stderr


def test_a_league_exists_once(pbem: Pbem) -> None:
    for _ in range(2):
        assert 0 == pbem("new", "bipod", *WHY).exit_code
    assert 0 == pbem("open", "1", "--starts", "2999-12-01", *WHY).exit_code
    opened = pbem("open", "2", "--starts", "2999-12-01", *WHY)
    assert (1, True) == (opened.exit_code, "is open or runs already" in opened.stderr)
    again = pbem("new", "bipod", *WHY)
    assert (1, True) == (again.exit_code, "There is a league of bipod already" in again.stderr)
    past = pbem("open", "1", "--starts", "2001-12-01", *WHY)
    assert (1, True) == (past.exit_code, "in the future" in past.stderr)


def test_a_director_corrects_a_ladder(app: App, environ: dict[str, str], pbem: Pbem) -> None:
    with app.store.write() as db:
        number = event_entries.add_ladder(db, "bipod", app.now())
        event_entries.append(db, number, "join", app.now(), players=[1, 2, 3], state=league.PLAYING)
        event_entries.append(db, number, "challenge", app.now(), player=3, upper=1)
        event_entries.append(db, number, "challenge", app.now(), player=2, upper=1)
    assert "3 players will get it.\n" == pbem("message", "1", "Welcome to you all.").stdout
    assert "The director: Welcome to you all." in last_words(app, address_of(3))
    for words in (("open", "1", "--starts", "2999-12-01", *WHY), ("close", "1", *WHY)):
        refused = pbem(*words)
        assert (1, True) == (refused.exit_code, "never opened or closed" in refused.stderr)
    refused = pbem("award", "1", name_of(2), name_of(3), "1-0", *WHY)
    assert (1, True) == (refused.exit_code, "do not meet in the Bipod ladder" in refused.stderr)
    assert 0 == pbem("award", "1", name_of(3), name_of(1), "1-0", *WHY).exit_code
    assert "3 2 1" == order(app)
    assert 0 == pbem("award", "1", name_of(3), name_of(1), "1/2", *WHY).exit_code  # that counts instead
    assert "1 2 3" == order(app)
    assert 0 == pbem("forfeit", "1", name_of(1), *WHY).exit_code
    assert "The director has taken you off it: A test of ours." in last_words(app, address_of(1))
    assert "P001 has left the ladder." in last_words(app, address_of(2))
    assert ("2 3", ()) == (order(app), shown(app).waiting)
    refused = pbem("forfeit", "1", name_of(1), *WHY)
    assert (1, True) == (refused.exit_code, "P001 does not play in the Bipod ladder" in refused.stderr)
    check_events(app)
    assert rows_follow_from_the_journal(app, 1)
    done = CliRunner(env=environ).invoke(main, ["check", "--offline", "--json"])
    assert [] == [each for each in json.loads(done.stdout)["problems"] if each.startswith("event ")]
    with app.store.write() as db:
        db.execute(update(event_games).values(score="0-1"))
    done = CliRunner(env=environ).invoke(main, ["check", "--offline", "--json"])
    assert "event 1: its journal and games give other rows in event_games" in done.stdout


def test_a_director_makes_a_match_and_corrects_it(app: App, environ: dict[str, str], pbem: Pbem) -> None:
    terms = ("match", "bipod", "--first", "Lisbon", "--second", "Oxford", *WHY)
    done = pbem(*terms, "--starts", "2999-12-01", "--option", "size=4", "--unrated", "--pace", "brisk")
    assert (
        "Event 1: Bipod match of Lisbon and Oxford. It begins on 2999-12-01. "
        "`join match 1 Lisbon` or `join match 1 Oxford` joins it.\n" == done.stdout
    )
    day = f"{app.now() + timedelta(days=9):%Y-%m-%d}"
    assert f"begins on {day}. `join match 1` joins it.\n" in pbem("open", "1", "--starts", day, *WHY).stdout
    with app.store.write() as db:
        for player in range(1, 6):
            same = {"players": [player], "state": league.ENTERED, "club": 1 + player % 2}
            event_entries.append(db, 1, "join", app.now(), **same)
    check_events(replace(app, clock=lambda: app.clock() + timedelta(days=10)))
    assert "5 players will get it.\n" == pbem("message", "1", "Welcome to you all.").stdout
    pairs = [board.players for board in a_match(app).boards]
    assert [("P002", "P001"), ("P004", "P003")] == pairs
    refused = pbem("award", "1", "P002", "P003", "1-0", *WHY)
    assert (1, True) == (refused.exit_code, "do not meet" in refused.stderr)
    refused = pbem("award", "1", "P001", "P002", "1-0", *WHY)
    assert (1, True) == (refused.exit_code, "Game 2 goes on" in refused.stderr)
    finish(app, 2, 0)
    assert 0 == pbem("award", "1", "P001", "P002", "0-1", *WHY).exit_code
    assert ["", "1"] == [cell.sign for cell in a_match(app).boards[0].cells]
    assert 0 == pbem("forfeit", "1", "P003", *WHY).exit_code
    told = last_words(app, address_of(3))
    assert "The director has taken you out of it: A test of ours." in told and "standby" not in told
    refused = pbem("forfeit", "1", "P005", *WHY)
    assert (1, True) == (refused.exit_code, "P005 does not play in the Bipod match" in refused.stderr)
    check_events(app)
    assert ("Lisbon 3, Oxford 0", ("P003",)) == (a_match(app).score, a_match(app).boards[1].left)
    assert rows_follow_from_the_journal(app, 1)
    assert "5 players will hear of it" not in pbem("close", "1", *WHY).stdout  # one has left
    check_events(app)
    assert (0, "Lisbon 3, Oxford 0") == (a_match(app).games_left, a_match(app).score)
    assert "Lisbon has won the Bipod match of Lisbon and Oxford." in last_words(app, address_of(5))
    assert rows_follow_from_the_journal(app, 1)
    with app.store.write() as db:
        db.execute(update(event_games).values(score="0-1"))
    done = CliRunner(env=environ).invoke(main, ["check", "--offline", "--json"])
    assert "event 1: its journal and games give other rows in event_games" in done.stdout


def test_a_match_is_closed_before_it_begins(app: App, pbem: Pbem) -> None:
    terms = ("match", "bipod", "--first", "Lisbon", "--second", "Oxford", "--starts", "2999-12-01", *WHY)
    assert 0 == pbem(*terms).exit_code
    with app.store.write() as db:
        event_entries.append(db, 1, "join", app.now(), players=[1], state=league.ENTERED, club=1)
    assert "1 player will hear of it" in pbem("close", "1", *WHY).stdout
    assert "The director: A test of ours." in last_words(app, address_of(1))
    with app.store.read() as db:
        assert [] == events.list_matches(db)
    assert rows_follow_from_the_journal(app, 1)


def test_every_command_has_help_with_an_example(pbem: Pbem) -> None:
    for name in ("new", "match", "open", "close", "award", "forfeit", "reinstate", "message"):
        assert f"Example:  pbem event {name} " in " ".join(pbem(name, "--help").stdout.split("\n")).replace(
            "\n", " "
        )


@pytest.mark.each_database
def test_check_compares_the_rows_of_events_with_their_journals(
    environ: dict[str, str], app: App, pbem: Pbem
) -> None:
    _start(app, pbem)

    def problems() -> list[str]:
        done = CliRunner(env=environ).invoke(main, ["check", "--offline", "--json"])
        return [each for each in json.loads(done.stdout)["problems"] if each.startswith("event ")]

    assert [] == problems()
    with app.store.write() as db:
        db.execute(update(event_games).values(score="1-0"))
    assert ["event 1: its journal and games give other rows in event_games"] == problems()
    assert {"1-0"} == {game.score for game in all_games(app, 1)}


def test_each_act_keeps_who_did_it_and_its_page_does_not_name_them(app: App, pbem: Pbem) -> None:
    assert 0 == pbem("new", "bipod", "--by", "Ann Director", *WHY).exit_code
    assert 0 == pbem("open", "1", "--starts", "2999-12-01", *WHY).exit_code
    with app.store.read() as db:
        acts = events.journal_of(db, 1, "director")
    assert ["Ann Director", getpass.getuser()] == [act.data["by"] for act in acts]
    answer = create_app(app).test_client().get("/events/1")
    assert (200, True, False) == (
        answer.status_code,
        "A test of ours" in answer.text,
        "Ann Director" in answer.text,
    )


def test_each_act_but_a_message_needs_a_reason_as_the_help_says() -> None:
    acts = event_command.commands.values()
    without = [each.name for each in acts if all("--reason" not in option.opts for option in each.params)]
    assert ["message"] == without
    assert "Only `message` takes none" in " ".join(str(event_command.help).split())
