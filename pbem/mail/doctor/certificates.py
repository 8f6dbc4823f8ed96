"""TLS certificates of the web site and the mail server."""

import smtplib
import socket
import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509

from pbem.mail.doctor.dns import Finding, Level
from pbem.mail.transport.smtp_server import tls_context

RENEWAL_MARGIN = timedelta(days=14)
"""Let's Encrypt renews 30 days before the end; with 14 left, renewal failed."""
CONNECT_SECONDS = 5.0


def site_end(host: str, port: int, context: ssl.SSLContext | None = None) -> datetime:
    """Return the end of a web site's certificate; raises OSError."""
    context = context or ssl.create_default_context()
    with (
        socket.create_connection((host, port), timeout=CONNECT_SECONDS) as plain,
        context.wrap_socket(plain, server_hostname=host) as line,
    ):
        return _certificate_end(line)


def mail_server_end(host: str, port: int = 25, context: ssl.SSLContext | None = None) -> datetime:
    """Return the end of a mail server's certificate, after STARTTLS. Raises OSError (RFC 8461 4.2)."""
    with smtplib.SMTP(host, port, timeout=CONNECT_SECONDS) as smtp:
        smtp.starttls(context=context or ssl.create_default_context())
        return _certificate_end(smtp.sock)


def own_certificate_end(certificate: Path, key: Path) -> datetime:
    """Return the end of the certificate of our own listeners. Raises OSError or ValueError."""
    tls_context(certificate, key)
    return x509.load_pem_x509_certificate(certificate.read_bytes()).not_valid_after_utc


def _certificate_end(line: socket.socket | None) -> datetime:
    assert isinstance(line, ssl.SSLSocket)
    until = (line.getpeercert() or {})["notAfter"]
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(str(until)), UTC)


def judge_certificate(
    about: str, host: str, ask: Callable[[], datetime], now: datetime, *, worst: Level = "wrong"
) -> Finding:
    """Judge the certificate whose end `ask` returns. `worst` is the level of a bad one."""
    try:
        until = ask()
    except (ssl.SSLCertVerificationError, smtplib.SMTPNotSupportedError) as bad:
        fault = getattr(bad, "verify_message", "STARTTLS is not offered")
        mend = f"A certificate for {host}, from Let's Encrypt say."
        return Finding(worst, about, f"{host}: {fault}", mend)
    except OSError as error:  # all errors of smtplib are such
        found = f"{host} could not be asked: {error.strerror or error}"
        return Finding("hint", about, found, "Ask from another network.")
    found = f"{host}: good until {until:%Y-%m-%d}"
    if until - now < RENEWAL_MARGIN:
        return Finding("hint", about, f"{found} only", "Is it renewed by itself?")
    return Finding("ok", about, found)
