"""Certificates over real TLS: good, misnamed, expired; and a server without STARTTLS."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from socket import SHUT_RDWR, create_server
from threading import Thread

import pytest
from aiosmtpd.controller import Controller
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from pbem.mail.doctor.certificates import Validity, judge_certificate, mail_server_validity, site_validity
from pbem.mail.doctor.dns import Finding
from pbem.mail.transport.smtp_server import BoundController

NOW = datetime.now(UTC).replace(microsecond=0)
WHOLE = Validity(NOW - timedelta(days=90), NOW + timedelta(days=60))


def certificate(folder: Path, name: str, until: datetime) -> Path:
    """Write a key and a self-signed certificate for `name` to a file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(NOW - timedelta(days=90))
        .not_valid_after(until)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{name}.pem"
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(pem + made.public_bytes(Encoding.PEM))
    return path


@contextmanager
def site(path: Path) -> Iterator[int]:
    """Serve a certificate to one client, if one comes."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    with create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            try:
                plain, _ = server.accept()
            except OSError:
                return
            try:
                context.wrap_socket(plain, server_side=True).close()
            except (ssl.SSLError, OSError):
                plain.close()

        thread = Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.shutdown(SHUT_RDWR)
            thread.join()


@contextmanager
def mail_server(path: Path | None) -> Iterator[int]:
    """Run a mail server with STARTTLS and a certificate, or without."""
    context = None
    if path is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
    server: Controller = BoundController(object(), hostname="127.0.0.1", port=0, tls_context=context)
    server.start()
    try:
        yield server.port
    finally:
        server.stop()


def trusting(path: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=path)


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return certificate(tmp_path, "localhost", NOW + timedelta(days=60))


def found(ask: Callable[[], Validity]) -> Finding:
    return judge_certificate("web site", "example.org", ask, NOW)


def test_a_good_certificate_is_shown_with_its_end(good: Path) -> None:
    with site(good) as port:
        assert WHOLE == site_validity("localhost", port, trusting(good))
    with mail_server(good) as port:
        assert WHOLE == mail_server_validity("localhost", port, trusting(good))


def test_the_name_of_another_is_found(tmp_path: Path) -> None:
    other = certificate(tmp_path, "other.example.org", NOW + timedelta(days=60))
    with site(other) as port:
        told = found(partial(site_validity, "localhost", port, trusting(other)))
        assert "wrong" == told.level
        assert "Hostname mismatch" in told.found
    with mail_server(other) as port:
        told = found(partial(mail_server_validity, "localhost", port, trusting(other)))
        assert "Hostname mismatch" in told.found


def test_one_that_has_run_out_is_found(tmp_path: Path) -> None:
    old = certificate(tmp_path, "localhost", NOW - timedelta(days=1))
    with site(old) as port:
        told = found(partial(site_validity, "localhost", port, trusting(old)))
    assert "wrong" == told.level
    assert "expired" in told.found


def test_one_that_nobody_vouches_for_is_found(good: Path) -> None:
    with site(good) as port:
        assert "self-signed" in found(partial(site_validity, "localhost", port)).found


def test_a_mail_server_without_starttls_is_found() -> None:
    with mail_server(None) as port:
        told = found(partial(mail_server_validity, "localhost", port))
    assert ("wrong", "example.org: STARTTLS is not offered") == (told.level, told.found)


@pytest.mark.parametrize("ask", [site_validity, mail_server_validity])
def test_nobody_there_is_no_fault_of_a_certificate(ask: Callable[..., Validity]) -> None:
    told = found(partial(ask, "localhost", 1))
    assert "hint" == told.level
    assert "refused" in told.found


@pytest.mark.parametrize(
    ("length", "left", "level"),
    [(90, 31, "ok"), (90, 29, "hint"), (45, 16, "ok"), (45, 14, "hint"), (6, 2.1, "ok"), (6, 1.9, "hint")],
)
def test_a_certificate_is_judged_by_the_share_that_is_left_of_it(
    length: float, left: float, level: str
) -> None:
    end = NOW + timedelta(days=left)
    assert level == found(lambda: Validity(end - timedelta(days=length), end)).level
