"""How a week's paper is chosen, from numbers alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pbem.core.exercises.puzzle import Puzzle
from pbem.core.paper import (
    MOVERS,
    EndedGame,
    Issue,
    Lead,
    Newcomer,
    RatingGain,
    Upset,
    Week,
    choose_game,
    choose_movers,
    choose_puzzle,
    choose_upset,
    last_week,
    lead_of,
    read_issue,
    read_week,
    travel,
)
from tests.people import NOON, SEED_GAME, a_game

CALM = [0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 1.0]
WILD = [0.5, 0.2, 0.2, 0.9, 0.9, 0.1, 0.1]
STEP = RatingGain(1, "bipod", 7, 1500.0, 1520.4, True, True)
PUZZLE = Puzzle(3, 12, 4, "begird", "c2", ("c2", "d4", "d2"), {})


def ended(id: int, plies: int = 20, rating: float = 1500.0) -> EndedGame:
    return EndedGame(id, NOON, plies, (rating, rating))


def test_a_week_ends_where_saturday_begins_first() -> None:
    ends = datetime(2026, 11, 20, 10, tzinfo=UTC)
    assert Week(2026, 47) == last_week(ends)
    assert Week(2026, 46) == last_week(ends - timedelta(seconds=1))
    assert ends == Week(2026, 47).ends
    assert Week(2026, 47).begins == Week(2026, 46).ends
    assert Week(2026, 53) == last_week(datetime(2027, 1, 3, tzinfo=UTC))


def test_each_moment_belongs_to_one_week() -> None:
    for days in range(0, 800, 3):
        moment = NOON + timedelta(days=days)
        week = last_week(moment)
        assert week.ends <= moment < week.ends + timedelta(weeks=1)
        assert week == read_week(str(week))
        assert 5 == week.saturday.weekday()


def test_steps_below_the_least_turn_are_no_drama() -> None:
    assert 0 == travel([0.5, 0.52, 0.49, 0.51, 0.53])
    assert travel(WILD) > travel(CALM) > 0


def test_the_game_that_went_up_and_down_most_is_chosen() -> None:
    games = [ended(1), ended(2), ended(3, plies=90)]
    assert ended(2) == choose_game(games, {1: CALM, 2: WILD})
    assert ended(1) == choose_game(games, {1: CALM})


def test_where_nothing_is_evaluated_length_and_ratings_decide() -> None:
    assert ended(3, plies=90) == choose_game([ended(1), ended(3, plies=90)], {})
    famous = ended(4, rating=4400.0)
    assert famous == choose_game([ended(3, plies=90), famous], {})
    assert ended(1) == choose_game([ended(2), ended(1)], {})
    assert choose_game([], {}) is None


def test_the_largest_change_is_told_only_of_values_of_all_plies() -> None:
    game = a_game(SEED_GAME[:6])
    lead = lead_of(game, WILD)
    assert 0 < lead.ply <= 6
    assert abs(lead.before - lead.after) > 30
    assert Lead(42) == lead_of(game, WILD[:-1]) == lead_of(game, ())


def test_those_who_rose_are_named_best_first() -> None:
    steps = [replace(STEP, game=n, player=n, after=1500.0 + n) for n in range(6)]
    steps += [replace(STEP, game=9, player=2, before=1502.0, after=1550.0, sure=False)]
    steps += [replace(STEP, game=10, player=8, after=1480.0)]
    found = choose_movers(steps)
    assert [2, 5, 4] == [each.player for each in found]
    assert MOVERS == len(found)
    assert (50, 2, False) == (found[0].gain, found[0].games, found[0].sure)


def test_an_upset_needs_a_large_difference() -> None:
    def pair(game: int, low: float, high: float) -> list[RatingGain]:
        won = replace(STEP, game=game, before=low)
        return [won, replace(won, player=8, before=high, won=False)]

    assert choose_upset(pair(1, 1500, 1599)) is None
    assert choose_upset(pair(1, 1700, 1500)) is None
    both = [*pair(1, 1500, 1610), *pair(2, 1500, 1700)]
    assert Upset(2, 7, 8, 1500, 1700) == choose_upset(both)
    assert choose_upset(both[:1]) is None
    drawn = [replace(each, won=None) for each in pair(3, 1500, 1900)]
    assert choose_upset(drawn) is None


def test_the_puzzle_is_not_from_the_game_of_the_week() -> None:
    longer = replace(PUZZLE, id=5, game_id=13, line=(*PUZZLE.line, "a1", "b1"))
    assert 5 == choose_puzzle([PUZZLE, longer], None)
    assert 3 == choose_puzzle([PUZZLE, longer], Lead(13))
    assert 0 == choose_puzzle([PUZZLE], Lead(12))


def test_an_issue_is_read_as_it_was_stored() -> None:
    movers = choose_movers([STEP])
    issue = Issue(Lead(1, 3, 20, 70), movers, Upset(2, 7, 8, 1500, 1700), 3, (Newcomer(7, 1),), 2)
    assert issue == read_issue(issue.data)
    assert Issue() == read_issue(Issue().data)
    assert {} == Issue().data
