"""TLS certificates of the web site and the mail server."""

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
    context = context or ssl.create_default_context()
    try:
        with (
            socket.create_connection((host, port), timeout=CONNECT_SECONDS) as plain,
            context.wrap_socket(plain, server_hostname=host) as line,
        ):
            return _peer_certificate(line)
    except OSError as error:
        return _failure(error)


def check_mail_server(host: str, port: int = 25, context: ssl.SSLContext | None = None) -> ServerCertificate:
    """Check a mail server's certificate after STARTTLS (RFC 8461 4.2)."""
    try:
        with smtplib.SMTP(host, port, timeout=CONNECT_SECONDS) as smtp:
            smtp.ehlo()
            if not smtp.has_extn("starttls"):
                return ServerCertificate(wrong="STARTTLS is not offered")
            smtp.starttls(context=context or ssl.create_default_context())
            return _peer_certificate(smtp.sock)
    except (OSError, smtplib.SMTPException) as error:
        return _failure(error)


def _peer_certificate(line: socket.socket | None) -> ServerCertificate:
    assert isinstance(line, ssl.SSLSocket)
    until = (line.getpeercert() or {})["notAfter"]
    return ServerCertificate(until=datetime.fromtimestamp(ssl.cert_time_to_seconds(str(until)), UTC))


def _failure(error: Exception) -> ServerCertificate:
    if isinstance(error, ssl.SSLCertVerificationError):
        return ServerCertificate(wrong=error.verify_message)
    return ServerCertificate(unreachable=getattr(error, "strerror", None) or str(error))


def judge_certificate(
    about: str, host: str, shown: ServerCertificate, now: datetime, *, worst: Level = "wrong"
) -> Finding:
    """Judge a certificate; `worst` is the level of a bad one."""
    if shown.unreachable:
        found = f"{host} could not be asked: {shown.unreachable}"
        return Finding("hint", about, found, "Ask from another network.")
    if shown.until is None:
        mend = f"A certificate for {host}, from Let's Encrypt say."
        return Finding(worst, about, f"{host}: {shown.wrong}", mend)
    found = f"{host}: good until {shown.until:%Y-%m-%d}"
    if shown.until - now < RENEWAL_MARGIN:
        return Finding("hint", about, f"{found} only", "Is it renewed by itself?")
    return Finding("ok", about, found)
