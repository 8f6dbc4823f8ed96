"""Findings about a mail host, and the data needed to make them.

`wrong`: mail is lost or looks forged. `hint`: something could be better, or could not be checked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pbem.mail.doctor.spf import Answer

Level = Literal["ok", "hint", "wrong"]


@dataclass(frozen=True)
class Finding:
    """One line of a check: level, subject, observation, and advice or record to publish."""

    level: Level
    about: str
    found: str
    mend: str = ""


@dataclass(frozen=True)
class MailHostSetup:
    """The configured host, relay ("" on this machine) and DKIM record.

    `dkim` is the text of the record for our key, "" where letters are not signed here.
    """

    host: str
    relay: str = ""
    selector: str = "pbem"
    dkim: str = ""
    operator: str = ""

    @property
    def reports(self) -> str:
        """Return the address for reports about our mail."""
        return self.operator or f"postmaster@{self.host}"


Fetch = Callable[[str], Answer]
"""A web address -> the page as one record, or the error."""


def dns_failure(about: str, answer: Answer) -> list[Finding]:
    return [Finding("hint", about, f"DNS did not say: {answer.trouble}", "Ask again later.")]


def parse_tags(record: str) -> dict[str, str]:
    """Parse `v=DKIM1; k=rsa` to a mapping (RFC 6376 3.2)."""
    pairs = (part.partition("=") for part in record.split(";"))
    return {name.strip(): value.strip() for name, equals, value in pairs if equals}
