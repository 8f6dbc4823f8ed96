"""The tasks of a plan: bots' games as JSON data, the same on each run."""

from collections.abc import Iterator
from random import Random
from typing import Any

from rules.contract import Position
from rules.lab.plan import Plan
from rules.search import LEVELS, Thought, think

MAX_PLIES = 1000
"""The number of plies after which a game is left unfinished."""
REPEATS = 4
"""The number of times that each first ply is judged, each with another deal if the game deals."""


def do(plan: Plan, task: str) -> dict[str, Any]:
    """Return the result of one of `plan.tasks()` as JSON data with the key `task`.

    game: `winner` (seat or null), `side` (that won), `over` (ended by its rules), `moves`, `values` (before
    each ply, for seat 0, from 0 to 1), `bids` (ply, and value of a word such as `adopt` for the player who
    may say it). match: `points` of the higher level (1, 0.5 or 0) and `plies`. first: `values` for the owner
    of that ply. settled: `points` of the player who said the word after so many plies, and `plies`.
    """
    kind, _, rest = task.partition(" ")
    if kind == "game":
        result = _game(plan, task)
    elif kind == "match":
        level, number = map(int, rest.split())
        result = _match(plan, level, number)
    elif kind == "settled":
        result = _settle(plan, task, int(rest.split()[0]))
    else:
        result = {"values": [_first_value(plan, rest, again) for again in range(REPEATS)]}
    return {"task": task, **result}


def find(position: Position, level: int, seed: int) -> Thought:
    """Return a level's ply, limited by a number of playouts and not by a clock."""
    return think(position, level, seed=seed, playouts=LEVELS[level].playouts)


def value_for_first(position: Position, level: int, seed: int) -> float:
    """Return the value of any position for seat 0, from 0 to 1."""
    if position.to_play is None:
        winner = position.outcome.winner if position.outcome else None
        return 0.5 if winner is None else 1.0 - winner
    found = find(position, level, seed).value
    return found if position.to_play == 0 else 1.0 - found


def _game(plan: Plan, task: str) -> dict[str, Any]:
    seed, position = plan.seed_of(task), plan.start(task)
    moves, values, bids = list[str](), list[float](), list[list[Any]]()
    while position.to_play is not None and len(moves) < MAX_PLIES:
        bids += [[len(moves), value] for value in _bids(plan, position, seed)]
        found = find(position, plan.level, seed)
        values.append(round(found.value if position.to_play == 0 else 1 - found.value, 3))
        moves.append(found.move)
        position = position.play(position.read(found.move))
    outcome = position.outcome
    return {
        "winner": outcome and outcome.winner,
        "side": outcome and outcome.side,
        "over": outcome is not None,
        "moves": moves,
        "values": values,
        "bids": bids,
    }


def _bids(plan: Plan, position: Position, seed: int) -> Iterator[float]:
    """Yield the value, for the seat to play, of the word that settles sides, if it is open."""
    if not plan.word:
        return
    move = position.read(plan.word)
    if position.problem(move) is None:
        value = value_for_first(position.follow(move), plan.level, seed)
        yield round(value if position.to_play == 0 else 1 - value, 3)


def _match(plan: Plan, level: int, number: int) -> dict[str, Any]:
    """Play a level against the one below. Games 2n and 2n + 1 have one deal with exchanged seats."""
    seat, pair = number % 2, number // 2
    levels = (level, level - 1) if seat == 0 else (level - 1, level)
    return _play_out(plan.start(f"match {pair}"), levels, plan.seed_of(f"match {level} {number}"), seat)


def _play_out(position: Position, levels: tuple[int, int], seed: int, seat: int) -> dict[str, Any]:
    """Play on from here at these levels. Return the points of `seat`, and the number of plies."""
    plies = 0
    while position.to_play is not None and plies < MAX_PLIES:
        position = position.play(position.read(find(position, levels[position.to_play], seed).move))
        plies += 1
    winner = position.outcome.winner if position.outcome else None
    return {"points": 0.5 if winner is None else float(winner == seat), "plies": plies}


def _settle(plan: Plan, task: str, plies: int) -> dict[str, Any]:
    """Play a game in which the word that settles the sides is said after `plies` plies."""
    seed, position, level = plan.seed_of(task), plan.start(task), plan.map_level
    rng = Random(seed)
    for _ in range(plies):
        move = find(position, level, seed).move
        if move == plan.word:
            move = str(rng.choice([each for each in position.actions() if str(each) != plan.word]))
        position = position.play(position.read(move))
    seat = position.to_play
    assert seat is not None
    return _play_out(position.play(position.read(plan.word)), (level, level), seed, seat)


def _first_value(plan: Plan, text: str, again: int) -> float:
    """Return a first ply's value for its owner, from 0 to 1, if the other seat swaps and plays on."""
    start = plan.start(f"first {again}")
    after = start.play(start.read(text))
    swapped = after.play(after.read("swap"))
    seed = plan.seed_of(f"first {text} {again}")
    return round(1 - value_for_first(swapped, plan.map_level, seed), 3)
