"""The composer: its page, its mails, and the way they are received."""

from __future__ import annotations

import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from html import unescape
from threading import Barrier
from urllib.parse import unquote

import pytest
from flask.testing import FlaskClient

from pbem.app import App
from pbem.core.game.game import Game
from pbem.core.game.journal import RESIGN
from pbem.inbox.process import process
from pbem.mail.addresses import Token
from pbem.mail.person.mailbox import new_mail
from pbem.store import games, inbox, mailroom, players
from pbem.web import create_app
from tests.apps import mail, player
from tests.web.library import BLOCKED, PUBLIC, add, begin, open_library, play
from tests.web.markup import read

TOKEN = re.compile(r"[a-z2-7]{24,}")


def page_of(app: App, game: Game, seat: int = 0, *, since: int | None = None) -> str:
    """The page that the newest letter's link opens."""
    entry = len(game.open_entries) if since is None else since
    sealed = app.addressing.sign_token(Token("game", (game.id, seat, entry, game.seats[seat].epoch)))
    return f"/games/{game.id}/compose/{sealed}"


def text_of(answer) -> str:
    words = " ".join(re.sub(r"<[^>]+>", " ", answer.get_data(as_text=True)).split())
    return re.sub(r" ([.,])", r"\1", unescape(words))


def number_in(answer) -> str:
    return re.search(r'name="number" value="([0-9a-f]+)"', answer.get_data(as_text=True))[1]


def send(client: FlaskClient, page: str, move: str, words: str = "", **headers: str):
    form = {"do": "send", "move": move, "words": words, "number": number_in(client.get(page))}
    return client.post(page, data=form, headers=headers, follow_redirects=True)


def game_of(app: App, id: int = 1) -> Game:
    with app.store.read() as db:
        found = games.load_game(db, app.games_by_key, id)
    assert found is not None
    return found


def plies(app: App) -> list[str]:
    return [ply.move for ply in game_of(app).state.plies]


def letters_to(app: App, address: str) -> list[str]:
    with app.store.read() as db:
        return [letter.kind for letter in mailroom.letters_to(db, address)]


def mails(app: App) -> list[inbox.StoredMail]:
    with app.store.read() as db:
        return inbox.mails_from_address(db, "bill@example.org")


# -------------------------------------------------------------------------------------------- looking


def test_every_legal_cell_is_a_link_to_the_ply_with_it(app: App, client: FlaskClient) -> None:
    page = client.get(page_of(app, begin(app)))
    assert 'href="?move=f2" aria-label="Lay a block on f2"' in page.text
    assert 'href="?move=adopt"' in page.text


def test_whoever_hears_the_page_can_pass_over_the_cells(app: App, client: FlaskClient) -> None:
    page = client.get(page_of(app, begin(app))).text
    assert page.index('href="#move"') < page.index('aria-label="Lay a block on') < page.index('id="move"')


@pytest.mark.parametrize(
    ("key", "move", "stands_out"),
    [
        ("bipod", "adopt", False),
        ("bipod", "h4", True),
        ("begird", "swap", False),
        ("begird", "d4", True),
        ("hexthing", "stay", False),
        ("hexthing", "play 1S", True),
    ],
)
def test_no_button_stands_out_that_exchanges_sides_or_loses(
    app: App, client: FlaskClient, key: str, move: str, stands_out: bool
) -> None:
    moves = {"bipod": ["f2 f4 g3"], "begird": ["a1"], "hexthing": []}
    page = page_of(app, play(app, begin(app, key=key), moves[key]), 0 if key == "hexthing" else 1)
    control = re.search(rf'<a class="([^"]+)" href="\?move={move}"', client.get(page).text)
    assert (control is None or "quiet" not in control[1]) == stands_out
    send_button = re.search(
        r'<button[^>]*value="send" data-ready[^>]*>', client.get(f"{page}?move={move}").text
    )
    assert send_button is not None
    assert ("plain" not in send_button[0]) == stands_out


def test_the_text_grows_with_each_cell(app: App, client: FlaskClient) -> None:
    url = page_of(app, begin(app))
    page = client.get(f"{url}?move=f2%20f4")
    assert 'name="move" value="f2 f4"' in page.text
    assert 'href="?move=f2%20f4%20g3"' in page.text
    assert 'href="?move=f4" aria-label="Take the block back from f2"' in page.text


