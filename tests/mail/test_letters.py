"""Letters, whole and in their parts: what they look like, what their headers hold, what they never do.

Golden files lie in `tests/mail/golden`: the whole mail (`.eml`, lines ended by newlines) for the first
face of every kind, headers and text part (`.txt`) for its other faces. After a change that is meant,
`UPDATE_GOLDEN=1 pytest tests/mail/test_letters.py` writes them anew; then read the difference.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.core.game import PLY, START, Entry, Game, fold
from pbem.core.letters import KINDS, Letter, about_game, to_player
from pbem.core.orders import NO_ORDERS, NOTHING, Reader, read_line, read_orders
from pbem.core.people import Player
from pbem.core.play import VERBS, look, start_letters
from pbem.core.view import view
from pbem.core.vocabulary import GAME
from pbem.core.words import MARKER, normalise, own_words
from pbem.mail.hypertext import text_of
from pbem.mail.opening import Envelope, open_mail
from pbem.mail.stationery import environments
from pbem.mail.writing import House, Postmark, write
from pbem.templates import folders
from pbem.town import Letter as Arrived
from pbem.town import answer
from rules import RULES
from rules.picture import text
from tests.mail.letters import BIPOD, HOUSE, OFFERED, TOKEN, a_challenge, mark, samples
from tests.people import BILL, HOST, JOAO, NOON, SEED_GAME, a_game, asks, command

GOLDEN = Path(__file__).parent / "golden"
SAMPLES = samples()
FIRST_FACES = {letter.kind: name for name, letter in reversed(SAMPLES.items())}
POLICY = policy.SMTP.clone(max_line_length=998)


def written(letter: Letter, house: House = HOUSE) -> bytes:
    return write(letter, mark(letter), house)


def opened(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def part(raw: bytes, subtype: str) -> str:
    """The text or HTML part, decoded, lines ended by newlines."""
    body = opened(raw).get_body((subtype,))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def headers_of(raw: bytes) -> dict[str, str]:
    return {name: str(value) for name, value in opened(raw).items()}


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> tuple[str, Letter]:
    return request.param, SAMPLES[request.param]


# ---------------------------------------------------------------------------------------- golden


def golden(name: str, letter: Letter) -> tuple[Path, str]:
    """Where a sample's golden file lies, and what is to stand in it."""
    raw = written(letter)
    if FIRST_FACES[letter.kind] == name:
        return GOLDEN / f"{name}.eml", raw.decode().replace("\r\n", "\n")
    head = raw.decode().partition("MIME-Version")[0].replace("\r\n", "\n")
    return GOLDEN / f"{name}.txt", f"{head}\n{part(raw, 'plain')}"


def test_every_letter_is_written_as_its_golden_file_has_it(sample):
    path, now = golden(*sample)
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.mkdir(exist_ok=True)
        path.write_text(now)
    assert path.read_text() == now


def test_there_is_no_golden_file_too_many():
    assert {golden(*item)[0].name for item in SAMPLES.items()} == {path.name for path in GOLDEN.iterdir()}


def test_every_kind_of_letter_has_a_golden_file():
    assert set(KINDS) == set(FIRST_FACES)


def test_the_same_letter_is_the_same_bytes(sample):
    assert written(sample[1]) == written(samples()[sample[0]])


# --------------------------------------------------------------------------------- the text part


def test_the_text_part_is_narrow_and_survives_every_host(sample):
    _, letter = sample
    lines = part(written(letter), "plain").split("\n")
    assert [] == [line for line in lines if len(line) > 76 or line != line.rstrip()]
    assert [] == [line for line in lines if line.startswith((".", ">", "|", "From ", "--"))]
    assert [] == [line for line in lines if len(line) > 72 and not line.startswith("  ")]


def test_no_letter_has_two_blank_lines_together_but_in_the_rules(sample):
    name, letter = sample
    words = part(written(letter), "plain")
    assert ("\n\n\n" in words) == (name == "rules")


def test_the_marker_is_the_first_line_of_both_parts(sample):
    raw = written(sample[1])
    assert MARKER == part(raw, "plain").split("\n")[0]
    assert MARKER == text_of(part(raw, "html")).split("\n")[0]


def test_boards_are_seven_bit_and_stand_two_columns_in():
    board = text(a_game(SEED_GAME).state.picture)
    words = part(written(SAMPLES["result-won"]), "plain")
    assert board.isascii()
    assert "\n".join(f"  {line}" for line in board.split("\n")) in words


