"""Before a game: registering, challenges and seeks, which share their numbers. Raises Refusal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from difflib import get_close_matches
from random import Random
from typing import Any

from pbem.core.clock.time_control import NONE, USUAL, TimeControl, read_pace
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.journal import START, Entry
from pbem.core.players import FORGOTTEN_PREFIX, Player, bot_name, has_program
from rules import find
from rules.contract import SEAT_NAMES, BadOption, Rules, Seat, option_words

CHALLENGE_DAYS = 7
CONFIRM_DAYS = 7
SEEK_DAYS = 30
MAX_SEEKS = 5
STANDING_DAYS = 90
"""Days that a standing seek stays open, counted anew each time that somebody takes the seek."""
STANDING_GAMES = range(2, 10)
"""Numbers of games of one standing seek that a seeker may allow to run at a time."""
MAX_BOT_GAMES = 5
"""Running games of one player against bots."""
BOTS_TAKE_AFTER = timedelta(days=1)
"""The age of a seek that a bot takes, if its seeker said `bots welcome`."""
RATED_TOGETHER, RATED_TOGETHER_PERIOD = 3, timedelta(days=30)
"""Rated games of the same two players in one game that can begin within this period."""


@dataclass(frozen=True)
class Seek:
    """A player's offer to anybody; `seats` (first, second, random) is the seeker's."""

    id: int
    seeker: Player
    rules: Rules
    options: Mapping[str, Any]
    seats: str
    rated: bool
    created_at: datetime
    expires_at: datetime
    time_control: TimeControl = NONE
    soft: bool = False
    comment: str = ""
    """A seeker's words for whoever takes the seek."""
    bots: int = 0
    """The level of the bot that takes the seek after a day, 0 where none is welcome."""
    near: bool = False
    """True if only players about as strong as the seeker may take it."""
    up_to: int = 0
    """The number of games of a standing seek that may run at a time; 0 for a seek that is taken once."""
    running: int = 0
    """The number of games of a standing seek that run now."""

    @property
    def option_words(self) -> str:
        return option_words(self.options)

    @property
    def with_program(self) -> bool:
        return self.seeker.program


@dataclass(frozen=True)
class Challenge(Seek):
    """An offer to one player, or a seek that `challenged` took (`sought`)."""

    challenged: Player = field(kw_only=True)
    sought: bool = False
    invitation: int = 0
    """The number of the invitation that it comes of; then the challenger did not name the other player."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rated", self.rated and not self.with_program)

    @property
    def with_program(self) -> bool:
        return has_program(self.pair)

    @property
    def challenger(self) -> Player:
        return self.seeker

    @property
    def pair(self) -> tuple[Player, Player]:
        return self.seeker, self.challenged


@dataclass(frozen=True)
class GameCount:
    """A player's running games, games finished in time, and starting limit."""

    running: int
    finished: int
    limit: int

    @property
    def full(self) -> bool:
        """True if the limit is reached, which grows by one for every five games finished in time."""
        return self.running >= self.limit + self.finished // 5


def too_many_games_sentence(room: GameCount) -> str:
    return f"You have {room.running} games running; finish one before you begin another."


def no_bot_sentence(name: str, levels: Sequence[int]) -> str:
    if not levels:
        return "There are no bots on this server. `play` and the name of a game asks people."
    names = ", ".join(bot_name(level) for level in levels)
    return f"There is no {name} here. You can challenge {names}; a higher number plays better."


def too_many_bot_games_sentence(running: int) -> str:
    return f"You have {running} games against bots running; finish one before you begin another."


def find_rules(word: str, offered: Mapping[str, Rules]) -> Rules:
    rules = find(word)
    if rules is not None and rules.key in offered:
        return rules
    known, _, more = word.partition(" ")
    if more and find(known) is not None:
        raise Refusal(
            f"I did not understand *{more}*. Behind the game come its options such as `size=4`, a clock such "
            "as `3d/move`, `first` or `second`, and `unrated`."
        )
    near = get_close_matches(word.lower(), offered, n=1)
    guess = f" Did you mean {near[0]}?" if near else ""
    raise Refusal(f"No game is called {word} here.{guess} Offered: {', '.join(offered)}.")


def check_can_challenge(
    challenger: Player, challenged: Player | None, name: str, names: Sequence[str]
) -> Player:
    """The player to challenge, called `name`; `names` are registered ones, to suggest."""
    if challenged is None or challenged.gone:
        raise Refusal(unknown_player_sentence(name, names))
    if challenged.id == challenger.id:
        raise Refusal("That is your own name; a game needs two people.")
    return challenged


def seek_for(
    seeker: Player,
    wanted: Mapping[str, Any],
    offered: Mapping[str, Rules],
    room: GameCount,
    now: datetime,
    days: int,
) -> Seek:
    """Return the seek for a command's arguments, not yet numbered.

    Games of some sizes, games without a clock, and those of programs are unrated.
    """
    rules = find_rules(wanted["game"], offered)
    try:
        options = rules.complete_for(wanted["game"], wanted["options"])
    except BadOption as wrong:
        raise Refusal(str(wrong)) from None
    if room.full:
        raise Refusal(too_many_games_sentence(room))
    time_control = read_pace(wanted["pace"] or USUAL)
    rated = wanted["rated"] and time_control != NONE and rules.may_be_rated(options)
    rated = rated and not seeker.program
    soft = bool(wanted.get("soft"))
    if soft and rated:
        raise Refusal("A soft clock is for games that are not rated; add the word `unrated`.")
    until = now + timedelta(days=days)
    return Seek(0, seeker, rules, options, wanted["seats"], rated, now, until, time_control, soft)


