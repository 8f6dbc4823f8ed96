"""Guesses by mail: sealed, changed, compared, told; and nothing of them before the move is made."""

from __future__ import annotations

import logging
import re
import shutil
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from pbem.app import App, open_app
from pbem.commands.guesses import sealed_move
from pbem.config.load import config_from
from pbem.core.play import director
from pbem.duties.watch import send_watched
from pbem.inbox.director import decide_as_director
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import ReceivedLetter, reply_mail
from pbem.store import guesses
from pbem.web import create_app
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    Clock,
    a_game,
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
from tests.commands.test_conditional import IDS, Pages, differing, pages_of


def begin(app: App, terms: str = "none") -> None:
    """Game 1 between Bill, first, and Joao; Anna watches, and her newest letter says so."""
    a_game(app, terms)
    register(app, ANNA, "Anna")
    assert "done" == writes(app, ANNA, "watch 1")


def news(app: App) -> list[ReceivedLetter]:
    """Anna's letters about the games that she watches, as the next round brings them."""
    before = len(letters(app, ANNA))
    send_watched(app)
    return letters(app, ANNA)[before:]


def ask(app: App, words: str, letter: ReceivedLetter | None = None) -> str:
    """Answer a letter of Anna's, else her last; return the text of the one that comes."""
    before = len(letters(app, ANNA))
    reply(app, ANNA, letter or last_letter(app, ANNA), words)
    assert len(letters(app, ANNA)) == before + 1
    return last_words(app, ANNA)


def sealed(app: App, number: int = 1) -> str:
    with app.store.read() as db:
        return sealed_move(db, player(app, "Anna"), load(app, number))


def results(app: App) -> list[tuple[int, str, bool | None]]:
    with app.store.read() as db:
        return [(each.ply, each.move, each.right) for each in guesses.guesses_of(db, player(app, "Anna"), 1)]


def test_a_move_in_answer_to_a_watched_games_letter_is_a_guess(app: App) -> None:
    begin(app)
    assert "What will Bill play? Answer with the move that you expect." in last_words(app, ANNA)
    before = load(app)
    assert "Your guess is sealed, Anna: f2 as move 1." in ask(app, "f2")
    assert load(app) == before
    writes(app, BILL, "f2")
    (letter,) = news(app)
    assert "Your guess at move 1 was right." in " ".join(letter.text.split())
    assert "What will Joao play?" in letter.text
    ask(app, "e5", letter)
    writes(app, JOAO, "g3")
    (letter,) = news(app)
    assert "Your guess at move 2, e5, was not right." in " ".join(letter.text.split())
    assert [(1, "f2", True), (2, "e5", False)] == results(app)
    assert ["f2", "g3"] == moves(app)


def test_a_later_guess_takes_the_place_of_the_earlier_one_and_none_withdraws_it(app: App) -> None:
    begin(app)
    ask(app, "f2")
    assert "It takes the place of your guess f2." in ask(app, "g3 h4")
    assert [(1, "g3 h4", None)] == results(app)
    assert "You have no guess at move 1 any more, Anna. Your guess was g3 h4." in ask(app, "guess none")
    assert "You have no guess at the next move of game 1." in ask(app, "guess none")
    assert [] == results(app)


def test_the_same_mail_twice_is_one_guess(app: App) -> None:
    begin(app)
    letter = last_letter(app, ANNA)
    raw = reply_mail(letter, ANNA, "f2")
    for again in (raw, raw, raw.replace(b"Message-ID: <", b"Message-ID: <x")):
        receive(app, again, ANNA, [letter.header("Reply-To")])
        work_through(app)
    assert [(1, "f2", None)] == results(app)


def test_an_illegal_guess_is_explained_and_the_earlier_one_stays(app: App) -> None:
    begin(app)
    writes(app, BILL, "f2")
    (letter,) = news(app)
    ask(app, "g3", letter)
    told = ask(app, "f2")
    assert "Your guess was not taken, Anna." in told and "f2" in told.split("Anna.")[1].split("stays")[0]
    assert "Your guess g3 stays as it is." in told
    assert "Your guess was not taken, Anna." in ask(app, "z9")
    assert "one is guessed at a time" in ask(app, "g3; h4")
    assert "has the number 7, but the letter you answered asks for move 2" in ask(app, "#7 g3")
    assert [(2, "g3", None)] == [each for each in results(app) if each[2] is None]
    assert "is sealed, Anna: h4 as move 2" in ask(app, "#2 h4")


