"""The mailroom: in development mode alone, and enough for a whole game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from pbem.app import App
from pbem.core.preferences.letter_kinds import KINDS
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import new_mail
from pbem.store import inbox, mailroom
from pbem.web import create_app
from rules import RULES
from tests.web.library import BLOCKED, open_again, open_library
from tests.web.markup import Page, read

MAILROOM = ("/mailroom", "/mailroom/new", "/mailroom/box/bill@example.org", "/mailroom/letters/1")


def hidden(html: str) -> dict[str, str]:
    """The hidden fields of a page's form."""
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', html)
    return {name: value.replace("&amp;", "&") for name, value in found}


def send(client: FlaskClient, path: str, **typed: str) -> TestResponse:
    """Fill in a page's form and send it; return the next page."""
    fields = hidden(client.get(path).text) | {"quoting": "on"} | typed
    return client.post("/mailroom/send", data=fields, follow_redirects=True)


def write(client: FlaskClient, sender: str, words: str, to: str = "play@localhost") -> Page:
    answer = send(client, "/mailroom/new", sender=sender, to=to, subject="Games", words=words)
    assert 200 == answer.status_code, answer.text
    return read(answer.text)


def answer(client: FlaskClient, address: str, words: str) -> Page:
    """Answer the newest letter in a mailbox."""
    found = send(client, f"/mailroom/box/{address}", words=words)
    assert 200 == found.status_code, found.text
    return read(found.text)


CARL, DORA = "carl@example.org", "dora@example.org"


def test_a_newcomer_plays_a_whole_game_from_both_mailboxes(home: FlaskClient) -> None:
    page = write(home, CARL, "register Carl")
    assert "Your mail was taken: register Carl." in page.text
    assert "/mailroom/letters/1#newest" in page.links
    for address, name in ((CARL, "Carl"), (DORA, "Dora")):
        if address == DORA:
            write(home, address, f"register {name}")
        assert f"Welcome, {name}" in answer(home, address, "confirm").text
    page = answer(home, CARL, "challenge Dora bipod first size=3 middle=3 rows=4\n\nShall we?")
    assert "To dora@example.org: a challenge" in page.text
    assert "Carl would like to play" in read(home.get(f"/mailroom/box/{DORA}").text).text
    answer(home, DORA, "accept")
    for number, move in enumerate(BLOCKED):
        page = answer(home, (CARL, DORA)[number % 2], move)
        assert f"Your mail was taken: {move}." in page.text
    assert "the result" in page.text
    assert "Dora won as Blocker" in read(home.get("/games/1").text).text


def test_a_move_that_cannot_be_is_answered_where_it_was_written(home: FlaskClient) -> None:
    meet(home)
    page = answer(home, CARL, "f7")
    assert "Your mail was read, and nothing was done: f7." in page.text
    assert "there is no row 7" in page.text


def meet(client: FlaskClient) -> None:
    """Register Carl and Dora and begin game 1, Carl first."""
    for address, name in ((CARL, "Carl"), (DORA, "Dora")):
        write(client, address, f"register {name}")
        answer(client, address, "confirm")
    answer(client, CARL, "challenge Dora bipod first")
    answer(client, DORA, "accept")


def test_the_letter_to_answer_offers_its_words_and_moves_that_may_be_played(home: FlaskClient) -> None:
    meet(home)
    page = home.get(f"/mailroom/box/{CARL}").text
    offered = re.findall(r'data-words="([^"]*)"', page)
    assert {"adopt", "k3", "k3 w3"} <= set(offered)
    assert "k3 w3" in read(home.get(f"/mailroom/box/{CARL}").text).text
    filled = home.get(re.findall(r'href="(/mailroom/letters/\d+\?words=k3)#answer"', page)[0]).text
    assert re.search(r"<textarea[^>]*>k3</textarea>", filled)


def test_whoever_hears_a_letter_passes_over_the_board_and_is_told_where_to_answer(home: FlaskClient) -> None:
    meet(home)
    page = home.get(f"/mailroom/box/{CARL}").text
    assert f'<label for="words">Your answer, as {CARL}</label>' in page
    name = "The board before the first move, in signs; “As HTML” has a table to hear"
    assert [name] == re.findall(r'<pre class="board" tabindex="0" role="img" aria-label="([^"]+)">', page)


def test_letters_of_one_game_are_told_apart_by_ear_too(home: FlaskClient) -> None:
    meet(home)
    answer(home, CARL, "f2")
    answer(home, DORA, "k3")
    page = home.get(f"/mailroom/box/{CARL}").text
    heard = re.findall(r'class="about">[^<]*</span>\s*<span class="unseen">(.*?)</span>', page)
    assert heard[0].startswith("Your move, Carl: Dora played k3")
    assert 3 < len(heard) == len(set(heard))


