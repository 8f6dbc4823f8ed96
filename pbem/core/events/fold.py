"""The state of events, folded from their journals.

Each kind of entry that changes an event has one function. Leagues, ladders and matches have the same kinds of
entries. The scores of games come from the games themselves.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from pbem.core.events import league
from pbem.core.events.event import Data, Entrant, Event, EventEntry
from pbem.core.events.ladder import ANSWER_TIME, LADDER, next_moment
from pbem.core.events.league import EventGame, Settings
from pbem.core.events.schedule import pairings
from pbem.core.events.table import DRAW, FIRST, FORFEIT_LOSS, FORFEIT_WIN, SECOND

Change = Callable[[EventGame], EventGame]


@dataclass(frozen=True)
class EventState:
    """An event with its players by number, and its pairings by division and by place in the division."""

    event: Event
    players: Mapping[int, Entrant] = field(default_factory=dict)
    games: Mapping[tuple[int, int], EventGame] = field(default_factory=dict)

    def with_event(self, **changes: Any) -> "EventState":
        return replace(self, event=replace(self.event, **changes))

    def with_players(self, which: Collection[int], **changes: Any) -> "EventState":
        """Change those of these players who are in the event."""
        changed = {id: replace(self.players[id], **changes) for id in which if id in self.players}
        return replace(self, players={**self.players, **changed})

    def with_states(self, states: Collection[str], state: str) -> "EventState":
        """Give the new `state` to all players who have one of `states`."""
        return self.with_players(
            [id for id, each in self.players.items() if each.state in states], state=state
        )

    def with_games(self, which: Callable[[EventGame], bool], change: Change) -> "EventState":
        changed = {key: change(game) for key, game in self.games.items() if which(game)}
        return replace(self, games={**self.games, **changed})

    def with_pairs(self, pairs: Iterable[Iterable[int]], change: Change) -> "EventState":
        """Change the pairings of these first and second seats."""
        found = {tuple(pair) for pair in pairs}
        return self.with_games(lambda game: game.pair in found, change)

    def with_scores(self, scores: Mapping[int, str]) -> "EventState":
        """Score the pairings of ended games. `scores` are by number of the game."""
        return self.with_games(
            lambda game: game.game in scores, lambda game: with_score(game, scores[game.game or 0])
        )

    def with_new(self, entrants: Iterable[Entrant], games: Iterable[EventGame] = ()) -> "EventState":
        """Add players and pairings."""
        players = {each.player: each for each in entrants}
        added = {(each.division, each.n): each for each in games}
        return replace(self, players={**self.players, **players}, games={**self.games, **added})


def begin_event(id: int, first: EventEntry) -> EventState:
    """An event after the first entry of its journal."""
    return EventState(Event(id, **{**first.data, "settings": Settings(**first.data["settings"])}))


def fold(id: int, entries: Sequence[EventEntry], scores: Mapping[int, str]) -> EventState:
    """An event after its journal. `scores` are those of its ended games, by number."""
    state = begin_event(id, entries[0])
    for entry in entries[1:]:
        state = fold_entry(state, entry)
    state = state.with_scores(scores).with_games(lambda game: game.state == league.ENDED, settled)
    return _with_next_of_ladder(state, entries) if state.event.kind == LADDER else state


def _with_next_of_ladder(state: EventState, entries: Iterable[EventEntry]) -> EventState:
    """Set the time of a ladder's next step: for an overdue challenge or idle players."""
    looked = max(entry.at for entry in entries if entry.kind in ("ladder", "sink"))
    untils = {entry.n: entry.at + ANSWER_TIME for entry in entries if entry.kind == "challenge"}
    untils |= {
        entry.data["n"]: datetime.fromisoformat(entry.data["until"])
        for entry in entries
        if entry.kind == "delay"
    }
    waiting = [untils[game.n] for game in state.games.values() if game.state == league.WAITING]
    return state.with_event(next_at=next_moment(waiting, looked))


def fold_entry(state: EventState, entry: EventEntry) -> EventState:
    """An event after one more entry of its journal. `next` is the next moment to wake."""
    state = kind_of(entry).change(state.with_event(entries=entry.n), entry)
    if "begun" in entry.data:
        state = state.with_event(begun=entry.data["begun"])
    return state.with_event(next_at=_moment(entry.data, "next")) if "next" in entry.data else state


def with_score(game: EventGame, score: str | None) -> EventGame:
    """Set the state and, unless it was forced, the score of a pairing whose game ended or was reopened."""
    state = league.GOING if score is None else league.ENDED
    return replace(game, score=game.score if game.forced else score, state=state)


def settled(game: EventGame) -> EventGame:
    """A pairing whose end is handled."""
    return replace(game, state=league.SETTLED)


def game_score(how: str, winner: int | None, late: int | None) -> str:
    """Return the score of a game. A game is a forfeit if it is void because `late` made hardly any moves."""
    if how == "void" and late is not None:
        return FORFEIT_WIN if late else FORFEIT_LOSS
    if how == "void":
        return league.NO_RESULT
    return DRAW if winner is None else (FIRST, SECOND)[winner]


