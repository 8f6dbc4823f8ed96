"""A server for tests, with a clock moved by hand and mail.

The fixtures `app`, `clock` and `town` of tests/conftest.py are made of these. A test file that wants other
settings overrides the fixture `app_config` there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.utils import format_datetime
from random import Random
from typing import Any

from pbem.app import App, open_app
from pbem.cli.migrate import check_game
from pbem.config.load import config_from
from pbem.core.clock.time_control import NONE, TimeControl
from pbem.core.clock.vacation import Vacation
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, Entry
from pbem.core.game.state import Ending
from pbem.core.lobby.challenges import opening_entry
from pbem.core.players import Player
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.addresses import Token, days_since_1970
from pbem.mail.person.compose import FORM_HEADER
from pbem.mail.person.mailbox import ReceivedLetter, new_mail, reply_mail
from pbem.store import games, inbox, outbox, vacations
from pbem.store import players as player_rows
from pbem.store.engine import Connection
from rules import RULES
from rules.contract import Rules
from tests.people import NOON
from tests.snapshots import once

BILL, JOAO, ANNA = "bill@example.org", "joao@example.net", "anna@example.com"
PLAY, OPERATOR = "play@localhost", "op@example.org"
DAY = timedelta(days=1)


def add_game(
    db: Connection,
    rules: Rules,
    options: Mapping[str, Any],
    seed: int,
    seats: tuple[Player, Player],
    rated: bool,
    now: datetime,
    time_control: TimeControl = NONE,
    soft: bool = False,
) -> Game:
    """Create a game's row, without any entry yet."""
    game = Game(0, rules, options, seed, seats, now, (), rated, rules.version, time_control, soft)
    return games.add_games(db, [game])[0]


class Clock:
    """A clock that moves only by hand."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **span: float) -> None:
        self.now += timedelta(**span)


class Broken:
    """A step that fails so many times."""

    def __init__(self, times: int) -> None:
        self.times = times

    def __call__(self, step: str) -> None:
        if step == "decide" and self.times:
            self.times -= 1
            raise ZeroDivisionError("a fault of ours")


class Relay:
    """A relay that takes letters, or gives the reply in `answers`."""

    def __init__(self) -> None:
        self.answers: dict[str, Exception] = {}
        self.taken: list[tuple[str, str, bytes]] = []

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        if recipient in self.answers:
            raise self.answers[recipient]
        self.taken.append((envelope_from, recipient, raw))

    def hang_up(self) -> None:
        pass

    def close(self) -> None:
        self.answers.clear()

    def to(self, recipient: str) -> list[ReceivedLetter]:
        return [ReceivedLetter(raw) for _, address, raw in self.taken if address == recipient]

    def bounce_address(self, letter: ReceivedLetter) -> str:
        return next(sender for sender, _, raw in self.taken if raw == letter.raw)


def an_office(environ: Mapping[str, str], clock: Clock | None = None) -> App:
    app = open_app(config_from(environ), clock=clock or Clock())
    return replace(app, free_bytes=lambda _folder: 10**12)  # whatever disk the tests run on


# Mails.


SERVER = "proof.localhost"
"""The server whose word on the sender counts in tests with `PBEM_AUTHSERV`."""
NO_DEVELOPMENT = {"PBEM_RELAY": "smtp://127.0.0.1:9", "PBEM_UNDO_MINUTES": "0", "PBEM_SECRET": "s" * 32}
"""Settings of a server that lets others write, and so takes no mail for its owner's without a proof."""


def proven(raw: bytes, sender: str, now: datetime) -> bytes:
    """The mail as our mail server hands it on, which has found that the sender wrote it."""
    domain, date = sender.rpartition("@")[2], format_datetime(now)
    head = [
        f"Authentication-Results: {SERVER}; dmarc=pass header.from={domain}",
        f"Received: from {domain} by {SERVER}; {date}",
    ]
    head += [] if b"\nDate:" in raw else [f"Date: {date}"]
    end = "\r\n" if b"\r\n" in raw else "\n"
    return end.join([*head, ""]).encode() + raw