def test_a_letter_that_waits_for_nothing_does_not_offer_to_resign_first(home: FlaskClient) -> None:
    meet(home)
    answer(home, CARL, "f2")
    page = home.get(f"/mailroom/box/{CARL}").text
    assert ["show", "resign"] == re.findall(r'data-words="([^"]*)"', page)


def test_whose_move_is_waited_for_is_marked(home: FlaskClient) -> None:
    meet(home)
    assert ["Carl"] == [name for name, _ in waited_for(home)]
    answer(home, CARL, "f2")
    assert ["Dora"] == [name for name, _ in waited_for(home)]


def waited_for(client: FlaskClient) -> list[tuple[str, str]]:
    """Names with a red dot, and the letters that the dots lead to."""
    dot = re.compile(r'class="due" href="([^"]+)".*?To the letter that waits for (\w+)<')
    return [(name, path) for path, name in dot.findall(client.get("/mailroom").text)]


def test_the_red_dot_leads_to_the_letter_that_waits(home: FlaskClient) -> None:
    meet(home)
    answer(home, CARL, "help")
    ((_, path),) = waited_for(home)
    assert "Bipod #1" in read(home.get(path.partition("#")[0]).text).text
    answer(home, CARL, "challenge Dora begird")
    found = dict(waited_for(home))
    assert {"Carl", "Dora"} == found.keys()
    assert "a challenge" in read(home.get(found["Dora"].partition("#")[0]).text).text


def test_letters_are_filtered_by_game(home: FlaskClient) -> None:
    meet(home)
    answer(home, CARL, "help")
    answer(home, CARL, "challenge Dora begird second")
    answer(home, DORA, "accept")
    page = home.get(f"/mailroom/box/{CARL}?game=2")
    listed = re.findall(r'<span class="about">([^<]+)</span>', page.text)
    assert listed and not [title for title in listed if "#1" in title or "register" in title]
    assert {"All", "Bipod #1", "Begird #2"} <= set(re.findall(r">([^<>]+)</a>", page.text))
    assert re.search(r'href="/mailroom/letters/\d+\?game=2#newest"', page.text)


def test_a_stranger_is_told_how_to_register(home: FlaskClient) -> None:
    write(home, CARL, "hello there")
    page = read(home.get(f"/mailroom/box/{CARL}").text)
    assert "not registered yet: write register Carl, and answer the letter that comes with yes" in page.text
    link = next(link for link in page.links if "/new?" in link and "words=register" in link)
    assert ">register Carl</textarea>" in home.get(link).text


@pytest.fixture
def new_home(tmp_path: Path, sqlite_url: str) -> Iterator[FlaskClient]:
    """A server in development mode that nobody has used."""
    app = open_again(tmp_path, sqlite_url)
    yield create_app(app).test_client()
    app.close()


def test_an_empty_mailroom_can_be_filled_with_games(
    new_home: FlaskClient,
) -> None:
    first = new_home.get("/mailroom").text
    assert "Fill this place" in first
    for _ in range(2):  # the second time changes nothing
        page = new_home.post("/mailroom/fill", data=hidden(first), follow_redirects=True).text
        assert {"Bill", "Joao", "Anna"} <= set(re.findall(r'<span class="name">(\w+)</span>', page))
        assert "Fill this place" not in page
        games = read(new_home.get("/games").text).text
        assert "3 games, 2 running" in games
    assert "Joao resigned" in games


def test_nobody_elsewhere_fills_the_mailroom(home: FlaskClient) -> None:
    home.get("/mailroom")
    assert 400 == home.post("/mailroom/fill", data={}).status_code


def test_an_answer_quotes_the_letter_and_names_it(at_home: App, home: FlaskClient) -> None:
    meet(home)
    answer(home, CARL, "f2\n\nHello!")
    with at_home.store.read() as db:
        mail = inbox.mails_from_address(db, CARL)[0]
        letters = mailroom.letters_to(db, CARL)
    raw = mail.raw.decode()
    assert re.search(
        r"\r\nOn 31 March 2026 at 12:00, .* wrote:\r\n> \w.*\r\n>\r\n> ##- write your move above", raw
    )
    assert f"In-Reply-To: {letters[1].raw.decode().split('Message-ID: ')[1].splitlines()[0]}" in raw
    assert "Subject: Re: Bipod #1: Carl - Dora" in raw
    page = read(home.get("/games/1").text)
    assert "Hello!" in page.text


