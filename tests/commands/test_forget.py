"""`forget me`: confirmed once, then final; the games stay. All run on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.app import App
from pbem.core.play import director
from pbem.inbox.director import decide_as_director
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import ReceivedLetter, new_mail, reply_mail
from pbem.outbox.send import send_due
from pbem.store import games, players, tables
from pbem.store.tables.columns import metadata
from pbem.web import create_app
from pbem.worker.retention import purge
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    PLAY,
    Clock,
    Relay,
    a_game,
    last_words,
    letters,
    mail,
    register,
    reply,
    writes,
)
from tests.web.test_versions import CHECK_FIRST, FOR_GOOD, led_to

PERSONAL = ("bill", BILL, "dearest secret", "bill@work.example", "Europe/Berlin")
"""Personal data that must be gone after Bill's erasure, in any case."""


@pytest.fixture
def app(app: App) -> App:
    return replace(app, sender=Relay())


def question(app: App, letter: ReceivedLetter) -> ReceivedLetter:
    """The letter that asks Bill to confirm."""
    assert "done" == reply(app, BILL, letter, "forget me")
    asked = letters(app, BILL)[-1]
    assert "Shall we forget you, Bill?" == asked.header("Subject")
    return asked


def confirmed(app: App, asked: ReceivedLetter) -> None:
    assert "done" == reply(app, BILL, asked, "confirm")


def everything(app: App, *without: str) -> str:
    """All rows of all tables as text, in lower case."""
    found = []
    with app.store.read() as db:
        for table in metadata.sorted_tables:
            if table.name not in without:
                found += [
                    f"{table.name}: {[_text(value) for value in row]}" for row in db.execute(select(table))
                ]
    return "\n".join(found).lower()


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def name_of(app: App, number: int) -> str:
    with app.store.read() as db:
        found = players.player_by_id(db, number)
    assert found is not None
    return found.name


def test_the_question_says_what_goes_and_which_games_are_given_up(app: App) -> None:
    bills, _ = a_game(app)
    asked = question(app, bills)
    assert "Bipod #1 with Joao" in asked.text
    assert "Bill" == name_of(app, 1)


def test_without_the_answer_nothing_is_done(app: App) -> None:
    bills, _ = a_game(app)
    asked = question(app, bills)
    assert "done" == reply(app, BILL, asked, "games")
    assert "Bill" == name_of(app, 1)
    assert "Bipod #1" in letters(app, BILL)[-1].text


@pytest.mark.each_database
def test_nothing_personal_is_left_anywhere(app: App) -> None:
    """Searches every row of every table. The last letter alone has the address, until it is sent."""
    bills, _joaos = a_game(app)
    reply(app, BILL, bills, "set zone Berlin\nnote my dearest secret\nlimit bipod 3\nblock Joao")
    writes(app, BILL, "address add bill@work.example")
    writes(app, BILL, "confirm")
    writes(app, BILL, "seek bipod")
    receive(app, b"broken", BILL, [PLAY])
    send_due(app)
    confirmed(app, question(app, bills))
    work_through(app)
    send_due(app)
    last = letters(app, BILL)
    assert ["You are forgotten"] == [letter.header("Subject") for letter in last]
    with app.store.write() as db:
        db.execute(tables.outbox.delete().where(tables.outbox.c.kind == "forgotten"))
        db.execute(
            tables.outbox.delete().where(tables.outbox.c.recipient == JOAO)
        )  # these were mailed to Joao
        db.execute(tables.messages_in.delete().where(tables.messages_in.c.sender == JOAO))  # Joao's own words
    left = everything(app)
    assert [] == [line for line in left.splitlines() if any(word.lower() in line for word in PERSONAL)]
    assert "joao" in left


def test_the_game_stays_under_a_name_that_tells_nothing(app: App) -> None:
    bills, _joaos = a_game(app)
    reply(app, BILL, bills, "f2 f4 g3")
    confirmed(app, question(app, letters(app, BILL)[-1]))
    client = create_app(app).test_client()
    seen = client.get("/games/1")
    assert "forgotten-1 resigned" in seen.text
    assert "Bill" not in seen.text
    record = client.get("/games/1.game").text
    assert '[First "forgotten-1"]' in record
    assert "f2 f4 g3" in record
    assert "challenge Joao " in client.get("/players/Joao").text
    assert "challenge" not in client.get("/players/forgotten-1").text
    assert "Bill" not in client.get("/games").text.replace("Bill, Joao", "")  # an example of a search


NAMED = (
    *("/games/1", "/games/1.json", "/games/1.game", "/games/1.record.json", "/games/1.svg", "/games"),
    *("/games/1/postcard.svg", "/records/all.json", "/records/bipod.games", "/players", "/players/Joao"),
    *("/feeds/games.atom", "/feeds/games/1.atom", "/feeds/players/Joao.atom", "/"),
)
"""Pages that showed the name."""


