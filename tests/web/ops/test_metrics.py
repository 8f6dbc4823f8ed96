"""`/metrics`, and what deploy/ makes of it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import yaml
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from pbem import __version__
from pbem.app import App
from pbem.duties.outages import record_heartbeat
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.outbound.relay import LetterRefused, TemporaryFailure
from pbem.mail.person.mailbox import new_mail
from pbem.outbox.send import send_due
from pbem.store import games
from pbem.web import create_app
from tests.apps import Relay
from tests.web.library import PUBLIC, a_short_game, begin, open_library

DEPLOY = Path(__file__).parents[3] / "deploy"
TOKEN = "t" * 32
FAR = "198.41.0.4"


def metrics(client: FlaskClient) -> dict[str, float]:
    """Samples by name and labels."""
    answer = client.get("/metrics")
    assert (200, "no-store") == (answer.status_code, answer.headers["Cache-Control"])
    assert "text/plain; version=0.0.4; charset=utf-8" == answer.headers["Content-Type"]
    found = {}
    for family in text_string_to_metric_families(answer.text):
        assert family.documentation
        for sample in family.samples:
            labels = ",".join(f'{key}="{value}"' for key, value in sorted(sample.labels.items()))
            found[sample.name + (f"{{{labels}}}" if labels else "")] = sample.value
    return found


def test_an_empty_server_counts_nothing(client: FlaskClient) -> None:
    found = {
        name: value
        for name, value in metrics(client).items()
        if not name.startswith(("pbem_http_", "process_", "pbem_disk_", "pbem_database_up"))
    }
    assert 1 == found.pop(f'pbem_version_info{{version="{__version__}"}}')
    assert {0} == set(found.values())
    assert "pbem_clock_age_seconds" not in found  # no clock has ever run


def test_what_becomes_of_mails_is_counted_and_what_waits_is_aged(at_home: App, home: FlaskClient) -> None:
    door = "play@localhost"
    for words in ("register Nina", "hello there"):
        receive(at_home, new_mail("new@example.org", door, words), "new@example.org", [door])
    work_through(at_home)
    record_heartbeat(at_home)
    raw = new_mail("other@example.org", door, "help")
    for _ in range(2):  # the second is a duplicate
        receive(at_home, raw, "other@example.org", [door])
    app = replace(at_home, clock=lambda: at_home.clock() + timedelta(minutes=11))
    found = metrics(create_app(app).test_client())
    assert (1, 660) == (found['pbem_mails{state="new"}'], found["pbem_oldest_unfiled_mail_seconds"])
    outcomes = {name: n for name, n in found.items() if name.startswith("pbem_newest_mails") and n}
    seen = {
        f'pbem_newest_mails{{outcome="{state}"}}': 1 for state in ("new", "done", "stranger", "duplicate")
    }
    assert seen == outcomes
    assert 4 <= found["pbem_mails_total"] <= 5  # databases may skip a number
    assert 660 == found["pbem_clock_age_seconds"]
    assert (1, 660) == (found['pbem_letters{state="queued"}'], found["pbem_oldest_unsent_letter_seconds"])


def test_games_that_wait_for_the_clock_are_counted(app: App, client: FlaskClient) -> None:
    game = begin(app)
    a_short_game(app)
    assert 0 == metrics(client)["pbem_due_games"]
    with app.store.write() as db:
        games.set_next_check(db, game.id, app.now())
    found = metrics(client)
    assert (1, 1, 1, 2) == (
        found["pbem_due_games"],
        found['pbem_games{state="running"}'],
        found['pbem_games{state="finished"}'],
        found["pbem_games_total"],
    )


def test_each_clock_lag_and_disk_is_measured(app: App) -> None:
    game = begin(app)
    with app.store.write() as db:
        games.set_next_check(db, game.id, app.now())
    late = replace(app, clock=lambda: app.clock() + timedelta(minutes=5), free_bytes=lambda _: 12345)
    found = metrics(create_app(late).test_client())
    assert 300 == found["pbem_clock_lag_seconds"]
    assert {12345} == {value for name, value in found.items() if name.startswith("pbem_disk_free_bytes{")}


def test_pages_are_counted_and_timed_by_route_and_never_by_what_strangers_write(client: FlaskClient) -> None:
    for path in ("/games/1", "/games/2", "/no/such/page", "/nor/this"):
        client.get(path)
    client.open("/games", method="PROPFIND")
    found = {name: n for name, n in metrics(client).items() if name.startswith("pbem_http_requests_total")}
    assert {
        'pbem_http_requests_total{code="404",method="GET",route="/games/<id>"}': 2,
        'pbem_http_requests_total{code="404",method="GET",route="other"}': 2,
        'pbem_http_requests_total{code="405",method="other",route="other"}': 1,
    } == found
    timed = metrics(client)
    assert 2 == timed['pbem_http_request_seconds_count{route="/games/<id>"}']
    assert 2 == timed['pbem_http_request_seconds_bucket{le="+Inf",route="/games/<id>"}']


def test_letters_that_went_waited_or_failed_are_counted_by_all_processes_together(app: App) -> None:
    relay, door = Relay(), "play@pbem.example.org"
    sending = replace(app, sender=relay)
    for who in ("new@example.org", "other@example.net"):
        receive(sending, new_mail(who, door, "register"), who, [door])
    work_through(sending)
    relay.answers = {"new@example.org": TemporaryFailure("451 later")}
    send_due(sending)
    relay.answers = {"new@example.org": LetterRefused("550 5.1.1 nobody")}
    send_due(replace(sending, clock=lambda: app.clock() + timedelta(minutes=1)))
    client = create_app(app).test_client()
    assert 0 == metrics(client)["pbem_letters_sent_total"]  # not yet added
    sending.counts.store(app.store)
    sending.counts.store(app.store)
    found = metrics(client)
    names = ("letters_sent", "letters_deferred", "letters_given_up", "bounces", "faults")
    assert [1, 1, 1, 1, 0] == [found[f"pbem_{name}_total"] for name in names]


def test_without_its_database_the_figures_of_pages_are_still_told(tmp_path: Path, sqlite_url: str) -> None:
    app = open_library(tmp_path, sqlite_url, **PUBLIC)
    client = create_app(app).test_client()
    assert 1 == metrics(client)["pbem_database_up"]
    app.close()
    (tmp_path / "pbem.sqlite").unlink()
    (tmp_path / "pbem.sqlite").mkdir()
    found = metrics(client)
    assert (0, False) == (found["pbem_database_up"], "pbem_due_games" in found)
    assert 1 == found['pbem_http_requests_total{code="200",method="GET",route="/metrics"}']


def asked(client: FlaskClient, address: str, **headers: str) -> int:
    return client.get("/metrics", headers=headers, environ_overrides={"REMOTE_ADDR": address}).status_code


def test_without_a_token_neighbours_alone_may_read_and_nobody_by_a_proxy(client: FlaskClient) -> None:
    near = ("127.0.0.1", "::1", "10.1.2.3", "::ffff:192.168.0.9", "fd00::7")
    assert {200} == {asked(client, address) for address in near}
    assert {403} == {asked(client, address) for address in (FAR, "2a00:1450::1", "nonsense")}
    assert 403 == asked(client, "127.0.0.1", **{"X-Forwarded-For": FAR})


def test_behind_a_counted_proxy_the_address_that_it_names_decides(tmp_path: Path, sqlite_url: str) -> None:
    app = open_library(tmp_path, sqlite_url, **PUBLIC, PBEM_PROXIES="1")
    client = create_app(app).test_client()
    assert 403 == asked(client, "127.0.0.1", **{"X-Forwarded-For": FAR})
    assert 403 == asked(client, "127.0.0.1", **{"X-Forwarded-For": "10.0.0.1"})
    app.close()


def test_with_a_token_it_alone_decides(tmp_path: Path, sqlite_url: str) -> None:
    app = open_library(tmp_path, sqlite_url, **PUBLIC, PBEM_METRICS_TOKEN=TOKEN)
    client = create_app(app).test_client()
    right = {"Authorization": f"Bearer {TOKEN}"}
    assert 200 == asked(client, FAR, **right, **{"X-Forwarded-For": FAR})
    wrong = ("Bearer", "Bearer x", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer ä")
    assert {401} == {asked(client, "127.0.0.1", Authorization=each) for each in wrong}
    assert 401 == asked(client, "127.0.0.1")
    app.close()


# What deploy/ makes of it.


def scraped(app: App) -> set[str]:
    """The names of all metrics of a server that has had a worker."""
    record_heartbeat(app)
    client = create_app(app).test_client()
    client.get("/games")
    return {name.partition("{")[0] for name in metrics(client)}


def test_every_metric_that_the_alerts_name_is_there(app: App) -> None:
    named = set(re.findall(r"\b(?:pbem|process)_[a-z_]+", "\n".join(expressions())))
    assert len(named) > 5
    assert named <= scraped(app)


def expressions() -> list[str]:
    written = yaml.safe_load((DEPLOY / "prometheus/alerts.yaml").read_text())
    rules = [rule for group in written["groups"] for rule in group["rules"]]
    assert all({"alert", "expr", "labels", "annotations"} <= rule.keys() for rule in rules)
    return [rule["expr"] for rule in rules]
