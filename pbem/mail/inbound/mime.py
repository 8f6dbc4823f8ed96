"""Splits a mail's bytes into headers and body parts (RFC 2045, 2046).

The library parses headers (compat32 never raises). Bodies are split here, so limits hold during the work.
"""

import binascii
import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from itertools import count

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
LONG_HEADERS = "This mail's headers are too long to be read here; please send a plain new mail."
MANY_HEADERS = "This mail has too many headers to be read here; please send a plain new mail."
MANY_PARTS = "This mail has too many parts to be read here; please write in plain text."


class UnreadableMail(ValueError):
    """Raised for a mail beyond a limit or without readable text. `str()` is one sentence for its sender."""


@dataclass(frozen=True)
class Part:
    """A leaf part: its headers, its type (`text/plain`), its bytes, still encoded."""

    headers: Message
    type: str
    body: bytes

    @property
    def file_name(self) -> str:
        return self.parameter("filename", "content-disposition")

    @property
    def is_attachment(self) -> bool:
        disposition = str(self.headers.get("Content-Disposition", "")).partition(";")[0]
        return disposition.strip().lower() == "attachment" or bool(self.file_name)

    def parameter(self, name: str, header: str = "content-type") -> str:
        """Return a header's parameter as text, "" if missing or unreadable."""
        if len(str(self.headers.get(header, ""))) > 2000:
            return ""
        try:
            value = self.headers.get_param(name, "", header)
        except (ValueError, LookupError, TypeError):  # the library raises on some parameters (RFC 2231)
            return ""
        return str(value[2] if isinstance(value, tuple) else value)[:250]

    def decode_body(self) -> bytes:
        """Return the bytes without transfer encoding; broken ones as far as readable."""
        encoding = str(self.headers.get("Content-Transfer-Encoding", "")).strip().strip('"').lower()
        if encoding == "quoted-printable":
            # Hosts add blanks at line ends, also behind a soft break (RFC 2045 6.7).
            return quopri.decodestring(b"\n".join(line.rstrip(b" \t") for line in self.body.split(b"\n")))
        return from_base64(self.body) if encoding == "base64" else self.body


def from_base64(body: bytes) -> bytes:
    """Decode base64 up to its padding. Foreign characters are skipped."""
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", body.partition(b"=")[0])
    rest = len(letters) % 4
    return binascii.a2b_base64(letters[:-1] if rest == 1 else letters + b"=" * (-rest % 4))


def trim_mail(raw: bytes) -> bytes:
    """Normalise line ends, and make the headers readable. Blank and `From ` lines at the top are removed."""
    data = raw.removeprefix(b"\xef\xbb\xbf")
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return _BEFORE_HEADERS.sub(b"", data, count=1)


def split_head(data: bytes) -> tuple[bytes, bytes]:
    """Split a normalised mail or part into (header block, body). Without a header first, all is body."""
    if data.startswith(b"\n"):
        return b"", data[1:]
    if not _HEADER_START.match(data):
        return b"", data
    head, _, body = data.partition(b"\n\n")
    return head, body


def check_headers(head: bytes) -> None:
    """Raise UnreadableMail for a header block beyond a limit; call before parsing."""
    if len(head) > MAX_HEADER_BLOCK:
        raise UnreadableMail(LONG_HEADERS)
    if sum(1 for _ in _HEADER_START.finditer(head)) > MAX_HEADERS:
        raise UnreadableMail(MANY_HEADERS)


def parse_headers(head: bytes) -> Message:
    """Parse a header block, cut at 100,000 bytes.

    `To : x` is read as `To: x` (RFC 5322 4.5), as mail servers do: the library would end the headers there. A
    `From x` among the headers counts as one more From, since no mailbox file put it there.
    """
    head = _LATE_FROM.sub(b"From:", _BLANK_BEFORE_COLON.sub(rb"\1:", head[:MAX_HEADER_BLOCK]))
    return BytesHeaderParser(policy=compat32).parsebytes(head + b"\n\n")


def parse_head(data: bytes) -> tuple[Message, bytes]:
    """Split a trimmed mail into its headers, parsed, and its body. Raises UnreadableMail."""
    head, body = split_head(data)
    check_headers(head)
    return parse_headers(head), body


def parse_part(data: bytes) -> tuple[Message, bytes]:
    head, body = split_head(data)
    return parse_headers(head), body


def headers_of(raw: bytes) -> Message | None:
    try:
        return parse_head(trim_mail(raw))[0]
    except UnreadableMail:
        return None


def check_addresses(headers: Message) -> None:
    """Raise UnreadableMail for more than 64 addresses; none has been parsed yet."""
    for name, value in headers.raw_items():
        if name.lower() in ADDRESS_HEADERS and str(value).count("@") > MAX_ADDRESSES:
            raise UnreadableMail(
                f"This mail is addressed to more than {MAX_ADDRESSES} people; "
                "please write to this server alone."
            )


def leaf_parts(
    headers: Message,
    body: bytes,
    default: str = "text/plain",
    levels: int = MAX_LEVELS,
    numbers: Iterator[int] | None = None,
) -> Iterator[Part]:
    """Yield the leaf parts in order, none inside another mail (message/rfc822). Raises UnreadableMail."""
    numbers = numbers or count(1)
    kind = headers.get_content_type() if "content-type" in headers else default
    whole = Part(headers, kind, body)
    if not kind.startswith("multipart/"):
        yield whole
        return
    if levels == 0:
        raise UnreadableMail("The parts of this mail lie too deep in each other; please write in plain text.")
    boundary = whole.parameter("boundary")
    pieces = _split(body, boundary, numbers) if boundary else []
    if not pieces:
        yield whole if boundary else Part(headers, "text/plain", body)
    inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
    for piece in pieces:
        yield from leaf_parts(*parse_part(piece), inner, levels - 1, numbers)


def _split(body: bytes, boundary: str, numbers: Iterator[int]) -> list[bytes]:
    """Split a body at its boundaries. Preamble and epilogue are dropped (RFC 2046 5.1.1)."""
    mark = re.escape(boundary.encode("utf-8", "surrogateescape"))
    pieces: list[bytes] = []
    start = -1
    for match in re.finditer(rb"(?m)^--" + mark + rb"(--)?[ \t]*$\n?", body):
        if start >= 0:
            pieces.append(body[start : max(start, match.start() - 1)])
            if next(numbers) > MAX_PARTS:
                raise UnreadableMail(MANY_PARTS)
        start = match.end()
        if match[1]:
            return pieces
    return [*pieces, body[start:]] if start >= 0 else pieces
