"""TLS certificates of the web site and the mail server.

The `of_…` functions connect; `judge` is pure: names and dates in, a finding out.
"""

from __future__ import annotations

import smtplib
import socket
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from pbem.mail.doctor.findings import Finding, Level

SOON = timedelta(days=14)
"""Let's Encrypt renews 30 days before the end; with 14 left, renewal failed."""
PATIENCE_SECONDS = 5.0


@dataclass(frozen=True)
class Shown:
    """A server's certificate: its expiry, its fault, or the connection error."""

    until: datetime | None = None
    wrong: str = ""
    unreachable: str = ""


def of_site(host: str, port: int, context: ssl.SSLContext | None = None) -> Shown:
    """Check a web server's certificate as a browser does."""
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
    """Check a mail server's certificate after STARTTLS (RFC 8461 4.2)."""
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
    """Judge a certificate; `worst` is the level of a bad one."""
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