def test_a_capital_of_a_phone_is_settled_first(app: App) -> None:
    begin(app)
    assert 'write "move e1" or "move E1"' in ask(app, "E1")
    assert "is sealed, Anna: E1 as move 1" in ask(app, "move E1")


def test_a_guess_that_comes_after_the_move_is_too_late_and_is_no_guess_at_the_next(app: App) -> None:
    begin(app)
    letter = last_letter(app, ANNA)
    writes(app, BILL, "f2")
    told = ask(app, "g3", letter)
    assert "Move 1 of game 1 has been made already: f2. Your guess came too late" in told
    assert "Move 1 of game 1" in ask(app, "guess g3", letter)
    assert [] == results(app)
    assert "is sealed, Anna: g3 as move 2" in ask(app, "g3")


def test_the_command_needs_no_letter_of_the_game_and_no_watch(app: App) -> None:
    begin(app)
    ask(app, "unwatch 1")
    told = ask(app, "guess 1 f2")
    assert "is sealed, Anna: f2 as move 1" in told and 'Answer "watch 1" to get that move' in told
    assert "is sealed, Anna: g3 as move 1" in ask(app, "guess game #1 g3")
    ask(app, "help")
    assert "Write the number of the game too" in ask(app, "guess f2")
    assert "There is no game 77." in ask(app, "guess 77 f2")
    assert "is sealed, Anna: f2 as move 1" in ask(app, "game 1\nguess f2")


@pytest.mark.parametrize("words", ["Guess what happened to me today!", "guess who", "guess"])
def test_other_words_after_guess_are_prose(app: App, words: str) -> None:
    begin(app)
    reply(app, BILL, last_letter(app, BILL), f"f2\n\n{words}")
    assert words in last_letter(app, JOAO).text


def test_the_players_do_not_guess_in_their_own_game(app: App) -> None:
    begin(app)
    for who in (BILL, JOAO):
        before = len(letters(app, who))
        writes(app, who, "guess 1 f2")
        assert "You play in game 1 yourself, so you cannot guess in it." in last_words(app, who)
        assert before + 1 == len(letters(app, who))
    with app.store.read() as db:
        assert [] == [
            each for name in ("Bill", "Joao") for each in guesses.all_guesses_of(db, player(app, name))
        ]


def test_a_watchers_other_commands_mean_what_they_did(app: App) -> None:
    begin(app)
    letter = last_letter(app, ANNA)
    for words in ("resign yes", "draw", "say Well played!", "undo"):
        assert "refused" == reply(app, ANNA, letter, words)
        assert "You do not play in game 1" in last_words(app, ANNA)
    assert "Here is the board, Anna" in ask(app, "show", letter)
    assert "No move has been made in Bipod #1 yet, Anna." in ask(app, "moves", letter)
    assert "you watch these games" in ask(app, "watch", letter)
    assert "You do not play in game 1, so there is no hint for you there." in ask(app, "hint", letter)
    before = len(letters(app, ANNA))
    reply(app, ANNA, letter, "f2\nshow")
    assert before + 2 == len(letters(app, ANNA)) and "f2" == sealed(app)
    assert "You watch game 1 no more" in ask(app, "unwatch", letter)
    assert [] == moves(app)


def own_game(app: App) -> None:
    """Game 2, in which Anna has the first move against Bill."""
    writes(app, ANNA, "challenge Bill bipod first none")
    writes(app, BILL, "accept")


@pytest.mark.parametrize("threaded", [True, False])
def test_who_mistakes_the_letter_for_one_of_their_own_game_is_told_and_loses_nothing(
    app: App, threaded: bool
) -> None:
    begin(app)
    watching = last_letter(app, ANNA)
    own_game(app)
    raw = reply_mail(watching, ANNA, "f2")
    raw = raw if threaded else re.sub(rb"(?m)^(In-Reply-To|References): .*\r\n", b"", raw)
    assert "done" == mail(app, ANNA, raw, watching.header("Reply-To"))
    assert "A guess plays nothing. It is your own turn in game 2" in last_words(app, ANNA)
    assert [] == moves(app, 2) == moves(app)
    assert "done" == reply(app, ANNA, watching, "game 2\nf2")
    assert ["f2"] == moves(app, 2)
    assert "f2" == sealed(app) and "" == sealed(app, 2)


