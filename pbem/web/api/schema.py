"""JSON Schemas (draft 2020-12, as in OpenAPI 3.1): builders and parameters."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from pbem.core.game.fingerprint import iso
from rules.contract import SEAT_NAMES, Seat

Schema = dict[str, Any]
Data = dict[str, Any]
T = TypeVar("T")
Read = Callable[[T], Any]

INTEGER = re.compile(r"(?:0|[1-9][0-9]{0,14})\Z")

SHAPES: dict[str, Schema] = {}
"""Schemas by name, in the order of the published description."""


def shape(
    name: str, help: str = "", optional: Iterable[str] = (), /, **members: Schema | tuple[Schema, Read[T]]
) -> Callable[[T], Data]:
    """Add an object to `SHAPES`; return its maker, which uses the members that have a reader."""
    rows = {key: (member, None) if isinstance(member, dict) else member for key, member in members.items()}
    SHAPES[name] = obj({key: schema for key, (schema, _) in rows.items()}, *optional, help=help)

    def make(thing: T) -> Data:
        found = {key: read(thing) for key, (_, read) in rows.items() if read}
        return {key: iso(value) if isinstance(value, datetime) else value for key, value in found.items()}

    return make


def obj(properties: Mapping[str, Schema], *optional: str, help: str = "") -> Schema:
    """An object with these members, all required but the optional ones."""
    required = [name for name in properties if name not in optional]
    found = {"type": "object", "properties": dict(properties), "required": required}
    return {**found, "additionalProperties": False, **({"description": help} if help else {})}


def array(items: Schema, help: str = "") -> Schema:
    return {"type": "array", "items": items, **({"description": help} if help else {})}


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def or_null(schema: Schema) -> Schema:
    if isinstance(schema.get("type"), str) and "enum" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def text(help: str = "") -> Schema:
    return {"type": "string", **({"description": help} if help else {})}


def number(help: str = "", least: int = 0, most: int | None = None) -> Schema:
    limits = {"minimum": least} if most is None else {"minimum": least, "maximum": most}
    return {"type": "integer", **limits, **({"description": help} if help else {})}


def boolean(help: str = "") -> Schema:
    return {"type": "boolean", **({"description": help} if help else {})}


def words(*allowed: str) -> Schema:
    return {"type": "string", "enum": list(allowed)}


def by_seat(schema: Schema, read: Callable[[T, Seat], Any]) -> tuple[Schema, Read[T]]:
    """A member with a value for each seat."""
    return obj(dict.fromkeys(SEAT_NAMES, schema)), lambda thing: {
        SEAT_NAMES[0]: read(thing, 0),
        SEAT_NAMES[1]: read(thing, 1),
    }


def list_page(name: str, item: str, **more: Schema) -> dict[str, Schema]:
    return {name: array(ref(item)), **more, "next": or_null(ref("Url"))}


def fits(schema: Schema, value: Any) -> bool:
    """True if a value of a program's JSON is as a schema of text, number or boolean says."""
    if schema["type"] == "string":
        if not isinstance(value, str) or any("\ud800" <= sign <= "\udfff" for sign in value):
            return False
        pattern = schema["pattern"].replace("$", r"\Z")
        return len(value) <= schema["maxLength"] and re.search(pattern, value) is not None
    if schema["type"] == "integer":
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and schema["minimum"] <= value <= schema["maximum"] and value % 1 == 0
    return isinstance(value, bool)


class InvalidParameter(ValueError):
    """An invalid parameter `name`; `str()` is the sentence."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(sentence)
        self.name = name


@dataclass(frozen=True)
class Param:
    name: str
    help: str
    schema: Schema
    example: Any

    def read(self, text: str) -> Any:
        """The value that `text` spells; raises InvalidParameter."""
        if not self._allows(text):
            raise InvalidParameter(self.name, f"{self.name} cannot be {text[:40]!r}: {self.range}.")
        return int(text) if self.schema["type"] == "integer" else text

    def _allows(self, text: str) -> bool:
        schema = self.schema
        if schema["type"] == "integer":
            return bool(INTEGER.match(text)) and schema["minimum"] <= int(text) <= schema["maximum"]
        if text not in schema.get("enum", (text,)) or len(text) > schema.get("maxLength", len(text)):
            return False
        return re.search(schema.get("pattern", "").replace("$", r"\Z"), text) is not None

    @property
    def range(self) -> str:
        """The allowed values, as the end of a sentence."""
        if "enum" in self.schema:
            return f"it is one of {', '.join(self.schema['enum'])}"
        if "minimum" in self.schema:
            return f"it is a whole number from {self.schema['minimum']} to {self.schema['maximum']}"
        return f"it is {self.schema.get('description', 'something else')}"
