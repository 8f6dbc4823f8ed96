"""Compiled playouts of Hexagonal Thing: some random plies, then an evaluation.

A position is an array of whole numbers. Cards and hexes are bits, in the order of `CARDS` and `HEXES`. A
playout does not look for a draw by repetition, since it has few turns.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from math import exp
from random import Random

import numpy as np
from numba import njit

from rules.games.hexthing.hexes import CARDS, HEXES, ORDER, RANK, WAYS
from rules.games.hexthing.offering import LOTS_WITH_CARDS, LOTS_WITHOUT
from rules.games.hexthing.playing_on import (
    CARD,
    DEAREST,
    DOLLAR,
    LOTS,
    MAX_PLIES,
    NO_CARD,
    PASSES,
    POUND,
    SCALE,
    THING,
)
from rules.games.hexthing.state import SELL_GIFT, WINNING, ThingState
from rules.search.arrays import Ints, Seed, draw, new_seed
from rules.search.compiled import Playouts

TURN, LOTTED, AUCTION, PRICE, BIDS, LOT, DUE, THINGS, WINNER, ESTATES = range(10)
"""Indexes in a position. `WINNER` is a seat, or -1 while nobody has won."""
HEX, OWN, POUNDS, DOLLARS, OWNED, ESTATE = range(6)
"""Indexes in an estate, and the length `ESTATE` of one. Two estates stand from `ESTATES` on."""
NONE, BY_LOT, BUY, SELL = range(4)
"""Kinds of auctions."""
TAKE, PUT = 1, 2
PUT_UP, PLAY, STAY, CALL, PASS, NAME = range(6)
"""Verbs of plies."""
AUCTIONS = ("", "lot", "buy", "sell")
KINDS = "BSPDCJ"
NO_MARKS = np.zeros((2, 0))


def play_on(position: ThingState, rng: Random, count: int) -> Playouts:
    value = _play(contents(position), *board_of(position), new_seed(rng), count)
    return Playouts(value, NO_MARKS, NO_MARKS)


def number_marks(position: ThingState, marks: Sequence[int]) -> list[int]:
    """Return no numbers, since plies do not mean the same later."""
    return []


def contents(position: ThingState) -> Ints:
    auction, due = position.auction, ("", "take", "put").index(position.due)
    open_ = (AUCTIONS.index(auction.kind), auction.bids[-1], len(auction.bids)) if auction else (0, 0, 0)
    lot = _bits(ORDER, auction.lot) if auction else 0
    winner = -1 if position.outcome is None or position.outcome.winner is None else position.outcome.winner
    numbers = [position.turn, position.lotted, *open_, lot, due, _bits(RANK, position.things), winner]
    for own in position.estates:
        numbers += RANK[own.hex], _bits(ORDER, own.cards), own.pounds, own.dollars, own.things
    return np.array(numbers, np.int64)


def _bits(places: Mapping[str, int], names: Iterable[str]) -> int:
    return sum([1 << places[name] for name in names])


@cache
def _ways() -> Ints:
    """Return by hex and card the three hexes of its way, the last one repeated; -1 is off the board."""
    found = np.full((len(HEXES), len(CARDS), 3), -1, np.int64)
    for start, hex_ in enumerate(HEXES):
        for n, card in enumerate(CARDS):
            if way := [RANK[name] for name in WAYS[hex_][card]]:
                found[start, n] = (way + way[-1:] * 2)[:3]
    return found


@lru_cache(64)
def _kinds(board: str) -> Ints:
    return np.array([KINDS.index(kind) for kind in board], np.int64)


def board_of(position: ThingState) -> tuple[Ints, Ints, bool]:
    """Return the ways of cards, the kinds of hexes, and True if a third bid ends an auction."""
    return _ways(), _kinds(position.options["board"]), position.options["bids"] == "3"


@njit(cache=True)
def _play(start: Ints, ways: Ints, kinds: Ints, three: bool, seed: Seed, count: int) -> float:
    value, plies = 0.0, np.empty((MAX_PLIES, 3), np.int64)
    for _ in range(count):
        at = start.copy()
        play_out(at, ways, kinds, three, seed, plies)
        value += evaluate(at)
    return value


@njit(cache=True)
def play_out(at: Ints, ways: Ints, kinds: Ints, three: bool, seed: Seed, plies: Ints) -> int:
    """Play on in `at`, store verb, card or hex, and price of each ply, and return the number of plies."""
    number = 0
    while number < len(plies) and at[WINNER] < 0:
        _choose(at, ways, kinds, seed, plies[number])
        _follow(at, ways, kinds, three, plies[number])
        number += 1
    return number


@njit(cache=True)
def evaluate(at: Ints) -> float:
    """Return the value for seat 0, from 0 to 1."""
    if at[WINNER] >= 0:
        return 1.0 - float(at[WINNER])
    lead = _worth(at[ESTATES : ESTATES + ESTATE]) - _worth(at[ESTATES + ESTATE :])
    return 1 / (1 + exp(-lead / SCALE))


@njit(cache=True)
def _worth(own: Ints) -> float:
    things = THING * own[OWNED] * (1 + own[OWNED] / WINNING)
    number = _count(own[OWN])
    cards = CARD * min(number, 9) + (0.0 if number > 1 else NO_CARD)
    return float(things + DOLLAR * own[DOLLARS] + POUND * own[POUNDS] + cards)


@njit(cache=True)
def _count(bits: int) -> int:
    number = 0
    while bits:
        bits &= bits - 1
        number += 1
    return number


@njit(cache=True)
def _chance(seed: Seed) -> float:
    return draw(seed, 1 << 30) / (1 << 30)


@njit(cache=True)
def _one_of(bits: int, seed: Seed) -> int:
    """Return the index of one of the bits, chosen at random."""
    wanted, place = draw(seed, _count(bits)), 0
    while True:
        if bits >> place & 1:
            if wanted == 0:
                return place
            wanted -= 1
        place += 1


@njit(cache=True)
def _early(count: int, seed: Seed) -> int:
    """Return a random number below `count`, more often a small one."""
    return int(count * _chance(seed) ** 3)


@njit(cache=True)
def _choose(at: Ints, ways: Ints, kinds: Ints, seed: Seed, ply: Ints) -> None:
    """Choose a random ply as `playing_on.chance_ply` does."""
    ply[:] = 0
    if at[DUE]:
        ply[0], ply[1] = NAME, _one_of(_nameable(at), seed)
    elif at[AUCTION]:
        _choose_call(at, seed, ply)
    else:
        _choose_step(at, ways, kinds, seed, ply)


@njit(cache=True)
def _nameable(at: Ints) -> int:
    if at[DUE] == TAKE:
        return int(at[THINGS])
    counters = 1 << at[ESTATES + HEX] | 1 << at[ESTATES + ESTATE + HEX]
    return int(~(at[THINGS] | counters) & (1 << len(HEXES)) - 1)


@njit(cache=True)
def _caller(at: Ints) -> int:
    return int(at[TURN] ^ (at[AUCTION] > 0 and at[BIDS] % 2))


@njit(cache=True)
def _choose_call(at: Ints, seed: Seed, ply: Ints) -> None:
    if _chance(seed) < PASSES:
        ply[0] = PASS
        return
    step = -1 if at[AUCTION] == SELL else 1
    ply[0], ply[2] = CALL, at[PRICE] + step * (1 + _early(_room(at, _caller(at)), seed))


@njit(cache=True)
def _room(at: Ints, seat: int) -> int:
    """Return the number of prices with which a seat may better the last one."""
    own = ESTATES + ESTATE * seat
    if at[AUCTION] == SELL:
        return int(at[PRICE] + at[own + DOLLARS])
    return int(at[own + (POUNDS if at[AUCTION] == BY_LOT else DOLLARS)] - at[PRICE])


@njit(cache=True)
def _choose_step(at: Ints, ways: Ints, kinds: Ints, seed: Seed, ply: Ints) -> None:
    own = ESTATES + ESTATE * at[TURN]
    cards, bank = _open_cards(at, ways, kinds), _bank(at)
    lots = LOTS * LOTS_WITH_CARDS if cards else LOTS_WITHOUT
    if bank and not at[LOTTED] and _chance(seed) < lots:
        ply[0], ply[1] = PUT_UP, _some_of(bank, seed)
        ply[2] = int(at[own + POUNDS] * _chance(seed) ** 3 + 0.5)
        return
    if not cards:
        ply[0] = STAY
        return
    card = _one_of(cards, seed)
    kind = kinds[ways[at[own + HEX], card, 2]]
    ply[0], ply[1] = PLAY, card
    if kind == KINDS.index("B"):
        ply[2] = _early(at[own + DOLLARS] + 1, seed)
    elif kind == KINDS.index("S") and at[ESTATES + ESTATE * (1 - at[TURN]) + OWNED]:
        ply[2] = DEAREST - _early(DEAREST + at[own + DOLLARS] + 1, seed)


@njit(cache=True)
def _bank(at: Ints) -> int:
    return int(~(at[ESTATES + OWN] | at[ESTATES + ESTATE + OWN]) & (1 << len(CARDS)) - 1)


@njit(cache=True)
def _some_of(bits: int, seed: Seed) -> int:
    """Return at least one of these bits. Chance decides how many, and which."""
    found, left = 0, 1 + draw(seed, _count(bits))
    while left:
        one = 1 << _one_of(bits, seed)
        bits, found, left = bits ^ one, found | one, left - 1
    return found


@njit(cache=True)
def _open_cards(at: Ints, ways: Ints, kinds: Ints) -> int:
    own, found = ESTATES + ESTATE * at[TURN], 0
    other = at[ESTATES + ESTATE * (1 - at[TURN]) + HEX]
    for card in range(len(CARDS)):
        if not at[own + OWN] >> card & 1:
            continue
        way, is_open = ways[at[own + HEX], card], True
        for hex_ in way:
            is_open = is_open and hex_ >= 0 and hex_ != other and not at[THINGS] >> hex_ & 1
        if is_open and (kinds[way[2]] != KINDS.index("S") or at[own + OWNED]):
            found |= 1 << card
    return found


@njit(cache=True)
def _follow(at: Ints, ways: Ints, kinds: Ints, three: bool, ply: Ints) -> None:
    verb = ply[0]
    if verb == PUT_UP:
        at[LOTTED], at[LOT] = 1, ply[1]
        _open(at, BY_LOT, ply[2], three)
    elif verb == PLAY:
        _step(at, ways, kinds, three, ply[1], ply[2])
    elif verb == STAY:
        _stay(at)
    elif verb == CALL:
        _call(at, ply[2], three)
    elif verb == PASS:
        _close(at, 1 - _caller(at))
    else:
        at[THINGS] ^= 1 << ply[1]
        at[DUE] = 0
        _end_turn(at)


@njit(cache=True)
def _open(at: Ints, auction: int, price: int, three: bool) -> None:
    at[AUCTION], at[BIDS] = auction, 0
    _call(at, price, three)


@njit(cache=True)
def _call(at: Ints, price: int, three: bool) -> None:
    seat = _caller(at)
    at[PRICE], at[BIDS] = price, at[BIDS] + 1
    if (three and at[BIDS] == 3) or _room(at, 1 - seat) < 1:
        _close(at, seat)


@njit(cache=True)
def _close(at: Ints, seat: int) -> None:
    """Close the auction, in which `seat` has made the last call."""
    own, price, auction = ESTATES + ESTATE * seat, at[PRICE], at[AUCTION]
    if auction == BY_LOT:
        at[own + OWN] |= at[LOT]
        at[own + POUNDS] -= price
    elif auction == SELL:
        at[own + OWNED] -= 1
        at[own + DOLLARS] += price
        at[DUE] = PUT
    else:
        at[own + OWNED] += 1
        at[own + DOLLARS] -= price
        at[DUE] = TAKE
    at[AUCTION : LOT + 1] = 0
    _find_winner(at, seat)


@njit(cache=True)
def _find_winner(at: Ints, seat: int) -> None:
    if at[ESTATES + ESTATE * seat + OWNED] == WINNING:
        at[WINNER], at[DUE] = seat, 0


@njit(cache=True)
def _step(at: Ints, ways: Ints, kinds: Ints, three: bool, card: int, price: int) -> None:
    own = ESTATES + ESTATE * at[TURN]
    landed = ways[at[own + HEX], card, 2]
    at[own + HEX] = landed
    at[own + OWN] ^= 1 << card
    kind = kinds[landed]
    if kind == KINDS.index("B"):
        _open(at, BUY, price, three)
        return
    if kind == KINDS.index("S"):
        if at[ESTATES + ESTATE * (1 - at[TURN]) + OWNED]:
            _open(at, SELL, price, three)
            return
        at[own + DOLLARS] += SELL_GIFT
    elif kind == KINDS.index("P"):
        at[own + POUNDS] += 10
    elif kind == KINDS.index("D"):
        at[own + DOLLARS] += 20
    _end_turn(at)


@njit(cache=True)
def _stay(at: Ints) -> None:
    giver = ESTATES + ESTATE * at[TURN]
    other = 1 - at[TURN]
    if not at[giver + OWNED]:
        at[WINNER] = other
        return
    at[giver + OWNED] -= 1
    at[ESTATES + ESTATE * other + OWNED] += 1
    _find_winner(at, other)
    if at[WINNER] < 0:
        _end_turn(at)


@njit(cache=True)
def _end_turn(at: Ints) -> None:
    at[TURN], at[LOTTED] = 1 - at[TURN], 0
