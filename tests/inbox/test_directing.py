"""Directors: players who decide about games of others by mail and on the web, after one question."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.app import App
from pbem.commands import moderation as acts
from pbem.commands.directing import MODERATIONS
from pbem.commands.moderation import Operator
from pbem.core.errors import Refusal
from pbem.core.game.journal import describe_ruling
from pbem.core.parsing.director_acts import ACTS, MODERATION, read_act
from pbem.core.play.director import DECISIONS
from pbem.mail.person.mailbox import new_mail
from pbem.store import moderation, players
from pbem.web import create_app
from tests.apps import (
    ANNA,
    BILL,
    JOAO,
    PLAY,
    Clock,
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
from tests.snapshots import once
from tests.web.markup import read
from tests.web.signing_in import get, send, sign_in

WHY = "Our server was slow."
NAMED = Operator("root", "She runs the league.")


@pytest.fixture
def directed(app: App) -> App:
    """A game of Bill and Joao with two moves, and Anna, a director."""
    once(app, "directed", lambda: _direct(app))
    return app


def _direct(app: App) -> None:
    begin(app)
    assert "done" == writes(app, BILL, "f2\n\nYou are a fool.")
    assert "done" == writes(app, JOAO, "e5")
    register(app, ANNA, "Anna")
    acts.carry_out(app, NAMED, acts.name_director, "Anna")


def direct(app: App, line: str, why: str = WHY, who: str = ANNA) -> str:
    """Send an order of a director; return the state of the mail."""
    return writes(app, who, f"direct {line}\n\n{why}")


def last_ruling(app: App, game: int = 1) -> str:
    return describe_ruling(load(app, game).journal[-1])


def number_of_words(app: App) -> int:
    return next(entry.n for entry in load(app).journal if "comment" in entry.data)


@pytest.mark.parametrize(
    ("line", "logged"), [("extend 1 2d", "48 hours"), ("bar Bill", "bar by director Anna")]
)
def test_the_log_has_an_act_once_it_is_done_and_not_when_it_is_asked_about(
    directed: App, caplog: pytest.LogCaptureFixture, line: str, logged: str
) -> None:
    with caplog.at_level("INFO"):
        assert "done" == direct(directed, line)
        assert logged not in caplog.text
        assert "done" == writes(directed, ANNA, "yes")
    assert 1 == caplog.text.count(logged)


def test_a_director_is_told_what_they_can_do(directed: App) -> None:
    told = last_words(directed, ANNA)
    assert "The operator has named you a director" in told and '"direct extend 42 2d"' in told
    assert "She runs the league." in told


@pytest.mark.parametrize(
    ("line", "asked", "done"),
    [
        ("extend 1 2d", "Bill in Bipod #1: Bill - Joao gets 48 hours more.", "48 hours to first"),
        ("extend 1 12h both", "Both players in Bipod #1: Bill - Joao get 12 hours more.", "12 hours to both"),
        ("extend #1 1d Second", "Joao in Bipod #1: Bill - Joao gets 24 hours more.", "24 hours to second"),
        ("pause 1", "Both clocks of Bipod #1: Bill - Joao stop.", "clocks stopped"),
        ("pause 1 until 3d", "Both clocks of Bipod #1: Bill - Joao stop until", "clocks stopped until"),
        (
            "rollback 1 1",
            "back to where it was after move 1. These moves count no more: e5.",
            "back to ply 1",
        ),
        ("rollback 1 0", "goes back to where it was before its first move.", "back to ply 0"),
        ("adjudicate 1 second", "ends: Joao wins.", "decided: second"),
        ("adjudicate 1 draw", "ends: it is a draw.", "decided: draw"),
        ("adjudicate 1 void", "ends: it does not count.", "decided: void"),
        ("enter 1 f6 h2 i1", "Bill plays f6 h2 i1 in Bipod #1", "move f6 h2 i1 entered for first"),
        ("message 1", "A letter goes to both players of Bipod #1: Bill - Joao.", "to both"),
    ],
)
def test_an_act_is_asked_about_and_done_by_a_yes(directed: App, line: str, asked: str, done: str) -> None:
    app = directed
    before = load(app).journal
    assert "done" == direct(app, line)
    question = last_words(app, ANNA)
    assert asked in question and WHY in question
    assert before == load(app).journal, "nothing is done before the yes"
    told = len(letters(app, BILL)), len(letters(app, JOAO))
    assert "done" == writes(app, ANNA, "yes")
    assert last_ruling(app).startswith(done)
    assert ("Anna", 3) == tuple(load(app).journal[-1].data[name] for name in ("by", "director"))
    assert asked in last_words(app, ANNA) and "it is done" in last_words(app, ANNA)
    assert (told[0] + 1, told[1] + 1) == (len(letters(app, BILL)), len(letters(app, JOAO)))
    assert WHY in last_words(app, BILL)


def test_a_pause_is_ended(directed: App) -> None:
    for line in ("pause 1", "resume 1"):
        direct(directed, line)
        assert "done" == writes(directed, ANNA, "yes")
    assert last_ruling(directed).startswith("clocks started")


def test_a_seat_is_given_to_another_player_and_back(directed: App) -> None:
    app = directed
    register(app, "carl@example.org", "Carl")
    for name, line in (("Carl", "replace 1 first Carl"), ("Bill", "replace 1 first bill")):
        assert "done" == direct(app, line)
        assert "done" == writes(app, ANNA, "yes")
        assert name == load(app).seats[0].name


def test_words_are_hidden_and_shown_again(directed: App) -> None:
    app, entry = directed, number_of_words(directed)
    direct(app, f"hide 1 {entry}", "An insult.")
    assert "You are a fool." in last_words(app, ANNA), "the director reads what it is about"
    writes(app, ANNA, "yes")
    assert load(app).journal[entry - 1].data["hidden"]
    direct(app, f"show 1 {entry}", "It was a joke.")
    writes(app, ANNA, "yes")
    assert "hidden" not in load(app).journal[entry - 1].data
    with app.store.read() as db:
        found = [(act.kind, act.by, act.reason) for act in moderation.latest_acts(db, 2)]
    assert [("show", "director Anna", "It was a joke."), ("hide", "director Anna", "An insult.")] == found


def test_a_player_is_barred_freed_and_renamed(directed: App) -> None:
    app = directed
    for line in ("bar Bill", "unbar Bill", "rename Bill Quiet"):
        assert "done" == direct(app, line)
        assert "done" == writes(app, ANNA, "yes")
    assert "Quiet" == load(app).seats[0].name
    with app.store.read() as db:
        kinds = [act.kind for act in moderation.latest_acts(db, 3)]
    assert ["rename", "unbar", "bar"] == kinds


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("extend 77 2d", "There is no game 77."),
        ("resume 1", "Game 1 is not paused by a director."),
        ("rollback 1 9", "Game 1 has moves 1 to 2, so none numbered 9 to go back to."),
        ("enter 1 f2", "Nothing was entered in game 1: "),
        ("replace 1 first Nobody", "Nobody here is called Nobody."),
        ("replace 1 first Joao", "Joao plays in game 1 already."),
        ("pause 1 until 2000-01-01", "before it begins"),
        ("pause 1 until Xmas", "xmas is no day I can read"),
        ("pause 1 until 2026-02-31", "There is no 2026-02-31."),
        ("hide 1 1", "Nobody said anything in entry 1 of game 1."),
        ("hide 1 900", "Nobody said anything in entry 900 of game 1."),
        ("bar Nobody", "Nobody here is called Nobody."),
        ("unbar Bill", "Bill is not barred."),
        ("bar Anna", "Somebody else must decide about you."),
        ("rename Bill Joao", "Somebody is called Joao already."),
        ("extend 1 900d", "Time to give is from an hour to 365 days."),
    ],
)
def test_what_cannot_be_done_is_said_at_once(directed: App, line: str, problem: str) -> None:
    before = load(directed).journal
    assert "refused" == direct(directed, line)
    assert problem in last_words(directed, ANNA)
    assert before == load(directed).journal


def test_a_reason_is_needed(directed: App) -> None:
    assert "refused" == direct(directed, "extend 1 2d", "")
    assert "A reason is needed" in last_words(directed, ANNA)


def test_a_line_of_the_reason_may_look_like_a_command(directed: App) -> None:
    assert "done" == direct(directed, "extend 1 2d", "Joao wrote to me:\nresign\n\ngames\nIt was a slip.")
    assert "Joao wrote to me: resign games It was a slip." in last_words(directed, ANNA)
    assert "done" == writes(directed, ANNA, "yes")
    assert "extend" in last_ruling(directed) or "48 hours" in last_ruling(directed)


def test_nothing_else_stands_in_such_a_mail(directed: App) -> None:
    assert "refused" == writes(directed, ANNA, f"direct extend 1 2d\ndirect pause 1\n\n{WHY}")
    assert "nothing else can be in that mail; nothing was done" in last_words(directed, ANNA)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", 'I could not read this order. "help direct" shows how each act is written.'),
        (
            "extend 1",
            'Write "direct extend 42 2d" or "direct extend 42 2d both", and on the lines below it why.',
        ),
        ("Bar William for insults", 'Write "direct bar Bill", and on the lines below it why.'),
        ("dance 1", "I could not read this order."),
    ],
)
def test_an_act_that_cannot_be_read_is_answered_by_how_it_is_written(
    directed: App, line: str, told: str
) -> None:
    assert "refused" == direct(directed, line)
    seen = last_words(directed, ANNA)
    assert told in seen and "find a move" not in seen


def test_help_shows_each_act_as_it_is_written(directed: App) -> None:
    writes(directed, ANNA, "help direct")
    seen = last_words(directed, ANNA)
    for word in ACTS:
        assert f'"direct {word}' in seen
    shown = set(re.findall(r'"direct (\w[^"]*)"', seen))
    assert len(ACTS) <= len(shown)
    assert [] == [line for line in shown if read_act(line) is None]


def test_whoever_is_no_director_is_told_so(directed: App) -> None:
    assert "refused" == direct(directed, "adjudicate 1 first", who=JOAO)
    assert '"direct" is for the directors of this server' in last_words(directed, JOAO)
    assert ["f2", "e5"] == moves(directed)


def test_nobody_directs_a_game_of_their_own(directed: App) -> None:
    acts.carry_out(directed, NAMED, acts.name_director, "Joao")
    assert "refused" == direct(directed, "adjudicate 1 second", who=JOAO)
    assert "You play in game 1, so somebody else must direct it." in last_words(directed, JOAO)


def test_a_no_closes_the_question(directed: App) -> None:
    direct(directed, "adjudicate 1 draw")
    question = last_letter(directed, ANNA)
    writes(directed, ANNA, "no")
    assert "You said no" in last_words(directed, ANNA)
    reply(directed, ANNA, question, "yes")
    assert load(directed).state.ending is None


def test_a_second_yes_does_nothing(directed: App) -> None:
    direct(directed, "extend 1 2d")
    question = last_letter(directed, ANNA)
    for _ in range(2):
        reply(directed, ANNA, question, "yes")
    assert 1 == sum(entry.kind == "extend" for entry in load(directed).journal)
    assert "answered before" in last_words(directed, ANNA)


def test_a_director_who_is_none_any_more_decides_nothing(directed: App) -> None:
    direct(directed, "adjudicate 1 draw")
    question = last_letter(directed, ANNA)
    acts.carry_out(directed, NAMED, acts.name_director, "Anna", undo=True)
    assert "no director of this server any more" in last_words(directed, ANNA)
    assert "refused" == reply(directed, ANNA, question, "yes")
    assert load(directed).state.ending is None


def test_a_rollback_is_not_done_after_another_move(directed: App) -> None:
    direct(directed, "rollback 1 1")
    question = last_letter(directed, ANNA)
    assert "done" == writes(directed, BILL, "f6")
    assert "refused" == reply(directed, ANNA, question, "yes")
    assert "Something happened in game 1 meanwhile." in last_words(directed, ANNA)
    assert ["f2", "e5", "f6"] == moves(directed)


def test_a_move_is_not_entered_after_another_move(directed: App) -> None:
    direct(directed, "enter 1 f6")
    question = last_letter(directed, ANNA)
    assert "done" == writes(directed, BILL, "h2")
    assert "refused" == reply(directed, ANNA, question, "yes")
    assert "Something happened in game 1 meanwhile." in last_words(directed, ANNA)
    assert ["f2", "e5", "h2"] == moves(directed)


def test_the_page_of_a_game_says_that_the_director_entered_a_move(directed: App) -> None:
    direct(directed, "enter 1 f6")
    writes(directed, ANNA, "yes")
    page = get(create_app(directed).test_client(), "/games/1").text
    assert 'title="entered by the director"' in page
    assert "move f6 entered for Bill" in " ".join(read(page).text.split())


def test_a_flag_that_is_due_falls_before_the_decision(directed: App, clock: Clock) -> None:
    direct(directed, "message 1")
    clock.pass_by(days=6)
    writes(directed, ANNA, "yes")
    kinds = [entry.kind for entry in load(directed).journal]
    assert "notice" == kinds[-1] and "ply" != kinds[-2]


def test_mail_from_another_address_decides_nothing(directed: App) -> None:
    """A forged From alone is asked for proof, at the director's own address."""
    state = mail(directed, ANNA, new_mail(ANNA, PLAY, f"direct adjudicate 1 draw\n\n{WHY}"))
    assert "stranger" == state and load(directed).state.ending is None


