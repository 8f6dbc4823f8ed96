"""Findings about a mail host, and the data needed to make them."""

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "hint", "wrong"]
"""`wrong`: mail is lost or looks forged. `hint`: something could be better, or could not be checked."""


@dataclass(frozen=True)
class Finding:
    """One line of a check: level, subject, observation, and advice or record to publish."""

    level: Level
    about: str
    found: str
    mend: str = ""


@dataclass(frozen=True)
class MailHostSetup:
    """The configured host, relay ("" on this machine) and DKIM record ("" where we do not sign)."""

    host: str
    relay: str = ""
    selector: str = "pbem"
    dkim: str = ""
    operator: str = ""

    @property
    def reports(self) -> str:
        """The address for reports about our mail."""
        return self.operator or f"postmaster@{self.host}"
