"""Parsing: sender, ids and digests; the text that is read; automatic mail."""

from __future__ import annotations

import pytest

from pbem.core.parsing.inbound import Envelope, Mail
from pbem.mail.doctor.explain import steps_of
from pbem.mail.inbound.automatic import LOOP_HEADER
from pbem.mail.inbound.body import join_flowed
from pbem.mail.inbound.charsets import codec_of, decode_bytes
from pbem.mail.inbound.headers import display_text
from pbem.mail.inbound.html_to_text import html_to_text
from pbem.mail.inbound.parse import dedupe_keys, parse_mail
from tests.amount import some
from tests.mail.clients import TOKEN, encoded_subject, mail
from tests.mail.corpus import CORPUS
from tests.mail.explain import explain, move_reader_of

HOST = "games.example.org"
SENT = Envelope("bill@example.org", TOKEN)


def key_of(raw: bytes, recipient: str) -> str:
    return dedupe_keys(raw, [recipient])[0]


def opened(raw: bytes, envelope: Envelope = SENT, host: str | None = HOST) -> Mail:
    return parse_mail(raw, envelope, host)


# ----------------------------------------------------------------------------------------- headers


def test_a_mail_tells_sender_name_subject_and_ids():
    inbound = opened(mail("f2 f4\n", sender="=?utf-8?q?Bj=C3=B6rn?= Taylor <Bjorn@Example.ORG>"))
    assert ("Bjorn@example.org", "Björn Taylor", "Re: Bipod #42: Bill - Joao") == (
        inbound.sender,
        inbound.sender_name,
        inbound.subject,
    )
    assert inbound.message_id == "<abc.6@mail.example.org>"
    assert inbound.in_reply_to == ("<g42.e13.s0.turn.1@games.example.org>",)
    assert inbound.references == (
        "<g42.e1.s0.start.1@games.example.org>",
        "<g42.e13.s0.turn.1@games.example.org>",
    )


def test_of_many_references_the_last_twenty_count():
    extra = "".join(f" <{n}@example.org>\n" for n in range(40))
    inbound = opened(mail("f2\n").replace(b"References:", b"References:\n" + extra.encode()))
    assert (len(inbound.references), inbound.references[0]) == (20, "<22@example.org>")


def test_a_message_id_without_brackets_gets_them_and_a_missing_one_is_empty():
    bare = mail("f2\n").replace(b"<abc.3@mail.example.org>", b"abc.3@mail.example.org")
    missing = mail("f2\n").replace(b"Message-ID: <abc.3@mail.example.org>\n", b"")
    assert (opened(bare).message_id, opened(missing).message_id) == ("<abc.3@mail.example.org>", "")


def test_trace_headers_are_given_unfolded_from_top_to_bottom():
    extra = (
        "Authentication-Results: mx.example.org;\n\tdmarc=pass\nReceived: a\n"
        "Authentication-Results: b\nReceived: c\n"
    )
    inbound = opened(mail("f2\n", extra=extra))
    assert inbound.auth_results == (("mx.example.org; dmarc=pass", 0), ("b", 1))
    assert inbound.received == ("a", "c")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("=?utf-8?b?R3LDvMOfZQ==?=", "Grüße"),
        ("=?iso-8859-1?Q?Gr=FC=DFe?= Bill", "Grüße Bill"),
        ("=?utf-8?q?a?=  =?utf-8?q?b?=", "ab"),
        ("=?utf-8?q?=C3?= =?utf-8?q?=BC?=", "ü"),
        ("=?utf-8?q?a_b?= c", "a b c"),
        ("=?nonsense?q?=FC?=", "ü"),
        ("=?utf-8?x?abc?=", "=?utf-8?x?abc?="),
        ("=?utf-8?q?a=0D=0AFrom:_x?=", "a From: x"),
        ("plain\x07\u202e text", "plain text"),
    ],
)
def test_encoded_words_are_read_and_controls_go(raw: str, text: str):
    assert display_text(raw) == text


# ----------------------------------------------------------------------------------------- digests


def test_the_same_mail_by_another_way_has_the_same_key():
    one = mail("f2\n", extra="Received: a\n")
    other = b"Return-Path: <x@y>\n" + mail("f2\n", extra="Received: b\n").replace(b"\n", b"\r\n")
    assert key_of(one, TOKEN) == key_of(other, TOKEN.upper())


def test_another_body_another_recipient_or_another_id_makes_another_mail():
    one = mail("f2\n")
    keys = {
        key_of(one, TOKEN),
        key_of(mail("f4\n"), TOKEN),
        key_of(one, "play@games.example.org"),
        key_of(one.replace(b"abc.3", b"abd.3"), TOKEN),
    }
    assert len(keys) == 4


def test_without_an_id_all_but_trace_headers_tell_mails_apart():
    one = mail("f2\n").replace(b"Message-ID:", b"X-Other:")
    assert key_of(one, TOKEN) == key_of(b"Received: x\n" + one, TOKEN)
    assert key_of(one, TOKEN) != key_of(one.replace(b"12:00:00", b"12:00:01"), TOKEN)


# ---------------------------------------------------------------------------------------- machines


