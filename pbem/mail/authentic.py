"""What the mail server in front found out about a sender: Authentication-Results, RFC 8601.

Anyone can write the header (RFC 8601 5), so it counts only under the configured name and above the
Received line by which our own server took the mail; of several the worst counts. Read by hand: a
reader that gives up on one odd word would lose the `fail` that stands behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from importlib.resources import files
from itertools import zip_longest

from publicsuffix2 import PublicSuffixList

from pbem.mail.covering import covers, tags_of
from pbem.mail.headers import VALUE_MOST
from pbem.mail.opening import Inbound


class Verdict(Enum):
    """Whether the From is known to be genuine, known to be forged, or neither."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Result:
    """One result: `dkim`, `pass`, {"header.d": "example.org"}; all in lower case."""

    method: str
    result: str
    properties: Mapping[str, str]


@dataclass(frozen=True)
class Report:
    """One header: who wrote it and what was found.

    `whole` unless it broke off in the middle, or something stands in it that is no result: where a server
    puts no quotes round an address such as `"a;dmarc=pass;"@host`, this is how it shows.
    """

    server: str
    results: tuple[Result, ...]
    whole: bool


def verdict(inbound: Inbound, authserv: str | None, hops: int = 0) -> Verdict:
    """The worst that the server named `authserv` says of the From.

    `hops`: how many Received lines our own servers write above their results.
    """
    reports, domain = trusted(inbound, authserv, hops), domain_of(inbound.sender)
    found = _dmarc(reports, domain)
    if found == Verdict.PASS and not sent_by_domain(reports, domain) and not _covered(inbound, domain):
        return Verdict.UNKNOWN
    return found


def _covered(inbound: Inbound, domain: str) -> bool:
    """Whether each signature of the sender's own covers what says where the mail belongs.

    Which of them held is not told. Mail that came from a host of the domain's own needs none of it.
    """
    found = [tags_of(signature.encode("utf-8", "replace")) for signature in inbound.signed]
    ours = [tags for tags in found if aligned(tags.get(b"d", b"").decode("ascii", "replace"), domain)]
    return all(covers(tags, inbound.named) for tags in ours)


def trusted(inbound: Inbound, authserv: str | None, hops: int = 0) -> list[Report]:
    """The reports that our own server wrote, from top to bottom.

    Without any Received line no server has had the mail in hand: whoever handed it to our own listener
    wrote all of it.
    """
    if not authserv or not inbound.received:
        return []
    placed = zip_longest(inbound.auth_results, inbound.auth_hops, fillvalue=0)
    reports = [read(str(text)) for text, above in placed if int(above) <= hops]
    return [report for report in reports if report.server == authserv.lower()]


def sent_by_domain(reports: list[Report], domain: str) -> bool:
    """Whether our server says that SPF passed for the domain of the From."""
    found = [result for report in reports for result in report.results if result.method == "spf"]
    return bool(found) and all(
        result.result == "pass" and aligned(domain_of(result.properties.get("smtp.mailfrom", "")), domain)
        for result in found
    )


def _dmarc(reports: list[Report], domain: str) -> Verdict:
    """DMARC's word; where the domain has no policy, a signature of that domain (RFC 7489 6.6.2)."""
    found = [result for report in reports for result in report.results if result.method == "dmarc"]
    words = {result.result for result in found}
    if "fail" in words:
        return Verdict.FAIL
    if not all(report.whole for report in reports) or any(_of_another(result, domain) for result in found):
        return Verdict.UNKNOWN
    if words == {"pass"}:
        return Verdict.PASS
    if words <= {"none"} and _signed(reports, domain):
        return Verdict.PASS
    return Verdict.UNKNOWN


def _of_another(result: Result, domain: str) -> bool:
    """Whether a result is of another From; an address in it elsewhere is the end of what broke in."""
    named = result.properties.get("header.from", "")
    stray = any("@" in value for name, value in result.properties.items() if name != "header.from")
    return stray or (bool(named and domain) and domain_of(named) != domain)


