"""The mail inside an opaquely signed S/MIME part, read but not verified.

It is CMS SignedData (RFC 5652 5). Reads just enough BER to reach the content: ContentInfo, SignedData,
EncapsulatedContentInfo, its octets. OpenSSL streams with indefinite lengths and octets in pieces; both are
read.
"""

from collections.abc import Iterator

SEQUENCE, OID, OCTETS, CONTENT = 0x30, 0x06, 0x04, 0xA0
CONSTRUCTED = 0x20
SIGNED_DATA = bytes.fromhex("2a864886f70d010702")  # 1.2.840.113549.1.7.2
MAX_PIECES = 2000
MAX_LEVELS = 8


class NotSigned(ValueError):
    """The bytes are no readable SignedData."""


def signed_content(data: bytes) -> bytes | None:
    """Return the content of a CMS SignedData structure, or None."""
    try:
        kind, signed = _members(_single_content(data, SEQUENCE), 2)
        if kind != (OID, SIGNED_DATA) or signed[0] != CONTENT:
            return None
        inner = _single_content(signed[1], SEQUENCE)
        _version, _digests, encapsulated = _members(inner, 3)
        members = _members(encapsulated[1], 2)
        return b"".join(_octet_pieces(members[1][1], MAX_LEVELS)) or None
    except NotSigned:
        return None


def _single_content(data: bytes, tag: int) -> bytes:
    """Return the content of the only element, which must have this tag."""
    found, content, _ = _element(data, 0)
    if found != tag:
        raise NotSigned("another kind of data")
    return content


def _members(data: bytes, count: int) -> list[tuple[int, bytes]]:
    """Return (tag, content) of the first `count` elements."""
    found = []
    at = 0
    for _ in range(count):
        tag, content, at = _element(data, at)
        found.append((tag, content))
    return found


def _octet_pieces(data: bytes, levels: int) -> Iterator[bytes]:
    """Yield the pieces of an octet string."""
    at = pieces = 0
    while at < len(data):
        tag, content, at = _element(data, at)
        pieces += 1
        if pieces > MAX_PIECES or not levels:
            raise NotSigned("too many pieces")
        if tag == OCTETS:
            yield content
        elif tag == OCTETS | CONSTRUCTED:
            yield from _octet_pieces(content, levels - 1)
        elif tag == 0:
            return
        else:
            raise NotSigned("no octets")


def _element(data: bytes, at: int) -> tuple[int, bytes, int]:
    """Return the element at `at`: (tag, content, next position)."""
    if at + 2 > len(data):
        raise NotSigned("cut short")
    tag, length = data[at], data[at + 1]
    at += 2
    if tag & 0x1F == 0x1F:
        raise NotSigned("a tag of several bytes")
    if length == 0x80:
        end = _end_of_contents(data, at, MAX_LEVELS)
        return tag, data[at:end], end + 2
    if length > 0x80:
        size = length & 0x7F
        if size > 4 or at + size > len(data):
            raise NotSigned("an impossible length")
        length = int.from_bytes(data[at : at + size], "big")
        at += size
    return tag, data[at : at + length], at + length


def _end_of_contents(data: bytes, at: int, levels: int) -> int:
    """Find the two zero bytes that end an element of indefinite length."""
    for _ in range(MAX_PIECES):
        if at + 2 > len(data):
            return len(data)  # cut short; the content so far may be enough
        if data[at : at + 2] == b"\0\0":
            return at
        if data[at + 1] == 0x80:
            if not levels:
                raise NotSigned("too deep")
            at = _end_of_contents(data, at + 2, levels - 1) + 2
        else:
            at = _element(data, at)[2]
    raise NotSigned("too many pieces")
