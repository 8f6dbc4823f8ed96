"""The report of a run, for text or a page: sections with sentences, tables and plots."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.contract import option_words
from rules.lab.figures import Figures
from rules.lab.plan import Plan
from rules.lab.swap_map import SwapMap
from rules.notation import some
from rules.search import LEVELS

MAX_BID_ROWS = 24
NEAREST = 6


@dataclass(frozen=True)
class Table:
    """A table; the first cell of each row is its heading."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Bars:
    """A plot of numbers of cases, with one bar each."""

    title: str
    alt: str
    rows: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Whiskers:
    """A plot of shares from 0 to 1 with their intervals: label, value, low, high."""

    title: str
    alt: str
    rows: tuple[tuple[str, float, float, float], ...]


@dataclass(frozen=True)
class Section:
    """A part of the report under a heading. The sentences of `after` stand below table and plots."""

    title: str
    words: tuple[str, ...]
    table: Table | None = None
    plots: tuple[Bars | Whiskers | SwapMap, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """A whole report: everything that is told of a run."""

    title: str
    words: tuple[str, ...]
    sections: tuple[Section, ...]


def report(plan: Plan, found: Figures) -> Report:
    sections = (
        _wins(found["wins"], found["said"]),
        _length(found["length"]),
        _lead(found["lead"]),
        _levels(found["levels"]),
        _bids(found["bids"]),
        _settling(found["settled"]),
        _first_plies(plan, found["first_plies"]),
    )
    return Report(
        f"{plan.rules.name} in the laboratory",
        (*_what(plan, found), INTERVALS),
        tuple(section for section in sections if section),
    )


INTERVALS = (
    "Each figure has an interval: 95 of 100 such intervals hold the true value for these bots. "
    "People may play otherwise."
)


def _what(plan: Plan, found: Figures) -> Iterator[str]:
    options = option_words(plan.options)
    yield f"The game is {plan.rules.name}, with {options or 'no options'}."
    games = some(found["wins"]["games"], "game", "games")
    yield f"Bots of level {plan.level} played {games}, with seed {plan.seed}."
    first = min(level for level, limits in LEVELS.items() if limits.batch > 1)
    highest = max(
        plan.level,
        plan.levels if plan.matches else 1,
        plan.map_level if found["first_plies"] or found["settled"] else 1,
    )
    if found["compiled"] and highest >= first:
        yield f"Levels {first} and above played on in machine code."


def percent(share: float) -> str:
    return f"{100 * share:.0f}%"


def _interval(estimate: Mapping[str, Any], form: str = "{:.0%}") -> str:
    return f"{form.format(estimate['low'])} to {form.format(estimate['high'])}"


def _part(estimate: Mapping[str, Any]) -> str:
    return f"{estimate['value'] * estimate['count']:g} of {estimate['count']}"


def _shares(rows: Sequence[tuple[str, Mapping[str, Any]]], head: str) -> Table:
    return Table(
        (head, "games", "share", "interval"),
        tuple((name, _part(each), percent(each["value"]), _interval(each)) for name, each in rows),
    )


def _whiskers(title: str, rows: Sequence[tuple[str, Mapping[str, Any]]]) -> Whiskers:
    """Return a plot of these shares, with alternative text that tells all of them."""
    told = "; ".join(f"{name} {percent(each['value'])} ({_interval(each)})" for name, each in rows)
    return Whiskers(
        title,
        f"{title}: {told}.",
        tuple((name, each["value"], each["low"], each["high"]) for name, each in rows),
    )


def _bars(title: str, rows: Sequence[tuple[str, int]]) -> Bars:
    return Bars(
        title, f"{title}: " + "; ".join(f"{name}: {count}" for name, count in rows) + ".", tuple(rows)
    )


def _bins(bins: Sequence[Mapping[str, int]]) -> list[tuple[str, int]]:
    return [
        (str(each["low"]) if each["low"] == each["high"] else f"{each['low']}-{each['high']}", each["count"])
        for each in bins
    ]


def _wins(wins: Figures, said: Figures) -> Section:
    rows = [("first seat", wins["first"]), ("second seat", wins["second"])]
    if wins["draw"]["value"]:
        rows.append(("draw", wins["draw"]))
    rows += list(wins["sides"].items())
    words = [_who_wins(wins)]
    if not wins["draw"]["value"]:
        words.append("No game was a draw.")
    words += [f"Somebody said `{word}` in {_part(each)} games." for word, each in said.items()]
    if wins["unfinished"]["count"]:
        left = wins["unfinished"]
        words.append(f"{some(left['count'], 'game', 'games')} had no end after {left['plies']} plies.")
    return Section("Who wins", tuple(words), _shares(rows, "who"), (_whiskers("Shares of games won", rows),))


def _who_wins(wins: Figures) -> str:
    """True if the seats are equal, as far as these games tell."""
    for name, seat in (("first", wins["first"]), ("second", wins["second"])):
        if seat["low"] > 0.5:
            return f"The {name} seat wins more games: {percent(seat['value'])} ({_interval(seat)})."
    return f"The seats may be equal: the first wins {percent(wins['first']['value'])} of games."


def _length(length: Figures | None) -> Section | None:
    if not length:
        return None
    low, middle, high = length["quartiles"]
    mean = length["mean"]
    return Section(
        "How long games are",
        (f"A game has {mean['value']:.1f} plies in the mean ({_interval(mean, '{:.1f}')}).",),
        Table(
            ("plies", "number"),
            (
                ("shortest game", str(length["shortest"])),
                ("a quarter have at most", f"{low:g}"),
                ("half have at most", f"{middle:g}"),
                ("three quarters have at most", f"{high:g}"),
                ("longest game", str(length["longest"])),
            ),
        ),
        (_bars("Games by their number of plies", _bins(length["histogram"])),),
    )


def _lead(lead: Figures | None) -> Section | None:
    if not lead:
        return None
    low, middle, high = lead["quartiles"]
    late, mean = lead["late"], lead["mean"]
    tenths = [(f"{10 * n}-{10 * n + 10}%", count) for n, count in enumerate(lead["tenths"])]
    return Section(
        "How often the last moves matter",
        (
            "The bot that is to move judges each position. Whoever is above one half leads.",
            f"The lead changes for the last time after {percent(mean['value'])} of a game in the mean"
            f" ({_interval(mean)}).",
            f"In {_part(late)} games it changes in the last fifth:"
            f" {percent(late['value'])} ({_interval(late)}).",
            f"The middle game has it at {percent(middle)}; half of all lie from {percent(low)}"
            f" to {percent(high)}.",
        ),
        None,
        (_bars("Games by the share after which the winner leads for good", tenths),),
    )


def _levels(levels: Sequence[Figures]) -> Section | None:
    if not levels:
        return None
    rows = [(f"{each['level']} against {each['against']}", each["won"]) for each in levels]
    parted = sum(each["won"]["low"] > 0.5 for each in levels)
    return Section(
        "How many levels of play separate",
        (
            "Each level played the one below, and seats changed after each game.",
            f"Steps that are sure, with the whole interval above one half: {parted} of {len(levels)}.",
        ),
        _shares(rows, "levels"),
        (_whiskers("Shares of games that the higher level won", rows),),
    )


def _bids(bids: Figures | None) -> Section | None:
    if not bids:
        return None
    word = bids["word"]
    rows = bids["by_plies"][:MAX_BID_ROWS]
    named = [(str(each["plies"]), each) for each in rows]
    words = [
        f"Before each ply we judged `{word}`, for the seat that could say it. Bots lay one block a ply.",
        _even(bids),
        "Games where somebody has said it do not count in later rows.",
    ]
    plots: list[Bars | Whiskers] = [_whiskers(f"Value of {word} by blocks on the board", named)]
    if said := bids["said"]:
        low, middle, high = said["quartiles"]
        words.append(
            f"The bots said it at {middle:g} blocks in the middle case, half of them at {low:g} to {high:g}."
        )
        plots.append(_bars(f"Games by blocks on the board at {word}", _bins(said["histogram"])))
    table = Table(
        ("blocks", "positions", "value", "interval"),
        tuple((name, str(each["count"]), f"{each['value']:.2f}", _narrow(each)) for name, each in named),
    )
    return Section(f"The value of `{word}`", tuple(words), table, tuple(plots))


def _settling(settled: Figures | None) -> Section | None:
    if not settled:
        return None
    word = settled["word"]
    rows = [(some(each["plies"], "block", "blocks"), each["won"]) for each in settled["by_plies"]]
    open_ = [name for name, won in rows if won["low"] <= 0.5 <= won["high"]]
    told = f"It may be even at {', '.join(open_)}." if open_ else "It is even at none of these."
    return Section(
        f"At how many blocks `{word}` is even",
        (
            f"Bots of level {settled['level']} laid so many blocks, one a ply, and then one of them said"
            f" `{word}`. The shares are games that this bot won.",
            told,
        ),
        _shares(rows, "blocks before"),
        (_whiskers(f"Games won by who says {word}", rows),),
    )


def _even(bids: Figures) -> str:
    if bids["even"] is None:
        return f"At no number of blocks is the mean value of `{bids['word']}` one half or more."
    return f"Its mean value reaches one half at {some(bids['even'], 'block', 'blocks')}."


def _narrow(estimate: Mapping[str, Any]) -> str:
    """Return an interval as text, cut to the range from 0 to 1."""
    return f"{max(0, estimate['low']):.2f} to {min(1, estimate['high']):.2f}"


def _first_plies(plan: Plan, found: Figures | None) -> Section | None:
    if not found:
        return None
    plies = sorted(found["plies"], key=lambda each: (-each["value"], each["ply"]))
    nearest = sorted(found["plies"], key=lambda each: (abs(each["value"] - 0.5), each["ply"]))[:NEAREST]
    drawn = SwapMap(plan.start("0").picture(), tuple((each["ply"], each["value"]) for each in plies))
    swapped = found["swapped"]
    chosen = {
        "best": plies[:NEAREST],
        "nearest to even": nearest,
        "worst": plies[-NEAREST:],
    }
    deals = ", each with a deal of its own" if plan.rules.deals else ""
    return Section(
        "Which first moves are swapped",
        (
            f"Level {found['level']} judged each first ply {found['repeats']} times{deals}, for its owner.",
            f"Of {len(plies)} first plies {_part(swapped).split()[0]} are surely worth a swap,"
            f" {found['kept']} surely not; {found['open']} stay open.",
        ),
        Table(
            ("which", "ply", "value", "interval"),
            tuple(
                (which, each["ply"], f"{each['value']:.2f}", _narrow(each))
                for which, rows in chosen.items()
                for each in rows
            ),
        ),
        (drawn,),
        (drawn.legend,),
    )
