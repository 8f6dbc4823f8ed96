"""Hexagonal Thing for a search: some random plies, then an evaluation."""

from math import exp
from random import Random

from rules.contract import Knowledge, Playout
from rules.games.hexthing.offering import prices, sample
from rules.games.hexthing.plies import PASS, STAY, Act
from rules.games.hexthing.state import WINNING, Estate, ThingState

MAX_PLIES = 10
THING, DOLLAR, POUND, CARD = 12.0, 0.25, 0.12, 1.0
"""The values of a player's possessions. Each further Thing is worth more than the one before."""
NO_CARD = -6.0
SCALE = 14.0
PASSES, LOTS = 0.4, 0.15
"""The shares of passes in auctions, and of card auctions if a card can be played too."""
DEAREST = 40
"""The highest offer for a Thing."""


def worth(estate: Estate) -> float:
    things = THING * estate.things * (1 + estate.things / WINNING)
    cards = CARD * min(len(estate.cards), 9) + (0.0 if len(estate.cards) > 1 else NO_CARD)
    return things + DOLLAR * estate.dollars + POUND * estate.pounds + cards


def evaluate(position: ThingState) -> float:
    """Return the value for seat 0, from 0 to 1."""
    if position.outcome:
        return 0.5 if position.outcome.winner is None else 1.0 - position.outcome.winner
    lead = worth(position.estates[0]) - worth(position.estates[1])
    return 1 / (1 + exp(-lead / SCALE))


def chance_ply(position: ThingState, rng: Random) -> Act:
    """Return a random ply that is fast to find, with small raises, few lots, and rare gifts."""
    if position.due:
        return Act(naming=(position.due, rng.choice(position.nameable(position.due))))
    if position.auction:
        if rng.random() < PASSES:
            return PASS
        return Act(call=position.auction.trade.call, price=_price(prices(position), rng))
    cards = position.open_cards
    if not cards or (position.may_auction and rng.random() < LOTS):
        return sample(position, rng) if position.may_auction else STAY
    card = rng.choice(cards)
    owed = position.owed_by(card)
    if owed == "bid":
        return Act(play=card, call=owed, price=_price(range(position.mine.dollars + 1), rng))
    if owed == "offer":
        return Act(play=card, call=owed, price=_price(range(DEAREST, -position.mine.dollars - 1, -1), rng))
    return Act(play=card)


def _price(all_: range, rng: Random) -> int:
    """Return one of these prices at random, more often one near the beginning."""
    return all_[int(len(all_) * rng.random() ** 3)]


def playout(position: ThingState, rng: Random) -> Playout:
    for _ in range(MAX_PLIES):
        if position.outcome:
            break
        position = position.follow(chance_ply(position, rng))
    return Playout(evaluate(position))


KNOWLEDGE = Knowledge(playout=playout, kernel="rules.games.hexthing.kernel", at_once=1, leaves=120_000)