def test_looking_changes_nothing(app: App, client: FlaskClient) -> None:
    url = page_of(app, begin(app))
    for query in ("", "?move=f2", "?move=adopt&do=send", "?do=send&move=f2&number=1"):
        client.get(f"{url}{query}")
        client.head(f"{url}{query}")
    client.post(url, data={"do": "show", "move": "f2"})
    assert [] == plies(app)
    assert [] == mails(app)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("f7", "f7: there is no row 7; column f has rows 2, 4 and 6."),
        ("k1", "k1 is taken (the left start)."),
        ("f2 f4 g3 h2", "f2 f4 g3 h2: that is 4 cells in one move"),
        ("mo13", "mo13: several columns with several rows are not clear"),
        ("k3 o", "k3 o: nobody has adopted yet, so there is no Runner"),
        ("resign", "From this page a move alone"),
        ("draw", "is no move; from this page a move alone can be sent"),
        ("f2; resign", "is no move; from this page a move alone can be sent"),
        ("claim win", "is no move; from this page a move alone can be sent"),
        ("good luck", "That is no move of Bipod"),
        ("x" * 300, "A move has at most 200 characters."),
    ],
)
def test_what_is_typed_wrongly_gets_the_sentence_that_a_mail_gets(
    app: App, client: FlaskClient, text: str, sentence: str
) -> None:
    url = page_of(app, begin(app))
    answer = client.get(url, query_string={"move": text})
    assert sentence.lower() in text_of(answer).lower()
    sent = send(client, url, text)
    assert 422 == sent.status_code
    assert sentence.lower() in text_of(sent).lower()
    assert [] == mails(app)


@pytest.mark.parametrize("text", ["#1 f2", "1. f2", "move f2", "f2.", "  f2  "])
def test_a_ply_may_be_typed_in_every_way_that_a_mail_may_have_it(
    app: App, client: FlaskClient, text: str
) -> None:
    url = page_of(app, begin(app))
    assert "Send it, or choose up to 2 cells more." in text_of(client.get(url, query_string={"move": text}))
    send(client, url, text)
    assert ["f2"] == plies(app)


def test_a_number_that_is_not_the_next_plys_is_refused(app: App, client: FlaskClient) -> None:
    answer = client.get(page_of(app, begin(app)), query_string={"move": "#7 f2"})
    assert "The next move is number 1; there is no move 7 to play now." in text_of(answer)


def test_a_capital_that_a_telephone_may_have_made_is_remarked_upon_and_waits(
    app: App, client: FlaskClient
) -> None:
    url = page_of(app, begin(app))
    answer = client.get(f"{url}?move=F2")
    assert "F2 was taken as written, with its capital; f2 was open as well." in text_of(answer)
    answer = send(client, url, "F2")
    assert "You played F2. Nobody else sees it until 31 March 2026, 12:05." in text_of(answer)
    assert [] == plies(app)


def test_a_ply_that_ends_the_game_says_so_before_it_is_sent(app: App, client: FlaskClient) -> None:
    game = play(app, begin(app, size="3", middle="3", rows="4"), BLOCKED[:3])
    answer = client.get(f"{page_of(app, game, 1)}?move=adopt")
    assert "This move ends the game." in text_of(answer)


@pytest.mark.parametrize("query", ["", "?move=f2", "?move=f2%20f4%20g3", "?move=f7", "?move=adopt"])
def test_the_page_is_valid_and_kept_by_nobody(app: App, client: FlaskClient, query: str) -> None:
    answer = client.get(page_of(app, begin(app)) + query)
    assert [] == read(answer.text).problems
    assert "no-store" == answer.headers["Cache-Control"]
    assert "no-referrer" == answer.headers["Referrer-Policy"]
    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert "unsafe" not in answer.headers["Content-Security-Policy"]


# ----------------------------------------------------------------------------------------- send by mail


def test_send_by_mail_begins_an_answer_to_the_letter(app: App, client: FlaskClient) -> None:
    url = page_of(app, begin(app))
    answer = client.post(url, data={"do": "show", "move": "f2 f4", "words": "Good luck!\nBill"})
    mailto = re.search(r'href="(mailto:[^"]+)"', answer.text)[1].replace("&amp;", "&")
    to, _, query = mailto.partition("?")
    assert f"mailto:play+{url.rpartition('/')[2]}@pbem.example.org" == to
    assert (
        "subject=Re%3A%20Bipod%20%231%3A%20Bill%20-%20Joao&body=f2%20f4%0D%0A%0D%0AGood%20luck%21%0D%0ABill"
        == query
    )
    assert len(mailto) < 1500


