"""The key that signs records (Ed25519, RFC 8032), made at first use.

If the secret of reply addresses is a setting, so that several machines share it, the key is derived from it.
With a new key the signatures of old records do not verify any more, so back it up.
"""

import json
from base64 import b64decode, b64encode, urlsafe_b64encode
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding

from pbem.config.load import SettingsError
from pbem.config.table import Config
from pbem.core.game.fingerprint import canonical
from pbem.keys.address_keys import write_once

KEY_FILE = "record.key"
RAW_KEY_BYTES = 32


class BadRecordKey(ValueError):
    """A text without a public key; `str()` names valid forms."""


@dataclass(frozen=True)
class PublicKey:
    raw: bytes

    def check(self, signed: bytes, signature: str) -> bool:
        with suppress(InvalidSignature, ValueError):
            Ed25519PublicKey.from_public_bytes(self.raw).verify(b64decode(signature, validate=True), signed)
            return True
        return False

    @property
    def id(self) -> str:
        """The key's thumbprint (RFC 7638), its name for programs."""
        return _base64url(sha256(canonical(self._jwk)).digest())

    @property
    def jwk(self) -> dict[str, str]:
        """The key as a JSON Web Key (RFC 8037)."""
        return {**self._jwk, "kid": self.id, "use": "sig", "alg": "EdDSA"}

    @property
    def _jwk(self) -> dict[str, str]:
        return {"crv": "Ed25519", "kty": "OKP", "x": _base64url(self.raw)}

    @property
    def pem(self) -> str:
        key = Ed25519PublicKey.from_public_bytes(self.raw)
        return key.public_bytes(Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


@dataclass(frozen=True)
class RecordSigner:
    """The signer of a site's records. Ed25519 always gives the same signature of a record."""

    key: Ed25519PrivateKey = field(repr=False)

    @property
    def mark(self) -> str:
        """Return a few letters that distinguish this key's signatures from another's."""
        return self.public.id[:8]

    def sign(self, signed: bytes) -> str:
        return b64encode(self.key.sign(signed)).decode()

    @property
    def public(self) -> PublicKey:
        return PublicKey(self.key.public_key().public_bytes_raw())


@cache
def record_signer(config: Config) -> RecordSigner:
    """The record signer of the site, the same for all processes. Raises SettingsError."""
    if config.record_key is None and config.secret is not None:
        return _signer_from(config.secret)
    path = key_file(config)
    if config.record_key is None and not path.exists():
        form = (Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        write_once(path, Ed25519PrivateKey.generate().private_bytes(*form).decode())
    return _signer_in(path)


def public_keys(config: Config) -> tuple[PublicKey, ...]:
    old = config.old_secrets or ()  # none without a secret that is set
    return (record_signer(config).public, *(_signer_from(secret).public for secret in old))


def _signer_from(secret: str) -> RecordSigner:
    seed = sha256(b"pbem records: " + secret.encode()).digest()
    return RecordSigner(Ed25519PrivateKey.from_private_bytes(seed))


def _signer_in(path: Path) -> RecordSigner:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SettingsError([f"{path} cannot be read: {error.strerror or error}."]) from None
    return read_signer(content, str(path))


def read_signer(content: bytes, path: str) -> RecordSigner:
    """The signer of a file's content. Raises SettingsError, which names the file."""
    try:
        key = serialization.load_pem_private_key(content, None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise SettingsError([f"{path} holds no Ed25519 key in PEM: bring it back from a backup."]) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise SettingsError([f"{path} holds a key of another kind than Ed25519."])
    return RecordSigner(key)


def key_file(config: Config) -> Path:
    return config.record_key or config.var / KEY_FILE


def read_public_keys(text: str) -> tuple[PublicKey, ...]:
    """The keys in a text; raises BadKey. PEM, a JSON Web Key or a set of them, or the 32 bytes in base64."""
    text = text.strip()
    if text.startswith("{"):
        found = _from_json(text)
    else:
        found = [_from_pem(text) if text.startswith("-----") else _decode_key(text)]
    keys = tuple(PublicKey(raw) for raw in found if raw is not None and len(raw) == RAW_KEY_BYTES)
    if not keys:
        raise BadRecordKey("that is no Ed25519 public key, in PEM, as a JSON Web Key or in base64")
    return keys


def _from_pem(text: str) -> bytes | None:
    with suppress(ValueError, UnsupportedAlgorithm):
        key = serialization.load_pem_public_key(text.encode())
        return key.public_bytes_raw() if isinstance(key, Ed25519PublicKey) else None
    return None


def _from_json(text: str) -> list[bytes | None]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    keys = found.get("keys", [found])
    known = [key for key in keys if isinstance(key, dict)] if isinstance(keys, list) else []
    return [_decode_key(str(key.get("x", ""))) for key in known if key.get("crv") == "Ed25519"]


def _decode_key(text: str) -> bytes | None:
    plain = text.rstrip("=").translate(str.maketrans("-_", "+/"))
    with suppress(ValueError):
        return b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    return None


def _base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()
