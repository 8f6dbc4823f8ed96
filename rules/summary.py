"""A game's result, replayed from its record, as data and lines."""

from typing import Any

from rules.contract import SEAT_NAMES, Position
from rules.picture import score_lines
from rules.picture import text as picture_text
from rules.record import Replay


def summary(played: Replay) -> dict[str, Any]:
    """Return the output of `pbem replay --json`: plain JSON data, whose keys never change."""
    position, outcome, to_play = played.position, played.outcome, played.to_play
    winner = None if outcome is None or outcome.winner is None else SEAT_NAMES[outcome.winner]
    return {
        "game": played.rules.key,
        "options": dict(position.options),
        "ply": position.ply,
        "to_play": None if to_play is None else SEAT_NAMES[to_play],
        "side_to_play": None if to_play is None else position.side(to_play),
        "outcome": outcome and {"winner": winner, "side": outcome.side, "reason": outcome.reason},
        "board": picture_text(position.picture()),
        "playable": [] if outcome else position.playable(),
        "scores": position.scores(),
    }


def board_lines(position: Position, *, last: bool = False) -> list[str]:
    picture = position.picture()
    scores = [] if picture.scored else score_lines(position.scores())
    return [picture_text(picture, last=last), "", *([*scores, ""] if scores else [])]


def summary_text(played: Replay) -> str:
    """Return the output of `pbem replay`: board, scores, and turn or outcome."""
    position, lines = played.position, board_lines(played.position)
    if played.moves:
        lines.append(f"Ply {position.ply}: {played.moves[-1]}")
    if played.outcome:
        winner = "" if played.outcome.winner is None else f" ({SEAT_NAMES[played.outcome.winner]})"
        lines.append(f"{played.outcome.reason}{winner}.")
    elif played.to_play is not None:
        side = position.side(played.to_play)
        lines.append(f"To play: {SEAT_NAMES[played.to_play]}{f' ({side})' if side else ''}.")
    return "\n".join(lines)