def test_what_the_envelope_says_comes_before_what_the_headers_say():
    vacation = mail("Away\n", extra="Precedence: bulk\n")
    assert opened(vacation, Envelope("", TOKEN)).kind == "bounce"
    assert opened(vacation, Envelope("bill@example.org", f"bounce+22f2b7c4a7d2e563@{HOST}")).kind == "bounce"
    assert opened(vacation).kind == "robot"


def test_our_own_letter_is_a_loop_whatever_else_it_is():
    letter = mail(
        "f2\n", extra=f"{LOOP_HEADER}: {HOST}\nAuto-Submitted: auto-generated\nList-Id: <g42.{HOST}>\n"
    )
    for envelope in (SENT, Envelope("", TOKEN), Envelope("x@example.org", f"bounce+22f2b7c4a7d2e563@{HOST}")):
        assert opened(letter, envelope).kind == "loop"


def test_a_letter_of_a_game_server_is_known_by_its_list():
    letter = mail(
        "f2\n", sender=f"Bipod <play@{HOST}>", to="bill@example.org", extra=f"List-Id: <g42.{HOST}>\n"
    )
    assert opened(letter, Envelope("x@example.org", "bill@example.org"), None).kind == "loop"


def test_a_person_at_our_own_host_is_a_person():
    assert opened(mail("f2\n", sender=f"bill@{HOST}")).kind == "person"


@pytest.mark.parametrize("sender", [f"play@{HOST}", TOKEN, f"bounce+22f2b7c4a7d2e56374@{HOST}"])
def test_mail_from_an_address_of_ours_is_a_loop(sender: str):
    assert opened(mail("f2\n", sender=sender)).kind == "loop"
    assert opened(mail("f2\n"), Envelope(sender, TOKEN)).kind == "loop"


def test_fifty_received_lines_are_a_way_and_fifty_one_a_loop():
    assert opened(mail("f2\n", extra="Received: a\n" * 50)).kind == "person"
    assert opened(mail("f2\n", extra="Received: a\n" * 51)).kind == "loop"


@pytest.mark.parametrize("value", ["no", "No", "no (typed)", "no; x=y", ""])
def test_auto_submitted_no_is_a_person(value: str):
    assert opened(mail("f2\n", extra=f"Auto-Submitted: {value}\n")).kind == "person"


def test_a_suppressed_auto_response_is_no_sign_of_a_machine():
    assert opened(mail("f2\n", extra="X-Auto-Response-Suppress: OOF, AutoReply\n")).kind == "person"


def test_a_machine_with_an_unsafe_from_is_still_a_machine():
    assert (
        opened(mail("f2\n", sender="a@example.org, b@example.org", extra="Precedence: bulk\n")).kind
        == "robot"
    )


def test_an_automatic_reply_is_known_by_an_encoded_subject():
    subject = encoded_subject("Réponse automatique : Bipod #42", "iso-8859-1")
    (doubt,) = opened(mail("f2\n", subject=subject)).doubts
    assert ("robot", "the subject of an automatic reply") == (doubt.kind, doubt.reason)


def test_a_refused_mail_keeps_its_sender_where_that_is_safe():
    sealed = opened(mail("x\n", kind="application/pkcs7-mime; smime-type=enveloped-data"))
    unsafe = opened(mail("x\n", sender="a@example.org, b@example.org"))
    assert [(i.kind, i.sender) for i in (sealed, unsafe)] == [
        ("refused", "bill@example.org"),
        ("refused", ""),
    ]


# -------------------------------------------------------------------------------------------- text


@pytest.mark.parametrize(
    ("declared", "codec"),
    [
        ("UTF-8", "utf-8"),
        ("'iso-8859-1'", "cp1252"),
        ("gb2312", "gb18030"),
        ("ks_c_5601-1987", "cp949"),
        ("cp-850", "cp850"),
        ("1252", "cp1252"),
        ("idna", ""),
        ("rot13", ""),
        ("base64", ""),
        ("unicode_escape", ""),
        ("x-unknown", ""),
        ("", ""),
        ("utf-8; format=flowed", "utf-8"),
    ],
)
def test_a_declared_character_set_is_found_by_its_usual_names(declared: str, codec: str):
    assert codec_of(declared) == codec


def test_bytes_that_fit_no_declared_set_are_still_read():
    assert decode_bytes(b"\xfcber", "utf-8") == "über"
    assert decode_bytes(b"\x81\x8d", "us-ascii") == "\x81\x8d"


@pytest.mark.parametrize(
    ("flowed", "text"),
    [
        ("one \ntwo\nthree", "one two\nthree"),
        ("> one \n> two \n>> three", "> one two\n>> three"),
        (" >no quote", ">no quote"),
        ("a \n-- \nb", "a\n-- \nb"),
        ("a \n\nb", "a\n\nb"),
    ],
)
def test_flowed_text_is_unfolded(flowed: str, text: str):
    assert join_flowed(flowed) == text


