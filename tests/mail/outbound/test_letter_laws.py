"""Laws of all letters: one test a kind writes each letter once and tries every law on it.

Golden files lie in `tests/mail/golden`: the whole mail (`.eml`, lines ended by newlines) for the first
variant of every kind, headers and text part (`.txt`) for the others. After an intended change,
`UPDATE_GOLDEN=1 pytest tests/mail/outbound/test_letter_laws.py` rewrites them; then review the difference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from html import unescape
from pathlib import Path

import pytest

from pbem.core.letters.letter import Letter
from pbem.core.parsing.commands import WORDS
from pbem.core.parsing.inbound import Envelope
from pbem.core.parsing.normalise import normalise
from pbem.core.parsing.reply_text import MARKER, split_words
from pbem.core.preferences.letter_kinds import KINDS
from pbem.mail.inbound.parse import parse_mail
from pbem.mail.person.mailbox import ReceivedLetter as Arrived
from pbem.mail.person.mailbox import reply_mail
from tests.mail.letters import (
    CHOSEN,
    POLICY,
    SAMPLES,
    Page,
    each_kind,
    letters_in,
    of_kind,
    part_as_text,
    part_of_letter,
    sample_bytes,
    samples,
    write_sample,
)
from tests.mail.sample_values import TOKEN
from tests.people import BILL, HOST
from tests.plain_words import old_words

LAWS: list[Callable[[str, Letter], None]] = []


def law(check: Callable[[str, Letter], None]) -> Callable[[str, Letter], None]:
    """Add a law of letters."""
    LAWS.append(check)
    return check


def law_of_parts(*subtypes: str) -> Callable[[Callable[[Letter, str], None]], None]:
    """Add a law of these parts of letters, as far as their reader gets them."""

    def add(check: Callable[[Letter, str], None]) -> None:
        def check_parts(_name: str, letter: Letter) -> None:
            for subtype in subtypes:
                if part_of_letter(sample_bytes(letter), subtype):
                    check(letter, subtype)

        check_parts.__name__ = check.__name__
        law(check_parts)

    return add


@each_kind
def test_letters_of_every_kind_keep_all_laws(kind: str, subtests: pytest.Subtests) -> None:
    for name in CHOSEN.keys() & of_kind(kind).keys():
        for check in LAWS:
            with subtests.test(letter=name, law=check.__name__):
                check(name, SAMPLES[name])


GOLDEN = Path(__file__).parents[1] / "golden"


FIRST_FACES = {letter.kind: name for name, letter in reversed(SAMPLES.items())}


def golden(name: str, letter: Letter) -> tuple[Path, str]:
    """Return the path of a sample's golden file, and its expected content."""
    raw = sample_bytes(letter)
    if FIRST_FACES[letter.kind] == name:
        return GOLDEN / f"{name}.eml", raw.decode().replace("\r\n", "\n")
    head = raw.decode().partition("MIME-Version")[0].replace("\r\n", "\n")
    return GOLDEN / f"{name}.txt", f"{head}\n{part_of_letter(raw, 'plain') or part_of_letter(raw, 'html')}"


@each_kind
def test_every_letter_is_written_as_its_golden_file_has_it(kind: str, subtests: pytest.Subtests) -> None:
    for name, letter in of_kind(kind).items():
        path, now = golden(name, letter)
        if os.environ.get("UPDATE_GOLDEN"):
            GOLDEN.mkdir(exist_ok=True)
            path.write_text(now)
        with subtests.test(letter=name):
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


@law_of_parts("html")
def no_line_breaks_between_a_move_in_a_sentence_and_the_word_before_it(letter, subtype):
    assert [] == re.findall(
        r"\w[,:]?[ \n]<code>[^<]*",
        re.sub("<li class=.move[^s].*", "", part_of_letter(sample_bytes(letter), "html")),
    )


