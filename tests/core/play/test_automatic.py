"""Random games: conditional moves give the same game as moves by hand."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.core.game.conditional import MAX_DEEP, answers_in, branch_rows, depth_of
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY
from pbem.core.play.turn import Decision
from rules import RULES
from rules.contract import Move, Position, Seat, other
from tests.people import a_game, asks

BOARDS = {
    "begird": {"islands": "3", "side": "7"},
    "bipod": {"size": "3", "stones": "2"},
    "bounders": {"size": "4"},
}
LONGEST = 60

every_game = pytest.mark.parametrize("key", RULES)
chance = settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def by_hand(key: str, rng: Random) -> list[tuple[Seat, str, Position]]:
    """A random game: the seat, text and next position of each ply."""
    position = a_game(key=key, **BOARDS.get(key, {})).state.position
    made: list[tuple[Seat, str, Position]] = []
    while position.to_play is not None and len(made) < LONGEST:
        seat, move = position.to_play, position.sample(rng)
        position = position.play(move)
        made.append((seat, str(move), position))
    return made


def line_of(made: list[tuple[Seat, str, Position]], start: int, owner: Seat, most: int) -> str:
    """The real plies from `start` on as a conditional line. It is "" where none is possible."""
    words: list[str] = []
    answers = 0
    n = start
    while n < len(made) and answers < most and made[n][0] != owner:
        if n + 1 >= len(made) or made[n + 1][0] != owner:
            break
        words.append(f"if {made[n][1]}")
        n += 1
        while n < len(made) and answers < most and made[n][0] == owner:
            words.append(f"then {made[n][1]}")
            answers, n = answers + 1, n + 1
    return " ".join(words)


def decoys(position: Position, named: str, rng: Random) -> list[str]:
    """Branches for plies that the other will not play."""
    found = [move for _ in range(3) if str(move := position.sample(rng)) != named]
    return [f"if {move} then resign" for move in found if leads_on(position, move, named)]


def leads_on(position: Position, move: Move, named: str) -> bool:
    there = position.play(move)
    return there.to_play == other(position.to_play or 0) and there != position.play(position.read(named))


def an_answer(position: Position, seat: Seat, rng: Random) -> Move:
    """A ply of `seat`, which may not be on turn yet, or else of the one who is."""
    there = position.play(position.sample(rng))
    return (there if there.to_play == seat else position).sample(rng)


def kept(game: Game, decision: Decision) -> Game:
    assert "" == decision.refused
    after = game.with_entries(decision.entries)
    assert decision.state.position == fold(after).position
    assert decision.state.conditional_moves == fold(after).conditional_moves
    return after


@every_game
@chance
@given(seed=st.integers(0, 2**32))
def test_a_planned_game_is_the_same_as_one_played_by_hand(key: str, seed: int) -> None:
    rng = Random(seed)
    made = by_hand(key, rng)
    game = a_game(key=key, **BOARDS.get(key, {}))
    automatic = 0
    while (n := len(game.state.plies)) < len(made):
        seat, move, position = made[n]
        before = game.state.position
        words = [f"{move} yes" if before.gives_up(before.read(move)) else move]
        if n + 1 < len(made) and rng.random() < 0.8:
            plan = line_of(made, n + 1, seat, rng.randint(1, MAX_DEEP))
            branches = ([plan] if plan else []) + (decoys(position, made[n + 1][1], rng) if plan else [])
            rng.shuffle(branches)
            words += dict.fromkeys(branches)
        game = kept(game, asks(game, seat, "\n\n".join(words)))
        assert n + 1 <= len(game.state.plies) <= len(made)
        assert made[len(game.state.plies) - 1][2] == game.state.position
        automatic += len(game.state.plies) - n - 1
    assert [(seat, move) for seat, move, _ in made] == [(ply.seat, ply.move) for ply in game.state.plies]
    assert automatic == sum(ply.auto for ply in game.state.plies)
    assert automatic or len(made) < 30


@every_game
@chance
@given(seed=st.integers(0, 2**32))
def test_any_line_at_all_is_a_plan_within_its_limits_or_a_refusal(key: str, seed: int) -> None:
    rng = Random(seed)
    made = by_hand(key, rng)
    n = rng.randrange(1, len(made) + 1)
    game = a_game([move for _, move, _ in made[:n]], key=key, **BOARDS.get(key, {}))
    seat = other(game.state.to_play or 0)
    texts = [move for _, move, _ in made] + ["any", "draw", "resign", "accept", "zz99", "f2"]
    for _ in range(6):
        line = " ".join(
            f"{rng.choice(['if', 'if', 'then'])} {rng.choice(texts)}" for _ in range(rng.randint(1, 9))
        )
        line = f"if {rng.choice(texts)} then {rng.choice(texts)} {line}"
        decision = asks(game, seat, line)
        game = game.with_entries(decision.entries)
        assert bool(decision.entries) <= (not decision.refused)
        assert all(entry.kind != PLY for entry in decision.entries)
    planned = game.state.conditional_moves[seat]
    plan = planned.plan if planned else ()
    assert depth_of(plan) <= MAX_DEEP
    assert sum(len(branch.answers) for _, branch in branch_rows(plan)) == answers_in(plan)


@every_game
def test_what_any_of_the_other_brings_is_followed_or_stops_and_never_fails(key: str) -> None:
    followed = 0
    for seed in range(16):
        rng = Random(seed)
        made = by_hand(key, rng)
        n = rng.randrange(1, min(20, len(made)))
        game = a_game([move for _, move, _ in made[:n]], key=key, **BOARDS.get(key, {}))
        if (mover := game.state.to_play) is None:
            continue
        seat = other(mover)
        answer = an_answer(game.state.position, seat, rng)
        lines = [f"if any then {answer} if any then {move}" for _, move, _ in made[:5]]
        planned = asks(game, seat, lines[seed % len(lines)])
        if planned.refused:  # no ply of the other makes the answer legal
            assert planned.refused.startswith('In "if any then ')
            continue
        followed += 1
        game = kept(game, planned)
        decision = asks(game, mover, str(game.state.position.sample(rng)))
        after = kept(game, decision)
        answered = any(entry.data.get("auto") for entry in decision.entries)
        if after.state.ending is None and after.state.to_play == seat and not answered:
            (turn,) = (letter for letter in decision.letters if letter.kind == "turn")
            assert turn.told["stop"] is not None
    assert followed > 3