def test_the_same_form_sent_twice_is_one_mail(at_home: App, home: FlaskClient) -> None:
    meet(home)
    fields = hidden(home.get(f"/mailroom/box/{CARL}").text) | {"words": "f2"}
    for _ in range(2):
        page = home.post("/mailroom/send", data=fields, follow_redirects=True)
    assert "This very mail was sent before" in page.text
    with at_home.store.read() as db:
        assert ["duplicate", "done"] == [mail.state for mail in inbox.mails_from_address(db, CARL)[:2]]


def test_an_empty_mailroom_says_what_to_do_and_has_it_filled_in(home: FlaskClient) -> None:
    html = home.get("/mailroom").text
    assert "register Bill" in read(html).text
    assert 'value="bill@example.org"' in html
    assert 'value="play@localhost"' in html
    assert re.search(r"<textarea[^>]*>register Bill</textarea>", html)


@pytest.mark.parametrize("key", RULES)
def test_the_first_steps_lead_into_a_game_that_is_offered(tmp_path: Path, sqlite_url: str, key: str) -> None:
    app = open_library(tmp_path, sqlite_url, PBEM_GAMES=key)
    html = create_app(app).test_client().get("/mailroom").text
    *_, challenge, accept, ply = re.findall(r"<li>.*?<code>(.+?)</code>", html)
    assert (f"challenge Joao {key}", "accept") == (challenge, accept)
    start = RULES[key].start({})
    assert start.play(start.read(ply)).ply == 1
    app.close()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"sender": "carl"}, "carl is no mail address to write from"),
        ({"to": "play@example.org"}, "The door refuses play@example.org (550)"),
        ({"to": "play+abcdefgh@localhost"}, "The door refuses play+abcdefgh@localhost (550)"),
        ({"words": " "}, "There is nothing in the mail yet."),
    ],
)
def test_a_mail_that_cannot_be_sent_stays_in_the_form(
    home: FlaskClient, typed: Mapping[str, str], sentence: str
) -> None:
    right = {"sender": CARL, "to": "play@localhost", "subject": "Games", "words": "register Carl"}
    answer = send(home, "/mailroom/new", **(right | typed))
    assert 422 == answer.status_code
    assert sentence in read(answer.text).text
    assert 'value="Games"' in answer.text


def test_a_letter_as_html_can_neither_run_nor_load_anything(home: FlaskClient) -> None:
    write(home, CARL, "register Carl")
    page = home.get("/mailroom/letters/1?view=html").text
    assert re.search(
        r'<iframe class="html" src="/mailroom/letters/1.html" title="[^"]+" '
        r'sandbox="allow-top-navigation-by-user-activation"></iframe>',
        page,
    )
    letter = home.get("/mailroom/letters/1.html")
    policy = letter.headers["Content-Security-Policy"]
    assert (
        "sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; "
        "frame-ancestors 'self'"
    ) == policy
    assert "yes" in letter.text
    assert '<iframe class="html"' in home.get("/mailroom/letters/1").text  # the choice is remembered
    assert "text/plain; charset=utf-8" == home.get("/mailroom/letters/1.txt").content_type


def test_the_buttons_of_a_letter_as_html_fill_the_form_below_it_or_lead_to_our_pages(
    home: FlaskClient,
) -> None:
    write(home, CARL, "register Carl")
    html = home.get("/mailroom/letters/1.html").text
    assert "<a class=" in html
    assert ' href="/mailroom/letters/1?words=yes#answer" target="_top">' in html
    assert ' href="/" target="_top">' in html
    assert "mailto:" not in html
    assert "yes</textarea>" in home.get("/mailroom/letters/1?words=yes").text


@pytest.mark.parametrize(
    ("address", "name"), [("sam.lee@example.org", "Sam"), ("eva-4711@example.org", "Eva"), (CARL, "Carl")]
)
def test_the_name_that_a_box_proposes_can_be_had(home: FlaskClient, address: str, name: str) -> None:
    page = write(home, address, "hello")
    assert f"write register {name}, and answer" in page.text
    answered = answer(home, address, f"register {name}")
    assert f"To be {name} at localhost" in answered.text or f"{name}! You are registered" in answered.text