def test_directors_are_named_once_and_taken_back_once(directed: App) -> None:
    with pytest.raises(Refusal, match="Anna is a director already"):
        acts.carry_out(directed, NAMED, acts.name_director, "anna")
    with pytest.raises(Refusal, match="Bill is no director"):
        acts.carry_out(directed, NAMED, acts.name_director, "Bill", undo=True)
    with directed.store.read() as db:
        assert ["Anna"] == moderation.list_directors(db)


def test_a_forgotten_directors_name_is_gone(directed: App) -> None:
    app = directed
    direct(app, "extend 1 2d")
    writes(app, ANNA, "yes")
    direct(app, "bar Bill")
    writes(app, ANNA, "yes")
    writes(app, ANNA, "forget me")
    writes(app, ANNA, "yes")
    with app.store.read() as db:
        gone = players.player_by_id(db, 3)
        by = [act.by for act in moderation.latest_acts(db, 9)]
    assert gone is not None and gone.gone and not gone.director
    assert "forgotten-3" == next(each for each in load(app).journal if each.kind == "extend").data["by"]
    assert "director Anna" not in by


@pytest.mark.parametrize(
    "line",
    [
        "me to the game",
        "extend",
        "extend 42",
        "extend 42 soon",
        "adjudicate 42 Bill",
        "pause the game please",
        "hide 42",
        "bar Bill and Joao",
        "message 42 hello",
        "resume 42 now",
        "",
    ],
)
def test_other_lines_are_no_acts(line: str) -> None:
    assert read_act(line) is None