def test_nothing_in_a_letter_is_left_to_guess(sample):
    raw = written(sample[1])
    for subtype in ("plain", "html"):
        assert not re.search(r"None|undefined|\{\{|\{%|Traceback|object at", part(raw, subtype))


def test_a_turn_letter_tells_in_order_whose_turn_what_was_played_said_the_board_and_how_to_answer():
    words = part(written(SAMPLES["turn"]), "plain")
    places = [
        words.index(piece)
        for piece in (
            MARKER,
            "Your turn, Joao: ply 6",
            "ply 5: F2",
            "Bill: Your turn. I wonder",
            "The board after ply 5, F2:",
            "______",
            "Blocks (x): ",
            '"k3", "k3 w3" or "adopt"',
            f"https://{HOST}/games/42",
        )
    ]
    assert sorted(places) == places


def test_the_example_in_a_turn_letter_is_legal():
    for plies in range(len(SEED_GAME)):
        game = a_game(SEED_GAME[:plies])
        seat = game.state.to_play
        words = part(written(about_game("turn", view(game, seat, HOST), since=1)), "plain")
        examples = re.search(r"for example (.*?)\. What", " ".join(words.split()))
        found = re.findall(r'"([^"]+)"', examples[1])
        assert found
        for example in found:
            assert None is game.state.position.problem(game.state.position.read(example))


def test_a_newcomer_is_told_nothing_of_what_the_stranger_wrote():
    for name in ("confirm", "confirm-problem"):
        assert "Bill" not in part(written(SAMPLES[name]), "plain")


# --------------------------------------------------------------------------------- the HTML part


