"""Headers of letters, and text that nobody can inject into them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from pbem.core.game.view import view
from pbem.core.letters.facts import TurnFacts
from pbem.core.letters.letter import about_game
from pbem.mail.outbound.message import LetterHeaders, write
from tests.mail.letters import (
    SAMPLES,
    headers_of,
    parse_sample,
    sample_headers,
    write_sample,
)
from tests.mail.sample_values import BIPOD, HOUSE, TOKEN
from tests.people import BILL, HOST, JOAO, NOON, SEED_GAME, a_game


def test_a_game_letter_says_in_its_headers_what_it_is():
    headers = headers_of(write_sample(SAMPLES["turn"]))
    assert (
        '"Your move: Bipod #42" <play@pbem.example.org>'
        in parse_sample(write_sample(SAMPLES["turn"])).as_string()
    )
    assert "joao@example.net" in headers["To"]
    assert f"play+{TOKEN}@{HOST}" == headers["Reply-To"]
    assert "Bipod #42: Bill - Joao" == headers["Subject"]
    assert f"<g42.games.{HOST}>" == headers["List-Id"]
    assert "All" == headers["X-Auto-Response-Suppress"]
    assert HOST == headers["X-PBEM-Loop"]
    assert ("42", "5", "second") == tuple(headers[f"X-PBEM-{name}"] for name in ("Game", "Ply", "Turn"))
    assert SAMPLES["turn"].view.fingerprint == headers["X-PBEM-Fingerprint"]
    assert "over" == headers_of(write_sample(SAMPLES["result-won"]))["X-PBEM-Turn"]


def test_every_letter_of_a_game_has_the_same_subject_while_the_same_two_play():
    games = [
        (letter.view.game, headers_of(write_sample(letter))) for letter in SAMPLES.values() if letter.view
    ]
    for game, headers in games:
        first, second = (player.name for player in game.seats)
        assert f"{game.rules.name} #{game.id}: {first} - {second}" == headers["Subject"]
    assert {"Bill", "Anna"} == {game.seats[0].name for game, _ in games}


def test_letters_of_the_lobby_have_no_list_and_no_game():
    headers = headers_of(write_sample(SAMPLES["welcome"]))
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
    raw = write(letter, replace(sample_headers(letter), in_reply_to=in_reply_to), HOUSE)
    assert wanted == headers_of(raw)["Auto-Submitted"]


def test_letters_that_can_be_stopped_say_how_with_one_click():
    headers = headers_of(write_sample(SAMPLES["turn"]))
    away = TOKEN[::-1]
    wanted = f"<https://{HOST}/unsubscribe/{away}>, <mailto:play+{away}@{HOST}?subject=unsubscribe>"
    assert wanted == headers["List-Unsubscribe"]
    assert "List-Unsubscribe=One-Click" == headers["List-Unsubscribe-Post"]


def test_a_site_without_https_promises_no_one_click():
    letter = SAMPLES["turn"]
    raw = write(
        letter, replace(sample_headers(letter), unsubscribe_web="http://localhost:8080/unsubscribe/x"), HOUSE
    )
    assert "List-Unsubscribe-Post" not in headers_of(raw)


def test_long_ids_stay_whole_and_the_last_ones_are_kept():
    letter = SAMPLES["turn"]
    long = tuple(f"<{number}{'x' * 220}@mail.example.org>" for number in range(9))
    headers = headers_of(
        write(letter, replace(sample_headers(letter), references=long, in_reply_to=long[-1]), HOUSE)
    )
    assert long[-1] == headers["In-Reply-To"]
    assert long[-3:] == tuple(headers["References"].split())


EVIL = "x\r\nBcc: everybody@example.com\r\n\r\nBuy!\n\x00\x1b[2J\u202e\u2028<a@b>"


def test_nothing_that_came_from_outside_can_add_a_header_or_a_body():
    person = replace(JOAO, name=f"Joao{EVIL}", address=f"joao@example.net{EVIL}")
    game = replace(a_game(SEED_GAME[:4]), seats=(BILL, person))
    letter = about_game("chat", view(game, 1, HOST), words=EVIL)
    headers = replace(
        sample_headers(letter),
        in_reply_to=f"<{EVIL}>",
        references=(f"<{EVIL}>", "<good@mail.example.org>", "bad", "<a b@c>", "<é@c>"),
        unsubscribe_mail=f"play@{HOST}{EVIL}",
        unsubscribe_web=f"https://{HOST}/{EVIL}",
        reply_to=f"play@{HOST}{EVIL}",
    )
    raw = write(letter, headers, HOUSE)
    head = raw.partition(b"\r\n\r\n")[0]
    known = set(headers_of(write_sample(SAMPLES["turn"]))) | {"List-Unsubscribe"}
    assert {line.partition(":")[0] for line in head.decode().split("\r\n")} <= known
    assert not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]", raw)
    assert "<good@mail.example.org>" == headers_of(raw)["References"]
    assert "In-Reply-To" not in headers_of(raw)


def test_an_odd_name_and_an_odd_title_still_make_headers_that_can_be_read():
    odd = replace(BIPOD, name='Bípod "the\\game"')
    player = replace(JOAO, name="João")
    game = replace(a_game(), rules=odd, seats=(BILL, player))
    headers = headers_of(write_sample(about_game("turn", view(game, 1, HOST), TurnFacts(1, 1))))
    assert 'Bípod "the\\game" #42: Bill - João' == headers["Subject"]
    assert headers["To"].startswith("João <joao@")


def test_dates_are_written_with_their_zone():
    letter = SAMPLES["turn"]
    date = datetime(2026, 3, 1, 13, 5, tzinfo=timezone(timedelta(hours=1)))
    raw = write(letter, replace(sample_headers(letter), date=date), HOUSE)
    assert "Sun, 01 Mar 2026 13:05:00 +0100" == headers_of(raw)["Date"]


def test_a_postmark_needs_nothing_but_itself():
    """A letter may begin its game, answer nothing, and have no unsubscribe."""
    letter = SAMPLES["confirm"]
    bare = LetterHeaders("<m1.confirm.1@x>", (), "", f"play@{HOST}", "", "", NOON)
    headers = headers_of(write(letter, bare, HOUSE))
    assert not {"References", "In-Reply-To", "List-Unsubscribe", "List-Id"} & set(headers)


ROWS = {
    "From": r'"Your move: Bipod #42" <play@pbem\.example\.org>',
    "To": r'"?Joao"? <joao@example\.net>',
    "Reply-To": r"play\+[a-z2-7]{36}@pbem\.example\.org",
    "Subject": r"Bipod #42: Bill - Joao",
    "Date": r"Mon, 02 Mar 2026 12:00:00 \+0000",
    "Message-ID": r"<g42\.e6\.s1\.turn\.1@pbem\.example\.org>",
    "References": r"<g42\.e1\.s0\.start\.1@pbem\.example\.org> <answer\.7@mail\.example\.org>",
    "Auto-Submitted": r"auto-generated",
    "X-Auto-Response-Suppress": r"All",
    "X-PBEM-Loop": r"pbem\.example\.org",
    "List-Id": r"<g42\.games\.pbem\.example\.org>",
    "List-Unsubscribe": (
        r"<https://pbem\.example\.org/unsubscribe/[a-z2-7]{36}>, "
        r"<mailto:play\+[a-z2-7]{36}@pbem\.example\.org\?subject=unsubscribe>"
    ),
    "List-Unsubscribe-Post": r"List-Unsubscribe=One-Click",
    "X-PBEM-Game": r"42",
    "X-PBEM-Ply": r"5",
    "X-PBEM-Turn": r"second",
    "X-PBEM-Fingerprint": r"[0-9a-f]{8}",
    "MIME-Version": r"1\.0",
}


@pytest.mark.parametrize("name", ROWS)
def test_each_header_of_a_turn_letter_is_as_programs_expect_it(name):
    values = [
        value for header, value in parse_sample(write_sample(SAMPLES["turn"])).items() if header == name
    ]
    assert 1 == len(values)
    assert re.fullmatch(ROWS[name], str(values[0]))


def test_a_turn_letter_has_no_other_headers():
    assert {*ROWS, "Content-Type"} == set(headers_of(write_sample(SAMPLES["turn"])))


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("turn", ["multipart/alternative", "text/plain", "text/html"]),
        ("turn-text", ["text/plain"]),
    ],
)
def test_a_letter_has_the_parts_that_its_reader_wants_in_utf8_and_none_flowed(name, kinds):
    raw = write_sample(SAMPLES[name])
    assert kinds == [one.get_content_type() for one in parse_sample(raw).walk()]
    assert b"format=flowed" not in raw
    assert {"utf-8"} == {
        one.get_content_charset() for one in parse_sample(raw).walk() if not one.is_multipart()
    }
