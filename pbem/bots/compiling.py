"""The compilation of searches while nobody waits for one."""

import logging
from collections.abc import Callable, Iterable

from pbem.core.players import BOT_LEVELS
from rules.contract import Rules
from rules.search import think
from rules.search.compiled import find_kernel

log = logging.getLogger("pbem.bots")

PLAYOUTS = 200
"""Playouts that are enough to use every compiled function of a search."""


def compile_games(games: Iterable[Rules], stopped: Callable[[float], bool]) -> None:
    """Compile the searches of these games, one after another, as a bot's first move would have to wait."""
    for rules in games:
        if stopped(0):
            return
        if find_kernel(rules.knowledge.kernel) is not None:
            try:
                think(rules.start(), BOT_LEVELS[-1], seed=0, playouts=PLAYOUTS)
            except Exception:
                log.exception("%s: its search could not be compiled", rules.key)
