"""The forms of the settings page, as a table of commands. A mail would hold the same ones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from pbem.core.game.letter_kinds import CATEGORIES
from pbem.core.game.preferences import PREFERENCES, preference_values
from pbem.core.players import Player
from pbem.inbox.dispatch import Order

Form = MultiDict[str, str]


@dataclass(frozen=True)
class Section:
    """A form in the page's section `place`. `orders` makes its commands; `done` is said at the end."""

    place: str
    orders: Callable[[Form, Player], list[Order]]
    done: str
    asks: bool = False
    """True if a letter asks for confirmation."""


def _field_text(form: Form, name: str) -> str:
    return " ".join(form.get(name, "").split())


def _set_commands(name: str) -> Callable[[Form, Player], list[Order]]:
    """Commands `set KEY VALUE` for each preference of a form that changes."""

    def orders(form: Form, player: Player) -> list[Order]:
        on_off = {"True": "on", "False": "off"}
        now = {key: on_off.get(str(value), str(value)) for key, value in preference_values(player).items()}
        wanted = [(key, _field_text(form, key)) for key, row in PREFERENCES.items() if row.form == name]
        return [("set", f"{key} {value}") for key, value in wanted if value not in ("", now[key])]

    return orders


def _category_commands(form: Form, player: Player) -> list[Order]:
    wanted = set(form.getlist("wanted"))
    stop = [("stop", each) for each in CATEGORIES if each not in wanted and each not in player.stopped]
    start = [("start", each) for each in CATEGORIES if each in wanted and each in player.stopped]
    return stop + start


def _reminder_commands(form: Form, player: Player) -> list[Order]:
    digest = player.preferences.digest
    stored = {"remind": player.preferences.remind, "digest": "off" if digest is None else str(digest)}
    typed = {name: _field_text(form, name) for name in stored}
    orders = [(name, text) for name, text in typed.items() if text not in ("", stored[name])]
    return orders + _set_commands("reminders")(form, player)


def _vacation_commands(form: Form, player: Player) -> list[Order]:
    if days := _field_text(form, "days"):
        return [("vacation", f"{days} days")]
    begins, ends = _field_text(form, "from"), _field_text(form, "to")
    return [("vacation", f"{begins} to {ends}")]


def _limit_commands(form: Form, player: Player) -> list[Order]:
    wanted = [(key.removeprefix("most-"), _field_text(form, key)) for key in form if key.startswith("most-")]
    return [("limit", f"{game} {most or 'none'}") for game, most in wanted]


def _one_command(verb: str, word: str = "", field: str = "") -> Callable[[Form, Player], list[Order]]:
    """One command with a fixed word, a typed field, or both."""
    return lambda form, player: [(verb, f"{word} {_field_text(form, field) if field else ''}".strip())]


CONFIRMATION_SENT = "We have sent you a letter that asks once more; nothing is done before you answer it."

SECTIONS: Mapping[str, Section] = {
    "letters": Section("letters", _set_commands("letters"), "Saved: the next letter comes so."),
    "kinds": Section("kinds", _category_commands, "Saved: these are the letters that you get."),
    "reminders": Section("reminders", _reminder_commands, "Saved: this is when we write."),
    "vacation": Section(
        "vacation", _vacation_commands, "Your days off are noted, and your clocks stop then."
    ),
    "cancel": Section("vacation", _one_command("vacation", "cancel"), "What was planned is cancelled."),
    "back": Section("vacation", _one_command("back"), "Welcome back: your clocks run again."),
    "autovacation": Section("vacation", _set_commands("autovacation"), "Saved."),
    "limits": Section("company", _limit_commands, "Saved: no more games than that begin."),
    "block": Section(
        "company", _one_command("block", field="name"), "You have nothing more to do with each other."
    ),
    "unblock": Section("company", _one_command("unblock", field="name"), "You can play each other again."),
    "add": Section("addresses", _one_command("address", "add", "address"), CONFIRMATION_SENT, asks=True),
    "drop": Section("addresses", _one_command("address", "drop", "address"), CONFIRMATION_SENT, asks=True),
    "renew": Section("calendar", _one_command("address", "renew"), CONFIRMATION_SENT, asks=True),
    "forget": Section("forget", _one_command("forget", "me"), CONFIRMATION_SENT, asks=True),
}
