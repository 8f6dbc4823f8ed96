"""A position of Hexagonal Thing in words and picture, and the story of a game turn by turn.

Sentences have at most 72 characters, so that no letter breaks a sentence into lines that may read as plies.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from textwrap import wrap
from typing import Any

from rules.contract import Episode, Seat
from rules.games.hexthing.hexes import COLUMNS, HEXES, KINDS, PLACES
from rules.games.hexthing.judging import due
from rules.games.hexthing.plies import Act, read
from rules.games.hexthing.state import SIDES, Auction, ThingState, money
from rules.grids import FLAT
from rules.notation import join_words
from rules.picture import Label, Picture, Spot, describe, mark_set, title

MARKS = ("WW", "BB")
_NAMES = ", ".join(f"{kind.label} {kind.name}" for kind in KINDS.values()).replace(", ", ",|").split("|")
THING = "##"


def scores(position: ThingState) -> dict[str, Any]:
    return {
        side: {"Things": own.things, "pounds": own.pounds, "dollars": own.dollars, "cards": len(own.cards)}
        for side, own in zip(SIDES, position.estates, strict=True)
    }


def stones(position: ThingState) -> list[tuple[str, list[str]]]:
    """Return counters and Things with their hexes, then all possessions, and the auction last."""
    on = {name: KINDS[kind].name for name, kind in position.kinds.items()}
    owners = list(zip(SIDES, MARKS, position.estates, strict=True))
    lists = [(f"{side}'s counter ({mark}) on {on[each.hex]}", [each.hex]) for side, mark, each in owners]
    for kind in KINDS.values():
        hexes = [name for name in position.things if on[name] == kind.name]
        lists.append((f"Things ({THING}) on {kind.name}", hexes))
    for side, _, each in owners:
        lists.append((f"{side} owns", [f"£{each.pounds},", f"${each.dollars},", _things(each.things)]))
        lists.append((f"{side}'s cards", list(each.cards) or ["none"]))
    lists.append((f"{SIDES[position.turn]} can play", _ways(position)))
    lists.append(("On the board", _NAMES))
    lists.append(("The bank's cards", position.unsold or ["none"]))
    if position.auction:
        calls = "Offers so far" if position.auction.trade.falls else "Bids so far"
        lists += [("The lot", list(position.auction.lot)), (calls, bids(position, position.auction))]
    return [(label, names) for label, names in lists if names]


def _ways(position: ThingState) -> list[str]:
    """Return the playable cards, each with the hex that it reaches."""
    if position.outcome or not position.awaits_move:
        return []
    ways = [(card, position.landing(card)) for card in position.open_cards]
    told = [f"{card} to {name} ({KINDS[position.kinds[name]].name})," for card, name in ways]
    return [*told[:-1], told[-1].rstrip(",")] if told else ["none"]


def beside(position: ThingState) -> list[tuple[str, list[str]]]:
    lists = [
        (f"{side}'s cards", list(each.cards)) for side, each in zip(SIDES, position.estates, strict=True)
    ]
    lot = list(position.auction.lot) if position.auction else []
    return [*lists, ("The bank's cards", position.unsold), *([("Up for auction", lot)] if lot else [])]


def _things(count: int) -> str:
    return f"{count or 'no'} Thing{'s' if count > 1 else ''}"


def bids(position: ThingState, auction: Auction, most: int = 10) -> list[str]:
    """Return the last bids, `White £5,` and `Black £6`, after a note of how many are left out."""
    coin, turn = auction.trade.coin, position.turn
    called = [f"{SIDES[(turn + n) % 2]} {money(coin, bid)}," for n, bid in enumerate(auction.bids)]
    before = [f"({len(called) - most} more before)"] if len(called) > most else []
    return [*before, *called[-most:-1], called[-1].rstrip(",")]


def notes(position: ThingState) -> list[str]:
    if position.outcome:
        return []
    found = [position.news] if position.news else []
    found.append(f"{due(position)}.")
    if position.last_of_three:
        found.append("It is the third bid of this auction, and the last.")
    if position.awaits_move and not position.open_cards:
        side = SIDES[position.turn]
        costs = f"; to stay costs {side} a Thing" if position.mine.things else ""
        costs = costs or f", and {side} owns no Thing: to stay loses"
        found.append(f"No card of {side}'s can be played{costs}.")
        if position.may_auction:
            found.append("A card won in an auction first may help.")
    return found


PANEL_WIDTH = 38
MAX_LINES = 14
WIDTH = 74

_LEGEND = (
    *((mark, f"{side}'s counter") for side, mark in zip(SIDES, MARKS, strict=True)),
    (THING, "a Thing"),
)


def draw(position: ThingState) -> Picture:
    last, legal = _last(position), position.nameable(position.due) if position.due else ()
    if position.awaits_move:
        legal = tuple(map(position.landing, position.open_cards))
    kinds = ((kind.label, kind.name) for key, kind in KINDS.items() if key in position.kinds.values())
    panels = (Label("text", line, 8, y) for y, line in enumerate(panel(position)) if line)
    taken = {*position.things, *(each.hex for each in position.estates)}
    hidden = (f"{name} {KINDS[kind].label}" for name, kind in position.kinds.items() if name in taken)
    below = f"Covered: {', '.join(hidden)}"
    lines = wrap(below, WIDTH, subsequent_indent="Covered: ", break_on_hyphens=False)
    covered = (Label("text", line, -1, y) for y, line in enumerate(lines, start=15))
    return Picture(
        game="hexthing",
        title=title("Hexagonal Thing", position.ply, first="move 1"),
        description=describe(stones(position)),
        spots=tuple(_spot(position, name, name == last, name in legal) for name in HEXES),
        labels=(*_labels(), *panels, *covered),
        legend=(*_LEGEND, *kinds),
        pitch=4,
        grid=FLAT,
        scored=True,
    )


def _spot(position: ThingState, name: str, is_last: bool, is_legal: bool) -> Spot:
    kind, outcome = KINDS[position.kinds[name]], position.outcome
    glyph, look, words = kind.label, "empty", f"{kind.name}, free"
    if name in position.things:
        glyph, look, words = THING, "thing", f"a Thing, on {kind.name}"
    is_winner = False
    for side, mark, estate in zip(SIDES, MARKS, position.estates, strict=True):
        if estate.hex == name:
            glyph, look, words = mark, f"{side.lower()}-pawn", f"{side}'s counter, on {kind.name}"
            is_winner = outcome is not None and outcome.side == side
    marks = mark_set(last=is_last, legal=is_legal, win=is_winner)
    ground = kind.look if look == "empty" else f"{kind.look}-below"
    return Spot(name, *PLACES[name], glyph, look, words, marks, ground)


def _last(position: ThingState) -> str:
    words = position.last.split()
    if words[-2:-1] in (["take"], ["put"]):
        return words[-1]
    return position.estates[position.last_seat].hex if words[:1] == ["play"] else ""


@cache
def _labels() -> tuple[Label, ...]:
    """Return row numbers at both ends of the rows, which bend at column d, and the columns' letters."""
    labels = []
    for name, (x, y) in PLACES.items():
        column, number = name[0], int(name[1:])
        top = number == COLUMNS[column]
        high = 0.9 if number > 4 else 0  # above the slanted sides a number stands over its hex
        if column == "a" or (top and column in "bcd"):
            labels.append(Label("number", str(number), x - 1, y, (x - 0.9, y - high)))
        if column == "g" or (top and column in "def"):
            labels.append(Label("number", str(number), x + 1, y, (x + 0.9, y - high)))
    foot = {column: PLACES[f"{column}1"] for column in COLUMNS}
    labels += [Label("column", column, x, 13, (x, y + 1.65)) for column, (x, y) in foot.items()]
    return tuple(labels)


