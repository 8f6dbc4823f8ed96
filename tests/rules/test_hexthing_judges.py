"""Two judges of Hexagonal Thing that know nothing of each other: the game, and a slow plain referee.

The referee works on texts, keeps everything in dictionaries and looks hexes up by their height.
"""

from __future__ import annotations

import copy
from random import Random

import pytest

from rules import RULES
from tests.amount import amount

KINDS = {
    "a": "Buy Change Sell £10",
    "b": "Change Sell Buy Change Sell",
    "c": "£10 Buy Change Sell Buy Change",
    "d": "Visiting Sell $20 Buy $20 Sell Visiting",
    "e": "Change Buy Sell Change Buy £10",
    "f": "Sell Change Buy Sell Change",
    "g": "£10 Sell Change Buy",
}
KIND = {
    f"{column}{number}": kind
    for column, kinds in KINDS.items()
    for number, kind in enumerate(kinds.split(), 1)
}
LEFT = {"N": -1, "W": -1, "E": 1, "S": 1, "U": 0, "D": 0}
RISE = {"N": 1, "E": 1, "W": -1, "S": -1, "U": 2, "D": -2}
"""Columns to the right and half-hexes up, for one step."""
CARDS = [steps + direction for direction in "NUEWDS" for steps in "123"]


def height(name: str) -> int:
    """A hex k columns from d stands 2 * number + k half-hexes high."""
    return 2 * int(name[1]) + abs("abcdefg".index(name[0]) - 3)


def beside(name: str, direction: str) -> str | None:
    """The hex one step away, None off the board."""
    column = "abcdefg".index(name[0]) + LEFT[direction]
    for hex in KIND:
        if "abcdefg".index(hex[0]) == column and height(hex) == height(name) + RISE[direction]:
            return hex
    return None