def test_what_is_too_long_for_a_link_can_only_be_sent_at_once(app: App, client: FlaskClient) -> None:
    url = page_of(app, begin(app))
    answer = client.post(url, data={"do": "show", "move": "f2 f4", "words": "long words " * 150})
    assert "mailto:" not in answer.text
    assert "Send now" in text_of(answer)


def test_more_words_than_a_form_takes_are_refused_and_kept_in_the_field(
    app: App, client: FlaskClient
) -> None:
    url = page_of(app, begin(app))
    for do in ("send", "show"):
        answer = client.post(url, data={"do": do, "move": "f2", "words": "w" * 5000})
        assert 422 == answer.status_code
        assert "under 4,000 characters" in text_of(answer)
        assert "w" * 4000 in answer.text
    assert [] == plies(app)


def test_in_development_mode_the_mail_is_begun_in_the_mailroom(at_home: App, home: FlaskClient) -> None:
    answer = home.get(f"{page_of(at_home, begin(at_home))}?move=f2")
    link = re.search(r'href="(/mailroom/new[^"]+)"', answer.text)[1].replace("&amp;", "&")
    assert "words=f2" in link
    assert "bill@example.org" in unquote(link)
    assert 200 == home.get(link, base_url="http://localhost").status_code


# ------------------------------------------------------------------------------------------- send now


def test_send_now_plays_the_ply_and_writes_the_letters_that_a_mail_brings(
    app: App, client: FlaskClient
) -> None:
    answer = send(client, page_of(app, begin(app)), "f2 f4 g3", "Good luck, Joao!")
    assert ["f2 f4 g3"] == plies(app)
    assert "Good luck, Joao!" == game_of(app).state.plies[0].comment
    assert "Move 1 is recorded You played f2 f4 g3. Now it is Joao's turn." in text_of(answer)
    assert "The board in words" in text_of(answer)
    assert ["receipt"] == letters_to(app, "bill@example.org")
    assert ["turn"] == letters_to(app, "joao@example.net")


def test_an_impatient_hand_sends_once(app: App, client: FlaskClient) -> None:
    url = page_of(app, begin(app))
    form = {"do": "send", "move": "f2", "words": "", "number": number_in(client.get(url))}
    answers = [client.post(url, data=form) for _ in range(3)]
    assert 1 == len({answer.headers["Location"] for answer in answers})
    assert ["f2"] == plies(app)
    assert 1 == len(mails(app))
    for _ in range(2):
        assert "Move 1 is recorded" in text_of(client.get(answers[0].headers["Location"]))
    assert ["receipt"] == letters_to(app, "bill@example.org")


def test_the_same_ply_from_a_fresh_page_is_already_recorded(app: App, client: FlaskClient) -> None:
    game = begin(app)
    url = page_of(app, game)
    number = number_in(client.get(url))
    send(client, url, "f2")
    answer = client.post(
        url, data={"do": "send", "move": "f2", "number": number + "0"}, follow_redirects=True
    )
    assert "Move 1 is recorded" in text_of(answer)
    assert ["f2"] == plies(app)


def test_the_page_of_a_ply_tells_that_ply_after_a_later_one(app: App, client: FlaskClient) -> None:
    first = send(client, page_of(app, begin(app)), "f2")
    send(client, page_of(app, game_of(app), 1), "k3")
    later = send(client, page_of(app, game_of(app)), "h4")
    assert "Move 3 is recorded" in text_of(client.get(later.request.path))
    again = text_of(client.get(first.request.path))
    assert "Move 1 is recorded" in again
    assert "You played f2." in again


def test_another_ply_for_a_turn_that_is_over_is_refused_with_the_one_recorded(
    app: App, client: FlaskClient
) -> None:
    url = page_of(app, begin(app))
    number = number_in(client.get(url))
    send(client, url, "f2")
    answer = client.post(url, data={"do": "send", "move": "f4", "number": number}, follow_redirects=True)
    assert "Nothing was done Your move 1 is recorded as f2, and that does not change." in text_of(answer)
    assert ["f2"] == plies(app)


