"""`pbem dkim`: keys made once, their records, and wrong files."""

from __future__ import annotations

import json
from pathlib import Path

import dkim
import pytest

from pbem.mail.outbound.dkim_sign import dkim_record, read_key
from pbem.mail.person.mailbox import new_mail
from pbem.store import outbox
from tests.cli.program import migrate
from tests.cli.test_serve import env, pbem

__all__ = ["env"]


def test_a_key_is_made_once_for_its_owner_alone_and_its_record_shown(env: dict[str, str]) -> None:
    first = pbem({**env, "PBEM_HOST": "games.test"}, "dkim")
    path = Path(env["PBEM_VAR"]) / "dkim.pem"
    assert (0, 0o600) == (first.returncode, path.stat().st_mode & 0o777)
    assert first.stdout.startswith('pbem._domainkey.games.test. IN TXT ( "v=DKIM1; k=rsa; p=')
    assert f"PBEM_DKIM_KEY={path}" in first.stderr
    shown = json.loads(pbem(env, "dkim", "--json").stdout)
    assert (False, dkim_record(read_key(path))) == (shown["made"], shown["record"])


def test_a_file_that_holds_no_key_is_named_and_left_alone(env: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.write_text("precious")
    done = pbem(env, "dkim", str(path))
    assert (2, f"{path}: no private key in PEM; pbem dkim makes one.\n") == (done.returncode, done.stderr)
    assert "precious" == path.read_text()


@pytest.mark.parametrize("command", [["work"], ["serve"], ["mail"], ["check"]])
@pytest.mark.parametrize(("name", "why"), [("none", "No such file"), ("file", "no private key in PEM")])
def test_a_wrong_key_is_named_at_start(
    env: dict[str, str], tmp_path: Path, command: list[str], name: str, why: str
) -> None:
    (tmp_path / "file").touch()
    migrate(env)
    done = pbem({**env, "PBEM_DKIM_KEY": str(tmp_path / name)}, *command)
    assert 2 == done.returncode
    assert f"PBEM_DKIM_KEY={tmp_path / name}: {why}" in done.stderr


def test_letters_are_signed_where_a_key_is_set(env: dict[str, str]) -> None:
    migrate(env)
    pbem(env, "dkim")
    key = Path(env["PBEM_VAR"]) / "dkim.pem"
    signing = {**env, "PBEM_DKIM_KEY": str(key), "PBEM_DKIM_SELECTOR": "n1"}
    pbem(
        signing,
        *("receive", "--sender", "bill@example.org", "play@localhost"),
        stdin=new_mail("bill@example.org", "play@localhost", "register Bill"),
    )
    pbem(signing, "retry", "m1")
    (raw,) = _outbox(env)
    asked = {b"n1._domainkey.localhost.": dkim_record(read_key(key)).encode()}
    assert dkim.verify(raw, dnsfunc=lambda name, timeout=5: asked[name])


def _outbox(env: dict[str, str]) -> list[bytes]:
    from pbem.store.engine import open_store

    store = open_store(f"sqlite:///{Path(env['PBEM_VAR']) / 'pbem.sqlite'}")
    with store.read() as db:
        letters = outbox.letters_to(db, "bill@example.org")
    store.close()
    return letters
