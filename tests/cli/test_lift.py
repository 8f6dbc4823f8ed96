"""`pbem lift`: the operator resumes letters to an address."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner, Result

from pbem.__main__ import main
from pbem.app import open_app
from pbem.config.load import config_from
from pbem.store import inbox, players
from tests.apps import BILL, JOAO, Clock, Relay, a_game, reply
from tests.returned import gone


def test_letters_that_were_held_go_out_when_the_operator_says_so(tmp_path: Path, sqlite_url: str) -> None:
    environ = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": sqlite_url}
    app = replace(open_app(config_from(environ), clock=Clock()), sender=Relay())

    def pbem(*words: str) -> Result:
        return CliRunner(env=environ).invoke(main, words)

    assert "Letters are held for nobody.\n" == pbem("lift").output
    _, joaos = a_game(app)
    gone(app)
    gone(app, JOAO)
    reply(app, JOAO, joaos, "say hello")  # this mail lifts Joao's suspension
    assert f"Bill <{BILL}> since 2026-03-01 12:00 UTC\n" == pbem("lift").output
    refused = pbem("lift", "Bill", "Joao")
    assert (1, True) == (refused.exit_code, refused.output.startswith("Letters to Joao are not held"))
    unknown = pbem("lift", "Nobody")
    assert (1, "Nobody here is called Nobody.\n") == (unknown.exit_code, unknown.output)
    assert "Bill: 1 letter to be sent.\n" == pbem("lift", "--all").output
    assert 1 == pbem("lift", "Bill").exit_code
    with app.store.read() as db:
        bill = players.player_by_name(db, "Bill")
        assert "held" not in inbox.count_by_state(db)["letters out"]
    app.close()
    assert bill is not None and bill.reachable
