"""Whole letters and their parts: their look, and answers to them.

Golden files lie in `tests/mail/golden`: the whole mail (`.eml`, lines ended by newlines) for the first
variant of every kind, headers and text part (`.txt`) for the others. After an intended change,
`UPDATE_GOLDEN=1 pytest tests/mail/outbound/test_letters.py` rewrites them; then review the difference.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from textwrap import dedent
from urllib.parse import unquote

import pytest

from pbem.core.game.examples import USUAL
from pbem.core.game.letter_kinds import KINDS
from pbem.core.game.view import view
from pbem.core.letters.letter import Letter, about_game, to_player
from pbem.core.parsing.commands import KEYWORDS
from pbem.core.parsing.inbound import Envelope
from pbem.core.parsing.normalise import normalise
from pbem.core.parsing.reply_text import MARKER, split_words
from pbem.mail.inbound.parse import parse_mail
from pbem.mail.outbound import marks
from pbem.mail.outbound.render import environments, faults_of_templates
from pbem.mail.person.mailbox import Letter as Arrived
from pbem.mail.person.mailbox import reply_mail
from pbem.resources import folders
from rules import RULES
from rules.picture import text
from tests.mail.letters import (
    CHOSEN,
    POLICY,
    SAMPLES,
    each_html,
    each_part,
    each_sample,
    each_text,
    every_sample,
    part_as_text,
    part_of_letter,
    sample_bytes,
    samples,
    write_sample,
)
from tests.mail.sample_values import HOUSE, OFFERED, TOKEN
from tests.people import BILL, HOST, SEED_GAME, a_game, asks
from tests.plain_words import old_words

GOLDEN = Path(__file__).parents[1] / "golden"
FIRST_FACES = {letter.kind: name for name, letter in reversed(SAMPLES.items())}

# ---------------------------------------------------------------------------------------- golden


def golden(name: str, letter: Letter) -> tuple[Path, str]:
    """Return the path of a sample's golden file, and its expected content."""
    raw = sample_bytes(letter)
    if FIRST_FACES[letter.kind] == name:
        return GOLDEN / f"{name}.eml", raw.decode().replace("\r\n", "\n")
    head = raw.decode().partition("MIME-Version")[0].replace("\r\n", "\n")
    return GOLDEN / f"{name}.txt", f"{head}\n{part_of_letter(raw, 'plain') or part_of_letter(raw, 'html')}"


@every_sample
def test_every_letter_is_written_as_its_golden_file_has_it(sample):
    path, now = golden(*sample)
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.mkdir(exist_ok=True)
        path.write_text(now)
    assert path.exists(), f"to write {path.name}, run this test with UPDATE_GOLDEN=1"
    assert path.read_text() == now, "if the change is meant: UPDATE_GOLDEN=1, and look at the diff"


def test_there_is_no_golden_file_too_many():
    wanted = {golden(*item)[0].name for item in SAMPLES.items()}
    assert set() == {path.name for path in GOLDEN.iterdir()} - wanted, f"remove these from {GOLDEN}"


def test_every_kind_of_letter_has_a_golden_file():
    missing = set(KINDS) - set(FIRST_FACES)
    assert set() == missing, "give each a sample letter in tests/mail/game_letters.py or its neighbours"


def test_the_same_letter_is_the_same_bytes():
    again = samples()
    for name, letter in SAMPLES.items():
        assert write_sample(letter) == write_sample(again[name]), name


# --------------------------------------------------------------------------------- the text part


@each_text
def test_the_text_part_is_narrow_and_survives_every_host(letter):
    lines = part_of_letter(sample_bytes(letter), "plain").split("\n")
    assert [] == [line for line in lines if len(line) > 76 and "://" not in line]
    assert [] == [line for line in lines if line != line.rstrip()]
    assert [] == [line for line in lines if line.startswith((".", ">", "|", "From ", "--"))]
    assert [] == [line for line in lines if len(line) > 72 and not line.startswith("  ")]