def test_an_answer_to_a_letter_of_ones_own_game_is_no_guess(app: App) -> None:
    begin(app)
    own_game(app)
    start = next(letter for letter in reversed(letters(app, ANNA)) if "#2" in letter.header("Subject"))
    assert "done" == reply(app, ANNA, start, "f2")
    assert ["f2"] == moves(app, 2)
    assert [] == results(app)


def test_who_has_taken_a_seat_plays_nothing_by_an_old_letter_of_a_watcher(app: App) -> None:
    begin(app)
    letter, anna = last_letter(app, ANNA), player(app, "Anna")
    ask(app, "g3", letter)
    decide_as_director(app, 1, lambda game, now: director.replace_seated(game, 0, anna, "Bill is away.", now))
    assert "refused" == reply(app, ANNA, letter, "f2")
    assert "You play in game 1 yourself, so you cannot guess in it." in last_words(app, ANNA)
    assert [] == moves(app) == results(app)


def test_words_below_a_guess_go_to_nobody(app: App) -> None:
    begin(app)
    before = [letter.raw for who in (BILL, JOAO) for letter in letters(app, who)]
    assert "The words below your guess went to nobody." in ask(app, "f2\n\nBill always opens so.")
    assert before == [letter.raw for who in (BILL, JOAO) for letter in letters(app, who)]


def test_somebody_else_with_the_letter_guesses_for_nobody(app: App) -> None:
    begin(app)
    letter = last_letter(app, ANNA)
    assert "refused" == reply(app, BILL, letter, "f2")
    assert "somebody wrote to a reply address of yours" in last_words(app, ANNA)
    assert [] == results(app)


def test_a_reply_address_ends_with_its_time(app: App, clock: Clock) -> None:
    begin(app)
    letter = last_letter(app, ANNA)
    clock.pass_by(days=91)
    assert "refused" == reply(app, ANNA, letter, "f2")
    assert [] == results(app)


def test_a_move_taken_back_voids_the_guesses_at_it(app: App) -> None:
    begin(app)
    ask(app, "f2")
    writes(app, BILL, "f2")
    (letter,) = news(app)
    ask(app, "g3", letter)
    writes(app, BILL, "game 1\nundo")
    writes(app, JOAO, "accept undo")
    assert [] == moves(app) == results(app)
    assert [] == news(app)
    assert "has gone back to move 1, so there is no move 2" in ask(app, "h4", letter)
    ask(app, "g3")
    writes(app, BILL, "game 1\ng3")
    (letter,) = news(app)
    assert "Your guess at move 1 was right." in " ".join(letter.text.split())


def test_a_planned_move_is_compared_as_any_other(app: App) -> None:
    begin(app)
    writes(app, BILL, "f2\nif g3 then h4")
    (letter,) = news(app)
    ask(app, "g3", letter)
    writes(app, JOAO, "g3")
    assert [(2, "g3", True)] == results(app)
    assert ["f2", "g3", "h4"] == moves(app)


def test_the_end_of_a_game_tells_how_many_guesses_were_right(app: App) -> None:
    begin(app)
    ask(app, "f2")
    writes(app, BILL, "f2")
    (letter,) = news(app)
    ask(app, "e5", letter)
    writes(app, JOAO, "g3")
    page = create_app(app).test_client()
    assert "Guesses</dt>" not in page.get("/games/1").text
    writes(app, BILL, "resign yes")
    for who in (BILL, JOAO):
        assert "Guesses of those who watched: 1 of 2 right." in last_words(app, who)
    assert "<dt>Guesses</dt><dd>1 of 2 right</dd>" in page.get("/games/1").text


def test_a_game_without_guesses_tells_nothing_of_them(app: App) -> None:
    begin(app)
    writes(app, BILL, "resign yes")
    assert "Guesses" not in last_words(app, JOAO)
    assert "Guesses</dt>" not in create_app(app).test_client().get("/games/1").text


def test_who_asks_for_the_best_guessers_is_told_where_guesses_are_counted(app: App) -> None:
    begin(app)
    for words in ("guessers", "guessers bipod"):
        told = ask(app, words)
        assert "The page of a game that is over says how many guesses at its moves were right" in told


# ------------------------------------------------------------------------- nothing leaks

SECRETS = ("C3", "A5", "B4")
"""Cells in the guesses and in no real move."""


