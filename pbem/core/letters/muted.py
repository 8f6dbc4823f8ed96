"""Games whose letters their player does not want, until the end."""

from collections.abc import Collection

from pbem.core.players import Player

MUTED = "muted"
"""The preference that holds the numbers of these games."""
COMES_ALL_THE_SAME = frozenset({"director", "hint"})
"""Kinds of letters that a muted game sends: a decision, and what was asked for."""


def muted_games(player: Player) -> Collection[int]:
    return frozenset(player.preferences.more.get(MUTED, ()))
