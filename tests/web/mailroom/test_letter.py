"""Letters in the mailroom: links, whole paragraphs, buttons' answers."""

from __future__ import annotations

import pytest
from markupsafe import Markup

from pbem.core.parsing.reply_text import MARKER
from pbem.core.redact import mask_hosts
from pbem.mail.person.compose import MailDraft, compose, quote
from pbem.mail.person.mailbox import ReceivedLetter
from pbem.web.filters import mailto, outcome_suffix, words_to_html
from pbem.web.mailroom.letter import Links, blocks, join_wrapped_lines, mailto_links
from tests.people import NOON

LINKS = Links("localhost", "http://127.0.0.1:8000", "bill@example.org")

LETTER = """\
Your turn, Bill.

To play, answer this letter with your move at the top, on a line of its
own, for example "k3". What you write below it goes to Joao.
Good luck!

  ___________
  . . @ . Q .   1
   . . x . .    2
  abcdefghijk

  On the web:  http://127.0.0.1:8000/games/1
"""


@pytest.mark.parametrize(
    ("text", "in_columns"),
    [
        (
            "  A game:   play\n  Computer: challenge\n  A friend: ask\n      and wait\n  All else: help\n",
            False,
        ),
        ("  1  Bill  1523\n  2  Joao  1500\n  3  Anna  1490\n  4  Carl  1480\n", True),
    ],
)
def test_a_list_with_labels_wraps_and_a_table_keeps_its_columns(text: str, in_columns: bool) -> None:
    (piece,) = blocks(text, LINKS)
    assert in_columns == piece.in_columns


def test_boards_are_kept_apart_from_words() -> None:
    pieces = list(blocks(LETTER, LINKS))
    assert [False, True, False, False] == [piece.in_columns for piece in pieces]
    assert "  . . @ . Q .   1\n   . . x . .    2" in pieces[1].html


def test_a_board_is_named_by_the_line_that_announces_it_and_other_columns_are_not() -> None:
    board = "  ___________\n  . . @ . Q .   1\n   . . x . .    2\n  abcdefghijk\n"
    for announced, name in (("The board after move 4:", "The board after move 4"), ("Hi!", "A board")):
        assert name == list(blocks(f"{announced}\n\n{board}", LINKS))[1].board
    (stones,) = blocks("  Left (@): k1\n  Right start (Q): w1\n  Blocks (x): g1\n  Cut off (:): 8\n", LINKS)
    assert (True, "") == (stones.in_columns, stones.board)


def test_the_marker_is_seen_and_not_heard() -> None:
    (piece,) = blocks(f"Your move, Bill.\n\n{MARKER}abcd\n\nYou play.", LINKS)
    assert f'\n<span aria-hidden="true">{MARKER}abcd</span>\n' in piece.html


def test_lines_that_were_filled_become_whole_again_and_others_stay() -> None:
    filled = 'on a line of its own, for example "k3". What you write below it goes to Joao.'
    words = join_wrapped_lines(LETTER.split("\n")[:6])
    assert words[2].endswith(filled)
    assert ["Good luck!", ""] == words[3:]


def test_an_indented_line_goes_on_under_itself_where_the_page_breaks_it() -> None:
    (piece,) = blocks("  Bagel, by Phil Leduc, 2021\n      Rows score.\n", LINKS)
    assert (
        '<span class="in2">Bagel, by Phil Leduc, 2021</span>\n<span class="in6">Rows score.</span>'
        == piece.html
    )


def test_links_to_our_pages_stay_on_this_machine_and_addresses_open_the_form() -> None:
    assert '<a href="/games/1">http://127.0.0.1:8000/games/1</a>.' == LINKS.live(
        "http://127.0.0.1:8000/games/1."
    )
    away = LINKS.live("http://127.0.0.1:8000//example.org")
    assert '<a href="/example.org">http://127.0.0.1:8000//example.org</a>' == away
    assert '<a href="/">http://127.0.0.1:8000</a>' == LINKS.live("http://127.0.0.1:8000")
    assert '<a href="https://example.org/x">https://example.org/x</a>' == LINKS.live("https://example.org/x")
    address = "/mailroom/new?from=bill%40example.org&amp;to=play%2Babc%40localhost"
    assert f'<a href="{address}">play+abc@localhost</a>' == LINKS.live("play+abc@localhost")


