"""Commands that run a server, as an operator runs them."""

from __future__ import annotations

import json
import os
import re
import signal
import smtplib
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import pytest

from pbem.mail.person.mailbox import new_mail
from pbem.store.revisions import newest_revision
from tests.cli.program import ROOT, Running, migrate, run, started
from tests.ports import free_port

pytestmark = pytest.mark.whole

PATIENCE_SECONDS = 90


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Settings of a separate installation."""
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "PBEM_VAR": str(tmp_path / "var"),
        "PBEM_SMTP_LISTEN": f"127.0.0.1:{free_port()}",
        "PBEM_LMTP_LISTEN": f"unix:{tmp_path / 'lmtp'}",
        "PBEM_WEB_LISTEN": f"127.0.0.1:{free_port()}",
    }


def pbem(
    env: dict[str, str], *words: str, stdin: bytes = b"", folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    done = run(words, env, stdin=stdin, folder=folder)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_migrate_makes_the_database_and_does_nothing_the_second_time(env: dict[str, str]) -> None:
    assert f"The database went from nothing to {newest_revision()}.\n" == pbem(env, "migrate").stdout
    assert f"The database is at {newest_revision()}.\n" == pbem(env, "migrate").stdout


def test_servers_of_a_migrated_database_load_no_alembic(env: dict[str, str]) -> None:
    migrate(env)
    program = """
import sys
import pbem.web
from pbem.cli import common, migrate, serve, web_server
with common.open_or_exit() as app:
    migrate.migrate_store(app)
    print(type(app).__name__, "alembic" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True)
    assert "App False\n" == done.stdout


@pytest.mark.parametrize("command", ["mail", "work"])
def test_processes_apart_on_sqlite_say_that_serve_is_better(env: dict[str, str], command: str) -> None:
    migrate(env)
    with started([command], env) as process:
        process.stdout.readline()
        process.terminate()
        assert "on SQLite run pbem serve instead" in process.stderr.read()


def test_receive_keeps_a_mail_and_says_so_by_its_exit_code(env: dict[str, str]) -> None:
    migrate(env)
    mail = new_mail("bill@example.org", "play@localhost", "register Bill")
    assert 0 == pbem(env, "receive", "--sender", "bill@example.org", "play@localhost", stdin=mail).returncode
    done = json.loads(pbem(env, "check", "--json").stdout)
    assert {"new": 1} == done["queues"]["mail in"]


@pytest.mark.parametrize(
    ("arguments", "stdin", "code"),
    [
        (["bill@localhost"], b"From: x@example.org\n\nhelp", 67),
        (["play@elsewhere.example.org"], b"From: x@example.org\n\nhelp", 67),
        (["play@localhost", "bill@localhost"], b"From: x@example.org\n\nhelp", 67),
        (["--sender", "x\x01@example.org", "play@localhost"], b"From: x@example.org\n\nhelp", 65),
        (["--sender", "not an address", "play@localhost"], b"From: x@example.org\n\nhelp", 65),
        (["--sender", "bill@", "play@localhost"], b"From: x@example.org\n\nhelp", 65),
        (["--sender", "a b@example.org", "play@localhost"], b"From: x@example.org\n\nhelp", 65),
        (["--sender", "", "play@localhost"], b"From: x@example.org\n\nhelp", 0),
        (["--sender", '"a b"@example.org', "play@localhost"], b"From: x@example.org\n\nhelp", 0),
        (["--sender", "<>", "play@localhost"], b"From: x@example.org\n\nhelp", 0),
        ([f"play+{number}@localhost" for number in range(51)], b"From: x@example.org\n\nhelp", 65),
        (["play@localhost", "PLAY@localhost"] * 30, b"From: x@example.org\n\nhelp", 0),
        (["play@localhost"], b"", 65),
        (["play@localhost"], b"x" * 1024 * 1025, 65),
        ([], b"From: x@example.org\n\nhelp", 2),
    ],
)
def test_receive_refuses_as_sysexits_has_it(
    env: dict[str, str], arguments: list[str], stdin: bytes, code: int
) -> None:
    migrate(env)
    done = pbem(env, "receive", *arguments, stdin=stdin)
    assert code == done.returncode
    assert "Traceback" not in done.stderr
    queues = json.loads(pbem(env, "check", "--json").stdout)["queues"]["mail in"]
    assert ({} if code else {"new": 1}) == queues