def test_whoever_has_a_page_with_the_name_gets_the_one_without(app: App) -> None:
    bills, _joaos = a_game(app)
    reply(app, BILL, bills, "f2")
    writes(app, BILL, "resign")
    writes(app, BILL, "confirm")
    client = create_app(app).test_client()
    had = [(path, client.get(path)) for path in NAMED]
    assert [200] * len(had) == [answer.status_code for _, answer in had]
    tags = [(path, {"If-None-Match": page.headers["ETag"]}) for path, page in had]
    moments = [
        (path, {"If-Modified-Since": page.headers.get("Last-Modified", "")})
        for path, page in had
        if path.startswith("/games/1") and path != "/games/1"  # whose ratings have no date
    ]
    assert {304} == {client.get(path, headers=has).status_code for path, has in tags + moments}
    confirmed(app, question(app, letters(app, BILL)[-1]))
    assert [] == [path for path, has in tags + moments if client.get(path, headers=has).status_code == 304]


def test_whose_place_another_took_is_forgotten_there_too(app: App) -> None:
    bills, _joaos = a_game(app)
    register(app, ANNA, "Anna")
    reply(app, BILL, bills, "f2 f4 g3")
    reply(app, JOAO, letters(app, JOAO)[-1], "e5 g1")
    with app.store.read() as db:
        anna = players.player_by_name(db, "Anna")
    assert anna is not None
    decide_as_director(app, 1, lambda game, now: director.replace_seated(game, 0, anna, "He is away.", now))
    decide_as_director(app, 1, lambda game, now: director.adjudicate(game, "second", "Nobody came.", now))
    client = create_app(app).test_client()
    paths = (*(f"/games/1{form}" for form in ("", ".game", ".svg", ".json")), "/records/all.games")
    links = {page: led_to(client, page) for page in ("/games", "/games/1")}
    had = {path: client.get(path) for path in paths}
    assert [] == [path for path, answer in had.items() if "Bill" not in answer.text]
    work_through(app)
    confirmed(app, question(app, letters(app, BILL)[-1]))
    kept = [line for line in everything(app).splitlines() if line.startswith("journal")]
    assert [] == [line for line in kept if "bill" in line]
    for path, before in had.items():
        now = client.get(path, headers={"If-None-Match": before.headers["ETag"]})
        assert (200, False) == (now.status_code, "Bill" in now.text), path
    for page, old in links.items():
        new = led_to(client, page)
        told = {client.get(link).headers["Cache-Control"] for link in new}
        assert (len(old), {FOR_GOOD}) == (len(new - old), told), page


def test_pages_lead_to_other_files_once_a_name_in_them_is_forgotten(app: App) -> None:
    bills, _joaos = a_game(app)
    reply(app, BILL, bills, "f2")
    writes(app, BILL, "resign")
    writes(app, BILL, "confirm")
    client = create_app(app).test_client()
    pages = ("/", "/games", "/games/1", "/feeds/games.atom")
    before = {page: led_to(client, page) for page in pages}
    old = {path: client.get(path) for path in set().union(*before.values()) if ".png" not in path}
    assert {FOR_GOOD} == {file.headers["Cache-Control"] for file in old.values()}
    assert "Bill" in "".join(file.text for file in old.values())
    confirmed(app, question(app, letters(app, BILL)[-1]))
    after = {page: led_to(client, page) for page in pages}
    assert {page: len(links) for page, links in before.items()} == {page: len(after[page]) for page in pages}
    assert set() == set(old) & set().union(*after.values())
    for path in old:
        now = client.get(path)
        assert (CHECK_FIRST, False) == (now.headers["Cache-Control"], b"Bill" in now.data), path


def test_running_games_are_given_up_and_the_others_hear_of_it(app: App) -> None:
    bills, _joaos = a_game(app)
    confirmed(app, question(app, bills))
    last = letters(app, JOAO)[-1]
    assert "Bill resigned" in last.text
    assert "Bill has left this server" in last.text
    assert "rematch" not in last.text and "say" not in last.text
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, 1)
        assert game is not None and game.state.ending is not None
        assert ("resignation", 1) == (game.state.ending.how, game.state.ending.winner)
        assert games.row_summary(game.state, game.open_entries) == games.stored_summary(db, 1)


def test_what_waited_for_an_answer_is_taken_back(app: App) -> None:
    a_game(app)
    anna = register(app, ANNA, "Anna")
    welcome = letters(app, BILL)[0]
    writes(app, BILL, "challenge Anna bipod")
    reply(app, ANNA, anna, "challenge Bill bipod")
    confirmed(app, question(app, letters(app, BILL)[-1]))
    told = " / ".join(letter.header("Subject") for letter in letters(app, ANNA)[-2:])
    assert 2 == told.count("Bill")
    assert "refused" == writes(app, ANNA, "accept 2")
    assert "forgotten" not in welcome.text


