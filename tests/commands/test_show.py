"""Commands beside playing: trials, notes, exports, watching. From mail to letters."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from threading import Event

import pytest

from pbem.app import App
from pbem.commands.watch import MAX_WATCHED
from pbem.duties.watch import send_watched
from pbem.mail.person.mailbox import ReceivedLetter, new_mail, reply_mail
from pbem.store import notes, players, watches
from pbem.web import create_app
from pbem.worker.worker import Worker
from rules import RULES, record
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    add_game,
    last_words,
    letters,
    load,
    mail,
    moves,
    register,
    reply,
    writes,
)

SECRET = "Sesame"
NOT_THERE = "You do not play in game 1"


def begin(app: App, number: int = 1) -> None:
    """Begin game 1 between Bill, first, and Joao; Anna watches."""
    welcome = register(app, BILL, "Bill")
    register(app, JOAO, "Joao")
    register(app, ANNA, "Anna")
    reply(app, BILL, welcome, "challenge Joao bipod first none")
    writes(app, JOAO, "accept")
    writes(app, BILL, "f2 f4 g3")


def ask(app: App, who: str, words: str) -> str:
    """Answer the last letter with `words`; return the reply's text."""
    before = len(letters(app, who))
    writes(app, who, words)
    found = letters(app, who)[before:]
    assert found, words
    return " ".join(" ".join(letter.text for letter in found).split())


def test_both_players_and_onlookers_try_moves_and_nothing_is_played(app: App) -> None:
    begin(app)
    for who, words in ((BILL, "try e5"), (JOAO, "try e5 then h2"), (ANNA, "game 1\ntry e5")):
        assert "after move 2, e5 by Joao" in ask(app, who, words)
    assert ["f2 f4 g3"] == moves(app)


def test_the_answer_to_a_trial_plays_and_to_an_onlookers_trial_does_not(app: App) -> None:
    begin(app)
    ask(app, ANNA, "game 1\ntry e5")
    assert "You do not play" in ask(app, ANNA, "game 1\ne5")
    ask(app, JOAO, "try e5 then h2")
    ask(app, JOAO, "e5")
    assert ["f2 f4 g3", "e5"] == moves(app)


def test_an_onlookers_trial_that_fails_is_refused_with_the_board(app: App) -> None:
    begin(app)
    told = ask(app, ANNA, "game 1\ntry f7")
    assert "That cannot be tried, Anna: f7: there is no row 7" in told
    assert "The board after move 1" in told


def test_notes_are_kept_listed_and_never_told_to_the_other(app: App) -> None:
    begin(app)
    ask(app, JOAO, f"e5\nYour turn.\n\nnote {SECRET}\nopen up")
    assert ["f2 f4 g3", "e5"] == moves(app)
    assert f"noted: {SECRET} noted: open up" in ask(app, JOAO, "notes")
    assert "You have noted nothing" in ask(app, BILL, "notes")
    assert "You have noted nothing" in ask(app, ANNA, "game 1\nnotes")
    for who in (BILL, ANNA):
        assert [] == [letter for letter in letters(app, who) if SECRET.encode() in letter.raw]


