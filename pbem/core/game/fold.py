"""The folds of a journal, into the state and into both clocks. Entries were checked when written."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from pbem.core.clock.clock import Clock
from pbem.core.game import journal
from pbem.core.game.conditional import ConditionalMoves, plan_from_data
from pbem.core.game.journal import OFFER_LIFETIMES, SEATS, Entry
from pbem.core.game.setup import Setup
from pbem.core.game.state import Comment, Ending, Offer, Ply, SpokenWords, State, TakenBackPly, put_at
from pbem.core.redact import mask_hosts
from rules.contract import SEAT_NAMES, Rules, Seat, other

OFFERED = {
    journal.OFFER: "draw",
    journal.ASK_ANNUL: "annul",
    journal.ASK_PAUSE: "pause",
    journal.TAKEBACK_OFFER: "undo",
}
UNTIL_PLAYED = frozenset({"draw", "annul"})
"""Offers that end when the other player makes a move."""
ANSWERED = {
    **dict.fromkeys((journal.DECLINE, journal.LAPSE), "draw"),
    journal.PAUSE: "pause",
    journal.TAKEBACK_DECLINED: "undo",
}
"""The offer that each kind of entry ends, unless the entry names another."""


def fold(game: Setup, *, upto: int | None = None) -> State:
    """Return the state after the journal's first `upto` entries, by default all."""
    seed = game.seed if game.rules.deals else 0
    states = [_first_state(game.rules, tuple(game.options.items()), seed)]
    for entry in game.journal[:upto]:
        if entry.kind == journal.ROLLBACK:  # without folding anything twice
            states.append(_apply_rollback(states[-1], states[entry.data["entry"]], entry))
        else:
            states.append(state_after(game, states[-1], entry))
    return states[-1]


@lru_cache(256)  # the games of a season begin alike, and so do their pictures and examples
def _first_state(rules: Rules, options: tuple[tuple[str, Any], ...], seed: int) -> State:
    return State(rules.begin(dict(options), seed))


def state_after(game: Setup, state: State, entry: Entry) -> State:
    """Return the state after one more entry. A game's end also ends its offers."""
    if entry.kind == journal.ROLLBACK:
        return _apply_rollback(state, fold(game, upto=entry.data["entry"]), entry)
    if entry.kind in journal.RULINGS:
        state = _apply_ruling(state, entry)
    elif entry.kind == journal.COMMENT:
        state = _add_comment(state, entry)
    elif entry.seat is not None:
        state = _apply_entry(game, state, entry, entry.seat)
    return replace(state, offers={}) if state.ending is not None and state.offers else state


def _apply_entry(game: Setup, state: State, entry: Entry, seat: Seat) -> State:
    if entry.kind in OFFERED:
        what = OFFERED[entry.kind]
        offer = Offer(seat, entry, entry.at + OFFER_LIFETIMES[what])
        return replace(state, offers={**state.offers, what: offer})
    if entry.kind in ANSWERED:
        return _without_offer(state, entry.data.get("offer", ANSWERED[entry.kind]))
    match entry.kind:
        case journal.PLY:
            return _apply_ply(state, entry, seat)
        case journal.SAY:
            return _add_words(state, entry, seat, entry.data["words"])
        case journal.PLAN:  # an empty one ends the standing order of a ply too
            standing = state.standing if entry.data["plan"] else put_at(seat, None, state.standing)
            planned = _planned(state, entry, seat, len(state.plies))
            return replace(state, standing=standing, conditional_moves=planned)
        case journal.TAKEBACK:
            return _apply_takeback(state, entry)
        case journal.GIVE:  # clears the receiver's fallen flag, never the giver's
            return state if seat == state.to_play else replace(state, flagged=None)
        case journal.FLAG:
            return replace(state, flagged=datetime.fromisoformat(entry.data["flag"]))
    return _apply_end(game, state, entry, seat)