def panel(position: ThingState) -> list[str]:
    """Return at most 14 lines of at most 38 columns in 7-bit text, where the pound is L."""
    blocks = [_holding(position, 0), _holding(position, 1), _wrap("Bank:", position.unsold or ["no cards"])]
    if auction := position.auction:  # the goods, then as many of the last bids as two lines hold
        sold = "Sale of a Thing, Sell" if auction.kind == "sell" else "Auction of a Thing, Buy"
        head = _wrap("Lot:", auction.lot) if auction.lot else [f"{sold} on {position.mine.hex}"]
        word = "Offers:" if auction.kind == "sell" else "Bids:"
        calls = (_wrap(word, bids(position, auction, most)) for most in (6, 5, 4, 3, 2, 1))
        blocks.append([*head, *next(lines for lines in calls if len(lines) <= 2)])
    if position.last:
        words = position.last
        if words.startswith("lot ") and len(words) > 20:  # the cards of a long lot stand elsewhere
            cards, _, bid = words[4:].partition(" bid ")
            words = f"lot of {len(cards.split())}, bid {bid}"
        blocks.append([f"Move {position.ply}, {SIDES[position.last_seat]}: {words}"])
    airy = sum(map(len, blocks)) + len(blocks) - 1 <= MAX_LINES
    lines = [line for block in blocks for line in ([*block, ""] if airy else block)]
    return [line.replace("£", "L") for line in lines]