def test_delsp_takes_the_space_away():
    assert join_flowed("f2 f4 g \n3", delsp=True) == "f2 f4 g3"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("a<br>b<div>c</div>d", "a\nb\nc\nd"),
        ("<table><tr><td>a</td><td><div>b</div></td></tr><tr><td>c</td></tr></table>d", "a b\nc\n\nd"),
        ("<table><tr><td><p>a</p><p>b</p></td></tr></table>", "a\n\nb"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>c", "> a\n>\n>> b\n>>\nc"),
        ("a<!-- b --><style>c</style><script>d</script>e", "ae"),
        ("<head><title>a</title></head><body>b</body>", "b"),
        ("a &lt;b&gt; &nbsp;c &amp; d &#233;", "a <b> \u00a0c & d é"),
        ("<pre>a  b\n c</pre>", "a  b\n c"),
        ('<div style="white-space: pre-wrap">a\nb</div>c\nd', "a\nb\nc d"),
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ol start=7><li>f2 f4</ol>", "7. f2 f4"),
        ('<div class="gmail_attr">On … wrote:</div>a', "> On … wrote:\na"),
        ('a<div id="x_divRplyFwdMsg">b</div>c', "a\n> b\n> c"),
        ('a<div class="gmail_signature">b</div>', "a\n--\nb"),
        ('<img alt="a > b">c', "c"),
        ("a < b", "a < b"),
        ("<p class=MsoNormal>a</p><p class=MsoNormal>b</p>", "a\nb"),
    ],
)
def test_html_becomes_lines(html: str, text: str):
    assert html_to_text(html) == text


# ------------------------------------------------------------------------------------- the dry run


def test_a_dry_run_tells_kind_reason_orders_comment_and_words():
    raw = mail("f2 f4 g3\nThanks\n\n-- \nBill\n")
    assert explain(raw, "bipod") == {
        "kind": "person",
        "reason": "",
        "orders": ["f2 f4 g3"],
        "comment": "Thanks",
        "text": "f2 f4 g3\nThanks",
    }


def test_a_dry_run_without_a_game_knows_no_moves():
    found = explain(mail("f2 f4 g3\n"))
    assert (found["orders"], found["reason"]) == ([], "I could not find a move in your mail.")


def test_a_dry_run_gives_the_games_sentence_for_a_wrong_move():
    found = explain(mail("f7\n"), "bipod")
    assert found["orders"] == ["f7"]
    assert "there is no row 7" in found["reason"]


def test_a_dry_run_takes_the_envelope_from_what_hosts_have_added():
    assert explain(b"Return-Path: <>\n" + mail("f2\n"), "bipod")["kind"] == "bounce"
    to = b"Delivered-To: bounce+22f2b7c4a7d2e563@games.example.org\n"
    assert explain(to + mail("f2\n"), "bipod")["kind"] == "bounce"


def test_a_dry_run_tells_what_each_step_found():
    told = {
        step.name: list(step.told) for step in steps_of(mail("f2 f4 g3\nThanks\n"), move_reader_of("bipod"))
    }
    assert [
        "receive",
        "keep",
        "open",
        "authenticate",
        "load",
        "read",
        "decide",
        "write",
        "commit",
        "send",
    ] == list(told)
    assert ("move", "f2 f4 g3") in told["read"]
    assert ("comment", "Thanks") in told["read"]
    assert ("marker", "not found") in told["open"]
    assert ("writer", "Bill Taylor <bill@example.org>") in told["open"]
    assert ("part 1", "text/plain, 16 bytes: read, as utf-8 (declared: utf-8), 8bit") in told["open"]


def test_a_dry_run_tells_where_the_words_end_and_by_which_rule():
    raw = mail("f2\n\n-- \nBill\n\n> resign\n")
    told = [text for step in steps_of(raw) for _label, text in step.told]
    assert any(text.startswith("a signature") for text in told)
    assert "the player's own" in told


def test_a_dry_run_tells_the_sign_that_made_a_mail_a_robots_and_reads_nothing_of_it():
    steps = steps_of(mail("f2\n", extra="Precedence: bulk\n"))
    told = dict(pair for step in steps for pair in step.told)
    assert told["taken for"].startswith("robot: ")
    assert told["answer"] == "none: filed as robot"
    assert "read" not in [step.name for step in steps]


def test_a_dry_run_shows_no_token():
    for raw in (mail(f"f2\n{TOKEN}\n"), mail(f"> {TOKEN}\n")):
        shown = "\n".join(text for step in steps_of(raw) for _label, text in step.told)
        assert TOKEN.partition("@")[0].partition("+")[2] not in shown


def test_a_dry_run_tells_every_part_and_why_it_is_not_read():
    raw = CORPUS["container-nested"].raw
    told = [
        text.partition(": ")[2] for step in steps_of(raw) for label, text in step.told if "part " in label
    ]
    assert told[1:] == ["not needed or empty", *["an attachment, never opened"] * 2]
    assert told[0].startswith("read, as utf-8")


@pytest.mark.parametrize("name", some(CORPUS, 100))
def test_every_mail_of_the_corpus_can_be_explained(name: str):
    numbers = [step.number for step in steps_of(CORPUS[name].raw, move_reader_of("bipod"))]
    assert numbers in ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [1, 2, 3, 4, 5, 7, 8, 9, 10])