class Page(HTMLParser):
    """What a letter's HTML part holds: its tags, its links, the cells of its board."""

    VOID = frozenset({"meta", "br", "col"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    @property
    def links(self) -> list[str]:
        return [attrs["href"] or "" for tag, attrs in self.tags if tag == "a"]


def mailtos(name: str) -> list[str]:
    page = Page(part(written(SAMPLES[name]), "html"))
    return [link for link in page.links if link.startswith("mailto:")]


def test_the_html_part_is_well_formed_and_carries_its_own_look(sample):
    html = part(written(sample[1]), "html")
    page = Page(html)
    assert [] == page.open
    assert [] == [tag for tag, attrs in page.tags if tag in ("script", "link", "img", "svg", "style")]
    assert [] == [attrs for _, attrs in page.tags if any(name.startswith("on") for name in attrs)]
    assert [] == [line for line in html.split("\n") if len(line) > 990]
    assert 'name="color-scheme" content="light dark"' in html


def test_the_html_board_has_a_cell_for_every_field_with_its_words_and_headers():
    game = a_game(SEED_GAME)
    page = Page(part(written(SAMPLES["result-won"]), "html"))
    fields = [attrs for tag, attrs in page.tags if tag == "td" and "aria-label" in attrs]
    spots = game.state.picture.spots
    assert [f"{spot.name}: {spot.words}" for spot in spots] == [attrs["aria-label"] for attrs in fields]
    assert 6 == sum(attrs.get("scope") == "row" for _, attrs in page.tags)
    assert 33 == sum(attrs.get("scope") == "col" for _, attrs in page.tags)


def test_the_last_ply_stands_out_in_the_html_board():
    page = Page(part(written(SAMPLES["turn"]), "html"))
    marked = [
        a["title"] for tag, a in page.tags if tag == "td" and "2px solid #C8102E" in (a.get("style") or "")
    ]
    assert ["F2: a block, ply 5"] == marked


def test_links_begin_a_mail_to_the_reply_address_with_what_may_be_played_now():
    links = [
        link for link in Page(part(written(SAMPLES["turn"]), "html")).links if link.startswith("mailto:")
    ]
    subject = "Re%3A%20Bipod%20%2342%3A%20Bill%20-%20Joao"
    assert [
        f"mailto:play+{TOKEN}@{HOST}?subject={subject}",
        f"mailto:play+{TOKEN}@{HOST}?subject={subject}&body=adopt",
        f"mailto:play+{TOKEN}@{HOST}?subject={subject}&body=resign",
    ] == links


def test_no_link_offers_a_ply_that_the_game_does_not_have_now():
    bodies = [unquote(link.partition("&body=")[2]) for link in mailtos("turn-blocker")]
    assert ["", "resign"] == bodies


def test_what_a_player_wrote_is_never_html():
    said = asks(a_game(SEED_GAME[:4]), 0, 'F2\n\n<script>alert("x")</script> & <b>bold</b> {{ 7 * 7 }}')
    html = part(written(next(x for x in said.letters if x.kind == "turn")), "html")
    assert "&lt;script&gt;" in html
    assert "&lt;b&gt;bold&lt;/b&gt; {{ 7 * 7 }}" in html
    assert "<script" not in html


# -------------------------------------------------------------------------------------- headers


def test_a_game_letter_says_in_its_headers_what_it_is():
    headers = headers_of(written(SAMPLES["turn"]))
    assert '"Bipod #42" <play@pbem.example.org>' in opened(written(SAMPLES["turn"])).as_string()
    assert "joao@example.net" in headers["To"]
    assert f"play+{TOKEN}@{HOST}" == headers["Reply-To"]
    assert "Bipod #42: Bill - Joao" == headers["Subject"]
    assert f"<g42.games.{HOST}>" == headers["List-Id"]
    assert "All" == headers["X-Auto-Response-Suppress"]
    assert HOST == headers["X-PBEM-Loop"]
    assert ("42", "5", "second") == tuple(headers[f"X-PBEM-{name}"] for name in ("Game", "Ply", "Turn"))
    assert SAMPLES["turn"].view.fingerprint == headers["X-PBEM-Fingerprint"]
    assert "over" == headers_of(written(SAMPLES["result-won"]))["X-PBEM-Turn"]


def test_every_letter_of_a_game_has_the_same_subject():
    subjects = {headers_of(written(letter))["Subject"] for letter in SAMPLES.values() if letter.view}
    assert {"Bipod #42: Bill - Joao"} == subjects


def test_letters_of_the_lobby_have_no_list_and_no_game():
    headers = headers_of(written(SAMPLES["welcome"]))
    assert not {"List-Id", "X-PBEM-Game", "List-Unsubscribe"} & set(headers)
    assert "Games at pbem.example.org <play@pbem.example.org>" == headers["From"].replace('"', "")


@pytest.mark.parametrize(
    ("name", "in_reply_to", "wanted"),
    [
        ("turn", "", "auto-generated"),
        ("turn", f"<g42.e4.s1.turn.1@{HOST}>", "auto-generated"),
        ("receipt", "", "auto-replied"),
        ("result-won", "<7@mail.example.org>", "auto-replied"),
        ("start-accepter", "<7@mail.example.org>", "auto-replied"),
        ("start-challenger", "", "auto-generated"),
    ],
)
def test_a_letter_says_whether_it_answers_a_mail(name, in_reply_to, wanted):
    letter = SAMPLES[name]
    raw = write(letter, replace(mark(letter), in_reply_to=in_reply_to), HOUSE)
    assert wanted == headers_of(raw)["Auto-Submitted"]


def test_letters_that_can_be_stopped_say_how_with_one_click():
    headers = headers_of(written(SAMPLES["turn"]))
    away = TOKEN[::-1]
    wanted = f"<https://{HOST}/unsubscribe/{away}>, <mailto:play+{away}@{HOST}?subject=unsubscribe>"
    assert wanted == headers["List-Unsubscribe"]
    assert "List-Unsubscribe=One-Click" == headers["List-Unsubscribe-Post"]


def test_a_site_without_https_promises_no_one_click():
    letter = SAMPLES["turn"]
    raw = write(letter, replace(mark(letter), unsubscribe_web="http://localhost:8080/unsubscribe/x"), HOUSE)
    assert "List-Unsubscribe-Post" not in headers_of(raw)


def test_the_bytes_are_what_the_standard_library_writes_without_folding(sample):
    raw = written(sample[1])
    assert raw == message_from_bytes(raw, policy=POLICY).as_bytes()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert max(map(len, raw.split(b"\r\n"))) <= 998


def test_long_ids_stay_whole_and_the_last_ones_are_kept():
    letter = SAMPLES["turn"]
    long = tuple(f"<{number}{'x' * 220}@mail.example.org>" for number in range(9))
    headers = headers_of(write(letter, replace(mark(letter), references=long, in_reply_to=long[-1]), HOUSE))
    assert long[-1] == headers["In-Reply-To"]
    assert long[-3:] == tuple(headers["References"].split())


EVIL = "x\r\nBcc: everybody@example.com\r\n\r\nBuy!\n\x00\x1b[2J\u202e\u2028<a@b>"


def test_nothing_that_came_from_outside_can_add_a_header_or_a_body():
    person = replace(JOAO, name=f"Joao{EVIL}", address=f"joao@example.net{EVIL}")
    game = replace(a_game(SEED_GAME[:4]), seats=(BILL, person))
    letter = about_game("chat", view(game, 1, HOST), words=EVIL)
    postmark = replace(
        mark(letter),
        in_reply_to=f"<{EVIL}>",
        references=(f"<{EVIL}>", "<good@mail.example.org>", "bad", "<a b@c>", "<é@c>"),
        unsubscribe_mail=f"play@{HOST}{EVIL}",
        unsubscribe_web=f"https://{HOST}/{EVIL}",
        reply_to=f"play@{HOST}{EVIL}",
    )
    raw = write(letter, postmark, HOUSE)
    head = raw.partition(b"\r\n\r\n")[0]
    known = set(headers_of(written(SAMPLES["turn"]))) | {"List-Unsubscribe"}
    assert {line.partition(":")[0] for line in head.decode().split("\r\n")} <= known
    assert not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]", raw)
    assert "<good@mail.example.org>" == headers_of(raw)["References"]
    assert "In-Reply-To" not in headers_of(raw)


def test_an_odd_name_and_an_odd_title_still_make_headers_that_can_be_read():
    odd = replace(BIPOD, name='Bípod "the\\game"')
    player = replace(JOAO, name="João")
    game = replace(a_game(), rules=odd, seats=(BILL, player))
    headers = headers_of(written(about_game("turn", view(game, 1, HOST), since=1)))
    assert 'Bípod "the\\game" #42: Bill - João' == headers["Subject"]
    assert headers["To"].startswith("João <joao@")


def test_dates_are_written_with_their_zone():
    letter = SAMPLES["turn"]
    date = datetime(2026, 3, 1, 13, 5, tzinfo=timezone(timedelta(hours=1)))
    raw = write(letter, replace(mark(letter), date=date), HOUSE)
    assert "Sun, 01 Mar 2026 13:05:00 +0100" == headers_of(raw)["Date"]


def test_words_in_any_script_come_through():
    said = "Olá João! Привет. 你好，世界。 שלום 🙂"
    letter = about_game("chat", view(a_game(), 1, HOST), words=said)
    raw = written(letter)
    assert said in part(raw, "plain")
    assert said in unescape(part(raw, "html"))
    assert raw.isascii()


def test_an_operators_own_template_is_used(tmp_path):
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "turn.txt").write_text(
        "Subject: {{ view.title }}\n\n{{ marker }}\n\nMove, {{ to }}!\n"
    )
    words = part(written(SAMPLES["turn"], replace(HOUSE, templates=tmp_path)), "plain")
    assert f"{MARKER}\n\nMove, Joao!\n" == words


