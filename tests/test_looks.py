"""What one may ask for beside playing: trials, notes, exports, watching. From mail to letters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.config import settings_from
from pbem.office import Office, open_office
from pbem.store import games, notes, people
from pbem.web import create_app
from rules import record
from tests.test_postoffice import BILL, JOAO, Clock, letters, register, reply
from tests.test_postoffice import mail as mailed

ANNA = "anna@example.com"
SECRET = "Sesame"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def office(database_url: str, tmp_path: Path, clock: Clock) -> Iterator[Office]:
    environ = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": database_url}
    office = open_office(settings_from(environ), clock=clock)
    yield office
    office.close()


def begin(office: Office, number: int = 1) -> None:
    """Game 1 between Bill, who is first, and Joao; Anna looks on."""
    welcome = register(office, BILL, "Bill")
    register(office, JOAO, "Joao")
    register(office, ANNA, "Anna")
    reply(office, BILL, welcome, "challenge Joao bipod first none")
    reply(office, JOAO, letters(office, JOAO)[-1], "accept")
    reply(office, BILL, letters(office, BILL)[-1], "f2 f4 g3")


def ask(office: Office, who: str, words: str) -> str:
    """What comes back for `words` in answer to the last letter, on one line."""
    before = len(letters(office, who))
    reply(office, who, letters(office, who)[-1], words)
    found = letters(office, who)[before:]
    assert found, words
    return " ".join(" ".join(letter.text for letter in found).split())


def plies(office: Office, id: int = 1) -> list[str]:
    with office.store.read() as db:
        game = games.load(db, office.shelf, id)
    assert game is not None
    return [ply.move for ply in game.state.plies]


def test_both_players_and_onlookers_try_moves_and_nothing_is_played(office: Office) -> None:
    begin(office)
    for who, words in ((BILL, "try e5"), (JOAO, "try e5 then h2"), (ANNA, "game 1\ntry e5")):
        assert "after ply 2, e5 by Joao" in ask(office, who, words)
    assert ["f2 f4 g3"] == plies(office)


def test_the_answer_to_a_trial_plays_and_to_an_onlookers_trial_does_not(office: Office) -> None:
    begin(office)
    ask(office, ANNA, "game 1\ntry e5")
    assert "You do not play" in ask(office, ANNA, "game 1\ne5")
    ask(office, JOAO, "try e5 then h2")
    ask(office, JOAO, "e5")
    assert ["f2 f4 g3", "e5"] == plies(office)


def test_an_onlookers_trial_that_fails_is_refused_with_the_board(office: Office) -> None:
    begin(office)
    told = ask(office, ANNA, "game 1\ntry f7")
    assert "That cannot be tried, Anna: f7: there is no row 7" in told
    assert "The board after ply 1" in told


def test_notes_are_kept_listed_and_never_told_to_the_other(office: Office) -> None:
    begin(office)
    ask(office, JOAO, f"e5\nYour turn.\n\nnote {SECRET}\nopen up")
    assert ["f2 f4 g3", "e5"] == plies(office)
    assert f"noted: {SECRET} noted: open up" in ask(office, JOAO, "notes")
    assert "You have noted nothing" in ask(office, BILL, "notes")
    assert "You have noted nothing" in ask(office, ANNA, "game 1\nnotes")
    for who in (BILL, ANNA):
        assert [] == [letter for letter in letters(office, who) if SECRET.encode() in letter.raw]


def attached(office: Office, who: str) -> dict[str, str]:
    """The files of the last letter by name, lines ended by newlines."""
    message = message_from_bytes(letters(office, who)[-1].raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    parts = {str(part.get_filename()): part.get_payload(decode=True) for part in message.iter_attachments()}
    return {name: bytes(content).decode() for name, content in parts.items()}


def test_an_export_replays_to_the_same_game_and_holds_ones_own_notes(office: Office) -> None:
    begin(office)
    ask(office, JOAO, f"e5\nYour turn.\nnote {SECRET}\n2 first resign")
    ask(office, JOAO, "export")
    (text,) = attached(office, JOAO).values()
    assert f";   {SECRET}\n;   2 first resign\n" in text
    replayed = record.replay(record.read(text))
    assert ("f2 f4 g3", "e5") == replayed.moves
    assert "Your turn." == replayed.record.plies[-1].comment
    ask(office, BILL, "export")
    (text,) = attached(office, BILL).values()
    assert SECRET not in text
    assert ("f2 f4 g3", "e5") == record.replay(record.read(text)).moves


def test_an_export_as_data_holds_what_is_public_and_ones_own_notes(office: Office) -> None:
    begin(office)
    ask(office, JOAO, f"note {SECRET}")
    ask(office, JOAO, "export json")
    (text,) = attached(office, JOAO).values()
    (game,) = json.loads(text)
    assert [{"after": 1, "at": "2026-03-01T12:00:00Z", "words": SECRET}] == game["notes"]
    assert ["f2 f4 g3"] == [ply["move"] for ply in game["plies"]]


def test_all_games_come_to_who_asks_for_all_or_from_outside_any(office: Office) -> None:
    begin(office)
    ask(office, BILL, "challenge Joao bagel first none")
    ask(office, JOAO, "accept")
    ask(office, BILL, "game 1\nexport")
    assert ["bipod-1.txt"] == list(attached(office, BILL))
    ask(office, BILL, "export all")
    assert ["bagel-2.txt", "bipod-1.txt"] == list(attached(office, BILL))
    ask(office, BILL, "export json")
    assert [2, 1] == [game["id"] for game in json.loads(attached(office, BILL)["games.json"])]


def test_a_game_of_others_is_not_exported_and_no_game_is_said_so(office: Office) -> None:
    begin(office)
    assert "games/1.game" in ask(office, ANNA, "game 1\nexport")
    assert "There is no game 9" in ask(office, ANNA, "game 9\nexport")
    assert "You have played no game here yet" in ask(office, ANNA, "export")
    assert {} == attached(office, ANNA)


def test_an_answer_to_an_export_with_its_files_sent_back_is_read_as_ever(office: Office) -> None:
    begin(office)
    ask(office, JOAO, f"note {SECRET}")
    ask(office, JOAO, "export")
    letter = letters(office, JOAO)[-1]
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = JOAO, letter.header("Reply-To"), "<back@example.net>"
    mail["In-Reply-To"] = letter.header("Message-ID")
    mail.set_content("game 1\ne5\nHere you are.\n\n> quoted\n")
    for name, text in attached(office, JOAO).items():
        mail.add_attachment(text, filename=name)
    assert "done" == mailed(office, JOAO, mail.as_bytes(), letter.header("Reply-To"))
    assert ["f2 f4 g3", "e5"] == plies(office)
    assert SECRET not in letters(office, BILL)[-1].text


def test_no_page_has_a_word_of_a_note(office: Office) -> None:
    begin(office)
    ask(office, JOAO, f"e5\nnote {SECRET}")
    pages = create_app(office).test_client()
    for path in ("/games/1", "/games/1/2", "/games/1.json", "/games/1.game", "/games", "/"):
        assert SECRET not in pages.get(path, follow_redirects=True).text
    assert "e5" in pages.get("/games/1.json").text


def test_an_onlooker_has_no_notes_on_the_games_of_others(office: Office) -> None:
    begin(office)
    assert "You do not play in game 1" in ask(office, ANNA, f"game 1\nnote {SECRET}")


def test_notes_of_all_games_come_to_who_asks_from_outside_any(office: Office) -> None:
    begin(office)
    ask(office, BILL, f"note {SECRET}")
    ask(office, BILL, "challenge Joao bagel first none")
    ask(office, JOAO, "accept")
    ask(office, BILL, "game 2\nnote Round and round")
    ask(office, BILL, "games")
    told = ask(office, BILL, "notes")
    assert f"games/1: After ply 1, 1 March 2026, 12:00 UTC: noted: {SECRET}" in told
    assert "games/2: Before the first ply, 1 March 2026, 12:00 UTC: noted: Round" in told


def test_the_notes_of_a_game_are_only_so_many(office: Office) -> None:
    begin(office)
    with office.store.write() as db:
        bill = people.by_name(db, "Bill")
        for n in range(200):
            notes.add(db, bill, notes.Note(1, 1, office.now(), f"note {n}"))
    assert "as many as are kept" in ask(office, BILL, "note one more")
    with office.store.read() as db:
        assert 200 == notes.count(db, bill, 1)
