"""A director's decisions about a game: one entry each, and letters."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.core.clock import dates
from pbem.core.clock.intervals import FOREVER, Interval, interval_at
from pbem.core.clock.time_control import MAX_TIME, MIN_TIME, read_time
from pbem.core.errors import Refusal
from pbem.core.game import journal
from pbem.core.game.game import Game
from pbem.core.game.journal import (
    ADJUDICATE,
    EXTEND,
    PLY,
    RESIGN,
    ROLLBACK,
    SEATS,
    TIMEOUT,
    WORD_KEYS,
    Entry,
    director_stops,
)
from pbem.core.game.view import view, view_for_reader
from pbem.core.letters.letter import Letter, about_game, result_letter
from pbem.core.parsing.director_acts import BOTH
from pbem.core.players import Player
from rules.contract import SEAT_NAMES, RulesError, Seat

Args = Mapping[str, str]
"""The words of an act, by their fields."""
MAX_REASON, MAX_WORDS = 500, 5000
"""Characters: of a reason, and of a message."""


def clean_reason(reason: str) -> str:
    line = " ".join("".join(c if c.isprintable() else " " for c in reason).split())
    none = "A reason is needed: the players read it, and the game keeps it."
    return _check_length(line, "A reason", MAX_REASON, none)


def clean_message(words: str) -> str:
    clean = "".join(c if c.isprintable() or c == "\n" else " " for c in words).strip()
    return _check_length(clean, "A message", MAX_WORDS, "There are no words in that message.")


def _check_length(text: str, what: str, most: int, none: str) -> str:
    if not text:
        raise Refusal(none)
    if len(text) > most:
        raise Refusal(f"{what} has at most {most} characters; this one has {len(text)}.")
    return text


def extend(game: Game, time: timedelta, seat: Seat | None, reason: str, at: datetime) -> Entry:
    _check_has_clock(_check_running(game), "give time to")
    if not MIN_TIME <= time <= MAX_TIME:
        raise Refusal("Time to give is from an hour to 365 days.")
    return _entry(game, EXTEND, seat, reason, at, seconds=int(time.total_seconds()))


def stop_clocks(game: Game, until: datetime | None, reason: str, at: datetime) -> Entry:
    _check_has_clock(_check_running(game), "pause")
    at = game.not_before(at)
    if (pause := director_pause(game, at)) is not None:
        ends = "without an end" if pause[1] == FOREVER else f"until {pause[1]:%Y-%m-%d %H:%M} UTC"
        raise Refusal(f"Game {game.id} is paused already, {ends}. Resume it first.")
    if until is not None and until <= at:
        raise Refusal(f"The pause would end at {until:%Y-%m-%d %H:%M} UTC, before it begins.")
    more = {} if until is None else {"until": until.isoformat()}
    return _entry(game, journal.HALT, None, reason, at, **more)


def start_clocks(game: Game, reason: str, at: datetime) -> Entry:
    if director_pause(_check_running(game), game.not_before(at)) is None:
        raise Refusal(f"Game {game.id} is not paused by a director.")
    return _entry(game, journal.GO, None, reason, at)


def rollback(game: Game, ply: int, reason: str, at: datetime) -> Entry:
    plies, ending = game.state.plies, game.state.ending
    if ply and not plies:
        raise Refusal(f"Game {game.id} has no moves to go back to.")
    if not 0 <= ply <= len(plies):
        raise Refusal(f"Game {game.id} has moves 1 to {len(plies)}, so none numbered {ply} to go back to.")
    if ply == len(plies) and ending is None:
        raise Refusal(f"Game {game.id} is after move {ply} already.")
    if ply == len(plies) and ending is not None and ending.how == "rules":
        raise Refusal(f"Game {game.id} ended by its rules with move {ply}; go back to {ply - 1} or before.")
    entry = plies[ply - 1].entry if ply else 0
    return _entry(game, ROLLBACK, None, reason, at, ply=ply, entry=entry)


def adjudicate(game: Game, result: str, reason: str, at: datetime) -> Entry:
    return _entry(_check_running(game), ADJUDICATE, None, reason, at, result=result)


def enter(game: Game, text: str, reason: str, at: datetime) -> Entry:
    """Return the entry of a move that a director makes for the player whose turn it is."""
    position = _check_running(game).state.position
    try:
        move, _ = position.split(position.read(text))
        problem = position.problem(move)
    except RulesError as error:
        problem = str(error)
    if problem is not None:
        raise Refusal(f"Nothing was entered in game {game.id}: {problem}")
    return _entry(game, PLY, game.state.to_play, reason, at, move=str(move))


def replace_seated(game: Game, seat: Seat, player: Player, reason: str, at: datetime) -> Entry:
    if _check_running(game).seat_of(player) is not None:
        raise Refusal(f"{player.name} plays in game {game.id} already.")
    was = game.seats[seat]
    facts = {"player": player.id, "name": player.name, "was": was.id, "old": was.name}
    return _entry(game, journal.REPLACE, seat, reason, at, **facts, turn=game.state.to_play == seat)


def notice(game: Game, words: str, at: datetime) -> Entry:
    return _entry(game, journal.NOTICE, None, words, at)


def _extend(game: Game, args: Args, newcomer: Player | None, reason: str, now: datetime) -> Entry:
    to = args["to"]
    seat = None if to == BOTH else SEATS[SEAT_NAMES.index(to)] if to else game.state.to_play
    return extend(game, read_time(args["time"]), seat, reason, now)


def _replace(game: Game, args: Args, newcomer: Player | None, reason: str, now: datetime) -> Entry:
    assert newcomer is not None
    return replace_seated(game, SEATS[SEAT_NAMES.index(args["seat"])], newcomer, reason, now)


DECISIONS: Mapping[str, Callable[[Game, Args, Player | None, str, datetime], Entry]] = {
    "extend": _extend,
    "pause": lambda game, args, _, reason, now: stop_clocks(game, pause_until(args, now), reason, now),
    "resume": lambda game, args, _, reason, now: start_clocks(game, reason, now),
    "rollback": lambda game, args, _, reason, now: rollback(game, int(args["ply"]), reason, now),
    "adjudicate": lambda game, args, _, reason, now: adjudicate(game, args["result"], reason, now),
    "enter": lambda game, args, _, reason, now: enter(game, args["move"], reason, now),
    "replace": _replace,
    "message": lambda game, args, _, reason, now: notice(game, reason, now),
}
"""What each act of a game decides, by its word in `pbem.core.parsing.director_acts.ACTS`."""


def decide_act(game: Game, args: Args, newcomer: Player | None, reason: str, now: datetime) -> Entry:
    """Return the entry of an act of a game. `newcomer` is for `replace`. Raises Refusal."""
    return DECISIONS[args["act"]](game, args, newcomer, reason, now)


def read_moment(text: str, now: datetime) -> datetime:
    """Read a day (00:00 UTC), an ISO 8601 moment, or `3d`. Raises Refusal."""
    try:
        return _moment(text, now).astimezone(UTC).replace(microsecond=0)
    except (OverflowError, ValueError):
        raise Refusal(f"There is no {text}.") from None


def _moment(text: str, now: datetime) -> datetime:
    if re.fullmatch(r"\d{1,4}[dh]", text, re.IGNORECASE):
        return now + read_time(text)
    if re.match(r"\d{4}-\d\d-\d\d", text):
        at = datetime.fromisoformat(text.upper())
        return at if at.tzinfo else at.replace(tzinfo=UTC)
    return datetime.combine(dates.read_date(text, now.date()), datetime.min.time(), UTC)


def hours_given(args: Mapping[str, str]) -> int:
    """The hours that an act gives; 0 where it gives none."""
    return read_time(args["time"]) // timedelta(hours=1) if "time" in args else 0


def pause_until(args: Mapping[str, str], now: datetime) -> datetime | None:
    """The moment at which a pause is to end, if any. Raises Refusal."""
    text = args.get("until", "").lower().removeprefix("until").strip()
    return read_moment(text, now) if text else None


def director_name(player: Player) -> str:
    """Return a director's name in the operator's log. No user of a system has such a name."""
    return f"director {player.name}"


def words_said(game: Game) -> Iterator[tuple[Entry, str, str]]:
    """The players' words: the entry, its author's name, and the text. `hide` names the entry."""
    for entry in game.journal:
        author = game.author_of(entry)
        for key in WORD_KEYS:
            if author is not None and entry.data.get(key):
                yield entry, author[1], str(entry.data[key])


def director_pause(game: Game, at: datetime) -> Interval | None:
    return interval_at(director_stops(game.journal), at)


def _check_running(game: Game) -> Game:
    if game.state.ending is not None:
        raise Refusal(f"Game {game.id} is over: {game.state.ending.reason}. A rollback opens a game again.")
    return game


def _check_has_clock(game: Game, what: str) -> None:
    if game.time_control.bank is None:
        raise Refusal(f"Game {game.id} is played without a clock, so there is nothing to {what}.")


def _entry(game: Game, kind: str, seat: Seat | None, reason: str, at: datetime, **data: Any) -> Entry:
    return game.next_entry(at, kind, seat, {**data, "reason": reason})


def letters_for_decision(before: Game, after: Game, site: str, old: Player | None = None) -> list[Letter]:
    """Letters about the newest entry, a director's. `old` is the player who lost their seat."""
    entry = after.journal[-1]
    if entry.kind in (ADJUDICATE, RESIGN, TIMEOUT):
        results = [result_letter(view(after, seat, site), entry.n) for seat in SEATS]
        return [replace(letter, needed=True) for letter in results]
    ends: list[Letter] = []
    if entry.kind == PLY and after.state.ending is not None:
        ends = [result_letter(view(after, seat, site), entry.n) for seat in SEATS]
    gone = after.state.plies[-1].n + 1 if after.state.plies else 1
    pause = director_pause(after, entry.at)
    facts = {
        "ruling": entry,
        "hours": entry.data["seconds"] // 3600 if entry.kind == EXTEND else 0,
        "pause_ends": None if pause is None or pause[1] == FOREVER else pause[1],
        "ticks": after.time_control.bank is not None,
        "gone": [ply for ply in before.state.plies if ply.n >= gone],
        "reopened": before.state.ending is not None,
        "until": after.deadline,
        "stands": pause is not None,
    }
    letters = []
    for seat in SEATS:
        orders = (before.state.standing[seat], before.state.conditional_moves[seat])
        voided = entry.kind in (ROLLBACK, PLY) and orders != (None, None)
        mine = facts | {"mine": entry.seat == seat, "voided": voided}
        letters.append(about_game("director", view(after, seat, site), **mine))
    if old is not None:
        seen = view_for_reader(after, old, site)
        letters.append(about_game("director", seen, **facts, mine=False, voided=False))
    return letters + ends
