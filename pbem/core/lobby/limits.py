"""A player's limits: games of a kind at once, and blocked players."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.core.players import Player
from rules.contract import Rules


@dataclass(frozen=True)
class Limits:
    """One player's limits: `limits` by game key, `blocked` in order of name."""

    limits: Mapping[str, int]
    blocked: tuple[Player, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.blocked)


def limit_reached(limits: Limits, rules: Rules, running: int) -> bool:
    most = limits.limits.get(rules.key)
    return most is not None and running >= most


def no_game_now_sentence(rules: Rules, name: str) -> str:
    """The sentence for the other player. It is the same for a limit and a block."""
    return f"No game of {rules.name} with {name} can begin at present; `seeks` lists who waits for one."


def own_limit_sentence(rules: Rules, limits: Limits) -> str:
    most = limits.limits[rules.key]
    return (
        f"You wish to have no more than {most} of {rules.name} running; `limit {rules.key} none` lifts that."
    )


def own_block_sentence(name: str) -> str:
    return f"You have blocked {name}; `unblock {name}` ends that."


def barred_sentence(player: Player) -> str:
    reason = player.barred.rstrip(".")
    return (
        f"The operator of this server has barred you: {reason}. You can finish the games you have; no game "
        "begins with you, and no words of yours go to others. Write to postmaster about it."
    )


def undelivered_sentence(player: Player, to: str) -> str:
    """The sentence for a player who is barred, or of whom one has blocked the other."""
    if player.barred:
        return barred_sentence(player)
    return f"No words go between you and {to} at present; moves do."


def read_limit(wanted: Mapping[str, Any]) -> int | None:
    most = wanted["most"].lower()
    return None if most == "none" else int(most)
