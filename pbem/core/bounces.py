"""Bounces (RFC 3463, 3464, 2034): their points, and the limit that suspends."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.core.players import same_address

NONE, SOFT, HARD = 0, 1, 2
SUSPENSION_POINTS = 4
"""Points within the window; two letters to a missing mailbox, or four to a full one, reach this limit."""
BOUNCE_WINDOW = timedelta(days=30)
BOUNCE_ADDRESS_LIFETIME = timedelta(days=30)
ARRIVED_AFTER = timedelta(days=1)
"""The time after which a letter that has not come back counts as arrived."""
STRANGER_PAUSE = timedelta(days=1)

POLICY_WINDOW = timedelta(days=3)
"""The time for which a refusal by policy counts against a provider."""
REFUSED_PLAYERS = 2
"""The operator is told once a provider refuses by policy the letters of so many players."""

STATUS = re.compile(r"\b([245])\.([0-9]{1,3})\.([0-9]{1,3})\b")
FAILED_ACTIONS = ("fail", "error")
"""Beginnings of `Action` for failed letters. OpenSMTPD says `error`, and some hosts append a comment."""

TEMPORARY_STATUSES = frozenset({"2.2", "2.3", "3.1", "3.4", "4.1", "4.2", "4.4", "4.7"})
"""Temporary faults that some hosts call final: mailbox full, letter too large, no route."""
LETTER_FAULT_SUBJECTS = frozenset({"6", "7"})
"""Faults of the letter's content, or a policy (RFC 3463 3.7, 3.8), which do not mean a missing mailbox.

An opponent writes part of a letter, and could otherwise suspend a player with words that a filter refuses.
"""
WHOLE_LETTER_PREFIX = "after the text: "
"""The prefix of an answer to a whole letter (RFC 5321 3.3). Such an answer does not refuse its recipient."""


@dataclass(frozen=True)
class BounceReport:
    """A bounce of one letter, with final and original address. `answer` is the remote server's."""

    addresses: frozenset[str]
    action: str
    status: str
    answer: str = ""


def points_of(reports: Iterable[BounceReport], recipient: str) -> tuple[int, str]:
    """(points, status) for a letter to `recipient`. Reports about other addresses count nothing."""
    judged = [(_points(each), _status(each) or each.action) for each in _about(reports, recipient)]
    return max(judged, default=(NONE, ""))


def policy_of(reports: Iterable[BounceReport], recipient: str) -> str:
    """Return the status x.7.x of a refusal by policy, such as 5.7.26, or ""."""
    failed = (each for each in _about(reports, recipient) if each.action.startswith(FAILED_ACTIONS))
    return next(filter(None, (policy_status(_status(each)) for each in failed)), "")


def policy_status(status: str) -> str:
    """Return the status if it is about policy (RFC 3463 3.8), else ""."""
    match = STATUS.search(status)
    return match[0] if match is not None and match[1] != "2" and match[2] == "7" else ""


def _about(reports: Iterable[BounceReport], recipient: str) -> list[BounceReport]:
    return [each for each in reports if same_address(recipient) in map(same_address, each.addresses)]


def _status(report: BounceReport) -> str:
    """Return the report's status, or the one in the remote server's answer if the report has only 5.0.0."""
    said = _SAID.match(report.answer) if _NO_STATUS.match(report.status) else None
    return said[1] if said is not None else report.status


def _points(report: BounceReport) -> int:
    """Points of one report. A delay is no failure, whatever its status says."""
    if not report.action.startswith(FAILED_ACTIONS):
        return NONE
    if _NO_STATUS.match(_status(report)) and _ABOUT_THE_TEXT.match(report.answer):
        return NONE
    return points_of_status(_status(report))


_NO_STATUS = re.compile(r"\s*5\.0\.0\b")
_SAID = re.compile(r"\s*smtp\s*;\s*[45][0-9]{2}[ -]+([45]\.[0-9]{1,3}\.[0-9]{1,3})\b", re.IGNORECASE)
_ABOUT_THE_TEXT = re.compile(r"\s*smtp\s*;\s*55[24]\b", re.IGNORECASE)
"""Codes that mostly mean the text, not the mailbox. A relay without a status reports 5.0.0."""


