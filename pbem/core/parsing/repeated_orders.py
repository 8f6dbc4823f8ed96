"""A mail's commands repeated to their writer, with the question for confirmation."""

from pbem.core.parsing.commands import GAME
from pbem.core.parsing.mail_orders import MailCommands

MAX_LINES, MAX_LETTERS = 10, 200
"""Maximum lines of a question, and characters in each."""


def repeat_commands(orders: MailCommands) -> list[str]:
    """All that `confirm` would do: every command and word, with its game."""
    lines: list[str] = []
    for block in orders.blocks:
        game = f"game {block.game}: " if block.game is not None else ""
        lines += [f"{game}{command.text}" for command in block.commands]
        lines += [f"{game}{line}" for line in block.comment.split("\n") if line.strip()]
        lines += [
            f"{game}{line} (above the orders, sent to nobody)" for line in block.above.split("\n") if line
        ]
    return lines


def exceeds_letter(lines: list[str]) -> bool:
    return len(lines) > MAX_LINES or max(map(len, lines), default=0) > MAX_LETTERS


def words_below(words: str, game: int) -> str:
    kept: list[str] = []
    here = False
    for line in words.split("\n"):
        if match := GAME.fullmatch(line.strip()):
            here = int(match[1]) == game
        elif here:
            kept.append(line)
    return "\n".join(kept).strip("\n")