@each_sample
def test_no_letter_has_two_blank_lines_together_but_in_the_rules(sample):
    name, letter = sample
    words = part_of_letter(sample_bytes(letter), "plain")
    assert ("\n\n\n" in words) == (name == "rules")


def marker_of(raw: bytes) -> str:
    """Return the marker line with its code."""
    return re.search(
        rf"{re.escape(MARKER)}[a-z]{{4}}", part_of_letter(raw, "plain") or part_of_letter(raw, "html")
    )[0]


def preheader_of(raw: bytes) -> str:
    """Return what lists of mails show of an HTML part: the hidden words that it begins with."""
    found = re.search(r'<div style="display:none[^>]*>(.*?)(?:&nbsp;|</div>)', part_of_letter(raw, "html"))
    return unescape(found[1])


@each_part
def test_every_part_begins_with_one_sentence_and_then_the_marker(letter, subtype):
    raw = sample_bytes(letter)
    first, marker, _ = part_as_text(raw, subtype).partition(marker_of(raw))
    assert marker
    if subtype == "html":
        assert "" == first
        assert re.search(r"<body[^>]*>\s*<div style=.display:none", part_of_letter(raw, "html"))
    else:
        assert 2 < len(first.split()) < 45
        assert "\n\n" == first[-2:]
        assert "\n\n" not in first.strip()
    if part_of_letter(raw, "html") and subtype == "plain":
        assert first.split() == preheader_of(raw).split()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("turn", "Your move, Joao: Bill played F2."),
        ("turn-timed", "Your move, Joao: Bill played F2; 8 days and 18 hours left."),
        ("receipt", "Done, Bill: your move 5 is F2. It is Joao's turn, move 6."),
        ("result-won", "You have won, Bill. Joao resigned."),
        ("refused", "This could not be done, Bill: f7: there is no row 7; column f has rows 2, 4 and 6."),
        ("reminder", "A reminder, Bill: Joao played E1; 2 days and 4 hours left."),
    ],
)
def test_what_a_list_of_mails_shows_says_what_happened_or_what_to_do(name, sentence):
    raw = write_sample(SAMPLES[name])
    assert sentence == preheader_of(raw).strip()
    assert f"{sentence}\n\n{MARKER}" in part_of_letter(raw, "plain").replace("\n", " ").replace("  ", "\n\n")


@pytest.mark.parametrize(
    ("name", "sender"),
    [
        ("turn", "Bipod #42: your move"),
        ("receipt", "Bipod #42: Joao's move"),
        ("result-won", "Bipod #42: you won"),
        ("result-lost", "Bipod #42: you lost"),
        ("result-draw", "Bipod #42: drawn"),
        ("result-void", "Bipod #42: void"),
        ("reminder", "Bipod #42: 2 days left"),
        ("flag-grace", "Bipod #42: 1 day left"),
        ("draw-turned-down", "Bipod #42: Joao's move"),
        ("draw", "Bipod #42: a draw offered"),
        ("watched-over", "Bipod #42: Bill won"),
        ("watched", "Bipod #42: Bill's move"),
        ("bundle", "Games at pbem.example.org: 2 boards wait"),
        ("help", "Games at pbem.example.org"),
    ],
)
def test_from_says_the_state_and_the_subject_stays(name, sender):
    letter = SAMPLES[name]
    message = message_from_bytes(write_sample(letter), policy=POLICY)
    assert sender == message["From"].addresses[0].display_name
    assert f"play@{HOST}" == message["From"].addresses[0].addr_spec
    if letter.view:
        assert letter.view.game.title == message["Subject"]


def test_boards_are_seven_bit_and_stand_two_columns_in():
    board = dedent(text(a_game(SEED_GAME).state.picture, last=True))
    words = part_of_letter(write_sample(SAMPLES["result-won"]), "plain")
    assert board.isascii()
    assert "\n".join(f"  {line}" for line in board.split("\n")) in words