@pytest.mark.parametrize("word", ACTS)
def test_every_act_can_be_written_as_its_examples_have_it(word: str) -> None:
    fields = ACTS[word].fields
    for shown in (fields, [each for each in fields if each.needed]):
        found = read_act(" ".join([word, *(each.example for each in shown)]))
        assert found is not None and word == found["act"]
        assert {each.name for each in fields} == found.keys() - {"act"}


def test_the_page_asks_by_mail_too(directed: App, tmp_path: Path) -> None:
    app = directed
    client = create_app(app).test_client()
    assert "Sign in" in read(get(client, "/direct").text).text
    sign_in(app, client, "Anna")
    page = get(client, "/direct?game=1").text
    assert [] == read(page).all_problems()
    assert len(ACTS) == len(re.findall(r'action="/direct/', page))
    answer = send(client, "/direct/extend", page="/direct", game="1", time="2d", to="both", reason=WHY)
    assert (303, "/direct?asked=1") == (answer.status_code, answer.headers["Location"])
    assert "We have written to you." in get(client, "/direct?asked=1").text
    assert "get 48 hours more" in last_words(app, ANNA)
    writes(app, ANNA, "yes")
    assert last_ruling(app).startswith("48 hours to both")


def test_the_page_says_what_is_wrong_and_keeps_what_was_typed(directed: App) -> None:
    client = create_app(directed).test_client()
    sign_in(directed, client, "Anna")
    answer = send(client, "/direct/pause", page="/direct", game="77", until="2999-01-01", reason=WHY)
    assert 422 == answer.status_code
    assert "There is no game 77." in answer.text and WHY in answer.text and "2999-01-01" in answer.text
    assert 404 == send(client, "/direct/dance", page="/direct", reason=WHY).status_code


