"""PBEM_WARM_UP: few letters a day to one provider, twice as many each day after; none is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.app import App
from pbem.cli import check
from pbem.core.letters.warm_up import LATER, ceiling_of
from pbem.core.preferences.letter_kinds import KINDS
from pbem.duties.health import find_troubles
from pbem.duties.outages import record_heartbeat
from pbem.mail.outbound.relay import TemporaryFailure
from pbem.outbox.send import send_due
from pbem.store import outbox
from pbem.store.outbox import OutboundLetter
from pbem.web import create_app
from tests.apps import Clock, Relay
from tests.people import NOON

pytestmark = pytest.mark.each_database


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_WARM_UP": "4"}


@pytest.fixture
def app(app: App, relay: Relay) -> App:
    return replace(app, sender=relay)


def queue(app: App, kind: str, provider: str, number: int) -> None:
    """Queue letters of a kind to different people at a provider."""
    with app.store.write() as db:
        found = [
            OutboundLetter(
                f"{kind}{n}{provider}{app.clock():%d%H}",
                kind,
                *(None,) * 4,
                "b@x",
                f"p{n}@{provider}",
                f"<{kind}{n}{provider}{app.clock():%d%H}@x>",
                f"{kind} {provider}".encode(),
            )
            for n in range(number)
        ]
        outbox.put_in_outbox(db, found, app.clock())


def sent(relay: Relay) -> Mapping[str, int]:
    return Counter(raw.decode() for _, _, raw in relay.taken)


def test_each_day_twice_as_many_go_to_one_provider_and_all_arrive(
    app: App, relay: Relay, clock: Clock
) -> None:
    queue(app, "turn", "gmail.com", 20)
    queue(app, "turn", "example.org", 3)
    send_due(app)
    assert {"turn gmail.com": 4, "turn example.org": 3} == sent(relay)
    clock.pass_by(hours=23)
    send_due(app)
    assert 4 == sent(relay)["turn gmail.com"]
    for hours, total in ((2, 12), (25, 20)):
        clock.pass_by(hours=hours)
        send_due(app)
        assert total == sent(relay)["turn gmail.com"]


def test_turns_and_answers_go_before_digests_and_have_half_for_themselves(
    app: App, relay: Relay, clock: Clock
) -> None:
    queue(app, "digest", "gmail.com", 5)
    queue(app, "paper", "gmail.com", 5)
    send_due(app)
    assert {"digest gmail.com": 2} == sent(relay)
    queue(app, "turn", "gmail.com", 3)
    send_due(app)
    assert {"digest gmail.com": 2, "turn gmail.com": 2} == sent(relay)
    clock.pass_by(hours=25)
    queue(app, "help", "gmail.com", 4)
    send_due(app)
    assert {"digest gmail.com": 5, "turn gmail.com": 3, "help gmail.com": 4} == sent(relay)


def test_what_waits_is_told_and_alarms_nobody(app: App, relay: Relay, clock: Clock) -> None:
    queue(app, "turn", "gmail.com", 6)
    send_due(app)
    record_heartbeat(app)
    clock.pass_by(minutes=30)
    record_heartbeat(app)
    web = create_app(app).test_client()
    status = web.get("/status")
    assert (200, {"gmail.com": 2}, []) == (status.status_code, status.json["put_off"], status.json["needs"])
    assert "pbem_letters_put_off 2.0" in web.get("/metrics").text
    (found,) = check._put_off(app)
    assert "hint" == found.level
    assert "4 a day go to one provider now (PBEM_WARM_UP); others wait: 2 to gmail.com" == found.found
    with app.store.read() as db:
        assert [] == find_troubles(app, db)
    clock.pass_by(hours=25)
    send_due(app)
    (found,) = check._put_off(app)
    assert ("ok", "8 a day go to one provider now (PBEM_WARM_UP)") == (found.level, found.found)


def test_a_letter_that_has_waited_long_has_its_five_days_still(app: App, relay: Relay, clock: Clock) -> None:
    queue(app, "paper", "gmail.com", 9)
    send_due(app)
    clock.pass_by(hours=12)
    send_due(app)
    assert {"paper gmail.com": 2} == sent(relay)
    clock.pass_by(days=5)
    relay.answers = {f"p{n}@gmail.com": TemporaryFailure("451 later") for n in range(9)}
    send_due(app)
    relay.answers.clear()
    clock.pass_by(minutes=1)
    send_due(app)
    assert {"paper gmail.com": 9} == sent(relay)


@pytest.mark.parametrize(("days", "most"), [(-1, 4), (0, 4), (0.9, 4), (1, 8), (2.5, 16), (400, 4 * 2**20)])
def test_the_ceiling_doubles_with_each_day(days: float, most: int) -> None:
    assert most == ceiling_of(4, NOON, NOON + timedelta(days=days))


def test_no_letter_about_a_turn_and_no_answer_leaves_later() -> None:
    assert {"digest", "paper", "puzzle"} <= LATER
    assert LATER.isdisjoint({"turn", "start", "result", "reminder", "challenge", "trial"})
    assert not [kind for kind in LATER if KINDS[kind].answers]
