"""A director's commands: their output, exit codes, and a running server."""

from __future__ import annotations

import getpass
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem.__main__ import COMMANDS, main
from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import reply_mail
from pbem.store import inbox
from pbem.web import create_app
from tests.apps import ANNA, BILL, JOAO, begin, letters, load, play, register, reply, state, writes
from tests.cli.program import PATIENCE_SECONDS, ROOT, run, running

WHY = "A mail was lost on our side."
DIRECTING = [name for name, (module, _about) in COMMANDS.items() if module in ("director", "show")]

ON_THE_PAGE = (
    "taken back to where it was after move 2",
    "Ply 3 was not Bill&#39;s.",
    "36 hours more for both",
    "Anna goes on in the place of Bill",
    "stopped both clocks",
    "bill@… &lt;b&gt;now",
)

Pbem = Callable[..., Result]


@pytest.fixture
def app(environ: dict[str, str]) -> Iterator[App]:
    """The running server; game 1 has four plies."""
    app = open_app(config_from(environ))
    begin(app, "normal")
    play(app, 4)
    register(app, ANNA, "Anna")
    yield app
    app.close()


@pytest.fixture
def pbem(environ: dict[str, str], app: App) -> Pbem:
    def run(*words: str, given: str = "") -> Result:
        done = CliRunner(env=environ).invoke(main, words, input=given)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        assert "does not answer" not in done.stderr, done.stderr
        return done

    return run


def test_a_directors_day(pbem: Pbem, app: App) -> None:
    done = pbem("extend", "1", "2d", "--reason", WHY)
    assert (0, True) == (done.exit_code, done.stdout.startswith("Bill has 48 hours more. Bill has until "))
    done = pbem("pause", "1", "--until", "2999-12-27", "--reason", WHY)
    assert "Both clocks of game 1 stand until 2999-12-27 00:00 UTC.\n" == done.stdout
    (row,) = json.loads(pbem("games", "--json").stdout)
    assert (True, "2999-12-27T00:00:00Z", "Bill") == (row["paused"], row["paused_until"], row["turn"])
    assert "clocks of game 1 run again. Bill has" in pbem("resume", "1", "--reason", WHY).stdout
    done = pbem("rollback", "1", "2", "--yes", "--reason", WHY)
    assert "Game 1 is back after ply 2. Bill has until" in done.stdout
    assert (
        "Anna goes on for Bill in game 1.\n" == pbem("replace", "1", "first", "anna", "--reason", WHY).stdout
    )
    assert "It goes to Anna and Joao.\n" == pbem("message", "1", "-", given="Be kind.\nPlease.").stdout
    assert "2 players will get it.\n" == pbem("message", "--all", "We move on Sunday.").stdout
    assert "done" == reply(app, ANNA, letters(app, ANNA)[-2], "f4")
    done = pbem("adjudicate", "1", "Second", "--reason", WHY)
    assert f"Game 1 is over (second). Joao has won. The director decided: {WHY}\n" == done.stdout
    told = [letter.text for letter in letters(app, JOAO)]
    for words in ("2 days", "paused this game", "ended the pause", "taken this game back", "now on is Anna",
                  "Be kind.", "Sunday", "You have won"):  # fmt: skip
        assert any(words in text.replace("\n", " ") for text in told), words
    assert 0 == pbem("check", "--offline").exit_code


def test_all_of_it_is_shown_on_the_page_in_the_record_and_as_data(pbem: Pbem, app: App) -> None:
    pbem("message", "1", "Write to bill@example.org <b>now</b>.")
    pbem("rollback", "1", "2", "--yes", "--reason", "Ply 3 was not Bill's.")
    pbem("extend", "1", "36h", "--to", "both", "--reason", WHY)
    pbem("replace", "1", "first", "Anna", "--reason", "Bill is in hospital.")
    pbem("pause", "1", "--reason", "A strike.")
    client = create_app(app).test_client()
    page = " ".join(client.get("/games/1").text.split())
    for words in ON_THE_PAGE:
        assert words in page, words
    assert "bill@example.org" not in page
    record = client.get("/games/1.game").text
    assert "back to ply 2: Ply 3 was not Bill's." in record and "Anna for Bill as first" in record
    data = client.get("/games/1.json").json
    assert ["notice", "rollback", "extend", "replace", "halt"] == [each["kind"] for each in data["director"]]
    (record_file := Path(app.config.var) / "1.game").write_text(record)
    done = CliRunner().invoke(main, ["replay", str(record_file)])
    assert (0, True) == (done.exit_code, "Ply 2: e5" in done.output)
    shown = pbem("show", "1").stdout
    assert "Paused until pbem resume." in shown and "back to ply 2" in shown
    assert "Bill: f2" in shown and "Anna - Joao" in shown


