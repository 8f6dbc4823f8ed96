"""Our own look at a From, where no mail server in front has one: DKIM (RFC 6376) and DMARC (RFC 7489).

dkimpy and authheaders do the work; what is here keeps hostile mail away from them and decides what
counts. The names are asked for through `lookup`. No answer is never a pass. SPF needs the address of
the sending host, which only the mail server in front has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email.message import Message

import dkim
from authheaders.dmarc_lookup import DMARCException, lookup_receiver_record

from pbem.mail.authentic import Verdict, aligned, domain_of, organisation
from pbem.mail.covering import covers, signed_names, tags_of
from pbem.mail.headers import Unsafe, sender
from pbem.mail.parts import trimmed

Lookup = Callable[[str], list[str]]
"""The TXT records of a name, [] where there are none; raises Unanswered."""

SIGNATURES_MOST = 3
"""Looked up in one mail: the writer says how many there are, and each costs a question."""
SEEN_MOST = 12
BLANKS_MOST = 200
"""In a row: the work of dkimpy grows with the square of their number."""


class Unanswered(Exception):
    """The name servers do not answer now."""


def check(raw: bytes, address: str, lookup: Lookup, *, sent_by_domain: bool = False) -> Verdict:
    """Whether the domain of `address`, the From of the mail `raw`, stands for it.

    `sent_by_domain`: the mail server in front says that SPF passed for it. FAIL only where the
    domain publishes a policy and neither way holds; UNKNOWN for a signature that holds and does not cover
    what says where the mail belongs.
    """
    try:
        domain = domain_of(address).encode("idna").decode()
        policy = _policy(domain, lookup)
        good, half = sent_by_domain, False
        if not good:
            found = list(_first_whole(_holds(raw, address, _strict(policy), lookup)))
            good, half = any(found), bool(found)
    except (Unanswered, DMARCException, UnicodeError):
        return Verdict.UNKNOWN
    if good:
        return Verdict.PASS
    if half:
        return Verdict.UNKNOWN
    return Verdict.FAIL if policy.get("p") else Verdict.UNKNOWN


def names_asked(raw: bytes, address: str) -> list[str]:
    """The names that `check` may ask for, the sender's policy first; none where it asks nothing."""
    try:
        domain = domain_of(address).encode("idna").decode()
        headers = dkim.DKIM(trimmed(raw)).headers
    except (UnicodeError, dkim.DKIMException):
        return []
    policies = [f"_dmarc.{each}" for each in (domain, organisation(domain))]
    values = [value for name, value in headers if name.lower() == b"dkim-signature"][:SEEN_MOST]
    keys: list[str] = []
    for strict in (False, True):
        ours = [tags_of(value) for value in values if _counts(value, domain_of(address), strict)]
        keys += [
            (tags.get(b"s", b"") + b"._domainkey." + tags[b"d"]).decode("ascii", "replace").rstrip(".")
            for tags in ours[:SIGNATURES_MOST]
        ]
    return list(dict.fromkeys((*policies, *keys)))


def _first_whole(found: Iterator[bool]) -> Iterator[bool]:
    """As far as the first that covers all, for each further one costs a question."""
    for whole in found:
        yield whole
        if whole:
            return


def _strict(policy: dict[str, str]) -> bool:
    return policy.get("adkim", "r").startswith("s")


def _policy(domain: str, lookup: Lookup) -> dict[str, str]:
    """The tags of a domain's policy, else of its organisation's (RFC 7489 6.6.3); none for no policy."""
    find = _one_policy(lookup)
    found: dict[str, str] = lookup_receiver_record(domain, find)
    whole = organisation(domain)
    return found if found or whole == domain else lookup_receiver_record(whole, find)


def _one_policy(lookup: Lookup) -> Callable[[str], str | None]:
    """The policy of a name; where there are several there is none (RFC 7489 6.6.3)."""

    def find(name: str) -> str | None:
        found = [record for record in lookup(name) if record.startswith("v=DMARC1")]
        return found[0] if len(found) == 1 else None

    return find


def _holds(raw: bytes, address: str, strict: bool, lookup: Lookup) -> Iterator[bool]:
    """For each signature of the sender's own domain that holds whether it covers all that it must.

    Raises Unanswered.
    """
    whole = trimmed(raw)
    if b" " * BLANKS_MOST in whole.replace(b"\t", b" "):
        raise Unanswered("a mail that would take too long")
    try:
        headers = dkim.DKIM(whole).headers
    except dkim.DKIMException:
        return
    if not _same_sender(headers, address):
        return
    signatures = [value for name, value in headers if name.lower() == b"dkim-signature"]
    ours = [n for n, value in enumerate(signatures[:SEEN_MOST]) if _counts(value, domain_of(address), strict)]
    named = [name.decode("ascii", "replace") for name, _ in headers]
    for number in ours[:SIGNATURES_MOST]:
        if _verified(whole, number, lookup):
            yield covers(tags_of(signatures[number]), named)


def _same_sender(headers: list[tuple[bytes, bytes]], address: str) -> bool:
    """Whether dkimpy sees the one From that we see: else the signature might cover another."""
    message = Message()
    for name, value in headers:
        if name.lower() == b"from":
            message["From"] = value.decode("utf-8", "surrogateescape").replace("\r\n", "\n").strip()
    try:
        return sender(message).address.lower() == address.lower()
    except Unsafe:
        return False


def _counts(signature: bytes, domain: str, strict: bool) -> bool:
    """Whether a signature, if it holds, says anything about all of the mail and its From.

    One with `l=` covers the beginning of the body alone (RFC 6376 8.2); rsa-sha1 is broken (RFC 8301).
    """
    tags = tags_of(signature)
    signer = tags.get(b"d", b"").decode("ascii", "replace")
    fresh = b"l" not in tags and tags.get(b"a") != b"rsa-sha1" and "from" in signed_names(tags)
    return fresh and aligned(signer, domain.encode("idna").decode(), strict=strict)


def _verified(whole: bytes, number: int, lookup: Lookup) -> bool:
    """Whether the signature holds. dkimpy takes silence for a bad key, so silence is noted on the way."""
    silent: list[Unanswered] = []

    def key(name: bytes, timeout: int = 0) -> bytes | None:
        try:
            records = lookup(name.decode("ascii").rstrip("."))
        except Unanswered as silence:
            silent.append(silence)
            return None
        return next((record.encode() for record in records if not _on_trial(record)), None)

    try:
        holds = bool(dkim.DKIM(whole).verify(number, dnsfunc=key))
    except Exception:  # what a library makes of a hostile signature is no pass, whatever it raises
        holds = False
    if silent:
        raise silent[0]
    return holds


def _on_trial(record: str) -> bool:
    """Whether a domain is only trying its key out: such mail is as good as unsigned (RFC 6376 3.6.1)."""
    tags = (tag.partition("=") for tag in record.split(";"))
    return any(name.strip() == "t" and "y" in value.replace(" ", "").split(":") for name, _, value in tags)
