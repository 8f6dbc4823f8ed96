"""Games against bots over the real listener, while the bots' process is killed at random moments.

`.venv/bin/python -m benchmarks.bot_games --games 1000` plays more of them. The server is `pbem serve`, which
starts the bots' process again each time. At its end every game is played through again: no move may be lost
or made twice. Mail is timed from its first byte until it has been carried out and its answer is queued.
"""

from __future__ import annotations

import argparse
import os
import signal
import smtplib
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import inf
from pathlib import Path
from random import Random
from statistics import quantiles

from sqlalchemy import func, select

from pbem.actions.challenges import challenge_bot
from pbem.actions.context import Context
from pbem.app import App, open_app
from pbem.cli.migrate import check_game
from pbem.config.load import config_from
from pbem.core.clock.mail_times import same_moment
from pbem.core.game.game import Game
from pbem.core.parsing.inbound import Inbound
from pbem.core.players import Player
from pbem.mail.addresses import Token
from pbem.mail.person.mailbox import new_mail
from pbem.outbox.write import queue_letters
from pbem.store import games as game_rows
from pbem.store import players
from pbem.store.migrate import migrate
from pbem.store.tables import games, messages_in
from rules.contract import Seat

GAMES = 20
ROUNDS = 5
"""Stretches with kills, each followed by one without bots; and as many for memory."""
AT_ONCE = 8
"""Games that go on at a time, each with a player of its own."""
BOARDS: Sequence[tuple[str, Mapping[str, str]]] = (
    ("bounders", {"size": "3"}),
    ("begird", {"islands": "3", "side": "4"}),
    ("bipod", {"size": "3", "rows": "3"}),
    ("bagel", {}),
    ("hexthing", {"money": "5"}),
)
LEVELS = (1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 3)
"""The bots' levels by turns; as there are thirteen and five boards, every level meets every board."""
MANY = 10_000
"""More moves than any game has."""
MOVES_BETWEEN_KILLS = 100
"""On average; by moves, since a busy machine needs more seconds for each and to start the bots again."""
KILL_SECONDS = 2.0
"""A kill comes at any moment of so many seconds after its move."""
TICK = 0.02
STUCK_SECONDS = 300.0


@dataclass
class Table:
    """A running game as its player sees it."""

    id: int
    player: Player
    seat: Seat
    sent: int = 0
    """Moves that were mailed."""
    answered: int = 0
    """Entries that the last mail answered."""


@dataclass
class Run:
    """The figures of one run."""

    games: int = 0
    moves: int = 0
    bot_moves: int = 0
    kills: int = 0
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)
    """Seconds in which a player's mail was carried out."""
    memory: list[int] = field(default_factory=list)
    """The bots' memory in KiB, while the process was not killed."""


