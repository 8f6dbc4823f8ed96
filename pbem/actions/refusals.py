"""Tell a player which commands were not carried out, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pbem.actions.boards import reply_as_bundle
from pbem.actions.context import Context, Disposition, KnownPlayer
from pbem.core.game.view import view
from pbem.core.letters.letter import Letter, about_game, to_player
from pbem.core.parsing.reply_text import first_lines
from pbem.store.inbox import Code


@dataclass(frozen=True)
class Result:
    """The result of one block: letters, problems, and True if anything was done."""

    letters: list[Letter]
    problems: list[str]
    done: bool
    code: Code = Code.NONE


def _refusal(
    ctx: Context,
    sender: KnownPlayer,
    problems: Sequence[str],
    read: Sequence[str] = (),
    number: int | None = None,
) -> Disposition:
    """A refusal with its reason and a board: of game `number`, else of the mail's own game."""
    facts: dict[str, Any] = {
        "problems": list(problems),
        "read": list(read),
        "found": [] if read else first_lines(ctx.inbound.words),
    }
    meant = number if number is not None else sender.game_id
    game = ctx.game(meant) if meant is not None else None
    seat = game.seat_of(sender.player) if game is not None else None
    if game is not None and seat is not None:
        letter = about_game("refused", view(game, seat, ctx.site), **facts)
    else:
        letter = to_player("refused", sender.player, about=sender.about, **facts)
        letter = reply_as_bundle(sender, letter)
    return Disposition("refused", " / ".join(problems), (letter,), sender.player, sender.game_id)