@each_sample
def test_nothing_in_a_letter_is_left_to_guess(sample):
    raw = sample_bytes(sample[1])
    for subtype in ("plain", "html"):
        assert not re.search(r"None|undefined|\{\{|\{%|Traceback|object at", part_of_letter(raw, subtype))


def test_a_turn_letter_tells_in_order_whose_turn_what_was_played_said_the_board_and_how_to_answer():
    words = part_of_letter(write_sample(SAMPLES["turn"]), "plain")
    places = [
        words.index(piece)
        for piece in (
            "Your move, Joao: Bill played F2.",
            MARKER,
            "You play move 6",
            "Bill: Your turn. I wonder",
            "The board after move 5, F2:",
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
        words = part_of_letter(write_sample(about_game("turn", view(game, seat, HOST), since=1)), "plain")
        examples = re.search(r"for example (.*?)\. What", " ".join(words.split()))
        found = re.findall(r'"([^"]+)"', examples[1])
        assert found
        for example in found:
            assert None is game.state.position.problem(game.state.position.read(example))


@pytest.mark.parametrize("key", RULES)
def test_whoever_wrote_no_order_is_shown_three_plies_that_are_legal_now(key):
    for moves in ([], [str(next(RULES[key].start({}).moves()))]):
        game = a_game(moves, key=key)
        seen = view(game, game.state.to_play, HOST)
        raw = write_sample(about_game("refused", seen, problems=["No."], read=[], found=["What now?"]))
        words = (
            " ".join(part_of_letter(raw, "plain").split()).partition("for example ")[2].partition(". What")[0]
        )
        found = re.findall(r'"([^"]+)"', words)
        assert 3 == len(set(found))
        for example in found:
            assert None is game.state.position.problem(game.state.position.read(example))
            assert f">{example}</code>" in part_of_letter(raw, "html")


def test_a_newcomer_is_told_nothing_of_what_the_stranger_wrote():
    for name in ("confirm", "confirm-words", "newcomer", "newcomer-orders"):
        assert "Bill" not in part_of_letter(write_sample(SAMPLES[name]), "plain")


# --------------------------------------------------------------------------------- the HTML part


class Page(HTMLParser):
    """The contents of a letter's HTML part: tags, links, board cells."""

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
    page = Page(part_of_letter(write_sample(SAMPLES[name]), "html"))
    return [link for link in page.links if link.startswith("mailto:")]


@each_html
def test_the_html_part_is_well_formed_and_carries_its_own_look(letter):
    html = part_of_letter(sample_bytes(letter), "html")
    page = Page(html)
    assert [] == page.open
    assert [] == [tag for tag, attrs in page.tags if tag in ("script", "link", "img", "svg", "style")]
    assert [] == [attrs for _, attrs in page.tags if any(name.startswith("on") for name in attrs)]
    assert [] == [line for line in html.split("\n") if len(line) > 990]
    assert 'name="color-scheme" content="light dark"' in html


def test_the_html_board_has_a_cell_for_every_field_with_its_words_and_headers():
    game = a_game(SEED_GAME)
    page = Page(part_of_letter(write_sample(SAMPLES["result-won"]), "html"))
    fields = [attrs for tag, attrs in page.tags if tag == "td" and "aria-label" in attrs]
    spots = game.state.picture.spots
    assert [f"{spot.name}: {spot.words}" for spot in spots] == [attrs["aria-label"] for attrs in fields]
    assert 6 == sum(attrs.get("scope") == "row" for _, attrs in page.tags)
    assert 33 == sum(attrs.get("scope") == "col" for _, attrs in page.tags)


def test_the_last_ply_stands_out_in_the_html_board():
    page = Page(part_of_letter(write_sample(SAMPLES["turn"]), "html"))
    marked = [
        a["title"] for tag, a in page.tags if tag == "td" and "2px solid #C8102E" in (a.get("style") or "")
    ]
    assert ["F2: a block, move 5"] == marked


def test_links_begin_a_mail_to_the_reply_address_with_what_may_be_played_now():
    links = [
        link
        for link in Page(part_of_letter(write_sample(SAMPLES["turn"]), "html")).links
        if link.startswith("mailto:")
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
    html = part_of_letter(write_sample(next(x for x in said.letters if x.kind == "turn")), "html")
    assert "&lt;script&gt;" in html
    assert "&lt;b&gt;bold&lt;/b&gt; {{ 7 * 7 }}" in html
    assert "<script" not in html


# ------------------------------------------------------------- a letter that comes back, and answers


@each_sample
def test_our_own_letter_is_known_when_it_comes_back(sample):
    raw = sample_bytes(sample[1])
    for host in (HOST, None):
        back = parse_mail(raw, Envelope("somebody@example.com", f"play+{TOKEN}@{HOST}"), host)
        assert "loop" == back.kind


@each_sample
def test_an_answer_above_the_quoted_letter_is_all_that_is_read(sample):
    raw = reply_mail(Arrived(sample_bytes(sample[1])), "joao@example.net", "h4 h6\n\nSo there.")
    inbound = parse_mail(raw, Envelope("joao@example.net", f"play+{TOKEN}@{HOST}"), HOST)
    assert ("person", "h4 h6\n\nSo there.", True) == (inbound.kind, inbound.words, inbound.marked)


@each_part
def test_an_answer_between_the_quoted_lines_or_below_them_is_read(letter, subtype):
    quoted = [f"> {line}".rstrip() for line in part_as_text(sample_bytes(letter), subtype).splitlines()]
    for at in (4, len(quoted) // 2, len(quoted)):
        lines = ["Bill wrote:", *quoted[:at], "", "h4 h6", "", *quoted[at:]]
        assert ("h4 h6", "", True) == split_words(normalise("\n".join(lines)))


@each_part
def test_an_answer_above_the_letter_is_all_that_is_read_where_nothing_marks_the_quote(letter, subtype):
    quoted = part_of_letter(sample_bytes(letter), subtype)
    mail = EmailMessage()
    mail["From"] = "joao@example.net"
    mail["To"] = f"play+{TOKEN}@{HOST}"
    if subtype == "html":
        mail.set_content(f"<div>h4 h6</div><div><br></div>{quoted}", subtype="html")
    else:
        mail.set_content(f"h4 h6\n\n{quoted}")
    inbound = parse_mail(mail.as_bytes(), Envelope("joao@example.net", f"play+{TOKEN}@{HOST}"), HOST)
    assert ("h4 h6", True) == (inbound.words, inbound.marked)


# ------------------------------------------------------------------------------------- templates


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_there_is_help_on_every_word_that_is_offered(word):
    letter = to_player("help", BILL, topic=word, offered=OFFERED, examples=USUAL)
    for subtype in ("plain", "html"):
        words = part_as_text(write_sample(letter), subtype)
        assert "no help on" not in words
        assert "what there is to say on" in " ".join(words.split())


def test_words_in_any_script_come_through():
    said = "Olá João! Привет. 你好，世界。 שלום 🙂"
    letter = about_game("chat", view(a_game(), 1, HOST), words=said)
    raw = write_sample(letter)
    assert said in part_of_letter(raw, "plain")
    assert said in unescape(part_of_letter(raw, "html"))
    assert raw.isascii()


def test_an_operators_own_template_is_used(tmp_path):
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "turn.txt").write_text(
        "Subject: {{ view.game.title }}\n\n{{ marker }}\n\nMove, {{ to }}!\n"
    )
    words = part_of_letter(write_sample(SAMPLES["turn"], replace(HOUSE, templates=tmp_path)), "plain")
    assert f"Move, Joao!\n\n{MARKER}" == words.strip()[:-4]


def test_a_template_that_asks_for_what_nobody_gave_is_logged_and_ours_takes_its_place(tmp_path, caplog):
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "turn.txt").write_text("Subject: x\n\n{{ nonsense }}\n")
    assert write_sample(SAMPLES["turn"]) == write_sample(SAMPLES["turn"], replace(HOUSE, templates=tmp_path))
    assert "own templates cannot make a letter turn, so ours do: 'nonsense' is undefined" in caplog.text


def test_all_templates_can_be_loaded():
    letters, frames = environments()
    for path in (folders()[0] / "mail").iterdir():
        if path.suffix != ".css":
            shelf = frames if path.suffix == ".html" else letters
            assert shelf.get_template(f"mail/{path.name}").name


def test_an_operators_own_template_makes_both_parts(tmp_path):
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "turn.txt").write_text(
        "Subject: {{ view.game.title }}\n\n{{ marker }}\n\n# Move, {{ to }}:\nwrite `show` **now**.\n"
    )
    raw = write_sample(SAMPLES["turn"], replace(HOUSE, templates=tmp_path))
    assert f'Move, Joao: write "show" now.\n\n{MARKER}' == part_of_letter(raw, "plain").strip()[:-4]
    said = re.sub(r' style="[^"]*"', "", part_of_letter(raw, "html"))
    assert "<h1>Move, Joao</h1>\n<p>Write <code>show</code> <b>now</b>.</p>" in said


OWN_HTML = """{% extends "mail/_layout.html" %}
{% block letter %}
<h1>Move, {{ to }}!</h1>
<p>For example {{ examples(view.examples) }}, or {{ answer("resign") }}.</p>
{{ board(view.state.picture, "Now") }}
{{ buttons("resign") }}
{{ player_words("<b>Hm</b>", "Bill") }}
{% endblock %}
"""


def own_folder(folder: Path, **templates: str) -> Path:
    (folder / "mail").mkdir()
    for name, source in templates.items():
        (folder / "mail" / f"{name}.html").write_text(source)
    return folder


def test_an_operators_own_html_template_makes_the_html_part_alone(tmp_path):
    own = own_folder(tmp_path, turn=OWN_HTML)
    raw, ours = (write_sample(SAMPLES["turn"], replace(HOUSE, templates=each)) for each in (own, None))
    assert {} == faults_of_templates(own)
    assert part_of_letter(ours, "plain") == part_of_letter(raw, "plain")
    html = part_of_letter(raw, "html")
    said = re.sub(r' style="[^"]*"', "", html)
    assert "<h1>Move, Joao!</h1>" in said
    assert "For example <code>k3</code>," in said
    assert "F2: a block, move 5" in said
    assert "<b>Bill:</b> &lt;b&gt;Hm&lt;/b&gt;" in said
    link = f"mailto:play+{TOKEN}@{HOST}?subject=Re%3A%20Bipod%20%2342%3A%20Bill%20-%20Joao&body=resign"
    assert [link, link] == [each for each in Page(html).links if each.startswith("mailto:")]


@pytest.mark.parametrize(
    ("name", "source", "fault"),
    [
        ("turn", '{% include "mail/_board.html" %}', "there is no mail/_board.html"),
        ("turn", "{% if %}", "Expected an expression"),
        ("turn", "{{ to | shouted }}", "shouted"),
        ("turn", "{{ mailto(reply_to, to) }}", "there is no mailto()"),
        ("turn", '<p class="loud">{{ to }}</p>', "no class 'loud'"),
        ("trun", "<p>{{ to }}</p>", "no letter has this name"),
    ],
)
def test_an_own_html_template_that_cannot_be_used_is_named_and_ours_takes_its_place(
    tmp_path, name, source, fault
):
    own = own_folder(tmp_path, **{name: source})
    ((path, told),) = faults_of_templates(own).items()
    assert f"mail/{name}.html" == path
    assert f"{own}/mail/{name}.html is not used: " in told
    assert fault in told
    ours = write_sample(SAMPLES["turn"])
    assert ours == write_sample(SAMPLES["turn"], replace(HOUSE, templates=own))


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("Subject: x\n\n{% if %}\n", "line 3: Expected an expression"),
        ("Subject: x\n{{ to | shouted }}\n", "shouted"),
        ('Subject: x\n{% include "mail/_borad.txt" %}\n', "there is no mail/_borad.txt"),
        ("Subject: x\n{{ marker }}\n{{ nobody_gave_this }}\n", ""),
    ],
)
def test_an_own_text_that_cannot_be_used_is_named_and_ours_takes_its_place(tmp_path, source, fault):
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail/turn.txt").write_text(source)
    found = faults_of_templates(tmp_path)
    assert bool(fault) == bool(found)
    assert fault in found.get("mail/turn.txt", "")
    assert write_sample(SAMPLES["turn"]) == write_sample(SAMPLES["turn"], replace(HOUSE, templates=tmp_path))