WRONG = [
    ("extend 9 2d --reason x", 1, "There is no game 9."),
    ("extend 1 2x --reason x", 2, "2x is no length of time"),
    ("extend 1 99999d --reason x", 2, "99999d is too long; a time here is from an hour to 365 days."),
    ("extend 1 2d", 2, "--reason"),
    ("extend 0 2d --reason x", 2, "0 is not in the range"),
    ("extend one 2d --reason x", 2, "'one' is not a valid integer"),
    ("extend 1 2d --reason", 2, "--reason"),
    ("extend 1 2d --to third --reason x", 2, "third"),
    ("pause 1 --until yesterday --reason x", 2, "--until yesterday"),
    ("pause 1 --until 2001-01-01 --reason x", 1, "before it begins"),
    ("pause 9 --reason x", 1, "There is no game 9."),
    ("resume 1 --reason x", 1, "is not paused"),
    ("rollback 1 9 --yes --reason x", 1, "none numbered 9"),
    ("rollback 1 4 --yes --reason x", 1, "after move 4 already"),
    ("rollback 1 2 --reason x", 2, "add --yes"),
    ("rollback 1 -1 --yes --reason x", 2, "No such option"),
    ("rollback 9 1 --yes --reason x", 1, "There is no game 9."),
    ("adjudicate 1 third --reason x", 2, "third"),
    ("adjudicate 9 draw --reason x", 1, "There is no game 9."),
    ("replace 1 first Nobody --reason x", 1, "Nobody here is called Nobody."),
    ("replace 1 first Joao --reason x", 1, "Joao plays in game 1 already."),
    ("replace 1 third Anna --reason x", 2, "third"),
    ("message 1", 2, "Write pbem message GAME TEXT"),
    ("message", 2, "Write pbem message GAME TEXT"),
    ("message 1 hello --all hello", 2, "Write pbem message GAME TEXT"),
    ("message 9 hello", 1, "There is no game 9."),
    ("message 1 -", 1, "no words"),
    ("games --player Nobody", 1, "Nobody here is called Nobody."),
    ("show 9", 1, "There is no game 9."),
]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_is_wrong_is_said_with_its_exit_code_and_nothing_is_changed(pbem: Pbem, app: App) -> None:
    before = load(app)
    for words, code, said in WRONG:
        done = pbem(*words.split())
        assert (code, True) == (done.exit_code, said in done.stderr), (words, done.stderr)
        assert before == load(app), words


def test_a_reason_of_nothing_is_refused(pbem: Pbem) -> None:
    done = pbem("extend", "1", "2d", "--reason", "  ")
    assert (1, True) == (done.exit_code, "A reason is needed" in done.stderr)


def test_nothing_is_decided_about_a_game_that_is_over_but_to_open_it_again(pbem: Pbem, app: App) -> None:
    writes(app, BILL, "resign yes")
    for words in (["extend", "1", "2d"], ["pause", "1"], ["adjudicate", "1", "draw"], ["resume", "1"],
                  ["replace", "1", "first", "Anna"]):  # fmt: skip
        done = pbem(*words, "--reason", WHY)
        assert (1, True) == (done.exit_code, "Game 1 is over: Bill resigned." in done.stderr), words
    assert 0 == pbem("rollback", "1", "4", "--yes", "--reason", WHY).exit_code
    assert 0 == pbem("adjudicate", "1", "void", "--reason", WHY).exit_code
    assert "nobody has won it or lost it" in letters(app, JOAO)[-1].text
    assert "" == pbem("games").stdout
    assert "The director decided" in pbem("games", "--all").stdout
    assert "Over since" in pbem("show", "1").stdout


def test_lists_are_data_for_programs_and_lines_for_pipes(pbem: Pbem) -> None:
    (row,) = json.loads(pbem("games", "--player", "bill", "--json").stdout)
    assert [1, "bipod", "Bill", "Joao", 4, "Bill"] == [
        row[name] for name in ("id", "game", "first", "second", "ply", "turn")
    ]
    assert row["deadline"].endswith("Z")
    assert [] == json.loads(pbem("games", "--player", "Anna", "--json").stdout)
    assert ["1", "bipod", "Bill", "Joao", "4", "Bill", row["deadline"], ""] == pbem("games").stdout[
        :-1
    ].split("\t")
    players = json.loads(pbem("players", "--json").stdout)
    assert [("Bill", 1), ("Joao", 1), ("Anna", 0)] == [(each["name"], each["running"]) for each in players]
    data = json.loads(pbem("show", "1", "--json").stdout)
    assert ["f2", "e5", "f6", "g1"] == [ply["move"] for ply in data["plies"]]
    assert {"first", "second"} == set(data["left"])


