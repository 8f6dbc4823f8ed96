"""Notices of words that went to nobody, in the first answer. Lines that were no commands are included."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbem.core.letters.facts import Untold
from pbem.core.letters.letter import Letter
from pbem.core.lobby.limits import shorten_for_writer
from pbem.core.parsing.mail_orders import GameBlock
from pbem.core.players import Player
from pbem.core.preferences.letter_kinds import KINDS

MAX_SHOWN = 1000


def add_unsent_notice(
    letters: Iterable[Letter],
    player: Player,
    block: GameBlock,
    below: str = "",
    unread: str = "",
    files: Sequence[str] = (),
) -> list[Letter]:
    """The letters, the first answer with the unsent words. Words `below` alone bring no stopped letter.

    `unread`: lines below commands that take no words, such as a `set` with a slip. `files`: names of
    attached files, which go to nobody.
    """
    told = list(letters)
    mine = [n for n, letter in enumerate(told) if letter.player is not None and letter.player.id == player.id]
    if not mine or not (block.above or block.remarks or below or unread or files):
        return told
    at = next((n for n in mine if KINDS[told[n].kind].answers), mine[0])
    below, unread = _shortened(below), _shortened(unread)
    untold = Untold(shorten_for_writer(block.above), below, unread, block.remarks, files)
    needed = told[at].needed or bool(block.above or block.remarks or unread or files)
    told[at] = replace(told[at], untold=untold, needed=needed)
    return told


def _shortened(words: str) -> str:
    return words if len(words) <= MAX_SHOWN else f"{words[: MAX_SHOWN - 3]}..."
