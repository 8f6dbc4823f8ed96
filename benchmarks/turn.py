"""A turn: the bytes of a reply in, a committed move and two queued letters out; against its floor.

The floor does the same chores with the standard library and no thought: parse the bytes, build two
ready letters with EmailMessage, insert the same rows with sqlite3 in two durable commits.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from statistics import median

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, Entry
from pbem.core.lobby.challenges import opening_entry
from pbem.core.parsing.reply_text import MARKER
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.addresses import Token
from pbem.mail.person.mailbox import ReceivedLetter, reply_mail
from pbem.store import games, outbox, players
from pbem.store.migrate import migrate
from rules import RULES
from rules.picture import text
from tests.apps import add_game

PLIES_BEFORE = ("f2 f4 g3", "e5 g1", "f6 h2 i1")
MOVE = "E1"
TURNS = 300
ROUNDS = 5


def measure() -> Iterator[tuple[str, str, str]]:
    """Rows of the table: figure, measured, against what."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        app = new_app(Path(folder))
        mails = [a_game(app, number) for number in range(TURNS)]
        ours, floors = [], []
        share = TURNS // ROUNDS
        ready = _ready(app)
        for n in range(ROUNDS):
            floors.append(_floor(Path(folder) / f"floor{n}.sqlite", mails[:share], ready))
            ours.append(_ours(app, mails[n * share : (n + 1) * share]))
        turn, floor = median(ours), median(floors)
        yield "turn, SQLite FULL, one process", f"{1 / turn:.0f} a second", f"{turn * 1e3:.2f} ms each"
        yield "its floor", f"{1 / floor:.0f} a second", f"{floor * 1e3:.2f} ms each"
        yield (
            "turn / floor (goal: at most 1.3)",
            f"{turn / floor:.2f}",
            f"median of {ROUNDS} rounds of {share}",
        )
        app.close()


def new_app(folder: Path) -> App:
    environ = {"PBEM_VAR": str(folder), "PBEM_DATABASE": f"sqlite:///{folder / 'bench.sqlite'}"}
    app = open_app(config_from(environ))
    migrate(app.store)
    return app


def a_game(app: App, number: int) -> tuple[bytes, str]:
    """A running game three plies old, and a mail with the fourth: (bytes, recipient)."""
    rules, now = RULES["bipod"], app.now()
    with app.store.write() as db:
        pair = tuple(
            players.add_player(db, f"{name}{number}", f"{name}{number}@example.org", now)
            for name in ("Bill", "Joao")
        )
        game = add_game(db, rules, rules.start().options, 0, (pair[0], pair[1]), True, now)
        entries = [opening_entry(game)]
        for n, move in enumerate(PLIES_BEFORE):
            entries.append(Entry(n + 2, now, PLY, 1 if n % 2 else 0, {"move": move}))
        begun = game.with_entries(entries)
        games.append_entries(db, game, fold(begun), entries)
    address = app.addressing.reply(Token("game", (game.id, 1, len(entries), 0)))
    letter = _letter_before(address, begun)
    return reply_mail(letter, pair[1].address, MOVE), address


def _letter_before(address: str, game: Game) -> ReceivedLetter:
    """The letter that the mail answers, with its marker and board as a mail program quotes them."""
    board = text(fold(game).position.picture())
    mail = EmailMessage(policy=policy.SMTP)
    mail["From"] = f'"Bipod #{game.id}" <play@localhost>'
    mail["Reply-To"] = address
    mail["Subject"] = game.title
    mail["Message-ID"] = f"<g{game.id}.e4.s1.turn.1@localhost>"
    mail.set_content(f"{MARKER}\n\nIt is your turn.\n\n{board}\n" + "Words about the game.\n" * 20)
    return ReceivedLetter(mail.as_bytes())


def _ours(app: App, mails: list[tuple[bytes, str]]) -> float:
    """Seconds a turn."""
    begin = time.perf_counter()
    for raw, recipient in mails:
        (key,) = receive(app, raw, "joao@example.org", [recipient])
        assert process(app, int(key[1:])) == "done"
    return (time.perf_counter() - begin) / len(mails)


def _ready(app: App) -> list[tuple[dict[str, str], str, str]]:
    """The headers, text and HTML of the two letters of a turn, to be built again by the floor."""
    raw, recipient = a_game(app, TURNS)
    (key,) = receive(app, raw, "joao@example.org", [recipient])
    process(app, int(key[1:]))
    with app.store.read() as db:
        letters = [
            ReceivedLetter(outbox.letters_to(db, f"{name}{TURNS}@example.org")[-1])
            for name in ("Bill", "Joao")
        ]
    return [
        (
            {
                name: str(value)
                for name, value in letter.message.items()
                if not name.startswith(("Content", "MIME"))
            },
            letter.text,
            letter.html,
        )
        for letter in letters
    ]


TABLES = """
PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;
CREATE TABLE messages_in (id INTEGER PRIMARY KEY, at TEXT, sender TEXT, recipient TEXT, raw BLOB,
  sha TEXT, state TEXT);
CREATE TABLE journal (game INTEGER, n INTEGER, at TEXT, kind TEXT, seat INTEGER, data TEXT,
  PRIMARY KEY (game, n));
CREATE TABLE games (id INTEGER PRIMARY KEY, plies INTEGER, changed TEXT);
CREATE TABLE outbox (id INTEGER PRIMARY KEY, key TEXT UNIQUE, recipient TEXT, message_id TEXT UNIQUE,
  raw BLOB, state TEXT);
"""


def _floor(path: Path, mails: list[tuple[bytes, str]], ready: list[tuple[dict[str, str], str, str]]) -> float:
    """Seconds a turn without any thought."""
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript(TABLES)
    db.executemany("INSERT INTO games VALUES (?, 3, '')", [(n,) for n in range(len(mails))])
    begin = time.perf_counter()
    for n, (raw, recipient) in enumerate(mails):
        db.execute("BEGIN IMMEDIATE")
        row = ("now", "joao@example.org", recipient, raw, "0" * 64, "new")
        number = db.execute("INSERT INTO messages_in VALUES (NULL, ?, ?, ?, ?, ?, ?)", row).lastrowid
        db.execute("COMMIT")
        message_from_bytes(raw, policy=policy.compat32).get_payload(decode=True)
        built = [_build(*parts) for parts in ready]
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO journal VALUES (?, 5, 'now', 'ply', 1, '{}')", (n,))
        db.execute("UPDATE games SET plies = 4, changed = 'now' WHERE id = ?", (n,))
        for place, letter in enumerate(built):
            key = f"{n}.{place}"
            db.execute("INSERT INTO outbox VALUES (NULL, ?, 'x', ?, ?, 'queued')", (key, key, letter))
        db.execute("UPDATE messages_in SET state = 'done' WHERE id = ?", (number,))
        db.execute("COMMIT")
    spent = (time.perf_counter() - begin) / len(mails)
    db.close()
    return spent


def _build(headers: dict[str, str], text: str, html: str) -> bytes:
    mail = EmailMessage(policy=policy.SMTP.clone(max_line_length=998))
    for name, value in headers.items():
        mail[name] = value
    mail.set_content(text)
    mail.add_alternative(html, subtype="html")
    return mail.as_bytes()
