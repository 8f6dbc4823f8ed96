"""Parts of table definitions: constraint names, row numbers, times."""

import zlib
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Dialect,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    TypeDecorator,
)
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

metadata = MetaData(naming_convention=NAMING)

Id = BigInteger().with_variant(Integer(), "sqlite")
"""A 64-bit row number; SQLite numbers only INTEGER columns by itself."""


class UtcDateTime(TypeDecorator[datetime]):
    """An aware datetime in UTC. SQLite stores no zone, so reading adds it."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a moment without a zone: {value!r}")
        return value if value.tzinfo is UTC else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None or value.tzinfo is not None:
            return value.astimezone(UTC) if value else None
        return value.replace(tzinfo=UTC)


PACKED = b"\0z"
"""The first bytes of packed data. A mail that begins with them is always packed, so there is no doubt."""
LEVEL = 3
"""zlib's level: half the time of level 6, for letters that are 5 % longer."""


def packed(raw: bytes) -> bytes:
    """Return bytes compressed where that is shorter; None stays None."""
    short = PACKED + zlib.compress(raw, LEVEL) if raw else raw
    return short if len(short) < len(raw) or raw.startswith(PACKED) else raw


def unpacked(stored: bytes) -> bytes:
    return zlib.decompress(stored[len(PACKED) :]) if stored.startswith(PACKED) else stored


class Packed(TypeDecorator[bytes]):
    """The bytes of a mail or letter, compressed. Older rows are read as they are."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        return None if value is None else packed(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        return None if value is None else unpacked(bytes(value))


def required(type: type[TypeEngine[Any]] | TypeEngine[Any], *names: str) -> list[Column[Any]]:
    """Return columns of one type that are never NULL."""
    return [Column(name, type, nullable=False) for name in names]


def table(name: str, *parts: SchemaItem) -> Table:
    """Return a new table of `metadata`."""
    return Table(name, metadata, *parts)


def numbered_table(name: str, *parts: SchemaItem) -> Table:
    """Return a table with numbered rows, in which no number is used twice."""
    id = Column("id", Id, primary_key=True, autoincrement=True)
    return Table(name, metadata, id, *parts, sqlite_autoincrement=True)