def _moment(data: Data, name: str) -> datetime | None:
    return datetime.fromisoformat(data[name]) if data.get(name) else None


def _waiting(game: EventGame) -> EventGame:
    """A pairing that begins, or goes on, without a score."""
    state = league.WAITING if game.game is None else league.GOING
    return replace(game, score=None, forced=False, state=state)


def _not_counted(game: EventGame) -> EventGame:
    return replace(game, score=league.NO_RESULT, forced=True, state=league.SETTLED)


def _open(state: EventState, entry: EventEntry) -> EventState:
    """Open the sign-up, or delay the start. A delay asks everybody again."""
    opened = state.with_event(state=league.OPEN, starts_at=_moment(entry.data, "starts"), asked=False)
    return opened.with_states((league.ASKED, league.CONFIRMED), league.ENTERED)


def _join(state: EventState, entry: EventEntry) -> EventState:
    same = {"n": entry.n, "state": entry.data["state"], "place": entry.data.get("club")}
    return state.with_new(Entrant(state.event.id, id, **same) for id in entry.data["players"])


def _leave(state: EventState, entry: EventEntry) -> EventState:
    """Remove a player who is in no division, and let the ladder challenges in the entry count for nobody."""
    gone = entry.data["player"]
    left = {id: each for id, each in state.players.items() if id != gone or each.division is not None}
    off = entry.data.get("off", ())
    return replace(state, players=left).with_games(lambda game: game.n in off, _not_counted)


def _ladder(state: EventState, entry: EventEntry) -> EventState:
    return state.with_event(state=league.RUNNING, starts_at=entry.at, divisions=1)


def _challenge(state: EventState, entry: EventEntry) -> EventState:
    """Pair a player with one above; the challenged player has the first seat."""
    pair = entry.data["upper"], entry.data["player"]
    return state.with_new((), [EventGame(*pair, entry.n, None, None, league.WAITING)])


def _cancel(state: EventState, entry: EventEntry) -> EventState:
    return state.with_games(lambda game: game.n == entry.data["n"], _not_counted)


def _confirm(state: EventState, entry: EventEntry) -> EventState:
    return state.with_players([entry.data["player"]], state=league.CONFIRMED)


def _ask(state: EventState, entry: EventEntry) -> EventState:
    """Mark the named players as asked; an entry without players means that all were asked."""
    ids = entry.data["players"]
    return state.with_players(ids, state=league.ASKED) if ids else state.with_event(asked=True)


def _divide(state: EventState, entry: EventEntry) -> EventState:
    """Seat the players and write all pairings. Players who have not confirmed are absent."""
    divisions = entry.data["divisions"]
    ends = _moment(entry.data, "ends")
    state = state.with_event(state=league.STARTING, divisions=len(divisions), ends_at=ends)
    state = state.with_states((league.ENTERED, league.ASKED), league.ABSENT)
    there = {id: each for id, each in state.players.items() if each.state != league.CONFIRMED}
    seated = [
        Entrant(state.event.id, id, state.players[id].n, league.PLAYING, number, place)
        for number, division in enumerate(divisions, 1)
        for place, id in enumerate(division, 1)
    ]
    games = [
        EventGame(*pair, n, None, None, league.WAITING, division=number)
        for number, division in enumerate(divisions, 1)
        for n, pair in enumerate(pairings(division, double=state.event.settings.double), 1)
    ]
    return replace(state, players=there).with_new(seated, games)


def _boards(state: EventState, entry: EventEntry) -> EventState:
    """Seat the players of a match, two games a board. Players not named have no board."""
    boards = entry.data["boards"]
    state = state.with_event(state=league.STARTING, divisions=len(boards))
    state = state.with_players(state.players, state=league.ABSENT)
    for number, (first, second) in enumerate(boards, 1):
        games = (
            EventGame(*pair, n, None, None, league.WAITING, division=number)
            for n, pair in enumerate(((first, second), (second, first)), 1)
        )
        state = state.with_players((first, second), state=league.PLAYING, division=number).with_new((), games)
    return state


def _begin(state: EventState, entry: EventEntry) -> EventState:
    """Record the games that have begun. The event runs once all divisions have their letters."""
    begun = {(first, second): game for first, second, game in entry.data["games"]}
    state = state.with_games(
        lambda game: game.state == league.WAITING and game.pair in begun,
        lambda game: replace(game, game=begun[game.pair], state=league.GOING),
    )
    told = entry.data.get("begun") == 2 * state.event.divisions
    return state.with_event(state=league.RUNNING) if told else state


def _withdraw(state: EventState, entry: EventEntry) -> EventState:
    """Score the named games of a player as forfeits, and mark running games as to be ended."""
    player = entry.data["player"]

    def forfeit(game: EventGame) -> EventGame:
        score = FORFEIT_LOSS if game.first == player else FORFEIT_WIN
        after = league.ENDED if game.game is None else league.TO_VOID
        return replace(game, score=score, forced=True, state=after)

    return state.with_players([player], state=league.LEFT).with_pairs(entry.data["games"], forfeit)


