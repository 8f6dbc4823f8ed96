"""PostgreSQL fails while people play, and its replica takes over: nothing is lost, nothing doubled."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.databases import postgres_server
from tests.replica import promote, synchronous_replica
from tests.soak.play import APART, Play, playing

PAIRS, MOVES, SEED = 4, 12, 1
PATIENCE_SECONDS = 120.0
MAX_LOG_BYTES = 10_000
"""Of all programs together."""
AWAY_SECONDS = 2.0
"""Until somebody, or a program, has promoted the replica."""


def until(what: str, done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not done():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def readiness(play: Play) -> int:
    try:
        return int(
            urlopen(f"http://{play.settings['PBEM_WEB_LISTEN']}/readyz", timeout=PATIENCE_SECONDS).status
        )
    except HTTPError as error:
        return error.code
    except OSError:
        return 0


@pytest.mark.slow
def test_a_replica_that_is_promoted_under_load_has_lost_and_doubled_nothing(tmp_path: Path) -> None:
    (folder := tmp_path / "var").mkdir()
    (logs := tmp_path / "logs").mkdir()
    with postgres_server() as primary, synchronous_replica(primary) as replica:
        name = primary.create()
        hosts = f"host={primary.socket}&host={replica.socket}&target_session_attrs=read-write"
        url = f"postgresql://postgres@/{name}?{hosts}"
        with playing(folder, logs, url, APART, PAIRS, SEED, print) as play:
            play.wait_for_moves(MOVES)
            until("pages are there", lambda: readiness(play) == 200)
            primary.crash()
            until("pages say that they cannot be made", lambda: readiness(play) == 503)
            time.sleep(AWAY_SECONDS)
            promote(replica)
            play.wait_for_moves(MOVES)
            until("pages are there again", lambda: readiness(play) == 200)
            found = play.finish()
        assert [] == found.harm
        assert 2 * MOVES <= found.moves
        assert 0 == play.programs.restarts
        assert not [log for log in logs.glob("*.log") if "Traceback" in log.read_text()]
        assert play.programs.log_size() < MAX_LOG_BYTES
