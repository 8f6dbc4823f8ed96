"""A call of the API. The schema that describes a parameter also reads it, so that both always agree."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Response

Schema = Mapping[str, Any]
PATH_PARAMETER = re.compile(r"\{(\w+)\}")
INTEGER = re.compile(r"(?:0|[1-9][0-9]{0,14})\Z")


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


@dataclass(frozen=True)
class Call:
    """A row of the table; `answers` names a schema, `make` gets the parameters that were given, by name."""

    path: str
    make: Callable[..., Response]
    answers: str
    title: str
    help: str
    query: tuple[Param, ...] = ()

    @property
    def name(self) -> str:
        return self.make.__name__.strip("_")

    @property
    def places(self) -> list[str]:
        return PATH_PARAMETER.findall(self.path)

    @property
    def rule(self) -> str:
        """The path in Flask's spelling."""
        return PATH_PARAMETER.sub(r"<\1>", self.path)

    @property
    def pages(self) -> bool:
        """True if the answer has further pages: `next`, and a link."""
        return any(param.name in ("before", "after", "below") for param in self.query)

    def read_query(self, query: Mapping[str, list[str]]) -> dict[str, Any]:
        """Read the query's parameters by name; raises InvalidParameter."""
        known = {param.name: param for param in self.query}
        for name, values in query.items():
            if name not in known:
                names = ", ".join(known) or "none"
                raise InvalidParameter(
                    name[:40], f"There is no parameter {name[:40]!r} here; there is {names}."
                )
            if len(values) > 1:
                raise InvalidParameter(name, f"{name} is written more than once.")
        return {name: known[name].read(values[0]) for name, values in query.items()}