@law_of_parts("plain")
def the_text_part_is_narrow_and_survives_every_host(letter, subtype):
    lines = part_of_letter(sample_bytes(letter), "plain").split("\n")
    assert [] == [line for line in lines if len(line) > 76 and "://" not in line]
    assert [] == [line for line in lines if line != line.rstrip()]
    assert [] == [line for line in lines if line.startswith((".", ">", "|", "From ", "--"))]
    assert [] == [line for line in lines if len(line) > 72 and not line.startswith("  ")]


@law
def no_letter_has_two_blank_lines_together_but_in_the_rules(name, letter):
    words = part_of_letter(sample_bytes(letter), "plain")
    assert ("\n\n\n" in words) == (name == "rules")


def marker_of(raw: bytes) -> str:
    """Return the marker line with its code."""
    return re.search(
        rf"{re.escape(MARKER)}[a-z]{{4}}", part_of_letter(raw, "plain") or part_of_letter(raw, "html")
    )[0]


@law_of_parts("plain", "html")
def every_part_begins_with_one_sentence_and_then_the_marker(letter, subtype):
    raw = sample_bytes(letter)
    first, marker, _ = part_as_text(raw, subtype).partition(marker_of(raw))
    assert marker
    assert 2 < len(first.split()) < 45
    if subtype == "html":
        assert letters_in(part_as_text(raw, "plain").partition(MARKER)[0]) in ("", letters_in(first))
    else:
        assert "\n\n" == first[-2:]
        assert "\n\n" not in first.strip()


@law
def nothing_in_a_letter_is_left_to_guess(name, letter):
    raw = sample_bytes(letter)
    for subtype in ("plain", "html"):
        assert not re.search(r"None|undefined|\{\{|\{%|Traceback|object at", part_of_letter(raw, subtype))


@law_of_parts("html")
def the_html_part_is_well_formed_and_carries_its_own_look(letter, subtype):
    html = part_of_letter(sample_bytes(letter), "html")
    page = Page(html)
    assert [] == page.open
    assert [] == [tag for tag, attrs in page.tags if tag in ("script", "link", "img", "svg")]
    assert [] == [attrs for _, attrs in page.tags if any(name.startswith("on") for name in attrs)]
    assert 2 + html.count("<table class=board") == sum("style" in attrs for _, attrs in page.tags)
    assert [] == [line for line in html.split("\n") if len(line) > 990]
    assert 'name="color-scheme" content="light dark"' in html


MAX_HTML, EACH_BOARD, EACH_COMMAND = 12 * 1024, 6 * 1024, 330
"""Bytes of a letter's HTML with one board, of each further board, and of a command in the help on all."""


@law_of_parts("html")
def the_html_part_is_short(letter, subtype):
    html = part_of_letter(sample_bytes(letter), "html").encode("ascii", "xmlcharrefreplace")
    further = max(0, html.count(b"<table class=board") - 1)
    room = len(WORDS) * EACH_COMMAND if SAMPLES["help-all"] is letter else MAX_HTML + EACH_BOARD * further
    assert len(html) <= room


@law
def our_own_letter_is_known_when_it_comes_back(name, letter):
    raw = sample_bytes(letter)
    for host in (HOST, None):
        back = parse_mail(raw, Envelope("somebody@example.com", f"play+{TOKEN}@{HOST}"), host)
        assert "loop" == back.kind


@law
def an_answer_above_the_quoted_letter_is_all_that_is_read(name, letter):
    raw = reply_mail(Arrived(sample_bytes(letter)), "joao@example.net", "h4 h6\n\nSo there.")
    inbound = parse_mail(raw, Envelope("joao@example.net", f"play+{TOKEN}@{HOST}"), HOST)
    assert ("person", "h4 h6\n\nSo there.", True) == (inbound.kind, inbound.words, inbound.marked)


