"""DKIM: a letter's bytes with a signature before them (RFC 6376, RFC 8463); keys, and the record to publish.

Pure but for reading a key file. What is hashed is as dkimpy has it, relaxed/relaxed; the signature itself
is made by `cryptography`, ten times as fast as dkimpy's own arithmetic. RSA and Ed25519 signatures draw no
lots, so a letter that is signed twice at the same second is the same bytes.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from dkim import hash_headers, rfc822_parse
from dkim.canonicalization import CanonicalizationPolicy

RSA_BITS = 2048
"""RFC 8301 3.2: at least 1024, better 2048; a longer one no longer fits one string of a TXT record."""

ONCE = ("from", "to", "subject", "date", "message-id", "reply-to", "in-reply-to", "references")
"""Signed once more than they occur, so none can be added on the way (RFC 6376 8.15)."""
SIGNED = (
    *ONCE,
    *("mime-version", "content-type", "auto-submitted"),
    *("list-id", "list-unsubscribe", "list-unsubscribe-post"),  # RFC 8058 4 wants these signed
)
LINE = 72
"""Characters of a signature in one line of its header."""

_RELAXED = CanonicalizationPolicy.from_c_value(b"relaxed/relaxed")

Key = RSAPrivateKey | Ed25519PrivateKey


class BadKey(ValueError):
    """A file that holds no key to sign with; `str()` says why."""


@dataclass(frozen=True)
class Signer:
    """Signs the letters of a domain with the key that the record at SELECTOR._domainkey.DOMAIN names."""

    domain: str
    selector: str
    key: Key = field(repr=False)

    def sign(self, raw: bytes, now: datetime) -> bytes:
        """The letter with its DKIM-Signature as first header; `raw` has CRLF at the ends of its lines."""
        headers, body = rfc822_parse(raw)
        relaxed = _RELAXED.canonicalize_headers(headers)
        names = [name for name, _value in relaxed]
        covered = [name.encode() for name in SIGNED for _ in range(names.count(name.encode()))]
        covered += [name.encode() for name in ONCE]
        digest = b64encode(sha256(_RELAXED.canonicalize_body(body)).digest())
        value = self._fields(covered, digest, now)
        hasher = sha256()
        hash_headers(hasher, _RELAXED, relaxed, covered, (b"DKIM-Signature", value), {})
        signature = b64encode(self._signature(hasher.digest()))
        folded = b"\r\n\t".join(signature[at : at + LINE] for at in range(0, len(signature), LINE))
        return b"DKIM-Signature:" + value + folded + b"\r\n" + raw

    def _fields(self, covered: Sequence[bytes], digest: bytes, now: datetime) -> bytes:
        """The value of the header up to the empty b= at its end (RFC 6376 3.5)."""
        lines = (
            f" v=1; a={algorithm(self.key)}-sha256; c=relaxed/relaxed; d={self.domain};",
            f"s={self.selector}; t={int(now.timestamp())};",
            *_listed([name.decode() for name in covered]),
            f"bh={digest.decode()};",
            "b=",
        )
        return "\r\n\t".join(lines).encode()

    def _signature(self, digest: bytes) -> bytes:
        if isinstance(self.key, Ed25519PrivateKey):
            return self.key.sign(digest)  # RFC 8463 3: the hash of the headers is what is signed
        return self.key.sign(digest, PKCS1v15(), Prehashed(hashes.SHA256()))


def _listed(names: Sequence[str]) -> list[str]:
    """The h= field, in lines."""
    lines, line = [], "h="
    for n, name in enumerate(names):
        word = name + (";" if n == len(names) - 1 else ":")
        if len(line) + len(word) > LINE:
            lines.append(line)
            line = " "
        line += word
    return [*lines, line]


def algorithm(key: Key) -> str:
    """What the k= field of the record and the a= field of a signature call this kind of key."""
    return "ed25519" if isinstance(key, Ed25519PrivateKey) else "rsa"


def read_key(path: Path) -> Key:
    """The private key in a PEM file; BadKey, or OSError, where there is none."""
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except TypeError:
        raise BadKey("the key is locked with a password; pbem needs one that is not") from None
    except (ValueError, UnsupportedAlgorithm):
        raise BadKey("no private key in PEM; pbem dkim makes one") from None
    if isinstance(key, RSAPrivateKey):
        if key.key_size < 1024:  # RFC 8301 3.2: receivers must not believe a shorter one
            raise BadKey(f"an RSA key of {key.key_size} bits is believed by nobody; it must have 2048")
        return key
    if isinstance(key, Ed25519PrivateKey):
        return key
    raise BadKey("DKIM knows RSA and Ed25519 keys, and this is another kind")


def new_key(kind: str) -> Key:
    """A new key of the kind `rsa` or `ed25519`."""
    return Ed25519PrivateKey.generate() if kind == "ed25519" else generate_private_key(65537, RSA_BITS)


def pem(key: Key) -> bytes:
    """The key as the text of a file, not locked."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def public_text(key: Key) -> str:
    """The public half as the p= field of the record has it: RFC 6376 3.6.1, RFC 8463 4.2."""
    public = key.public_key()
    if isinstance(key, Ed25519PrivateKey):
        return b64encode(public.public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()
    return b64encode(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).decode()


def record(key: Key) -> str:
    """The text of the TXT record at SELECTOR._domainkey.DOMAIN."""
    return f"v=DKIM1; k={algorithm(key)}; p={public_text(key)}"


def zone_line(name: str, text: str) -> str:
    """A TXT record as a line of a zone file, in strings of at most 255 bytes (RFC 1035 3.3.14)."""
    strings = " ".join(f'"{text[at : at + 255]}"' for at in range(0, len(text), 255))
    return f"{name}. IN TXT {f'( {strings} )' if len(text) > 255 else strings}"
