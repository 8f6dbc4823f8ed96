"""Two people who are both on their game's page play on at once: moves on both pages, letters at the end."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select

from pbem.app import App
from pbem.core.clock.time_control import read_pace
from pbem.core.lobby.challenges import opening_entry
from pbem.core.play import director
from pbem.core.play.live import LivePlay
from pbem.duties import digest, game_clock, live
from pbem.inbox.director import decide_as_director
from pbem.inbox.dispatch import run_commands
from pbem.mail.person.mailbox import ReceivedLetter
from pbem.store import bounces, games, limits
from pbem.store import live as live_rows
from pbem.store.tables import outbox
from pbem.web import create_app
from pbem.worker.retention import purge
from rules import RULES
from tests.apps import (
    BILL,
    JOAO,
    Clock,
    add_game,
    flat,
    letters,
    load,
    no_days_off,
    player,
    reply,
    writes,
)
from tests.people import SEED_PLIES
from tests.quickness import quick
from tests.web.library import begin
from tests.web.pages.test_compose import page_of
from tests.web.pages.test_compose import send as send_move
from tests.web.pages.test_news import news_of, status
from tests.web.pages.test_orders import order
from tests.web.signing_in import get, send, sign_in

GAME = "/games/1"
MOVES = SEED_PLIES


@pytest.fixture
def two(app: App) -> tuple[FlaskClient, FlaskClient]:
    """Bill and Joao, signed in, and their game 1 with a clock."""
    seats, rules = (player(app, "Bill"), player(app, "Joao")), RULES["bipod"]
    no_days_off(app, *(each.id for each in seats))
    with app.store.write() as db:
        options, pace = rules.start({}).options, read_pace("1d/move")
        game = add_game(db, rules, options, 0, seats, True, app.now(), pace)
        games.append_entries(db, game, game.state, [opening_entry(game)])
    found = create_app(app).test_client(), create_app(app).test_client()
    for client, name in zip(found, ("Bill", "Joao"), strict=True):
        sign_in(app, client, name)
    return found


def pass_by(app: App, **span: float) -> None:
    assert isinstance(app.clock, Clock)
    app.clock.pass_by(**span)


def press(client: FlaskClient, button: str) -> None:
    assert 303 == send(client, f"{GAME}/live", page=GAME, do=button).status_code


def said(client: FlaskClient) -> str:
    """The words of the page about playing on at once."""
    part = get(client, GAME).text.partition('id="live"')[2].partition("</p>")[0]
    return flat(part.partition('status">')[2])


def both_agree(two: tuple[FlaskClient, FlaskClient]) -> None:
    for client in (*two, two[0]):
        get(client, GAME)
    press(two[0], "on")
    press(two[1], "on")


def poll(client: FlaskClient) -> int:
    return get(client, news_of(client, GAME)).status_code


def move(app: App, text: str, words: str = "") -> None:
    """Play the next move on the web."""
    game = load(app)
    client = create_app(app).test_client()
    send_move(client, page_of(app, game, game.state.to_play or 0), text, words)
    assert len(load(app).state.plies) == len(game.state.plies) + 1


def told(app: App, who: str) -> list[str]:
    """The kinds of the letters about the game, the oldest first."""
    found = [letter.header("Message-ID") for letter in letters(app, who)]
    return [each.split(".")[3] for each in found if each.startswith("<g1.")]


def game_letter(app: App, who: str) -> ReceivedLetter:
    return next(each for each in reversed(letters(app, who)) if each.header("Message-ID").startswith("<g1."))


def leave(app: App) -> None:
    """Both close the lid, and the worker looks."""
    pass_by(app, minutes=6)
    live.end_due(app)


# ------------------------------------------------------------------------------------------- agreeing


def test_one_click_of_each_agrees(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    bill, joao = two
    assert "" == said(bill)
    assert "Bill is here too: play on now?" == said(joao)
    assert "Joao is here too: play on now?" == said(bill)
    press(bill, "on")
    assert "Waiting for Joao to play on now." == said(bill)
    assert "Bill asks: play on now?" == said(joao)
    press(joao, "on")
    for client in two:
        assert said(client).startswith("Playing now: letters wait until 14:0")
    assert [] == told(app, BILL) == told(app, JOAO)


def test_an_offer_lapses_after_five_minutes_and_nothing_is_sent(
    app: App, two: tuple[FlaskClient, FlaskClient]
) -> None:
    bill, joao = two
    get(joao, GAME)
    press(bill, "on")
    pass_by(app, minutes=5)
    assert "" == said(bill)
    assert "Bill is here too: play on now?" == said(joao)
    live.end_due(app)
    assert [] == told(app, BILL) == told(app, JOAO)


@pytest.mark.parametrize("who", [0, 1])
def test_an_offer_is_taken_back_or_put_off(app: App, two: tuple[FlaskClient, FlaskClient], who: int) -> None:
    get(two[1], GAME)
    press(two[0], "on")
    press(two[who], "stop")
    assert "Joao is here too: play on now?" == said(two[0])
    press(two[1], "on")
    assert "Waiting for Bill to play on now." == said(two[1])


def test_the_page_notices_whoever_comes_asks_and_agrees(
    app: App, two: tuple[FlaskClient, FlaskClient]
) -> None:
    bill, joao = two
    for act in (lambda: get(joao, GAME), lambda: press(joao, "on"), lambda: press(bill, "on")):
        before = news_of(bill, GAME)
        assert 204 == get(bill, before).status_code
        act()
        assert 200 == get(bill, before).status_code


def test_nobody_else_and_no_bot_is_asked(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    begin(app, "Bill", "Anna")
    get(two[0], "/games/2")
    get(two[1], "/games/2")
    assert 'id="live"' not in get(two[1], "/games/2").text
    send(two[1], "/games/2/live", page=GAME, do="on")
    assert 'id="live"' not in get(two[0], "/games/2").text


def test_without_a_session_or_the_forms_mark_nothing_is_done(
    app: App, two: tuple[FlaskClient, FlaskClient], client: FlaskClient
) -> None:
    get(two[1], GAME)
    assert 410 == send(client, f"{GAME}/live", page="/settings", do="on").status_code
    assert 400 == two[0].post(f"{GAME}/live", base_url="https://pbem.example.org").status_code
    assert "Joao is here too: play on now?" == said(two[0])


def test_a_poll_is_quick_and_writes_once_a_minute_for_the_players_alone(
    app: App, two: tuple[FlaskClient, FlaskClient], client: FlaskClient
) -> None:
    both_agree(two)
    asked, public = news_of(two[0], GAME), news_of(client, GAME)
    begun = presence(app)
    quick(timedelta(milliseconds=2).total_seconds(), lambda: client.get(public))
    quick(timedelta(milliseconds=4).total_seconds(), lambda: get(two[0], asked))
    pass_by(app, seconds=59)
    assert (204, 204) == (status(client, public), get(two[0], asked).status_code)
    assert begun == presence(app)
    pass_by(app, seconds=1)
    assert (204, 204) == (status(client, public), get(two[0], asked).status_code)
    assert (begun[0] + timedelta(minutes=1), begun[1]) == presence(app)


def presence(app: App) -> tuple[object, object]:
    with app.store.read() as db:
        return live_rows.live_play(db, 1).seen


# -------------------------------------------------------------------------- moves, and one letter after


def test_moves_appear_on_both_pages_and_one_letter_sums_up(
    app: App, two: tuple[FlaskClient, FlaskClient]
) -> None:
    both_agree(two)
    for number, text in enumerate(MOVES[:4]):
        asked = news_of(two[number % 2], GAME)
        move(app, text, "A fine place." if number == 1 else "")
        assert 200 == get(two[number % 2], asked).status_code
        assert text in get(two[1 - number % 2], GAME).text
    assert [] == told(app, BILL) == told(app, JOAO)
    leave(app)
    assert ["live"] == told(app, BILL) == told(app, JOAO)
    bill, joao = (flat(game_letter(app, who).text) for who in (BILL, JOAO))
    for text in (bill, joao):
        for ply, name in zip(load(app).state.plies, ("Bill", "Joao") * 2, strict=True):
            assert f"move {ply.n}: {ply.move}, {name}" in text
    assert "Your move, Bill: Joao played E1;" in bill
    assert "A fine place." in bill and "A fine place." not in joao
    assert "Letters come again, Joao." in joao and "It is Bill's turn, move 5." in joao
    reply(app, BILL, game_letter(app, BILL), MOVES[4])
    assert ["live", "turn"] == told(app, JOAO)
    assert list(MOVES[:5]) == [ply.move for ply in load(app).state.plies]


def test_it_ends_after_two_hours_though_both_are_there(
    app: App, two: tuple[FlaskClient, FlaskClient]
) -> None:
    both_agree(two)
    move(app, MOVES[0])
    for _ in range(119):
        pass_by(app, minutes=1)
        assert [204, 204] == [poll(client) for client in two]
        assert 0 == live.end_due(app)
    pass_by(app, minutes=1)
    assert 1 == live.end_due(app)
    assert ["live"] == told(app, BILL) == told(app, JOAO)
    assert "Joao is here too: play on now?" == said(two[0])


def test_whoever_ends_it_gets_the_letter_too(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    both_agree(two)
    move(app, MOVES[0])
    press(two[1], "stop")
    assert ["live"] == told(app, BILL) == told(app, JOAO)
    move(app, MOVES[1])
    assert ["live", "turn"] == told(app, BILL)


def test_without_a_move_there_is_no_letter(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    both_agree(two)
    leave(app)
    assert [] == told(app, BILL) == told(app, JOAO)


def test_three_times_one_after_the_other(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    for number in range(3):
        both_agree(two)
        move(app, MOVES[2 * number])
        move(app, MOVES[2 * number + 1])
        leave(app)
        assert ["live"] * (number + 1) == told(app, BILL) == told(app, JOAO)
        plies = load(app).state.plies
        text = flat(game_letter(app, BILL).text)
        listed = [ply.n for ply in plies if f"move {ply.n}: {ply.move}," in text]
        assert [2 * number + 1, 2 * number + 2] == listed


def test_one_of_them_closes_the_lid(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    both_agree(two)
    move(app, MOVES[0])
    for _ in range(6):
        pass_by(app, minutes=1)
        poll(two[0])
    assert "" == said(two[0])
    live.end_due(app)
    assert ["live"] == told(app, JOAO)
    assert "Your move, Joao: Bill played f2 f4 g3;" in flat(game_letter(app, JOAO).text)


def test_a_move_by_mail_works_and_appears_on_the_page(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    move(app, MOVES[0])
    letter = game_letter(app, JOAO)
    both_agree(two)
    asked = news_of(two[0], GAME)
    assert "done" == reply(app, JOAO, letter, f"{MOVES[1]}\n\nBy mail.")
    assert 200 == get(two[0], asked).status_code
    assert "By mail." in get(two[0], GAME).text
    assert ["receipt"] == told(app, BILL)
    assert ["turn"] == told(app, JOAO)
    leave(app)
    assert ["receipt", "live"] == told(app, BILL)
    assert ["turn", "live"] == told(app, JOAO)
    assert "By mail." in game_letter(app, BILL).text


def test_a_mail_that_cannot_be_carried_out_is_answered_at_once(
    app: App, two: tuple[FlaskClient, FlaskClient]
) -> None:
    move(app, MOVES[0])
    letter = game_letter(app, JOAO)
    both_agree(two)
    assert "refused" == reply(app, JOAO, letter, MOVES[0])
    assert ["turn", "refused"] == told(app, JOAO)


def test_words_and_offers_are_in_the_letter(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    both_agree(two)
    move(app, MOVES[0])
    order(two[0], "say", words="Tea?")
    order(two[0], "draw")
    assert [] == told(app, BILL) == told(app, JOAO)
    leave(app)
    text = flat(game_letter(app, JOAO).text)
    assert "Tea?" in text and "Bill offers a draw" in text


def test_the_answer_to_an_offer_is_in_the_letter(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    both_agree(two)
    move(app, MOVES[0])
    order(two[0], "draw")
    order(two[1], "decline draw")
    leave(app)
    assert "Joao has declined your offer of a draw." in flat(game_letter(app, BILL).text)


def test_a_move_is_taken_back(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    both_agree(two)
    move(app, MOVES[0])
    order(two[0], "undo")
    order(two[1], "accept undo")
    assert () == load(app).state.plies
    assert [] == told(app, BILL) == told(app, JOAO)
    leave(app)
    assert "Move 1, f2 f4 g3 by Bill, was taken back." in flat(game_letter(app, JOAO).text)
    assert "Your move, Bill" in flat(game_letter(app, BILL).text)


@pytest.mark.parametrize("end", ["resign", "draw", "flag"])
def test_the_end_of_the_game_is_told_at_once_with_all_that_was_said(
    app: App, two: tuple[FlaskClient, FlaskClient], end: str
) -> None:
    both_agree(two)
    move(app, MOVES[0])
    order(two[0], "say", words="Tea?")
    move(app, MOVES[1], "Later.")
    if end == "resign":
        order(two[1], "resign yes", sure="yes")
    elif end == "draw":
        order(two[1], "draw")
        order(two[0], "accept draw")
    else:
        pass_by(app, days=2)
        game_clock.check_due_games(app)
    assert ["result"] == told(app, BILL) == told(app, JOAO)
    assert "Later." in game_letter(app, BILL).text
    assert "Tea?" in game_letter(app, JOAO).text
    leave(app)
    assert ["result"] == told(app, BILL) == told(app, JOAO)


def test_the_page_after_a_move_says_that_letters_wait(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    both_agree(two)
    game = load(app)
    answer = send_move(create_app(app).test_client(), page_of(app, game), MOVES[0])
    assert "Letters wait while you both play on." in answer.text
    assert "Back to the game" in answer.text


# ------------------------------------------------------------------------------------------- bad luck


def test_a_clock_runs_as_ever_and_reminds(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    both_agree(two)
    move(app, MOVES[0])
    assert app.now() + timedelta(days=1) == load(app).deadline
    for _ in range(20):
        pass_by(app, hours=1)
        game_clock.check_due_games(app)
    assert ["reminder"] == told(app, JOAO)
    leave(app)
    assert ["reminder", "live"] == told(app, JOAO)


def test_a_director_takes_the_game_back(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    both_agree(two)
    for text in MOVES[:3]:
        move(app, text)
    asked = news_of(two[0], GAME)
    decide_as_director(app, 1, lambda game, now: director.rollback(game, 1, "A slip.", now))
    assert 200 == get(two[0], asked).status_code
    assert ["director"] == told(app, BILL) == told(app, JOAO)
    move(app, MOVES[1])
    leave(app)
    assert ["director", "live"] == told(app, BILL) == told(app, JOAO)
    assert f"Your move, Bill: Joao played {MOVES[1]};" in flat(game_letter(app, BILL).text)


def test_one_of_them_is_forgotten(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    move(app, MOVES[0])
    both_agree(two)
    move(app, MOVES[1], "Farewell.")
    assert "done" == reply(app, JOAO, game_letter(app, JOAO), "forget me")
    assert "done" == writes(app, JOAO, "yes")
    assert ["receipt", "result"] == told(app, BILL)
    assert "Farewell." in game_letter(app, BILL).text
    leave(app)
    assert ["receipt", "result"] == told(app, BILL)


def test_letters_to_a_suspended_address_are_held(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    both_agree(two)
    move(app, MOVES[0])
    with app.store.write() as db:
        bounces.suspend_address(db, JOAO, app.now())
    leave(app)
    with app.store.read() as db:
        query = select(outbox.c.recipient, outbox.c.state).where(outbox.c.kind == "live")
        states = {tuple(row) for row in db.execute(query)}
    assert {(BILL, "queued"), (JOAO, "held")} == states


@pytest.mark.parametrize("stopped", ["digest", "turns", "receipts"])
def test_who_has_a_digest_or_stopped_letters_gets_what_they_get_by_mail(
    app: App, two: tuple[FlaskClient, FlaskClient], stopped: str
) -> None:
    for name in ("Bill", "Joao"):
        order = ("digest", "7") if stopped == "digest" else ("stop", stopped)
        run_commands(app, player(app, name), [order])
    both_agree(two)
    move(app, MOVES[0])
    leave(app)
    assert ([] if stopped == "receipts" else ["live"]) == told(app, BILL)
    assert (["live"] if stopped == "receipts" else []) == told(app, JOAO)
    if stopped == "digest":
        pass_by(app, days=1)
        digest.send_digests(app)
        assert MOVES[0] in letters(app, JOAO)[-1].text


def test_a_crash_between_move_and_letter_loses_and_doubles_nothing(
    app: App, two: tuple[FlaskClient, FlaskClient]
) -> None:
    def dies(step: str) -> None:
        if step == "live":
            raise ZeroDivisionError

    both_agree(two)
    move(app, MOVES[0])
    pass_by(app, minutes=6)
    live.end_due(replace(app, step=dies))
    assert [] == told(app, BILL) == told(app, JOAO)
    live.end_due(app)
    live.end_due(app)
    assert ["live"] == told(app, BILL) == told(app, JOAO)


def test_while_the_worker_is_down_nothing_is_lost(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    both_agree(two)
    move(app, MOVES[0])
    pass_by(app, minutes=30)
    assert ("", "") == (said(two[0]), said(two[1]))
    move(app, MOVES[1])
    pass_by(app, minutes=30)
    assert 204 == poll(two[0])
    live.end_due(app)
    assert ["live"] == told(app, BILL) == told(app, JOAO)
    assert f"Joao played {MOVES[1]};" in flat(game_letter(app, BILL).text)


def test_who_wants_to_play_on_ends_what_is_over(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    both_agree(two)
    move(app, MOVES[0])
    pass_by(app, minutes=30)
    press_without_looking(app, "Joao")
    assert ["live"] == told(app, BILL) == told(app, JOAO)
    assert "Joao asks: play on now?" == said(two[0])


def press_without_looking(app: App, name: str) -> None:
    live.play_on(app, 1, player(app, name))


def test_an_agreement_plays_the_move_that_could_be_taken_back(
    app: App, two: tuple[FlaskClient, FlaskClient]
) -> None:
    run_commands(app, player(app, "Bill"), [("set", "undo 10")])
    create = create_app(app).test_client()
    send_move(create, page_of(app, load(app)), MOVES[0])
    assert () == load(app).state.plies
    both_agree(two)
    assert 1 == len(load(app).state.plies)
    move(app, MOVES[1])
    move(app, MOVES[2])
    leave(app)
    assert ["live"] == told(app, JOAO)


def test_who_was_here_days_ago_is_kept_nowhere(app: App, two: tuple[FlaskClient, FlaskClient]) -> None:
    get(two[0], GAME)
    pass_by(app, days=2)
    purge(app)
    assert (None, None) != presence(app)
    pass_by(app, days=2)
    purge(app)
    assert (None, None) == presence(app)


def test_nobody_behind_a_block_sees_who_is_here_or_is_asked(
    app: App, two: tuple[FlaskClient, FlaskClient]
) -> None:
    with app.store.write() as db:
        limits.block_player(db, player(app, "Bill"), player(app, "Joao"), app.now())
    for client in (*two, *two):
        assert "" == said(client)
    press(two[0], "on")
    assert "" == said(two[1])
    with app.store.read() as db:
        assert LivePlay() == live_rows.live_play(db, 1)