def add_terms_of_seek(seek: Seek, wanted: Mapping[str, Any]) -> Seek:
    """Add a seek's own terms: players of like strength, and several games."""
    near, up_to = bool(wanted.get("near")), wanted.get("up_to")
    if up_to is None:
        return replace(seek, near=near)
    if up_to not in STANDING_GAMES:
        fewest, most = STANDING_GAMES[0], STANDING_GAMES[-1]
        raise Refusal(f"A standing seek is for {fewest} to {most} games at a time: write `up to {fewest}`.")
    if wanted.get("welcome"):
        raise Refusal("No bot takes a standing seek: leave out `up to`, or `bots welcome`.")
    until = seek.created_at + timedelta(days=STANDING_DAYS)
    return replace(seek, near=near, up_to=up_to, expires_at=until)


def unknown_player_sentence(name: str, names: Sequence[str]) -> str:
    """A sentence like `Nobody here is called Jaoo. Did you mean Joao?`"""
    by_key = {known.lower(): known for known in names if not known.startswith(FORGOTTEN_PREFIX)}
    near = get_close_matches(name.lower(), by_key, n=1, cutoff=0.7)
    meant = "bot" if name.lower() in ("computer", "robot") else by_key[near[0]] if near else ""
    guess = f" Did you mean {meant}?" if meant else ""
    return f"Nobody here is called {name}.{guess}"


def choose_challenge(
    player: Player, waiting: Sequence[Challenge], wanted: int | None, about: int, verb: str
) -> Challenge:
    """Return the challenge that `accept` or `decline` answers: `wanted`, else `about`, else the only one."""
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


def check_new_seek(seek: Seek, mine: Sequence[Seek]) -> None:
    """Refuse a seek that is open already, or one too many. `mine` holds the player's open seeks."""
    for other in mine:
        if _terms(other) == _terms(seek):  # the mail may have come twice
            raise Refusal(
                f"Your seek {other.id} for the same game waits already; `withdraw {other.id}` takes it back."
            )
    if len(mine) >= MAX_SEEKS:
        raise Refusal(
            f"You have {len(mine)} seeks open, and that is as many as anybody may have; "
            f"`withdraw {mine[0].id}` takes one back."
        )


def _terms(seek: Seek) -> tuple[object, ...]:
    terms = (seek.rules.key, dict(seek.options), seek.seats, seek.rated, seek.time_control, seek.soft)
    return *terms, seek.near


def check_can_take(seek: Seek | None, state: str, number: int, taker: Player, now: datetime) -> Seek:
    if seek is None:
        raise Refusal(f"There is no seek {number}; `seeks` lists those that wait.")
    if state == "accepted":
        raise Refusal(f"Seek {number} has been taken; `seeks` lists those that wait.")
    if state != "open" or seek.expires_at <= now:
        raise Refusal(f"Seek {number} is not open any more; `seeks` lists those that wait.")
    if seek.seeker.id == taker.id:
        raise Refusal(f"Seek {number} is your own; `withdraw {number}` takes it back.")
    if seek.up_to and seek.running >= seek.up_to:
        raise Refusal(
            f"{seek.running} games of seek {number} run, as many as {seek.seeker.name} wants at a time. It "
            "waits again when one is over; `seeks` lists those that wait now."
        )
    return seek


def choose_withdrawal(mine: Mapping[int, Seek], wanted: int | None, about: int) -> Seek:
    """Return the seek or challenge that `withdraw` means. `about`: the number in the letter, or 0."""
    number = wanted or (about if about in mine else 0)
    if number and number in mine:
        return mine[number]
    if number:
        raise Refusal(f"You have no open seek or challenge with the number {number}.")
    if not mine:
        raise Refusal("You have no seek or challenge open.")
    if len(mine) > 1:
        raise Refusal(f"Several of yours are open; write {' or '.join(f'`withdraw {id}`' for id in mine)}.")
    return next(iter(mine.values()))


def terms_with_bot(wanted: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a challenge's arguments for a bot: without a clock, and rated only if asked for."""
    rated = bool(wanted.get("said_rated"))
    return {**wanted, "rated": rated, "pace": wanted["pace"] or (USUAL if rated else "none")}


def terms_of_rematch(game: Game, seat: Seat) -> Mapping[str, Any]:
    """Return the arguments of a challenge to the same game again, made by the player in `seat`."""
    return {
        "game": game.rules.key,
        "options": dict(part.split("=", 1) for part in option_words(game.options).split()),
        "pace": str(game.time_control),
        "seats": SEAT_NAMES[1 - seat],
        "rated": game.rated,
        "soft": game.soft,
        "said_rated": game.rated,
    }


def is_same_game(theirs: Challenge, wish: Challenge) -> bool:
    """True if another player's challenge has the game, terms and seats of `wish`."""
    if theirs.pair != wish.pair[::-1] or "random" in (theirs.seats, wish.seats):
        return False
    return theirs.seats != wish.seats and _terms(replace(theirs, seats=wish.seats)) == _terms(wish)


def begins_with_a_word_and_cell(game: Game) -> bool:
    """True if a legal ply begins with a word and a cell, such as `take c2`."""
    if game.state.ending is not None:
        return False
    words = game.rules.words
    return any(words.get(example.split(" ")[0]) == "cell" for example in game.state.position.examples())