@law_of_parts("plain", "html")
def an_answer_between_the_quoted_lines_or_below_them_is_read(letter, subtype):
    quoted = [f"> {line}".rstrip() for line in part_as_text(sample_bytes(letter), subtype).splitlines()]
    for at in (4, len(quoted) // 2, len(quoted)):
        lines = ["Bill wrote:", *quoted[:at], "", "h4 h6", "", *quoted[at:]]
        assert ("h4 h6", "", True) == split_words(normalise("\n".join(lines)))


@law_of_parts("plain", "html")
def an_answer_above_the_letter_is_all_that_is_read_where_nothing_marks_the_quote(letter, subtype):
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


BESIDE_A_BUTTON = "You can also choose your move on the board, in a web browser:"
"""What the text says where HTML has a button."""


BLOCKS = r"</?(?:p|h1|h2|ul|li|table|caption|tr|th|td|pre|div|br|colgroup|col|thead|tbody)\b[^>]*>"


def words_in(said: str) -> list[str]:
    """The words in their order, without addresses."""
    return re.findall(r"\w+", re.sub(r"https?://\S+", " ", said).lower())


def labels_in(html: str) -> set[str]:
    """What stands before each line of what somebody wrote."""
    paragraphs = re.findall(r'(?s)<p class="words">(.*?)</p>', html)
    return {unescape(label) for said in paragraphs for label in re.findall(r"<b>(.*?)</b> ", said)}


def words_of_html(html: str) -> list[str]:
    """The words of an HTML part but those of its buttons, its addresses and the labels of what is quoted."""
    body = html.partition("<body")[2].partition(">")[2]
    body = re.sub(r"<p [^>]*>##- write.*?</p>", "", body)
    body = re.sub(r"(<(?:p|li|h1|h2)\b[^>]*>)here: ", r"\1", body)
    body = re.sub(r'(?s)<a class="(?:first|button)"[^>]*>.*?</a>', " ", body)
    body = re.sub(r"(?s)<a [^>]*>Write &#8220;.*?</a>", " ", body)
    body = re.sub(r'(?s)<a [^>]*href="https?://([^"]*)">\1</a>', " ", body)
    for quoted in re.findall(r'(?s)<p class="words">.*?</p>', body):
        body = body.replace(quoted, re.sub(r"<b>.*?</b>", " ", quoted))
    return words_in(unescape(re.sub(r"<[^>]*>", "", re.sub(BLOCKS, " ", body))))


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
    if letter.player is None and "first_board" not in letter.told:
        return letter
    reader = letter.player or BILL
    preferences = replace(reader.preferences, board="text")
    return replace(letter, player=replace(reader, preferences=preferences))


@law
def both_parts_say_the_same_words(name, letter):
    raw = write_sample(with_board_in_signs(letter))
    text, html = part_of_letter(raw, "plain"), part_of_letter(raw, "html")
    if name == "rules":  # the text of a game's rules begins with its name, which the letter has said
        text = text.replace("BIPOD\na game by", "a game by")
    if text and html:
        assert words_of_text(text, labels_in(html)) == words_of_html(html)


@law
def a_letter_has_plain_words_and_calls_a_players_move_a_move(name, letter):
    parts = [part_of_letter(sample_bytes(letter), kind) for kind in ("plain", "html")]
    assert [] == old_words(re.sub(r"<style.*?</style>|<[^>]*>", " ", " ".join(parts), flags=re.DOTALL))


def test_no_sentence_is_joined_to_the_next() -> None:
    joined = re.compile(r"[a-z\"]\.[A-Z][a-z]+ ")
    assert [] == [path.name for path in sorted(GOLDEN.iterdir()) if joined.search(path.read_text())]


@law
def the_bytes_are_what_the_standard_library_writes_without_folding(name, letter):
    raw = sample_bytes(letter)
    assert raw == message_from_bytes(raw, policy=POLICY).as_bytes()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert max(map(len, raw.split(b"\r\n"))) <= 998


@law_of_parts("plain")
def no_list_says_more(letter, subtype):
    assert ", more:" not in part_of_letter(sample_bytes(letter), "plain")
