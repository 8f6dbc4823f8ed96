"""The mail inside an opaquely signed S/MIME part. Nothing is verified (RFC 5652 5)."""

from collections.abc import Iterator
from itertools import islice

SEQUENCE, OID, OCTETS, CONTENT = 0x30, 0x06, 0x04, 0xA0
CONSTRUCTED = 0x20
SIGNED_DATA = bytes.fromhex("2a864886f70d010702")  # 1.2.840.113549.1.7.2
MAX_PIECES = 2000
MAX_LEVELS = 8


def signed_content(data: bytes) -> bytes | None:
    """Return the content of a CMS SignedData structure, or None."""
    try:
        kind, explicit = islice(_elements(_element(data, 0)[1]), 2)
        if data[0] != SEQUENCE or kind != (OID, SIGNED_DATA) or explicit[0] != CONTENT:
            return None
        _version, _digests, encapsulated = islice(_elements(_element(explicit[1], 0)[1]), 3)
        _type, content = islice(_elements(encapsulated[1]), 2)
        return b"".join(_octet_pieces(content[1], MAX_LEVELS)) or None
    except ValueError:
        return None


def _elements(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(data):
        tag, content, at = _element(data, at)
        yield tag, content


def _octet_pieces(data: bytes, levels: int) -> Iterator[bytes]:
    for number, (tag, content) in enumerate(_elements(data)):
        if number >= MAX_PIECES or not levels:
            raise ValueError("too many pieces")
        if tag == OCTETS:
            yield content
        elif tag == OCTETS | CONSTRUCTED:
            yield from _octet_pieces(content, levels - 1)
        elif tag == 0:
            return
        else:
            raise ValueError("no octets")


def _element(data: bytes, at: int, levels: int = MAX_LEVELS) -> tuple[int, bytes, int]:
    """Return the element at `at`: (tag, content, next position)."""
    if at + 2 > len(data):
        raise ValueError("cut short")
    tag, length = data[at], data[at + 1]
    at += 2
    if tag & 0x1F == 0x1F or not levels:
        raise ValueError("a tag of several bytes, or too deep")
    if length == 0x80:
        end = _end_of_contents(data, at, levels)
        return tag, data[at:end], end + 2
    if length > 0x80:
        size = length & 0x7F
        if size > 4 or at + size > len(data):
            raise ValueError("an impossible length")
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
        at = _element(data, at, levels - 1)[2]
    raise ValueError("too many pieces")
