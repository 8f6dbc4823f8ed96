"""Moderation: words hidden or reported, players barred or renamed.

Each is told, logged, undone, and seen everywhere.
"""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from pbem.app import App
from pbem.archive_export.publish import publish
from pbem.commands.export import account_zip
from pbem.commands.moderation import Operator, bar_player, carry_out, hide_words, rename_player
from pbem.core.errors import Refusal
from pbem.core.play import director as play_director
from pbem.core.records.record import game_data, record_of
from pbem.inbox import director as inbox_director
from pbem.mail.outbound.relay import LetterRefused
from pbem.mail.person.mailbox import new_mail
from pbem.outbox.send import send_due
from pbem.store import game_lists, games, moderation, outbox_delivery, players
from pbem.web import create_app
from rules import record
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    OPERATOR,
    PLAY,
    Clock,
    Relay,
    a_game,
    ask,
    begin,
    last_letter,
    last_words,
    letters,
    load,
    mail,
    moves,
    player,
    register,
    reply,
    writes,
)

BY = Operator("root", "Such words have no place here.")
INSULT = "You are a fool"
HIDDEN = "[hidden by the operator]"


@pytest.fixture
def app_config(tmp_path: Path) -> dict[str, str]:
    return {"PBEM_VAR": str(tmp_path), "PBEM_OPERATOR": OPERATOR}


@pytest.fixture
def insulted(app: App) -> App:
    """A finished game with an insult in Bill's move mail."""
    begin(app)
    assert "done" == writes(app, BILL, f"f2\n\n{INSULT}.")
    assert "done" == writes(app, JOAO, "e5")
    writes(app, BILL, f"say {INSULT}, I said.")
    return app


def entries(app: App) -> list[int]:
    """The journal entries with Bill's words."""
    return [entry.n for entry in load(app).journal if {"words", "comment"} & {*entry.data}]


def everywhere(app: App, folder: Path) -> dict[str, str]:
    """Everything made from game 1, by name."""
    client, game = create_app(app).test_client(), load(app)
    paths = (
        *("/games/1", "/games/1.game", "/games/1.json", "/api/games/1", "/api/games/1/plies"),
        *("/feeds/games/1.atom", "/feeds/results.atom", "/games/1.svg"),
    )
    answers = {path: client.get(path) for path in paths}
    assert {200} == {answer.status_code for answer in answers.values()}
    found = {path: answer.text for path, answer in answers.items()}
    with app.store.read() as db:
        owner = players.player_by_id(db, 2)
        assert owner is not None
        packed = ZipFile(BytesIO(account_zip(app, owner)))
    found["own data"] = "".join(
        packed.read(name).decode() for name in packed.namelist() if not name.startswith("mails/")
    )
    publish(app, folder)
    found["archive"] = "".join(path.read_text() for path in folder.rglob("*") if path.is_file())
    found["record"] = record.write(record_of(game, "localhost"))
    return found | {"data": json.dumps(game_data(game, "localhost")), "letter": ask(app, JOAO, "moves")}


def test_hidden_words_are_read_nowhere_and_shown_again_they_are_read_where_they_were(
    insulted: App, tmp_path: Path
) -> None:
    app = insulted
    writes(app, JOAO, "resign yes")
    before = everywhere(app, tmp_path / "archive")
    assert {"/games/1", "/games/1.game", "/games/1.json", "archive"} <= {
        name for name, text in before.items() if INSULT in text
    }
    for entry in entries(app):
        carry_out(app, BY, hide_words, 1, entry)
    hidden = everywhere(app, tmp_path / "archive")
    assert [] == [name for name, text in hidden.items() if INSULT in text]
    assert [name for name, text in before.items() if INSULT in text] == [
        name for name, text in hidden.items() if HIDDEN in text
    ]
    assert ["f2", "e5"] == moves(app)
    for entry in entries(app):
        carry_out(app, Operator("root", "It was a joke."), hide_words, 1, entry, undo=True)
    after = everywhere(app, tmp_path / "archive")
    assert [name for name, text in before.items() if INSULT in text] == [
        name for name, text in after.items() if INSULT in text
    ]


