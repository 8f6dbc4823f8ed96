"""What an answer to a letter shows of the verdict of its reader's provider."""

from __future__ import annotations

from base64 import b64encode
from datetime import UTC, datetime

import pytest

from pbem.mail.doctor.arrival import Arrival, read_arrival

ID = "<c7.trial.1@games.example.org>"
LETTER = f"""\
Received: by mx.example.net; Sun, 29 Nov 2026 15:00:04 +0000
Authentication-Results: mx.example.net;
 dkim=fail header.d=relay.example.com;
 dkim=pass header.i=@games.example.org header.s=pbem;
 spf=softfail (not listed) smtp.mailfrom=bounce+0a@games.example.org
Authentication-Results: games.example.org; dmarc=pass
From: play@games.example.org
Message-ID: {ID}

Does it arrive?
"""
SEEN = Arrival(
    True,
    "mx.example.net",
    {"dkim": "pass", "spf": "softfail"},
    datetime(2026, 11, 29, 15, 0, 4, tzinfo=UTC),
)
TOP = "From: anna@example.net\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nyes\n--x\n"
EML = 'Content-Type: application/octet-stream\nContent-Disposition: attachment; filename="a.eml"\n'
PLAIN = "From: anna@example.net\n\n"
COPIED = "\n".join(f"> {line}" for line in LETTER.split("\n"))


@pytest.mark.parametrize(
    ("answer", "shown"),
    {
        "attached": (f"{TOP}Content-Type: message/rfc822\n\n{LETTER}\n--x--\n", SEEN),
        "attached as a file": (
            f"{TOP}{EML}Content-Transfer-Encoding: base64\n\n{b64encode(LETTER.encode()).decode()}\n--x--\n",
            SEEN,
        ),
        "headers alone": (f"{TOP}Content-Type: text/rfc822-headers\n\n{LETTER}\n--x--\n", SEEN),
        "another letter": (
            f"{TOP}Content-Type: message/rfc822\n\n{LETTER.replace('c7', 'c6')}\n--x--\n",
            Arrival(),
        ),
        "copied into the text": (f"{PLAIN}yes\n\n{COPIED}", Arrival(True, SEEN.server, SEEN.results)),
        "a report": (
            f"{PLAIN}Summary\nSPF check:          pass\nDKIM check:         fail\n",
            Arrival(True, "", {"spf": "pass", "dkim": "fail"}),
        ),
        "the page of a program": (
            f"{PLAIN}SPF:\tPASS with IP 203.0.113.25\nDKIM:\t'PASS' with domain games.example.org\n",
            Arrival(True, "", {"spf": "pass", "dkim": "pass"}),
        ),
        "words": (f"{PLAIN}yes\n\n> Does it arrive?\n", Arrival()),
        "too many parts": (TOP + "\n--x\n" * 200, Arrival()),
    }.values(),
)
def test_the_verdict_is_read_where_the_answer_shows_it(answer: str, shown: Arrival) -> None:
    assert shown == read_arrival(answer.encode(), ID)
