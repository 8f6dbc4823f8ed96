"""What is told of a position of Hexagonal Thing beside its board: holdings, lists, sentences.

Sentences are at most 72 characters long, so that no letter breaks one where its rest reads as a ply.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rules.games.hexthing.estate import SIDES, Auction
from rules.games.hexthing.hexes import KINDS
from rules.games.hexthing.judging import due
from rules.games.hexthing.turns import money

if TYPE_CHECKING:
    from rules.games.hexthing.position import ThingPosition

MARKS = ("WW", "BB")
"""The counters on a board of text."""
THING = "##"


def scores(position: ThingPosition) -> dict[str, Any]:
    """What each side has, by side: four Things win."""
    return {
        side: {
            "Things": each.things,
            "pounds": each.pounds,
            "dollars": each.dollars,
            "cards": len(each.cards),
        }
        for side, each in zip(SIDES, position.estates, strict=True)
    }


def stones(position: ThingPosition) -> list[tuple[str, list[str]]]:
    """Counters and Things with what they stand on, then what both and the bank have, then the auction."""
    on = {name: KINDS[kind].name for name, kind in position.kinds.items()}
    lists = [
        (f"{side}'s counter ({mark}) on {on[each.hex]}", [each.hex])
        for side, mark, each in zip(SIDES, MARKS, position.estates, strict=True)
    ]
    for kind in KINDS.values():
        hexes = [name for name in position.things if on[name] == kind.name]
        lists.append((f"Things ({THING}) on {kind.name}", hexes))
    for side, each in zip(SIDES, position.estates, strict=True):
        lists.append((f"{side} owns", [f"£{each.pounds},", f"${each.dollars},", things(each.things)]))
        lists.append((f"{side}'s cards", list(each.cards) or ["none"]))
    lot = position.auction.lot if position.auction else ()
    lists.append(("The bank's cards", [card for card in position.bank if card not in lot] or ["none"]))
    if position.auction:
        lists += auction_lists(position, position.auction)
    return [(label, names) for label, names in lists if names]


def cards(position: ThingPosition) -> list[tuple[str, list[str]]]:
    """Everybody's cards: both players', the bank's, and those that are up for auction."""
    lot = position.auction.lot if position.auction else ()
    lists = [
        (f"{side}'s cards", list(each.cards)) for side, each in zip(SIDES, position.estates, strict=True)
    ]
    lists.append(("The bank's cards", [card for card in position.bank if card not in lot]))
    return [*lists, *([("Up for auction", list(lot))] if lot else [])]


def things(count: int) -> str:
    """`no Thing`, `1 Thing`, `3 Things`."""
    return f"{count or 'no'} Thing{'s' if count > 1 else ''}"


def auction_lists(position: ThingPosition, auction: Auction) -> list[tuple[str, list[str]]]:
    """The cards up for auction, and the bids or offers so far."""
    calls = "Offers so far" if auction.kind == "sell" else "Bids so far"
    return [("The lot", list(auction.lot)), (calls, bids(position, auction))]


def bids(position: ThingPosition, auction: Auction, most: int = 10) -> list[str]:
    """`White £5,` and `Black £6`: the last bids, and before them how many are left out."""
    coin = "£" if auction.kind == "lot" else "$"
    left_out = max(0, len(auction.bids) - most)
    called = [
        f"{SIDES[(position.turn + number) % 2]} {money(coin, auction.bids[number])}"
        for number in range(left_out, len(auction.bids))
    ]
    before = [f"({left_out} more before)"] if left_out else []
    return [*before, *(f"{each}," for each in called[:-1]), *called[-1:]]


def covered(position: ThingPosition) -> list[str]:
    """Hexes that something stands on, each with the label it hides: `b3 Bu`."""
    taken = {*position.things, *(each.hex for each in position.estates)}
    return [f"{name} {KINDS[kind].label}" for name, kind in position.kinds.items() if name in taken]


def notes(position: ThingPosition) -> list[str]:
    """What happened by itself, what is due now, and a warning where to stay is to lose."""
    if position.outcome:
        return []
    found = [position.news] if position.news else []
    found.append(f"{due(position)}.")
    if position.auction and position.options["bids"] == "3" and len(position.auction.bids) == 2:
        found.append("It is the third bid of this auction, and the last.")
    if position.awaits_move and not position.open_cards:
        found += _stuck(position)
    return found


def _stuck(position: ThingPosition) -> list[str]:
    side = SIDES[position.turn]
    if position.mine.things:
        sentence = f"No card of {side}'s can be played; to stay costs {side} a Thing."
    else:
        sentence = f"No card of {side}'s can be played, and {side} owns no Thing: to stay loses."
    return [sentence, "A card won in an auction first may help."] if position.may_auction else [sentence]