def attached(app: App, who: str) -> dict[str, str]:
    """The files of the last letter by name, with newlines."""
    message = message_from_bytes(letters(app, who)[-1].raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    parts = {str(part.get_filename()): part.get_payload(decode=True) for part in message.iter_attachments()}
    return {name: bytes(content).decode() for name, content in parts.items()}


def test_an_export_replays_to_the_same_game_and_holds_ones_own_notes(app: App) -> None:
    begin(app)
    ask(app, JOAO, f"e5\nYour turn.\nnote {SECRET}\n2 first resign")
    ask(app, JOAO, "export")
    (text,) = attached(app, JOAO).values()
    assert f";   {SECRET}\n;   2 first resign\n" in text
    replayed = record.replay(record.read(text))
    assert ("f2 f4 g3", "e5") == replayed.moves
    assert "Your turn." == replayed.record.plies[-1].comment
    ask(app, BILL, "export")
    (text,) = attached(app, BILL).values()
    assert SECRET not in text
    assert ("f2 f4 g3", "e5") == record.replay(record.read(text)).moves


def test_an_export_as_data_holds_what_is_public_and_ones_own_notes(app: App) -> None:
    begin(app)
    ask(app, JOAO, f"note {SECRET}")
    ask(app, JOAO, "export json")
    (text,) = attached(app, JOAO).values()
    (game,) = json.loads(text)
    assert [{"after": 1, "at": "2026-03-01T12:00:00Z", "words": SECRET}] == game["notes"]
    assert ["f2 f4 g3"] == [ply["move"] for ply in game["plies"]]


def test_all_games_come_to_who_asks_for_all_or_from_outside_any(app: App) -> None:
    begin(app)
    ask(app, BILL, "challenge Joao bagel first none")
    ask(app, JOAO, "accept")
    ask(app, BILL, "game 1\nexport")
    assert ["bipod-1.txt"] == list(attached(app, BILL))
    ask(app, BILL, "export all")
    assert ["bagel-2.txt", "bipod-1.txt"] == list(attached(app, BILL))
    ask(app, BILL, "export json")
    assert [2, 1] == [game["id"] for game in json.loads(attached(app, BILL)["games.json"])]


def test_a_game_of_others_is_not_exported_and_no_game_is_said_so(app: App) -> None:
    begin(app)
    assert "games/1.game" in ask(app, ANNA, "game 1\nexport")
    assert "There is no game 9" in ask(app, ANNA, "game 9\nexport")
    assert "You have played no game here yet" in ask(app, ANNA, "export")
    assert {} == attached(app, ANNA)


def test_an_answer_to_an_export_with_its_files_sent_back_is_read_as_ever(app: App) -> None:
    begin(app)
    ask(app, JOAO, f"note {SECRET}")
    ask(app, JOAO, "export")
    letter = letters(app, JOAO)[-1]
    written = EmailMessage()
    written["From"], written["To"], written["Message-ID"] = (
        JOAO,
        letter.header("Reply-To"),
        "<back@example.net>",
    )
    written["In-Reply-To"] = letter.header("Message-ID")
    written.set_content("game 1\ne5\nHere you are.\n\n> quoted\n")
    for name, text in attached(app, JOAO).items():
        written.add_attachment(text, filename=name)
    assert "done" == mail(app, JOAO, written.as_bytes(), letter.header("Reply-To"))
    assert ["f2 f4 g3", "e5"] == moves(app)
    assert SECRET not in letters(app, BILL)[-1].text


def test_no_page_has_a_word_of_a_note(app: App) -> None:
    begin(app)
    ask(app, JOAO, f"e5\nnote {SECRET}")
    pages = create_app(app).test_client()
    for path in ("/games/1", "/games/1/2", "/games/1.json", "/games/1.game", "/games", "/"):
        assert SECRET not in pages.get(path, follow_redirects=True).text
    assert "e5" in pages.get("/games/1.json").text


def test_an_onlooker_has_no_notes_on_the_games_of_others(app: App) -> None:
    begin(app)
    assert "You do not play in game 1" in ask(app, ANNA, f"game 1\nnote {SECRET}")


def test_notes_of_all_games_come_to_who_asks_from_outside_any(app: App) -> None:
    begin(app)
    ask(app, BILL, f"note {SECRET}")
    ask(app, BILL, "challenge Joao bagel first none")
    ask(app, JOAO, "accept")
    ask(app, BILL, "game 2\nnote Round and round")
    ask(app, BILL, "games")
    told = ask(app, BILL, "notes")
    assert f"games/1: After move 1, Sunday 1 March, 12:00 UTC: noted: {SECRET}" in told
    assert "games/2: Before the first move, Sunday 1 March, 12:00 UTC: noted: Round" in told


def test_the_notes_of_a_game_are_only_so_many(app: App) -> None:
    begin(app)
    with app.store.write() as db:
        bill = players.player_by_name(db, "Bill")
        for n in range(200):
            notes.add_note(db, bill, notes.Note(1, 1, app.now(), f"note {n}"))
    assert "as many as are kept" in ask(app, BILL, "note one more")
    with app.store.read() as db:
        assert 200 == notes.count_notes(db, bill, 1)


# Watching.


def watched(app: App, who: str = ANNA) -> list[ReceivedLetter]:
    """Letters to `who` after one round of the worker."""
    before = len(letters(app, who))
    send_watched(app)
    return letters(app, who)[before:]


def test_who_watches_a_game_is_told_of_each_ply_and_of_its_end(app: App) -> None:
    begin(app)
    assert "you get a letter whenever Bipod #1 goes on" in ask(app, ANNA, "watch 1")
    assert [] == watched(app)
    ask(app, JOAO, "e5\nBetween you and me.")
    (letter,) = watched(app)
    assert "move 2: e5, Joao" in letter.text
    assert "Between you and me" not in letter.text
    assert [] == watched(app)
    ask(app, BILL, "resign yes")
    (letter,) = watched(app)
    assert "A game you watch is over, Anna: Bill resigned." in letter.text
    ask(app, JOAO, "say Thanks!")
    assert [] == watched(app)
    assert "you watch no game" in ask(app, ANNA, "watch")


def test_nobody_who_watches_can_tell_that_there_is_a_plan(app: App) -> None:
    begin(app)
    ask(app, ANNA, "watch 1")
    ask(app, BILL, "if e5 then f6")
    assert [] == watched(app)
    ask(app, JOAO, "e5")
    (letter,) = watched(app)
    assert ["move 2: e5, Joao", "move 3: f6, Bill, automatically"] == [
        line.strip() for line in letter.text.split("The board")[0].split("\n") if "move " in line
    ][-3:-1]
    assert ".e4." in letter.header("Message-ID")


def test_several_plies_between_two_rounds_are_told_in_one_letter(app: App) -> None:
    begin(app)
    ask(app, ANNA, "watch game #1")
    ask(app, JOAO, "e5")
    ask(app, BILL, "f6")
    (letter,) = watched(app)
    assert "move 2: e5, Joao" in letter.text
    assert "move 3: f6, Bill" in letter.text


def test_words_alone_are_told_to_nobody_who_watches(app: App) -> None:
    begin(app)
    ask(app, ANNA, "watch 1")
    ask(app, JOAO, "say hello")
    ask(app, BILL, f"note {SECRET}")
    assert [] == watched(app)


def test_the_letters_to_who_watches_play_nothing(app: App) -> None:
    begin(app)
    ask(app, ANNA, "watch 1")
    ask(app, JOAO, "e5")
    (letter,) = watched(app)
    token = letter.header("Reply-To").split("+")[1].split("@")[0]
    assert "watch" == app.addressing.read_token(token).use
    assert "done" == reply(app, ANNA, letter, "game 1\nf6")
    assert "Your guess is sealed, Anna: f6 as move 3." in last_words(app, ANNA)
    assert "refused" == reply(app, ANNA, letter, "resign yes")
    assert ["f2 f4 g3", "e5"] == moves(app)


@pytest.mark.parametrize("threaded", [True, False])
def test_an_answer_to_a_watched_game_s_letter_plays_nothing_in_a_game_of_one_s_own(
    app: App, threaded: bool
) -> None:
    begin(app)
    ask(app, ANNA, "challenge Bill bipod first none")
    ask(app, BILL, "accept")
    ask(app, ANNA, "watch 1")
    ask(app, JOAO, "e5")
    (letter,) = watched(app)
    told = {"f2": "Your guess was not taken", "resign yes": NOT_THERE, "say Well played!": NOT_THERE}
    for words, problem in told.items():
        raw = reply_mail(letter, ANNA, words)
        raw = raw if threaded else re.sub(rb"(?m)^(In-Reply-To|References): .*\r\n", b"", raw)
        assert "refused" == mail(app, ANNA, raw, letter.header("Reply-To"))
        assert problem in last_words(app, ANNA)
    assert [] == moves(app, 2)
    assert load(app, 2).state.ending is None
    reply(app, ANNA, letter, "show")
    assert "Here is the board, Anna" in last_words(app, ANNA)


def test_unwatch_ends_it_and_watching_again_begins_from_there(app: App) -> None:
    begin(app)
    ask(app, ANNA, "watch 1")
    assert "You watch game 1 no more" in ask(app, ANNA, "unwatch 1")
    ask(app, JOAO, "e5")
    assert [] == watched(app)
    ask(app, ANNA, "game 1\nwatch")
    assert [] == watched(app)
    ask(app, BILL, "f6")
    (letter,) = watched(app)
    assert "e5" not in re.findall(r"\w+", letter.text.split("The board")[0])


def test_unwatch_alone_ends_the_only_watch_and_asks_where_there_are_more(app: App) -> None:
    begin(app)
    assert "You watch no game." in ask(app, ANNA, "unwatch")
    ask(app, BILL, "challenge Joao bagel first none")
    ask(app, JOAO, "accept")
    ask(app, ANNA, "watch 1\nwatch 2")
    assert 'You watch 2 games; write "unwatch 1" or "unwatch 2"' in ask(app, ANNA, "unwatch")
    assert "You do not watch game 7" in ask(app, ANNA, "unwatch 7")
    ask(app, ANNA, "unwatch 2")
    assert "You watch game 1 no more" in ask(app, ANNA, "unwatch")


def test_to_watch_twice_is_to_watch_once(app: App) -> None:
    begin(app)
    ask(app, ANNA, "watch 1")
    ask(app, JOAO, "e5")
    ask(app, ANNA, "watch 1")
    assert 1 == len(watched(app))


def test_letters_about_watched_games_can_be_stopped_and_miss_nothing_later(app: App) -> None:
    begin(app)
    ask(app, ANNA, "watch 1")
    ask(app, JOAO, "e5")
    (letter,) = watched(app)
    (address,) = re.findall(r"mailto:(\S+?)\?", letter.header("List-Unsubscribe"))
    assert "done" == mail(app, ANNA, new_mail(ANNA, address, ""), address)
    ask(app, BILL, "f6")
    assert [] == watched(app)
    assert "BUT you have stopped the letters" in ask(app, ANNA, "watch")
    ask(app, ANNA, "start watched")
    ask(app, JOAO, "h2")
    (letter,) = watched(app)
    assert "move 3" not in letter.text.split("The board")[0]


@pytest.mark.parametrize(
    ("who", "words", "reason"),
    [
        (BILL, "watch 1", "You play in game 1 yourself"),
        (ANNA, "watch 9", "There is no game 9"),
        (ANNA, "watch 2", "Game 2 is over"),
    ],
)
def test_what_cannot_be_watched_is_refused(app: App, who: str, words: str, reason: str) -> None:
    begin(app)
    ask(app, BILL, "challenge Joao bagel first none")
    ask(app, JOAO, "accept")
    ask(app, BILL, "game 2\nresign yes")
    assert reason in ask(app, who, words)


def test_one_may_watch_only_so_many_games(app: App) -> None:
    begin(app)
    with app.store.write() as db:
        anna, bill, joao = (players.player_by_name(db, name) for name in ("Anna", "Bill", "Joao"))
        for _ in range(MAX_WATCHED):
            game = add_game(db, RULES["bipod"], {}, 0, (bill, joao), False, app.now())
            watches.add_watch(db, anna, game.id, 0, app.now())
    assert "as many as one can" in ask(app, ANNA, "watch 1")


def test_a_letter_that_fails_holds_up_no_other_and_is_written_later(app: App) -> None:
    begin(app)
    carl = "carl@example.com"
    register(app, carl, "Carl")
    ask(app, ANNA, "watch 1")
    ask(app, carl, "watch 1")
    ask(app, JOAO, "e5")
    broken = replace(app, step=Failing(1))
    assert 1 == send_watched(broken)
    assert 1 == send_watched(app)
    assert 0 == send_watched(app)
    for who in (ANNA, carl):
        assert 1 == sum("A game you watch" in letter.text for letter in letters(app, who))


class Failing:
    """A round that fails so many times."""

    def __init__(self, times: int) -> None:
        self.times = times

    def __call__(self, step: str) -> None:
        if step == "watched" and self.times:
            self.times -= 1
            raise ZeroDivisionError("a fault of ours")


def test_the_worker_makes_the_round_by_itself(app: App) -> None:
    begin(app)
    ask(app, ANNA, "watch 1")
    ask(app, JOAO, "e5")
    told = Event()
    worker = Worker(replace(app, step=lambda step: told.set() if step == "watched" else None))
    worker.start()
    try:
        assert told.wait(60)
    finally:
        worker.stop()
    assert "move 2: e5, Joao" in letters(app, ANNA)[-1].text
