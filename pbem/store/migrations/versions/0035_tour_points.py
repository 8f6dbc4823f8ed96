"""The points of tours by year and player"""

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import Id

revision = "0035"
down_revision = "0034"

YEAR = {
    "sqlite": "CAST(strftime('%Y', e.starts_at) AS INTEGER)",
    "postgresql": "CAST(date_part('year', e.starts_at AT TIME ZONE 'UTC') AS INTEGER)",
}
BEGUN = "e.kind = 'league' AND e.state IN ('starting', 'running', 'over')"
SEAT = """
SELECT {year} AS year, coalesce(g.{seat}_id, r.{seat}_id) AS player_id,
CASE r.score WHEN '1/2' THEN 3 WHEN '{won}' THEN 4 WHEN '{lost}' THEN 2 WHEN '{gift}' THEN 2 ELSE 0 END
AS points
FROM event_games r JOIN events e ON e.id = r.event_id LEFT JOIN games g ON g.id = r.game_id
WHERE {begun} AND r.score IN ('1-0', '0-1', '1/2', '+', '-')
"""
FILL = """
INSERT INTO tour_points (year, player_id, points)
SELECT year, player_id, sum(points) FROM (
SELECT {year} AS year, p.player_id AS player_id, 5 AS points
FROM event_players p JOIN events e ON e.id = p.event_id
WHERE {begun} AND p.state IN ('playing', 'left')
UNION ALL {first} UNION ALL {second}
) AS got
WHERE player_id NOT IN (
SELECT id FROM players
WHERE name_key IN ('bot1', 'bot2', 'bot3', 'bot4', 'bot5') AND address LIKE '%@bots.invalid')
GROUP BY year, player_id HAVING sum(points) > 0
"""


def upgrade() -> None:
    op.create_table(
        "tour_points",
        sa.Column("year", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("player_id", Id, sa.ForeignKey("players.id"), primary_key=True, autoincrement=False),
        sa.Column("points", sa.Integer, nullable=False),
    )
    descending = sa.text("points DESC")
    op.create_index("ix_tour_points_year_points", "tour_points", ["year", descending, "player_id"])
    same = {"year": YEAR[op.get_bind().dialect.name], "begun": BEGUN}
    first = SEAT.format(seat="first", won="1-0", lost="0-1", gift="+", **same)
    second = SEAT.format(seat="second", won="0-1", lost="1-0", gift="-", **same)
    op.execute(FILL.format(first=first, second=second, **same))


def downgrade() -> None:
    op.drop_table("tour_points")
