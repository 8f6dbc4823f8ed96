"""Mails that gateways, phones and forwarding programs make of a move, and answers of machines."""

from __future__ import annotations

import pytest

from pbem.core.parsing.inbound import Envelope, Mail, settle_doubts
from pbem.core.parsing.mail_orders import GameBlock, read_orders
from pbem.core.parsing.reply_text import split_words
from pbem.core.parsing.yes_no import read_yes_no
from pbem.mail.inbound.parse import dedupe_keys, parse_mail
from rules import RULES
from tests.mail.clients import mail, two_part_mail

READER = RULES["bipod"].start().read
MOVE = "f6 h2 i1"
BILL = "bill@example.org"


def parsed(raw: bytes) -> Mail:
    return parse_mail(raw, Envelope(BILL, "play@localhost"), "localhost")


def only_block(raw: bytes) -> GameBlock:
    inbound = parsed(raw)
    assert "person" == inbound.kind
    (block,) = read_orders(inbound.words, marked=inbound.marked, reader=READER).blocks
    return block


def moves_in(block: GameBlock) -> list[str]:
    return [command.args["move"] for command in block.commands if command.error is None]


BANNERS = """[EXTERNAL EMAIL] DO NOT CLICK links or attachments unless you recognize the sender.
[EXTERNAL]
EXTERNAL SENDER: be careful
CAUTION: This email originated from outside of the organization.
WARNING: This message came from an external sender
You don't often get email from play@games.example.org. Learn why this is important
Some people who received this message don't often get email from play@games.example.org.
ZjQcmQRYFpfptBannerStart
Do not click links or open attachments unless you recognize the sender and know the content is safe.
ACHTUNG: Diese E-Mail kommt von außen.
ATTENTION: ce courriel provient de l'extérieur.""".split("\n")


@pytest.mark.parametrize("banner", BANNERS)
def test_a_gateways_banner_directly_above_a_move_is_nobodys_words(banner: str) -> None:
    block = only_block(mail(f"{banner}\n{MOVE}\n\nGood luck!"))
    assert ([MOVE], "Good luck!", "", "") == (moves_in(block), block.comment, block.above, block.doubt)


def test_words_like_a_banner_below_the_move_are_words() -> None:
    assert (
        "Warning: this is my last trick."
        == only_block(mail(f"{MOVE}\n\nWarning: this is my last trick.")).comment
    )


def test_japanese_needs_no_declared_character_set() -> None:
    raw = mail("", kind="text/plain", encoding="7bit").rstrip() + b"\n\n"
    raw += "ｆ６　ｈ２　ｉ１\n\nよろしくお願いします。\n".encode("iso2022_jp")
    block = only_block(raw)
    assert ([MOVE], "よろしくお願いします。") == (moves_in(block), block.comment)


@pytest.mark.parametrize(
    "text",
    [
        "\u200b",
        " \u00a0 ",
        "View this email in your browser",
        "This message is in HTML format.",
        "View as HTML",
    ],
)
def test_a_text_part_that_says_nothing_hides_no_html(text: str) -> None:
    assert [MOVE] == moves_in(only_block(two_part_mail(text, f"<div>{MOVE}</div>")))


def test_what_a_page_folds_away_is_read() -> None:
    html = f"<details><summary>My move</summary>{MOVE}</details>"
    assert ["f6 h2 i1"] == moves_in(only_block(mail(html, kind="text/html; charset=utf-8")))


PHONE_LINES = """Get Outlook for Android
Holen Sie sich Outlook für Android
Télécharger Outlook pour Android
Obtener Outlook para Android
Scarica Outlook per Android
Outlook voor Android downloaden
Hämta Outlook för Android
Skaff deg Outlook for Android
Hent Outlook til Android
Stáhnout Outlook pro Android
Скачать Outlook для Android
Android için Outlook'u edinin
获取 Outlook for Android
取得 Android 版 Outlook
Outlook for Android を入手
Android용 Outlook 다운로드
Envoyé avec la messagerie sécurisée Proton Mail.
Gesendet mit Proton Mail
Enviado desde Proton Mail para iOS
Inviato da Proton Mail Android
Verzonden met Proton Mail
Wysłano z Proton Mail
Отправлено с помощью Proton Mail
Skickat med Proton Mail
Odesláno pomocí Proton Mail
Proton Mail ile gönderildi""".split("\n")