def test_an_own_page_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "web").mkdir()
    (tmp_path / "web/front.html").write_text("<p>\n{% endif %}")
    assert "web/front.html cannot be shown: line 2: " in faults_of_templates(tmp_path)["web/front.html"]


def test_what_own_html_templates_include_is_used(tmp_path):
    own = own_folder(tmp_path, turn='{% include "mail/_hello.html" %}', _hello="<p>Hello, {{ to }}.</p>")
    assert {} == faults_of_templates(own)
    raw = write_sample(SAMPLES["turn"], replace(HOUSE, templates=own))
    assert "Hello, Joao." in part_of_letter(raw, "html")


def test_no_capital_letter_is_forced_on_a_name():
    template = "Subject: x\n\n# So:\n{{ name }} plays.\n\n# Then:\nyour turn, {{ name }}.\n"
    letters, _ = environments()
    rendered = letters.from_string(template).render(name="joao").partition("\n")[2]
    html, _ = marks.html_of(rendered, "x", None, {})
    assert "<h1>So</h1>\n<p>joao plays.</p>\n<h1>Then</h1>\n<p>Your turn, joao.</p>" == html


# ------------------------------------------------------------------------ the same words in both parts


BESIDE_A_BUTTON = "You can also choose your move on the board, in a web browser:"
"""What the text says where HTML has a button."""
BLOCKS = r"</?(?:p|h1|h2|ul|li|table|caption|tr|th|td|pre|div|br|colgroup|col|thead|tbody)\b[^>]*>"


