"""The tables of operation: counts, bars, mails not delivered by a mailbox."""

from sqlalchemy import BigInteger, Column, Integer, String

from pbem.store.tables.columns import UtcDateTime, required, table

bars = table(
    "bars", Column("digest", String(64), primary_key=True), Column("at", UtcDateTime, nullable=False)
)
"""Barred addresses, as keyed digests."""

counters = table(
    "counters",
    Column("name", String(20), primary_key=True),
    Column("number", BigInteger, nullable=False),
)
"""How often something happened, in all processes together."""

unfetched = table(
    "unfetched",
    Column("mailbox", String(20), primary_key=True),
    Column("uid", String(40), primary_key=True),
    Column("tries", Integer, nullable=False),
    *required(UtcDateTime, "since", "next_at"),
)
"""Mails that a mailbox lists but does not deliver."""