def mail(app: App, sender: str, raw: bytes, recipient: str = PLAY) -> str:
    """Receive a mail and handle it; return its state. To a reply address `SERVER` proves who wrote it."""
    plain = not raw.startswith(FORM_HEADER) and b"\nReceived:" not in raw
    if recipient != PLAY and app.config.authserv == SERVER and plain:
        raw = proven(raw, sender, app.clock())
    (key,) = receive(app, raw, sender, [recipient])
    work_through(app)
    return state(app, key)


def reply(app: App, who: str, letter: ReceivedLetter, words: str) -> str:
    return mail(app, who, reply_mail(letter, who, words), letter.header("Reply-To"))


def writes(app: App, who: str, words: str) -> str:
    """Answer the last letter; return the answer's state."""
    return reply(app, who, last_letter(app, who), words)


def ask(app: App, who: str, words: str) -> str:
    """Answer the last letter; return the next letter's text on one line."""
    writes(app, who, words)
    return last_words(app, who)


def register(app: App, who: str, name: str) -> ReceivedLetter:
    """Register and confirm; return the welcome letter."""
    once(app, ("register", who, name), lambda: _confirm(app, who, name))
    return last_letter(app, who)


def _confirm(app: App, who: str, name: str) -> None:
    assert "done" == mail(app, who, new_mail(who, PLAY, f"register {name}"))
    assert "done" == writes(app, who, "confirm")


# Letters.


def state(app: App, key: str) -> str:
    with app.store.read() as db:
        kept = inbox.mail_by_id(db, int(key[1:]))
    assert kept is not None
    return kept.state


def letters(app: App, who: str) -> list[ReceivedLetter]:
    with app.store.read() as db:
        return [ReceivedLetter(raw) for raw in outbox.letters_to(db, who)]


def last_letter(app: App, who: str) -> ReceivedLetter:
    return letters(app, who)[-1]


def flat(text: str) -> str:
    """A letter's text on one line, without the marker."""
    return " ".join(" ".join(line for line in text.split("\n") if not line.startswith("##- ")).split())


def last_words(app: App, who: str) -> str:
    """The text of the last letter to an address, on one line."""
    return flat(last_letter(app, who).text)


def player(app: App, name: str) -> Player:
    with app.store.read() as db:
        found = player_rows.player_by_name(db, name)
    assert found is not None
    return found


# Games.


def a_game(app: App, terms: str = "none") -> tuple[ReceivedLetter, ReceivedLetter]:
    """Game 1 begins on these terms, Bill first; the letters that say so, Bill's and Joao's."""
    once(app, terms, lambda: _agree(app, terms))
    return last_letter(app, BILL), last_letter(app, JOAO)


def _agree(app: App, terms: str) -> None:
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    reply(app, BILL, welcome, f"challenge Joao bipod first {terms}")
    writes(app, JOAO, "accept")


def begin(app: App, terms: str = "3d/move", plies: int = 0) -> None:
    """Game 1 on these terms, after some plies; neither has a day off to lose."""
    once(app, (terms, plies), lambda: _begin(app, terms, plies))


def _begin(app: App, terms: str, plies: int) -> None:
    a_game(app, terms)
    no_days_off(app, 1, 2)
    play(app, plies)


def no_days_off(app: App, *numbers: int) -> None:
    """Use up all vacation days of these players, long ago."""
    with app.store.write() as db:
        for number in numbers:
            vacations.store_vacation(db, number, Vacation(NOON - 100 * DAY, NOON - 70 * DAY))


def play(app: App, plies: int) -> None:
    """Play the first plies of game 1, each answering the newest letter."""
    for number, move in enumerate(("f2", "e5", "f6", "g1")[:plies]):
        assert "done" == writes(app, (BILL, JOAO)[number % 2], move)


