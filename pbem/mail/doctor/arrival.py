"""Facts about a letter's arrival, read from the answer to it: what the reader's provider found about us."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime

from pbem.mail.authentication.results import AuthReport, parse_results_header
from pbem.mail.inbound.mime import Part, UnreadableMail, leaf_parts, parse_head, parse_headers, trim_mail

METHODS = ("spf", "dkim", "dmarc")
_ATTACHED = ("message/rfc822", "message/global", "text/rfc822-headers")
_RESULTS = re.compile(r"(?mi)^Authentication-Results:[^\n]*(?:\n[ \t]+[^\n]*)*")
_SUMMARY = re.compile(r"(?mi)^[ \t]*(spf|dkim|dmarc)(?: check)?[ \t]*:[ \t]*['\"]?([a-z]{4,9})\b")
"""A line of a program that answers with a report, or of a page that shows a mail's source."""
_QUOTE_MARKS = re.compile(r"(?m)^(?:> ?)+")


@dataclass(frozen=True)
class Arrival:
    """The verdict of the reader's provider on our letter, as far as the answer shows it."""

    shown: bool = False
    """The answer has the letter's own headers."""
    server: str = ""
    results: Mapping[str, str] = field(default_factory=dict)
    """Results by method, such as {"spf": "pass"}."""
    at: datetime | None = None
    """The time when the provider took the letter."""


def read_arrival(raw: bytes, message_id: str) -> Arrival:
    """Read an answer: the letter attached to it, its headers in the text, or a report in words."""
    try:
        parts = list(leaf_parts(*parse_head(trim_mail(raw))))
    except UnreadableMail:
        return Arrival()
    for headers in _attached_headers(parts):
        if message_id in str(headers.get("Message-ID", "")):
            return _judge_headers(headers)
    for part in parts:
        if part.type == "text/plain" and (found := _read_text(part, message_id)) is not None:
            return found
    return Arrival()


def _attached_headers(parts: list[Part]) -> Iterator[Message]:
    for part in parts:
        if part.type in _ATTACHED or part.file_name.lower().endswith(".eml"):
            try:
                yield parse_head(trim_mail(part.decode_body()))[0]
            except UnreadableMail:
                continue


def _judge_headers(headers: Message) -> Arrival:
    results = [str(text) for text in headers.get_all("Authentication-Results", [])]
    server, found = _results_of([parse_results_header(text) for text in results])
    return Arrival(True, server, found, _time_of(headers))


def _results_of(reports: list[AuthReport]) -> tuple[str, dict[str, str]]:
    """Return the server of the topmost report, which is the provider's, and its result of each method."""
    if not reports:
        return "", {}
    server, found = reports[0].server, dict[str, str]()
    for report in reports:
        for result in report.results if report.server == server else ():
            better = result.result == "pass" or result.method not in found
            if result.method in METHODS and better:
                found[result.method] = result.result
    return server, found


def _time_of(headers: Message) -> datetime | None:
    stamp = str(headers.get("Received", "")).rpartition(";")[2].strip()
    try:
        return parsedate_to_datetime(stamp).astimezone(UTC)
    except ValueError:
        return None


def _read_text(part: Part, message_id: str) -> Arrival | None:
    """Read headers that somebody copied into the text, or the lines of a report."""
    text = _QUOTE_MARKS.sub("", part.decode_body().decode("utf-8", "replace"))
    if message_id in text and (headers := _RESULTS.findall(text)):
        return _judge_headers(parse_headers("\n".join(headers).encode()))
    if found := {method.lower(): result.lower() for method, result in _SUMMARY.findall(text)}:
        return Arrival(True, "", found)
    return None
