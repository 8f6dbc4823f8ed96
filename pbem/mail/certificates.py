"""The certificate that another server shows: of the web site, and of the mail server behind STARTTLS.

The facts are fetched at the edge, `judge` is pure: names and dates in, a finding out.
"""

from __future__ import annotations

import smtplib
import socket
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from pbem.mail.findings import Finding, Level

SOON = timedelta(days=14)
"""Let's Encrypt renews 30 days before the end: what has 14 left was not renewed."""
PATIENCE_SECONDS = 5.0


@dataclass(frozen=True)
class Shown:
    """What a server showed: until when its certificate is good; or what is wrong with it, or in the way."""

    until: datetime | None = None
    wrong: str = ""
    unreachable: str = ""


def of_site(host: str, port: int, context: ssl.SSLContext | None = None) -> Shown:
    """The certificate of a web server, checked as a browser does."""
    context = context or ssl.create_default_context()
    try:
        with (
            socket.create_connection((host, port), timeout=PATIENCE_SECONDS) as plain,
            context.wrap_socket(plain, server_hostname=host) as line,
        ):
            return _shown(line)
    except ssl.SSLCertVerificationError as error:
        return Shown(wrong=error.verify_message)
    except OSError as error:
        return Shown(unreachable=error.strerror or str(error))


def of_mail_server(host: str, port: int = 25, context: ssl.SSLContext | None = None) -> Shown:
    """The certificate of a mail server after STARTTLS, checked as MTA-STS asks (RFC 8461 4.2)."""
    context = context or ssl.create_default_context()
    try:
        with smtplib.SMTP(host, port, timeout=PATIENCE_SECONDS) as smtp:
            smtp.ehlo()
            if not smtp.has_extn("starttls"):
                return Shown(wrong="STARTTLS is not offered")
            smtp.starttls(context=context)
            assert isinstance(smtp.sock, ssl.SSLSocket)
            return _shown(smtp.sock)
    except ssl.SSLCertVerificationError as error:
        return Shown(wrong=error.verify_message)
    except (OSError, smtplib.SMTPException) as error:
        return Shown(unreachable=getattr(error, "strerror", None) or str(error))


def _shown(line: ssl.SSLSocket) -> Shown:
    said = line.getpeercert() or {}
    until = said.get("notAfter")
    assert isinstance(until, str)
    return Shown(until=datetime.fromtimestamp(ssl.cert_time_to_seconds(until), UTC))


def judge(about: str, host: str, shown: Shown, now: datetime, *, worst: Level = "wrong") -> Finding:
    """What a certificate comes to; `worst` is how bad it is when it is no good."""
    if shown.unreachable:
        return Finding(
            "hint", about, f"{host} could not be asked: {shown.unreachable}", "Ask from another network."
        )
    if shown.until is None:
        return Finding(
            worst, about, f"{host}: {shown.wrong}", f"A certificate for {host}, from Let's Encrypt say."
        )
    if shown.until - now < SOON:
        return Finding(
            "hint", about, f"{host}: good until {shown.until:%Y-%m-%d} only", "Is it renewed by itself?"
        )
    return Finding("ok", about, f"{host}: good until {shown.until:%Y-%m-%d}")
