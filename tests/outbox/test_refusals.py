"""Letters that a provider refuses by policy: counted, told, and never a reason to suspend."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.app import App
from pbem.cli import check
from pbem.core.game.journal import GRACE
from pbem.duties.digest import send_digests
from pbem.duties.game_clock import check_due_games
from pbem.duties.health import PROVIDER, find_troubles
from pbem.duties.operator_letters import OperatorLetters
from pbem.duties.outages import record_heartbeat
from pbem.mail.outbound.relay import LetterRefused
from pbem.outbox.send import send_due
from pbem.store import bounces
from pbem.web import create_app
from tests.apps import (
    BILL,
    JOAO,
    OPERATOR,
    Clock,
    Relay,
    a_game,
    begin,
    flat,
    load,
    mail,
    no_days_off,
    player,
    register,
    reply,
)
from tests.mail.inbound.test_bounce_report import QMAIL, old
from tests.returned import comes_back

GMAIL = ("carl@gmail.com", "dora@gmail.com")
UNHEARD = "Bill may not have heard of"


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


@pytest.fixture
def app(app: App, relay: Relay) -> App:
    return replace(app, sender=relay)


def told(relay: Relay) -> int:
    return sum(UNHEARD in letter.header("Subject") for letter in relay.to(JOAO))


@pytest.mark.parametrize("status", ["5.7.1", "5.7.26", "5.7.515"])
def test_the_opponent_hears_once_a_day_that_a_letter_was_refused(
    app: App, relay: Relay, clock: Clock, status: str
) -> None:
    a_game(app)
    send_due(app)
    newest = relay.to(BILL)[-1]
    for n in range(3):
        assert "bounce" == comes_back(app, newest, status, action=f"failed ({n})")
    send_due(app)
    assert 1 == told(relay)
    assert player(app, "Bill").reachable
    reply(app, JOAO, relay.to(JOAO)[-2], "say are you there?")
    send_due(app)
    comes_back(app, relay.to(BILL)[-1], status)
    send_due(app)
    assert 1 == told(relay)
    assert relay.to(BILL)[-1].header("Subject"), "letters go on"


@pytest.mark.each_database
def test_a_refused_digest_brings_word_to_the_opponent_of_each_game(
    app: App, relay: Relay, clock: Clock
) -> None:
    bills, _ = a_game(app, "3d/move")
    reply(app, BILL, bills, "digest 13:00")
    clock.pass_by(hours=2)
    send_digests(app)
    send_due(app)
    assert "digest" in relay.to(BILL)[-1].header("Message-ID")
    comes_back(app, relay.to(BILL)[-1], "5.7.26")
    send_due(app)
    assert 1 == told(relay)
    with app.store.read() as db:
        assert bounces.is_unheard(db, 1, player(app, "Bill"))
        assert not bounces.is_unheard(db, 1, player(app, "Joao"))


def test_a_refusal_in_words_alone_suspends_nobody_and_is_counted(
    app: App, relay: Relay, caplog: pytest.LogCaptureFixture
) -> None:
    a_game(app)
    send_due(app)
    words = QMAIL.replace("(#5.1.1)", "(#5.7.1)")
    for letter in relay.to(BILL)[-2:]:
        address = relay.bounce_address(letter)
        assert "bounce" == mail(app, "", old(f"{words}{address}", "failure notice"), address)
    assert player(app, "Bill").reachable
    assert 2 == sum("example.org refuses it by policy (5.7.1)" in each for each in caplog.messages)
    (found,) = check._refused_by_policy(app)
    assert ("hint", "2 letters refused by policy in 3 days") == (found.level, found.found)
    assert "example.org 5.7.1: docs/run/letters-out.md" == found.mend


def test_a_refused_letter_that_is_not_the_newest_alarms_nobody(app: App, relay: Relay) -> None:
    _bills, joaos = a_game(app)
    send_due(app)
    old = relay.to(BILL)[-1]
    reply(app, JOAO, joaos, "say hello")
    send_due(app)
    comes_back(app, old, "5.7.26")
    send_due(app)
    assert 0 == told(relay)


def test_the_relays_own_refusal_by_policy_is_told_too(app: App, relay: Relay) -> None:
    _bills, joaos = a_game(app)
    send_due(app)
    relay.answers = {BILL: LetterRefused("after the text: 550 5.7.26 unauthenticated")}
    reply(app, JOAO, joaos, "say hello")
    send_due(app)
    send_due(app)
    assert (1, True) == (told(relay), player(app, "Bill").reachable)


@pytest.mark.parametrize(("status", "days"), [("5.7.26", 2), (None, 1)])
@pytest.mark.each_database
def test_who_has_not_heard_has_the_grace_of_one_out_of_reach(
    app: App, relay: Relay, clock: Clock, status: str | None, days: int
) -> None:
    begin(app, "3d/move")
    send_due(app)
    game = load(app)
    (mover,) = [seat for n, seat in enumerate(game.seats) if n == game.state.to_play]
    no_days_off(app, mover.id)
    if status:
        comes_back(app, relay.to(mover.address)[-1], status, who=mover.address)
    record_heartbeat(app)
    for _ in range(80):
        clock.pass_by(minutes=55)
        record_heartbeat(app)
        check_due_games(app)
    entry = next(each for each in load(app).journal if each.kind == GRACE)
    assert days * 86400 == entry.data["seconds"]


def test_the_operator_hears_of_a_provider_that_refuses_several_players(
    app: App, relay: Relay, clock: Clock
) -> None:
    for who, name in zip((*GMAIL, BILL), ("Carl", "Dora", "Bill"), strict=True):
        register(app, who, name)
    send_due(app)
    look, web = OperatorLetters(lambda _app: []), create_app(app).test_client()

    def needs() -> tuple[list[str], int]:
        found = web.get("/status").json
        return found["needs"], found["refused_by_policy"]

    comes_back(app, relay.to(GMAIL[0])[-1], "5.7.26", who=GMAIL[0])
    comes_back(app, relay.to(BILL)[-1], "5.7.1")
    record_heartbeat(app)
    assert ([], 2) == needs()
    comes_back(app, relay.to(GMAIL[1])[-1], "5.7.26", who=GMAIL[1])
    assert ([PROVIDER], 3) == needs()
    look(app)
    look(app)
    send_due(app)
    (letter,) = [one for one in relay.to(OPERATOR) if "needs you" in one.header("Subject")]
    assert "gmail.com refuses letters to 2 players by policy trouble: (5.7.26)" in flat(letter.text)
    app.counts.store(app.store)
    assert "pbem_policy_refusals_total 3.0" in web.get("/metrics").text
    clock.pass_by(days=4)
    with app.store.read() as db:
        assert PROVIDER not in [trouble.code for trouble in find_troubles(app, db)]
