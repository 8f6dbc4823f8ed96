"""The forms of the settings page, as a table of the commands that a mail would contain."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from pbem.core.errors import Refusal
from pbem.core.players import Player
from pbem.core.preferences.letter_kinds import CATEGORIES
from pbem.core.preferences.preferences import PREFERENCES, preference_values
from pbem.inbox.dispatch import Order, RefusedOrder
from rules.notation import join_words

Form = MultiDict[str, str]
EMPTY = "Please fill this in first."
DAYS_OR_DATES = "Fill in the days from now, or both dates, but not the days and a date."
BOTH_DATES = "Fill in both dates: the first day off and the last."
NO_DAYS = "Fill in the days from now, or both dates."


class FieldRefusal(Refusal):
    """A refusal of what is in the form's field `field`."""

    def __init__(self, sentence: str, field: str) -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True)
class FieldOrder:
    """An order of a form. `typed` was in its `field`, where `examples` can stand."""

    order: Order
    field: str = ""
    typed: str = ""
    examples: tuple[str, ...] = ()

    def problem(self, refused: RefusedOrder) -> str:
        """Return a refusal's sentence, its examples without the command."""
        if not self.typed:
            return str(refused)
        if not refused.read:
            ways = join_words([f"`{each}`" for each in self.examples], "or")
            return f"`{self.typed}` cannot be read here{f': write {ways}' if ways else ''}."
        command = " ".join(self.order).removesuffix(self.typed)
        return str(refused).replace(f"`{command}", "`")


@dataclass(frozen=True)
class FormSection:
    """A form in the page's section `place`. `orders` makes its commands; `done` is said at the end."""

    place: str
    orders: Callable[[Form, Player], list[FieldOrder]]
    done: str
    asks: bool = False
    """True if a letter asks for confirmation."""


def _field_text(form: Form, name: str) -> str:
    return " ".join(form.get(name, "").split())


SWITCHES: Mapping[str, str] = {
    "puzzles": "puzzles",
    "paper": "paper",
    "seeks": "seeks",
    "digest": "digests",
    "remind": "reminders",
}
"""The fields that stop and start letters of a category themselves, with the category."""
TICKS = tuple(each for each in CATEGORIES if each not in SWITCHES.values())
"""The other categories, which are ticked one by one."""
OFF = "off"


def shown_values(player: Player) -> Mapping[str, str]:
    """Return what the page's fields show. A field whose letters are stopped is off."""
    on_off = {"True": "on", "False": OFF, "None": ""}
    digest = player.preferences.digest
    values = {
        **preference_values(player),
        "remind": player.preferences.remind,
        "digest": OFF if digest is None else digest,
    }
    shown = {key: on_off.get(str(value), str(value)) for key, value in values.items()}
    return shown | {key: OFF for key, category in SWITCHES.items() if category in player.stopped}


def _changes(form: Form, player: Player, names: Iterable[str]) -> dict[str, str]:
    """Return the fields in which something else was typed than they showed."""
    shown, typed = shown_values(player), {name: _field_text(form, name) for name in names}
    return {name: text for name, text in typed.items() if text not in ("", shown[name])}


def _set_commands(name: str) -> Callable[[Form, Player], list[FieldOrder]]:
    """Commands `set KEY VALUE` for each preference of a form that changes."""

    def orders(form: Form, player: Player) -> list[FieldOrder]:
        changes = _changes(form, player, [key for key, row in PREFERENCES.items() if row.form == name])
        return [
            FieldOrder(("set", f"{key} {value}"), key, value, PREFERENCES[key].examples)
            for key, value in changes.items()
        ]

    return orders


def _kind_commands(form: Form, player: Player) -> list[FieldOrder]:
    wanted = set(form.getlist("wanted"))
    stop = [("stop", each) for each in TICKS if each not in wanted and each not in player.stopped]
    start = [("start", each) for each in TICKS if each in wanted and each in player.stopped]
    return [*map(FieldOrder, stop + start), *_set_commands("kinds")(form, player)]


def _reminder_commands(form: Form, player: Player) -> list[FieldOrder]:
    changes = _changes(form, player, ("remind", "digest"))
    orders = [
        FieldOrder((name, text), name, text, ("2d 12h", "usual", "off")) for name, text in changes.items()
    ]
    return orders + _set_commands("reminders")(form, player)


def _vacation_commands(form: Form, player: Player) -> list[FieldOrder]:
    days, begins, ends = (_field_text(form, name) for name in ("days", "from", "to"))
    if days and (begins or ends):
        raise FieldRefusal(DAYS_OR_DATES, "days")
    if days:
        return [FieldOrder(("vacation", f"{days} days"), "days", days, ("3",))]
    if not (begins or ends):
        raise FieldRefusal(NO_DAYS, "days")
    if not (begins and ends):
        raise FieldRefusal(BOTH_DATES, "to" if begins else "from")
    return [FieldOrder(("vacation", f"{begins} to {ends}"), "to")]


def _limit_commands(form: Form, player: Player) -> list[FieldOrder]:
    wanted = [(key, _field_text(form, key)) for key in form if key.startswith("most-")]
    return [
        FieldOrder(("limit", f"{key.removeprefix('most-')} {most or 'none'}"), key, most, ("3",))
        for key, most in wanted
    ]


def _one_command(verb: str, word: str = "", field: str = "") -> Callable[[Form, Player], list[FieldOrder]]:
    """One command with a fixed word, a typed field, or both."""

    def orders(form: Form, player: Player) -> list[FieldOrder]:
        typed = _field_text(form, field) if field else ""
        if field and not typed:
            raise FieldRefusal(EMPTY, field)
        return [FieldOrder((verb, f"{word} {typed}".strip()), field, typed)]

    return orders


CONFIRMATION_SENT = "We have sent you a letter that asks once more; nothing is done before you answer it."

SECTIONS: Mapping[str, FormSection] = {
    "letters": FormSection("letters", _set_commands("letters"), "Saved: the next letter comes so."),
    "kinds": FormSection("kinds", _kind_commands, "Saved: these are the letters that you get."),
    "reminders": FormSection("reminders", _reminder_commands, "Saved: this is when we write."),
    "vacation": FormSection(
        "vacation", _vacation_commands, "Your days off are noted, and your clocks stop then."
    ),
    "cancel": FormSection("vacation", _one_command("vacation", "cancel"), "What was planned is cancelled."),
    "back": FormSection("vacation", _one_command("back"), "Welcome back: your clocks run again."),
    "autovacation": FormSection("vacation", _set_commands("autovacation"), "Saved."),
    "limits": FormSection("company", _limit_commands, "Saved: no more games than that begin."),
    "block": FormSection(
        "company", _one_command("block", field="name"), "You have nothing more to do with each other."
    ),
    "unblock": FormSection(
        "company", _one_command("unblock", field="name"), "You can play each other again."
    ),
    "add": FormSection("addresses", _one_command("address", "add", "address"), CONFIRMATION_SENT, asks=True),
    "spare": FormSection(
        "addresses", _one_command("address", "spare", "spare"), CONFIRMATION_SENT, asks=True
    ),
    "drop": FormSection(
        "addresses", _one_command("address", "drop", "address"), CONFIRMATION_SENT, asks=True
    ),
    "token": FormSection("programs", _one_command("set", "token off"), "The token has ended."),
    "renew": FormSection("calendar", _one_command("address", "renew"), CONFIRMATION_SENT, asks=True),
    "forget": FormSection("forget", _one_command("forget", "me"), CONFIRMATION_SENT, asks=True),
}
