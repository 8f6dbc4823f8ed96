"""A move as a mail may have it."""

from rules.contract import Move, Position


def to_write(position: Position, move: Move) -> str:
    """Return the legal `move`. A capital that may be a phone's needs the word `move` before it."""
    return f"move {move}" if position.meanings(move) else str(move)
