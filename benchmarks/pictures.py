"""Size on the wire of a game's page, its film and its postcard, and the time to make."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median

from flask.testing import FlaskClient

from pbem.store.engine import open_store
from pbem.store.migrate import migrate
from pbem.web import create_app
from rules import RULES
from tests.web.gallery import recorded
from tests.web.library import PUBLIC, open_library

ROUNDS = 7
SEEDS = 8
"""Games by chance, of which the longest is taken."""
LARGEST = {"bipod": {"size": "8", "middle": "8", "rows": "9"}, "bounders": {"size": "8"}}
COMMENT = "A comment of usual length, as people write one beside a move that pleases them."
PACKED = {"Accept-Encoding": "gzip"}


def measure() -> Iterator[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        url = f"sqlite:///{Path(folder) / 'x.sqlite'}"
        migrate(open_store(url))
        app = open_library(Path(folder), url, **PUBLIC)
        client = create_app(app).test_client()
        floor = _timed(client, "/status")[0]
        yield "floor: /status", f"{floor * 1000:.1f} ms", ""
        for key in sorted(RULES):
            options, seed, moves = _longest(key)
            game = recorded(app, key, options, seed, moves, dict.fromkeys(range(1, len(moves) + 1), COMMENT))
            for what, path in (("page", ""), ("film, at hand", ".svg"), ("postcard, SVG", "/postcard.svg")):
                seconds, size = _timed(client, f"/games/{game.id}{path}")
                told = f"{size / 1000:.1f} kB packed, {seconds / floor:.0f} x the floor"
                yield f"{key}, {len(moves)} plies: {what}", f"{seconds * 1000:.0f} ms", told
        app.close()


def _longest(key: str) -> tuple[dict[str, str], int, list[str]]:
    found = []
    options = LARGEST.get(key, {})
    for seed in range(SEEDS):
        rng, position, moves = Random(seed), RULES[key].start(options, seed), list[str]()
        while position.to_play is not None and len(moves) < 500:
            move = position.split(position.sample(rng))[0]
            moves.append(str(move))
            position = position.follow(move)
        found.append((len(moves), seed, moves))
    _, seed, moves = max(found)
    return options, seed, moves


def _timed(client: FlaskClient, path: str) -> tuple[float, int]:
    """Seconds and bytes, in the middle of some rounds."""
    spent, size = [], 0
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        size = len(client.get(path, headers=PACKED).data)
        spent.append(time.perf_counter() - begin)
    return median(spent), size
