"""What a player who is signed in does in their game beside a move: draws, takebacks, words, plans."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pbem.app import App
from pbem.core.clock.time_control import read_pace
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import OFFER, PLY, SAY, TAKEBACK_OFFER, Entry, PendingMove
from pbem.core.lobby.challenges import opening_entry
from pbem.store import games, inbox, mailroom
from pbem.web import create_app
from rules import RULES
from tests.apps import JOAO, add_game, player
from tests.web.library import BLOCKED, SMALL, add, begin, play
from tests.web.markup import read
from tests.web.pages.test_compose import game_of, letters_to
from tests.web.pages.test_compose_browser import start
from tests.web.signing_in import SITE, get, send, sign_in


@pytest.fixture
def joao(app: App) -> FlaskClient:
    return create_app(app).test_client()


def hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]+)"', page)
    assert found is not None, page
    return found[1]


def order(client: FlaskClient, what: str, **fields: str) -> TestResponse:
    """Press a button on the page of game 1, and follow to the page that comes."""
    page = get(client, "/games/1").text
    form = {"order": what, "link": hidden(page, "link"), "number": hidden(page, "number"), **fields}
    answer = send(client, "/games/1/orders", page="/games/1", **form)
    return get(client, answer.headers["Location"]) if answer.status_code == 303 else answer


def offered(client: FlaskClient) -> list[str]:
    """The orders in the game; those of `/lobby` have a test of their own."""
    found = re.findall(r'name="order" value="([^"]+)"', get(client, "/games/1").text)
    return [each for each in found if not each.endswith(" 1")]


def kinds(app: App) -> list[str]:
    return [entry.kind for entry in game_of(app).journal]


def fresh(app: App, game: Game, kind: str, seat: int, data: dict[str, object]) -> None:
    """Add an entry of now: offers lapse after days."""
    entry = Entry(len(game.journal) + 1, app.now(), kind, seat, data)  # type: ignore[arg-type]
    after = game.with_entries([entry])
    with app.store.write() as db:
        games.append_entries(db, game, fold(after), [entry])


# The page shows what can be done, to the players alone.


def test_a_visitor_and_a_stranger_find_no_orders(app: App, client: FlaskClient) -> None:
    begin(app, "Joao", "Anna")
    assert [] == offered(client)
    sign_in(app, client, "Bill")
    assert [] == offered(client)


def test_only_what_would_be_carried_out_is_offered(app: App, client: FlaskClient) -> None:
    game = begin(app)
    sign_in(app, client, "Bill")
    assert ["say", "draw", "annul", "claim win proved", "resign yes", "plan"] == offered(client)
    game = play(app, game, ["f2 f4 g3"])
    assert ["say", "draw", "annul", "undo", "claim win proved", "resign yes", "plan"] == offered(client)
    fresh(app, game, OFFER, 1, {})
    assert [
        "accept draw",
        "decline draw",
        "say",
        "undo",
        "claim win proved",
        "resign yes",
        "plan",
    ] == offered(client)


def test_the_page_is_valid_and_kept_by_nobody(app: App, client: FlaskClient) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    sign_in(app, client, "Bill")
    page = get(client, "/games/1")
    assert [] == read(page.text).all_problems()
    assert "no-store" == page.headers["Cache-Control"]


def test_the_page_is_the_same_while_a_move_of_the_other_waits_unseen(
    app: App, client: FlaskClient, joao: FlaskClient
) -> None:
    def shown(reader: FlaskClient) -> str:
        return re.sub(r'(name="(?:link|number)" value|href|action)="[^"]*"', "", get(reader, "/games/1").text)

    game = play(app, begin(app), ["f2 f4 g3"])
    sign_in(app, client, "Bill")
    sign_in(app, joao, "Joao")
    before = shown(client)
    made = Entry(len(game.journal) + 1, app.now(), PLY, 1, {"move": "k3"})
    with app.store.write() as db:
        games.set_pending_move(db, game, PendingMove(1, app.now() + timedelta(minutes=5), (made,)))
    assert before == shown(client)
    assert "Take my last move back" in shown(joao)


def test_after_the_end_words_alone_can_be_sent(app: App, client: FlaskClient) -> None:
    play(app, begin(app, **SMALL), BLOCKED)
    sign_in(app, client, "Bill")
    assert ["say"] == offered(client)
    assert "Your words are sent to Joao" in order(client, "say", words="Thanks for the game!").text
    assert SAY == kinds(app)[-1]


# Orders go the way of mail.


def test_a_draw_is_offered_and_accepted_from_the_other_side(
    app: App, client: FlaskClient, joao: FlaskClient
) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    sign_in(app, client, "Bill")
    sign_in(app, joao, "Joao")
    done = order(client, "draw", words="It is level, I think.").text
    assert "You offered Joao a draw" in done
    assert "It is level, I think." in done
    assert "draw" in letters_to(app, JOAO)
    assert "Joao has" not in get(joao, "/games/1").text
    assert "Accept the draw" in get(joao, "/games/1").text
    assert "It is level, I think." in get(joao, "/games/1").text
    assert "The game is over: Draw agreed." in order(joao, "accept draw").text
    ending = game_of(app).state.ending
    assert ending is not None
    assert ending.winner is None


def test_the_page_of_an_order_tells_that_order_whatever_came_after(app: App, client: FlaskClient) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    sign_in(app, client, "Bill")
    asked = {
        "say": {"words": "Hello!"},
        "plan": {"plan": "if k3 then h4"},
        "if clear": {},
        "draw": {"words": "It is level."},
        "undo": {},
    }
    places = [order(client, what, **fields).request.path for what, fields in asked.items()]
    headings = [re.findall(r"<h1[^>]*>(.*?)</h1>", get(client, place).text) for place in places]
    assert [
        ["Your words are sent to Joao"],
        ["Your plan is kept"],
        ["Your plan is forgotten"],
        ["You offered Joao a draw"],
        ["You asked Joao to take your last move back"],
    ] == headings


def test_a_draw_offered_beside_the_others_offer_is_told_as_agreed(app: App, client: FlaskClient) -> None:
    game = play(app, begin(app), ["f2 f4 g3"])
    sign_in(app, client, "Bill")
    page = get(client, "/games/1").text
    fresh(app, game, OFFER, 1, {})
    form = {"order": "draw", "link": hidden(page, "link"), "number": hidden(page, "number")}
    answer = send(client, "/games/1/orders", page="/games/1", **form)
    assert "You and Joao agreed on a draw" in get(client, answer.headers["Location"]).text


def test_a_move_taken_back_unseen_is_told_as_taken_back(app: App, client: FlaskClient) -> None:
    game = play(app, begin(app), ["f2 f4 g3", "k3"])
    made = Entry(len(game.journal) + 1, app.now(), PLY, 0, {"move": "h4"})
    with app.store.write() as db:
        games.set_pending_move(db, game, PendingMove(0, app.now() + timedelta(minutes=5), (made,)))
    sign_in(app, client, "Bill")
    assert ">Your last move is taken back</h1>" in order(client, "undo").text


def test_each_order_is_a_mail_of_its_player(app: App, client: FlaskClient) -> None:
    begin(app)
    sign_in(app, client, "Bill")
    order(client, "draw")
    with app.store.read() as db:
        (mail,) = inbox.mails_from_address(db, "bill@example.org")
    assert ("done", True) == (mail.state, mail.raw.rstrip().endswith(b"draw"))


def test_the_same_form_sent_twice_is_one_mail(app: App, client: FlaskClient) -> None:
    begin(app)
    sign_in(app, client, "Bill")
    page = get(client, "/games/1").text
    form = {"order": "say", "words": "Hello!", "link": hidden(page, "link"), "number": hidden(page, "number")}
    for _ in range(2):
        assert 303 == send(client, "/games/1/orders", page="/games/1", **form).status_code
    assert [SAY] == [kind for kind in kinds(app) if kind == SAY]


def test_a_resignation_is_asked_about_once(app: App, client: FlaskClient) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    sign_in(app, client, "Bill")
    asked = order(client, "resign yes", words="Well played.").text
    assert "Resign?" in asked
    assert game_of(app).state.ending is None
    assert '<button class="plain" name="order" value="resign yes">' in asked
    page = order(client, "resign yes", sure="yes", words="Well played.").text
    assert "You resigned" in page
    assert 'value="rematch 1"' in page
    ending = game_of(app).state.ending
    assert ending is not None
    assert (1, "Bill resigned") == (ending.winner, ending.reason)
    with app.store.read() as db:
        assert "resign" not in [letter.kind for letter in mailroom.letters_to(db, "bill@example.org")]


def test_a_takeback_is_asked_for_and_granted(app: App, client: FlaskClient, joao: FlaskClient) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    sign_in(app, client, "Bill")
    sign_in(app, joao, "Joao")
    assert "You asked Joao to take your last move back" in order(client, "undo").text
    assert ["accept undo", "decline undo"] == offered(joao)[:2]
    assert "Their move is taken back" in order(joao, "accept undo").text
    assert () == tuple(game_of(app).state.plies)


def test_a_takeback_is_declined(app: App, joao: FlaskClient) -> None:
    game = play(app, begin(app), ["f2 f4 g3"])
    fresh(app, game, TAKEBACK_OFFER, 0, {"to": game.state.plies[0].entry})
    sign_in(app, joao, "Joao")
    assert "Their move stays, and Bill is told" in order(joao, "decline undo").text
    assert 1 == len(game_of(app).state.plies)
    assert "accept undo" not in offered(joao)


def test_the_answer_to_an_offer_stands_on_the_page_until_the_next_move(
    app: App, client: FlaskClient, joao: FlaskClient
) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    sign_in(app, client, "Bill")
    sign_in(app, joao, "Joao")
    answered = "Joao has declined the draw."
    order(client, "draw")
    assert answered not in get(client, "/games/1").text
    order(joao, "decline draw")
    assert answered in get(client, "/games/1").text
    assert [] == read(get(client, "/games/1").text).all_problems()
    assert "has declined" not in get(joao, "/games/1").text
    assert "has declined" not in get(create_app(app).test_client(), "/games/1").text
    play(app, game_of(app), ["k3"])
    assert answered in get(client, "/games/1").text
    play(app, game_of(app), ["h4"])
    assert answered not in get(client, "/games/1").text


def test_a_plan_is_kept_shown_to_its_owner_alone_and_forgotten(
    app: App, client: FlaskClient, joao: FlaskClient
) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    sign_in(app, client, "Bill")
    sign_in(app, joao, "Joao")
    assert "Your plan is kept" in order(client, "plan", plan="if k3 then h4\nif m3 then h4").text
    assert "if k3 then h4" in get(client, "/games/1").text
    assert "if k3" not in read(get(joao, "/games/1").text).text
    assert "Your plan is forgotten" in order(client, "if clear").text
    assert "if k3 then h4" not in get(client, "/games/1").text


@pytest.mark.parametrize("plan", ["k3 then h4", "resign", "if k3 then h4\nresign", "say hello"])
def test_what_is_no_plan_is_refused_before_it_is_sent(app: App, client: FlaskClient, plan: str) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    sign_in(app, client, "Bill")
    before = kinds(app)
    refused = order(client, "plan", plan=plan)
    assert 422 == refused.status_code
    assert "No plan can be read here" in refused.text
    assert before == kinds(app)


def test_a_pause_is_asked_for_where_the_game_has_a_clock(app: App, client: FlaskClient) -> None:
    rules, seats = RULES["bipod"], (player(app, "Bill"), player(app, "Joao"))
    with app.store.write() as db:
        game = add_game(
            db, rules, rules.start({}).options, 0, seats, True, app.now(), read_pace("3d/move"), False
        )
        game = game.with_entries([opening_entry(game)])
        games.append_entries(db, game, fold(game), [opening_entry(game)])
    sign_in(app, client, "Bill")
    assert {"pause", "give"} <= set(offered(client))
    assert "You asked Joao for a pause" in order(client, "pause", days="7").text
    assert "You gave Joao more time" in order(client, "give", given="2").text
    assert ["ask-pause", "give"] == kinds(app)[1:]
    for what, field, typed in [
        ("pause", "days", "7 days\nresign yes"),
        ("pause", "days", "-3"),
        ("pause", "days", ""),
        ("pause", "days", "31"),
        ("pause", "days", "²"),
        ("give", "given", "0"),
        ("give", "given", "-3"),
    ]:
        refused = order(client, what, **{field: typed})
        assert 422 == refused.status_code
        assert "Please write the days as a whole number from 1 to 30." in refused.text
    assert ["ask-pause", "give"] == kinds(app)[1:]


@pytest.mark.parametrize(
    "words", ["resign", "accept draw", "> quoted\n", "-- \nme", "On Monday, Joao wrote:", "game 2\nk3"]
)
def test_words_are_sent_as_words_or_not_at_all(app: App, client: FlaskClient, words: str) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    sign_in(app, client, "Bill")
    answer = order(client, "say", words=words)
    said = [remark.words for remark in game_of(app).state.said]
    assert [" ".join(each.split()) for each in said] in ([], [" ".join(words.split())])
    assert (422 if not said else 200) == answer.status_code
    assert game_of(app).state.ending is None


@pytest.mark.parametrize("words", ["if k3 then h4", "Your move!\nif k3 then h4\nif any then resign"])
def test_a_plan_in_the_field_for_words_is_shown_to_nobody(app: App, client: FlaskClient, words: str) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    sign_in(app, client, "Bill")
    before = kinds(app)
    assert 422 == order(client, "say", words=words).status_code
    assert before == kinds(app)


def test_nothing_is_sent_for_an_empty_form(app: App, client: FlaskClient) -> None:
    begin(app)
    sign_in(app, client, "Bill")
    assert 422 == order(client, "say").status_code


# Whose form it is.


def test_a_form_without_its_mark_or_session_does_nothing(app: App, client: FlaskClient) -> None:
    begin(app)
    sign_in(app, client, "Bill")
    page = get(client, "/games/1").text
    form = {"order": "draw", "link": hidden(page, "link"), "number": "1"}
    post = {"base_url": SITE, "headers": {"Sec-Fetch-Site": "same-origin"}}
    assert 400 == client.post("/games/1/orders", data=form, **post).status_code
    other = create_app(app).test_client()
    form["mark"] = hidden(page, "mark")
    assert 410 == other.post("/games/1/orders", data=form, **post).status_code
    post["headers"] = {"Sec-Fetch-Site": "cross-site"}
    assert 403 == client.post("/games/1/orders", data=form, **post).status_code
    assert [] == kinds(app)[1:]


def test_nobody_orders_for_the_other_player(app: App, client: FlaskClient, joao: FlaskClient) -> None:
    play(app, begin(app), ["f2 f4 g3"])
    sign_in(app, client, "Bill")
    sign_in(app, joao, "Joao")
    theirs = hidden(get(joao, "/games/1").text, "link")
    before = kinds(app)
    assert 403 == order(client, "resign yes", sure="yes", link=theirs).status_code
    assert before == kinds(app)


def test_a_link_alone_orders_no_resignation(app: App, client: FlaskClient) -> None:
    """The link of a letter may have been passed on."""
    begin(app)
    sign_in(app, client, "Bill")
    link = hidden(get(client, "/games/1").text, "link")
    visitor = create_app(app).test_client()
    page = get(visitor, f"/games/1/compose/{link}").text
    assert "resign yes" not in page
    answer = visitor.post(
        f"/games/1/compose/{link}",
        base_url=SITE,
        data={"do": "send", "move": "resign yes", "words": "", "number": "1"},
    )
    assert 422 == answer.status_code
    assert [] == kinds(app)[1:]


# The composer on the game's page.


def test_the_composer_is_in_the_page_of_the_game(app: App, client: FlaskClient) -> None:
    begin(app)
    sign_in(app, client, "Bill")
    page = get(client, "/games/1?move=f2%20f4").text
    assert 'id="send"' in page
    assert 'value="f2 f4"' in page
    assert 'id="send"' not in get(client, "/games/1/0?move=f2").text


def test_what_the_other_said_stands_above_the_board(app: App, client: FlaskClient) -> None:
    game = play(app, begin(app), ["f2 f4 g3", "k3"], {2: "Good luck!"})
    add(app, game, SAY, 1, {"words": "Are you there?"})
    sign_in(app, client, "Bill")
    page = get(client, "/games/1").text
    for words in ("Good luck!", "Are you there?"):
        assert page.index(words) < page.index('class="click"')


def test_after_a_move_come_the_words_the_board_and_the_next_game(app: App, client: FlaskClient) -> None:
    begin(app)
    begin(app, "Bill", "Anna")
    sign_in(app, client, "Bill")
    page = get(client, "/games/1").text
    action = re.search(r'id="send" action="([^"]+)"', page)
    assert action is not None
    form = {"do": "send", "move": "f2 f4 g3", "words": "Good luck!", "number": hidden(page, "number")}
    sent = client.post(action[1], base_url=SITE, data=form)
    text = get(client, sent.headers["Location"]).text
    assert "Move 1 is recorded" in text
    assert "Good luck!" in text
    assert "Next game: Bipod #2 against Anna" in text
    assert [PLY] == kinds(app)[1:]


def test_a_move_that_loses_is_asked_about_once_and_never_the_prominent_button(
    app: App, client: FlaskClient
) -> None:
    game = start(app, "hexthing", [])
    position = game.state.position
    losing = "stay"
    assert position.gives_up(position.read(losing))
    sign_in(app, client, "Bill")
    page = get(client, f"/games/1?move={losing}").text
    assert "With this move you lose the game." in page
    assert re.search(r'value="send" data-ready class="plain">Send now, and lose', page)
    action = re.search(r'id="send" action="([^"]+)"', page)
    assert action is not None
    form = {"do": "send", "move": losing, "words": "", "number": "1"}
    refused = client.post(action[1], base_url=SITE, data=form)
    assert (422, None) == (refused.status_code, game_of(app).state.ending)
    assert 'name="sure"' in refused.text
    client.post(action[1], base_url=SITE, data=form | {"sure": "yes"})
    ending = game_of(app).state.ending
    assert ending is not None
    assert 1 == ending.winner