def words_in(said: str) -> list[str]:
    """The words in their order, without addresses."""
    return re.findall(r"\w+", re.sub(r"https?://\S+", " ", said).lower())


def labels_in(html: str) -> set[str]:
    """What stands before each line of what somebody wrote."""
    paragraphs = re.findall(r'(?s)<p style="[^"]*border-left[^"]*">(.*?)</p>', html)
    return {unescape(label) for said in paragraphs for label in re.findall(r"<b>(.*?)</b> ", said)}


def subject_of(raw: bytes) -> str:
    return str(message_from_bytes(raw, policy=POLICY)["Subject"])


def words_of_html(html: str, subject: str) -> list[str]:
    """The words of an HTML part but those of its buttons, its addresses and the labels of what is quoted.

    A letter without a heading of its own has its subject there, which its text part does not repeat.
    """
    body = html.partition("<body")[2].partition(">")[2]
    body = re.sub(r'<div style="display:none.*?</div>|<p [^>]*>##- write.*?</p>', "", body)
    body = re.sub(r"(?s)<h1[^>]*>(.*?)</h1>", lambda h1: _but(subject, h1), body, count=1)
    body = re.sub(r"(<(?:p|li|h1|h2)\b[^>]*>)here: ", r"\1", body)
    body = re.sub(r'(?s)<a style="display:inline-block[^>]*>.*?</a>', " ", body)
    body = re.sub(r"(?s)<a [^>]*>Write &#8220;.*?</a>", " ", body)
    body = re.sub(r'(?s)<a [^>]*href="https?://([^"]*)">\1</a>', " ", body)
    for quoted in re.findall(r'(?s)<p style="[^"]*border-left[^"]*">.*?</p>', body):
        body = body.replace(quoted, re.sub(r"<b>.*?</b>", " ", quoted))
    return words_in(unescape(re.sub(r"<[^>]*>", "", re.sub(BLOCKS, " ", body))))


