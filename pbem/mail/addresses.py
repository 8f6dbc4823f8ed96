"""Reply addresses that are credentials: `play+TOKEN@host`, and `bounce+HEX@host` for one letter.

A token is lower-case base32, because mail programs and hosts change the case of local parts. Each token has
a payload and a 96-bit HMAC-SHA256 over it, with a key for each use, so a token never serves another use. The
code that has the rows decides if a token is still good (a used confirmation, an older ply, a revoked epoch).
"""

import hmac
from base64 import b16decode, b16encode, b32decode, b32encode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import sha256

MAC_BYTES = 12
USES = (
    *("game", "player", "confirm", "unsubscribe", "sign-in", "bounce", "bundle", "calendar", "watch"),
    *("invite", "never"),
)
RESTORED_OFFSET = 64
"""Added to the use's number if a non-zero restore epoch follows."""
MAX_LOCAL_PART = 64  # RFC 5321 4.5.3.1.1
MAILBOXES = frozenset({"play", "postmaster", "abuse"})
"""Local parts without a token. RFC 5321 4.5.1 and RFC 2142 require the last two."""


class BadAddress(ValueError):
    """Raised for an address that is not ours: malformed, forged or another host's."""


@dataclass(frozen=True)
class Token:
    """Content of a reply address: a use and up to five numbers.

    game: (game, seat, entry, epoch); player: (player, about, epoch, day); confirm: (confirmation,);
    unsubscribe: (player, category index, epoch); bounce: (letter,); bundle: (player, bundle, epoch, day);
    calendar: (player, epoch); watch: (player, game, plies, epoch, day); invite: (invitation,);
    never: (invited address,). `restored` is the epoch that began with the last restore from a backup.
    """

    use: str
    numbers: tuple[int, ...]
    restored: int = 0


@dataclass(frozen=True)
class Address:
    """One of our addresses: a mailbox such as `play`, `bounce` or `postmaster`, and perhaps a token."""

    mailbox: str
    token: Token | None


@dataclass(frozen=True)
class Addressing:
    """Makes and reads addresses of one host. Only the newest of `keys` makes them."""

    host: str
    keys: Sequence[bytes]
    delimiter: str = "+"

    def plain(self, mailbox: str = "play") -> str:
        return f"{mailbox}@{self.host}"

    def reply(self, token: Token) -> str:
        return self.reply_to(self.sign_token(token))

    def reply_to(self, sealed: str) -> str:
        return f"play{self.delimiter}{sealed}@{self.host}"

    def return_path(self, letter: int) -> str:
        """Return the envelope sender of one letter, `bounce+HEX@host`."""
        sealed = b16encode(self._seal(Token("bounce", (letter,)))).decode().lower()
        return f"bounce{self.delimiter}{sealed}@{self.host}"

    def sign_token(self, token: Token) -> str:
        """Sign the token and return it as lower-case base32 without padding."""
        return b32encode(self._seal(token)).decode().rstrip("=").lower()

    def _seal(self, token: Token) -> bytes:
        use = USES.index(token.use)
        made = (use + RESTORED_OFFSET, token.restored) if token.restored else (use,)
        payload = _pack((*made, *token.numbers))
        return payload + _mac(self.keys[0], token.use, payload)

    def read_token(self, text: str) -> Token:
        """Read the token in `text`, in any case. Raises BadAddress for a forged one."""
        try:
            raw = b32decode(text.upper() + "=" * (-len(text) % 8))
        except ValueError:
            raise BadAddress("not a token") from None
        if b32encode(raw).decode().rstrip("=").lower() != text.lower():
            raise BadAddress("not a token as we spell it")  # the last letter has unused bits
        return self._verify_token(raw)

    def is_token(self, text: str) -> bool:
        try:
            self.read_token(text)
        except BadAddress:
            return False
        return True

    def read(self, address: str) -> Address:
        """Read an envelope recipient of ours; raises BadAddress."""
        local, at, host = address.rpartition("@")
        if not at or host.lower() != self.host.lower() or len(local) > MAX_LOCAL_PART or not local.isascii():
            raise BadAddress("not an address of this host")
        mailbox, delimiter, detail = local.lower().partition(self.delimiter)
        if not delimiter and mailbox in MAILBOXES:
            return Address(mailbox, None)
        if delimiter and mailbox == "play" and (token := self.read_token(detail)).use != "bounce":
            return Address("play", token)
        if delimiter and mailbox == "bounce":
            with suppress(ValueError):
                token = self._verify_token(b16decode(detail.upper()))
                if token.use == "bounce":
                    return Address("bounce", token)
            raise BadAddress("not a bounce address")
        raise BadAddress("no such mailbox")

    def _verify_token(self, raw: bytes) -> Token:
        payload, mac = raw[:-MAC_BYTES], raw[-MAC_BYTES:]
        numbers, restored = _unpack(payload), 0
        if len(numbers) > 1 and numbers[0] >= RESTORED_OFFSET:
            numbers, restored = (numbers[0] - RESTORED_OFFSET, *numbers[2:]), numbers[1]
        if not numbers or numbers[0] >= len(USES):
            raise BadAddress("not a token")
        use = USES[numbers[0]]
        if not any(hmac.compare_digest(mac, _mac(key, use, payload)) for key in self.keys):
            raise BadAddress("not a token of this host")
        return Token(use, numbers[1:], restored)


def _mac(key: bytes, use: str, payload: bytes) -> bytes:
    return hmac.digest(_key_of(key, use), payload, sha256)[:MAC_BYTES]


@lru_cache(64)  # each letter has four addresses
def _key_of(key: bytes, use: str) -> bytes:
    return hmac.digest(key, b"pbem reply address: " + use.encode(), sha256)


def _pack(numbers: Sequence[int]) -> bytes:
    """Encode whole numbers as LEB128: seven bits a byte, low ones first."""
    out = bytearray()
    for number in numbers:
        while number > 0x7F:
            out.append(number & 0x7F | 0x80)
            number >>= 7
        out.append(number)
    return bytes(out)


def _unpack(payload: bytes) -> tuple[int, ...]:
    numbers, number, shift = [], 0, 0
    for byte in payload:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(number)
            number, shift = 0, 0
    return () if shift else tuple(numbers)


def days_since_1970(moment: datetime) -> int:
    return int(moment.timestamp()) // 86400