@pytest.mark.parametrize("path", ["/games/1", "/games/1.game", "/games/1.json"])
def test_a_page_that_somebody_has_is_sent_again_once_words_in_it_are_hidden(insulted: App, path: str) -> None:
    writes(insulted, JOAO, "resign yes")
    client = create_app(insulted).test_client()
    had = client.get(path)
    asks = {"If-None-Match": had.headers["ETag"]}
    dated = {"If-Modified-Since": had.headers["Last-Modified"]}
    by_date = 200 if path == "/games/1" else 304  # ratings beside a game have no date
    assert [304, by_date] == [client.get(path, headers=each).status_code for each in (asks, dated)]
    carry_out(insulted, BY, hide_words, 1, entries(insulted)[0])
    assert [200, 200] == [client.get(path, headers=each).status_code for each in (asks, dated)]


def test_whoever_said_it_is_told_why_it_is_hidden_and_the_log_has_all(insulted: App) -> None:
    carry_out(insulted, BY, hide_words, 1, entries(insulted)[0])
    assert "Nobody reads them any more" in last_words(insulted, BILL)
    assert "reason: Such words have no place here." in last_words(insulted, BILL)
    carry_out(insulted, BY, hide_words, 1, entries(insulted)[0], undo=True)
    with insulted.store.read() as db:
        acts = moderation.latest_acts(db, 9)
    assert [("show", "root", 1, 2), ("hide", "root", 1, 2)] == [
        (act.kind, act.by, act.game_id, act.entry) for act in acts
    ]


def test_words_of_whoever_had_a_seat_before_are_hidden_as_theirs(insulted: App) -> None:
    register(insulted, ANNA, "Anna")
    anna = player(insulted, "Anna")
    inbox_director.decide_as_director(
        insulted, 1, lambda game, at: play_director.replace_seated(game, 0, anna, "Ill.", at)
    )
    told = carry_out(insulted, BY, hide_words, 1, entries(insulted)[0])
    assert told.startswith("What Bill said")
    assert "words of yours" in last_words(insulted, BILL)


def test_nothing_is_hidden_that_nobody_said(insulted: App) -> None:
    entry = entries(insulted)[0]
    with pytest.raises(Refusal, match="Nobody said anything in entry 1 of"):
        carry_out(insulted, BY, hide_words, 1, 1)
    with pytest.raises(Refusal, match="There is no game 9"):
        carry_out(insulted, BY, hide_words, 9, 1)
    with pytest.raises(Refusal, match="A reason is needed"):
        carry_out(insulted, Operator("root", " "), hide_words, 1, entry)
    with pytest.raises(Refusal, match="is not hidden"):
        carry_out(insulted, BY, hide_words, 1, entry, undo=True)
    carry_out(insulted, BY, hide_words, 1, entry)
    with pytest.raises(Refusal, match="hidden already"):
        carry_out(insulted, BY, hide_words, 1, entry)


def test_a_letter_of_hidden_words_that_was_not_taken_is_never_sent_again(app: App) -> None:
    relay = Relay()
    app = replace(app, sender=relay)
    begin(app)
    send_due(app)
    relay.answers[JOAO] = LetterRefused("552 5.2.3 too large")
    writes(app, BILL, f"say {INSULT}.")
    send_due(app)
    carry_out(app, BY, hide_words, 1, entries(app)[0])
    with app.store.write() as db:
        outbox_delivery.requeue_letters(db, outbox_delivery.resendable_ids(db), app.now())
    relay.answers.clear()
    send_due(app)
    assert not any(INSULT in letter.text for letter in relay.to(JOAO))


# Barred players.


