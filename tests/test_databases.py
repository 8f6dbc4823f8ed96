"""Databases for tests: fresh for each test, and removed completely."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest
from sqlalchemy import create_engine, inspect, text

from tests.databases import Postgres, postgres_server

pytestmark = pytest.mark.each_database


def _tables(url: str) -> list[str]:
    engine = create_engine(url)
    names = inspect(engine).get_table_names()
    engine.dispose()
    return names


def test_a_test_gets_a_database_with_all_tables_and_no_rows(database_url):
    engine = create_engine(database_url)
    with engine.begin() as connection:
        players = connection.scalar(text("SELECT count(*) FROM players"))
    engine.dispose()
    assert players == 0


def test_an_empty_database_has_no_tables(empty_database_url):
    assert _tables(empty_database_url) == []


def test_databases_of_one_server_do_not_share_rows(postgres: Postgres):
    first, second = postgres.create(), postgres.create()
    engine = create_engine(postgres.url(first))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE here (id integer)"))
    engine.dispose()
    assert _tables(postgres.url(second)) == []
    postgres.drop(first)
    postgres.drop(second)


def test_no_folder_that_was_there_changes_its_mode():
    watched = [
        folder
        for start in (Path(sys.prefix), Path(tempfile.gettempdir()))
        for folder in (start, *start.parents)
    ]
    before = {folder: stat.S_IMODE(folder.stat().st_mode) for folder in watched}
    with postgres_server() as server:
        during = {folder: stat.S_IMODE(folder.stat().st_mode) for folder in watched}
        folder = server.socket
    assert before == during
    assert not folder.exists()


KILLED = """
import sys, time
from tests.databases import postgres_server
with postgres_server() as server:
    print(server.socket, flush=True)
    time.sleep(60)
"""


@pytest.mark.slow
def test_a_server_dies_with_the_tests_that_started_it_even_by_kill_9():
    with tempfile.TemporaryDirectory() as folder:  # holds the remains of a killed process
        Path(folder).chmod(0o711)
        tests = subprocess.Popen(
            [sys.executable, "-c", KILLED],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[1],
            env={**os.environ, "TMPDIR": folder},
        )
        with tests:
            data = Path(tests.stdout.readline().strip())
            server = psutil.Process(int((data / "postmaster.pid").read_text().split()[0]))
            os.kill(tests.pid, signal.SIGKILL)
        server.wait(60)
        assert not server.is_running()
        assert data.name.startswith("pbem-postgres-")  # this folder alone, perhaps beside others
        shutil.rmtree(data)
