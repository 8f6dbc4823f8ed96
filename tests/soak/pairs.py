"""Pairs of players who answer each letter as people do: they play whole games, again and again, by SMTP."""

from __future__ import annotations

import re
import smtplib
import time
from dataclasses import dataclass, field
from random import Random
from threading import Event, Thread

from pbem.app import App
from pbem.mail.person.mailbox import ReceivedLetter, reply_mail
from rules import RULES
from rules.contract import Position
from tests.apps import register, writes
from tests.soak.relay import Relay

GAMES: tuple[tuple[str, dict[str, str]], ...] = (
    ("bounders", {"size": "3"}),
    ("begird", {"islands": "3", "side": "4"}),
    ("bipod", {"size": "3", "rows": "3"}),
)
"""Short games without chance, so that a player needs no more than the moves."""
GAME_LETTER = re.compile(r"<g(?P<game>\d+)\.e(?P<entry>\d+)\.s(?P<seat>[01])\.(?P<kind>[a-z]+)\.")
OTHER_LETTER = re.compile(r"<[^.>]+\.(?P<kind>[a-z]+)\.")
SEND_SECONDS = 20.0
NAP_SECONDS = 0.05


@dataclass
class Table:
    """A game as its players know it."""

    position: Position
    moves: list[str] = field(default_factory=list)
    answered: int = 0
    """The entry of the newest letter that was answered."""


@dataclass
class Pair:
    """Two players, and all games between them."""

    number: int
    game: str
    options: dict[str, str]
    rng: Random
    relay: Relay
    port: int
    tables: dict[int, Table] = field(default_factory=dict)
    read: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    resent: int = 0
    """Mails that were sent again, as no 250 came for them."""
    thread: Thread | None = None

    def name(self, side: int) -> str:
        return f"P{self.number}{'ab'[side]}"

    def address(self, side: int) -> str:
        return f"{self.name(side).lower()}@example.org"

    def meet(self, app: App) -> None:
        """Register both, and challenge one, before anything fails."""
        for side in (0, 1):
            register(app, self.address(side), self.name(side))
        words = " ".join(f"{name}={value}" for name, value in self.options.items())
        terms = f"{self.game} {words} first 7d/move unrated"
        assert "done" == writes(app, self.address(0), f"challenge {self.name(1)} {terms}")

    def start(self, over: Event) -> None:
        self.thread = Thread(target=self._play, args=(over,), daemon=True)
        self.thread.start()

    def _play(self, over: Event) -> None:
        while not over.is_set():
            for side in (0, 1):
                address = self.address(side)
                for letter in self.relay.letters(address, self.read.get(address, 0)):
                    if over.is_set():
                        return
                    self._answer(address, letter)
                    self.read[address] = self.read.get(address, 0) + 1
            time.sleep(NAP_SECONDS)

    def _answer(self, address: str, letter: ReceivedLetter) -> None:
        id = letter.header("Message-ID")
        if found := GAME_LETTER.match(id):
            self._go_on(address, letter, found)
        elif found := OTHER_LETTER.match(id):
            if found["kind"] == "challenge":
                self._send(address, letter, "accept")
            elif found["kind"] in ("refused", "expired", "mismatch", "proof"):
                self.faults.append(f"{address} got {id}: {' '.join(letter.text.split())[:300]}")

    def _go_on(self, address: str, letter: ReceivedLetter, found: re.Match[str]) -> None:
        game, entry, seat = int(found["game"]), int(found["entry"]), int(found["seat"])
        start = RULES[self.game].start(RULES[self.game].complete(self.options), 0)
        table = self.tables.setdefault(game, Table(start))
        if found["kind"] == "refused":
            self.faults.append(f"{address} got {letter.header('Message-ID')}: {letter.text[:500]}")
        elif found["kind"] in ("start", "turn") and table.position.to_play == seat:
            if entry > table.answered:
                table.answered = entry
                self._move(address, letter, table)
        elif found["kind"] == "result" and address == self.address(0):
            self._send(address, letter, "rematch")

    def _move(self, address: str, letter: ReceivedLetter, table: Table) -> None:
        position = table.position
        move = position.sample(self.rng)
        self._send(address, letter, f"{move} yes" if position.gives_up(move) else str(move))
        table.moves.append(str(move))
        table.position = position.play(move)

    def _send(self, address: str, letter: ReceivedLetter, words: str) -> None:
        """Send an answer as a mail server does: the same bytes until they are taken."""
        raw = reply_mail(letter, address, words)
        while not offer(self.port, address, letter.header("Reply-To"), raw):
            self.resent += 1
            time.sleep(0.3)


def offer(port: int, sender: str, recipient: str, raw: bytes) -> bool:
    """Offer a mail; True if it was taken."""
    try:
        with smtplib.SMTP("127.0.0.1", port, timeout=SEND_SECONDS) as line:
            line.sendmail(sender, [recipient], raw)
    except (OSError, smtplib.SMTPException):
        return False
    return True