def test_who_is_barred_plays_on_but_nobody_hears_a_word(app: App) -> None:
    begin(app, "3d/move", 2)
    carry_out(app, BY, bar_player, "bill")
    assert "You can finish the games you have" in last_words(app, BILL)
    heard = len(letters(app, JOAO))
    reply(app, BILL, letters(app, BILL)[-2], f"f6\n\n{INSULT}.")
    assert 3 == len(moves(app))
    assert INSULT not in last_words(app, JOAO)
    assert heard + 1 == len(letters(app, JOAO))
    reply(app, BILL, letters(app, BILL)[-1], f"say {INSULT}.")
    assert heard + 1 == len(letters(app, JOAO))
    assert "The operator of this server has barred you" in last_words(app, BILL)
    reply(app, JOAO, letters(app, JOAO)[-1], "say Well?")
    assert "Messages between you and Bill are off" in last_words(app, JOAO)
    carry_out(app, BY, bar_player, "Bill", undo=True)
    assert "not barred any more" in last_words(app, BILL)
    reply(app, BILL, letters(app, BILL)[-2], "say Sorry.")
    assert "Sorry." in last_words(app, JOAO)


@pytest.mark.parametrize("words", ["seek bipod", "challenge Joao bipod", "accept 2", "take 1"])
def test_who_is_barred_begins_no_game_and_hears_why(app: App, words: str) -> None:
    register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    register(app, ANNA, "Anna")
    ask(app, JOAO, "seek bipod")
    ask(app, ANNA, "challenge Bill bipod")
    carry_out(app, BY, bar_player, "Bill")
    if words == "accept 2":
        assert "Bill would rather not play" in last_words(app, ANNA), "it is declined when the bar begins"
        return
    told = ask(app, BILL, words)
    assert "The operator of this server has barred you: Such words have no place here." in told
    with app.store.read() as db:
        assert [] == games.list_game_ids(db)


def test_nobody_challenges_who_is_barred_and_their_seeks_are_withdrawn(app: App) -> None:
    register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    ask(app, BILL, "seek bipod")
    carry_out(app, BY, bar_player, "Bill")
    assert "Bill" not in ask(app, JOAO, "seeks")
    assert "No game of Bipod with Bill can begin at present" in ask(app, JOAO, "challenge Bill bipod")
    for name, undo in (("Bill", False), ("Joao", True), ("Nobody", False)):
        with pytest.raises(Refusal):
            carry_out(app, BY, bar_player, name, undo=undo)


def test_own_data_has_what_the_operator_decided_and_what_its_owner_reported(insulted: App) -> None:
    carry_out(insulted, BY, hide_words, 1, entries(insulted)[0])
    carry_out(insulted, BY, bar_player, "Bill")
    ask(insulted, JOAO, "report\n\nHe does so each time.")
    found = {}
    with insulted.store.read() as db:
        for name in ("Bill", "Joao"):
            owner = players.player_by_name(db, name)
            assert owner is not None
            packed = ZipFile(BytesIO(account_zip(insulted, owner)))
            found[name] = json.loads(packed.read("account.json"))
    assert BY.reason == found["Bill"]["barred"]
    assert ["bar", "hide"] == [act["what"] for act in found["Bill"]["moderation"]]
    assert [("report", "He does so each time.")] == [
        (act["what"], act["why"]) for act in found["Joao"]["moderation"]
    ]


# Renamed players.


def test_a_new_name_stands_in_every_game_and_the_old_one_nowhere(insulted: App, tmp_path: Path) -> None:
    app = insulted
    register(app, ANNA, "Anna")
    anna = player(app, "Anna")
    inbox_director.decide_as_director(
        app, 1, lambda game, at: play_director.replace_seated(game, 1, anna, "Ill.", at)
    )
    writes(app, BILL, "resign yes")
    assert "Bill" in everywhere(app, tmp_path / "archive")["/games/1"]
    carry_out(app, BY, rename_player, "Bill", "Quiet")
    carry_out(app, BY, rename_player, "Joao", "Other")
    assert "has given you another name: Bill is now Quiet" in last_words(app, BILL)
    found = everywhere(app, tmp_path / "archive")
    assert [] == [name for name, text in found.items() if "Bill" in text or "Joao" in text]
    assert "Quiet resigned" == load(app).state.ending.reason
    with app.store.read() as db:
        (listed,) = game_lists.newest_results(db, app.games_by_key, 5)
    assert "Quiet resigned" == listed.reason


