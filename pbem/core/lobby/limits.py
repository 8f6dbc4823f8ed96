"""Limits: games of a kind at once, blocked players, words. A move is never refused for its words."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, RESIGN, SAY
from pbem.core.players import Player
from rules.contract import Rules, Seat

MAX_WORDS = 4_000
"""Maximum characters with one mail: two printed pages."""
MAX_WORDS_A_DAY = 20_000
MAX_WORDS_A_GAME = 200_000
"""Maximum characters of one player in one game, so that programs can still open the game's record."""
MAX_QUOTED = 40
"""Maximum quoted characters of unsent words, which must fit a letter's line."""
DAY = timedelta(days=1)
WORDS_BY_KIND = {PLY: "comment", RESIGN: "comment", SAY: "words"}


@dataclass(frozen=True)
class Limits:
    """One player's limits: `limits` by game key, `blocked` in order of name."""

    limits: Mapping[str, int]
    blocked: tuple[Player, ...] = ()

    @property
    def blocked_names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.blocked)


def limit_reached(limits: Limits, rules: Rules, running: int) -> bool:
    most = limits.limits.get(rules.key)
    return most is not None and running >= most


def own_limit_sentence(rules: Rules, limits: Limits) -> str:
    most = limits.limits[rules.key]
    return f"You want at most {most} games of {rules.name} at a time; `limit {rules.key} none` lifts that."


def barred_sentence(player: Player) -> str:
    reason = player.barred.rstrip(".")
    return (
        f"The operator of this server has barred you: {reason}. You can finish the games you have; no game "
        "begins with you, and no words of yours go to others. Write to postmaster about it."
    )


def undelivered_sentence(player: Player, to: str) -> str:
    """Return the sentence for words that cannot reach the other. Somebody is barred or blocked."""
    if player.barred:
        return barred_sentence(player)
    return f"Messages between you and {to} are off; moves still work."


def read_limit(wanted: Mapping[str, Any]) -> int | None:
    most = wanted["most"].lower()
    return None if most == "none" else int(most)


def limit_words(game: Game, seat: Seat, words: str, at: datetime) -> tuple[str, str]:
    """Return the words within the limits ("" beyond a day's or a game's), and a sentence about the others."""
    name = game.seats[1 - seat].name
    if problem := _words_exceeded(game, seat, min(len(words), MAX_WORDS), at):
        return "", f"Your words have not gone to {name}: {problem}"
    if len(words) <= MAX_WORDS:
        return words, ""
    kept = _allowed_beginning(words)
    rest = words[len(kept) :].strip()
    quoted = " ".join(rest[:MAX_QUOTED].split())
    return kept, (
        f"One mail brings {name} {MAX_WORDS} characters at most, and yours held {len(words)}. The first "
        f'{len(kept)} have gone; the last {len(rest)} have not, from "{quoted}" on.'
    )


def refuse_too_long(words: str) -> None:
    if len(words) > MAX_WORDS:
        raise Refusal(
            f"The words in your mail have {len(words)} characters, and {MAX_WORDS} can be sent, so nothing "
            "was done; please write fewer."
        )


def shorten_for_writer(words: str) -> str:
    if len(words) <= MAX_WORDS:
        return words
    kept = _allowed_beginning(words)
    return f"{kept}\n(and {len(words) - len(kept)} more characters)"


def _words_exceeded(game: Game, seat: Seat, more: int, at: datetime) -> str:
    own = (entry for entry in game.journal if entry.seat == seat and entry.kind in WORDS_BY_KIND)
    said = [(entry.at, len(entry.data.get(WORDS_BY_KIND[entry.kind], ""))) for entry in own]
    if sum(number for _, number in said) + more > MAX_WORDS_A_GAME:
        return f"in one game each player can say {MAX_WORDS_A_GAME} characters, and yours are used up."
    if sum(number for when, number in said if when > at - DAY) + more > MAX_WORDS_A_DAY:
        return (
            f"in one game each player can say {MAX_WORDS_A_DAY} characters within 24 hours, and with these "
            "you would have said more. Moves are made all the same."
        )
    return ""


def _allowed_beginning(words: str) -> str:
    cut = max(words.rfind(space, MAX_WORDS // 2, MAX_WORDS + 1) for space in " \n")
    return words[: cut if cut > 0 else MAX_WORDS].rstrip()