def _signed(reports: list[Report], domain: str) -> bool:
    """Whether every report on signatures, or on nothing at all, knows a good one of this domain."""
    telling = [
        report
        for report in reports
        if not report.results or any(result.method == "dkim" for result in report.results)
    ]
    return bool(telling) and all(
        any(
            result.method == "dkim" and result.result == "pass" and aligned(_signer(result), domain)
            for result in report.results
        )
        for report in telling
    )


def _signer(result: Result) -> str:
    return result.properties.get("header.d") or domain_of(result.properties.get("header.i", ""))


# ------------------------------------------------------------------------------------------ domains


def domain_of(address: str) -> str:
    """The domain of an address, or of a bare domain, in lower case."""
    return address.rpartition("@")[2].lower().rstrip(".")


def aligned(domain: str, other: str, *, strict: bool = False) -> bool:
    """Whether two domains belong together (RFC 7489 3.1): the same organisation, or the very same."""
    if not domain or not other:
        return False
    domain, other = domain.lower(), other.lower()
    if strict or domain == other:
        return domain == other
    whole = organisation(other)
    return (domain == whole or domain.endswith(f".{whole}")) and organisation(domain) == whole


@lru_cache(4096)
def organisation(domain: str) -> str:
    """`example.co.uk` for `mail.example.co.uk`: what stands below a public suffix."""
    found = _suffixes().get_public_suffix(domain)
    return found.lower() if found else domain


@cache
def _suffixes() -> PublicSuffixList:
    """The list that authheaders brings, read once: to read it takes a fifth of a second."""
    with (files("authheaders") / "public_suffix_list.txt").open(encoding="utf-8") as lines:
        return PublicSuffixList(lines)


# ------------------------------------------------------------------------------------------ reading

_TOKEN = re.compile(r'\s+|"(?:[^"\\]|\\.)*"|\\.|[();="]|[^\s"\\();=]+')


def read(header: str) -> Report:
    """A header's value by the grammar of RFC 8601 2.2; what cannot be read is left out."""
    clean, whole = _without_comments(header[:VALUE_MOST])
    first, *rest = _statements(clean)
    words = _words(first)
    server = words[0].lower() if words else ""
    found = [_result(statement) for statement in rest if _words(statement) not in ([], ["none"])]
    whole = whole and None not in found and len(header) < VALUE_MOST
    return Report(server, tuple(filter(None, found)), whole)


def _without_comments(header: str) -> tuple[list[str], bool]:
    """The tokens outside comments, which may stand in one another; whether everything was closed."""
    kept: list[str] = []
    depth = 0
    for token in _TOKEN.findall(header):
        if token == "(":
            depth += 1
        elif token == ")" and depth:
            depth -= 1
            kept.append(" ")
        elif not depth:
            kept.append(" " if token.isspace() else token)
    return kept, not depth and '"' not in kept


def _statements(tokens: list[str]) -> Iterator[list[str]]:
    """What stands between semicolons."""
    part: list[str] = []
    for token in tokens:
        if token == ";":
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _words(tokens: list[str]) -> list[str]:
    """Words of a statement; blanks round `=` are nothing, what stands in quotes is one word."""
    text = "".join(_masked(token) if token.startswith('"') else token for token in tokens)
    return re.sub(r" ?= ?", "=", text).split()


_MASKS = str.maketrans(" \t\n=", "\x01\x01\x01\x02")
_UNMASKED = str.maketrans("\x01\x02", " =")


def _masked(quoted: str) -> str:
    return re.sub(r"\\(.)", r"\1", quoted[1:-1]).translate(_MASKS)


_METHOD = re.compile(r"([A-Za-z][\w-]{0,40})(?:/\d+)?=([A-Za-z]\w{0,40})\Z")
"""A result begins with its method (RFC 8601 2.2): `dmarc=pass` inside another one's words is no result."""


def _result(tokens: list[str]) -> Result | None:
    words = _words(tokens)
    match = _METHOD.match(words[0]) if words else None
    if match is None:
        return None
    pairs = (word.partition("=") for word in words[1:])
    properties = {name.lower(): value.translate(_UNMASKED).lower() for name, _, value in pairs}
    return Result(match[1].lower(), match[2].lower(), properties)