@pytest.mark.parametrize(
    ("arguments", "head", "state"),
    [
        ([], b"", "done"),
        ([], b"Return-Path: <bill@example.org>\n", "done"),
        ([], b"Return-Path: <>\n", "bounce"),
        (["--sender", ""], b"Return-Path: <bill@example.org>\n", "bounce"),
    ],
)
def test_without_a_sender_the_headers_tell_whether_a_mail_is_a_bounce(
    env: dict[str, str], arguments: list[str], head: bytes, state: str
) -> None:
    migrate(env)
    mail = head + new_mail("bill@example.org", "play@localhost", "register Bill")
    assert 0 == pbem(env, "receive", *arguments, "play@localhost", stdin=mail).returncode
    assert f"m1: {state}" in pbem(env, "retry", "m1").stdout


def test_receive_with_no_database_asks_to_try_again(env: dict[str, str]) -> None:
    gone = {**env, "PBEM_DATABASE": "postgresql://nobody@127.0.0.1:1/none", "PBEM_SECRET": "s" * 32}
    done = pbem(gone, "receive", "play@localhost", stdin=b"From: x@example.org\n\nhelp")
    assert 75 == done.returncode
    assert done.stderr.startswith("The database does not answer (connection failed: ")
    assert done.stderr.endswith("; please try again later.\n")


@pytest.mark.parametrize("setting", ["PBEM_VAR", "PBEM_DATABASE"])
@pytest.mark.parametrize("command", ["migrate", "serve"])
def test_a_folder_that_cannot_be_made_is_named_in_a_sentence(
    env: dict[str, str], tmp_path: Path, setting: str, command: str
) -> None:
    (tmp_path / "file").touch()
    wrong = {**env, setting: str(tmp_path / "file" / "folder" / "x")}
    done = pbem(wrong, command)
    assert (1, 1) == (done.returncode, len(done.stderr.splitlines())), done.stderr
    assert f"Cannot open {tmp_path / 'file'}" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["receive", "play@localhost"], 75),
        (["retry", "m1"], 1),
        (["rotate"], 1),
        (["check"], 1),
        (["web"], 1),
        (["mail"], 1),
        (["work"], 1),
        (["bots"], 1),
    ],
)
def test_in_a_wrong_folder_a_command_says_so_and_makes_nothing(
    env: dict[str, str], tmp_path: Path, arguments: list[str], code: int
) -> None:
    wrong = {name: text for name, text in env.items() if name != "PBEM_VAR"}
    done = pbem(wrong, *arguments, stdin=b"From: x@example.org\n\nhelp", folder=tmp_path)
    assert (code, 1) == (done.returncode, len(done.stderr.splitlines())), done.stderr
    assert f"There is no database at {tmp_path}/var/pbem.sqlite." in done.stderr
    assert [] == list(tmp_path.iterdir())


