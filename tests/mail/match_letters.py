"""Sample letters about matches of two clubs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pbem.core.clock.time_control import USUAL, read_pace
from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.core.events.league import EventGame, Settings
from pbem.core.events.match import MATCH, Match, count_left, show_board
from pbem.core.events.season_facts import SeasonFacts
from pbem.core.letters.letter import Letter, to_player
from pbem.duties.leagues import season_letter
from pbem.duties.new_games import GameTerms
from rules import RULES
from tests.people import BILL, NOON

CLUBS = ("Lisbon", "Oxford")
STARTS = NOON + timedelta(days=14)
SETTINGS = Settings(clubs=CLUBS)
EVENT = Event(7, "bipod", 0, SETTINGS, None, league.OPEN, STARTS, None, False, 0, 0, STARTS, 3, MATCH)
RUNNING = replace(EVENT, state=league.RUNNING, divisions=3, begun=6)
LONG = "Wolfeschlegelsteinha"
NAMES = {1: "Anna", 2: "Grete", 3: "Bill", 4: LONG, 5: "Chris", 6: "Fritz"}
MEMBERS = (("Anna", "Bill", "Chris"), ("Grete", LONG, "Fritz", "Heloise"))
EMPTY = Match(7, EVENT.title, "bipod", CLUBS, ((), ("Grete",)), (), 0)


def a_match(*scores: str | None) -> Match:
    """Three boards with these results, each as the first seat of its game reads it."""
    pairs = [(1, 2), (2, 1), (3, 4), (4, 3), (5, 6), (6, 5)]
    shown = (*scores, *(None,) * (len(pairs) - len(scores)))
    games = [
        EventGame(*pair, 1 + n % 2, n + 40, score, league.GOING if score is None else league.SETTLED)
        for n, (pair, score) in enumerate(zip(pairs, shown, strict=True))
    ]
    there = {number: games[2 * number - 2 : 2 * number] for number in (1, 2, 3)}
    boards = tuple(
        show_board(number, each[0].pair, each, NAMES, [6] if "+" in scores else [])
        for number, each in there.items()
    )
    return Match(7, EVENT.title, "bipod", CLUBS, MEMBERS, boards, count_left(there))


MIDDLE = a_match("1-0", "1/2", "0-1")
DONE = a_match("1-0", "1/2", "0-1", "1/2", "+", "-")


def letters_of_matches() -> Iterator[tuple[str, Letter]]:
    """Bill plays for Lisbon in a match with Oxford."""
    open_one = replace(EMPTY, members=MEMBERS)
    yield "match-joined", _shown("joined", EVENT, open_one)
    yield "match-left", _shown("left", EVENT, EMPTY, club="")
    yield "match-open", _shown("shown", EVENT, open_one, club="")
    yield "match-mine", _shown("shown", EVENT, open_one)
    yield "match-shown", _shown("shown", RUNNING, MIDDLE)
    yield "match-decided", _shown("shown", RUNNING, a_match("1-0", "0-1", "1-0", "0-1", "1/2"), club="")
    yield "match-over", _shown("shown", replace(RUNNING, state=league.OVER), DONE)
    closed = replace(EVENT, club_id=3, rival_id=4)
    yield "match-clubs", _shown("shown", closed, open_one, club="").telling(open_to=CLUBS[:1])
    yield "match-closed", _shown("shown", closed, open_one, club="").telling(open_to=())
    yield "match-started", _shown("started", closed, open_one)
    yield "matchtold-start", _told("start", a_match())
    yield "matchtold-spare", _told("spare", a_match(), player=replace(BILL, name="Heloise"), club="Oxford")
    yield "matchtold-few", _told("few", EMPTY)
    yield "matchtold-end", _told("end", DONE)
    drawn = a_match(*("1/2",) * 6)
    yield "matchtold-drawn", _told("end", drawn, player=replace(BILL, name="Heloise"), club="Oxford")
    yield (
        "season-match-out",
        season_letter(BILL, SeasonFacts("withdrawn", RUNNING, why="director", reason="Ill.")),
    )


def _shown(stage: str, event: Event, shown: Match, club: str = "Lisbon") -> Letter:
    rules = RULES["bipod"]
    terms = GameTerms(rules, rules.complete_for("bipod", {}), True, read_pace(USUAL))
    facts: dict[str, Any] = {"event": event, "shown": shown, "club": club, "terms": terms, "options": ""}
    facts["open_to"] = CLUBS
    return to_player("match", BILL, stage=stage, title=event.title, **facts)


def _told(stage: str, shown: Match, **facts: Any) -> Letter:
    known = {"player": BILL, "club": "Lisbon", **facts}
    player = known.pop("player")
    return to_player("matchtold", player, stage=stage, title=EVENT.title, event=RUNNING, shown=shown, **known)
