"""Places that can still be reached, against every way in which the games left can end."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.events.chances import can_reach, is_certain
from pbem.core.events.schedule import pairings
from pbem.core.events.table import TableResult

SCORES = ("1-0", "1/2", "0-1")
WORTH = {"1-0": (2, 0), "1/2": (1, 1), "0-1": (0, 2)}


def ends(players: list[str], done: list[TableResult[str]], left: list[tuple[str, str]]):
    """The half points of everybody after each way in which the season can end."""
    for scores in product(SCORES, repeat=len(left)):
        points = dict.fromkeys(players, 0)
        for (one, other), score in [
            *(((game.first, game.second), game.score) for game in done),
            *zip(left, scores, strict=True),
        ]:
            points[one] += WORTH[score][0]
            points[other] += WORTH[score][1]
        yield points


@settings(max_examples=60)
@given(st.integers(3, 5), st.integers(0, 6), st.data())
def test_what_can_be_reached_is_what_some_end_gives(
    number: int, open_games: int, data: st.DataObject
) -> None:
    players = list("ABCDE"[:number])
    games = data.draw(st.permutations(pairings(players)))
    left, played = games[:open_games], games[open_games:]
    done = [TableResult(*pair, data.draw(st.sampled_from(SCORES))) for pair in played]
    possible = list(ends(players, done, left))
    for player in players:
        for place in range(1, number + 1):
            above = [sum(each[other] > each[player] for other in players) for each in possible]
            level = [sum(each[other] >= each[player] for other in players) - 1 for each in possible]
            assert any(n < place for n in above) == can_reach(player, place, players, done, left)
            assert all(n < place for n in level) == is_certain(player, place, players, done, left)


def test_whoever_is_too_far_behind_can_no_longer_win_by_points_of_rivals_who_meet() -> None:
    done = [TableResult("A", "C", "1-0"), TableResult("B", "C", "1-0"), TableResult("C", "D", "1-0")]
    left = [("A", "B"), ("A", "D"), ("B", "D")]
    players = list("ABCD")
    assert not can_reach("C", 1, players, done, left)
    assert can_reach("D", 1, players, done, left)


def test_ten_players_with_half_of_their_games_left_are_done_at_once() -> None:
    players = list(range(10))
    games = pairings(players)
    done = [TableResult(*pair, SCORES[n % 3]) for n, pair in enumerate(games[:22])]
    assert all(can_reach(player, 8, players, done, games[22:]) for player in players)
    assert not any(is_certain(player, 1, players, done, games[22:]) for player in players)
