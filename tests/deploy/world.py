"""What a new server meets outside: name servers, a certificate authority, and people's mailboxes."""

from __future__ import annotations

import json
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import localtime
from pathlib import Path
from smtplib import SMTP
from threading import Condition
from time import monotonic, sleep
from typing import Any
from urllib.request import urlopen

import dns.rdatatype
import dns.zone
from aiosmtpd.controller import Controller

from tests.mail.doctor.test_certificates import NOW, certificate
from tests.mail.zone import public, sign_for_domain
from tests.mail.zones import Zone

ROUTER, NAMES, AUTHORITY, MAILBOXES = (f"203.0.113.{last}" for last in (1, 53, 80, 200))
PATIENCE_SECONDS = 60
ACME_HOST = "acme.example.net"
ACME = f"https://{ACME_HOST}/dir"


def zone_of(text: str) -> dict[tuple[str, str], list[str]]:
    """Read lines as a name server reads them."""
    zone = dns.zone.from_text(f"$TTL 60\n{text}", origin=".", relativize=False, check_origin=False)
    found: dict[tuple[str, str], list[str]] = {}
    for name, _ttl, record in zone.iterate_rdatas():
        kind = dns.rdatatype.to_text(record.rdtype)
        strings = getattr(record, "strings", None)
        shown = b"".join(strings).decode() if strings else record.to_text().removesuffix(".")
        found.setdefault((name.to_text(omit_final_dot=True).lower(), kind), []).append(shown)
    return found


def outside() -> dict[tuple[str, str], list[str]]:
    """The records of all others. example.net signs its mail."""
    return zone_of(
        f"{ACME_HOST}. IN A {AUTHORITY}\n"
        "example.net. IN MX 10 mx.example.net.\n"
        f"mx.example.net. IN A {MAILBOXES}\n"
        'example.net. IN TXT "v=spf1 mx -all"\n'
        '_dmarc.example.net. IN TXT "v=DMARC1; p=reject"\n'
    ) | {("sel._domainkey.example.net", "TXT"): [f"v=DKIM1; k=rsa; p={public()}"]}


@contextmanager
def authority(folder: Path) -> Iterator[str]:
    """Run a certificate authority in this network; return its certificates, to be trusted."""
    own = certificate(folder, ACME_HOST, NOW + timedelta(days=9))
    management = f"{AUTHORITY}:15000"
    config = {
        "listenAddress": f"{AUTHORITY}:443",
        "managementListenAddress": management,
        "certificate": str(own),
        "privateKey": str(own),
        "httpPort": 80,
        "tlsPort": 443,
    }
    (file := folder / "pebble.json").write_text(json.dumps({"pebble": config}))
    words = ["pebble", "-config", str(file), "-dnsserver", f"{NAMES}:53"]
    env = {"PATH": "/usr/bin", "PEBBLE_VA_NOSLEEP": "1", "PEBBLE_WFE_NONCEREJECT": "0"}
    with open(folder / "log", "w") as log, subprocess.Popen(words, env=env, stdout=log, stderr=log) as server:
        try:
            yield own.read_text()[own.read_text().index("-----BEGIN CERTIFICATE") :] + _root(management)
        finally:
            server.terminate()


def _root(management: str) -> str:
    unchecked = ssl._create_unverified_context()
    end = monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return str(urlopen(f"https://{management}/roots/0", context=unchecked).read().decode())
        except OSError:
            assert monotonic() < end
            sleep(0.1)


class Mailboxes:
    """The mail server of example.net: it keeps what comes, and sends what people write."""

    def __init__(self, zone: Zone) -> None:
        self.zone = zone
        self.came: list[tuple[str, EmailMessage]] = []
        self.news = Condition()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        mail = message_from_bytes(envelope.original_content, policy=policy.default)
        with self.news:
            self.came += [(to, mail) for to in envelope.rcpt_tos]
            self.news.notify_all()
        return "250 taken"

    def letter(self, to: str, subject: str) -> EmailMessage:
        """Take the first letter to somebody out of their mailbox, of those with these words as subject."""

        def arrived() -> int | None:
            found = (
                n for n, (whom, mail) in enumerate(self.came) if whom == to and subject in mail["Subject"]
            )
            return next(found, None)

        with self.news:
            assert self.news.wait_for(lambda: arrived() is not None, PATIENCE_SECONDS), [
                (whom, mail["Subject"]) for whom, mail in self.came
            ]
            return self.came.pop(arrived() or 0)[1]

    def write(self, writer: str, to: str, text: str, answers: EmailMessage | None = None) -> None:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Message-ID"] = writer, to, f"<{monotonic()}@example.net>"
        mail["Date"] = localtime()
        if answers is not None:
            mail["Subject"], mail["In-Reply-To"] = f"Re: {answers['Subject']}", answers["Message-ID"]
        mail.set_content(text)
        host = self.zone[to.rpartition("@")[2], "MX"][0].split()[1].removesuffix(".")
        with SMTP(self.zone[host, "A"][0], local_hostname="mx.example.net") as line:
            raw = mail.as_bytes(policy=policy.SMTP)
            line.sendmail(writer, [to], sign_for_domain(raw, "example.net"))

    def answer(self, writer: str, letter: EmailMessage, text: str) -> None:
        self.write(writer, (letter["Reply-To"] or letter["From"]).addresses[0].addr_spec, text, letter)


@contextmanager
def mailboxes(zone: Zone) -> Iterator[Mailboxes]:
    boxes = Mailboxes(zone)
    server = Controller(boxes, hostname=MAILBOXES, port=25)
    server.start()
    try:
        yield boxes
    finally:
        server.stop()