def test_a_template_that_asks_for_what_nobody_gave_fails_loudly(tmp_path):
    from jinja2 import UndefinedError

    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "turn.txt").write_text("Subject: x\n\n{{ nonsense }}\n")
    with pytest.raises(UndefinedError, match="nonsense"):
        written(SAMPLES["turn"], replace(HOUSE, templates=tmp_path))


def test_all_templates_can_be_loaded():
    on_paper, on_screen = environments()
    for path in (folders()[0] / "mail").iterdir():
        if path.suffix != ".css":
            shelf = on_screen if path.suffix == ".html" else on_paper
            assert shelf.get_template(f"mail/{path.name}").name


# ------------------------------------------------------------- a letter that comes back, and answers


def test_our_own_letter_is_known_when_it_comes_back(sample):
    raw = written(sample[1])
    for host in (HOST, None):
        back = open_mail(raw, Envelope("somebody@example.com", f"play+{TOKEN}@{HOST}"), host)
        assert "loop" == back.kind


def test_an_answer_above_the_quoted_letter_is_all_that_is_read(sample):
    raw = answer(Arrived(written(sample[1])), "joao@example.net", "h4 h6\n\nSo there.")
    inbound = open_mail(raw, Envelope("joao@example.net", f"play+{TOKEN}@{HOST}"), HOST)
    assert ("person", "h4 h6\n\nSo there.", True) == (inbound.kind, inbound.words, inbound.marked)