def _but(subject: str, heading: re.Match[str]) -> str:
    words = " ".join(unescape(re.sub("<[^>]*>", "", heading[1])).split())
    return " " if words == subject.rstrip(":. ") else heading[0]


def words_of_text(text: str, labels: set[str]) -> list[str]:
    """The words of a text part, likewise; a list of stones goes on behind a word of its own."""
    for label in labels:
        text = re.sub(rf"(?m)^  {re.escape(label)} ", "\0", text)
    text = re.sub(r"(https?://\S+)\n\0(\S+)", r"\1\2", text)
    text = re.sub(r"(?m)^      and ", " ", text)
    text = re.sub(r"(?m)^here: |^##- write.*\n", "", text)
    return words_in(" ".join(text.split()).replace(BESIDE_A_BUTTON, ""))


def with_board_in_signs(letter: Letter) -> Letter:
    """The letter as its reader has it who wants the board in signs, so that both parts have the same."""
    if letter.player is None and "first_board" not in letter.facts:
        return letter
    reader = letter.player or BILL
    preferences = replace(reader.preferences, board="text")
    return replace(letter, player=replace(reader, preferences=preferences))


@pytest.mark.parametrize("name", CHOSEN)
def test_both_parts_say_the_same_words(name):
    raw = write_sample(with_board_in_signs(SAMPLES[name]))
    text, html = part_of_letter(raw, "plain"), part_of_letter(raw, "html")
    if name == "rules":  # the text of a game's rules begins with its name, the letter with its subject
        text = text.replace("The rules of Bipod.", "").replace("BIPOD\na game by", "a game by")
    if text and html:
        assert words_of_text(text, labels_in(html)) == words_of_html(html, subject_of(raw))