def test_a_name_is_given_back(app: App) -> None:
    begin(app)
    carry_out(app, BY, rename_player, "Bill", "Quiet")
    carry_out(app, BY, rename_player, "Quiet", None)
    assert "Bill" == load(app).seats[0].name
    for name, new in (("Bill", "Joao"), ("Bill", "draw"), ("Joao", None), ("Bill", "Bill"), ("Gone", "X1")):
        with pytest.raises(Refusal):
            carry_out(app, BY, rename_player, name, new)
    carry_out(app, BY, rename_player, "Bill", "BILL")
    assert "done" == writes(app, BILL, "show"), "the address of the letters stays good"


# Reports.


def test_a_report_brings_the_words_before_the_operator_and_before_nobody_else(insulted: App) -> None:
    heard = len(letters(insulted, BILL))
    told = ask(insulted, JOAO, "report\n\nHe does so each time.\n\nPlease help.")
    assert "The operator of this server reads your report about Bipod #1: Bill - Joao" in told
    assert heard == len(letters(insulted, BILL))
    (letter,) = letters(insulted, OPERATOR)
    first, second = entries(insulted)
    assert "report: He does so each time." in letter.text
    assert f"Bill said in entry {first}:\n\n  said: {INSULT}." in letter.text
    assert f'pbem hide 1 {second} --reason "..."' in letter.text
    with insulted.store.read() as db:
        (act,) = moderation.latest_acts(db, 9)
    assert ("report", "Joao", 1) == (act.kind, act.by, act.game_id)
    assert "He does so" not in create_app(insulted).test_client().get("/games/1").text


def test_beside_a_move_a_report_is_asked_for_in_a_mail_of_its_own(insulted: App) -> None:
    told = ask(insulted, BILL, "f6\nreport\n\nThese words are for one person alone.")
    assert "goes to the operator with the words below it" in told
    assert ["f2", "e5"] == moves(insulted)
    assert [] == letters(insulted, OPERATOR)
    assert "one person alone" not in last_words(insulted, JOAO)


def test_reports_are_rationed_and_a_robot_sends_none(insulted: App, clock: Clock) -> None:
    letter = last_letter(insulted, JOAO)
    robot = new_mail(JOAO, PLAY, "report").replace(b"Subject:", b"Auto-Submitted: auto-replied\r\nSubject:")
    assert "robot" == mail(insulted, JOAO, robot, letter.header("Reply-To"))
    for _ in range(7):
        reply(insulted, JOAO, letter, "report")
        clock.pass_by(seconds=1)
    assert 5 == len(letters(insulted, OPERATOR))
    assert "You have sent 5 reports within a day" in last_words(insulted, JOAO)
    clock.pass_by(days=1)
    reply(insulted, JOAO, letter, "report")
    assert 6 == len(letters(insulted, OPERATOR))


def test_without_an_address_of_the_operator_a_report_stands_in_the_log_and_the_list(
    insulted: App, caplog: pytest.LogCaptureFixture
) -> None:
    app = replace(insulted, config=replace(insulted.config, operator=None))
    with caplog.at_level("WARNING", "pbem.moderation"):
        ask(app, JOAO, "report\n\nHe does so each time.")
    assert "reports words in game 1" in caplog.text
    assert "He does so" not in caplog.text
    with app.store.read() as db:
        assert ["report"] == [act.kind for act in moderation.latest_acts(db, 9)]


def test_a_report_names_its_game(app: App) -> None:
    a_game(app)
    register(app, ANNA, "Anna")
    assert "Which game is it?" in ask(app, ANNA, "report")
    assert "There is no game 7." in ask(app, ANNA, "report 7")
    assert "reads your report about Bipod #1" in ask(app, ANNA, "report 1")
    assert "Nobody else has said anything there." in last_words(app, OPERATOR)


def test_a_games_page_leads_to_where_its_words_are_reported_by_whoever_is_signed_in(insulted: App) -> None:
    stranger = create_app(insulted).test_client()
    assert "/settings/report/1" in stranger.get("/games/1").text
    page = stranger.get("/settings/report/1").text
    assert "Sign in" in page and "<textarea" not in page
    assert [] == letters(insulted, OPERATOR)