class Server:
    """`pbem serve` on free ports, and mails to it by SMTP."""

    def __init__(self, folder: Path, database: str = "", *, is_eager: bool = False) -> None:
        self._is_eager = is_eager
        self.port = _free_port()
        self._settings = {
            "PBEM_VAR": str(folder),
            "PBEM_DATABASE": database or f"sqlite:///{folder / 'bench.sqlite'}",
            "PBEM_SMTP_LISTEN": f"127.0.0.1:{self.port}",
            "PBEM_WEB_LISTEN": f"127.0.0.1:{_free_port()}",
            "PBEM_BOT_SECONDS": "5,1000000",
        }
        self.app = open_app(config_from(self._settings))
        migrate(self.app.store)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *, bots: bool) -> None:
        environ = {**os.environ, **self._settings, **({} if bots else {"PBEM_BOTS": "off"})}
        command = [sys.executable, "-m", "pbem", "serve"]
        nothing = subprocess.DEVNULL
        self._process = subprocess.Popen(command, env=environ, stdout=nothing, stderr=nothing)
        _wait_for(lambda: _answers(self.port) and (not bots or self._pid_of_bots() is not None))

    def _pid_of_bots(self) -> int | None:
        assert self._process is not None
        own = self._process.pid
        for child in Path(f"/proc/{own}/task/{own}/children").read_text().split():
            with suppress(OSError):
                if b"\0bots\0" in Path(f"/proc/{child}/cmdline").read_bytes():
                    return int(child)
        return None

    def kill_bots(self) -> bool:
        """Kill the bots' process, if it runs just now."""
        pid = self._pid_of_bots()
        if pid is not None:
            os.kill(pid, signal.SIGKILL)
        return pid is not None

    def raise_bots(self) -> None:
        """Run the bots at the server's own priority, which is harder on mail than theirs."""
        pid = self._pid_of_bots()
        if not self._is_eager or pid is None:
            return
        with suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                os.setpriority(os.PRIO_PROCESS, int(thread), os.getpriority(os.PRIO_PROCESS, 0))

    def memory_of_bots(self) -> int:
        _wait_for(lambda: self._pid_of_bots() is not None)
        status = Path(f"/proc/{self._pid_of_bots()}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    def send(self, table: Table, move: str) -> None:
        """Mail a move to the address that the game's newest letter gives."""
        numbers = (table.id, table.seat, table.answered, table.player.epoch)
        address = self.app.addressing.reply(Token("game", numbers))
        with smtplib.SMTP("127.0.0.1", self.port) as line:
            line.sendmail(table.player.address, [address], new_mail(table.player.address, address, move))

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        self.stop()
        self.app.close()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _wait_for(is_so: Callable[[], bool]) -> None:
    for _ in range(1200):
        if is_so():
            return
        time.sleep(0.05)
    raise TimeoutError("the server does not start")


def begin(app: App, number: int) -> Table:
    """A new player's game against a bot; the player has the first seat."""
    key, options = BOARDS[number % len(BOARDS)]
    now, name = app.now(), f"P{number}x{app.rng.getrandbits(30)}"
    terms = {"game": key, "options": options, "pace": "", "seats": "first", "rated": False}
    with app.store.write() as db:
        player = players.add_player(db, name, f"{name.lower()}@example.org", now)
        ctx = Context(app, db, Inbound("person", sender=player.address), same_moment(now))
        letters = challenge_bot(ctx, player, terms, LEVELS[number % len(LEVELS)])
        queue_letters(app, db, letters, now, about=f"bench{number}")
        game = next(letter.view.game for letter in letters if letter.view is not None)
    return Table(game.id, player, game.seat_of(player) or 0)


def play(server: Server, wanted: int, rng: Random, run: Run, *, kill: bool, moves: int = MANY) -> None:
    """Play games to the end, or to a number of moves of each player, some at once."""
    app, begun, open_tables = server.app, 0, dict[int, Table]()
    waiting: dict[int, float] = {}
    kills, progress = _Kills(rng, len(run.waits)), time.monotonic()
    while begun < wanted or open_tables:
        server.raise_bots()
        while begun < wanted and len(open_tables) < AT_ONCE:
            table = begin(app, begun)
            open_tables[table.id] = table
            begun += 1
        if kill and kills.are_due(len(run.waits)):
            run.kills += server.kill_bots()
        if _step(server, open_tables, waiting, rng, run, moves):
            progress = time.monotonic()
        if time.monotonic() - progress > STUCK_SECONDS:
            run.faults.append(f"nothing happens any more in games {sorted(open_tables)}")
            return
        time.sleep(TICK)


class _Kills:
    """The moments at which the bots' process is killed: some time after some moves."""

    def __init__(self, rng: Random, moves: int) -> None:
        self._rng, self._at = rng, inf
        self._moves = moves + self._next()

    def _next(self) -> float:
        return self._rng.expovariate(1 / MOVES_BETWEEN_KILLS)

    def are_due(self, moves: int) -> bool:
        """True once for each kill; `moves` is how many have been made."""
        if moves >= self._moves:
            self._moves = moves + self._next()
            self._at = min(self._at, time.monotonic() + self._rng.uniform(0, KILL_SECONDS))
        if time.monotonic() < self._at:
            return False
        self._at = inf
        return True


def _step(
    server: Server,
    open_tables: dict[int, Table],
    waiting: dict[int, float],
    rng: Random,
    run: Run,
    moves: int,
) -> bool:
    """Look at all open games once; True if one went on."""
    columns = (games.c.id, games.c.entries, games.c.to_play, games.c.ended_at)
    with server.app.store.read() as db:
        rows = db.execute(select(*columns).where(games.c.id.in_(list(open_tables)))).all()
    went_on = False
    for row in rows:
        table = open_tables[row.id]
        if row.id in waiting and row.entries > table.answered:
            run.waits.append(time.monotonic() - waiting.pop(row.id))
        if row.ended_at is not None or (table.sent >= moves and row.id not in waiting):
            run.faults += _faults(server.app, open_tables.pop(row.id), run)
            run.games += 1
            went_on = True
        elif row.to_play == table.seat and row.id not in waiting:
            waiting[row.id] = time.monotonic()
            _move(server, table, rng)
            went_on = True
    return went_on


def _move(server: Server, table: Table, rng: Random) -> None:
    game = _load(server.app, table.id)
    position = game.state.position
    move = position.sample(rng)
    sure = " yes" if position.gives_up(move) else ""
    table.sent, table.answered = table.sent + 1, len(game.open_entries)
    server.send(table, f"{move}{sure}")


def _load(app: App, id: int) -> Game:
    with app.store.read() as db:
        game = game_rows.load_game(db, app.games_by_key, id)
    assert game is not None
    return game


def _faults(app: App, table: Table, run: Run) -> Iterator[str]:
    """List the faults of a game: a lost or a doubled move, or one that does not replay."""
    game = _load(app, table.id)
    with app.store.read() as db:
        yield from check_game(game, game_rows.stored_summary(db, game.id))
        of_bot = messages_in.c.sender == game.seats[1 - table.seat].address
        query = select(func.count()).where(of_bot, messages_in.c.game_id == game.id)
        mails = db.execute(query.where(messages_in.c.state == "done")).scalar_one()
    mine = sum(ply.seat == table.seat for ply in game.state.plies)
    theirs = len(game.state.plies) - mine
    resigned = game.state.ending is not None and game.state.ending.how == "resignation"
    run.moves, run.bot_moves = run.moves + mine, run.bot_moves + theirs
    if mine != table.sent:
        yield f"game {game.id}: {table.sent} moves were mailed, {mine} are in it"
    if theirs + resigned != mails:
        yield f"game {game.id}: {mails} mails of the bot were done, {theirs} moves are in it"


def measure_games(
    wanted: int, report: Report, *, seed: int = 1, database: str = "", is_eager: bool = False
) -> tuple[Run, Run]:
    """The runs with bots and without, by turns; then bots alone, whose memory is measured."""
    rng, with_bots, without = Random(seed), Run(), Run()
    share = max(1, wanted // 2 // ROUNDS)
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        server = Server(Path(folder), database, is_eager=is_eager)
        try:
            for number in range(ROUNDS):
                _stretch(server, share, rng, with_bots, kill=True)
                report(_line(f"kills, {number + 1} of {ROUNDS}", with_bots))
                _stretch(server, max(AT_ONCE, share), rng, without, bots=False)
                report(_line(f"no bots, {number + 1} of {ROUNDS}", without))
            server.start(bots=True)
            for number in range(ROUNDS):
                _timed(server, share, rng, with_bots)
                with_bots.memory.append(server.memory_of_bots())
                report(_line(f"memory, {number + 1} of {ROUNDS}", with_bots))
        finally:
            server.close()
    return with_bots, without


Report = Callable[[str], object]


def _stretch(
    server: Server, wanted: int, rng: Random, run: Run, *, bots: bool = True, kill: bool = False
) -> None:
    server.start(bots=bots)
    _timed(server, wanted, rng, run, kill=kill, moves=MANY if bots else 1)
    server.stop()


def _timed(
    server: Server, wanted: int, rng: Random, run: Run, *, kill: bool = False, moves: int = MANY
) -> None:
    begun = time.monotonic()
    play(server, wanted, rng, run, kill=kill, moves=moves)
    run.seconds += time.monotonic() - begun


def _line(what: str, run: Run) -> str:
    """The progress of a run, and the load of the machine."""
    memory = f", memory {run.memory[-1] / 1024:.0f} MiB" if run.memory else ""
    return (
        f"{what}: {run.games} games in {run.seconds:.0f} s, {run.kills} kills, {len(run.faults)} faults,"
        f" 99th percentile {percentile(run.waits) * 1e3:.0f} ms{memory}, load {os.getloadavg()[0]:.1f}"
    )


def percentile(waits: Sequence[float]) -> float:
    """The time in which 99 of 100 were done."""
    return quantiles(waits, n=100)[-1] if len(waits) > 1 else sum(waits)


def measure(wanted: int = GAMES, *, is_eager: bool = False) -> Iterator[tuple[str, str, str]]:
    """Rows of the table: figure, measured, against what."""
    run, without = measure_games(wanted, partial(print, file=sys.stderr, flush=True), is_eager=is_eager)
    made = f"{run.moves} moves by players, {run.bot_moves} by bots"
    yield "games against bots, all five games", str(run.games), f"{made}, in {run.seconds:.0f} s"
    yield (
        "the bots' process was killed",
        f"{run.kills} times",
        f"every {MOVES_BETWEEN_KILLS} moves in half of it",
    )
    yield "moves lost or doubled, or games unsound", str(len(run.faults)), "; ".join(run.faults[:3]) or "none"
    for what, waits in (("with bots", run.waits), ("without bots", without.waits)):
        share = f"median {sorted(waits)[len(waits) // 2] * 1e3:.0f} ms, of {len(waits)}"
        yield f"a move by mail, 99th percentile, {what}", f"{percentile(waits) * 1e3:.0f} ms", share
    memory = ", ".join(f"{each / 1024:.0f}" for each in run.memory)
    yield "memory of the bots' process", f"{run.memory[-1] / 1024:.0f} MiB", f"after each fifth: {memory}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.bot_games")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--eager", action="store_true", help="bots at the server's priority; takes root")
    given = parser.parse_args()
    for figure, measured, against in measure(given.games, is_eager=given.eager):
        print(f"| {figure:44} | {measured:>16} | {against:44} |", flush=True)


if __name__ == "__main__":
    main()
