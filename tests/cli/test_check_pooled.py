"""`pbem check` on the way to PostgreSQL, with and without PgBouncer."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_serve import env, pbem
from tests.ports import free_port

__all__ = ["env"]

pytestmark = pytest.mark.pgbouncer


def check(env: dict[str, str], url: str, direct: str = "") -> tuple[int, str, str]:
    """The exit code, and what is found on the database, by level and words."""
    settings = {**env, "PBEM_DATABASE": url, "PBEM_DATABASE_DIRECT": direct, "PBEM_SECRET": "s" * 32}
    done = pbem(settings, "check", "--offline", "--json")
    (found,) = [each for each in json.loads(done.stdout)["database"] if each["about"] == "database"]
    return done.returncode, found["level"], found["found"]


def test_check_says_how_workers_hear_of_mail(
    env: dict[str, str], postgresql_url: str, pooled_url: str
) -> None:
    assert (0, "ok", "no pooler; workers hear of mail at once (LISTEN)") == check(env, postgresql_url)
    code, level, words = check(env, pooled_url)
    assert (0, "hint") == (code, level)
    assert "ask for mail once a second" in words
    code, level, words = check(env, pooled_url, postgresql_url)
    assert (0, "ok") == (code, level)
    assert "at once by PBEM_DATABASE_DIRECT" in words


def test_a_direct_way_through_the_pooler_too_is_none(env: dict[str, str], pooled_url: str) -> None:
    assert "hint" == check(env, pooled_url, pooled_url)[1]


def test_a_direct_way_that_leads_nowhere_is_wrong(env: dict[str, str], pooled_url: str) -> None:
    code, level, words = check(env, pooled_url, f"postgresql://u@127.0.0.1:{free_port()}/none")
    assert (1, "wrong") == (code, level)
    assert "PBEM_DATABASE_DIRECT does not answer" in words
