"""TLS certificates of the web site and the mail server, and the mail server's word on our mail."""

import smtplib
import socket
import ssl
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from cryptography import x509

from pbem.mail.doctor.dns import Finding, Level
from pbem.mail.transport.smtp_server import tls_context

RENEWAL_SHARE = 3
"""Renewal is due when a third of a certificate's own length is left: 30 days of 90, two of six."""
CONNECT_SECONDS = 5.0


class Validity(NamedTuple):
    """The time for which a certificate is good."""

    begin: datetime
    end: datetime


def site_validity(host: str, port: int, context: ssl.SSLContext | None = None) -> Validity:
    """Return the validity of a web site's certificate; raises OSError."""
    context = context or ssl.create_default_context()
    with (
        socket.create_connection((host, port), timeout=CONNECT_SECONDS) as plain,
        context.wrap_socket(plain, server_hostname=host) as line,
    ):
        return _validity(line)


def mail_server_validity(host: str, port: int = 25, context: ssl.SSLContext | None = None) -> Validity:
    """Return the validity of a mail server's certificate. Raises OSError (RFC 8461 4.2)."""
    with smtplib.SMTP(host, port, timeout=CONNECT_SECONDS) as smtp:
        smtp.starttls(context=context or ssl.create_default_context())
        return _validity(smtp.sock)


def mail_server_refusal(host: str, recipient: str, port: int = 25) -> str:
    """Return the answer of a mail server that takes no mail for `recipient`, or "". Raises OSError."""
    with smtplib.SMTP(host, port, timeout=CONNECT_SECONDS) as smtp:
        smtp.ehlo_or_helo_if_needed()
        if smtp.mail("")[0] >= 400:  # refuses us, whoever the mail is for
            return ""
        code, words = smtp.rcpt(recipient)
    return f"{code} {words.decode('utf-8', 'replace')}" if code >= 500 else ""


def judge_mail_server(host: str, recipient: str, ask: Callable[[str, str], str]) -> Iterator[Finding]:
    """Yield a finding if the host of an MX record takes no mail for us."""
    try:
        refusal = ask(host, recipient)
    except OSError:  # the line about its certificate says so
        return
    if refusal:
        found = f"{host} takes no mail for {recipient}: {refusal}"
        mend = "Name your own mail server in the MX record, or have that one take mail for us."
        yield Finding("wrong", "MX", found, mend)


def own_certificate_names(certificate: Path) -> list[str]:
    """Return the names in the certificate of our own listeners. Raises OSError or ValueError."""
    found = x509.load_pem_x509_certificate(certificate.read_bytes())
    try:
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    return [name.lower() for name in names.get_values_for_type(x509.DNSName)]


def judge_own_names(names: Sequence[str], hosts: Sequence[str]) -> Iterator[Finding]:
    """Yield a finding if the certificate of our own listeners has no name of a mail server of ours."""
    if not any(host in names or f"*.{host.partition('.')[2]}" in names for host in hosts):
        found = f"PBEM_TLS_CERT is for {', '.join(names) or 'no name'}, not for {' or '.join(hosts)}"
        yield Finding("hint", "STARTTLS", found, f"A certificate for {hosts[0]}, from Let's Encrypt say.")


def own_certificate_end(certificate: Path, key: Path) -> datetime:
    """Return the end of the certificate of our own listeners. Raises OSError or ValueError."""
    tls_context(certificate, key)
    return x509.load_pem_x509_certificate(certificate.read_bytes()).not_valid_after_utc


def _validity(line: socket.socket | None) -> Validity:
    assert isinstance(line, ssl.SSLSocket)
    told = line.getpeercert() or {}
    begin, end = (ssl.cert_time_to_seconds(str(told[name])) for name in ("notBefore", "notAfter"))
    return Validity(datetime.fromtimestamp(begin, UTC), datetime.fromtimestamp(end, UTC))


def judge_certificate(
    about: str, host: str, ask: Callable[[], Validity], now: datetime, *, worst: Level = "wrong"
) -> Finding:
    """Judge the certificate whose validity `ask` returns. `worst` is the level of a bad one."""
    try:
        begin, end = ask()
    except (ssl.SSLCertVerificationError, smtplib.SMTPNotSupportedError) as bad:
        fault = getattr(bad, "verify_message", "STARTTLS is not offered")
        mend = f"A certificate for {host}, from Let's Encrypt say."
        return Finding(worst, about, f"{host}: {fault}", mend)
    except OSError as error:  # all errors of smtplib are such
        found = f"{host} could not be asked: {error.strerror or error}"
        return Finding("hint", about, found, "Ask from another network.")
    found = f"{host}: good until {end:%Y-%m-%d}"
    if end - now < (end - begin) / RENEWAL_SHARE:
        return Finding("hint", about, f"{found} only", "Is it renewed by itself?")
    return Finding("ok", about, found)