def test_every_secret_is_void_and_a_second_answer_does_nothing(app: App) -> None:
    bills, _ = a_game(app)
    asked = question(app, bills)
    confirmed(app, asked)
    sent = len(letters(app, BILL))
    for letter in (bills, asked):
        assert "refused" == mail(app, BILL, reply_mail(letter, BILL, "games\n"), letter.header("Reply-To"))
    assert sent == len(letters(app, BILL))
    assert "forgotten-1" == name_of(app, 1)


def test_nobody_writes_to_somebody_who_is_gone(app: App) -> None:
    bills, _joaos = a_game(app)
    confirmed(app, question(app, bills))
    before = len(app.sender.taken)  # type: ignore[attr-defined]
    writes(app, JOAO, "say Thank you, and farewell.")
    writes(app, JOAO, "challenge forgotten-1 bipod")
    assert "Nobody here is called forgotten-1." in last_words(app, JOAO)
    send_due(app)
    later = app.sender.taken[before:]  # type: ignore[attr-defined]
    assert {JOAO, BILL} >= {letter[1] for letter in later}


def test_one_can_come_back_anew_and_the_old_games_are_not_ones_own(app: App) -> None:
    bills, _ = a_game(app)
    confirmed(app, question(app, bills))
    register(app, BILL, "Bill")
    writes(app, BILL, "export all")
    assert "Bipod #1" not in letters(app, BILL)[-1].text
    assert "forgotten-1" == name_of(app, 1)


def test_the_operators_list_says_so(app: App) -> None:
    from click.testing import CliRunner

    from pbem.__main__ import main

    bills, _ = a_game(app)
    confirmed(app, question(app, bills))
    send_due(app)
    environ = {"PBEM_VAR": str(app.config.var), "PBEM_DATABASE": app.config.database}
    listed = CliRunner(env=environ).invoke(main, ["players"])
    assert 0 == listed.exit_code
    assert "forgotten-1" in listed.output
    checked = CliRunner(env=environ).invoke(main, ["check"])
    assert "All is well." in checked.output


def test_nobody_can_take_such_a_name(app: App) -> None:
    mail(app, ANNA, new_mail(ANNA, PLAY, "register forgotten-9"))
    (asked,) = letters(app, ANNA)
    assert "keeps for itself" in " ".join(asked.text.split())


def test_that_the_last_letter_went_to_an_address_is_forgotten_too(app: App, clock: Clock) -> None:
    bills, _ = a_game(app)
    confirmed(app, question(app, bills))
    send_due(app)
    clock.pass_by(days=4)
    purge(app)
    assert BILL not in everything(app)


@pytest.mark.each_database
def test_a_crash_on_the_way_forgets_nothing(app: App, clock: Clock) -> None:
    bills, _ = a_game(app)
    asked = question(app, bills)

    class Crash(BaseException):
        pass

    def crash(step: str) -> None:
        if step == "write":
            raise Crash

    receive(app, reply_mail(asked, BILL, "confirm"), BILL, [asked.header("Reply-To")])
    with pytest.raises(Crash):
        work_through(replace(app, step=crash))
    assert "Bill" == name_of(app, 1)
    clock.pass_by(seconds=20)
    work_through(app)
    assert "forgotten-1" == name_of(app, 1)


def test_signed_in_browsers_are_signed_out(app: App) -> None:
    from pbem.store import sessions

    bills, _ = a_game(app)
    with app.store.write() as db:
        found = players.player_by_name(db, "Bill")
        assert found is not None
        sessions.add_session(db, found, "secret", app.now(), timedelta(days=1))
    confirmed(app, question(app, bills))
    with app.store.read() as db:
        assert sessions.session_player(db, "secret", app.now()) is None


def test_the_api_has_the_name_no_more_nor_has_who_asks_again(app: App) -> None:
    bills, _joaos = a_game(app)
    reply(app, BILL, bills, "f2 f4 g3")
    client = create_app(app).test_client()
    paths = ("/api/games", "/api/games/1", "/api/players", "/api/players/1")
    tags = {path: client.get(path).headers["ETag"] for path in paths}
    confirmed(app, question(app, letters(app, BILL)[-1]))
    for path, tag in tags.items():
        again = client.get(path, headers={"If-None-Match": tag})
        assert (200, True, False) == (again.status_code, "forgotten-1" in again.text, "Bill" in again.text)
    assert 404 == client.get("/api/players/Bill").status_code
