"""A move as a mail may have it."""

from rules.contract import Move, Position


def to_write(position: Position, move: Move) -> str:
    """The legal `move`, behind the word `move` where its capital might be taken for a phone's."""
    return f"move {move}" if position.meanings(move) else str(move)