@pytest.mark.parametrize(
    "words",
    [
        "resign",
        "draw",
        "resign yes\nand so on",
        "game 1\nresign",
        "f4",
        "if f4 then g3",
        "note I am lost",
        "Well.\n\nnote I am lost",
        "claim win",
        "accept",
        "forget me",
        "Hello\ngame 2\nresign",
    ],
)
def test_words_are_words_whatever_they_look_like(app: App, client: FlaskClient, words: str) -> None:
    """Sends them to the other player, or refuses them."""
    begin(app, "Bill", "Anna")
    answer = send(client, page_of(app, begin(app)), "f2", words)
    game = game_of(app, 2)
    other = game_of(app, 1)
    if answer.status_code == 422:
        assert "cannot be sent with a move" in text_of(answer)
        assert [] == [ply.move for ply in game.state.plies]
    else:
        assert [("f2", words)] == [(ply.move, ply.comment) for ply in game.state.plies]
    assert (None, None) == (game.state.ending, other.state.ending)
    assert "draw" not in game.state.offers
    assert [] == list(other.state.plies)
    assert {"receipt"} >= set(letters_to(app, "bill@example.org"))


def test_reply_addresses_in_the_words_reach_nobody(app: App, client: FlaskClient) -> None:
    url = page_of(app, begin(app))
    send(client, url, "f2", f"see https://pbem.example.org{url}")
    assert "see [link removed]" == game_of(app).state.plies[0].comment


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://elsewhere.example"},
    ],
)
def test_no_other_site_makes_a_browser_send(
    app: App, client: FlaskClient, headers: Mapping[str, str]
) -> None:
    answer = send(client, page_of(app, begin(app)), "f2", **headers)
    assert 403 == answer.status_code
    assert [] == plies(app)


@pytest.mark.parametrize(
    "headers",
    [{"Sec-Fetch-Site": "same-origin", "Origin": "null"}, {"Origin": "https://pbem.example.org"}, {}],
)
def test_our_own_form_is_taken_by_old_browsers_and_new(
    app: App, client: FlaskClient, headers: Mapping[str, str]
) -> None:
    assert 200 == send(client, page_of(app, begin(app)), "f2", **headers).status_code
    assert ["f2"] == plies(app)


def test_in_the_undo_window_the_page_says_until_when(tmp_path, sqlite_url) -> None:
    app = open_library(tmp_path, sqlite_url, **{**PUBLIC, "PBEM_UNDO_MINUTES": "10"})
    client = create_app(app).test_client()
    url = page_of(app, begin(app))
    answer = send(client, url, "f2")
    until = app.now() + timedelta(minutes=10)
    assert f"Nobody else sees it until {until.day} March {until.year}, {until:%H:%M}." in text_of(answer)
    assert [] == plies(app)
    again = client.get(url)
    assert "This turn is over" in text_of(again)
    assert "Nobody else sees it until" in text_of(again)
    theirs = client.get(page_of(app, game_of(app), 1))
    assert "This turn is over" in text_of(theirs)
    assert "f2: a block, move 1" in again.text
    assert "f2: a block" not in theirs.text
    assert "undo" not in text_of(theirs)
    app.close()


def test_beyond_the_hours_measure_a_ply_is_made_and_the_page_says_that_no_letter_comes(
    tmp_path, sqlite_url
) -> None:
    app = open_library(tmp_path, sqlite_url, **{**PUBLIC, "PBEM_LETTERS_PER_HOUR": "1"})
    client = create_app(app).test_client()
    first = begin(app)
    send(client, page_of(app, first), "f2")
    answer = send(client, page_of(app, begin(app, "Bill", "Anna")), "f2")
    assert "Move 1 is recorded" in text_of(answer)
    assert "You have had too many answers in the last hour, so no letter comes" in text_of(answer)
    assert "You get the same letter" not in text_of(answer)
    assert ["f2"] == [ply.move for ply in game_of(app, 2).state.plies]
    app.close()


def test_the_name_servers_are_not_asked_about_what_was_sent_from_here(app: App, client: FlaskClient) -> None:
    def asked(*_: object):
        raise AssertionError("somebody was asked")

    shy = create_app(replace(app, lookup=asked)).test_client()
    send(shy, page_of(app, begin(app)), "f2")
    assert ["f2"] == plies(app)


