"""DKIM signatures for letters (RFC 6376, RFC 8463), keys and DNS records.

dkimpy prepares the hash, relaxed/relaxed; `cryptography` makes the signature, ten times as fast as dkimpy.
No random numbers are used, so a letter signed twice in the same second has the same bytes.
"""

import re
from base64 import b64encode
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
"""RFC 8301 3.2: at least 1024, better 2048. A longer key does not fit one string of a TXT record."""

OVERSIGNED = ("from", "to", "subject", "date", "message-id", "reply-to", "in-reply-to", "references")
"""Signed once more than they occur, so none can be added later (RFC 6376 8.15)."""
SIGNED_HEADERS = (
    *OVERSIGNED,
    *("mime-version", "content-type", "auto-submitted"),
    *("list-id", "list-unsubscribe", "list-unsubscribe-post"),  # RFC 8058 4 requires these to be signed
)
LINE = 72
"""Characters of a signature in one line of its header."""

_RELAXED = CanonicalizationPolicy.from_c_value(b"relaxed/relaxed")

Key = RSAPrivateKey | Ed25519PrivateKey


class BadDkimKey(ValueError):
    """A file without a usable signing key; `str()` says why."""


@dataclass(frozen=True)
class Signer:
    """Signs a domain's letters with the key published at SELECTOR._domainkey.DOMAIN."""

    domain: str
    selector: str
    key: Key = field(repr=False)

    def sign(self, raw: bytes, now: datetime) -> bytes:
        """Return the letter with a DKIM-Signature as first header. `raw` has CRLF line ends."""
        headers, body = rfc822_parse(raw)
        relaxed = _RELAXED.canonicalize_headers(headers)
        present = [name.decode() for name, _value in relaxed]
        covered = [name for name in SIGNED_HEADERS for _ in range(present.count(name))] + [*OVERSIGNED]
        lines = [  # the header's value up to its empty b= (RFC 6376 3.5)
            f" v=1; a={algorithm(self.key)}-sha256; c=relaxed/relaxed; d={self.domain};",
            f"s={self.selector}; t={int(now.timestamp())};",
            "\r\n\t ".join(re.findall(f".{{1,{LINE - 2}}}[:;]", f"h={':'.join(covered)};")),
            f"bh={b64encode(sha256(_RELAXED.canonicalize_body(body)).digest()).decode()};",
            "b=",
        ]
        value = "\r\n\t".join(lines).encode()
        hasher = sha256()
        names = [name.encode() for name in covered]
        hash_headers(hasher, _RELAXED, relaxed, names, (b"DKIM-Signature", value), {})
        signature = b64encode(self._signature(hasher.digest()))
        folded = b"\r\n\t".join(signature[at : at + LINE] for at in range(0, len(signature), LINE))
        return b"DKIM-Signature:" + value + folded + b"\r\n" + raw

    def _signature(self, digest: bytes) -> bytes:
        if isinstance(self.key, Ed25519PrivateKey):
            return self.key.sign(digest)  # RFC 8463 3 signs the hash of the headers
        return self.key.sign(digest, PKCS1v15(), Prehashed(hashes.SHA256()))


def algorithm(key: Key) -> str:
    """Return the key kind's name in the k= and a= fields."""
    return "ed25519" if isinstance(key, Ed25519PrivateKey) else "rsa"


def read_key(path: Path) -> Key:
    """Read the private key in a PEM file; raises BadKey or OSError."""
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except TypeError:
        raise BadDkimKey("the key is locked with a password; pbem needs one that is not") from None
    except (ValueError, UnsupportedAlgorithm):
        raise BadDkimKey("no private key in PEM; pbem dkim makes one") from None
    if not isinstance(key, Key):
        raise BadDkimKey("DKIM knows RSA and Ed25519 keys, and this is another kind")
    if isinstance(key, RSAPrivateKey) and key.key_size < 1024:  # RFC 8301 3.2: receivers accept none shorter
        raise BadDkimKey(f"an RSA key of {key.key_size} bits is believed by nobody; it must have 2048")
    return key


def new_key(kind: str) -> Key:
    return Ed25519PrivateKey.generate() if kind == "ed25519" else generate_private_key(65537, RSA_BITS)


def pem(key: Key) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def public_text(key: Key) -> str:
    """Return the public key for the p= field. The forms are those of RFC 6376 3.6.1 and RFC 8463 4.2."""
    form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if isinstance(key, Ed25519PrivateKey):
        form = (Encoding.Raw, PublicFormat.Raw)
    return b64encode(key.public_key().public_bytes(*form)).decode()


def dkim_record(key: Key) -> str:
    return f"v=DKIM1; k={algorithm(key)}; p={public_text(key)}"


def zone_line(name: str, text: str) -> str:
    """Return a TXT record as zone file line, in strings of at most 255 bytes (RFC 1035 3.3.14)."""
    strings = " ".join(f'"{text[at : at + 255]}"' for at in range(0, len(text), 255))
    return f"{name}. IN TXT {f'( {strings} )' if len(text) > 255 else strings}"
