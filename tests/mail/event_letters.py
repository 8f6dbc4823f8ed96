"""Sample letters about leagues."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pbem.commands.leagues import LEAVING
from pbem.core.clock.time_control import USUAL, read_pace
from pbem.core.events import league
from pbem.core.events.event import Event, EventPlace
from pbem.core.events.league import EventGame, Settings
from pbem.core.events.schedule import pairings
from pbem.core.events.season import Division, DivisionNews, show_division
from pbem.core.events.season_facts import SeasonFacts
from pbem.core.game.game import Game as StoredGame
from pbem.core.game.view import view_for_reader
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.letters.start import league_letters
from pbem.duties.leagues import SEASON, first_boards_letter, season_letter
from pbem.duties.new_games import GameTerms
from rules import RULES
from rules.contract import option_words
from tests.mail.ladder_letters import EVENT as LADDER
from tests.mail.match_letters import EVENT as MATCH
from tests.people import BILL, HOST, JOAO, NOON

NAMES = {BILL.id: "Bill", JOAO.id: "Joao", 31: "Anna", 32: "Ana María", 33: "Chris"}
_TERMS = GameTerms(RULES["bipod"], RULES["bipod"].complete({}), True, read_pace(USUAL))
TERMS: dict[str, Any] = {"terms": _TERMS, "options": option_words(_TERMS.options), "again": False}
STARTS = NOON + timedelta(days=14)
OPEN = Event(3, "bipod", 2, Settings(), 1, league.OPEN, STARTS, None, False, 0, 0, STARTS, 2)
RUNNING = replace(
    OPEN, state=league.RUNNING, ends_at=STARTS + timedelta(days=90), asked=True, divisions=3, begun=3
)


def a_division(*scores: str | None, number: int = 2, gone: tuple[int, ...] = ()) -> Division:
    """A division of five players with these results, in the order of the round robin."""
    pairs = pairings(list(NAMES))
    states = (*scores, *(None,) * (len(pairs) - len(scores)))
    games = [
        EventGame(*pair, n, n + 40, score, league.GOING if score is None else league.SETTLED)
        for n, (pair, score) in enumerate(zip(pairs, states, strict=True), 1)
    ]
    return show_division(3, OPEN.title, (number, 3), list(NAMES), games, NAMES, gone)


HALF = a_division("1-0", "1/2", "0-1", "1-0", "+", "1-0", gone=(33,))
DONE = a_division("1-0", "1/2", "0-1", "1-0", "+", "1-0", "1-0", "0-1", "1-0", "0-1")


def letters_of_leagues(game: StoredGame) -> Iterator[tuple[str, Letter]]:
    """Bill joins the Bipod league, plays a season, and leaves it."""
    yield from _of_sign_up()
    yield from _of_a_season()
    yield "start-league", _first_letter(game)
    yield from _of_first_boards(game)
    for name, event, shown, mine in (
        ("table", RUNNING, HALF, True),
        ("table-first", RUNNING, a_division(number=1), False),
        ("table-open", OPEN, None, False),
        ("table-open-mine", OPEN, None, True),
    ):
        facts: dict[str, Any] = {
            "event": event,
            "title": event.title,
            "division": shown,
            "entered": 7,
            "mine": mine,
        }
        yield name, to_player("table", BILL, **facts)
    of_bots = replace(HALF, lines=tuple(replace(line, name=f"bot{line.place}") for line in HALF.lines[:2]))
    facts = {"event": RUNNING, "title": RUNNING.title, "division": of_bots, "entered": 7, "mine": True}
    yield "table-bots", to_player("table", BILL, **facts)
    rows = [(OPEN, OPEN.title, "entered"), (RUNNING, "Bagel league, season 1", "")]
    ladders = [(LADDER, 12), (replace(LADDER, id=10, rules="bagel"), 1)]
    matches = [MATCH, replace(MATCH, id=8, state=league.RUNNING)]
    mine = {LADDER.id: league.PLAYING, MATCH.id: league.ENTERED}
    yield "events", to_player("events", BILL, rows=rows, ladders=ladders, matches=matches, mine=mine)
    yield "events-none", to_player("events", BILL, rows=[], ladders=[], matches=[], mine={})


def _of_sign_up() -> Iterator[tuple[str, Letter]]:
    until = STARTS + timedelta(days=30)
    for state in (league.ENTERED, league.CONFIRMED, league.STANDBY, league.LEFT):
        event = RUNNING if state in (league.STANDBY, league.LEFT) else OPEN
        facts: dict[str, Any] = {"event": event, "title": event.title, "state": state, "until": until} | TERMS
        yield f"joined-{state}", to_player("joined", BILL, **facts)
    filled = replace(OPEN, settings=Settings(bots=3))
    facts = {"event": filled, "title": filled.title, "state": league.ENTERED, "until": until} | TERMS
    yield "joined-bots", to_player("joined", BILL, **facts)
    facts = {"event": OPEN, "title": OPEN.title, "state": league.ENTERED, "until": until} | TERMS
    yield "joined-again", to_player("joined", BILL, **facts | {"again": True})
    for stage in (SEASON, LEAVING):
        letter = to_player("seasonask", BILL, stage=stage, event=OPEN, title=OPEN.title, **TERMS)
        yield f"seasonask-{stage}", replace(letter, reply=ReplyTo("confirm", 7))


def _of_a_season() -> Iterator[tuple[str, Letter]]:
    later = STARTS + timedelta(days=14)
    yield "season-few", season_letter(BILL, SeasonFacts("few", OPEN, number=3, starts=later))
    yield "season-start", season_letter(BILL, SeasonFacts("start", RUNNING, division=a_division()))
    yield "season-half", season_letter(BILL, SeasonFacts("half", RUNNING, division=HALF))
    yield "season-end", season_letter(BILL, SeasonFacts("end", RUNNING, division=DONE, following=OPEN))
    top = a_division("1-0", "1/2", "0-1", "1-0", "+", "1-0", gone=(33,), number=1)
    news = [DivisionNews("Anna", "Bill", ("1", "0"), 41), DivisionNews("Joao", "Ana María", ("½", "½"), 42)]
    facts: dict[str, Any] = {"title": RUNNING.title, "event": RUNNING, "results": news, "more": 7}
    yield "leagueweek", to_player("leagueweek", BILL, division=top, over=False, **facts)
    alone = facts | {"more": 0, "division": replace(DONE, number=1, divisions=1)}
    yield "leagueweek-over", to_player("leagueweek", BILL, over=True, **alone)
    won = replace(DONE, number=1)
    first = replace(BILL, id=DONE.lines[0].player, name=DONE.lines[0].name)
    yield "season-won", season_letter(first, SeasonFacts("end", RUNNING, division=won))
    yield "season-withdrawn", season_letter(BILL, SeasonFacts("withdrawn", RUNNING, why="time"))
    yield "season-out-filled", season_letter(BILL, SeasonFacts("withdrawn", RUNNING, why="asked", by="Maria"))
    yield (
        "season-forfeited",
        season_letter(BILL, SeasonFacts("withdrawn", RUNNING, why="director", reason="Ill.")),
    )
    yield "season-reinstated", season_letter(BILL, SeasonFacts("reinstated", RUNNING, reason="A mistake."))
    yield "season-filled", season_letter(BILL, SeasonFacts("filled", RUNNING, division=HALF, was="Maria"))
    yield (
        "season-message",
        season_letter(BILL, SeasonFacts("message", RUNNING, words="Please be patient today.")),
    )


def _of_first_boards(game: StoredGame) -> Iterator[tuple[str, Letter]]:
    """The start of a season with one board, with two, and with more than one letter draws."""
    terms = {name: told for name, told in TERMS.items() if name != "again"}
    clock = replace(game, journal=game.journal[:1], rated=True, time_control=read_pace(USUAL))
    begun = [replace(clock, id=n, seats=(BILL, JOAO) if n % 2 else (JOAO, BILL)) for n in range(41, 48)]
    views = [view_for_reader(each, BILL, HOST) for each in begun]
    alone = a_division(number=1)
    for name, division, shown in (
        ("seasonstart", a_division(), views),
        ("seasonstart-one", alone, views[:1]),
        ("seasonstart-two", alone, views[:2]),
        ("seasonstart-both", alone, views[:3:2]),
        ("seasonstart-theirs", alone, views[1:4:2]),
    ):
        yield name, first_boards_letter(BILL, RUNNING, division, shown, 5, **terms)


def _first_letter(game: StoredGame) -> Letter:
    """The first letter of a game of a league."""
    begun = replace(game, journal=game.journal[:1])
    (letter, _) = league_letters(begun, HOST, RUNNING.title)
    return replace(letter, place_in_event=EventPlace(RUNNING, 2))