def test_the_page_shows_words_with_the_entries_that_hide_wants(directed: App) -> None:
    client = create_app(directed).test_client()
    sign_in(directed, client, "Anna")
    number = number_of_words(directed)
    seen = read(get(client, "/direct?game=1").text).text
    assert f"Bill, entry {number}" in seen and "You are a fool." in seen
    acts.carry_out(directed, NAMED, acts.hide_words, 1, number)
    assert f"entry {number} [hidden by the operator]" in read(get(client, "/direct?game=1").text).text
    for none in ("77", "x", "9" * 9):
        assert "No words are shown" in read(get(client, f"/direct?game={none}").text).text


def test_a_player_of_the_game_is_shown_no_entries(directed: App) -> None:
    acts.carry_out(directed, NAMED, acts.name_director, "Joao")
    client = create_app(directed).test_client()
    sign_in(directed, client, "Joao")
    assert "No words are shown" in read(get(client, "/direct?game=1").text).text


def test_the_page_is_for_directors(directed: App) -> None:
    client = create_app(directed).test_client()
    sign_in(directed, client, "Bill")
    assert "This page is for directors" in get(client, "/direct").text
    answer = send(client, "/direct/adjudicate", page="/settings", game="1", result="first", reason=WHY)
    assert 422 == answer.status_code
    assert player(directed, "Bill").director is False


def test_every_act_has_an_effect() -> None:
    assert {word for word, act in ACTS.items() if act.is_of_game} == {*DECISIONS}
    assert MODERATION == {*MODERATIONS}