def _holding(position: ThingState, seat: Seat) -> list[str]:
    each = position.estates[seat]
    head = f"{SIDES[seat]} ({MARKS[seat]})  £{each.pounds}  ${each.dollars}  {_things(each.things)}"
    return [*wrap(head, PANEL_WIDTH), *_wrap(" ", each.cards or ("no cards",))]


def _wrap(word: str, items: Sequence[str]) -> list[str]:
    """Return a word and its items (`Bank: 1N 2U`) in wrapped lines, the further ones indented."""
    return wrap(f"{word} {' '.join(items)}", PANEL_WIDTH, subsequent_indent="  ")


def story(positions: Sequence[ThingState]) -> list[Episode]:
    """Return an episode for each turn of a game. `positions` begins with the one before any ply."""
    turns = [len(position.turns) for position in positions]
    starts = [n for n in range(1, len(positions)) if n == 1 or turns[n - 1] > turns[n - 2]]
    ends = [start - 1 for start in (*starts, len(positions))][1:]
    told = (" ".join(filter(None, _sentences(positions, *turn))) for turn in zip(starts, ends, strict=True))
    seats = (positions[start - 1].turn for start in starts)
    return list(map(Episode, starts, ends, seats, told))


def _sentences(positions: Sequence[ThingState], start: int, end: int) -> Iterator[str]:
    calls: list[str] = []
    for n in range(start, end + 1):
        before, after = positions[n - 1], positions[n]
        act, side = read(after.last), SIDES[after.last_seat]
        is_call = act.verb in ("bid", "offer", "pass")
        if is_call and before.auction:
            price = money(before.auction.trade.coin, act.price)
            calls.append(f"{side} {price if act.call else 'passes'}")
        if calls and not (is_call and after.auction and n < end):
            yield f"{', '.join(calls)}."
            calls = []
        if not is_call:
            yield _first_sentence(before, after, act, side)
        if after.auction is None:
            yield after.news
            if act.naming and act.verb not in ("take", "put"):
                yield _naming(act, side)
            if after.outcome:
                yield f"{after.outcome.reason}."


def _first_sentence(before: ThingState, after: ThingState, act: Act, side: str) -> str:
    if act.verb == "lot":
        return f"{side} puts up {join_words(act.lot)} and bids £{act.price}."
    if act.verb == "play":
        return f"{side} plays {act.play} to {_landing(before, act)}."
    if act.verb == "stay":
        return "" if after.news else f"{side} stays."
    return _naming(act, side)


def _landing(before: ThingState, act: Act) -> str:
    name = before.landing(act.play)
    kind = KINDS[before.kinds[name]].name
    landed = f"{name}, {'a ' if kind in ('Buy', 'Sell', 'Change') else ''}{kind}"
    if act.call == "bid":
        return f"{landed}, and bids {money('$', act.price)} for a Thing"
    if act.call == "offer":
        return f"{landed}, and offers a Thing for {money('$', act.price)}"
    if act.change is not None:
        coin, amount = act.change
        return f"{landed}, and changes {coin}{amount} into {'dollars' if coin == '£' else 'pounds'}"
    return landed


def _naming(act: Act, side: str) -> str:
    verb, name = act.naming or ("", "")
    return f"{side} names the one on {name}." if verb == "take" else f"{side} puts it on {name}."
