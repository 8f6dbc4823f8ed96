"""The registry of commands: one handler for each command word."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.actions.addresses import address_command
from pbem.actions.boards import boards_letter
from pbem.actions.challenges import _accept, _challenge, _decline
from pbem.actions.context import Handler
from pbem.actions.digest import digest_letter
from pbem.actions.export import EXPORTS
from pbem.actions.forget import FORGETTING
from pbem.actions.help import _games, _help, _rules
from pbem.actions.limits import BOUNDING
from pbem.actions.notes import NOTEBOOK
from pbem.actions.preferences import PREFERENCES
from pbem.actions.ratings import RANKINGS
from pbem.actions.registration import _confirm, _register
from pbem.actions.reminders import REMINDING
from pbem.actions.report import REPORTING
from pbem.actions.seeks import SEEKING
from pbem.actions.vacation import DAYS_OFF
from pbem.actions.watch import WATCHING

HANDLERS: Mapping[str, Handler] = {
    "register": _register,
    "confirm": _confirm,
    "address": address_command,
    "challenge": _challenge,
    "accept": _accept,
    "decline": _decline,
    "games": _games,
    "rules": _rules,
    "help": _help,
    **PREFERENCES,
    "boards": boards_letter,
    "digest": digest_letter,
    **DAYS_OFF,
    **NOTEBOOK,
    **EXPORTS,
    **WATCHING,
    **REMINDING,
    **SEEKING,
    **RANKINGS,
    **BOUNDING,
    **FORGETTING,
    **REPORTING,
}
