"""Fake DNS, and mail signed by its domains: for DKIM and DMARC tests."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from functools import cache

import dkim
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from pbem.mail.authentication.dkim_verify import DnsUnanswered

SIGNED = (b"from", b"to", b"cc", b"subject", b"date", b"message-id", b"in-reply-to", b"references")


@cache
def cached_key(number: int = 0) -> rsa.RSAPrivateKey:
    """Return one of a few keys; each is made once, because that is slow."""
    return rsa.generate_private_key(65537, 1024 if number == 512 else 2048)


def public(number: int = 0) -> str:
    whole = cached_key(number).public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return b64encode(whole).decode()


def sign_for_domain(
    raw: bytes, domain: str, *, number: int = 0, headers: tuple[bytes, ...] = SIGNED, length: bool = False
) -> bytes:
    """Return the mail with a signature of `domain` on top."""
    pem = cached_key(number).private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    relaxed = (b"relaxed", b"relaxed")
    present = [name for name in headers if b"\n" + name + b":" in b"\n" + raw.lower()]
    signature = dkim.sign(
        raw, b"sel", domain.encode(), pem, canonicalize=relaxed, include_headers=present, length=length
    )
    return bytes(signature) + raw


@dataclass
class Zone:
    """Answers TXT questions and notes them; `silent` names time out."""

    records: dict[str, list[str]] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)

    def __call__(self, name: str) -> list[str]:
        self.asked.append(name)
        if name in self.silent:
            raise DnsUnanswered("no answer")
        return self.records.get(name, [])

    def publish(self, domain: str, policy: str = "p=reject", *, number: int = 0, flags: str = "") -> None:
        """Publish a key under the selector `sel`, and a policy if given."""
        self.records[f"sel._domainkey.{domain}"] = [f"v=DKIM1; k=rsa; {flags}p={public(number)}"]
        if policy:
            self.records[f"_dmarc.{domain}"] = ["unrelated", f"v=DMARC1; {policy}"]