def _apply_end(game: Setup, state: State, entry: Entry, seat: Seat) -> State:
    name, opponent = game.seats[seat].name, game.seats[other(seat)].name
    match entry.kind:
        case journal.AGREE:
            return _end(state, "agreement", None, "Draw agreed", entry.at)
        case journal.ANNUL:
            return _end(state, "void", None, "Annulled, as both agreed", entry.at)
        case journal.RESIGN:
            if comment := entry.data.get("comment"):
                state = _add_words(state, entry, seat, comment)
            return _end(state, "resignation", other(seat), f"{name} resigned", entry.at)
        case journal.CLAIM:
            how, winner, more = {
                "win": ("timeout", seat, ""),
                "draw": ("claim", None, f", and {name} claimed a draw"),
                "void": ("void", None, f", and {name} declared the game void"),
            }[entry.data["result"]]
            return _end(state, how, winner, f"{opponent} ran out of time{more}", entry.at)
        case journal.PROVED:
            return _end(state, "proof", seat, f"{name} has proved a win", entry.at)
        case journal.CLOSE:
            reason = f"{name} ran out of time, and nothing came of it for 30 days"
            reason = "Nothing happened for 60 days" if game.time_control.bank is None else reason
            return _end(state, "void", None, reason, entry.at)
        case journal.TIMEOUT:  # dated to the flag
            at = datetime.fromisoformat(entry.data["flag"])
            if entry.data.get("void"):
                return _end(state, "void", None, f"{name} ran out of time before both had played twice", at)
            return _end(state, "timeout", other(seat), f"{name} ran out of time", at)
    return state


def _end(state: State, how: str, winner: Seat | None, reason: str, at: datetime) -> State:
    side = None if winner is None else state.position.side(winner)
    return replace(state, ending=Ending(how, winner, side, reason, at))


def _add_words(state: State, entry: Entry, seat: Seat, words: str) -> State:
    said = SpokenWords(len(state.plies), entry.n, seat, words, entry.at)
    return replace(state, said=(*state.said, said))


def _add_comment(state: State, entry: Entry) -> State:
    data = entry.data
    added = Comment(data["ply"], entry.n, data["player"], data["name"], data["words"], entry.at)
    return replace(state, comments=(*state.comments, added))


def _without_offer(state: State, gone: str) -> State:
    return replace(state, offers={what: offer for what, offer in state.offers.items() if what != gone})


def _apply_ruling(state: State, entry: Entry) -> State:
    if entry.kind == journal.ADJUDICATE:
        result = entry.data["result"]  # the reason is public at once, so mail addresses are masked
        reason = f"The director decided: {mask_hosts(entry.data['reason']).rstrip('.')}"
        winner = next((seat for seat in SEATS if SEAT_NAMES[seat] == result), None)
        state = _end(state, "void" if result == "void" else "director", winner, reason, entry.at)
    elif entry.kind == journal.EXTEND and entry.seat in (None, state.to_play):
        state = replace(state, flagged=None)
    elif entry.kind == journal.REPLACE and entry.seat is not None:
        state = replace(  # nothing that the old player offered or ordered stays
            state,
            offers={},
            standing=put_at(entry.seat, None, state.standing),
            conditional_moves=put_at(entry.seat, None, state.conditional_moves),
            flagged=None if entry.seat == state.to_play else state.flagged,
        )
    return replace(state, rulings=(*state.rulings, journal.Ruling(**vars(entry), after=len(state.plies))))


def _apply_rollback(state: State, earlier: State, entry: Entry) -> State:
    decided = (*state.rulings, journal.Ruling(**vars(entry), after=len(earlier.plies)))
    after = State(earlier.position, earlier.plies, taken_back=state.taken_back, before=earlier.before)
    return _keep_words(replace(state, rulings=decided), after)


def _keep_words(state: State, earlier: State) -> State:
    last = len(earlier.plies)
    said = tuple(replace(each, after=min(each.after, last)) for each in state.said)
    comments = tuple(replace(each, after=min(each.after, last)) for each in state.comments)
    decided = tuple(replace(each, after=min(each.after, last)) for each in state.rulings)
    return replace(earlier, said=said, comments=comments, rulings=decided)


def _apply_ply(state: State, entry: Entry, seat: Seat) -> State:
    data, move = entry.data, state.position.read(entry.data["move"])
    position = state.position.follow(move)
    comment, auto = data.get("comment", ""), data.get("auto", False)
    entered = journal.is_entered(entry)
    ply = Ply(position.ply, entry.n, seat, str(move), entry.at, comment, auto, entered)
    ending = None
    if (outcome := position.outcome) is not None:
        ending = Ending("rules", outcome.winner, outcome.side, outcome.reason, entry.at)
    kept = [what for what, offer in state.offers.items() if what not in UNTIL_PLAYED or offer.seat == seat]
    offers = {what: state.offers[what] for what in kept}
    changed = offers != state.offers or state.flagged is not None
    before = replace(state, flagged=None, offers=offers) if changed else state
    plies, orders = (*state.plies, ply), data.get("standing")
    after = replace(
        before,
        position=position,
        plies=plies,
        ending=ending,
        before=before,
        standing=state.standing if orders is None else put_at(seat, orders, state.standing),
        offers={what: offer for what, offer in offers.items() if what != "undo"},
        conditional_moves=_planned(state, entry, seat, len(plies)),
    )
    if not entered:
        return after
    ruling = journal.Ruling(**vars(entry), after=len(plies))  # and nobody's orders answer the ply
    rulings, none = (*state.rulings, ruling), (None, None)
    return replace(after, rulings=rulings, standing=none, conditional_moves=none)


