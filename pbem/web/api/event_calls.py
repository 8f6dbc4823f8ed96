"""Calls of the API about events and papers."""

from flask import Response

from pbem.core.events import league
from pbem.core.events.match import MATCH
from pbem.core.paper import read_week
from pbem.duties.ladders import load_ladder
from pbem.duties.paper import load_paper
from pbem.store import events, papers, players
from pbem.store.matches import load_match
from pbem.web.api import event_shapes as shapes
from pbem.web.api.answers import json_response, page_address, page_data
from pbem.web.api.openapi import Call
from pbem.web.api.parameters import (
    AFTER_DIVISION,
    BEFORE_EVENT,
    BEFORE_WEEK,
    DEFAULT_PAGE_SIZE,
    OF_GAME,
    PAGE_SIZE_PARAMETER,
)
from pbem.web.pages.events import event_or_404, season_or_404
from pbem.web.responses import application, key_of, raise_not_found


def _events(game: str = "", before: int | None = None, most: int = DEFAULT_PAGE_SIZE) -> Response:
    key = key_of(game)
    keys = [key] if key else list(application().games_by_key)
    with application().store.read() as db:
        found = events.list_events(db, most + 1, rules=keys, before=before)
    page = page_data(
        "events", shapes.listed_event, found, most, lambda last: {"game": key, "before": last.id}
    )
    return json_response(page)


def _event(event: int, after: int = 0, most: int = DEFAULT_PAGE_SIZE) -> Response:
    with application().store.read() as db:
        found = season_or_404(db, event)
        last = min(found.divisions, after + most)
        divisions = events.divisions_between(db, event, after + 1, last)
        known = players.players_by_ids(db, [id for each in divisions for id in each.seats])
        entered = events.count_players(db, event, *league.SIGNED_UP)
    names = {id: player.name for id, player in known.items()}
    tables = [shapes.table(each.number, each.seats, each.games, names, each.left) for each in divisions]
    more = {"after": last} if last < found.divisions else None
    data = {
        **shapes.whole_event(found),
        "entered": entered,
        "tables": tables,
        "next": more and page_address(f"events/{event}", more, most),
    }
    return json_response(data)


def _ladder(ladder: str) -> Response:
    key = key_of(ladder)
    with application().store.read() as db:
        event = events.find_ladder(db, key)
        if event is None:
            raise_not_found(f"Nobody has entered a ladder of {ladder} yet.")
        shown = load_ladder(db, event, application().now())
    return json_response(shapes.whole_ladder(shown))


def _matches() -> Response:
    with application().store.read() as db:
        found = [each for each in events.list_matches(db) if each.rules in application().games_by_key]
    return json_response({"matches": [shapes.listed_match(each) for each in found]})


def _match(match: int) -> Response:
    with application().store.read() as db:
        found = event_or_404(db, match)
        if found.kind != MATCH:
            raise_not_found(f"Event {match} is no match.")
        shown = load_match(db, found)
    return json_response(shapes.whole_match(found, shown))


def _papers(before: str = "", most: int = DEFAULT_PAGE_SIZE) -> Response:
    with application().store.read() as db:
        found = papers.newest_issues(db, most + 1, read_week(before) if before else None)
    weeks = [each.week for each in found]
    page = page_data("papers", shapes.listed_paper, weeks, most, lambda last: {"before": str(last)})
    return json_response(page, max((each.made_at for each in found), default=None))


def _paper(week: str) -> Response:
    with application().store.read() as db:
        shown = load_paper(application(), db, read_week(week))
    if shown is None or not shown.has_news:
        raise_not_found(f"There is no paper of week {week} here.")
    return json_response(shapes.whole_paper(shown))


EVENT_CALLS: tuple[Call, ...] = (
    Call("/api/events", _events, "Events", "Leagues", "Seasons, the newest first.",
         (OF_GAME, BEFORE_EVENT, PAGE_SIZE_PARAMETER)),
    Call("/api/events/{event}", _event, "Event", "A season of a league",
         "With the tables of its divisions, from the first on.", (AFTER_DIVISION, PAGE_SIZE_PARAMETER)),
    Call("/api/ladders/{ladder}", _ladder, "Ladder", "The ladder of a game",
         "Its places, the challenges that stand, and the last results."),
    Call("/api/matches", _matches, "Matches", "Matches of clubs", "The hundred newest."),
    Call("/api/matches/{match}", _match, "Match", "A match of two clubs", "With its boards and games."),
    Call("/api/papers", _papers, "Papers", "Saturday papers", "The newest first.",
         (BEFORE_WEEK, PAGE_SIZE_PARAMETER)),
    Call("/api/papers/{week}", _paper, "Paper", "The Saturday paper of a week",
         "What it tells, with links to the records behind it."),
)  # fmt: skip