@pytest.mark.parametrize("line", [*PHONE_LINES, "*-- *\nAna, Lisbon"])
def test_the_lines_of_phones_go_to_nobody(line: str) -> None:
    assert MOVE == split_words(f"{MOVE}\n\n{line}\n")[0].strip()


def test_the_separator_of_qq_mail_begins_the_letter() -> None:
    separator = "------------------&nbsp;原始邮件&nbsp;------------------\n"
    separator += '发件人: "Bipod" <play@localhost>;\n主题: Bipod'
    block = only_block(mail(f"{MOVE}\n\n\n{separator}\n\nYour move, Bill.\n"))
    assert ([MOVE], "") == (moves_in(block), block.comment)


@pytest.mark.parametrize("word", ["moved", "snow", "gamed", "held", "plane"])
def test_a_word_that_is_no_slip_stays_a_word(word: str) -> None:
    assert read_orders(word, marked=True, reader=READER).nothing_read


@pytest.mark.parametrize("text", [f"{MOVE} 😀", f"-{MOVE}", f"{MOVE} 👍🏽", f"– {MOVE}"])
def test_a_moves_dress_is_no_doubt(text: str) -> None:
    assert [MOVE] == moves_in(only_block(mail(text)))


# --------------------------------------------------------------------------------------- machines and doubts


def test_the_answer_of_a_calendar_is_a_machines() -> None:
    calendar = "BEGIN:VCALENDAR\nMETHOD:REPLY\nEND:VCALENDAR\n"
    raw = two_part_mail("Accepted", "<p>Accepted</p>").rstrip().removesuffix(b"--")
    raw += f"\nContent-Type: text/calendar; method=REPLY; charset=utf-8\n\n{calendar}\n--=_b1--\n".encode()
    inbound = parsed(raw)
    for own in (True, False):
        settled = settle_doubts(inbound, read_orders(inbound.words, marked=False, reader=READER), own=own)
        assert ("robot", "an answer of a calendar", "") == (settled.kind, settled.reason, settled.words)


@pytest.mark.parametrize(
    "words", ["Yeah, right.", "yeah right", "Oh, right!", "Sure, right...", "No tak.", "no tak"]
)
def test_disbelief_is_no_yes(words: str) -> None:
    assert read_yes_no(words) is None


@pytest.mark.parametrize("header", ["Auto-Submitted: auto-generated", "Precedence: list"])
@pytest.mark.parametrize(
    ("words", "own", "kind"),
    [(MOVE, True, "person"), (MOVE, False, "robot"), ("Thank you for your mail.", True, "robot")],
)
def test_what_a_rule_or_a_group_forwards_counts_by_the_owners_key_and_an_order(
    header: str, words: str, own: bool, kind: str
) -> None:
    inbound = parsed(mail(words, extra=f"{header}\n"))
    orders = read_orders(inbound.words, marked=inbound.marked, reader=READER)
    settled = settle_doubts(inbound, orders, own=own)
    assert kind == settled.kind
    assert (settled.reason == "") == (kind == "person")


@pytest.mark.parametrize("value", ["auto-replied", "auto-notified", "auto-generated; owner-token=x"])
def test_other_automatic_mail_is_a_machines_at_once(value: str) -> None:
    inbound = parsed(mail(MOVE, extra=f"Auto-Submitted: {value}\n"))
    doubts = {doubt.sign for doubt in inbound.doubts}
    assert (inbound.kind == "robot") != ("forwarded" in doubts)


def test_two_people_who_write_the_same_are_no_mail_sent_twice() -> None:
    one, two = (
        mail(MOVE, sender=sender, extra="Message-ID: <1@x>\n") for sender in (BILL, "joao@example.net")
    )
    again = b"Received: from x by y; today\n" + one
    assert dedupe_keys(one, ["play@localhost"]) == dedupe_keys(again, ["play@localhost"])
    assert dedupe_keys(one, ["play@localhost"]) != dedupe_keys(two, ["play@localhost"])
