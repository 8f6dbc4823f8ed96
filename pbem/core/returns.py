"""Letters that came back: how bad it is, and when an address is written to no more.

A fault of the mailbox counts twice as much as one that may pass; what is no failure counts nothing.
Pure: reports in, points out. Status codes are those of RFC 3463, which RFC 3464 has in its `Status`
and RFC 2034 in what a relay says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.core.people import same_address

NONE, SOFT, HARD = 0, 1, 2
SUSPENDED_AT = 4
"""Points within the window: two letters to a mailbox that is gone, or four that it had no room for."""
WINDOW = timedelta(days=30)
ADDRESS_GOOD = timedelta(days=30)
"""How long after a letter was sent its bounce address counts for anything."""
QUIET = timedelta(days=1)
"""How long nothing goes to a stranger's address that a letter came back from."""

STATUS = re.compile(r"\b([245])\.([0-9]{1,3})\.([0-9]{1,3})\b")
FAILED = ("fail", "error")
"""How `Action` begins where a letter failed: OpenSMTPD says `error`, some hosts put a comment behind."""

PASSING = frozenset({"2.2", "2.3", "3.1", "3.4", "4.1", "4.2", "4.4", "4.7"})
"""Subject and detail of what may pass, though a host calls it final: no room, too large, no way there."""
OF_THE_LETTER = frozenset({"6", "7"})
"""What the letter holds, or somebody's policy (RFC 3463 3.7, 3.8): not that the mailbox is gone.

An opponent writes part of a letter, and would else suspend a player by words that a filter refuses.
"""
AFTER_THE_TEXT = "after the text: "
"""How the answer to a whole letter begins, where not its recipient was refused (RFC 5321 3.3)."""


@dataclass(frozen=True)
class Report:
    """What a bounce says of one letter: its recipients' names for it, `Action` and `Status`.

    `addresses` holds the final and the original recipient; `action` is lower case; either of the
    others may be "". `answer` is the remote server's own (`Diagnostic-Code`).
    """

    addresses: frozenset[str]
    action: str
    status: str
    answer: str = ""


def points_of(reports: Iterable[Report], recipient: str) -> tuple[int, str]:
    """(points, status) for a letter to `recipient`; reports about other addresses count nothing."""
    mine = [report for report in reports if same_address(recipient) in map(same_address, report.addresses)]
    judged = [(_points(report), report.status or report.action) for report in mine]
    return max(judged, default=(NONE, ""))


def _points(report: Report) -> int:
    """By what became of the letter first: a delay is no failure, whatever its status says."""
    if not report.action.startswith(FAILED):
        return NONE
    if _UNSAID.match(report.status) and _ABOUT_THE_TEXT.match(report.answer):
        return NONE
    return points_of_status(report.status)


_UNSAID = re.compile(r"\s*5\.0\.0\b")
_ABOUT_THE_TEXT = re.compile(r"\s*smtp\s*;\s*55[24]\b", re.IGNORECASE)
"""What is said of a text more often than of a mailbox; a relay that is told no status reports 5.0.0."""


def points_of_status(status: str) -> int:
    """5.1.1 is hard, 4.4.7 and 5.2.2 are soft, 2.0.0 is none; a failure without a status is hard."""
    match = STATUS.search(status)
    if match is None:
        return HARD
    kind, subject, detail = match.groups()
    if kind == "2" or subject in OF_THE_LETTER:
        return NONE
    passing = kind == "4" or f"{subject}.{detail}" in PASSING
    return SOFT if passing else HARD


HARD_CODES = frozenset({"550", "551", "553"})
"""RFC 5321 4.2.2: no such mailbox, gone elsewhere, no such name. 552 is no room; 554 says all and nothing."""
_ANSWER = re.compile(
    r"(?:given up [^:]{1,40}: )?(after the text: )?([245][0-9]{2})(?:[ -]+([245]\.[0-9]{1,3}\.[0-9]{1,3}))?\b"
)


def points_of_answer(answer: str) -> int:
    """Points for a letter that our own relay refused, or put off until it was given up.

    An answer to the whole letter counts only where it has a status that is about the mailbox.
    Where the relay was not there, or would not serve us (a policy, 4.7.x and 5.7.x, or 421), the fault
    is not the address's: else a relay set up wrong would suspend everybody.
    """
    match = _ANSWER.match(answer)
    if match is None:
        return NONE
    after, code, status = match.groups()
    if not status and (behind := _STATUS_BEHIND.search(answer)):
        status = "5.{}.{}".format(*behind.groups())
    if code == "421" or (status or "").split(".")[1:2] in (["3"], ["6"], ["7"]) or (after and not status):
        return NONE
    if status:
        return points_of_status(status) if code[0] == "5" else SOFT
    if code in HARD_CODES:
        return HARD
    return SOFT if code[0] == "4" or code == "552" else NONE


SERVES_NOT_US = frozenset({500, 502, 503, 504, 521, 530, 534, 535, 538})
"""Our manners, our password, or the whole host (RFC 5321 4.2.2, RFC 4954 6, RFC 7504 3)."""
ABOUT_US = frozenset({"5", "7", "1.7", "1.8", "3.2"})
"""Protocol, policy, our own address, a host that takes no mail: by subject, or by subject and detail."""
SAYS_NOT = frozenset({"0", "1.0"})
"""Statuses that leave open whom they are about; some servers refuse a sender so, others a recipient."""
OF_ITS_SIZE = 552
_STATUS_SAID = re.compile(r"5\.([0-9]{1,3})\.([0-9]{1,3})\b")
_STATUS_BEHIND = re.compile(r"\(#5\.([0-9]{1,3})\.([0-9]{1,3})\)\s*\Z")
"""Where an answer has its status: at the beginning (RFC 2034), or at the end, as qmail writes it."""


def is_about_us(code: int, words: str, *, after_the_text: bool = False) -> bool | None:
    """Whether a 5yz answer of our relay to a letter is about us, for then it says so to everybody.

    None: it does not say. An answer to a text may be about its words, whatever policy it names.
    """
    if code in SERVES_NOT_US:
        return True
    said = _STATUS_SAID.match(words) or _STATUS_BEHIND.search(words)
    if said is None:
        return False if code == OF_ITS_SIZE else None
    names = {said[1], f"{said[1]}.{said[2]}"}
    if names & SAYS_NOT:
        return None
    if names & ABOUT_US:
        return None if after_the_text else True
    return False


def still_counts(sent_at: datetime, now: datetime) -> bool:
    """Whether a bounce of a letter sent then says anything now."""
    return now <= sent_at + ADDRESS_GOOD


def is_too_much(points: int) -> bool:
    """Whether an address with so many points in the window is written to no more."""
    return points >= SUSPENDED_AT