def test_nobody_else_can_seal_a_mail_as_handed_in(app: App, client: FlaskClient) -> None:
    """Moves a mail's token to another mail; DNS is asked as usual."""
    asked: list[object] = []
    send(client, page_of(app, begin(app)), "f2")
    (mail,) = mails(app)
    forged = mail.raw.replace(b"\r\n\r\nf2", b"\r\n\r\nf4").replace(b"<handed-in.", b"<another.")
    with app.store.write() as db:
        number, _ = inbox.store_mail(
            db,
            raw=forged,
            sender=mail.sender,
            recipient=mail.recipient,
            sha256="0" * 64,
            dedupe="1" * 64,
            now=app.clock(),
        )

    def lookup(name: str):
        asked.append(name)
        return []

    process(replace(app, lookup=lookup), number)
    assert asked


@pytest.mark.each_database
@pytest.mark.parametrize("hands", [8])
def test_many_hands_at_one_moment_send_once(tmp_path, database_url: str, hands: int) -> None:
    """Sends one form from several windows, and two plies, all at once."""
    app = open_library(tmp_path, database_url, **PUBLIC)
    url = page_of(app, begin(app))
    flask_app = create_app(app)
    number = number_in(flask_app.test_client().get(url))
    start = Barrier(hands)

    def press(hand: int) -> str:
        form = {"do": "send", "move": ("f2", "f4")[hand % 2], "number": number}
        start.wait()
        return text_of(flask_app.test_client().post(url, data=form, follow_redirects=True))

    with ThreadPoolExecutor(hands) as pool:
        told = list(pool.map(press, range(hands)))
    assert plies(app) in (["f2"], ["f4"])
    assert 1 == letters_to(app, "joao@example.net").count("turn")
    (made,) = plies(app)
    for hand, said in enumerate(told):
        mine = ("f2", "f4")[hand % 2]
        assert ("Move 1 is recorded" if mine == made else "and that does not change.") in said
    app.close()


def test_what_could_not_be_handled_at_once_is_kept_and_handled_later(app: App, client: FlaskClient) -> None:
    url = page_of(app, begin(app))
    broken = [True]

    def step(name: str) -> None:
        if name == "decide" and broken:
            raise RuntimeError("the moon")

    shaky = create_app(replace(app, step=step)).test_client()
    answer = send(shaky, url, "f2")
    assert "Your move is kept" in text_of(answer)
    assert "moon" not in answer.text
    assert [] == plies(app)
    broken.clear()
    assert process(app, 1) is None  # an attempt is counted before it begins
    app.clock.pass_by(seconds=21)  # type: ignore[attr-defined]
    assert "done" == process(app, 1)
    assert "Move 1 is recorded" in text_of(client.get(f"{url}/1"))
    assert ["f2"] == plies(app)


def test_the_link_in_the_next_letter_opens_its_own_page(at_home: App, home: FlaskClient) -> None:
    """Goes from one player's page to the other's by the letter alone."""
    send(home, page_of(at_home, begin(at_home)), "f2")
    with at_home.store.read() as db:
        (letter,) = mailroom.letters_to(db, "joao@example.net")
    links = set(re.findall(rb"https?://[^\s\"<>]+/compose/[a-z2-7]+", letter.raw))
    assert 1 == len(links)
    path = "/" + links.pop().decode().split("/", 3)[3]
    box = home.get("/mailroom/box/joao@example.net", base_url="http://localhost")
    assert f'<a href="{path}">choose it on the board</a>' in box.text
    assert 2 == box.text.count(f'<a href="{path}">')
    assert "Your move, Joao: move 2" in text_of(home.get(path))
    assert "Move 2 is recorded" in text_of(send(home, path, "f4"))


# ----------------------------------------------------------------------------------------- stale links


def test_a_link_of_a_turn_that_is_over_shows_the_board_of_now(app: App, client: FlaskClient) -> None:
    game = begin(app)
    url = page_of(app, game)
    game = play(app, game, ["f2"])
    answer = client.get(url)
    assert "This turn is over" in text_of(answer)
    assert "your move 1 is recorded as f2" in text_of(answer).lower()
    play(app, game, ["f4"])
    answer = client.get(url)
    assert "This link is of an earlier turn" in text_of(answer)
    assert '<a href="?move' not in answer.text
    assert [] == read(answer.text).problems


def test_a_link_to_the_others_turn_waits(app: App, client: FlaskClient) -> None:
    answer = client.get(page_of(app, begin(app), 1))
    assert "It is Bill's turn; you play after that." in text_of(answer)


def test_a_link_of_a_game_that_is_over_says_so(app: App, client: FlaskClient) -> None:
    game = begin(app)
    url = page_of(app, game)
    add(app, game, RESIGN, 1, {})
    answer = client.get(url)
    assert "The game is over: Joao resigned." in text_of(answer)


