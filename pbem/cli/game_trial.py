"""The trial of a designer's file, in a process of its own that `pbem game` limits.

Each part has a time of its own, so that all of them end within a minute.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from textwrap import fill, indent
from time import monotonic

import rules
from pbem.core.parsing.line import read_line
from rules.conformance import LAWS, obey
from rules.contract import Outcome, Position, Rules, option_words
from rules.designed.goals import figure
from rules.designed.made import rules_of
from rules.designed.plan import Design, Goal
from rules.designed.reading import read_design
from rules.designed.setting import smallest
from rules.lab.as_text import as_text
from rules.lab.figures import figures
from rules.lab.plan import Plan
from rules.lab.playing import do
from rules.lab.report import report
from rules.picture import text as drawn
from rules.random_play import Broken, RandomGame
from rules.search import think

LAW_SECONDS, RANDOM_SECONDS, BOT_SECONDS, LAB_SECONDS = 18.0, 8.0, 12.0, 10.0
SMALL_GAMES, USUAL_GAMES, LAB_GAMES = 400, 50, 20
MAX_PLIES = 1000
ONE_SIDED = 0.7
MANY_DRAWS = 0.5
FEW_GAMES = 20
"""The least number of games from which shares are told."""
WIDTH = 76


def main(path: str) -> int:
    """Print the trial of a file that can be read. Return 1 if a law is broken, else 0."""
    text = Path(path).read_text(encoding="utf-8")
    design = read_design(text)
    made = rules_of(design)
    print(f"{made.name}, by {made.credit}\n")
    for paragraph in made.text.split("\n\n"):
        print(fill(paragraph, WIDTH) + "\n")
    broken = _broken_law(made, smallest(design))
    if broken:
        print(fill(f"A law is broken: {broken}", WIDTH))
        return 1
    for line in _random_games(made, design):
        print(fill(line, WIDTH))
    _bot_game(made, design, text)
    rules.add(made)
    print(_laboratory(made, design))
    return 0


def _broken_law(made: Rules, small: Mapping[str, str]) -> str:
    """Try all laws of games on the smallest and the usual board; return what is broken, or ""."""
    end, tried = monotonic() + LAW_SECONDS, list[str]()
    for chosen, seed in ((small, 0), ({}, 0), (small, 1), ({}, 1)):
        if monotonic() > end:
            break
        trial = RandomGame(made, chosen, seed, lambda line: read_line(line, None) is not None)
        for number, law in enumerate(LAWS):
            if monotonic() > end:
                tried.append(f"{number} laws on a game with {_told(chosen)}")
                break
            try:
                obey(law, trial)
            except Broken as error:
                return str(error)
        else:
            tried.append(f"all {len(LAWS)} laws on a game with {_told(chosen)}")
    print(fill(f"The laws of games hold: {'; '.join(tried)}.", WIDTH))
    return ""


def _told(chosen: Mapping[str, str]) -> str:
    return option_words(chosen) or "the usual options"


def _random_games(made: Rules, design: Design) -> Iterator[str]:
    """Yield what random games show: who wins, how games are decided, and what never happens."""
    found, end = dict[str, list[Position]](), monotonic()
    boards: Sequence[tuple[Mapping[str, str], int]] = ({}, USUAL_GAMES), (smallest(design), SMALL_GAMES)
    for chosen, games in boards:
        end += RANDOM_SECONDS / len(boards)
        lasts = found[_told(chosen)] = list[Position]()
        for seed in range(games):
            if monotonic() > end:
                break
            lasts.append(_play_out(made.start(chosen), Random(seed)))
    for told, lasts in found.items():
        if lasts:
            yield f"{len(lasts)} random games with {told}: {_shares(design, lasts)}"
    yield from _warnings(design, [last for lasts in found.values() for last in lasts], found[_told({})])


def _shares(design: Design, lasts: Sequence[Position]) -> str:
    mean = sum(last.ply for last in lasts) / len(lasts)
    sides = Counter(last.outcome.side if last.outcome else None for last in lasts)
    shares = [f"{side} wins {sides[side] / len(lasts):.0%}" for side, _ in design.sides]
    most = max(last.ply for last in lasts)
    return f"{', '.join(shares)}, with {mean:.0f} moves in the mean and {most} at most."


def _play_out(position: Position, rng: Random) -> Position:
    for _ in range(MAX_PLIES):
        if position.outcome is not None:
            break
        position = position.follow(position.sample(rng))
    return position


def _warnings(design: Design, lasts: Sequence[Position], usual: Sequence[Position]) -> Iterator[str]:
    """Yield a warning for each goal that nobody reached, and for a usual board that one side always wins."""
    reasons = {last.outcome.reason for last in lasts if last.outcome}
    for goal in design.goals:
        if not any(_decides(goal, reason) for reason in reasons):
            yield f"Warning, line {goal.line}: in {len(lasts)} random games nobody won so ({figure(goal)})."
    unfinished = sum(last.outcome is None for last in lasts)
    if unfinished:
        yield f"Warning: {unfinished} games had not ended after {MAX_PLIES} moves."
    count = len(usual)
    if count < FEW_GAMES:
        return
    sides = Counter(last.outcome.side if last.outcome else None for last in usual)
    if sides[None] > MANY_DRAWS * count:
        yield "Warning: more than half of the games are draws."
    for side, _ in design.sides:
        if not sides[side]:
            yield f"Warning: {side} never won."
        elif sides[side] > ONE_SIDED * count:
            yield f"Warning: {side} won more than {ONE_SIDED:.0%}."


def _decides(goal: Goal, reason: str) -> bool:
    """True if this goal is what a reason tells."""
    side, _, told = reason.partition(" wins: ")
    return told == figure(goal) and goal.side in ("", side)


def _bot_game(made: Rules, design: Design, text: str) -> None:
    """Let bots play a game, and print it with its first, middle and last boards."""
    end, positions, moves = monotonic() + BOT_SECONDS, [made.start()], list[str]()
    while positions[-1].to_play is not None and len(moves) < MAX_PLIES:
        position = positions[-1]
        if monotonic() < end:
            move = think(position, 1, seed=1, seconds=0.15).move
        else:
            move = str(position.sample(Random(len(moves))))
        moves.append(move)
        positions.append(position.play(position.read(move)))
    print(
        f"\nA game between bots of level 1, {len(moves)} moves"
        + ", the last ones by chance" * (monotonic() > end)
    )
    print(indent(fill(" ".join(moves), WIDTH - 4), "    "))
    for position in (positions[0], positions[len(moves) // 2], positions[-1]):
        print(f"\n{position.picture().title}:\n\n{indent(drawn(position.picture(), last=True), '    ')}")
        print("".join(f"\n    {sign}  {meaning}" for sign, meaning in position.picture().legend))
    outcome = positions[-1].outcome
    if outcome is not None:
        print(f"\n{outcome.reason}.{_deciding_line(design, outcome, text)}")


def _deciding_line(design: Design, outcome: Outcome, text: str) -> str:
    """Return the line of the file that decided, as a sentence."""
    line = next((goal.line for goal in design.goals if _decides(goal, outcome.reason)), 0)
    return f" Line {line} decided: {text.splitlines()[line - 1].strip()}" if line else ""


def _laboratory(made: Rules, design: Design) -> str:
    """Return the laboratory's figures of games on the smallest board, as many as there is time for."""
    options = made.complete(smallest(design))
    end, results = monotonic() + LAB_SECONDS, dict[str, dict[str, object]]()
    plan = Plan(made.key, options, LAB_GAMES, level=1, levels=1, matches=0, settled=0, has_map=False)
    for task in plan.tasks():
        if results and monotonic() > end:
            break
        results[task] = do(plan, task)
    played = Plan(made.key, options, len(results), level=1, levels=1, matches=0, settled=0, has_map=False)
    return "\n\n" + as_text(report(played, figures(played, results)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
