"""The command `report`: a player shows words of a game to the operator. The other player is not told."""

import logging

from pbem.actions import context
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.journal import WORD_KEYS
from pbem.core.letters.letter import Letter
from pbem.core.parsing import reply_text
from pbem.core.players import Player
from pbem.store import moderation

log = logging.getLogger("pbem.moderation")

MAX_REPORTS = 5
MAX_SHOWN = 5
"""Maximum number of the others' newest words in a report."""


@context.handles("report")
def _report(request: context.Request) -> list[Letter]:
    ctx, reporter, text = request.ctx, request.player, request.args["number"]
    number = int(text) if text else request.number
    if number is None:
        raise Refusal("Which game is it? Answer a letter of that game, or write its number: `report 42`.")
    game = ctx.existing_game(number)
    done = moderation.latest_acts(ctx.db, MAX_REPORTS, reporter, "report")
    if len(done) == MAX_REPORTS and done[-1].at > ctx.now - context.DAY:
        raise Refusal(
            f"You have sent {MAX_REPORTS} reports within a day; please write to postmaster@{ctx.site} now."
        )
    why = "\n".join(reply_text.first_lines(request.block.comment, 40))
    act = moderation.ModerationAct("report", ctx.now, reporter.name, why, reporter.id, game.id)
    moderation.add_act(ctx.db, act)
    log.warning("player %d reports words in game %d: pbem moderation", reporter.id, game.id)
    answer = request.answer("reported", game=game.title, why=why)
    operator = ctx.app.config.operator
    if operator is None:
        return answer
    facts = {"reporter": reporter.name, "game": game, "said": _newest_words(game, reporter), "why": why}
    return [*answer, Letter("report", operator, None, facts=facts)]


def _newest_words(game: Game, reporter: Player) -> list[tuple[int, str, str]]:
    mine = game.seat_of(reporter)
    found = [
        (entry.n, game.name_at(entry.seat, entry.n), str(entry.data[name]))
        for entry in game.journal
        for name in WORD_KEYS
        if entry.seat is not None and entry.seat != mine and entry.data.get(name)
    ]
    return found[-MAX_SHOWN:]
