"""Events as their journals tell them: leagues, ladders and matches by one fold."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from pbem.core.events import league
from pbem.core.events.event import EventEntry
from pbem.core.events.fold import EventState, fold
from pbem.core.events.ladder import ANSWER_TIME, IDLE_AFTER, MAIL_TIME, SINKS_EVERY
from pbem.core.events.league import Settings
from tests.people import NOON

Told = tuple[str, dict[str, Any]]
DAY = timedelta(days=1)
STARTS, ENDS = NOON + 14 * DAY, NOON + 104 * DAY


def an_event(kind: str, *entries: Told, scores: dict[int, str] | None = None) -> EventState:
    """An event of this kind after these entries, an hour apart."""
    first = {"kind": kind, "rules": "bipod", "season": 1, "settings": Settings().data, "previous_id": None}
    journal = [("new", first), *entries]
    hours = [NOON + timedelta(hours=n) for n in range(len(journal))]
    told = [EventEntry(n, at, *entry) for n, (at, entry) in enumerate(zip(hours, journal, strict=True), 1)]
    return fold(7, told, scores or {})


def seats(state: EventState) -> dict[int, tuple[str, int | None, int | None]]:
    return {id: (each.state, each.division, each.place) for id, each in state.players.items()}


def games(state: EventState) -> dict[tuple[int, int], tuple[int | None, str | None, int]]:
    return {game.pair: (game.game, game.score, game.state) for game in state.games.values()}


SIGN_UP: list[Told] = [
    ("open", {"starts": STARTS.isoformat(), "next": NOON.isoformat()}),
    ("join", {"players": [1, 2, 3, 4, 5], "state": league.ENTERED}),
    ("leave", {"player": 5}),
    ("ask", {"players": [1, 2, 3, 4]}),
    ("ask", {"players": []}),
    *(("confirm", {"player": id}) for id in (1, 2, 3)),
]
SEASON: list[Told] = [
    *SIGN_UP,
    ("divide", {"divisions": [[3, 1, 2]], "ends": ENDS.isoformat()}),
    ("begin", {"games": [(1, 2, 40), (3, 1, 41)], "begun": 1}),
    ("begin", {"games": [], "begun": 2}),
]


def test_a_season_takes_those_who_confirmed() -> None:
    state = an_event("league", *SEASON)
    absent = (league.ABSENT, None, None)
    playing = {id: (league.PLAYING, 1, place) for place, id in enumerate((3, 1, 2), 1)}
    assert {**playing, 4: absent} == seats(state)
    assert (league.RUNNING, 1, ENDS) == (state.event.state, state.event.divisions, state.event.ends_at)
    waiting = (None, None, league.WAITING)
    assert {(1, 2): (40, None, league.GOING), (3, 1): (41, None, league.GOING), (2, 3): waiting} == games(
        state
    )


def test_a_delay_asks_everybody_again() -> None:
    later = (STARTS + 14 * DAY).isoformat()
    state = an_event("league", *SIGN_UP, ("open", {"starts": later}))
    assert {league.ENTERED} == {each.state for each in state.players.values()}
    assert not state.event.asked


def test_the_scores_come_from_the_games_and_a_forced_one_stays() -> None:
    award = ("award", {"first": 1, "second": 2, "n": 3, "score": "0-1"})
    pair = next(game for game in an_event("league", *SEASON).games.values() if game.pair == (1, 2))
    award[1]["n"] = pair.n
    state = an_event("league", *SEASON, award, scores={40: "1-0", 41: "1/2"})
    assert (40, "0-1", league.SETTLED) == games(state)[1, 2]
    assert (41, "1/2", league.SETTLED) == games(state)[3, 1]
    freed = ("unaward", {"first": 1, "second": 2, "n": pair.n})
    assert (40, "1-0", league.SETTLED) == games(
        an_event("league", *SEASON, award, freed, scores={40: "1-0"})
    )[1, 2]


def test_whoever_withdraws_forfeits_and_may_come_back() -> None:
    out = ("withdraw", {"player": 2, "why": "asked", "games": [(1, 2), (2, 3)]})
    state = an_event("league", *SEASON, out)
    assert league.LEFT == state.players[2].state
    assert (40, "+", league.TO_VOID) == games(state)[1, 2]
    assert (None, "-", league.SETTLED) == games(state)[2, 3]
    back = ("reinstate", {"player": 2, "anew": [(2, 3)], "going": [(1, 2)]})
    assert games(an_event("league", *SEASON)) == games(an_event("league", *SEASON, out, back))


def test_a_standby_player_takes_place_results_and_games() -> None:
    fill = [
        ("join", {"players": [6], "state": league.STANDBY}),
        ("fill", {"player": 1, "by": 6, "why": "time"}),
    ]
    state = an_event("league", *SEASON, *fill)
    assert (league.PLAYING, 1, 2) == seats(state)[6]
    assert (league.LEFT, None, None) == seats(state)[1]
    assert (40, None, league.TO_REPLACE) == games(state)[6, 2]
    state = an_event("league", *SEASON, *fill, ("replaced", {"game": 40}))
    assert (40, None, league.GOING) == games(state)[6, 2]
    assert (41, None, league.TO_REPLACE) == games(state)[3, 6]


def test_what_is_left_at_the_end_counts_for_nobody() -> None:
    over = ("over", {"tables": [[3, 1, 2]], "games": [(3, 1), (2, 3)], "begun": 3, "next": None})
    state = an_event("league", *SEASON, over, scores={40: "1-0"})
    assert (league.OVER, 3, None) == (state.event.state, state.event.begun, state.event.next_at)
    assert ["1-0", league.NO_RESULT, league.NO_RESULT] == sorted(
        score or "" for _, score, _ in games(state).values()
    )


def test_an_event_closed_before_it_begins_is_void_and_a_running_one_ends() -> None:
    assert league.VOID == an_event("league", *SIGN_UP, ("close", {"next": None})).event.state
    running = an_event("league", *SEASON, ("close", {}))
    assert (league.RUNNING, NOON + len(SEASON) * timedelta(hours=1) + timedelta(hours=1)) == (
        running.event.state,
        running.event.ends_at,
    )


def test_a_match_pairs_its_boards_twice() -> None:
    joins = [("join", {"players": [id], "state": league.ENTERED, "club": 2 - id % 2}) for id in range(1, 6)]
    state = an_event("match", *joins, ("boards", {"boards": [(1, 2), (3, 4)]}))
    assert {(1, 1): (1, 2), (1, 2): (2, 1), (2, 1): (3, 4), (2, 2): (4, 3)} == {
        key: game.pair for key, game in state.games.items()
    }
    assert (league.PLAYING, 2, 1) == seats(state)[3]
    assert (league.ABSENT, None, 1) == seats(state)[5]


def test_a_ladder_wakes_when_a_challenge_lapses_or_for_the_idle() -> None:
    begun = [("ladder", {}), ("join", {"players": [1, 2, 3], "state": league.PLAYING})]
    looks = NOON + timedelta(hours=1) + SINKS_EVERY
    assert looks == an_event("ladder", *begun).event.next_at
    challenges = [("challenge", {"player": 2, "upper": 1}), ("challenge", {"player": 3, "upper": 2})]
    state = an_event("ladder", *begun, *challenges)
    assert NOON + timedelta(hours=3) + ANSWER_TIME + MAIL_TIME == state.event.next_at
    later = (NOON + IDLE_AFTER).isoformat()
    state = an_event("ladder", *begun, *challenges, ("delay", {"n": 4, "until": later}), ("cancel", {"n": 5}))
    assert looks == state.event.next_at
    assert [league.WAITING, league.SETTLED] == [game.state for game in state.games.values()]
    state = an_event("ladder", *begun, *challenges, ("leave", {"player": 2, "off": [4, 5]}))
    assert {league.NO_RESULT} == {game.score for game in state.games.values()}
    assert [1, 3] == list(state.players)
