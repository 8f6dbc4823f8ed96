"""All rows of a database as JSON values, alike for both databases.

The columns are those that the database has, so that a database of an older shape can be read and filled too.
ASCII bytes become text, which packs to half the size of base64, and others base64. Times become ISO 8601 in
UTC, and JSON stays the text that it is.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Connection,
    DateTime,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    cast,
    func,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.exc import DBAPIError, NoSuchTableError, StatementError
from sqlalchemy.types import TypeEngine

from pbem.core.players import BOT_HOST
from pbem.store import tables
from pbem.store.engine import is_sqlite, is_unavailable
from pbem.store.revisions import VERSION_TABLE
from pbem.store.tables import metadata
from pbem.store.tables.columns import UtcDateTime

ROWS_AT_ONCE = 200

Row = Sequence[Any]


class _JsonText(TypeDecorator[str]):
    """JSON as it is stored, so that no NULL becomes a null."""

    impl = Text
    cache_ok = True

    def column_expression(self, column: ColumnElement[Any]) -> ColumnElement[Any]:
        return cast(column, Text)


class _PostgresJsonText(_JsonText):
    """JSON as it is stored, cast for PostgreSQL, whose JSON columns accept no text."""

    cache_ok = True

    def bind_expression(self, bindparam: ColumnElement[Any]) -> ColumnElement[Any]:
        return cast(bindparam, JSON)


def table_names(db: Connection) -> list[str]:
    """Return the names of our existing tables, each after the tables that it refers to."""
    found = inspect(db).get_sorted_table_and_fkc_names()
    return [name for name, _ in found if name and name in metadata.tables]


def column_names(db: Connection, name: str) -> list[str]:
    return [column.name for column in _table(db, name).columns]


def count_rows(db: Connection, name: str) -> int:
    return db.execute(select(func.count()).select_from(_table(db, name))).scalar_one()


def read_rows(db: Connection, name: str) -> Iterator[list[Any]]:
    """Yield a table's rows as JSON values, in the order of `column_names`."""
    found = _table(db, name)
    told = [_ENCODERS.get(type(column.type)) for column in found.columns]
    for row in db.execute(select(found).execution_options(yield_per=ROWS_AT_ONCE)):
        yield [
            value if tell is None or value is None else tell(value)
            for tell, value in zip(told, row, strict=True)
        ]


def add_rows(db: Connection, name: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Insert rows as `read_rows` gives them. Raises KeyError for a column that is not there."""
    found = _table(db, name)
    read = [_DECODERS.get(type(found.columns[column].type)) for column in columns]
    values = [
        {
            column: value if decode is None or value is None else decode(value)
            for column, decode, value in zip(columns, read, row, strict=True)
        }
        for row in rows
    ]
    for start in range(0, len(values), ROWS_AT_ONCE):
        db.execute(insert(found), values[start : start + ROWS_AT_ONCE])


def is_of_rows(error: BaseException) -> bool:
    """True if an error means that rows do not fit; False for a busy or absent database."""
    if isinstance(error, DBAPIError) and is_unavailable(error):
        return False
    wrong = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
    return isinstance(error, (*wrong, StatementError, NoSuchTableError))


def last_numbers(db: Connection) -> dict[str, int]:
    """Return the last number given in each numbered table, even if that row has been deleted since."""
    if is_sqlite(db):
        numbers = db.execute(text("SELECT name, seq FROM sqlite_sequence ORDER BY name"))
        return {name: number for name, number in numbers if name in metadata.tables}
    found = {}
    for name, sequence in _sequences(db):
        value, called = db.execute(text(f"SELECT last_value, is_called FROM {sequence}")).one()  # noqa: S608
        if called:
            found[name] = value
    return found


def set_last_numbers(db: Connection, numbers: Mapping[str, int]) -> None:
    """Have each table go on after these numbers."""
    if is_sqlite(db):
        for name, number in numbers.items():
            db.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": name})
            row = {"name": name, "number": number}
            db.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :number)"), row)
        return
    for name, sequence in _sequences(db):
        if numbers.get(name):  # SQLite keeps 0 for a table without rows; PostgreSQL refuses it
            db.execute(select(func.setval(sequence, numbers[name])))


def is_in_use(db: Connection) -> bool:
    """True if there are games, mails, letters, or players other than bots."""
    person = ~tables.players.c.address.endswith(f"@{BOT_HOST}", autoescape=True)
    wanted = {each: select(each.c.id) for each in (tables.games, tables.messages_in, tables.outbox)}
    wanted[tables.players] = select(tables.players.c.id).where(person)
    there = set(table_names(db))
    found = (query for each, query in wanted.items() if each.name in there)
    return any(db.execute(query.limit(1)).first() is not None for query in found)


def drop_tables(db: Connection) -> None:
    """Remove our tables with all that they hold, and leave any others."""
    names = [*reversed(table_names(db)), VERSION_TABLE]
    for name in names:
        Table(name, MetaData()).drop(db, checkfirst=True)


def _table(db: Connection, name: str) -> Table:
    """Return the table as this database has it, with this module's types."""
    columns = inspect(db).get_columns(name)
    return Table(name, MetaData(), *(Column(each["name"], _type(db, each["type"])) for each in columns))


def _type(db: Connection, found: TypeEngine[Any]) -> TypeEngine[Any]:
    if isinstance(found, JSON):
        return _JsonText() if is_sqlite(db) else _PostgresJsonText()
    if isinstance(found, DateTime):
        return UtcDateTime()
    return LargeBinary() if isinstance(found, LargeBinary) else found


def _sequences(db: Connection) -> Iterator[tuple[str, str]]:
    """Yield each numbered table of PostgreSQL with its sequence."""
    for name in table_names(db):
        if "id" in column_names(db, name):
            sequence = db.execute(select(func.pg_get_serial_sequence(name, "id"))).scalar_one()
            if sequence is not None:
                yield name, sequence


def _encode_bytes(raw: bytes) -> str:
    return f"text:{raw.decode('ascii')}" if raw.isascii() else f"base64:{b64encode(raw).decode('ascii')}"


def _decode_bytes(text: str) -> bytes:
    kind, _, rest = text.partition(":")
    return rest.encode("ascii") if kind == "text" else b64decode(rest, validate=True)


_ENCODERS: Mapping[type, Callable[[Any], str]] = {
    LargeBinary: _encode_bytes,
    UtcDateTime: lambda moment: moment.isoformat(),
}
_DECODERS: Mapping[type, Callable[[str], Any]] = {
    LargeBinary: _decode_bytes,
    UtcDateTime: datetime.fromisoformat,
}