def _apply_takeback(state: State, entry: Entry) -> State:
    """Return the state before the first ply taken back. Later words, pauses and decisions stay.

    Conditional moves are dropped, since their positions are gone. The standing orders of the player to move
    again are dropped too, or they would make the next ply at once. A new player never gets another's orders.
    """
    back: State | None = state
    while back is not None and back.plies and back.plies[-1].entry >= entry.data["to"]:
        back = back.before
    assert back is not None
    gone = tuple(TakenBackPly(ply, entry.n, entry.at) for ply in state.plies[len(back.plies) :])
    replaced = {each.seat for each in state.rulings[len(back.rulings) :] if each.kind == journal.REPLACE}
    without_orders = replaced | {taken.ply.seat for taken in gone[:1]}
    first, second = back.standing
    after = replace(
        back,
        taken_back=(*state.taken_back, *gone),
        standing=(None if 0 in without_orders else first, None if 1 in without_orders else second),
        offers={what: offer for what, offer in state.offers.items() if what == "pause"},
        flagged=None,
        conditional_moves=(None, None),
    )
    return _keep_words(state, after)


def _planned(
    state: State, entry: Entry, seat: Seat, plies: int
) -> tuple[ConditionalMoves | None, ConditionalMoves | None]:
    """Return both players' conditional moves after this entry. A ply without new ones ends the old ones."""
    plan = plan_from_data(entry.data.get("plan", ()))
    return put_at(seat, ConditionalMoves(plies, plan) if plan else None, state.conditional_moves)


def clocks_between(game: Setup) -> list[Clock]:
    """Return both clocks before the journal and after each entry. None tells whose turn it is."""
    clocks = [Clock.started(game.time_control, None, game.started_at)]
    for entry in game.journal:
        match entry.kind:
            case "rollback":
                clock = replace(clocks[entry.data["entry"]], since=entry.at, grace=timedelta())
            case "undo":
                clock = _clock_after_takeback(game, clocks[entry.data["to"] - 1], entry)
            case _:
                clock = _clock_after_entry(game, clocks[-1], entry)
        clocks.append(clock)
    return clocks


def _clock_after_takeback(game: Setup, clock: Clock, entry: Entry) -> Clock:
    """Return the clocks after a takeback. `clock`: from before the first ply taken back. Given time stays."""
    first = entry.data["to"] - 1
    gone = game.journal[first]
    assert gone.seat is not None
    clock = clock.after_takeback(gone.seat, gone.effective_time, entry.at, game.stops)
    for since in game.journal[first : entry.n - 1]:
        if since.kind in (journal.GIVE, journal.EXTEND, journal.REPLACE):
            clock = _clock_after_entry(game, clock, since)
    return replace(clock, since=entry.at)


def _clock_after_entry(game: Setup, clock: Clock, entry: Entry) -> Clock:
    time = timedelta(seconds=entry.data.get("seconds", 0))
    match entry.kind:
        case "ply" if entry.data.get("auto"):  # it cost its player no time
            return replace(clock, since=entry.at, grace=timedelta())
        case "ply":
            running = replace(clock, running=entry.seat)
            return running.played(None, entry.effective_time, game.stops, from_=entry.at)
        case "give" if entry.seat is not None:
            return clock.given(other(entry.seat), time)
        case "grace":
            return replace(clock, grace=clock.grace + time)
        case "extend":
            for seat in SEATS if entry.seat is None else (entry.seat,):
                clock = clock.given(seat, time)
            return clock
        case "replace" if entry.seat is not None:
            least = clock.time_control.bank or timedelta()  # a new player has the starting time at least
            clock = clock.given(entry.seat, max(timedelta(), least - clock.banks[entry.seat]))
            return replace(clock, since=entry.at, grace=timedelta()) if entry.data["turn"] else clock
    return clock