def test_what_came_by_smtp_is_shown_with_what_became_of_it_and_never_as_markup(
    at_home: App, home: FlaskClient
) -> None:
    raw = new_mail("eve@example.org", "play@localhost", "<script>alert(1)</script>")
    receive(at_home, raw, "eve@example.org", ["play@localhost"])
    work_through(at_home)
    page = home.get("/mailroom/mails/1")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page.text
    assert "<script>alert" not in page.text
    assert "stranger: asked for a name" in read(page.text).text
    source = home.get("/mailroom/mails/1.txt")
    assert ("text/plain; charset=utf-8", True) == (
        source.content_type,
        "sandbox" in source.headers["Content-Security-Policy"],
    )


@pytest.mark.parametrize("path", MAILROOM)
def test_where_people_can_reach_the_server_there_is_no_mailroom(client: FlaskClient, path: str) -> None:
    assert 404 == client.get(path).status_code
    assert 404 == client.post("/mailroom/send", data={"words": "help"}).status_code
    assert "mailroom" not in client.get("/").text.lower()


@pytest.mark.parametrize(
    "host", ["evil.example.org", "localhost.example.org", "example.org:8000", "[::2]:8000"]
)
def test_under_another_name_there_is_no_mailroom(home: FlaskClient, host: str) -> None:
    assert 404 == home.get("/mailroom", headers={"Host": host}).status_code


def test_to_another_machine_there_is_no_mailroom(home: FlaskClient) -> None:
    assert 404 == home.get("/mailroom", environ_base={"REMOTE_ADDR": "192.0.2.7"}).status_code
    for host in ("localhost:8000", "127.0.0.1", "[::1]:8000"):
        assert 200 == home.get("/mailroom", headers={"Host": host}).status_code


def test_a_form_from_elsewhere_sends_nothing(at_home: App, home: FlaskClient) -> None:
    fields = {"sender": CARL, "to": "play@localhost", "words": "register Carl", "mark": "0" * 64}
    assert 400 == home.post("/mailroom/send", data=fields).status_code  # no cookie
    home.get("/mailroom")
    assert 400 == home.post("/mailroom/send", data=fields).status_code  # a wrong mark
    assert 400 == home.post("/mailroom/send", data=fields | {"mark": "ä"}).status_code
    with at_home.store.read() as db:
        assert [] == mailroom.list_mailboxes(db)


def test_what_is_not_in_the_mailroom_is_said_so(home: FlaskClient) -> None:
    for path in ("/mailroom/letters/9", "/mailroom/mails/9", "/mailroom/box/nobody@example.org"):
        answer = home.get(path)
        assert 404 == answer.status_code
        assert "No such page" in answer.text


def test_the_box_of_a_player_is_there_before_the_first_letter(home: FlaskClient) -> None:
    answer = home.get("/mailroom/box/Bill@example.org")
    assert 200 == answer.status_code
    page = read(answer.text)
    assert "No letter has come to bill@example.org yet." in page.text
    assert "not registered" not in page.text
    assert [] == page.all_problems()


def test_the_mailroom_has_words_for_kinds_of_letters_that_there_are(home: FlaskClient) -> None:
    parts = home.application.jinja_env.get_template("mailroom/_parts.html").module
    named: set[str] = set(parts.letter_kinds)  # type: ignore[attr-defined]
    assert set() == named - set(KINDS), "take these out of letter_kinds in templates/web/mailroom/_parts.html"


def test_the_pages_of_the_mailroom_are_well_made_and_kept_nowhere(home: FlaskClient) -> None:
    assert [] == read(home.get("/mailroom").text).all_problems()
    meet(home)
    write(home, "eve@example.org", "Buy now!")
    paths = (*MAILROOM, "/mailroom/box/eve@example.org", "/mailroom/mails/1", "/mailroom/letters/1?view=html")
    for path in paths:
        answer = home.get(path)
        assert [] == read(answer.text).all_problems(), path
        assert "no-store" == answer.headers["Cache-Control"]


def test_the_first_game_of_readme_can_be_played_here(new_home: FlaskClient) -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text()
    lines = re.findall(r"^\| \d+ \| (bill@|joao@|Bill|Joao)(.*?) \| `([^`]+)`", readme, re.MULTILINE)
    assert 10 == len(lines)
    people = {"bill": "bill@example.org", "joao": "joao@example.net"}
    for who, rest, words in lines:
        address = people[who.lower().strip("@")]
        page = write(new_home, address, words) if "a new mail" in rest else answer(new_home, address, words)
        assert f"Your mail was taken: {words}" in page.text
    assert ["f2 f4 g3", "e5 g1", "adopt", "k3 o"] == [words for _, _, words in lines[6:]]
    assert "Bill is to play move 5" in read(new_home.get("/games/1").text).text
