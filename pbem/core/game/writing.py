"""A move as a mail may have it."""

from rules.contract import Move, Position


def to_write(position: Position, move: Move) -> str:
    """Return the legal `move`, if needed behind the word `move`.

    That is where its capital might be taken for a phone's.
    """
    return f"move {move}" if position.meanings(move) else str(move)
