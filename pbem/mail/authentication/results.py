"""Results that the mail server in front found: Authentication-Results, RFC 8601.

Anyone can write the header (RFC 8601 5), so it counts only under the configured name and above the Received
line by which our own server took the mail. The worst of several results counts. The parser is our own,
because one that stops at an odd word would miss a `fail` after that word.
"""

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache, lru_cache
from typing import NamedTuple

from publicsuffixlist import PublicSuffixList

from pbem.core.parsing.inbound import Mail
from pbem.mail.authentication.coverage import covers_headers, signer_of, tags_of
from pbem.mail.inbound.headers import MAX_VALUE, split_comments


class Verdict(Enum):
    """A verdict on the From: known as genuine, as forged, or neither."""

    PASS, FAIL, UNKNOWN = "pass", "fail", "unknown"


class AuthResult(NamedTuple):
    """One result: `dkim`, `pass`, {"header.d": "example.org"}; all in lower case."""

    method: str
    result: str
    properties: Mapping[str, str]


class AuthReport(NamedTuple):
    """One header. If it is not `whole`, somebody may attack by an address such as `"a;dmarc=pass;"@host`."""

    server: str
    results: tuple[AuthResult, ...]
    whole: bool


def verdict(inbound: Mail, authserv: str | None, hops: int = 0) -> Verdict:
    """Return the worst verdict of server `authserv`. Ours write `hops` Received lines above its results."""
    reports, domain = trusted_reports(inbound, authserv, hops), domain_of(inbound.sender)
    found = _dmarc(reports, domain)
    if found != Verdict.PASS or has_spf_pass(reports, domain):
        return found
    signatures = [tags_of(signature.encode("utf-8", "replace")) for signature in inbound.signed]
    own = [tags for tags in signatures if is_aligned(signer_of(tags), domain)]
    # The report does not say which one is valid, so each must cover enough.
    return found if all(covers_headers(tags, inbound.named) for tags in own) else Verdict.UNKNOWN


def trusted_reports(inbound: Mail, authserv: str | None, hops: int = 0) -> list[AuthReport]:
    """List the reports that our own server wrote, from top to bottom.

    A mail without Received lines has passed no server: the client of our own listener wrote all of it.
    """
    if not authserv or not inbound.received:
        return []
    reports = [parse_results_header(text) for text, above in inbound.auth_results if above <= hops]
    return [report for report in reports if report.server == authserv.lower()]


def _results(reports: Sequence[AuthReport], method: str) -> list[AuthResult]:
    return [result for report in reports for result in report.results if result.method == method]


def has_spf_pass(reports: Sequence[AuthReport], domain: str) -> bool:
    """True if our server reports an SPF pass for the From's domain."""
    found = _results(reports, "spf")
    return bool(found) and all(
        result.result == "pass" and is_aligned(domain_of(result.properties.get("smtp.mailfrom", "")), domain)
        for result in found
    )


def _dmarc(reports: Sequence[AuthReport], domain: str) -> Verdict:
    """Return DMARC's verdict. Without a policy, an aligned signature decides (RFC 7489 6.6.2)."""
    found = _results(reports, "dmarc")
    words = {result.result for result in found}
    if "fail" in words:
        return Verdict.FAIL
    if not all(report.whole for report in reports) or any(
        _is_about_other_from(each, domain) for each in found
    ):
        return Verdict.UNKNOWN
    signed = words <= {"none"} and _has_good_signature(reports, domain)
    return Verdict.PASS if signed or words == {"pass"} else Verdict.UNKNOWN


def _is_about_other_from(result: AuthResult, domain: str) -> bool:
    """True if a result is about another From. An address in another property shows injected text."""
    named = result.properties.get("header.from", "")
    stray = any("@" in value for name, value in result.properties.items() if name != "header.from")
    return stray or (bool(named and domain) and domain_of(named) != domain)


def _has_good_signature(reports: Sequence[AuthReport], domain: str) -> bool:
    found = [_results([report], "dkim") for report in reports]
    relevant = [dkim for dkim, report in zip(found, reports, strict=True) if dkim or not report.results]
    return bool(relevant) and all(any(_is_good_signature(each, domain) for each in dkim) for dkim in relevant)


def _is_good_signature(result: AuthResult, domain: str) -> bool:
    signer = result.properties.get("header.d") or domain_of(result.properties.get("header.i", ""))
    return result.result == "pass" and is_aligned(signer, domain)


def domain_of(address: str) -> str:
    """Return the domain of an address or bare domain, in lower case."""
    return address.rpartition("@")[2].lower().rstrip(".")


def is_aligned(domain: str, other: str, *, strict: bool = False) -> bool:
    """True if two domains share the organisation (RFC 7489 3.1). With `strict` they must be equal."""
    if not domain or not other:
        return False
    domain, other = domain.lower(), other.lower()
    if strict or domain == other:
        return domain == other
    whole = organisational_domain(other)
    return (domain == whole or domain.endswith(f".{whole}")) and organisational_domain(domain) == whole


@lru_cache(4096)
def organisational_domain(domain: str) -> str:
    """Return the organisational domain: `example.co.uk` for `mail.example.co.uk`."""
    return _suffixes().privatesuffix(domain) or domain


@cache
def _suffixes() -> PublicSuffixList:
    """Load the list of public suffixes once: reading it takes 0.05 s."""
    return PublicSuffixList()


_TOKEN = re.compile(r'\s+|"(?:[^"\\]|\\.)*"|\\.|[();="]|[^\s"\\();=]+')


def parse_results_header(header: str) -> AuthReport:
    """Parse a header's value by RFC 8601 2.2. Unreadable parts are left out."""
    tokens, _comment, closed = split_comments(_TOKEN.findall(header[:MAX_VALUE]))
    text = re.sub(r" ?= ?", "=", "".join(map(_mask, tokens)))  # blanks round `=` are ignored
    server, *statements = (statement.split() for statement in text.split(";"))
    found = [_result(words) for words in statements if words not in ([], ["none"])]
    whole = closed and '"' not in tokens and None not in found and len(header) < MAX_VALUE
    return AuthReport(server[0].lower() if server else "", tuple(filter(None, found)), whole)


_MASKS = str.maketrans(" \t\n=;", "\x01\x01\x01\x02\x03")
_UNMASKED = str.maketrans("\x01\x02\x03", " =;")


def _mask(token: str) -> str:
    """Mask the signs that separate, where they are quoted."""
    if token.startswith('"'):
        return re.sub(r"\\(.)", r"\1", token[1:-1]).translate(_MASKS)
    return "\\\x03" if token == "\\;" else token if token.strip() else " "


_METHOD = re.compile(r"([A-Za-z][\w-]{0,40})(?:/\d+)?=([A-Za-z]\w{0,40})\Z")
"""The method that begins a result (RFC 8601 2.2); `dmarc=pass` inside other words does not count."""


def _result(words: list[str]) -> AuthResult | None:
    match = _METHOD.match(words[0])
    if match is None:
        return None
    pairs = (word.partition("=") for word in words[1:])
    properties = {name.lower(): value.translate(_UNMASKED).lower() for name, _, value in pairs}
    return AuthResult(match[1].lower(), match[2].lower(), properties)
