"""The zip file of a player's data: all of it, nobody else's."""

from __future__ import annotations

import json
from io import BytesIO
from zipfile import ZipFile

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.clock.time_control import read_pace
from pbem.core.play.notes import Note
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import new_mail, reply_mail
from pbem.store import guesses, notes
from pbem.store.zones import set_zone
from pbem.web import create_app
from rules import RULES, record
from tests.apps import add_game, load, player
from tests.people import NOON, SEED_PLIES
from tests.web.library import ADDRESSES, add, begin, play, the_seeds_game
from tests.web.signing_in import SITE, letters, send, sign_in


@pytest.fixture
def taken(app: App, client: FlaskClient) -> ZipFile:
    """Bill's file: a finished and a running game, notes, conditional moves.

    Joao has notes and conditional moves too, which must not be in it.
    """
    the_seeds_game(app)
    game = play(app, begin(app), ["f2 f4 g3"])
    add(app, game, "plan", 0, {"plan": [{"if": "h2", "then": ["j2 k2"], "next": []}]})
    with app.store.write() as db:
        notes.add_note(db, player(app, "Bill"), Note(1, 4, NOON, "My own thought."))
        notes.add_note(db, player(app, "Joao"), Note(1, 4, NOON, "What Joao thinks."))
    bill = ADDRESSES["Bill"]
    receive(app, new_mail(bill, "play@pbem.example.org", "set zone Berlin"), bill, ["play@pbem.example.org"])
    work_through(app)
    sign_in(app, client)
    asked = letters(app, bill)[0]
    receive(app, reply_mail(asked, bill, "games"), bill, [asked.header("Reply-To")])
    work_through(app)
    found = send(client, "/settings/export")
    assert (200, "application/zip") == (found.status_code, found.headers["Content-Type"])
    assert 'attachment; filename="pbem-Bill.zip"' == found.headers["Content-Disposition"]
    assert "no-store" == found.headers["Cache-Control"]
    return ZipFile(BytesIO(found.data))


def test_every_game_is_there_as_a_record_and_as_data(taken: ZipFile) -> None:
    names = taken.namelist()
    for name in (
        "README.txt",
        "account.json",
        "games/bipod-1.txt",
        "games/bipod-1.json",
        "games/bipod-2.txt",
    ):
        assert name in names
    text = taken.read("games/bipod-1.txt").decode()
    assert SEED_PLIES == [ply.move for ply in record.read(text).plies]
    assert "My own thought." in text


def test_plans_and_notes_of_ones_own_are_there_and_nobody_elses(taken: ZipFile) -> None:
    everything = "\n".join(taken.read(name).decode("utf-8", "replace") for name in taken.namelist())
    assert '"j2 k2"' in taken.read("games/bipod-2.json").decode()
    assert "My own thought." in json.loads(taken.read("games/bipod-1.json"))["notes"][0]["words"]
    assert "What Joao thinks." not in everything
    assert ADDRESSES["Joao"] not in everything


def test_the_account_is_there(taken: ZipFile) -> None:
    account = json.loads(taken.read("account.json"))
    assert ("Bill", "bill@example.org", ["bill@example.org"]) == (
        account["name"],
        account["letters_go_to"],
        account["addresses"],
    )
    assert 1 == len(account["signed_in_since"])


def test_own_guesses_are_there_and_nobody_elses(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    begin(app)
    with app.store.write() as db:
        game, bill, joao = load(app), player(app, "Bill"), player(app, "Joao")
        guesses.store_guess(db, bill, game, 1, "c3", app.now())
        guesses.store_guess(db, joao, game, 1, "d4", app.now())
    with ZipFile(BytesIO(send(client, "/settings/export").data)) as taken:
        (told,) = json.loads(taken.read("account.json"))["guesses"]
    assert (1, 1, "c3", None) == (told["game"], told["ply"], told["move"], told["right"])


@pytest.mark.each_database
def test_zones_of_before_are_there_where_clocks_depend_on_them(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    bipod, seats = RULES["bipod"], (player(app, "Bill"), player(app, "Joao"))
    with app.store.write() as db:
        add_game(db, bipod, bipod.start().options, 0, seats, False, NOON, read_pace("7d weekends"))
    for zone in ("Asia/Tokyo", "Asia/Kolkata"):
        bill = player(app, "Bill")
        with app.store.write() as db:
            set_zone(db, bill, zone, app.now())
    with ZipFile(BytesIO(send(client, "/settings/export").data)) as taken:
        told = json.loads(taken.read("account.json"))["zones_before"]
    assert ["UTC", "Asia/Tokyo"] == [each["zone"] for each in told]


def test_ones_mails_are_there_as_they_came(taken: ZipFile) -> None:
    mails = [name for name in taken.namelist() if name.startswith("mails/")]
    assert any(b"games" in taken.read(name) for name in mails)


def test_nobody_who_is_not_signed_in_takes_anything(app: App) -> None:
    stranger = create_app(app).test_client()
    assert 410 == send(stranger, "/settings/export").status_code
    assert 405 == stranger.get("/settings/export", base_url=SITE).status_code


def test_it_cannot_be_had_all_the_time(app: App, client: FlaskClient) -> None:
    sign_in(app, client)
    assert [200] * 6 + [429] == [send(client, "/settings/export").status_code for _ in range(7)]