class Referee:
    """A game of Hexagonal Thing, judged by the book."""

    def __init__(self, money: int, most_bids: float) -> None:
        self.most_bids = most_bids
        self.counter = {0: "d7", 1: "d1"}
        self.owner = {card: 0 if card[1] in "SDW" else 1 for card in CARDS}
        self.money = {(seat, coin): money for seat in (0, 1) for coin in "£$"}
        self.owned = {0: 0, 1: 0}
        self.on_board = {"b3", "c2", "c5", "d4", "e2", "e5", "f3"}
        self.turn = 0
        self.had_auction = False
        self.auction = None
        self.to_name = None
        self.result = None
        self.seen = []
        self.remember()

    # what may be played

    def allows(self, text: str) -> bool:
        words = text.split()
        if self.result is not None:
            return False
        if self.to_name:
            return len(words) == 2 and words[0] == self.to_name and self.may_name(words[1])
        naming = words[-2:] if len(words) > 2 and words[-2] in ("take", "put") else []
        if words[0] == "pass" and len(words) == 3:
            naming = words[1:]
        if naming:
            words = words[:-2]
        fits = self.allows_call(words) if self.auction else self.allows_move(words)
        if not fits or not naming:
            return fits
        then = self.twin()
        mover = then.to_play()
        then.play(" ".join(words))
        return then.result is None and then.to_play() == mover and then.allows(" ".join(naming))

    def may_name(self, hex: str) -> bool:
        if self.to_name == "take":
            return hex in self.on_board
        return hex in KIND and hex not in self.on_board and hex not in self.counter.values()

    def allows_call(self, words: list[str]) -> bool:
        if words == ["pass"]:
            return True
        caller, auction = self.to_play(), self.auction
        if len(words) != 2 or words[0] != ("offer" if auction["kind"] == "sell" else "bid"):
            return False
        price = int(words[1])
        if auction["kind"] == "sell":
            return -self.money[caller, "$"] <= price < auction["calls"][-1]
        return auction["calls"][-1] < price <= self.money[caller, "£" if auction["kind"] == "lot" else "$"]

    def allows_move(self, words: list[str]) -> bool:
        if words == ["stay"]:
            return True
        if words[0] == "lot":
            if "bid" not in words or self.had_auction:
                return False
            cards, price = words[1 : words.index("bid")], int(words[-1])
            fair = all(self.owner[card] == "bank" and cards.count(card) == 1 for card in cards)
            return bool(cards) and fair and 0 <= price <= self.money[self.turn, "£"]
        return words[0] == "play" and self.allows_play(words[1], words[2:])

    def allows_play(self, card: str, rest: list[str]) -> bool:
        landed = self.walk(card)
        if self.owner[card] != self.turn or landed is None:
            return False
        kind = KIND[landed]
        if kind == "Sell" and not self.owned[self.turn]:
            return False
        dollars = self.money[self.turn, "$"]
        if kind == "Buy":
            return len(rest) == 2 and rest[0] == "bid" and 0 <= int(rest[1]) <= dollars
        if kind == "Sell" and self.owned[1 - self.turn]:
            return len(rest) == 2 and rest[0] == "offer" and -dollars <= int(rest[1]) <= 9999
        if kind == "Change" and rest:
            return rest[0] == "change" and 1 <= int(rest[1][1:]) <= self.money[self.turn, rest[1][0]]
        return not rest

    def walk(self, card: str) -> str | None:
        """The hex to which the card leads, None where the way is not free."""
        hex = self.counter[self.turn]
        for _ in range(int(card[0])):
            hex = beside(hex, card[1])
            if hex is None or hex in self.on_board or hex == self.counter[1 - self.turn]:
                return None
        return hex

    def to_play(self) -> int | None:
        if self.result is not None:
            return None
        if self.auction and len(self.auction["calls"]) % 2 == 1:
            return 1 - self.turn
        return self.turn

    # what follows

    def play(self, text: str) -> None:
        words = text.split()
        naming = []
        if self.to_name is None and ("take" in words or "put" in words):
            words, naming = words[:-2], words[-2:]
        if self.to_name:
            self.name(words[1])
        elif self.auction:
            self.call(words)
        elif words[0] == "stay":
            self.stay()
        elif words[0] == "lot":
            self.had_auction = True
            self.auction = {"kind": "lot", "cards": words[1:-2], "calls": []}
            self.call(words[-2:])
        else:
            self.land(words)
        if naming:
            self.play(" ".join(naming))

    def stay(self) -> None:
        if self.owned[self.turn] == 0:
            self.result = 1 - self.turn
            return
        self.owned[self.turn] -= 1
        self.owned[1 - self.turn] += 1
        self.end_turn()

    def land(self, words: list[str]) -> None:
        hex = self.walk(words[1])
        self.counter[self.turn] = hex
        self.owner[words[1]] = "bank"
        kind = KIND[hex]
        if kind == "Buy" or (kind == "Sell" and self.owned[1 - self.turn]):
            self.auction = {"kind": kind.lower(), "calls": []}
            self.call(words[2:])
            return
        if kind in ("£10", "$20"):
            self.money[self.turn, kind[0]] += int(kind[1:])
        elif kind == "Sell":
            self.money[self.turn, "$"] += 20
        elif len(words) > 2:
            coin, amount = words[3][0], int(words[3][1:])
            self.money[self.turn, coin] -= amount
            self.money[self.turn, "$" if coin == "£" else "£"] += amount
        self.end_turn()

    def call(self, words: list[str]) -> None:
        if words == ["pass"]:
            self.close(1 - self.to_play())
            return
        caller = self.to_play() if self.auction["calls"] else self.turn
        self.auction["calls"].append(int(words[1]))
        last = len(self.auction["calls"]) >= self.most_bids
        if last or not self.can_answer(1 - caller):
            self.close(caller)

    def can_answer(self, seat: int) -> bool:
        last = self.auction["calls"][-1]
        if self.auction["kind"] == "sell":
            return last > -self.money[seat, "$"]
        return last < self.money[seat, "£" if self.auction["kind"] == "lot" else "$"]

    def close(self, winner: int) -> None:
        auction, price = self.auction, self.auction["calls"][-1]
        self.auction = None
        if auction["kind"] == "lot":
            self.money[winner, "£"] -= price
            for card in auction["cards"]:
                self.owner[card] = winner
        elif auction["kind"] == "buy":
            self.money[winner, "$"] -= price
            self.owned[winner] += 1
            self.to_name = "take"
        else:
            self.money[winner, "$"] += price
            self.owned[winner] -= 1
            self.to_name = "put"
        self.look_for_four()

    def name(self, hex: str) -> None:
        if self.to_name == "take":
            self.on_board.remove(hex)
        else:
            self.on_board.add(hex)
        self.to_name = None
        self.end_turn()

    def look_for_four(self) -> None:
        for seat in (0, 1):
            if self.owned[seat] == 4:
                self.result = seat

    def end_turn(self) -> None:
        self.look_for_four()
        if self.result is None:
            self.turn = 1 - self.turn
            self.had_auction = False
            self.remember()
            if self.seen.count(self.seen[-1]) == 3:
                self.result = "draw"

    def remember(self) -> None:
        held = [dict(each) for each in (self.counter, self.owner, self.money, self.owned)]
        self.seen.append((self.turn, held, set(self.on_board)))

    def twin(self) -> Referee:
        """A referee of the same game to try things with."""
        twin = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict | set | list):
                setattr(twin, name, copy.copy(value))
        if self.auction:
            twin.auction = {**self.auction, "calls": list(self.auction["calls"])}
        return twin

    def summary(self) -> tuple:
        return (
            self.to_play(),
            self.result,
            [self.counter[seat] for seat in (0, 1)],
            [[card for card in CARDS if self.owner[card] == seat] for seat in (0, 1)],
            [(self.money[seat, "£"], self.money[seat, "$"], self.owned[seat]) for seat in (0, 1)],
            sorted(self.on_board),
        )


