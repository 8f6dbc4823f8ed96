"""DNS for tests: a mapping as zone, asked directly or over UDP."""

from __future__ import annotations

import socketserver
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import dns.flags
import dns.message
import dns.rcode
import dns.rrset

from pbem.mail.doctor.lookups import DnsAnswer, DnsLookup
from tests.serving import serving

Zone = Mapping[tuple[str, str], list[str]]
"""(name, type) -> records as the checks get them; TXT text without quotes."""

SERVFAIL, SILENT = ["SERVFAIL"], ["SILENT"]
"""Instead of records: the name server fails, or is silent."""


def zone_lookup(zone: Zone) -> DnsLookup:
    """Answer from a zone directly."""

    def look(name: str, kind: str) -> DnsAnswer:
        records = zone.get((name, kind), [])
        return DnsAnswer(trouble="SERVFAIL") if records is SERVFAIL else DnsAnswer(tuple(records))

    return look


class _Question(socketserver.DatagramRequestHandler):
    def handle(self) -> None:
        query = dns.message.from_wire(self.rfile.read())
        question = query.question[0]
        name = question.name.to_text(omit_final_dot=True).lower()
        kind = dns.rdatatype.to_text(question.rdtype)
        zone: Zone = self.server.zone  # type: ignore[attr-defined]
        records = zone.get((name, kind), [])
        answer = dns.message.make_response(query, recursion_available=True)
        if records is SILENT:
            return
        if records is SERVFAIL:
            answer.set_rcode(dns.rcode.SERVFAIL)
        elif records:
            texts = [_zone_text(kind, record) for record in records]
            answer.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *texts))
        elif not any(known == name for known, _kind in zone):
            answer.set_rcode(dns.rcode.NXDOMAIN)
        self.wfile.write(answer.to_wire(max_size=4096))


def _zone_text(kind: str, record: str) -> str:
    if kind == "TXT":
        return " ".join(f'"{record[at : at + 255]}"' for at in range(0, len(record), 255))
    return f"{record}." if kind in ("MX", "PTR", "CNAME") else record


@contextmanager
def name_server(zone: Zone, at: tuple[str, int] = ("127.0.0.1", 0)) -> Iterator[Any]:
    """Return the port of a name server for a zone; by default a free one on 127.0.0.1."""
    server = socketserver.ThreadingUDPServer(at, _Question)
    server.zone = zone  # type: ignore[attr-defined]
    server.daemon_threads = True
    with serving(server):
        yield server.server_address[1]
