"""All tables as of 0036, on both databases"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = None

Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Time = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "attempts",
        sa.Column("what", sa.String(length=120), nullable=False),
        sa.Column("since", Time, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("what", name=op.f("pk_attempts")),
    )
    op.create_index(op.f("ix_attempts_since"), "attempts", ["since"])
    op.create_table(
        "bot_jobs",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("leased_until", Time, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot_jobs")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_bot_jobs_done_leased_until", "bot_jobs", ["done", "leased_until"])
    op.create_index("ix_bot_jobs_kind_key", "bot_jobs", ["kind", "key"], unique=True)
    op.create_table(
        "bot_usage",
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("player_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("day", "player_id", name=op.f("pk_bot_usage")),
    )
    op.create_table(
        "confirmations",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("purpose", sa.String(length=20), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("expires_at", Time, nullable=False),
        sa.Column("used_at", Time, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_confirmations")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_confirmations_address_created", "confirmations", ["address", "created_at"])
    op.create_index("ix_confirmations_purpose_created", "confirmations", ["purpose", "created_at"])
    op.create_table(
        "counters",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_counters")),
    )
    op.create_table(
        "daily_puzzles",
        sa.Column("player_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("due_at", Time, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_daily_puzzles")),
    )
    op.create_index("ix_daily_puzzles_due_at", "daily_puzzles", ["due_at"])
    op.create_table(
        "events",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("previous_id", Id, nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("starts_at", Time, nullable=True),
        sa.Column("ends_at", Time, nullable=True),
        sa.Column("asked", sa.Boolean(), nullable=False),
        sa.Column("divisions", sa.Integer(), nullable=False),
        sa.Column("begun", sa.Integer(), nullable=False),
        sa.Column("next_at", Time, nullable=True),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_events_next_at"), "events", ["next_at"])
    op.create_index("ix_events_rules_state", "events", ["rules", "state"])
    op.create_table(
        "guess_counts",
        sa.Column("player_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("guesses", sa.Integer(), nullable=False),
        sa.Column("right", sa.Integer(), nullable=False),
        sa.Column("weight", sa.BigInteger(), nullable=False),
        sa.Column("right_weight", sa.BigInteger(), nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "rules", name=op.f("pk_guess_counts")),
    )
    op.create_index("ix_guess_counts_rules", "guess_counts", ["rules"])
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeats")),
    )
    op.create_table(
        "lesson_tries",
        sa.Column("player_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("lesson", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("answer", sa.String(length=200), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "rules", "lesson", name=op.f("pk_lesson_tries")),
    )
    op.create_table(
        "nonces",
        sa.Column("way", sa.String(length=20), nullable=False),
        sa.Column("nonce", sa.String(length=100), nullable=False),
        sa.Column("seen_at", Time, nullable=False),
        sa.PrimaryKeyConstraint("way", "nonce", name=op.f("pk_nonces")),
    )
    op.create_index(op.f("ix_nonces_seen_at"), "nonces", ["seen_at"])
    op.create_table(
        "outages",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("begins_at", Time, nullable=False),
        sa.Column("ends_at", Time, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outages")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_outages_begins_at"), "outages", ["begins_at"])
    op.create_table(
        "paper_readers",
        sa.Column("player_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("due_at", Time, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_paper_readers")),
    )
    op.create_index("ix_paper_readers_due_at", "paper_readers", ["due_at"])
    op.create_table(
        "papers",
        sa.Column("week", sa.String(length=8), nullable=False),
        sa.Column("made_at", Time, nullable=False),
        sa.Column("issue", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("week", name=op.f("pk_papers")),
    )
    op.create_table(
        "players",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("name_key", sa.String(length=20), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("stopped", sa.JSON(), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("wishes", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("digest_at", Time, nullable=True),
        sa.Column("barred", sa.Text(), server_default="", nullable=False),
        sa.Column("director", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
        sa.UniqueConstraint("name_key", name=op.f("uq_players_name_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_players_digest_at"), "players", ["digest_at"])
    op.create_table(
        "released_blobs",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("name", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_released_blobs")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "restores",
        sa.Column("epoch", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.PrimaryKeyConstraint("epoch", name=op.f("pk_restores")),
    )
    op.create_table(
        "summaries",
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("what", sa.String(length=10), nullable=False),
        sa.Column("label", sa.String(length=60), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("rules", "what", "label", name=op.f("pk_summaries")),
    )
    op.create_index("ix_summaries_most", "summaries", ["rules", "what", "n"])
    op.create_table(
        "tallies",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("outcome", sa.String(length=10), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tallies")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "unfetched",
        sa.Column("mailbox", sa.String(length=20), nullable=False),
        sa.Column("uid", sa.String(length=40), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("since", Time, nullable=False),
        sa.Column("next_at", Time, nullable=False),
        sa.PrimaryKeyConstraint("mailbox", "uid", name=op.f("pk_unfetched")),
    )
    op.create_table(
        "addresses",
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("proven_at", Time, nullable=False),
        sa.Column("suspended_at", Time, nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_addresses_player_id_players")),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_addresses")),
    )
    op.create_index(op.f("ix_addresses_player_id"), "addresses", ["player_id"])
    op.create_table(
        "blocks",
        sa.Column("player_id", Id, autoincrement=False, nullable=False),
        sa.Column("blocked_id", Id, autoincrement=False, nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.ForeignKeyConstraint(["blocked_id"], ["players.id"], name=op.f("fk_blocks_blocked_id_players")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_blocks_player_id_players")),
        sa.PrimaryKeyConstraint("player_id", "blocked_id", name=op.f("pk_blocks")),
    )
    op.create_index(op.f("ix_blocks_blocked_id"), "blocks", ["blocked_id"])
    op.create_table(
        "bundles",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("entries", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_bundles_player_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bundles")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_bundles_player_id"), "bundles", ["player_id"])
    op.create_table(
        "event_journal",
        sa.Column("event_id", Id, autoincrement=False, nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_event_journal_event_id_events")),
        sa.PrimaryKeyConstraint("event_id", "n", name=op.f("pk_event_journal")),
    )
    op.create_table(
        "event_players",
        sa.Column("event_id", Id, autoincrement=False, nullable=False),
        sa.Column("player_id", Id, autoincrement=False, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("division", sa.SmallInteger(), nullable=True),
        sa.Column("place", sa.SmallInteger(), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_event_players_event_id_events")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_event_players_player_id_players")
        ),
        sa.PrimaryKeyConstraint("event_id", "player_id", name=op.f("pk_event_players")),
    )
    op.create_index("ix_event_players_division", "event_players", ["event_id", "division", "place"])
    op.create_index("ix_event_players_player", "event_players", ["player_id"])
    op.create_table(
        "games",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("rules_version", sa.String(length=10), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seed", sa.String(length=40), nullable=False),
        sa.Column("first_id", Id, nullable=False),
        sa.Column("second_id", Id, nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("pace", sa.String(length=40), server_default="none", nullable=False),
        sa.Column("soft", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("started_at", Time, nullable=False),
        sa.Column("changed_at", Time, nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("to_play", sa.SmallInteger(), nullable=True),
        sa.Column("ended_at", Time, nullable=True),
        sa.Column("ended_by", sa.String(length=20), nullable=True),
        sa.Column("winner", sa.SmallInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("next_event_at", Time, nullable=True),
        sa.Column("deadline_at", Time, nullable=True),
        sa.Column("deadline_moves", sa.Integer(), server_default="0", nullable=False),
        sa.Column("deadline_moved_at", Time, nullable=True),
        sa.Column("held", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("revised", sa.Integer(), server_default="0", nullable=False),
        sa.Column("restored_entries", sa.Integer(), nullable=True),
        sa.Column("stands", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint("first_id <> second_id", name=op.f("ck_games_two_players")),
        sa.ForeignKeyConstraint(["first_id"], ["players.id"], name=op.f("fk_games_first_id_players")),
        sa.ForeignKeyConstraint(["second_id"], ["players.id"], name=op.f("fk_games_second_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_games_changed", "games", ["changed_at"])
    op.create_index("ix_games_ended", "games", ["ended_at", "id"])
    if op.get_bind().dialect.name == "sqlite":
        op.create_index(
            "ix_games_ended_by_options",
            "games",
            ["ended_by", "id", "plies", "rules", "options"],
            sqlite_where=sa.text("ended_by IS NOT NULL"),
        )
        op.create_index("ix_games_rules_options", "games", ["rules", "id", "options"])
    else:
        op.create_index("ix_games_ended_by", "games", ["ended_by", "id"])
        op.create_index("ix_games_rules_id", "games", ["rules", "id"])
    op.create_index("ix_games_first_id", "games", ["first_id", "id"])
    op.create_index("ix_games_first_running", "games", ["first_id", "ended_at"])
    op.create_index(op.f("ix_games_next_event_at"), "games", ["next_event_at"])
    op.create_index("ix_games_plies", "games", ["plies", "id"])
    op.create_index("ix_games_rules_ended", "games", ["rules", "ended_at", "id"])
    op.create_index("ix_games_rules_plies", "games", ["rules", "plies", "id"])
    op.create_index(
        "ix_games_rules_running",
        "games",
        ["rules", "id"],
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_index(
        "ix_games_running",
        "games",
        ["id"],
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_index("ix_games_second_id", "games", ["second_id", "id"])
    op.create_index("ix_games_second_running", "games", ["second_id", "ended_at"])
    op.create_index("ix_games_started", "games", ["started_at", "id"])
    op.create_index(
        "ix_games_undecided",
        "games",
        ["id"],
        sqlite_where=sa.text("ended_at IS NOT NULL AND winner IS NULL"),
        postgresql_where=sa.text("ended_at IS NOT NULL AND winner IS NULL"),
    )
    op.create_table(
        "limits",
        sa.Column("player_id", Id, autoincrement=False, nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("most", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_limits_player_id_players")),
        sa.PrimaryKeyConstraint("player_id", "rules", name=op.f("pk_limits")),
    )
    op.create_table(
        "ratings",
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("player_id", Id, autoincrement=False, nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("at", Time, nullable=True),
        sa.Column("lost_on_time", Time, nullable=True),
        sa.Column("sure_until", Time, nullable=True),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("late", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_ratings_player_id_players")),
        sa.PrimaryKeyConstraint("rules", "player_id", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_player", "ratings", ["player_id"])
    op.create_index("ix_ratings_rules_value", "ratings", ["rules", "value"])
    op.create_table(
        "seek_letters",
        sa.Column("player_id", Id, autoincrement=False, nullable=False),
        sa.Column("told", Id, nullable=False),
        sa.Column("next_at", Time, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_seek_letters_player_id_players")
        ),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_seek_letters")),
    )
    op.create_index("ix_seek_letters_next_at", "seek_letters", ["next_at"])
    op.create_table(
        "sessions",
        sa.Column("seal", sa.String(length=64), nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("begun_at", Time, nullable=False),
        sa.Column("expires_at", Time, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_sessions_player_id_players")),
        sa.PrimaryKeyConstraint("seal", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_expires_at"), "sessions", ["expires_at"])
    op.create_index(op.f("ix_sessions_player_id"), "sessions", ["player_id"])
    op.create_table(
        "signins",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("asked", sa.String(length=254), nullable=False),
        sa.Column("asked_at", Time, nullable=False),
        sa.Column("seal", sa.String(length=64), nullable=True),
        sa.Column("player_id", Id, nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=True),
        sa.Column("expires_at", Time, nullable=True),
        sa.Column("used_at", Time, nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_signins_player_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signins")),
        sa.UniqueConstraint("seal", name=op.f("uq_signins_seal")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_signins_asked_at"), "signins", ["asked_at"])
    op.create_index(op.f("ix_signins_player_id"), "signins", ["player_id"])
    op.create_table(
        "tour_points",
        sa.Column("year", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("player_id", Id, autoincrement=False, nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_tour_points_player_id_players")),
        sa.PrimaryKeyConstraint("year", "player_id", name=op.f("pk_tour_points")),
    )
    op.create_index(
        "ix_tour_points_year_points", "tour_points", ["year", sa.literal_column("points DESC"), "player_id"]
    )
    op.create_table(
        "vacations",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("begins_at", Time, nullable=False),
        sa.Column("ends_at", Time, nullable=False),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_vacations_player_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vacations")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_vacations_player_begins", "vacations", ["player_id", "begins_at"])
    op.create_table(
        "watched_leagues",
        sa.Column("player_id", Id, autoincrement=False, nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("told_at", Time, nullable=False),
        sa.Column("due_at", Time, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_watched_leagues_player_id_players")
        ),
        sa.PrimaryKeyConstraint("player_id", "rules", name=op.f("pk_watched_leagues")),
    )
    op.create_index("ix_watched_leagues_due_at", "watched_leagues", ["due_at"])
    op.create_table(
        "watched_players",
        sa.Column("player_id", Id, autoincrement=False, nullable=False),
        sa.Column("watched_id", Id, autoincrement=False, nullable=False),
        sa.Column("last_game", Id, nullable=False),
        sa.Column("since", Time, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_watched_players_player_id_players")
        ),
        sa.ForeignKeyConstraint(
            ["watched_id"], ["players.id"], name=op.f("fk_watched_players_watched_id_players")
        ),
        sa.PrimaryKeyConstraint("player_id", "watched_id", name=op.f("pk_watched_players")),
    )
    op.create_index("ix_watched_players_watched_id", "watched_players", ["watched_id"])
    op.create_table(
        "bot_turns",
        sa.Column("game_id", Id, autoincrement=False, nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("leased_until", Time, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.Column("expected", sa.String(length=100), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_bot_turns_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_bot_turns")),
    )
    op.create_table(
        "challenges",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("from_id", Id, nullable=False),
        sa.Column("to_id", Id, nullable=True),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seats", sa.String(length=10), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("pace", sa.String(length=40), server_default="none", nullable=False),
        sa.Column("soft", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("expires_at", Time, nullable=False),
        sa.Column("game_id", Id, nullable=True),
        sa.Column("comment", sa.Text(), server_default="", nullable=False),
        sa.Column("bots", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("near", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("up_to", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("standing", Id, nullable=True),
        sa.ForeignKeyConstraint(["from_id"], ["players.id"], name=op.f("fk_challenges_from_id_players")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_challenges_game_id_games")),
        sa.ForeignKeyConstraint(["to_id"], ["players.id"], name=op.f("fk_challenges_to_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenges")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_challenges_from_state", "challenges", ["from_id", "state"])
    op.create_index("ix_challenges_standing", "challenges", ["standing"])
    op.create_index("ix_challenges_to_state", "challenges", ["to_id", "state"])
    op.create_table(
        "event_games",
        sa.Column("event_id", Id, autoincrement=False, nullable=False),
        sa.Column("division", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("first_id", Id, nullable=False),
        sa.Column("second_id", Id, nullable=False),
        sa.Column("game_id", Id, nullable=True),
        sa.Column("score", sa.String(length=4), nullable=True),
        sa.Column("forced", sa.Boolean(), nullable=False),
        sa.Column("state", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_event_games_event_id_events")),
        sa.ForeignKeyConstraint(["first_id"], ["players.id"], name=op.f("fk_event_games_first_id_players")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_event_games_game_id_games")),
        sa.ForeignKeyConstraint(["second_id"], ["players.id"], name=op.f("fk_event_games_second_id_players")),
        sa.PrimaryKeyConstraint("event_id", "division", "n", name=op.f("pk_event_games")),
        sa.UniqueConstraint("game_id", name=op.f("uq_event_games_game_id")),
    )
    op.create_index("ix_event_games_pair", "event_games", ["event_id", "first_id", "second_id"])
    op.create_index(
        "ix_event_games_to_do",
        "event_games",
        ["event_id", "division"],
        sqlite_where=sa.text("state IN (2, 4, 5)"),
        postgresql_where=sa.text("state IN (2, 4, 5)"),
    )
    op.create_table(
        "guesses",
        sa.Column("game_id", Id, autoincrement=False, nullable=False),
        sa.Column("ply", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("move", sa.String(length=200), nullable=False),
        sa.Column("choices", sa.Integer(), nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.Column("right", sa.Boolean(), nullable=True),
        sa.Column("settled_at", Time, nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_guesses_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", "ply", "player_id", name=op.f("pk_guesses")),
    )
    op.create_index("ix_guesses_player_id", "guesses", ["player_id"])
    op.create_table(
        "hints",
        sa.Column("game_id", Id, autoincrement=False, nullable=False),
        sa.Column("entry", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player_id", Id, autoincrement=False, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_hints_game_id_games")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_hints_player_id_players")),
        sa.PrimaryKeyConstraint("game_id", "entry", "player_id", name=op.f("pk_hints")),
    )
    op.create_index("ix_hints_player_id_at", "hints", ["player_id", "at"])
    op.create_table(
        "journal",
        sa.Column("game_id", Id, nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=True),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.CheckConstraint("n >= 1", name=op.f("ck_journal_counts_from_one")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_journal_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", "n", name=op.f("pk_journal")),
    )
    op.create_table(
        "messages_in",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("received_at", Time, nullable=False),
        sa.Column("sender", sa.String(length=320), nullable=False),
        sa.Column("recipient", sa.String(length=320), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("dedupe", sa.String(length=64), nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("code", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", Time, nullable=True),
        sa.Column("filed_at", Time, nullable=True),
        sa.Column("player_id", Id, nullable=True),
        sa.Column("game_id", Id, nullable=True),
        sa.Column("about_game", sa.BigInteger(), nullable=True),
        sa.Column("whose", sa.String(length=320), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_messages_in_game_id_games")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_messages_in_player_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages_in")),
        sa.UniqueConstraint("dedupe", name=op.f("uq_messages_in_dedupe")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_messages_in_new",
        "messages_in",
        ["id"],
        sqlite_where=sa.text("state = 'new'"),
        postgresql_where=sa.text("state = 'new'"),
    )
    op.create_index("ix_messages_in_player", "messages_in", ["player_id"])
    op.create_index("ix_messages_in_state_next", "messages_in", ["state", "next_at"])
    op.create_table(
        "moderation",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.Column("by", sa.String(length=60), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("player_id", Id, nullable=True),
        sa.Column("game_id", Id, nullable=True),
        sa.Column("entry", sa.Integer(), nullable=True),
        sa.Column("data", sa.JSON(), server_default="{}", nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_moderation_game_id_games")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_moderation_player_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_moderation")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_moderation_game_id"), "moderation", ["game_id"])
    op.create_index(op.f("ix_moderation_player_id"), "moderation", ["player_id"])
    op.create_table(
        "moments",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("game_id", Id, nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.Column("positions", sa.JSON(), nullable=False),
        sa.Column("said", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_moments_game_id_games")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_moments_player_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_moments")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_moments_player_id_game_id", "moments", ["player_id", "game_id"])
    op.create_table(
        "notes",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("game_id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_notes_game_id_games")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_notes_player_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notes")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_notes_player_game", "notes", ["player_id", "game_id"])
    op.create_index("ix_messages_in_sender_lower", "messages_in", [sa.text("lower(sender)")])
    op.create_table(
        "outbox",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("key", sa.String(length=400), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("player_id", Id, nullable=True),
        sa.Column("game_id", Id, nullable=True),
        sa.Column("entry", sa.Integer(), nullable=True),
        sa.Column("mail_id", Id, nullable=True),
        sa.Column("envelope_from", sa.String(length=320), nullable=False),
        sa.Column("recipient", sa.String(length=254), nullable=False),
        sa.Column("message_id", sa.String(length=320), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", Time, nullable=True),
        sa.Column("sent_at", Time, nullable=True),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("trouble", sa.String(length=10), server_default="", nullable=False),
        sa.Column("faults", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("blank_at", Time, nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_outbox_game_id_games")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_outbox_player_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_message_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbox_blank_at", "outbox", ["blank_at"])
    op.create_index("ix_outbox_envelope_from", "outbox", ["envelope_from"])
    op.create_index("ix_outbox_game_player", "outbox", ["game_id", "player_id"])
    op.create_index("ix_outbox_kind_created", "outbox", ["kind", "created_at"])
    op.create_index("ix_outbox_mail", "outbox", ["mail_id"])
    op.create_index("ix_outbox_player", "outbox", ["player_id"])
    op.create_index("ix_outbox_recipient_lower", "outbox", [sa.text("lower(recipient)")])
    op.create_index("ix_outbox_recipient_created", "outbox", ["recipient", "created_at"])
    op.create_index("ix_outbox_state_next", "outbox", ["state", "next_at"])
    op.create_table(
        "proof_tries",
        sa.Column("game_id", Id, autoincrement=False, nullable=False),
        sa.Column("player_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_proof_tries_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", "player_id", name=op.f("pk_proof_tries")),
    )
    op.create_table(
        "puzzle_games",
        sa.Column("game_id", Id, autoincrement=False, nullable=False),
        sa.Column("ended_at", Time, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_puzzle_games_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_puzzle_games")),
    )
    op.create_index("ix_puzzle_games_ended_at", "puzzle_games", ["ended_at"])
    op.create_table(
        "puzzles",
        sa.Column("id", Id, autoincrement=True, nullable=False),
        sa.Column("game_id", Id, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("answer", sa.String(length=200), nullable=False),
        sa.Column("line", sa.JSON(), nullable=False),
        sa.Column("replies", sa.JSON(), nullable=False),
        sa.Column("created_at", Time, nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_puzzles_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzles")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_puzzles_game_id_ply", "puzzles", ["game_id", "ply"], unique=True)
    op.create_index("ix_puzzles_rules_id", "puzzles", ["rules", "id"])
    op.create_table(
        "rating_steps",
        sa.Column("game_id", Id, autoincrement=False, nullable=False),
        sa.Column("seat", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.Column("before", sa.Double(), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("lost_on_time", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_rating_steps_game_id_games")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_rating_steps_player_id_players")
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_rating_steps")),
    )
    op.create_index("ix_rating_steps_player", "rating_steps", ["player_id", "rules", "at", "game_id"])
    op.create_index("ix_rating_steps_rules_at", "rating_steps", ["rules", "at", "game_id"])
    op.create_table(
        "reminders",
        sa.Column("game_id", Id, nullable=False),
        sa.Column("entry", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("which", sa.String(length=10), nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.Column("letter", sa.String(length=400), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_reminders_game_id_games")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_reminders_player_id_players")),
        sa.PrimaryKeyConstraint("game_id", "entry", "which", name=op.f("pk_reminders")),
    )
    op.create_index(op.f("ix_reminders_letter"), "reminders", ["letter"])
    op.create_index("ix_reminders_player_at", "reminders", ["player_id", "at"])
    op.create_table(
        "results",
        sa.Column("game_id", Id, autoincrement=False, nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("ended_at", Time, nullable=False),
        sa.Column("first_id", Id, nullable=False),
        sa.Column("second_id", Id, nullable=False),
        sa.Column("how", sa.String(length=20), nullable=False),
        sa.Column("winner", sa.SmallInteger(), nullable=True),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("opening", sa.String(length=60), nullable=False),
        sa.Column("first_turns", sa.Integer(), nullable=False),
        sa.Column("second_turns", sa.Integer(), nullable=False),
        sa.Column("first_late", sa.Integer(), nullable=False),
        sa.Column("second_late", sa.Integer(), nullable=False),
        sa.Column("short", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["first_id"], ["players.id"], name=op.f("fk_results_first_id_players")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_results_game_id_games")),
        sa.ForeignKeyConstraint(["second_id"], ["players.id"], name=op.f("fk_results_second_id_players")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_results")),
    )
    op.create_index("ix_results_rules_ended", "results", ["rules", "ended_at", "game_id"])
    op.create_table(
        "watches",
        sa.Column("player_id", Id, nullable=False),
        sa.Column("game_id", Id, nullable=False),
        sa.Column("seen", sa.Integer(), nullable=False),
        sa.Column("since", Time, nullable=False),
        sa.Column("by_player", Id, nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_watches_game_id_games")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_watches_player_id_players")),
        sa.PrimaryKeyConstraint("player_id", "game_id", name=op.f("pk_watches")),
    )
    op.create_index(op.f("ix_watches_game_id"), "watches", ["game_id"])
    op.create_table(
        "bounces",
        sa.Column("outbox_id", Id, autoincrement=False, nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.Column("points", sa.SmallInteger(), nullable=False),
        sa.Column("status", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["outbox_id"], ["outbox.id"], name=op.f("fk_bounces_outbox_id_outbox")),
        sa.PrimaryKeyConstraint("outbox_id", name=op.f("pk_bounces")),
    )
    op.create_index("ix_bounces_address_at", "bounces", ["address", "at"])
    op.create_table(
        "puzzle_tries",
        sa.Column("puzzle_id", Id, autoincrement=False, nullable=False),
        sa.Column("player_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", Time, nullable=False),
        sa.Column("answer", sa.String(length=200), nullable=True),
        sa.Column("right", sa.Boolean(), nullable=True),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzles.id"], name=op.f("fk_puzzle_tries_puzzle_id_puzzles")
        ),
        sa.PrimaryKeyConstraint("puzzle_id", "player_id", name=op.f("pk_puzzle_tries")),
    )
    op.create_index("ix_puzzle_tries_player_id", "puzzle_tries", ["player_id"])