def test_an_answer_between_the_quoted_lines_or_below_them_is_read(sample):
    quoted = [f"> {line}".rstrip() for line in part(written(sample[1]), "plain").splitlines()]
    for at in (4, len(quoted) // 2, len(quoted)):
        lines = ["Bill wrote:", *quoted[:at], "", "h4 h6", "", *quoted[at:]]
        assert ("h4 h6", True) == own_words(normalise("\n".join(lines)))


@pytest.mark.parametrize("subtype", ["plain", "html"])
def test_an_answer_above_the_letter_is_all_that_is_read_where_nothing_marks_the_quote(sample, subtype):
    letter = part(written(sample[1]), subtype)
    mail = EmailMessage()
    mail["From"] = "joao@example.net"
    mail["To"] = f"play+{TOKEN}@{HOST}"
    if subtype == "html":
        mail.set_content(f"<div>h4 h6</div><div><br></div>{letter}", subtype="html")
    else:
        mail.set_content(f"h4 h6\n\n{letter}")
    inbound = open_mail(mail.as_bytes(), Envelope("joao@example.net", f"play+{TOKEN}@{HOST}"), HOST)
    assert ("h4 h6", True) == (inbound.words, inbound.marked)


# --------------------------------------------------------------- nothing we mail reads as an order

NASTY = [
    "f2 f4 g3",
    "resign",
    "resign yes",
    "adopt",
    "game 7",
    "#7 f2",
    "7. f2 f4",
    "say hello",
    "accept 7",
    "challenge Bill bipod",
    "k3 o",
    "f7",
    "",
    "help",
    "> f2",
    ". f2",
    "From here on: f2",
    "-- ",
    MARKER,
    "* f2",
    "1. f2",
    "confirm",
    "  f2   f4",
    "Thanks, and well played; I shall think about f2 f4 g3 and what may come of it when",
    "f2 f4 f6 h2 h4 h6 j2 j4 j6 l2 l4 l6 n2 n4 n6 p2 p4 p6 r2 r4 r6 t2 t4 t6 v2 v4 v6 x2 x4 x6 z2 z4",
    "x" * 200,
    "棋" * 90,
]
NAMES = ["Bill", "Joao", "f2", "o1", "On", "Von", "a1b2", "Shew", "From", "Mov", "k3o", "Re", "Gmae"]


def a_random_game(rng: Random) -> Game:
    """Game 42 between two people with odd names on a board of any size, some plies in, words with them."""
    options = {"size": rng.choice("3358"), "stones": rng.choice("135")}
    start = BIPOD.start(options)
    first, second = rng.sample(NAMES, 2)
    people = (replace(BILL, name=first), replace(JOAO, name=second))
    game = Game(42, BIPOD, start.options, 0, people, NOON, (Entry(1, NOON, START, None, {}),))
    position = start
    for n in range(rng.choice((0, 1, 2, 5, 9, 14, 30))):
        if position.outcome:
            break
        move = position.sample(rng)
        data = {"move": str(move)} | ({"comment": some_words(rng)} if rng.random() < 0.3 else {})
        game = game.with_entries([Entry(n + 2, NOON, PLY, position.to_play, data)])
        position = position.play(move)
    return game


def some_words(rng: Random) -> str:
    return "\n".join(rng.choice(NASTY) for _ in range(rng.randrange(1, 6)))


def some_problems(rng: Random) -> list[str]:
    """Sentences as refusals have them, with a player's text at the start, in the middle, at the end."""
    odd = [rng.choice([line for line in NASTY if line.strip()]) for _ in range(3)]
    return [f"{odd[0]}: that cannot be, write f2 f4.", f"Nobody is called {odd[1]} here.", f"Not {odd[2]}"]


def letters_of(game: Game, rng: Random) -> list[Letter]:
    """Letters of every kind about a game, and those of the lobby with the same people and words."""
    seat = rng.choice((0, 1))
    mine = view(game, seat, HOST)
    words = some_words(rng)
    found = [line for line in words.split("\n") if line]
    wish = a_challenge(challenger=game.seats[0], challenged=game.seats[1], options=game.options)
    letters: list[Letter] = [
        *(letter for text in NASTY if (letter := first_of(game, rng, text))),
        *start_letters(game, HOST, wish, 1, words),
        about_game("turn", mine, since=rng.randrange(1, len(game.journal) + 1)),
        about_game("chat", mine, words=words),
        about_game("resign", mine),
        about_game("mismatch", mine),
        about_game("expired", mine),
        about_game("refused", mine, problems=some_problems(rng), read=found, found=[]),
        about_game("refused", mine, problems=some_problems(rng), read=[], found=found),
        look(mine, command("show", "show", ply=None)),
        look(mine, command("show", "show", ply=0)),
        look(mine, command("moves", "moves")),
        to_player("challenge", game.seats[1], challenge=wish, comment=words),
        to_player("declined", game.seats[0], challenge=wish, mine=False, comment=words),
        to_player("refused", game.seats[0], problems=some_problems(rng), read=found, found=[]),
        replace(SAMPLES["proof"], facts={"words": found}),
        to_player("welcome", game.seats[0], name=game.seats[0].name, again=False, offered=OFFERED),
        to_player("help", game.seats[0], topic="f2", offered=OFFERED),
    ]
    return letters


def first_of(game: Game, rng: Random, text: str) -> Letter | None:
    """One of the letters that come of a mail with this text, if it holds orders for this game alone."""
    mail = f"{text}\n\n{some_words(rng)}"
    blocks = read_orders(mail, marked=True, reader=fold(game).position.read).blocks
    verbs = {command.verb for block in blocks for command in block.commands}
    if len(blocks) != 1 or not verbs or not verbs <= set(VERBS):
        return None
    letters = asks(game, rng.choice((0, 1)), mail).letters
    return rng.choice(letters) if letters else None


def orders_in(words: str, reader: Reader) -> list[str]:
    """Every line that alone, unmarked, stripped or in a list, would be taken for an order."""
    found = []
    for line in normalise(words.replace(MARKER, "")).split("\n"):
        for form in {line.strip(), line.strip(" >|"), line.strip(" -*"), line.strip().lower()}:
            if form and (read_line(form, reader) or GAME.fullmatch(form)):
                found.append(form)
    return found


def falls_apart(html: str) -> str:
    """HTML as the clumsiest program makes text of it: every block and every cell on its own line."""
    return text_of(re.sub(r"</?(td|th|tr|p|div|li|h1|h2|br)\b[^>]*>", "<br>", html))


def assert_no_orders(raw: bytes, reader: Reader) -> None:
    plain, html = part(raw, "plain"), part(raw, "html")
    for shown in (plain, text_of(html), falls_apart(html)):
        assert [] == orders_in(shown, reader)
        unmarked = shown.replace(MARKER, "")
        for form in (unmarked, re.sub("(?m)^", "> ", unmarked), re.sub("(?m)^", "> ", shown)):
            words, _ = own_words(normalise(form))
            orders = read_orders(words, marked=True, reader=reader, reader_of=lambda _: reader)
            assert (orders.blocks, orders.problem) in (((), NO_ORDERS), ((), NOTHING))


def test_no_sample_reads_as_an_order(sample):
    _, letter = sample
    position = letter.view.position if letter.view else RULES["bipod"].start()
    assert_no_orders(written(letter), position.read)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])  # 200 letters