def test_a_guess_changes_nothing_that_anybody_else_can_see(
    app: App, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    begin(app, "3d/move")
    writes(app, BILL, "f2")
    (letter,) = news(app)
    flask_app = create_app(app)
    clock.pass_by(hours=5)
    others = [each.raw for who in (BILL, JOAO) for each in letters(app, who)]
    before, game, due = pages_of(flask_app), load(app), load(app).deadline
    caplog.set_level(logging.DEBUG)
    for words in ("move C3", "A5", "guess 1 B4"):
        assert "done" == reply(app, ANNA, letter, words)
    for words in ("C3", "A5; B4", "C3 C3", "z9"):
        assert "refused" == reply(app, ANNA, letter, words)
    assert "B4" == sealed(app)
    told = [record.getMessage() for record in caplog.records]
    assert any("refused: a guess that was not taken" in text for text in told)
    assert [] == [text for text in told if any(secret in text for secret in SECRETS)]
    assert [] == differing(before, pages_of(flask_app))
    assert others == [each.raw for who in (BILL, JOAO) for each in letters(app, who)]
    assert (game, due) == (load(app), load(app).deadline)


@pytest.mark.slow
def test_until_the_move_is_made_the_world_is_the_same_with_guesses_and_without(
    migrated_sqlite: Path, tmp_path: Path
) -> None:
    worlds = []
    for name, words in (("without", ["show", "show", "show"]), ("with", ["move C3", "A5", "guess 1 B4"])):
        app = a_world(migrated_sqlite, tmp_path / name)
        worlds.append(what_others_see(app, words))
        app.close()
    assert worlds[0][0] == worlds[1][0]
    assert [] == differing(worlds[0][1], worlds[1][1])
    assert worlds[0][2] == worlds[1][2]


def test_after_the_move_nothing_knows_of_the_guess_while_the_game_runs(
    migrated_sqlite: Path, tmp_path: Path
) -> None:
    worlds = []
    for name, words in (("without", ["show"]), ("with", ["e5"])):
        app = a_world(migrated_sqlite, tmp_path / name)
        what_others_see(app, words)
        writes(app, JOAO, "e5")
        assert ([(2, "e5", True)] if name == "with" else []) == results(app)
        worlds.append((to_players(app), pages_of(create_app(app))))
        app.close()
    assert worlds[0][0] == worlds[1][0]
    assert [] == differing(worlds[0][1], worlds[1][1])


def a_world(migrated: Path, folder: Path) -> App:
    """A server of its own, with the same chance as any other."""
    folder.mkdir()
    shutil.copy(migrated, folder / "pbem.sqlite")
    environ = {"PBEM_VAR": str(folder), "PBEM_SECRET": "s" * 32}
    environ["PBEM_DATABASE"] = f"sqlite:///{folder / 'pbem.sqlite'}"
    return replace(open_app(config_from(environ), clock=Clock()), rng=Random(7))


def to_players(app: App) -> list[bytes]:
    """The letters to Bill and Joao, but for their dates and the ids of mails that they answer."""
    sent = [letter for who in (BILL, JOAO) for letter in letters(app, who)]
    return [IDS.sub(b"", each.raw.replace(each.header("Date").encode(), b"")) for each in sent]


def what_others_see(app: App, words: list[str]) -> tuple[list[bytes], Pages, list[str]]:
    """Letters to the players, all pages, and the API, while Anna writes some mails about move 2."""
    begin(app)
    writes(app, BILL, "f2")
    (letter,) = news(app)
    for each in words:
        assert "done" == reply(app, ANNA, letter, each)
    writes(app, BILL, "say Are you there?")
    writes(app, JOAO, "say Yes!")
    writes(app, JOAO, "show")
    client = create_app(app).test_client()
    api = [client.get(path).get_data(as_text=True) for path in ("/api/games/1", "/api/games")]
    return to_players(app), pages_of(create_app(app)), api


def test_the_journal_and_the_records_never_know_of_guesses(app: App) -> None:
    begin(app)
    ask(app, "C3")
    writes(app, BILL, "f2")
    client = create_app(app).test_client()
    for path in ("/games/1.json", "/games/1.game"):
        told = client.get(path).get_data(as_text=True)
        assert "guess" not in told.lower() and "Anna" not in told
    assert ["start", "ply"] == [entry.kind for entry in load(app).journal]