def points_of_status(status: str) -> int:
    """Points of a status: 5.1.1 hard, 4.4.7 and 5.2.2 soft, 2.0.0 none. No status is hard."""
    match = STATUS.search(status)
    if match is None:
        return HARD
    kind, subject, detail = match.groups()
    if kind == "2" or subject in LETTER_FAULT_SUBJECTS:
        return NONE
    passing = kind == "4" or f"{subject}.{detail}" in TEMPORARY_STATUSES
    return SOFT if passing else HARD


HARD_CODES = frozenset({"550", "551", "553"})
"""Codes of a missing mailbox (RFC 5321 4.2.2). 552 means no room; 554 may mean anything."""
_ANSWER = re.compile(
    r"(?:given up [^:]{1,40}: )?(after the text: )?([245][0-9]{2})(?:[ -]+([245]\.[0-9]{1,3}\.[0-9]{1,3}))?\b"
)


def points_of_answer(answer: str) -> int:
    """Points for a letter that our relay refused or gave up. An answer to the whole letter needs a status.

    If the relay was down or refused us (4.7.x, 5.7.x, 421), the address is not at fault: otherwise a
    misconfigured relay would suspend everybody.
    """
    match = _ANSWER.match(answer)
    if match is None:
        return NONE
    after, code, status = match[1], match[2], _status_of_answer(answer)
    if code == "421" or status.split(".")[1:2] in (["3"], ["6"], ["7"]) or (after and not status):
        return NONE
    if status:
        return points_of_status(status) if code[0] == "5" else SOFT
    if code in HARD_CODES:
        return HARD
    return SOFT if code[0] == "4" or code == "552" else NONE


def policy_of_answer(answer: str) -> str:
    """Return the status of a relay's refusal by policy, else ""."""
    return policy_status(_status_of_answer(answer))


def _status_of_answer(answer: str) -> str:
    match = _ANSWER.match(answer)
    if match is None:
        return ""
    behind = _STATUS_AT_END.search(answer)
    return match[3] or ("5.{}.{}".format(*behind.groups()) if behind else "")


OUR_FAULT_CODES = frozenset({500, 502, 503, 504, 521, 530, 534, 535, 538})
"""Codes about our protocol, our password, or the whole host. RFC 5321 4.2.2, RFC 4954 6, RFC 7504 3."""
OUR_FAULT_STATUSES = frozenset({"5", "7", "1.7", "1.8", "3.2"})
"""Statuses about us: protocol, policy, our address, a host without mail."""
UNCLEAR_STATUSES = frozenset({"0", "1.0"})
"""Statuses about sender or recipient alike. Servers differ in their use."""
TOO_LARGE_CODE = 552
_STATUS_AT_START = re.compile(r"5\.([0-9]{1,3})\.([0-9]{1,3})\b")
_STATUS_AT_END = re.compile(r"\(#5\.([0-9]{1,3})\.([0-9]{1,3})\)\s*\Z")
"""A status at the end of an answer, as qmail writes it. RFC 2034 has it at the beginning."""


def is_about_us(code: int, words: str, *, after_the_text: bool = False) -> bool | None:
    """True if our relay answers everybody so with 5yz. None means unclear."""
    if code in OUR_FAULT_CODES:
        return True
    said = _STATUS_AT_START.match(words) or _STATUS_AT_END.search(words)
    if said is None:
        return False if code == TOO_LARGE_CODE else None
    names = {said[1], f"{said[1]}.{said[2]}"}
    if names & UNCLEAR_STATUSES:
        return None
    if names & OUR_FAULT_STATUSES:
        return None if after_the_text else True
    return False


def bounce_counts(sent_at: datetime, now: datetime) -> bool:
    return now <= sent_at + BOUNCE_ADDRESS_LIFETIME
