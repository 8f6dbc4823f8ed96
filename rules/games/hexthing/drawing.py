"""The picture of a position of Hexagonal Thing: the board, and in text what both have beside it."""

from __future__ import annotations

from functools import cache
from textwrap import wrap
from typing import TYPE_CHECKING

from rules.contract import Seat
from rules.games.hexthing.estate import SIDES, Auction
from rules.games.hexthing.hexes import COLUMNS, HEXES, KINDS, PLACES
from rules.games.hexthing.telling import MARKS, THING, bids, covered, stones, things
from rules.picture import Label, Picture, Spot, described, title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rules.games.hexthing.position import ThingPosition

PITCH = 4
"""Characters from a column to the next."""
PANEL = 8
"""The column, in columns of hexes, at which the holdings stand beside the board."""
PANEL_WIDTH = 38
MOST_LINES = 14
LONGEST_LAST = 20
"""Characters of the last ply that fit beside its number."""
WIDTH = 74

_LEGEND = (
    ("WW", "White's counter"),
    ("BB", "Black's counter"),
    (THING, "a Thing"),
    ("Bu", "Buy"),
    ("Se", "Sell"),
    ("Ch", "Change"),
    ("JV", "Just Visiting"),
    ("10", "£10"),
    ("20", "$20"),
)


def draw(position: ThingPosition) -> Picture:
    """The picture of a position."""
    last, legal = _last(position), _legal(position)
    return Picture(
        game="hexthing",
        title=title("Hexagonal Thing", position.ply, first="ply 1"),
        description=described(stones(position)),
        spots=tuple(_spot(position, name, name == last, name in legal) for name in HEXES),
        labels=(*_labels(), *_panel_labels(position)),
        legend=_LEGEND,
        pitch=PITCH,
        flat=True,
        scored=True,
    )


def _spot(position: ThingPosition, name: str, is_last: bool, is_legal: bool) -> Spot:
    kind = KINDS[position.kinds[name]]
    outcome = position.outcome
    is_winner = (
        outcome is not None and outcome.winner is not None and position.estates[outcome.winner].hex == name
    )
    marks = {"last": is_last, "legal": is_legal, "win": is_winner}
    glyph, look, words = kind.label, "empty", f"{kind.name}, free"
    if name in position.things:
        glyph, look, words = THING, "thing", f"a Thing, on {kind.name}"
    for side, mark, estate in zip(SIDES, MARKS, position.estates, strict=True):
        if estate.hex == name:
            glyph, look, words = mark, f"{side.lower()}-pawn", f"{side}'s counter, on {kind.name}"
    return Spot(
        name,
        *PLACES[name],
        glyph=glyph,
        look=look,
        words=words,
        marks=frozenset(mark for mark, holds in marks.items() if holds),
        ground=kind.look if look == "empty" else f"{kind.look}-below",
    )


def _last(position: ThingPosition) -> str:
    """The hex that the last ply named or moved to, if any."""
    words = position.last.split()
    if not words:
        return ""
    if words[-2:-1] in (["take"], ["put"]):
        return words[-1]
    return position.estates[position.last_seat].hex if words[0] == "play" else ""


def _legal(position: ThingPosition) -> frozenset[str]:
    """The hexes that can be landed on or named now."""
    if position.awaits_move:
        return frozenset(map(position.landing, position.open_cards))
    if position.due:
        return frozenset(position.things if position.due == "take" else position.free)
    return frozenset()


@cache
def _labels() -> tuple[Label, ...]:
    """A row's number at both ends of it, for rows bend at column d; the columns' letters in one line."""
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


# ------------------------------------------------------------------------------------ beside the board


def _panel_labels(position: ThingPosition) -> tuple[Label, ...]:
    """What both and the bank have, and the auction, beside the board; what things stand on, below it."""
    lines = [*enumerate(panel(position)), *enumerate(_covered(position), start=15)]
    return tuple(Label("text", line, PANEL if y < 15 else -1, y) for y, line in lines if line)


def panel(position: ThingPosition) -> list[str]:
    """At most 14 lines of at most 38 columns, in 7 bits: the pound is L."""
    blocks = [_holding(position, 0), _holding(position, 1), _bank(position)]
    if position.auction:
        blocks.append(_auction(position, position.auction))
    if position.last:
        blocks.append([_last_line(position)])
    airy = sum(map(len, blocks)) + len(blocks) - 1 <= MOST_LINES
    lines = [line for block in blocks for line in ([*block, ""] if airy else block)]
    return [line.replace("£", "L") for line in lines]


def _holding(position: ThingPosition, seat: Seat) -> list[str]:
    each = position.estates[seat]
    head = f"{SIDES[seat]} ({MARKS[seat]})  £{each.pounds}  ${each.dollars}  {things(each.things)}"
    return [*wrap(head, PANEL_WIDTH), *_wrapped(each.cards or ("no cards",))]


def _bank(position: ThingPosition) -> list[str]:
    lot = position.auction.lot if position.auction else ()
    cards = [card for card in position.bank if card not in lot]
    return _headed("Bank:", cards or ["no cards"])


def _auction(position: ThingPosition, auction: Auction) -> list[str]:
    """What is auctioned, then the bids: two lines of the last ones, however many there were."""
    place = position.estates[position.turn].hex
    head = _headed("Lot:", auction.lot) if auction.lot else [f"{_SALES[auction.kind]} on {place}"]
    word = "Offers:" if auction.kind == "sell" else "Bids:"
    calls = (_headed(word, bids(position, auction, most)) for most in (6, 5, 4, 3, 2, 1))
    return [*head, *next(lines for lines in calls if len(lines) <= 2)]


_SALES = {"buy": "Auction of a Thing, Buy", "sell": "Sale of a Thing, Sell"}


def _last_line(position: ThingPosition) -> str:
    """Who did what in the last ply; a long lot is counted, for its cards stand elsewhere."""
    head, words = f"Ply {position.ply}, {SIDES[position.last_seat]}:", position.last
    if words.startswith("lot ") and len(words) > LONGEST_LAST:
        cards, _, bid = words[4:].partition(" bid ")
        words = f"lot of {len(cards.split())}, bid {bid}"
    return f"{head} {words}"


def _headed(word: str, items: Sequence[str]) -> list[str]:
    """`Bank: 1N 2U`, the word and what follows, with an indent from the second line on."""
    return wrap(f"{word} {' '.join(items)}", PANEL_WIDTH, subsequent_indent="  ")


def _wrapped(cards: Sequence[str]) -> list[str]:
    return wrap(" ".join(cards), PANEL_WIDTH, initial_indent="  ", subsequent_indent="  ")


def _covered(position: ThingPosition) -> list[str]:
    """The labels that Things and counters hide, a line or two below the board."""
    hidden = f"Covered: {', '.join(covered(position))}"
    return wrap(hidden, WIDTH, subsequent_indent="Covered: ", break_on_hyphens=False)
