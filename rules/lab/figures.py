"""A plan's results as figures: plain data in a fixed order, whatever the order of the results."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rules.lab.plan import SETTLED, Plan
from rules.lab.playing import MAX_PLIES, REPEATS
from rules.lab.statistics import histogram, mean, mean_share, quartiles, share

Figures = dict[str, Any]
"""JSON data. An estimate is an object with `value`, `low`, `high` (95 of 100) and `count`."""
LATE = 0.8
"""The share of a game after which a change of lead is late."""
PARTS = 10


def figures(plan: Plan, results: Mapping[str, Mapping[str, Any]]) -> Figures:
    """Return all figures of the report. Raise KeyError if a task of the plan has no result."""
    tasks = plan.tasks()
    games = [results[task] for task in tasks if task.startswith("game ")]
    identity = plan.identity()
    return {
        "game": plan.key,
        "name": plan.rules.name,
        "options": dict(plan.options),
        "seed": plan.seed,
        "level": plan.level,
        "compiled": identity["compiled"],
        "wins": _wins(games),
        "said": {
            word: _estimate(sum(word in game["moves"] for game in games), len(games))
            for word in plan.rules.pie_words
        },
        "length": _length(games),
        "lead": _lead([game for game in games if game["winner"] is not None]),
        "levels": [_match(plan, results, level) for level in range(2, plan.levels + 1) if plan.matches],
        "first_plies": _first_plies(plan, results, tasks),
        "bids": _bids(plan, games),
        "settled": _settling(plan, results),
    }


def _estimate(part: float, whole: int) -> Figures:
    return asdict(share(part, whole))


def _wins(games: Sequence[Mapping[str, Any]]) -> Figures:
    count = len(games)
    sides = sorted({game["side"] for game in games if game["side"]})
    return {
        "games": count,
        "first": _estimate(sum(game["winner"] == 0 for game in games), count),
        "second": _estimate(sum(game["winner"] == 1 for game in games), count),
        "draw": _estimate(sum(game["over"] and game["winner"] is None for game in games), count),
        "unfinished": {"count": sum(not game["over"] for game in games), "plies": MAX_PLIES},
        "sides": {side: _estimate(sum(game["side"] == side for game in games), count) for side in sides},
    }


def _length(games: Sequence[Mapping[str, Any]]) -> Figures | None:
    plies = [len(game["moves"]) for game in games if game["over"]]
    if not plies:
        return None
    return {
        "mean": asdict(mean(plies)),
        "quartiles": list(quartiles(plies)),
        "shortest": min(plies),
        "longest": max(plies),
        "histogram": [asdict(each) for each in histogram(plies)],
    }


def last_change(values: Sequence[float], winner: int) -> float:
    """Return from when on the winner is ahead for good, as a share of the game from 0 to 1.

    `values` are those for seat 0 before each ply. A seat at one half is not ahead.
    """
    behind = [ply for ply, value in enumerate(values) if (value if winner == 0 else 1 - value) <= 0.5]
    return (behind[-1] + 1) / len(values) if behind else 0.0


def _lead(games: Sequence[Mapping[str, Any]]) -> Figures | None:
    """Return figures of the last change of lead in won games, as a share of the game's length."""
    found = [last_change(game["values"], game["winner"]) for game in games if game["values"]]
    if not found:
        return None
    parts = [min(int(each * PARTS), PARTS - 1) for each in found]
    return {
        "mean": asdict(mean_share(found)),
        "quartiles": list(quartiles(found)),
        "late": {"after": LATE, **_estimate(sum(each > LATE for each in found), len(found))},
        "tenths": [parts.count(part) for part in range(PARTS)],
    }


def _match(plan: Plan, results: Mapping[str, Mapping[str, Any]], level: int) -> Figures:
    points = [results[f"match {level} {number}"]["points"] for number in range(plan.matches)]
    return {"level": level, "against": level - 1, "won": _estimate(sum(points), len(points))}


def _first_plies(
    plan: Plan, results: Mapping[str, Mapping[str, Any]], tasks: Sequence[str]
) -> Figures | None:
    """Return each first ply with its value for its owner. `swap` is open if the interval holds one half."""
    firsts = [task for task in tasks if task.startswith("first ")]
    if not firsts:
        return None
    plies = []
    for task in firsts:
        value = mean_share(results[task]["values"])
        swap = "yes" if value.low > 0.5 else "no" if value.high < 0.5 else "open"
        plies.append({"ply": task.removeprefix("first "), "swap": swap, **asdict(value)})
    counts = Counter(each["swap"] for each in plies)
    return {
        "level": plan.map_level,
        "repeats": REPEATS,
        "swapped": _estimate(counts["yes"], len(plies)),
        "open": counts["open"],
        "kept": counts["no"],
        "plies": plies,
    }


def _bids(plan: Plan, games: Sequence[Mapping[str, Any]]) -> Figures | None:
    """Return the value of settling sides, by the number of plies before, and when bots did so."""
    word = plan.word
    if not word:
        return None
    values: dict[int, list[float]] = {}
    for game in games:
        for ply, value in game["bids"]:
            values.setdefault(ply, []).append(value)
    said = [game["moves"].index(word) for game in games if word in game["moves"]]
    by_ply = [{"plies": ply, **asdict(mean_share(values[ply]))} for ply in sorted(values)]
    return {
        "word": word,
        "by_plies": by_ply,
        "even": next((each["plies"] for each in by_ply if each["value"] >= 0.5), None),
        "said": (
            said
            and {
                "mean": asdict(mean(said)),
                "quartiles": list(quartiles(said)),
                "histogram": [asdict(each) for each in histogram(said)],
            }
        )
        or None,
    }


def _settling(plan: Plan, results: Mapping[str, Mapping[str, Any]]) -> Figures | None:
    """Return the share won by the player who settled the sides, by the number of plies before."""
    if not plan.word or not plan.settled:
        return None
    rows = []
    for plies in SETTLED:
        points = [results[f"settled {plies} {number}"]["points"] for number in range(plan.settled)]
        rows.append({"plies": plies, "won": _estimate(sum(points), len(points))})
    return {"word": plan.word, "level": plan.map_level, "by_plies": rows}