def summary(position) -> tuple:
    outcome = position.outcome
    return (
        position.to_play,
        None if outcome is None else "draw" if outcome.winner is None else outcome.winner,
        [each.hex for each in position.estates],
        [list(each.cards) for each in position.estates],
        [(each.pounds, each.dollars, each.things) for each in position.estates],
        sorted(position.things),
    )


def bent(rng: Random, text: str) -> str:
    """A ply a little different from `text`, often no legal one."""
    words = text.split()
    at = rng.randrange(len(words))
    if words[at].lstrip("-").isdigit():
        words[at] = str(int(words[at]) + rng.choice([-60, -2, -1, 1, 2, 60]))
    elif words[at] in CARDS:
        words[at] = rng.choice(CARDS)
    elif words[at] in KIND:
        words[at] = rng.choice(list(KIND))
    elif words[at][0] in "£$":
        words[at] = rng.choice("£$") + str(int(words[at][1:]) + rng.choice([-1, 1, 50]))
    elif words[at] in ("take", "put"):
        words[at] = rng.choice(["take", "put"])
    elif words[0] == "play" and len(words) == 2:
        words += rng.choice(["bid 1", "offer 1", "change £1", "take d4", "put a1"]).split()
    else:
        words = rng.choice(
            ["stay", "pass", "bid 1", "offer -1", "take d4", "put a1", "lot 1N bid 0", "pass take b3"]
        ).split()
    return " ".join(words)


@pytest.mark.parametrize("seed", range(amount(1, 8)))
def test_the_game_and_the_referee_agree_on_every_ply_and_on_what_it_changes(seed):
    rng = Random(seed)
    results = set()
    refused = allowed = 0
    for game in range(260):
        bids, money = rng.choice([("any", float("inf")), ("3", 3)]), rng.choice([0, 7, 50, 50, 200])
        position = RULES["hexthing"].start({"bids": bids[0], "money": str(money)})
        referee = Referee(money, bids[1])
        while position.outcome is None and position.ply < 120:
            move = str(position.sample(rng))
            for text in (move, bent(rng, move), bent(rng, move)):
                try:
                    sentence = position.problem(position.read(text))
                except ValueError as error:
                    sentence = str(error)
                assert referee.allows(text) == (sentence is None), (game, position.ply, text, sentence)
                refused, allowed = refused + bool(sentence), allowed + (not sentence)
            referee.play(move)
            position = position.play(position.read(move))
            assert referee.summary() == summary(position), (game, position.ply, move)
        results.add(referee.result)
    assert {0, 1} <= results
    assert min(refused, allowed) > 3000


def test_the_referee_sees_every_card_lead_where_the_game_has_it():
    from rules.games.hexthing.hexes import WAYS

    for start in KIND:
        for card in CARDS:
            way, hex = [], start
            for _ in range(int(card[0])):
                hex = hex and beside(hex, card[1])
                way.append(hex)
            assert (tuple(way) if all(way) else ()) == WAYS[start][card]


def test_counters_to_and_fro_are_a_draw_to_both():
    """Two players with one Thing between them, and nothing but staying."""
    referee = Referee(50, float("inf"))
    position = RULES["hexthing"].start()
    for text in ("play 3S bid 50 take e5", "play 3N bid 50 take b3"):
        referee.play(text)
        position = position.play(position.read(text))
    for _ in range(4):
        assert referee.result is None
        referee.play("stay")
        position = position.play(position.read("stay"))
    assert "draw" == referee.result
    assert position.outcome is not None
    assert position.outcome.winner is None
