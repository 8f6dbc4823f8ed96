"""Tell a player which commands were not carried out, and why."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.actions.context import Context, Disposition, KnownPlayer
from pbem.core.game.view import View, view
from pbem.core.letters.letter import Letter, ReplyTo, about_game, to_player
from pbem.core.parsing.reply_text import first_lines
from pbem.core.players import Player
from pbem.store.inbox import Code


@dataclass(frozen=True)
class Result:
    """The result of one block: letters, problems, and True if anything was done."""

    letters: list[Letter]
    problems: list[str]
    done: bool
    code: Code = Code.NONE


def refused_letter(
    player: Player,
    problems: Sequence[str],
    *,
    seen: View | None = None,
    read: Sequence[str] = (),
    found: Sequence[str] = (),
    about: int = 0,
) -> Letter:
    facts = {"problems": list(problems), "read": list(read), "found": list(found)}
    if seen is not None:
        return about_game("refused", seen, **facts)
    return to_player("refused", player, about=about, **facts)


def refuse(
    ctx: Context,
    sender: KnownPlayer,
    problems: Sequence[str],
    read: Sequence[str] = (),
    number: int | None = None,
) -> Disposition:
    """A refusal with its reason and a board: of game `number`, else of the mail's own game."""
    found = () if read else first_lines(ctx.inbound.words)
    own = ctx.own_game(sender.game_id if number is None else number, sender.player)
    seen = view(*own, ctx.site) if own else None
    letter = refused_letter(sender.player, problems, seen=seen, read=read, found=found, about=sender.about)
    if sender.bundle is not None and seen is None:
        letter = replace(letter, reply=ReplyTo("bundle", sender.bundle.id))
    return Disposition("refused", " / ".join(problems), (letter,), sender.player, sender.game_id)