@given(st.integers(0, 2**32))
def test_no_letter_of_any_game_reads_as_an_order(seed):
    rng = Random(seed)
    game = a_random_game(rng)
    for letter in rng.sample(letters_of(game, rng), 8):
        raw = written(letter)
        assert_no_orders(raw, fold(game).position.read)
        lines = part(raw, "plain").split("\n")
        assert [] == [line for line in lines if line != line.rstrip() or line.startswith((".", ">", "From "))]


@settings(max_examples=60)
@given(st.text(max_size=400), st.sampled_from(NAMES))
def test_whatever_a_player_says_reaches_the_other_and_is_no_order(words, name):
    game = replace(a_game(SEED_GAME[:4]), seats=(BILL, Player(23, name, JOAO.address, JOAO.addresses, NOON)))
    raw = written(about_game("chat", view(game, 0, HOST), words=words))
    assert raw == message_from_bytes(raw, policy=POLICY).as_bytes()
    assert [] == orders_in(part(raw, "plain"), game.state.position.read)
    assert [] == orders_in(part(raw, "html") and text_of(part(raw, "html")), game.state.position.read)


def test_a_postmark_needs_nothing_but_itself():
    """A letter may be the first of its game, answer nothing and be for somebody who cannot stop it."""
    letter = SAMPLES["confirm"]
    bare = Postmark("<m1.confirm.1@x>", (), "", f"play@{HOST}", "", "", NOON)
    headers = headers_of(write(letter, bare, HOUSE))
    assert not {"References", "In-Reply-To", "List-Unsubscribe", "List-Id"} & set(headers)
