"""Add the zones that players had before, and puzzles without a game"""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "zones",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("zone", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_zones_player_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_zones")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_zones_player_until", "zones", ["player_id", "until"])
    _let_puzzles_be_without_a_game(op.get_bind())


def _let_puzzles_be_without_a_game(db: sa.Connection) -> None:
    """Change the table of puzzles. On SQLite that makes it anew, while no row may refer to it."""
    tries = sa.Table("puzzle_tries", sa.MetaData(), autoload_with=db)
    is_sqlite = db.dialect.name == "sqlite"
    kept = [row._asdict() for row in db.execute(sa.select(tries))] if is_sqlite else []
    last = sa.text("SELECT seq FROM sqlite_sequence WHERE name = 'puzzles'")
    number = db.execute(last).scalar() if is_sqlite else None
    if kept:
        db.execute(sa.delete(tries))
    with op.batch_alter_table("puzzles", table_kwargs={"sqlite_autoincrement": True}) as puzzles:
        puzzles.alter_column("game_id", existing_type=NUMBER, nullable=True)
        puzzles.add_column(sa.Column("setup", sa.JSON(), nullable=True))
    if kept:
        db.execute(sa.insert(tries), kept)
    if number is not None:  # no number is given twice, even that of a puzzle that is gone
        db.execute(sa.text("UPDATE sqlite_sequence SET seq = :n WHERE name = 'puzzles'"), {"n": number})
