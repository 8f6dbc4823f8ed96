"""Our own check of From: DKIM (RFC 6376) and DMARC (RFC 7489).

This check is for mail that no server in front has checked. dkimpy and authheaders do the work; the code here
protects them from hostile mail and decides what counts. `lookup` asks DNS; no answer is never a pass. SPF
needs the address of the sending host, which only the mail server in front knows.
"""

from collections.abc import Callable, Iterator, Mapping
from email.message import Message

import dkim
from authheaders.dmarc_lookup import DMARCException, lookup_receiver_record

from pbem.mail.authentication.coverage import covers_headers, signer_of, tags_of
from pbem.mail.authentication.results import Verdict, domain_of, is_aligned, organisational_domain
from pbem.mail.inbound.headers import UnsafeSender, read_sender
from pbem.mail.inbound.mime import trim_mail

Lookup = Callable[[str], list[str]]
"""Returns the TXT records of a name, [] without any; raises DnsUnanswered."""
MAX_SIGNATURES = 3
"""Maximum signatures checked in one mail: the sender may add many, and each costs a DNS query."""
MAX_SEEN = 12
MAX_BLANKS = 200
"""Maximum blanks in a row: dkimpy takes quadratic time."""


class DnsUnanswered(Exception):
    """The name servers do not answer now."""


def check_signatures(raw: bytes, address: str, lookup: Lookup, *, sent_by_domain: bool = False) -> Verdict:
    """Check if the domain of `address`, the From of `raw`, confirms it.

    `sent_by_domain`: the mail server in front reports that SPF passed for it. FAIL only where the domain
    publishes a policy and neither way holds; a valid signature that covers too little is UNKNOWN.
    """
    try:
        domain = domain_of(address).encode("idna").decode()
        policy = _policy(domain, lookup)
        strict = policy.get("adkim", "r").startswith("s")
        found = [True] if sent_by_domain else list(_valid_signatures(raw, address, strict, lookup))
    except (DnsUnanswered, DMARCException, UnicodeError):
        return Verdict.UNKNOWN
    if any(found):
        return Verdict.PASS
    return Verdict.FAIL if policy.get("p") and not found else Verdict.UNKNOWN


def dns_names_needed(raw: bytes, address: str) -> list[str]:
    """List the names that `check_signatures` may ask for, the sender's policy first."""
    try:
        domain = domain_of(address).encode("idna").decode()
        headers = dkim.DKIM(trim_mail(raw)).headers
    except (UnicodeError, dkim.DKIMException):
        return []
    policies = [f"_dmarc.{each}" for each in (domain, organisational_domain(domain))]
    keys = [
        (tags.get(b"s", b"") + b"._domainkey." + tags[b"d"]).decode("ascii", "replace").rstrip(".")
        for strict in (False, True)
        for _number, tags in _usable_signatures(headers, address, strict)
    ]
    return list(dict.fromkeys((*policies, *keys)))


def _policy(domain: str, lookup: Lookup) -> dict[str, str]:
    """Return the policy tags of a domain or its organisation. Empty without a policy (RFC 7489 6.6.3)."""

    def find(name: str) -> str | None:  # several count as none
        records = [record for record in lookup(name) if record.startswith("v=DMARC1")]
        return records[0] if len(records) == 1 else None

    found: dict[str, str] = lookup_receiver_record(domain, find)
    whole = organisational_domain(domain)
    return found if found or whole == domain else lookup_receiver_record(whole, find)


def _valid_signatures(raw: bytes, address: str, strict: bool, lookup: Lookup) -> Iterator[bool]:
    """Say of each valid signature if it covers enough. Stops at the first that does. Raises DnsUnanswered."""
    whole = trim_mail(raw)
    if b" " * MAX_BLANKS in whole.replace(b"\t", b" "):
        raise DnsUnanswered("a mail that would take too long")
    try:
        headers = dkim.DKIM(whole).headers
    except dkim.DKIMException:
        return
    if not _same_sender(headers, address):
        return
    named = [name.decode("ascii", "replace") for name, _ in headers]
    for number, tags in _usable_signatures(headers, address, strict):
        if _verify_signature(whole, number, lookup):
            covered = covers_headers(tags, named)
            yield covered
            if covered:
                return


def _same_sender(headers: list[tuple[bytes, bytes]], address: str) -> bool:
    """True if dkimpy sees our From: else a signature might cover another."""
    message = Message()
    for name, value in headers:
        if name.lower() == b"from":
            message["From"] = value.decode("utf-8", "surrogateescape").replace("\r\n", "\n").strip()
    try:
        sender, _name = read_sender(message)
        return sender.lower() == address.lower()
    except UnsafeSender:
        return False


def _usable_signatures(
    headers: list[tuple[bytes, bytes]], address: str, strict: bool
) -> list[tuple[int, Mapping[bytes, bytes]]]:
    """Return number and tags of usable signatures. `l=` and rsa-sha1 make one useless (RFC 8301)."""
    domain = domain_of(address).encode("idna").decode()
    values = [value for name, value in headers if name.lower() == b"dkim-signature"]
    return [
        (number, tags)
        for number, tags in enumerate(map(tags_of, values[:MAX_SEEN]))
        if (b"l" not in tags and tags.get(b"a") != b"rsa-sha1" and covers_headers(tags, ()))
        and is_aligned(signer_of(tags), domain, strict=strict)
    ][:MAX_SIGNATURES]


def _verify_signature(whole: bytes, number: int, lookup: Lookup) -> bool:
    """Verify a signature. To dkimpy silent name servers are a bad key, so they raise DnsUnanswered."""
    silent: list[DnsUnanswered] = []

    def key(name: bytes, timeout: int = 0) -> bytes | None:
        try:
            records = [record.encode() for record in lookup(name.decode("ascii").rstrip("."))]
        except DnsUnanswered as silence:
            silent.append(silence)
            return None
        flags = [tags_of(record).get(b"t", b"").replace(b" ", b"").split(b":") for record in records]
        # signatures of a key on trial do not count (RFC 6376 3.6.1)
        return next((record for record, of in zip(records, flags, strict=True) if b"y" not in of), None)

    try:
        holds = bool(dkim.DKIM(whole).verify(number, dnsfunc=key))
    except Exception:  # hostile input may raise anything in a library; it is no pass
        holds = False
    if silent:
        raise silent[0]
    return holds