def test_the_link_of_a_letter_shows_no_notes_plans_or_words_of_other_mails(
    app: App, client: FlaskClient
) -> None:
    game = begin(app)
    url = page_of(app, game)
    bill, to = game.seats[0].address, app.addressing.reply_to(url.rpartition("/")[2])
    for words in ("note My secret thought.", "if f2 then g3", "say Only for Joao."):
        mail(app, bill, new_mail(bill, to, words), to)
    answers = [client.get(f"{url}/{number}") for number in range(1, 9)]
    assert {404} == {answer.status_code for answer in answers}


@pytest.mark.parametrize(
    "token", ["a", "aeaqbf2lk3jq7wzr4m2vbc6dxy5npt3hgs2a", "%00", "x" * 300, "..%2f..", "ÄÖ"]
)
def test_a_token_that_is_none_opens_nothing(app: App, client: FlaskClient, token: str) -> None:
    begin(app)
    for answer in (
        client.get(f"/games/1/compose/{token}"),
        client.post(f"/games/1/compose/{token}", data={"do": "send", "move": "f2"}),
        client.get(f"/games/1/compose/{token}/1"),
    ):
        assert 404 == answer.status_code


def test_a_token_opens_its_own_game_alone(app: App, client: FlaskClient) -> None:
    first = begin(app)
    second = begin(app, "Joao", "Anna")
    url = page_of(app, first)
    assert 404 == client.get(url.replace("/games/1/", f"/games/{second.id}/")).status_code
    for use, numbers in (("player", (1, 0, 0, 20000)), ("unsubscribe", (1, 0, 0)), ("calendar", (1, 0))):
        sealed = app.addressing.sign_token(Token(use, numbers))
        assert 404 == client.get(f"/games/1/compose/{sealed}").status_code


def test_a_token_of_before_all_were_renewed_opens_nothing(app: App, client: FlaskClient) -> None:
    game = begin(app)
    url = page_of(app, game)
    with app.store.write() as db:
        players.revoke_addresses(db, player(app, "Bill"))
    answer = client.get(url)
    assert 410 == answer.status_code
    assert "have been renewed" in text_of(answer)
    assert 410 == client.post(url, data={"do": "send", "move": "f2"}).status_code
    assert [] == plies(app)


def test_what_became_of_a_ply_is_told_to_its_own_link_alone(app: App, client: FlaskClient) -> None:
    url = page_of(app, begin(app))
    send(client, url, "f2")
    theirs = page_of(app, game_of(app), 1)
    assert 404 == client.get(f"{theirs}/1").status_code
    assert 200 == client.get(f"{url}/1").status_code
    assert 404 == client.get(f"{url}/2").status_code


def test_without_a_link_the_page_says_where_it_is(app: App, client: FlaskClient) -> None:
    begin(app)
    answer = client.get("/games/1/compose")
    assert 403 == answer.status_code
    assert "This page opens from the link in the letter" in text_of(answer)
    assert [] == read(answer.text).problems


def test_no_address_and_no_token_stands_in_a_log(app: App, client: FlaskClient, caplog) -> None:
    caplog.set_level("DEBUG")
    url = page_of(app, begin(app))
    send(client, url, "f2")
    client.get(f"{url}?move=f4")
    assert url.rpartition("/")[2] not in caplog.text
    assert "bill@example.org" not in client.get(url).text


def test_a_cell_with_a_capital_is_called_so_where_the_small_letter_is_another(
    client: FlaskClient, app: App
) -> None:
    page = client.get(page_of(app, begin(app))).get_data(as_text=True)
    assert 'aria-label="Lay a block on capital E1"' in page
    assert 'aria-label="Lay a block on e1"' in page


def test_who_moved_by_a_link_may_play_on_signed_in_and_hears_who_ended_the_game(tmp_path, sqlite_url) -> None:
    app = open_library(tmp_path, sqlite_url, **PUBLIC)
    game, client = begin(app), create_app(app).test_client()
    sent = send(client, page_of(app, game), "f2")
    played = play(app, game_of(app), ["g3"])
    assert "it is your turn again" in text_of(again := client.get(sent.request.path))
    assert "you can sign in to play on here" in text_of(again)
    add(app, played, RESIGN, 1, {})
    told = "Joao has answered already, and the game is over: Joao resigned."
    assert told in text_of(client.get(sent.request.path))
    app.close()