@pytest.mark.parametrize("name", DIRECTING)
def test_every_command_has_help_with_an_example(name: str) -> None:
    done = CliRunner().invoke(main, [name, "--help"])
    assert (0, True) == (done.exit_code, f"Example:  pbem {name}" in done.output)


@pytest.mark.parametrize(("given", "code", "plies"), [(b"n\n", 1, 4), (b"y\n", 0, 2)])
def test_a_rollback_asks_on_a_terminal_and_names_what_will_be_gone(
    environ: dict[str, str], app: App, given: bytes, code: int, plies: int
) -> None:
    ours, theirs = os.openpty()
    os.write(ours, given)
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environ}
    done = run(["rollback", "1", "2", "--reason", WHY], env, stdin=Path(os.ttyname(theirs)))
    os.close(ours)
    os.close(theirs)
    assert b"2 plies (f6, g1) will not count any more. Take it back for good?" in done.stdout
    assert (code, plies) == (done.returncode, len(load(app).state.plies))


def ended(process: BaseProcess) -> int | None:
    """The exit code of a process, None if it goes on for too long."""
    process.join(PATIENCE_SECONDS)
    return process.exitcode


def test_decisions_are_made_and_told_while_a_worker_runs(environ: dict[str, str], app: App) -> None:
    """Bill's move and two directors at once: nothing lost, doubled or unsent."""
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environ}

    with ExitStack() as stack:

        def start(*words: str) -> BaseProcess:
            return stack.enter_context(running(words, env))

        worker = start("work")
        turn = letters(app, BILL)[-1]
        given = [start("extend", "1", "1d", "--to", "both", "--reason", WHY) for _ in range(2)]
        (key,) = receive(app, reply_mail(turn, BILL, "h4"), BILL, [turn.header("Reply-To")])
        assert [0, 0] == [ended(each) for each in given]
        _until(lambda: "done" == state(app, key))
        assert (5, 2) == (len(load(app).state.plies), len(load(app).state.rulings))
        assert 0 == ended(start("rollback", "1", "2", "--yes", "--reason", WHY))
        _until(lambda: {"sent"} == set(_outbox(app)))
        worker.terminate()
        assert 0 == ended(worker)
    assert 2 == len(load(app).state.plies)
    assert "taken this game back" in letters(app, BILL)[-1].text
    assert 3 == sum("The director:" in letter.text for letter in letters(app, JOAO))


def _outbox(app: App) -> dict[str, int]:
    with app.store.read() as db:
        return inbox.count_by_state(db)["letters out"]


def _until(reached: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_each_decision_names_who_made_it_to_the_operator_and_to_nobody_else(pbem: Pbem, app: App) -> None:
    assert 0 == pbem("extend", "1", "2d", "--reason", WHY, "--by", " Ann  Director ").exit_code
    assert 0 == pbem("message", "1", "Please agree.", "--by", "Ann Director").exit_code
    assert 0 == pbem("pause", "1", "--reason", WHY).exit_code
    made = json.loads(pbem("show", "1", "--json").stdout)["decisions"]
    assert ["Ann Director", "Ann Director", getpass.getuser()] == [each["by"] for each in made]
    assert "Director (Ann Director), " in pbem("show", "1").stdout
    client = create_app(app).test_client()
    for path in ("/games/1", "/games/1.json", "/games/1.game", "/api/games/1"):
        answer = client.get(path)
        assert (200, False) == (answer.status_code, "Ann Director" in answer.text), path
    assert not any("Ann Director" in letter.text for who in (BILL, JOAO) for letter in letters(app, who))


@pytest.mark.parametrize("name", ["", " ", "x" * 61])
def test_a_name_that_is_none_is_wrong_usage_and_nothing_is_decided(pbem: Pbem, app: App, name: str) -> None:
    assert 2 == pbem("extend", "1", "2d", "--reason", WHY, "--by", name).exit_code
    assert [] == json.loads(pbem("show", "1", "--json").stdout)["decisions"]
