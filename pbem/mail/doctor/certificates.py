"""TLS certificates of the web site and the mail server.

The `of_…` functions connect; `judge_certificate` is pure: names and dates in, a finding out.
"""

import smtplib
import socket
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from pbem.mail.doctor.findings import Finding, Level

RENEWAL_MARGIN = timedelta(days=14)
"""Let's Encrypt renews 30 days before the end; with 14 left, renewal failed."""
CONNECT_SECONDS = 5.0


@dataclass(frozen=True)
class ServerCertificate:
    """A server's certificate: its expiry, its fault, or the connection error."""

    until: datetime | None = None
    wrong: str = ""
    unreachable: str = ""


def check_site(host: str, port: int, context: ssl.SSLContext | None = None) -> ServerCertificate:
    """Check a web server's certificate as a browser does."""
    context = context or ssl.create_default_context()
    try:
        with (
            socket.create_connection((host, port), timeout=CONNECT_SECONDS) as plain,
            context.wrap_socket(plain, server_hostname=host) as line,
        ):
            return _peer_certificate(line)
    except ssl.SSLCertVerificationError as error:
        return ServerCertificate(wrong=error.verify_message)
    except OSError as error:
        return ServerCertificate(unreachable=error.strerror or str(error))


def check_mail_server(host: str, port: int = 25, context: ssl.SSLContext | None = None) -> ServerCertificate:
    """Check a mail server's certificate after STARTTLS (RFC 8461 4.2)."""
    context = context or ssl.create_default_context()
    try:
        with smtplib.SMTP(host, port, timeout=CONNECT_SECONDS) as smtp:
            smtp.ehlo()
            if not smtp.has_extn("starttls"):
                return ServerCertificate(wrong="STARTTLS is not offered")
            smtp.starttls(context=context)
            assert isinstance(smtp.sock, ssl.SSLSocket)
            return _peer_certificate(smtp.sock)
    except ssl.SSLCertVerificationError as error:
        return ServerCertificate(wrong=error.verify_message)
    except (OSError, smtplib.SMTPException) as error:
        return ServerCertificate(unreachable=getattr(error, "strerror", None) or str(error))


def _peer_certificate(line: ssl.SSLSocket) -> ServerCertificate:
    said = line.getpeercert() or {}
    until = said.get("notAfter")
    assert isinstance(until, str)
    return ServerCertificate(until=datetime.fromtimestamp(ssl.cert_time_to_seconds(until), UTC))


def judge_certificate(
    about: str, host: str, shown: ServerCertificate, now: datetime, *, worst: Level = "wrong"
) -> Finding:
    """Judge a certificate; `worst` is the level of a bad one."""
    if shown.unreachable:
        return Finding(
            "hint", about, f"{host} could not be asked: {shown.unreachable}", "Ask from another network."
        )
    if shown.until is None:
        return Finding(
            worst, about, f"{host}: {shown.wrong}", f"A certificate for {host}, from Let's Encrypt say."
        )
    if shown.until - now < RENEWAL_MARGIN:
        return Finding(
            "hint", about, f"{host}: good until {shown.until:%Y-%m-%d} only", "Is it renewed by itself?"
        )
    return Finding("ok", about, f"{host}: good until {shown.until:%Y-%m-%d}")
