"""Hexagonal Thing's plies and their reading: `lot 1N 2U bid 5`, `pass put c3`.

A ply is made of clauses, each a word and its argument, in any order and case. Standing orders (`max 20`) are
read into the same value, and `offering` separates them again. A line is prose unless its first word is a word
of the game and every other word is one too or has a digit.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Self

from rules import notation
from rules.contract import NoMove, Unreadable
from rules.games.hexthing.hexes import COLUMNS, ORDER, RANK, STEPS, in_order


@dataclass(frozen=True)
class Act:
    """One ply: lot, play, stay or pass, with its further clauses. `str()` is its canonical text."""

    lot: tuple[str, ...] = ()
    """Cards put up for auction, in the order of `CARDS`."""
    play: str = ""
    word: str = ""
    call: str = ""
    price: int = 0
    change: tuple[str, int] | None = None
    """`("£", 20)`: twenty pounds into dollars."""
    limit: int | None = None
    """The limit of a standing order: `max` behind a bid, `min` behind an offer."""
    naming: tuple[str, str] | None = None
    """`("take", "e5")` or `("put", "c3")`."""
    coin: str = field(default="", compare=False)
    """The sign `£` or `$` if the player wrote one with a bid or an offer, which need none."""

    def __str__(self) -> str:
        clauses = (
            " ".join(("lot", *self.lot)) if self.lot else "",
            f"play {self.play}" if self.play else "",
            self.word,
            f"{self.call} {self.price}" if self.call else "",
            f"change {self.change[0]}{self.change[1]}" if self.change else "",
            f"{self.limit_word} {self.limit}" if self.limit is not None else "",
            " ".join(self.naming or ()),
        )
        return " ".join(filter(None, clauses))

    @property
    def limit_word(self) -> str:
        return "min" if self.call == "offer" else "max"

    @property
    def verb(self) -> str:
        head = "lot" if self.lot else "play" if self.play else self.word or self.call
        return head or (self.naming[0] if self.naming else "")

    @property
    def bare(self) -> Self:
        """Return the ply without a limit, and without a hex named in addition to something else."""
        if self.limit is None and (self.naming is None or self.verb in ("take", "put")):
            return self
        return replace(self, limit=None, naming=None)


make_act = lru_cache(maxsize=10_000)(Act)
"""Return an `Act`, perhaps one made before, since a search lists the same plies in most positions."""
STAY = Act(word="stay")
PASS = Act(word="pass")


HIGHEST_OFFER = 9999

_COINS = {
    **dict.fromkeys(("£", "l", "gbp", "pound", "pounds"), "£"),
    **dict.fromkeys(("$", "usd", "dollar", "dollars"), "$"),
}
_LINKS = frozenset({"and", "&", "+"})
_MONEY = re.compile(
    r"(?P<minus>-)? ?(?P<before>£|\$|l|gbp|usd)? ?(?P<inner>-)?(?P<number>[0-9]{1,6})"
    r" ?(?P<after>£|\$|l|gbp|usd|pounds?|dollars?)?"
)
_CLOCK = re.compile(r"[0-9]{1,3}[dh]")
_GIFTS = frozenset({"a", "one", "my", "the", "thing", "things", *map(str.lower, ORDER)})


@lru_cache(maxsize=4096)
def read(text: str) -> Act:
    words = notation.words(text) if len(text) <= notation.MAX_LENGTH else []
    plain = [word.lower().replace("\u2212", "-") for word in words]
    plain = [word for word in plain if word not in _LINKS]
    _check_prose(plain)
    clauses = _clauses(plain)
    _check_company(_spell(plain), clauses)
    values: dict[str, Any] = {}
    for word, rest in clauses.items():
        values |= CLAUSES[word](word, rest, plain)
    return Act(**values)


def _check_prose(plain: Sequence[str]) -> None:
    no_move = NoMove("That is no move of Hexagonal Thing: one begins with play, lot, bid or the like.")
    if not plain or (plain[0] in ("take", "put") and [w.isdigit() for w in plain[1:]] == [True]):
        raise no_move
    if plain[0] == "give":
        raise _gift_error(plain[1:])
    strange = [w for w in plain if notation.is_prose(w) and w not in CLAUSES and w not in _COINS]
    if strange:
        raise _slip_error(plain, strange[0])
    if plain[0] in CLAUSES:
        return
    if plain[0].upper() not in ORDER and not (len(plain) == 1 and plain[0] in RANK):
        raise no_move
    raise Unreadable(_no_verb(_spell(plain), plain))


def _slip_error(plain: Sequence[str], strange: str) -> Unreadable:
    """Return the error for a ply with one typing mistake in a word.

    A line with other mistakes, or with a mistake in a short first word, is prose: `ply 7: bid 6`, `May 5`.
    """
    prose = NoMove("That is a sentence and no move: write a move of Hexagonal Thing alone on its line.")
    meant = notation.nearest(strange, CLAUSES)
    if meant is None or (strange == plain[0] and len(strange) < 4):
        return prose
    fixed = _spell([meant if word == strange else word for word in plain])
    try:
        read(fixed)
    except Unreadable:
        return prose
    if not any(map(str.isdigit, fixed)):
        return prose
    return Unreadable(f"{_spell(plain)}: there is no word {strange} here; write {fixed} if {meant} is meant.")


def _no_verb(line: str, plain: Sequence[str]) -> str:
    if plain[0] in RANK:
        return f"{line}: no hex is due now; take {line} or put {line} is written when one is."
    if len(plain) > 1 and all(word.upper() in ORDER for word in plain):
        return f"{line}: those are cards without a word. Write play and one of them, or lot {line} bid 0."
    return f"{line}: that is a card without a word. Write play {line}."


def _gift_error(rest: Sequence[str]) -> Unreadable:
    if not rest or _CLOCK.fullmatch(rest[0]) or not _GIFTS.issuperset(rest):
        return NoMove("give is no word of Hexagonal Thing.")
    return Unreadable(
        "give: nothing is given by hand here. Cards go through the bank's auctions; who stays gives the"
        " other player a Thing."
    )


def _clauses(plain: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    rest: list[str] = []
    for word in plain:
        if word not in CLAUSES:
            rest.append(word)
            continue
        if word in found:
            raise Unreadable(f"{_spell(plain)}: {word} is there twice; once is enough.")
        rest = found[word] = []
    return found


_COMPANY = {
    "lot": {"bid", "max"},
    "play": {"bid", "max", "offer", "min", "change", "take", "put"},
    "stay": set(),
    "pass": {"take", "put"},
    "": {"bid", "max", "offer", "min", "take", "put"},
}
"""The words that may stand with each opening word. The key "" is a bid, an offer or a naming by itself."""

_APART = (("bid", "offer"), ("bid", "change"), ("offer", "change"), ("take", "put"))

_NEEDS = {
    "max": ("bid", "max goes with a bid, as in bid 6 max 20"),
    "min": ("offer", "min goes with an offer, as in offer 30 min 10"),
    "change": ("play", "change goes with the card that leads onto a Change, as in play 1S change £20"),
}


def _check_company(line: str, clauses: Mapping[str, Sequence[str]]) -> None:
    heads = [word for word in clauses if word in _COMPANY]
    if len(heads) > 1:
        raise Unreadable(f"{line}: {heads[0]} and {heads[1]} are two moves; write one of them.")
    head = heads[0] if heads else ""
    for word in clauses:
        if word in _NEEDS and _NEEDS[word][0] not in clauses:
            raise Unreadable(f"{line}: {_NEEDS[word][1]}.")
        if word != head and word not in _COMPANY[head]:
            raise Unreadable(_stranger(line, head, word))
    for one, two in _APART:
        if one in clauses and two in clauses:
            raise Unreadable(f"{line}: {one} and {two} never go together; write the one that is due.")


def _stranger(line: str, head: str, word: str) -> str:
    if head == "lot" and word == "offer":
        return f"{line}: cards are bid for; write {line.replace('offer', 'bid')}."
    if head == "lot":
        return f"{line}: after an auction of cards there is nothing to {word}; leave out {word}."
    if head == "stay":
        return f"{line}: stay is a move by itself; write stay alone."
    return f"{line}: {head} and {word} never go together; write {head} alone, or the {word}."


def _spell(plain: Sequence[str]) -> str:
    """Return the words as they are shown: cards in capitals, all others in small letters."""
    return " ".join(word.upper() if word.upper() in ORDER else word for word in plain)


def _lot(word: str, rest: Sequence[str], plain: Sequence[str]) -> dict[str, Any]:
    if not rest:
        raise Unreadable("lot: the cards are missing; name them, as in lot 1N 2U bid 5.")
    cards = [_card(each) for each in rest]
    for card in cards:
        if cards.count(card) > 1:
            raise Unreadable(f"{card} is twice in this lot; there is one card of each kind.")
    return {"lot": in_order(cards)}


def _play(word: str, rest: Sequence[str], plain: Sequence[str]) -> dict[str, Any]:
    if not rest:
        raise Unreadable("play: the card is missing; name it, as in play 2U.")
    if len(rest) == 2 and rest[0] in "123" and rest[1].upper() in STEPS:
        card = "".join(rest).upper()
        raise Unreadable(f"{_spell(plain)}: a card is written without a space; write {card}.")
    cards = [_card(each) for each in rest]
    if len(cards) > 1:
        raise Unreadable(f"play {' '.join(cards)}: that is {len(cards)} cards; one is played in a turn.")
    return {"play": cards[0]}


def _word(word: str, rest: Sequence[str], plain: Sequence[str]) -> dict[str, Any]:
    if rest:
        raise Unreadable(f"{_spell(plain)}: {word} goes alone; leave out {_spell(rest)}.")
    return {"word": word}


def _call(word: str, rest: Sequence[str], plain: Sequence[str]) -> dict[str, Any]:
    coin, amount = _money(word, rest)
    if word == "bid" and amount < 0:
        raise Unreadable(f"bid {amount}: a bid is 0 or more; only an offer may be less.")
    if amount > HIGHEST_OFFER and word == "offer":
        raise Unreadable(f"offer {amount}: an offer is at most {HIGHEST_OFFER} dollars.")
    wrong = "$" if "lot" in plain else "£" if word == "offer" or "play" in plain else ""
    if coin and coin == wrong:
        reason = "cards are auctioned in pounds" if coin == "$" else "Things are bought and sold in dollars"
        raise Unreadable(f"{word} {' '.join(rest)}: {reason}; write {word} {amount} without a sign.")
    return {"call": word, "price": amount, "coin": coin}


def _limit(word: str, rest: Sequence[str], plain: Sequence[str]) -> dict[str, Any]:
    return {"limit": _money(word, rest)[1]}


def _change(word: str, rest: Sequence[str], plain: Sequence[str]) -> dict[str, Any]:
    coin, amount = _money(word, rest)
    if amount < 1:
        raise Unreadable(f"change {' '.join(rest)}: at least 1 is changed; leave it out to change nothing.")
    if not coin:
        before = _spell(plain[: plain.index("change")])
        readings = [f"{before} change {each}{amount}".strip() for each in "£$"]
        raise Unreadable(
            f"change {amount}: pounds or dollars? Write {readings[0]} to turn pounds into dollars, or"
            f" {readings[1]} to turn dollars into pounds."
        )
    return {"change": (coin, amount)}


def _naming(word: str, rest: Sequence[str], plain: Sequence[str]) -> dict[str, Any]:
    line = " ".join((word, *rest))
    if not rest:
        raise Unreadable(f"{word}: the hex is missing; name it, as in {word} e5.")
    if len(rest) == 2 and rest[0] in COLUMNS and rest[1].isdigit():
        raise Unreadable(f"{line}: a hex is written without a space; write {word} {''.join(rest)}.")
    if len(rest) > 1:
        raise Unreadable(f"{line}: that is {len(rest)} hexes; one is named.")
    return {"naming": (word, _hex(rest[0]))}


CLAUSES: Mapping[str, Callable[[str, Sequence[str], Sequence[str]], dict[str, Any]]] = {
    "lot": _lot,
    "play": _play,
    "stay": _word,
    "pass": _word,
    "bid": _call,
    "offer": _call,
    "change": _change,
    "max": _limit,
    "min": _limit,
    "take": _naming,
    "put": _naming,
}


def _card(word: str) -> str:
    card = word.upper()
    if card in ORDER:
        return card
    reason = "this is no card; a card is 1, 2 or 3 steps and N, U, E, W, D or S, as in 2U"
    if card[::-1] in ORDER:
        reason = f"in a card the steps come first; write {card[::-1]}"
    elif card in STEPS:
        reason = f"the steps are missing; write 1{card}, 2{card} or 3{card}"
    elif word in ("1", "2", "3"):
        reason = f"the direction is missing, one of N, U, E, W, D and S, as in {word}N"
    elif len(card) > 1 and card[-1] in STEPS and card[:-1].isdigit():
        reason = "a card leads 1, 2 or 3 steps"
    raise Unreadable(f"{card}: {reason}.")


def _hex(word: str) -> str:
    if word in RANK:
        return word
    column, number = word[:1], word[1:]
    reason = "this is no hex; a hex is a column's letter and a number, as in e5"
    if column in COLUMNS and number.isdigit():
        reason = f"column {column} has {column}1 to {column}{COLUMNS[column]}"
    elif word[::-1] in RANK:
        reason = f"in a hex the letter comes first; write {word[::-1]}"
    elif column.isalpha() and number.isdigit():
        reason = f"there is no column {column}, columns run from a to g"
    raise Unreadable(f"{word}: {reason}.")


_SAMPLES = {"bid": "5", "offer": "40", "max": "20", "min": "25", "change": "£20"}


def _money(word: str, rest: Sequence[str]) -> tuple[str, int]:
    line = " ".join((word, *rest))
    if not rest:
        raise Unreadable(f"{word}: the amount is missing; write it, as in {word} {_SAMPLES[word]}.")
    found = _MONEY.fullmatch(" ".join(rest))
    if not found:
        raise Unreadable(f"{line}: an amount is one whole number, as in {word} {_SAMPLES[word]}.")
    coins = {_COINS[sign] for sign in (found["before"], found["after"]) if sign}
    if len(coins) > 1 or (found["minus"] and found["inner"]):
        raise Unreadable(f"{line}: an amount has one sign at most; pounds or dollars?")
    sign = -1 if found["minus"] or found["inner"] else 1
    return coins.pop() if coins else "", sign * int(found["number"])