def test_the_option_names_the_settings_of_a_server_in_another_folder(
    env: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "pbem.env"
    file.write_text(f"PBEM_VAR={env.pop('PBEM_VAR')}\nPBEM_OPERATOR=me@file.test\n")
    (elsewhere := tmp_path / "elsewhere").mkdir()
    assert 0 == pbem(env, "--env-file", "../pbem.env", "migrate", folder=elsewhere).returncode
    shown = pbem({**env, "PBEM_ENV_FILE": str(file)}, "settings", "--json", folder=elsewhere).stdout
    assert "me@file.test" == json.loads(shown)["PBEM_OPERATOR"]
    assert 0 == pbem(env, "--env-file", str(file), "games", folder=elsewhere).returncode
    assert [] == list(elsewhere.iterdir())


def test_a_file_of_settings_that_is_named_must_be_there(env: dict[str, str]) -> None:
    assert (2, "One setting is wrong:\n  PBEM_ENV_FILE=none: there is no such file.\n") == (
        (done := pbem({**env, "PBEM_ENV_FILE": "none"}, "migrate")).returncode,
        done.stderr,
    )
    assert 2 == pbem(env, "--env-file", "none", "migrate").returncode


@pytest.mark.parametrize("command", ["migrate", "serve", "work", "games", "check", "rotate"])
def test_no_secret_is_made_where_there_are_games(env: dict[str, str], tmp_path: Path, command: str) -> None:
    from pbem.store.engine import open_store
    from tests.store.test_games import begin

    migrate(env)
    store = open_store(f"sqlite:///{env['PBEM_VAR']}/pbem.sqlite")
    begin(store)
    store.close()
    moved = {**env, "PBEM_VAR": str(tmp_path / "new"), "PBEM_DATABASE": f"{env['PBEM_VAR']}/pbem.sqlite"}
    done = pbem(moved, command)
    assert 2 == done.returncode
    assert f"secret is not at {tmp_path}/new/secret" in done.stderr
    assert "bring it back from a backup" in done.stderr and "pbem migrate" not in done.stderr
    assert not (tmp_path / "new" / "secret").exists()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["receive", "play@localhost"], 75), (["retry", "m1"], 1), (["web"], 1), (["mail"], 1), (["work"], 1)],
)
def test_a_database_that_is_not_migrated_is_said_in_a_sentence(
    env: dict[str, str], arguments: list[str], code: int
) -> None:
    empty(env)
    done = pbem(env, *arguments, stdin=b"From: x@example.org\n\nhelp")
    assert code == done.returncode
    wanted = newest_revision()
    assert f"The database is at nothing, this version needs {wanted}: run pbem migrate.\n" == done.stderr


@pytest.mark.parametrize(("command", "dot"), [("migrate", "."), ("serve", "."), ("work", "."), ("check", "")])
def test_a_database_that_is_too_old_is_said_in_a_sentence(
    env: dict[str, str], command: str, dot: str
) -> None:
    migrate(env)
    with closing(sqlite3.connect(Path(env["PBEM_VAR"]) / "pbem.sqlite")) as db, db:
        db.execute("UPDATE alembic_version SET version_num = '0011'")
    done = pbem(env, command)
    assert 1 == done.returncode
    told = "he database is at revision 0011, older than this version can upgrade: "
    told += "upgrade it first to 0036 with an earlier version of pbem"
    assert f"{told}{dot}" in " ".join((done.stdout + done.stderr).split())


@pytest.mark.parametrize("command", [["migrate"], ["retry", "m1"], ["check"], ["work"]])
def test_a_database_that_does_not_answer_is_said_in_a_sentence(
    env: dict[str, str], command: list[str]
) -> None:
    gone = {**env, "PBEM_DATABASE": "postgresql://nobody@127.0.0.1:1/none", "PBEM_SECRET": "s" * 32}
    done = pbem(gone, *command)
    assert 1 == done.returncode
    assert done.stderr.startswith("The database does not answer (connection failed: ")
    assert "port 1 failed: Connection refused" in done.stderr
    assert 1 == len(done.stderr.splitlines())


def test_an_option_of_the_databases_url_that_there_is_not_is_said_in_a_sentence(env: dict[str, str]) -> None:
    url = "postgresql://nobody:hidden@127.0.0.1:1/none?colour=red"
    done = pbem({**env, "PBEM_DATABASE": url, "PBEM_SECRET": "s" * 32}, "migrate")
    told = 'The URL of the database cannot be used: invalid connection option "colour".\n'
    assert (2, told) == (done.returncode, done.stderr)


@pytest.mark.parametrize("option", ["timeout=soon", "timeout=1&timeout=2", "check_same_thread=maybe"])
def test_an_option_of_sqlite_must_be_of_its_kind(env: dict[str, str], option: str) -> None:
    migrate(env)
    wrong = {**env, "PBEM_DATABASE": f"sqlite:///{env['PBEM_VAR']}/pbem.sqlite?{option}"}
    for command in (["migrate"], ["check"], ["retry", "m1"]):
        done = pbem(wrong, *command)
        told = "The URL of the database cannot be used: an option is wrong, "
        assert (2, True) == (done.returncode, done.stderr.startswith(told)), done.stderr
        assert 1 == len(done.stderr.splitlines())


