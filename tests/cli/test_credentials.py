"""`pbem rotate` and `pbem revoke` beside a running server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.store.migrate import migrate
from tests.apps import BILL, JOAO, a_game, letters, moves, register, reply
from tests.cli.program import ROOT
from tests.cli.test_serve import pbem


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PBEM_VAR": str(tmp_path / "var")}


@pytest.fixture
def app(env: dict[str, str]) -> Iterator[App]:
    Path(env["PBEM_VAR"]).mkdir()
    app = open_app(config_from({"PBEM_VAR": env["PBEM_VAR"]}))
    migrate(app.store)
    yield app
    app.close()


def test_after_a_rotation_letters_on_their_way_are_answered_as_before(env: dict[str, str], app: App) -> None:
    bills, _ = a_game(app)
    done = pbem(env, "rotate")
    assert (0, "") == (done.returncode, done.stderr)
    assert (Path(env["PBEM_VAR"]) / "secret").read_text().split()[0] not in done.stdout
    assert "done" == reply(app, BILL, bills, "f2")
    assert ["f2"] == moves(app)
    pbem(env, "rotate")
    pbem(env, "rotate")
    assert "refused" == reply(app, BILL, bills, "show")  # its secret is three rotations old


def test_a_secret_that_is_set_is_left_to_who_set_it(env: dict[str, str]) -> None:
    done = pbem({**env, "PBEM_SECRET": "s" * 40}, "rotate")
    assert 2 == done.returncode
    assert "PBEM_SECRET is set" in done.stderr
    assert "s" * 40 not in done.stderr


def test_a_player_whose_addresses_are_revoked_gets_new_ones_at_once(env: dict[str, str], app: App) -> None:
    welcome = register(app, BILL, "Bill")
    done = pbem(env, "revoke", "bill")
    assert 0 == done.returncode, done.stderr
    assert "All reply addresses of Bill are void" in done.stdout
    assert "refused" == reply(app, BILL, welcome, "games")
    renewed = next(one for one in letters(app, BILL) if "New reply addresses" in one.header("Subject"))
    assert "done" == reply(app, BILL, renewed, "games")
    assert renewed.header("Reply-To").partition("@")[0] not in done.stdout + done.stderr


def test_nobody_is_revoked_by_a_name_that_nobody_has(env: dict[str, str], app: App) -> None:
    done = pbem(env, "revoke", "Nobody")
    assert (1, "Nobody here is called Nobody.\n") == (done.returncode, done.stderr)
    assert app.config.secret is None


def test_a_player_without_the_old_mailbox_is_readdressed_by_the_operator(
    env: dict[str, str], app: App
) -> None:
    bills, _ = a_game(app)
    done = pbem(env, "readdress", "Bill", "Bill@New.example")
    assert 0 == done.returncode, done.stderr
    assert "The letters of Bill go to bill@new.example" in done.stdout
    assert "refused" == reply(app, BILL, bills, "f2")
    assert "done" == reply(app, "bill@new.example", letters(app, "bill@new.example")[0], "game 1\nf2")
    assert ["f2"] == moves(app)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        (JOAO, f"{JOAO} is an address of Joao."),
        ("nobody", "nobody is no mail address that we could write to."),
        ("play@localhost", "is an address of this server itself"),
    ],
)
def test_a_player_is_not_readdressed_to_where_letters_cannot_go(
    env: dict[str, str], app: App, address: str, why: str
) -> None:
    bills, _ = a_game(app)
    done = pbem(env, "readdress", "Bill", address)
    assert 1 == done.returncode
    assert why in done.stderr
    assert "done" == reply(app, BILL, bills, "f2")
