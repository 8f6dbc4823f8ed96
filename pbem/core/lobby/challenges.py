"""Before a game: registering, challenging, accepting and declining.

Each function checks facts loaded for it and returns a value to store, or raises Refusal with the sentence for
the sender.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from difflib import get_close_matches
from random import Random
from typing import Any

from pbem.core.clock.time_control import NONE, USUAL, BadPace, TimeControl, read_pace
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.journal import START, Entry
from pbem.core.players import FORGOTTEN_PREFIX, Player, name_problem
from rules import find
from rules.contract import BadOption, Rules, option_words

CHALLENGE_DAYS = 7
CONFIRM_DAYS = 7


@dataclass(frozen=True)
class Challenge:
    """One player's challenge of another; `seats` (first, second, random) is the challenger's."""

    id: int
    challenger: Player
    challenged: Player
    rules: Rules
    options: Mapping[str, Any]
    seats: str
    rated: bool
    created_at: datetime
    expires_at: datetime
    time_control: TimeControl = NONE
    soft: bool = False
    sought: bool = False
    """True if it was an open seek before `challenged` took it."""

    def numbered(self, id: int) -> Challenge:
        return replace(self, id=id)

    @property
    def pair(self) -> tuple[Player, Player]:
        return self.challenger, self.challenged

    @property
    def option_words(self) -> str:
        return option_words(self.options)


@dataclass(frozen=True)
class GameCount:
    """A player's running games, games finished in time, and starting limit."""

    running: int
    finished: int
    limit: int

    @property
    def full(self) -> bool:
        """True at the limit. It grows by one for every five games finished in time."""
        return self.running >= self.limit + self.finished // 5


def too_many_games_sentence(room: GameCount) -> str:
    return f"You have {room.running} games running; finish one before you begin another."


def check_can_register(
    name: str, keywords: frozenset[str], name_owner: Player | None, address_owner: Player | None
) -> None:
    if (sentence := name_problem(name, keywords)) is not None:
        raise Refusal(sentence)
    if address_owner is not None:
        raise Refusal(f"This address is already registered, as {address_owner.name}.")
    if name_owner is not None:
        raise Refusal(f"The name {name_owner.name} is taken; please choose another.")


def find_rules(word: str, offered: Mapping[str, Rules]) -> Rules:
    rules = find(word)
    if rules is not None and rules.key in offered:
        return rules
    near = get_close_matches(word.lower(), offered, n=1)
    guess = f" Did you mean {near[0]}?" if near else ""
    raise Refusal(f"No game is called {word} here.{guess} Offered: {', '.join(offered)}.")


def propose_challenge(
    challenger: Player,
    challenged: Player | None,
    wanted: Mapping[str, Any],
    offered: Mapping[str, Rules],
    room: GameCount,
    names: Sequence[str],
    now: datetime,
) -> Challenge:
    """The challenge for the arguments of a `challenge` command, not yet numbered.

    `names` are registered names, to suggest one for an unknown name.
    """
    if challenged is None or challenged.gone:
        raise Refusal(unknown_player_sentence(wanted["player"], names))
    if challenged.id == challenger.id:
        raise Refusal("That is your own name; a game needs two people.")
    rules, options = find_game(wanted, offered)
    if room.full:
        raise Refusal(too_many_games_sentence(room))
    time_control, rated, soft = game_terms(wanted)
    return Challenge(
        id=0,
        challenger=challenger,
        challenged=challenged,
        rules=rules,
        options=options,
        seats=wanted["seats"],
        rated=rated,
        created_at=now,
        expires_at=now + timedelta(days=CHALLENGE_DAYS),
        time_control=time_control,
        soft=soft,
    )


def find_game(wanted: Mapping[str, Any], offered: Mapping[str, Rules]) -> tuple[Rules, Mapping[str, Any]]:
    rules = find_rules(wanted["game"], offered)
    try:
        return rules, rules.complete(wanted["options"])
    except BadOption as wrong:
        raise Refusal(str(wrong)) from None


def game_terms(wanted: Mapping[str, Any]) -> tuple[TimeControl, bool, bool]:
    """A game's time control, and two flags: rated, and soft clock. Without a clock no game is rated."""
    try:
        time_control = read_pace(wanted["pace"] or USUAL)
    except BadPace as wrong:
        raise Refusal(str(wrong)) from None
    rated = wanted["rated"] and time_control != NONE
    if wanted.get("soft") and rated:
        raise Refusal("A soft clock is for games that are not rated; add the word `unrated`.")
    return time_control, rated, bool(wanted.get("soft"))


def unknown_player_sentence(name: str, names: Sequence[str]) -> str:
    """A sentence like `Nobody here is called Jaoo. Did you mean Joao?`"""
    by_key = {known.lower(): known for known in names if not known.startswith(FORGOTTEN_PREFIX)}
    near = get_close_matches(name.lower(), by_key, n=1, cutoff=0.7)
    guess = f" Did you mean {by_key[near[0]]}?" if near else ""
    return f"Nobody here is called {name}.{guess}"


def choose_challenge(
    player: Player, waiting: Sequence[Challenge], wanted: int | None, about: int, verb: str
) -> Challenge:
    """The challenge that an `accept` or `decline` answers.

    `wanted` is the written number, `about` the challenge of the letter (0: none), `waiting` the player's open
    challenges. Without a number the only waiting one is meant.
    """
    mine = {challenge.id: challenge for challenge in waiting if challenge.challenged.id == player.id}
    number = wanted or about
    if number:
        if number in mine:
            return mine[number]
        if any(challenge.id == number for challenge in waiting):
            raise Refusal(f"Challenge {number} is your own; it waits for the other player's answer.")
        raise Refusal(f"Challenge {number} is not open any more, or is not yours to answer.")
    if not mine:
        raise Refusal(f"There is no challenge that you could {verb}.")
    if len(mine) > 1:
        spelled = " or ".join(f"`{verb} {id}`" for id in mine)
        raise Refusal(f"Several challenges wait for you; write {spelled}.")
    return next(iter(mine.values()))


def seats_for(challenge: Challenge, rng: Random) -> tuple[Player, Player]:
    pair = challenge.pair
    if challenge.seats == "first" or (challenge.seats == "random" and rng.random() < 0.5):
        return pair
    return pair[1], pair[0]


def opening_entry(game: Game) -> Entry:
    return Entry(1, game.started_at, START, None, {})