def _fill(state: EventState, entry: EventEntry) -> EventState:
    """Give a player's place, results and games to a standby player."""
    old, new = entry.data["player"], entry.data["by"]
    seat = state.players[old]

    def hand_over(game: EventGame) -> EventGame:
        first, second = (new if id == old else id for id in game.pair)
        after = league.TO_REPLACE if game.state == league.GOING else game.state
        return replace(game, first=first, second=second, state=after)

    state = state.with_players([old], state=league.LEFT, division=None, place=None)
    state = state.with_players([new], state=league.PLAYING, division=seat.division, place=seat.place)
    return state.with_games(lambda game: game.has(old), hand_over)


def _replaced(state: EventState, entry: EventEntry) -> EventState:
    """Let a game go on that was given to a standby player."""
    number = entry.data["game"]
    return state.with_games(
        lambda game: game.game == number and game.state == league.TO_REPLACE,
        lambda game: replace(game, state=league.GOING),
    )


def _reinstate(state: EventState, entry: EventEntry) -> EventState:
    """Let a withdrawn player play on. `anew` are pairings still without a game."""
    state = state.with_players([entry.data["player"]], state=league.PLAYING)
    state = state.with_pairs(entry.data["anew"], lambda game: _waiting(replace(game, game=None)))
    return state.with_pairs(entry.data["going"], _waiting)


def _award(state: EventState, entry: EventEntry) -> EventState:
    score = entry.data["score"]
    return state.with_games(
        lambda game: _is_named(game, entry.data),
        lambda game: replace(game, score=score, forced=True, state=league.ENDED),
    )


def _unaward(state: EventState, entry: EventEntry) -> EventState:
    """Undo a director's award; the result of the game counts again, or the game is still to begin."""
    return state.with_games(lambda game: _is_named(game, entry.data), _waiting)


def _is_named(game: EventGame, data: Data) -> bool:
    """True if the entry names this pairing, with or without its number `n`."""
    return game.pair == (data["first"], data["second"]) and data.get("n") in (None, game.n)


def _over(state: EventState, entry: EventEntry) -> EventState:
    """End a season; the named games, which go on, count for nobody."""
    return state.with_event(state=league.OVER).with_pairs(entry.data["games"], _not_counted)


def _close(state: EventState, entry: EventEntry) -> EventState:
    """End a running season at this moment; a season that has not begun becomes void."""
    if state.event.state == league.RUNNING:
        return state.with_event(ends_at=entry.at)
    return state.with_event(state=league.VOID)


def _players(*names: str) -> Callable[[Data], Collection[int]]:
    return lambda data: [data[name] for name in names]


def _of_pairs(*names: str) -> Callable[[Data], Collection[int]]:
    """Return a reader of `player` and of lists of pairings."""

    def touched(data: Data) -> Collection[int]:
        about = [data["player"]] if "player" in data else []
        return {*about, *(id for name in names for first, second, *_ in data[name] for id in (first, second))}

    return touched


@dataclass(frozen=True)
class EntryKind:
    """The change that a kind of entry makes, and the rows needed for the change.

    `touched` returns the players whose rows, and whose pairings with each other, are needed; None means all.
    Some kinds need no players' rows, or no pairings.
    """

    change: Callable[[EventState, EventEntry], EventState]
    touched: Callable[[Data], Collection[int]] | None = None
    players: bool = True
    games: bool = True


OTHER = EntryKind(lambda state, entry: state, _players())
"""An entry that sets `begun` and `next` alone, or is read by name where it matters."""
KINDS: Mapping[str, EntryKind] = {
    "open": EntryKind(_open, games=False),
    "ladder": EntryKind(_ladder, _players()),
    "challenge": EntryKind(_challenge, _players()),
    "cancel": EntryKind(_cancel, players=False),
    "join": EntryKind(_join, lambda data: data["players"], games=False),
    "leave": EntryKind(_leave),
    "ask": EntryKind(_ask, lambda data: data["players"], games=False),
    "confirm": EntryKind(_confirm, _players("player"), games=False),
    "divide": EntryKind(_divide),
    "boards": EntryKind(_boards),
    "begin": EntryKind(_begin, _of_pairs("games"), players=False),
    "withdraw": EntryKind(_withdraw, _of_pairs("games")),
    "fill": EntryKind(_fill),
    "replaced": EntryKind(_replaced, players=False),
    "award": EntryKind(_award, _players("first", "second"), players=False),
    "unaward": EntryKind(_unaward, _players("first", "second"), players=False),
    "reinstate": EntryKind(_reinstate, _of_pairs("anew", "going")),
    "over": EntryKind(_over, players=False),
    "close": EntryKind(_close, _players()),
    **dict.fromkeys(("director", "half", "end", "done", "goes on", "sink", "delay"), OTHER),
}
"""All kinds of entries, by name. A new kind needs a row here, and its function above."""


def kind_of(entry: EventEntry) -> EntryKind:
    return KINDS.get(entry.kind, OTHER)
