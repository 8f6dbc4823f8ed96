"""What a call is: its address, what can be asked with it, what it answers. The rows are in `calls`.

A parameter is read by the same schema that describes it, so neither can promise what the other refuses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Response

Schema = Mapping[str, Any]
PLACE = re.compile(r"\{(\w+)\}")
WHOLE = re.compile(r"(?:0|[1-9][0-9]{0,14})\Z")


class Unfit(ValueError):
    """A parameter that is not as described; `name` is whose, `str()` the sentence."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(sentence)
        self.name = name


@dataclass(frozen=True)
class Param:
    """A parameter; `help` is a sentence, `schema` what it may be, `example` one that it is."""

    name: str
    help: str
    schema: Schema
    example: Any

    def read(self, text: str) -> Any:
        """The value that `text` spells; raises Unfit."""
        try:
            return READERS[self.schema.get("type", "string")](self.schema, text)
        except ValueError:
            raise Unfit(self.name, f"{self.name} cannot be {text[:40]!r}: {self.range}.") from None

    @property
    def range(self) -> str:
        """What it may be, as the end of a sentence."""
        if "enum" in self.schema:
            return f"it is one of {', '.join(self.schema['enum'])}"
        if "minimum" in self.schema:
            return f"it is a whole number from {self.schema['minimum']} to {self.schema['maximum']}"
        return f"it is {self.schema.get('description', 'something else')}"


def _integer(schema: Schema, text: str) -> int:
    if not (WHOLE.match(text) and schema["minimum"] <= int(text) <= schema["maximum"]):
        raise ValueError(text)
    return int(text)


def _string(schema: Schema, text: str) -> str:
    if text not in schema.get("enum", (text,)) or len(text) > schema.get("maxLength", len(text)):
        raise ValueError(text)
    if "pattern" in schema and not re.search(schema["pattern"].replace("$", r"\Z"), text):
        raise ValueError(text)
    return text


READERS: Mapping[str, Callable[[Schema, str], Any]] = {"integer": _integer, "string": _string}


@dataclass(frozen=True)
class Call:
    """A row of the table: `answers` names the schema of what `make` answers with.

    `make` is called with what stands in the path and in the query, by name; what was not asked is left out.
    """

    path: str
    name: str
    title: str
    help: str
    answers: str
    make: Callable[..., Response]
    query: tuple[Param, ...] = ()

    @property
    def places(self) -> list[str]:
        """The names in braces."""
        return PLACE.findall(self.path)

    @property
    def rule(self) -> str:
        """The path as Flask writes it."""
        return PLACE.sub(r"<\1>", self.path)

    @property
    def pages(self) -> bool:
        """Whether its answer goes on: `next`, in the body and as a link."""
        return any(param.name in ("before", "after", "below") for param in self.query)

    def asked(self, query: Mapping[str, list[str]]) -> dict[str, Any]:
        """What a query asks, by name; raises Unfit for what it cannot ask."""
        known = {param.name: param for param in self.query}
        for name, values in query.items():
            if name not in known:
                names = ", ".join(known) or "none"
                raise Unfit(name[:40], f"There is no parameter {name[:40]!r} here; there is {names}.")
            if len(values) > 1:
                raise Unfit(name, f"{name} is written more than once.")
        return {name: known[name].read(values[0]) for name, values in query.items()}
