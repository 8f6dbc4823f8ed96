"""What may be played in a position of Hexagonal Thing: listed lazily, by chance, and as examples.

Lots are sets of cards and prices run into the thousands, so nothing here builds a list of them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from rules.games.hexthing.estate import in_order
from rules.games.hexthing.plies import PASS, STAY, Act
from rules.games.hexthing.reading import HIGHEST_OFFER

if TYPE_CHECKING:
    from random import Random

    from rules.games.hexthing.position import ThingPosition

MOST_EXAMPLES = 30
USUAL_OFFER = 20
"""What the bank gives for landing on a Sell alone: a fair price to begin an example with."""


def moves(position: ThingPosition) -> Iterator[Act]:
    """Legal plies, each once: lots of one card alone, and no hex named beside something else."""
    if position.outcome:
        return
    if position.due:
        yield from _namings(position)
    elif position.auction:
        yield from _calls(position)
        yield PASS
    else:
        for card in position.open_cards:
            yield from _plays(position, card)
        yield STAY
        if position.may_auction:
            for card in position.bank:
                yield from (Act(lot=(card,), bid=bid) for bid in range(position.mine.pounds + 1))


def _namings(position: ThingPosition) -> Iterator[Act]:
    names = position.things if position.due == "take" else position.free
    return (Act(naming=(position.due, name)) for name in names)


def _calls(position: ThingPosition) -> Iterator[Act]:
    auction = position.auction
    assert auction is not None and position.to_play is not None
    furthest = auction.furthest(position.estates[position.to_play])
    if auction.kind == "sell":
        return (Act(offer=offer) for offer in range(auction.better, furthest - 1, -1))
    return (Act(bid=bid) for bid in range(auction.better, furthest + 1))


def _plays(position: ThingPosition, card: str) -> Iterator[Act]:
    estate, owed = position.mine, position.owed_on(position.landing(card))
    if owed == "bid":
        yield from (Act(play=card, bid=bid) for bid in range(estate.dollars + 1))
    elif owed == "offer":
        highest_first = (
            range(USUAL_OFFER, -estate.dollars - 1, -1),
            range(USUAL_OFFER + 1, HIGHEST_OFFER + 1),
        )
        for offers in highest_first:
            yield from (Act(play=card, offer=offer) for offer in offers)
    else:
        yield Act(play=card)
        if owed == "change":
            for coin, most in (("£", estate.pounds), ("$", estate.dollars)):
                yield from (Act(play=card, change=(coin, amount)) for amount in range(1, most + 1))


# --------------------------------------------------------------------------------------------- chance


def sample(position: ThingPosition, rng: Random) -> Act:
    """One legal ply of any kind that is open; Things are rarely given away, and prices mostly small."""
    if position.due:
        return rng.choice(list(_namings(position)))
    if position.auction:
        return _with_naming(position, rng, _sample_call(position, rng))
    if position.may_auction and rng.random() < (0.3 if position.open_cards else 0.95):
        cards = rng.sample(position.bank, rng.randint(1, len(position.bank)))
        return Act(lot=in_order(cards), bid=_some(rng, position.mine.pounds))
    if not position.open_cards or rng.random() < 0.02:
        return STAY
    return _with_naming(position, rng, _sample_play(position, rng, rng.choice(position.open_cards)))


def _some(rng: Random, most: int) -> int:
    """A whole number from 0 to `most`, small more often than not."""
    return int(most * rng.random() ** 3 + 0.5)


def _sample_call(position: ThingPosition, rng: Random) -> Act:
    auction = position.auction
    assert auction is not None and position.to_play is not None
    room = abs(auction.furthest(position.estates[position.to_play]) - auction.better)
    if rng.random() < 0.4 or not auction.can_better(position.estates[position.to_play]):
        return PASS
    if auction.kind == "sell":
        return Act(offer=auction.better - _some(rng, room))
    return Act(bid=auction.better + _some(rng, room))


def _sample_play(position: ThingPosition, rng: Random, card: str) -> Act:
    estate, owed = position.mine, position.owed_on(position.landing(card))
    if owed == "bid":
        return Act(play=card, bid=_some(rng, estate.dollars))
    if owed == "offer":
        return Act(play=card, offer=rng.randint(-min(estate.dollars, 10), 60))
    coin, most = rng.choice((("£", estate.pounds), ("$", estate.dollars)))
    if owed == "change" and most and rng.random() < 0.7:
        return Act(play=card, change=(coin, rng.randint(1, most)))
    return Act(play=card)


def _with_naming(position: ThingPosition, rng: Random, act: Act) -> Act:
    """The ply with its hex named, now and then, where it ends the auction of the one who names."""
    if rng.random() < 0.5 or position.turn != position.to_play:
        return act
    after = position.follow(act)
    if not after.due:
        return act
    return Act(**{**vars(act), "naming": rng.choice(list(_namings(after))).naming})


# ------------------------------------------------------------------------------------------- examples


def playable(position: ThingPosition) -> list[str]:
    """At most 30 plies as texts, one at least of every kind that is open."""
    if not position.awaits_move:
        few = list(islice(moves(position), MOST_EXAMPLES))
        if position.auction and PASS not in few:
            few[-1] = PASS
        return [str(act) for act in few]
    kinds = [_typical(position, card) for card in position.open_cards] + [STAY]
    kinds += _changes(position)[:2] + _lots(position)
    return [str(act) for act in kinds[:MOST_EXAMPLES]]


def _typical(position: ThingPosition, card: str) -> Act:
    """A card played, with the lowest bid or a fair offer where one is owed."""
    return next(_plays(position, card))


def _changes(position: ThingPosition) -> list[Act]:
    """One change of pounds and one of dollars, where there is a Change to land on."""
    card = next((c for c in position.open_cards if position.owed_on(position.landing(c)) == "change"), None)
    purse = (("£", position.mine.pounds), ("$", position.mine.dollars))
    return [Act(play=card, change=(coin, min(most, 20))) for coin, most in purse if card and most]


def _lots(position: ThingPosition) -> list[Act]:
    """The bank's cards all together, then one by one, each for nothing."""
    if not position.may_auction:
        return []
    whole = [Act(lot=position.bank, bid=0)]
    return whole + [Act(lot=(card,), bid=0) for card in position.bank if len(position.bank) > 1]


def examples(position: ThingPosition) -> list[str]:
    """Up to three plies that show what is open: a plain one, one with a price, an auction."""
    if not position.awaits_move:
        few = list(islice(moves(position), 2))
        if position.auction and PASS not in few:
            few[-1] = PASS
        return [str(act) for act in few]
    plays = [_typical(position, card) for card in position.open_cards]
    plain = [act for act in plays if act.price is None][:1]
    priced = [act for act in plays if act.price is not None][:1] or _changes(position)[:1]
    found = [*plain, *priced, *_lots(position)[:1]] or [STAY]
    return [str(act) for act in found[:3]]
