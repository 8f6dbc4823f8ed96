"""The letters that tell both players of a turn."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pbem.core.game.game import last_own_ply
from pbem.core.game.journal import AGREE, ANNUL, CLAIM, PLY, PROVED, RESIGN, SAY
from pbem.core.game.view import View, view
from pbem.core.letters.facts import ReceiptFacts, TurnFacts
from pbem.core.letters.letter import Letter, about_game, result_letter
from pbem.core.play import automatic, offers
from pbem.core.play.turn import Turn
from rules.contract import other

BOT_ANSWERS_WITHIN = timedelta(seconds=5)
"""How long a receipt waits for a quick bot's answer, so that one letter tells both moves."""


def letters_for_news(turn: Turn, mine: View) -> list[Letter]:
    """Letters to both. The other's has every ply since their own last one, as some needed no letter."""
    request, since = turn.request, len(turn.start.journal)
    theirs = view(turn.game, other(turn.seat), request.site)
    seen = last_own_ply(turn.start, other(turn.seat))
    remarks = list(turn.remarks)
    kinds = {entry.kind for entry in turn.entries if offers.offer_news(entry) is None}
    deals = [settled for entry in turn.entries if (settled := offers.offer_news(entry)) is not None]
    if kinds & {PLY, RESIGN, AGREE, ANNUL, CLAIM, PROVED} and turn.state.ending is not None:
        own = result_letter(mine, since, read=request.read, remarks=remarks)
        needed = "receipts" not in mine.reader.stopped
        return [replace(own, needed=needed), result_letter(theirs, since, seen)]
    said = "\n".join(entry.data["words"] for entry in turn.entries if entry.kind == SAY)
    stop = automatic.find_conditional_stop(turn.before, turn.state, turn.seat)
    facts = ReceiptFacts(
        request.read,
        since,
        remarks,
        already=turn.repeated_ply,
        said=said,
        draw=automatic.draw_news(turn.entries),
        undo=offers.takeback_news(turn.entries),
        deals=deals,
        planned=turn.planned,
        unsent=turn.words_unsent,
        stop=stop,
        gained=_gained(turn) if PLY in kinds else timedelta(),
    )
    receipt = about_game("receipt", mine, facts)
    odd = bool(remarks or turn.repeated_ply or turn.words_unsent or stop or turn.planned)
    letters = [replace(receipt, needed=odd or (mine.your_turn and PLY in kinds))]
    if (
        PLY in kinds
        and theirs.your_turn
        and theirs.reader.is_quick_bot
        and not (odd or request.comment or deals)
    ):
        letters = [replace(receipt, waits=BOT_ANSWERS_WITHIN)]
    if theirs.plies_after(since) and theirs.your_turn:
        stop = automatic.find_conditional_stop(turn.before, turn.state, other(turn.seat))
        letters.append(about_game("turn", theirs, TurnFacts(seen, since, stop)))
    agreed = _offer_letters(turn, theirs, since, deals, said)
    if said and not agreed and not any(letter.kind == "turn" for letter in letters):
        letters.append(about_game("chat", theirs, words=said))
    return letters + agreed


def _gained(turn: Turn) -> timedelta:
    """Return what the mover's clock has more than at the moment of the move."""
    before, seat = turn.start, turn.seat
    if turn.game.clock.time_control.fixed or before.clock.running != seat or not before.clock.ticks:
        return timedelta()
    at = next(entry.effective_time for entry in turn.entries if entry.kind == PLY)
    return max(
        turn.game.clock.banks[seat] - max(before.clock.left(seat, before.stops, at), timedelta()), timedelta()
    )


def _offer_letters(turn: Turn, theirs: View, since: int, deals: Sequence[Any], said: str) -> list[Letter]:
    draw, undo = automatic.draw_news(turn.entries), offers.takeback_news(turn.entries)
    news = {"draw": ("draw", draw), "undo": ("undo", undo), "deal": ("deals", deals)}
    letters: list[Letter] = []
    for kind, (name, value) in news.items():
        if value:
            facts = {name: value, "since": since, "words": "" if letters else said}
            letters.append(about_game(kind, theirs, **facts))
    return letters
