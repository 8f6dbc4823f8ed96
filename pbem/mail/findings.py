"""What was found out about a mail host, and what is needed to find it out.

Wrong is what makes mail go astray or look forged; a hint is what would be better, or could not be learnt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pbem.mail.spf import Answer

Level = Literal["ok", "hint", "wrong"]


@dataclass(frozen=True)
class Finding:
    """One line of a check: how it stands, what about, what was found, and what to do or publish."""

    level: Level
    about: str
    found: str
    mend: str = ""


@dataclass(frozen=True)
class Setup:
    """What the settings say: our host, the relay ("" where it is on this machine), the key's record.

    `dkim` is the text of the record that belongs to our key, "" where letters are not signed here.
    """

    host: str
    relay: str = ""
    selector: str = "pbem"
    dkim: str = ""
    operator: str = ""

    @property
    def reports(self) -> str:
        """Where reports about our mail may go."""
        return self.operator or f"postmaster@{self.host}"


Fetch = Callable[[str], Answer]
"""A web address -> the page as one record, or the trouble with it."""


def silent(about: str, answer: Answer) -> list[Finding]:
    """The finding where DNS did not answer."""
    return [Finding("hint", about, f"DNS did not say: {answer.trouble}", "Ask again later.")]


def tags(record: str) -> dict[str, str]:
    """`v=DKIM1; k=rsa` as a mapping (RFC 6376 3.2)."""
    pairs = (part.partition("=") for part in record.split(";"))
    return {name.strip(): value.strip() for name, equals, value in pairs if equals}