@pytest.mark.parametrize("name", CHOSEN)
def test_a_letter_has_plain_words_and_calls_a_players_move_a_move(name):
    parts = [part_of_letter(write_sample(SAMPLES[name]), kind) for kind in ("plain", "html")]
    assert [] == old_words(re.sub(r"<[^>]*>|<style.*?</style>", " ", " ".join(parts), flags=re.DOTALL))


def test_no_sentence_is_joined_to_the_next() -> None:
    joined = re.compile(r"[a-z\"]\.[A-Z][a-z]+ ")
    assert [] == [path.name for path in sorted(GOLDEN.iterdir()) if joined.search(path.read_text())]


def test_the_welcome_and_the_page_of_rules_say_which_help_is_allowed():
    allowed = (
        "Your own notes, books, {} and lessons are always allowed. Use no engine and no hints in rated games."
    )
    letter = part_of_letter(write_sample(SAMPLES["welcome"]), "plain")
    assert allowed.format('"try"') in " ".join(letter.split())
    assert allowed.format("<code>try</code>") in Path("templates/web/all_rules.html").read_text()


PAGES = [*Path("templates/web").rglob("*.html"), *Path("templates/rules").glob("*.[ht][tx][mt]*")]


@pytest.mark.parametrize("path", sorted(PAGES), ids=str)
def test_a_page_has_plain_words_and_calls_a_players_move_a_move(path):
    words = re.sub(r"\{[{%#].*?[}%#]\}|<[^>]*>", " ", path.read_text(), flags=re.DOTALL)
    shown = re.findall(r'(?:title|aria-label|alt|content)="([^"{]*)', path.read_text())
    assert [] == old_words(" ".join([words, *shown]))