def test_what_looks_like_markup_in_a_letter_is_text() -> None:
    assert "&lt;b&gt;x&lt;/b&gt; a@localhost.example.org" == LINKS.live("<b>x</b> a@localhost.example.org")


def test_the_buttons_of_a_letter_are_found_with_what_they_would_write() -> None:
    html = (
        '<a href="mailto:play+abc@localhost?subject=Re%3A%20Bipod%20%231&amp;body=accept">Accept</a>'
        '<a href="http://x/">no</a><a href="mailto:play@localhost">write</a>'
    )
    assert [("play+abc@localhost", "accept"), ("play@localhost", "")] == list(mailto_links(html))


def test_a_mailto_link_reads_as_it_was_written() -> None:
    link = mailto("play+abc@localhost", subject="Bipod #1: a & b", body="f2 g3\nHello + you")
    assert (
        "mailto:play+abc@localhost?subject=Bipod%20%231%3A%20a%20%26%20b&body=f2%20g3%0D%0AHello%20%2B%20you"
        == link
    )
    html = Markup('<a class="button" href="{}">Play</a>').format(link)
    assert [("play+abc@localhost", "f2 g3\nHello + you")] == list(mailto_links(html))


def test_a_composed_mail_says_what_it_answers_and_quotes_below() -> None:
    draft = MailDraft(
        "bill@example.org",
        "play+abc@localhost",
        "Re: Bipod #1",
        "f2 g3\r\n\r\nGruß",
        in_reply_to="<a@localhost>",
        references="<r@localhost> <a@localhost>",
        quoted=quote("Your turn.\n\n  . . x\n", "Bipod #1", "1 March 2026"),
    )
    mail = ReceivedLetter(compose(draft, "<1@example.org>", NOON))
    assert "f2 g3\n\nGruß\n\nOn 1 March 2026, Bipod #1 wrote:\n> Your turn.\n>\n>   . . x\n" == mail.text
    assert ("<a@localhost>", "<r@localhost> <a@localhost>", "<1@example.org>") == tuple(
        mail.header(name) for name in ("In-Reply-To", "References", "Message-ID")
    )
    assert "Sun, 01 Mar 2026 12:00:00 +0000" == mail.header("Date")


def test_a_subject_cannot_bring_headers_with_it() -> None:
    draft = MailDraft("bill@example.org", "play@localhost", "x\r\nBcc: all@example.org", "help")
    mail = ReceivedLetter(compose(draft, "<1@example.org>", NOON))
    assert ("x Bcc: all@example.org", "") == (mail.header("Subject"), mail.header("Bcc"))


def test_players_words_lose_hosts_of_addresses_and_nothing_else() -> None:
    assert "bill@… or <joao@…>, 3 @ 4, @home f2@" == mask_hosts(
        "bill@example.org or <joao@a.b-c.de>, 3 @ 4, @home f2@"
    )
    assert 400_000 == len(mask_hosts("a" * 400_000))


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("Light wins: 36 points to 8", " as Light: 36 points to 8"),
        ("Joao resigned", ": Joao resigned"),
        ("The director decided: White wins: by a hair", ": The director decided: White wins: by a hair"),
    ],
)
def test_a_result_names_the_winner_once(reason: str, told: str) -> None:
    assert told == outcome_suffix(reason)


def test_players_words_become_paragraphs() -> None:
    assert "<p>One<br>two</p><p>&amp; three</p>" == words_to_html("One\ntwo\n\n\n& three\n")
