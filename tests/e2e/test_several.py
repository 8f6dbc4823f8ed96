"""Two of each process on one PostgreSQL: nothing is lost, and nothing done twice.

People play whole games by mail over both listeners, others against bots, and browsers look on.
"""

from __future__ import annotations

import os
import re
import smtplib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from threading import Event
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.core.game.journal import PLY
from pbem.mail.person.mailbox import ReceivedLetter, reply_mail
from pbem.store import games
from rules import RULES
from tests.amount import amount
from tests.apps import register, writes
from tests.cli.program import running
from tests.e2e.test_crash import until
from tests.ports import free_port
from tests.soak.pairs import GAMES, Pair, offer
from tests.soak.relay import Relay, running_relay
from tests.soak.verdict import is_quiet, judge

pytestmark = pytest.mark.whole

PAIRS = amount(2, 12)
MOVES = 5 * PAIRS
SECONDS = amount(2, 30)
AGAINST_BOTS = amount(2, 4)


@pytest.fixture
def relay() -> Iterator[Relay]:
    with running_relay() as relay:
        yield relay


@pytest.fixture
def settings(tmp_path: Path, postgresql_url: str, relay: Relay) -> dict[str, str]:
    return {
        "PBEM_VAR": str(tmp_path),
        "PBEM_DATABASE": postgresql_url,
        "PBEM_SECRET": "s" * 32,
        "PBEM_RELAY": f"smtp://127.0.0.1:{relay.port}",
        "PBEM_LMTP_LISTEN": "off",
        "PBEM_CONFIRMATIONS_PER_HOUR": "100000",
        "PBEM_LETTERS_PER_HOUR": "100000",
        "PBEM_UNDO_MINUTES": "0",
        "PBEM_LOG_LEVEL": "warning",
    }


@pytest.fixture
def app(settings: dict[str, str]) -> Iterator[App]:
    app = open_app(config_from(settings))
    yield app
    app.close()


def bot_address(number: int) -> str:
    """The address of a player who plays against a bot."""
    return f"q{number}@example.org"


def challenge_bot(app: App, number: int) -> None:
    """Register a player and begin a game with a bot, where the player has the first move."""
    register(app, bot_address(number), f"Q{number}")
    words = "challenge bot1 bounders size=3 first 7d/move unrated"
    assert "done" == writes(app, bot_address(number), words)


def first_letter(relay: Relay, address: str) -> ReceivedLetter:
    until(f"a letter to {address}", lambda: started(relay, address))
    return started(relay, address)[0]


def started(relay: Relay, address: str) -> list[ReceivedLetter]:
    """The letters with the start of a game."""
    found = relay.letters(address, 0)
    return [letter for letter in found if re.match(r"<g\d+\.e\d+\.s0\.start\.", letter.header("Message-ID"))]


def begin_with_bot(relay: Relay, port: int, address: str) -> int:
    """Make the first move against the bot; returns the game."""
    letter = first_letter(relay, address)
    rules = RULES["bounders"]
    move = str(rules.start(rules.complete({"size": "3"}), 0).sample(Random(1)))
    assert offer(port, address, letter.header("Reply-To"), reply_mail(letter, address, move))
    found = re.match(r"<g(\d+)", letter.header("Message-ID"))
    assert found
    return int(found[1])


def plies(app: App, game: int) -> list[int | None]:
    """The seats of the plies in a game's journal."""
    with app.store.read() as db:
        found = games.load_game(db, RULES, game)
    assert found is not None
    return [entry.seat for entry in found.journal if entry.kind == PLY]


def metric(site: str, name: str, **labels: str) -> float:
    """The sum of a metric's samples with these labels, as one process tells it."""
    with urlopen(f"{site}/metrics") as answer:
        families = [*text_string_to_metric_families(answer.read().decode())]
    samples = [sample for family in families for sample in family.samples if sample.name == name]
    return sum(each.value for each in samples if labels.items() <= each.labels.items())


def listens(port: int) -> bool:
    try:
        smtplib.SMTP("127.0.0.1", port).close()
    except OSError:
        return False
    return True


def answers(site: str) -> bool:
    try:
        with urlopen(f"{site}/healthz"):
            return True
    except OSError:
        return False


def play(app: App, relay: Relay, pairs: list[Pair], ports: list[int], sites: list[str]) -> None:
    """Play for a while, by mail and against bots, and look on. Then wait until all is done."""
    over, with_bots = Event(), list[int]()
    for pair in pairs:
        pair.start(over)
    for number in range(AGAINST_BOTS):
        with_bots.append(begin_with_bot(relay, ports[number % 2], bot_address(number)))
    for n in range(3 * SECONDS):
        with urlopen(f"{sites[n % 3 > 0]}/games/{with_bots[0]}") as page:  # twice as often of one
            assert b"bot1" in page.read()
        over.wait(0.3)
    until("moves", lambda: sum(len(each.moves) for pair in pairs for each in pair.tables.values()) > MOVES)
    until("the bots' moves", lambda: all(len(plies(app, each)) > 1 for each in with_bots))
    over.set()
    for pair in pairs:
        assert pair.thread is not None
        pair.thread.join()
    until("nothing waits", lambda: is_quiet(app))
    assert {(0, 1)} == {tuple(plies(app, each)) for each in with_bots}


@pytest.mark.slow
def test_two_of_each_process_lose_and_double_nothing(
    app: App, settings: dict[str, str], relay: Relay
) -> None:
    ports, webs = [free_port(), free_port()], [free_port(), free_port()]
    sites = [f"http://127.0.0.1:{web}" for web in webs]
    pairs = [Pair(n, *GAMES[n % len(GAMES)], Random(n), relay, ports[n % 2]) for n in range(PAIRS)]
    for pair in pairs:
        pair.meet(app)
    for number in range(AGAINST_BOTS):
        challenge_bot(app, number)
    with ExitStack() as pages:
        with ExitStack() as others:
            for port, web in zip(ports, webs, strict=True):
                listeners = {"PBEM_SMTP_LISTEN": f"127.0.0.1:{port}", "PBEM_WEB_LISTEN": f"127.0.0.1:{web}"}
                for command in ("web", "mail", "work", "bots"):
                    stack = pages if command == "web" else others
                    stack.enter_context(running([command], {**os.environ, **settings, **listeners}))
            until("both listeners", lambda: all(map(listens, ports)))
            until("both sites", lambda: all(map(answers, sites)))
            play(app, relay, pairs, ports, sites)
        # each counts its own requests; letters are counted in the database, for all
        looks = {"route": "/games/<id>"}
        assert [SECONDS, 2 * SECONDS] == [metric(each, "pbem_http_requests_total", **looks) for each in sites]
        assert {len(relay.counts)} == {metric(each, "pbem_letters_sent_total") for each in sites}
    verdict = judge(app, pairs, relay, {**os.environ, **settings})
    assert ([], 0, 0) == (verdict.harm, verdict.twice, verdict.resent)
    assert verdict.moves > MOVES
