"""Splits a mail's bytes into headers and body parts (RFC 2045, 2046).

The standard library parses headers (compat32 never raises). Bodies are split here by their boundaries, so
that every limit holds before and during the work: a mail of a thousand levels or a hundred thousand parts
costs no more than any other.
"""

import binascii
import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32

MAX_PARSED = 256 * 1024
MAX_HEADER_BLOCK = 100_000
MAX_HEADERS = 200
MAX_PARTS = 100
MAX_LEVELS = 20
MAX_ADDRESSES = 64

_HEADER_START = re.compile(rb"(?m)^[!-9;-~]{1,200}:")
_BLANK_BEFORE_COLON = re.compile(rb"(?m)^([!-9;-~]{1,200})[ \t]+:")
_LATE_FROM = re.compile(rb"(?m)^>{0,20}From(?:[ \t]|(?<=>From):)")
_BEFORE_HEADERS = re.compile(rb"[\n \t]*(?:>?From [^\n]*(?:\n+|\Z)){0,3}")
"""Three are more than any host writes; the limit keeps the pattern fast."""
ADDRESS_HEADERS = ("from", "to", "cc", "sender", "reply-to")


class LimitExceeded(ValueError):
    """A mail beyond a limit; `str()` is one sentence for its sender."""


@dataclass(frozen=True)
class Part:
    """A leaf part: its headers, its type (`text/plain`), its bytes, still encoded."""

    headers: Message
    type: str
    body: bytes

    @property
    def disposition(self) -> str:
        """Return `inline`, `attachment`, or "" without one."""
        return str(self.headers.get("Content-Disposition", "")).partition(";")[0].strip().lower()

    @property
    def file_name(self) -> str:
        return _parameter(self.headers, "filename", "content-disposition")

    @property
    def charset(self) -> str:
        return self.parameter("charset")

    def parameter(self, name: str) -> str:
        return _parameter(self.headers, name)

    def decode_body(self) -> bytes:
        """Return the bytes without transfer encoding; broken ones as far as readable."""
        encoding = str(self.headers.get("Content-Transfer-Encoding", "")).strip().strip('"').lower()
        if encoding == "quoted-printable":
            # Hosts add blanks at line ends, also behind a soft break (RFC 2045 6.7).
            return quopri.decodestring(b"\n".join(line.rstrip(b" \t") for line in self.body.split(b"\n")))
        if encoding == "base64":
            return _from_base64(self.body)
        return self.body


def trim_mail(raw: bytes) -> bytes:
    """Normalise line ends and remove anything before the headers.

    Removes leading blank lines, a byte order mark and up to three mbox `From ` lines: behind any of them a
    parser takes all headers for text.
    """
    data = raw.removeprefix(b"\xef\xbb\xbf")
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return _BEFORE_HEADERS.sub(b"", data, count=1)


def limit_parsed(data: bytes) -> bytes:
    """Return the first 256 KiB: more is never parsed."""
    return data[:MAX_PARSED]


def split_head(data: bytes) -> tuple[bytes, bytes]:
    """Split a normalised mail or part into (header block, body).

    Data that does not begin with a header is all body.
    """
    if data.startswith(b"\n"):
        return b"", data[1:]
    if not _HEADER_START.match(data):
        return b"", data
    head, _, body = data.partition(b"\n\n")
    return head, body


def check_headers(head: bytes) -> None:
    """Raise LimitExceeded for a header block beyond a limit; call before parsing."""
    if len(head) > MAX_HEADER_BLOCK:
        raise LimitExceeded("This mail's headers are too long to be read here; please send a plain new mail.")
    if sum(1 for _ in _HEADER_START.finditer(head)) > MAX_HEADERS:
        raise LimitExceeded("This mail has too many headers to be read here; please send a plain new mail.")


def parse_headers(head: bytes) -> Message:
    """Parse a header block that passed `check_headers`.

    `To : x` is read as `To: x` (RFC 5322 4.5), as mail servers do: the library would end the headers there. A
    `From x` among the headers counts as one more From, since no mailbox file put it there.
    """
    head = _LATE_FROM.sub(b"From:", _BLANK_BEFORE_COLON.sub(rb"\1:", head))
    return BytesHeaderParser(policy=compat32).parsebytes(head + b"\n\n")


def headers_of(raw: bytes) -> Message | None:
    """Parse a mail's headers, None where they are beyond a limit."""
    head, _body = split_head(trim_mail(raw))
    try:
        check_headers(head)
    except LimitExceeded:
        return None
    return parse_headers(head)


def check_addresses(headers: Message) -> None:
    """Raise LimitExceeded for more than 64 addresses; none has been parsed yet."""
    for name, value in headers.raw_items():
        if name.lower() in ADDRESS_HEADERS and str(value).count("@") > MAX_ADDRESSES:
            raise LimitExceeded(
                f"This mail is addressed to more than {MAX_ADDRESSES} people; "
                "please write to this server alone."
            )


def leaf_parts(headers: Message, body: bytes) -> Iterator[Part]:
    """Yield the leaf parts in order, but none inside another mail (message/rfc822).

    Raises LimitExceeded beyond 100 parts or 20 levels.
    """
    budget = [MAX_PARTS]
    yield from _leaves(headers, body, "text/plain", MAX_LEVELS, budget)


def _leaves(headers: Message, body: bytes, default: str, levels: int, budget: list[int]) -> Iterator[Part]:
    kind = headers.get_content_type() if "content-type" in headers else default
    if not kind.startswith("multipart/"):
        yield Part(headers, kind, body)
        return
    if levels == 0:
        raise LimitExceeded("The parts of this mail lie too deep in each other; please write in plain text.")
    boundary = _parameter(headers, "boundary")
    pieces = _split(body, boundary, budget) if boundary else []
    if not pieces:
        yield Part(headers, "text/plain" if not boundary else kind, body)
    inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
    for piece in pieces:
        head, rest = split_head(piece)
        yield from _leaves(parse_headers(head[:MAX_HEADER_BLOCK]), rest, inner, levels - 1, budget)


def _split(body: bytes, boundary: str, budget: list[int]) -> list[bytes]:
    """Split a body at its boundaries, without preamble or epilogue (RFC 2046 5.1.1)."""
    line = re.compile(
        rb"(?m)^--" + re.escape(boundary.encode("utf-8", "surrogateescape")) + rb"(--)?[ \t]*$\n?"
    )
    pieces: list[bytes] = []
    start = -1
    for match in line.finditer(body):
        if start >= 0:
            pieces.append(body[start : max(start, match.start() - 1)])
            budget[0] -= 1
            if budget[0] < 0:
                raise LimitExceeded(
                    "This mail has too many parts to be read here; please write in plain text."
                )
        start = -1 if match[1] else match.end()
        if match[1]:
            break
    if start >= 0:
        pieces.append(body[start:])
    return pieces


def _parameter(headers: Message, name: str, header: str = "content-type") -> str:
    """Return a header's parameter as text, "" if missing or unreadable."""
    if len(str(headers.get(header, ""))) > 2000:
        return ""
    try:
        value = headers.get_param(name, "", header)
    except (ValueError, LookupError, TypeError):  # the library raises on some parameters (RFC 2231)
        return ""
    return str(value[2] if isinstance(value, tuple) else value)[:250]


def _from_base64(body: bytes) -> bytes:
    """Decode base64 up to its padding; foreign characters are skipped."""
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", body.partition(b"=")[0])
    rest = len(letters) % 4
    letters = letters[:-1] if rest == 1 else letters + b"=" * (-rest % 4)
    return binascii.a2b_base64(letters)