def test_receive_with_a_locked_database_asks_to_try_again(env: dict[str, str]) -> None:
    migrate(env)
    file = Path(env["PBEM_VAR"]) / "pbem.sqlite"
    with sqlite3.connect(file, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        hurried = {**env, "PBEM_DATABASE": f"sqlite:///{file}?timeout=0.1"}
        done = pbem(hurried, "receive", "play@localhost", stdin=b"From: x@example.org\n\nhelp")
        other.execute("ROLLBACK")
    other.close()
    told = "The database does not answer (database is locked); please try again later.\n"
    assert (75, told) == (done.returncode, done.stderr)


def test_receive_with_a_fault_that_nobody_foresaw_asks_to_try_again(env: dict[str, str]) -> None:
    odd = {**env, "PBEM_DATABASE": "postgresql://nobody@127.0.0.1:1/none?hots=1", "PBEM_SECRET": "s" * 32}
    done = pbem(odd, "receive", "play@localhost", stdin=b"From: x@example.org\n\nhelp")
    assert 75 == done.returncode
    assert "hots" in done.stderr


def test_every_wrong_setting_is_named_in_one_message_and_only_a_mail_is_tried_again(
    env: dict[str, str],
) -> None:
    wrong = {**env, "PBEM_HOST": "no host", "PBEM_MAX_MAIL": "huge", "PBEM_GAME": "bipod"}
    for command in (["settings"], ["migrate"], ["serve"], ["receive", "play@localhost"]):
        done = pbem(wrong, *command)
        assert (75 if "receive" in command else 2) == done.returncode
        for name in ("PBEM_HOST", "PBEM_MAX_MAIL", "PBEM_GAME:"):
            assert name in done.stderr


def test_settings_show_every_value_and_no_secret(env: dict[str, str]) -> None:
    shown = pbem({**env, "PBEM_SECRET": "xyzzy" * 8}, "settings", "--json").stdout
    assert "localhost" == json.loads(shown)["PBEM_HOST"]
    assert "xyzzy" not in shown


def test_check_finds_a_stored_game_that_its_journal_does_not_lead_to(env: dict[str, str]) -> None:
    from pbem.store.engine import open_store
    from tests.store.test_games import begin, play

    migrate(env)
    file = Path(env["PBEM_VAR"]) / "pbem.sqlite"
    store = open_store(f"sqlite:///{file}")
    play(store, begin(store), "f2")
    store.close()
    assert 0 == pbem(env, "check").returncode
    with sqlite3.connect(file) as db:
        db.execute("UPDATE games SET plies = 7")
    db.close()
    done = pbem(env, "check")
    assert 1 == done.returncode
    assert "game 1: plies is stored as 7, the journal says 1" in done.stdout


def test_check_names_a_game_whose_rules_are_not_installed(env: dict[str, str]) -> None:
    from pbem.store.engine import open_store
    from tests.store.test_games import begin

    migrate(env)
    file = Path(env["PBEM_VAR"]) / "pbem.sqlite"
    store = open_store(f"sqlite:///{file}")
    begin(store)
    store.close()
    with sqlite3.connect(file) as db:
        db.execute("UPDATE games SET rules = 'tripod'")
    db.close()
    done = pbem(env, "check")
    assert 1 == done.returncode
    assert "game 1: no rules called tripod are installed here" in done.stdout


def empty(env: dict[str, str]) -> None:
    """Make the files of a server, and no table in its database."""
    var = Path(env["PBEM_VAR"])
    var.mkdir()
    (var / "pbem.sqlite").touch()
    (var / "secret").write_text("s" * 32)


def test_check_on_a_database_that_is_not_migrated_says_what_to_run(env: dict[str, str]) -> None:
    empty(env)
    done = pbem(env, "check")
    assert 1 == done.returncode
    assert "run pbem migrate" in done.stdout


def test_retry_handles_a_mail_once_more(env: dict[str, str]) -> None:
    migrate(env)
    mail = new_mail("bill@example.org", "play@localhost", "register Bill")
    pbem(env, "receive", "--sender", "bill@example.org", "play@localhost", stdin=mail)
    assert "m1: done" in pbem(env, "retry", "m1").stdout
    assert 1 == pbem(env, "retry", "m9").returncode
    done = pbem(env, "receive", "--sender", "bill@example.org", "play@localhost", stdin=mail)
    (key,) = re.findall(r"(m\d+) duplicate", done.stderr)
    copied = pbem(env, "retry", key)
    assert (1, "") == (copied.returncode, copied.stdout)
    assert f"{key} is a copy of a mail" in copied.stderr
    for nonsense in ("nonsense", "m", "m\N{SUPERSCRIPT TWO}", "m" + "9" * 30):
        done = pbem({**env, "PYTHONUTF8": "1"}, "retry", nonsense)
        assert 2 == done.returncode
        assert "is no key of a mail" in done.stderr
    assert 2 == pbem(env, "retry").returncode


@pytest.fixture
def served(env: dict[str, str]) -> Iterator[Running]:
    """A running `pbem serve` without bots, which start a process of their own."""
    with started(["serve"], {**env, "PBEM_BOTS": "off"}) as process:
        _answering(f"http://{env['PBEM_WEB_LISTEN']}/", process)
        yield process


def _answering(url: str, process: Running | subprocess.Popen[str]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None:
        try:
            with urlopen(url, timeout=PATIENCE_SECONDS):
                return
        except OSError:
            assert time.monotonic() < end, f"{url} does not answer"
            time.sleep(0.1)
    raise AssertionError(f"pbem serve has ended:\n{process.stderr and process.stderr.read()}")


@pytest.fixture
def whole(env: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A running `pbem serve` with bots, started by the shell's words."""
    command = [sys.executable, "-m", "pbem", "serve"]
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True) as process:
        try:
            _answering(f"http://{env['PBEM_WEB_LISTEN']}/", process)
            yield process
        finally:
            process.kill()


def test_serve_runs_everything_and_stops_when_it_is_told(
    env: dict[str, str], whole: subprocess.Popen[str]
) -> None:
    host, _, port = env["PBEM_SMTP_LISTEN"].partition(":")
    with smtplib.SMTP(host, int(port), timeout=PATIENCE_SECONDS) as smtp:
        smtp.sendmail(
            "bill@example.org",
            ["play@localhost"],
            new_mail("bill@example.org", "play@localhost", "register Bill"),
        )
    end = time.monotonic() + PATIENCE_SECONDS
    while {"done": 1} != json.loads(pbem(env, "check", "--json").stdout)["queues"]["mail in"]:
        assert time.monotonic() < end
    whole.send_signal(signal.SIGTERM)
    assert 0 == whole.wait(PATIENCE_SECONDS)
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((env["PBEM_WEB_LISTEN"].partition(":")[0], int(env["PBEM_WEB_LISTEN"].partition(":")[2])))


def test_after_a_kill_nothing_that_serve_started_goes_on(env: dict[str, str], served: Running) -> None:
    """Else the next one would find its ports in use."""
    served.kill()
    served.wait(PATIENCE_SECONDS)
    host, _, port = env["PBEM_WEB_LISTEN"].partition(":")
    end = time.monotonic() + PATIENCE_SECONDS
    while _is_bound(host, int(port)):
        assert time.monotonic() < end
        time.sleep(0.1)


def _is_bound(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False


def test_serve_takes_lmtp_says_where_and_removes_its_socket(env: dict[str, str], served: Running) -> None:
    path = env["PBEM_LMTP_LISTEN"].removeprefix("unix:")
    with smtplib.LMTP(path) as lmtp:
        mail = new_mail("bill@example.org", "play@localhost", "register Bill")
        assert {} == lmtp.sendmail("bill@example.org", ["play@localhost"], mail)
    served.send_signal(signal.SIGTERM)
    output = served.stdout.read()
    assert 0 == served.wait(PATIENCE_SECONDS)
    assert f"  Mail (SMTP) {env['PBEM_SMTP_LISTEN']}\n  Mail (LMTP) unix:{path}\n" in output
    assert not Path(path).exists()


def test_a_listener_can_be_off_but_not_both(env: dict[str, str]) -> None:
    migrate(env)
    off = pbem({**env, "PBEM_SMTP_LISTEN": "off", "PBEM_LMTP_LISTEN": "off"}, "mail")
    assert 1 == off.returncode
    assert "Both PBEM_SMTP_LISTEN and PBEM_LMTP_LISTEN are off" in off.stderr
    with started(["mail"], {**env, "PBEM_SMTP_LISTEN": "off"}) as one:
        assert f"Taking mail for localhost by LMTP on {env['PBEM_LMTP_LISTEN']}.\n" == one.stdout.readline()
        one.send_signal(signal.SIGTERM)
        assert 0 == one.wait(PATIENCE_SECONDS)


def test_serve_fetches_from_a_maildir(env: dict[str, str], tmp_path: Path) -> None:
    for name in ("new", "cur", "tmp"):
        (tmp_path / "Maildir" / name).mkdir(parents=True)
    letter = new_mail("bill@example.org", "play@localhost", "register Bill")
    (tmp_path / "Maildir" / "new" / "1").write_bytes(letter)
    migrate(env)
    fetching = {**env, "PBEM_MAILDIR": str(tmp_path / "Maildir"), "PBEM_POLL": "1"}
    with started(["work"], fetching) as worker:
        end = time.monotonic() + PATIENCE_SECONDS
        while {"done": 1} != json.loads(pbem(env, "check", "--json").stdout)["queues"]["mail in"]:
            assert time.monotonic() < end
        worker.send_signal(signal.SIGTERM)
        assert 0 == worker.wait(PATIENCE_SECONDS)


def _children(pid: int) -> list[int]:
    """The child processes of a process, from /proc (proc(5))."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[1]) == pid:
            found.append(int(stat.parent.name))
    return found


def test_serve_that_is_told_to_stop_while_it_starts_leaves_nothing_behind(env: dict[str, str]) -> None:
    with started(["serve"], env) as process:
        end = time.monotonic() + PATIENCE_SECONDS
        while not (children := _children(process.pid)):
            assert time.monotonic() < end
        process.send_signal(signal.SIGTERM)
        code = process.wait(PATIENCE_SECONDS)
    left = [pid for pid in children if Path(f"/proc/{pid}").exists()]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert (0, []) == (code, left)


def test_a_second_serve_on_the_same_files_or_port_says_so(
    env: dict[str, str], served: Running, tmp_path: Path
) -> None:
    again = pbem({**env, "PBEM_SMTP_LISTEN": "127.0.0.1:0", "PBEM_WEB_LISTEN": "127.0.0.1:0"}, "serve")
    assert 1 == again.returncode
    assert f"pbem serve runs already in {env['PBEM_VAR']}, as process {served.pid}" in again.stderr
    file = Path(env["PBEM_VAR"]) / "pbem.sqlite"
    same = pbem({**env, "PBEM_VAR": str(tmp_path / "third"), "PBEM_DATABASE": f"sqlite:///{file}"}, "serve")
    assert (1, True) == (same.returncode, f"pbem serve runs already on {file}," in same.stderr), same.stderr
    (link := tmp_path / "link.sqlite").symlink_to(file)
    same = pbem({**env, "PBEM_VAR": str(tmp_path / "fourth"), "PBEM_DATABASE": str(link)}, "serve")
    assert (1, True) == (same.returncode, f"pbem serve runs already on {link}," in same.stderr), same.stderr
    elsewhere = pbem({**env, "PBEM_VAR": str(tmp_path / "other")}, "serve")
    assert 1 == elsewhere.returncode
    for setting in ("PBEM_SMTP_LISTEN", "PBEM_WEB_LISTEN"):
        taken = f"Cannot listen on {env[setting]}: Address already in use. Set {setting} to another port."
        assert taken in elsewhere.stderr.splitlines()


def test_demo_plays_the_whole_game_and_prints_letters(env: dict[str, str]) -> None:
    from tests.inbox.test_journey import FINAL_BOARD

    done = pbem({"PATH": env["PATH"], "PYTHONPATH": env["PYTHONPATH"], "COLUMNS": "100"}, "demo")
    assert 0 == done.returncode, done.stderr
    for line in FINAL_BOARD.splitlines():
        assert line in done.stdout