def advance(app: App, number: int = 1, plies: int = 4) -> None:
    """Play the first legal ply repeatedly, without mail or passing time."""
    for _ in range(plies):
        with app.store.write() as db:
            game = games.load_game(db, app.games_by_key, number)
            assert game is not None
            data = {"move": example(game)}
            last = game.journal[-1]
            entry = Entry(last.n + 1, last.at, PLY, game.state.to_play, data)
            games.append_entries(db, game, game.with_entries([entry]).state, [entry])


def load(app: App, number: int = 1) -> Game:
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, number)
    assert game is not None
    return game


def sound(app: App, number: int = 1) -> Game:
    """The game, after a check of its row against its journal."""
    game = load(app, number)
    with app.store.read() as db:
        assert [] == check_game(game, games.stored_summary(db, number))
    return game


def ending(app: App) -> Ending | None:
    return load(app).state.ending


def moves(app: App, number: int = 1) -> list[str]:
    return [ply.move for ply in sound(app, number).state.plies]


def example(game: Game) -> str:
    """A legal move for the player to move."""
    return fold(game).position.examples()[0]


@dataclass
class Town:
    """A server, three players, and games begun without mail."""

    app: App
    clock: Clock
    players: dict[str, Player] = field(default_factory=dict)

    @property
    def now(self) -> datetime:
        return self.clock.now

    @now.setter
    def now(self, moment: datetime) -> None:
        self.clock.now = moment

    def pass_by(self, **span: float) -> None:
        self.clock.pass_by(**span)

    def settle(self, **addresses: str) -> None:
        with self.app.store.write() as db:
            for name, address in addresses.items():
                self.players[address] = player_rows.add_player(db, name, address, self.now)

    def game(
        self,
        first: str,
        second: str,
        key: str = "bipod",
        plies: int = 0,
        seed: int = 1,
        time_control: TimeControl = NONE,
    ) -> Game:
        """A game with some random plies, one a minute."""
        rules, rng = RULES[key], Random(seed)
        with self.app.store.write() as db:
            known = player_rows.players_by_ids(db, (self.players[first].id, self.players[second].id))
            seats = (known[self.players[first].id], known[self.players[second].id])
            empty = add_game(db, rules, rules.start({}).options, seed, seats, True, self.now, time_control)
            entries = [opening_entry(empty)]
            game = empty.with_entries(entries)
            for _ in range(plies):
                position = fold(game).position
                if position.outcome:
                    break
                self.pass_by(minutes=1)
                data = {"move": str(position.sample(rng))}
                entries.append(Entry(len(entries) + 1, self.now, PLY, position.to_play, data))
                game = game.with_entries(entries[-1:])
            games.append_entries(db, empty, game.state, entries)
        return game

    def load(self, number: int) -> Game:
        return load(self.app, number)

    def moves(self, number: int) -> list[str]:
        return moves(self.app, number)

    def mail(self, who: str, raw: bytes, to: str = PLAY) -> list[ReceivedLetter]:
        """Handle a mail a minute later; return the letters to its writer."""
        self.pass_by(minutes=1)
        before = len(self.letters(who))
        mail(self.app, who, raw, to)
        return self.letters(who)[before:]

    def reply(
        self, who: str, letter: ReceivedLetter, words: str, *, quoting: bool = True
    ) -> list[ReceivedLetter]:
        return self.mail(who, reply_mail(letter, who, words, quoting=quoting), letter.header("Reply-To"))

    def letters(self, address: str) -> list[ReceivedLetter]:
        return letters(self.app, address)

    def boards(self, who: str = BILL, words: str = "boards") -> ReceivedLetter:
        """The digest of boards, asked for at the player's lobby address."""
        (help_letter,) = self.mail(who, new_mail(who, self.lobby(who), "help"), self.lobby(who))
        (bundle,) = self.reply(who, help_letter, words)
        return bundle

    def lobby(self, who: str) -> str:
        player = self.players[who]
        return self.app.addressing.reply(
            Token("player", (player.id, 0, player.epoch, days_since_1970(self.now)))
        )


def settled(app: App, clock: Clock) -> Town:
    """The server with Bill, Joao and Anna."""
    town = Town(app, clock)
    town.settle(Bill=BILL, Joao=JOAO, Anna=ANNA)
    return town
