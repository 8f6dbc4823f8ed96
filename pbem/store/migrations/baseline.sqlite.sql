CREATE TABLE attempts (
    what VARCHAR(120) NOT NULL,
    since DATETIME NOT NULL,
    number INTEGER NOT NULL,
    CONSTRAINT pk_attempts PRIMARY KEY (what)
);
CREATE INDEX ix_attempts_since ON attempts (since);

CREATE TABLE confirmations (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    purpose VARCHAR(20) NOT NULL,
    address VARCHAR(254) NOT NULL,
    data JSON NOT NULL,
    created_at DATETIME NOT NULL,
    expires_at DATETIME NOT NULL,
    used_at DATETIME
);
CREATE INDEX ix_confirmations_address_created ON confirmations (address, created_at);
CREATE INDEX ix_confirmations_purpose_created ON confirmations (purpose, created_at);

CREATE TABLE heartbeats (
    name VARCHAR(20) NOT NULL,
    at DATETIME NOT NULL,
    CONSTRAINT pk_heartbeats PRIMARY KEY (name)
);

CREATE TABLE nonces (
    way VARCHAR(20) NOT NULL,
    nonce VARCHAR(100) NOT NULL,
    seen_at DATETIME NOT NULL,
    CONSTRAINT pk_nonces PRIMARY KEY (way, nonce)
);
CREATE INDEX ix_nonces_seen_at ON nonces (seen_at);

CREATE TABLE outages (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    begins_at DATETIME NOT NULL,
    ends_at DATETIME NOT NULL
);
CREATE INDEX ix_outages_begins_at ON outages (begins_at);

CREATE TABLE players (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    name VARCHAR(20) NOT NULL,
    name_key VARCHAR(20) NOT NULL,
    address VARCHAR(254) NOT NULL,
    epoch INTEGER NOT NULL,
    stopped JSON NOT NULL,
    created_at DATETIME NOT NULL,
    wishes JSON DEFAULT '{}' NOT NULL,
    digest_at DATETIME,
    barred TEXT DEFAULT '' NOT NULL,
    CONSTRAINT uq_players_name_key UNIQUE (name_key)
);
CREATE INDEX ix_players_digest_at ON players (digest_at);

CREATE TABLE restores (
    epoch BIGINT NOT NULL,
    at DATETIME NOT NULL,
    CONSTRAINT pk_restores PRIMARY KEY (epoch)
);

CREATE TABLE summaries (
    rules VARCHAR(40) NOT NULL,
    what VARCHAR(10) NOT NULL,
    label VARCHAR(60) NOT NULL,
    n INTEGER NOT NULL,
    CONSTRAINT pk_summaries PRIMARY KEY (rules, what, label)
);
CREATE INDEX ix_summaries_most ON summaries (rules, what, n);

CREATE TABLE tallies (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    rules VARCHAR(40) NOT NULL,
    outcome VARCHAR(10) NOT NULL,
    games INTEGER NOT NULL
);

CREATE TABLE unfetched (
    mailbox VARCHAR(20) NOT NULL,
    uid VARCHAR(40) NOT NULL,
    tries INTEGER NOT NULL,
    since DATETIME NOT NULL,
    next_at DATETIME NOT NULL,
    CONSTRAINT pk_unfetched PRIMARY KEY (mailbox, uid)
);

CREATE TABLE addresses (
    address VARCHAR(254) NOT NULL,
    player_id INTEGER NOT NULL,
    proven_at DATETIME NOT NULL,
    suspended_at DATETIME,
    CONSTRAINT pk_addresses PRIMARY KEY (address),
    CONSTRAINT fk_addresses_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_addresses_player_id ON addresses (player_id);

CREATE TABLE blocks (
    player_id INTEGER NOT NULL,
    blocked_id INTEGER NOT NULL,
    created_at DATETIME NOT NULL,
    CONSTRAINT pk_blocks PRIMARY KEY (player_id, blocked_id),
    CONSTRAINT fk_blocks_player_id_players FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT fk_blocks_blocked_id_players FOREIGN KEY(blocked_id) REFERENCES players (id)
);
CREATE INDEX ix_blocks_blocked_id ON blocks (blocked_id);

CREATE TABLE bundles (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    player_id INTEGER NOT NULL,
    created_at DATETIME NOT NULL,
    entries JSON NOT NULL,
    CONSTRAINT fk_bundles_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_bundles_player_id ON bundles (player_id);

CREATE TABLE games (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    rules VARCHAR(40) NOT NULL,
    rules_version VARCHAR(10) NOT NULL,
    options JSON NOT NULL,
    seed VARCHAR(40) NOT NULL,
    first_id INTEGER NOT NULL,
    second_id INTEGER NOT NULL,
    rated BOOLEAN NOT NULL,
    started_at DATETIME NOT NULL,
    changed_at DATETIME NOT NULL,
    entries INTEGER NOT NULL,
    plies INTEGER NOT NULL,
    to_play SMALLINT,
    ended_at DATETIME,
    ended_by VARCHAR(20),
    winner SMALLINT,
    reason TEXT,
    next_event_at DATETIME,
    pace VARCHAR(40) DEFAULT 'none' NOT NULL,
    soft BOOLEAN DEFAULT 0 NOT NULL,
    deadline_at DATETIME,
    deadline_moves INTEGER DEFAULT '0' NOT NULL,
    deadline_moved_at DATETIME,
    held JSON,
    stands JSON,
    revised INTEGER DEFAULT '0' NOT NULL,
    restored_entries INTEGER,
    CONSTRAINT ck_games_two_players CHECK (first_id <> second_id),
    CONSTRAINT fk_games_first_id_players FOREIGN KEY(first_id) REFERENCES players (id),
    CONSTRAINT fk_games_second_id_players FOREIGN KEY(second_id) REFERENCES players (id)
);
CREATE INDEX ix_games_changed ON games (changed_at);
CREATE INDEX ix_games_ended ON games (ended_at, id);
CREATE INDEX ix_games_ended_by_options ON games (ended_by, id, plies, rules, options) WHERE ended_by IS NOT NULL;
CREATE INDEX ix_games_first_id ON games (first_id, id);
CREATE INDEX ix_games_first_running ON games (first_id, ended_at);
CREATE INDEX ix_games_next_event_at ON games (next_event_at);
CREATE INDEX ix_games_plies ON games (plies, id);
CREATE INDEX ix_games_rules_ended ON games (rules, ended_at, id);
CREATE INDEX ix_games_rules_options ON games (rules, id, options);
CREATE INDEX ix_games_rules_plies ON games (rules, plies, id);
CREATE INDEX ix_games_rules_running ON games (rules, id) WHERE ended_at IS NULL;
CREATE INDEX ix_games_running ON games (id) WHERE ended_at IS NULL;
CREATE INDEX ix_games_second_id ON games (second_id, id);
CREATE INDEX ix_games_second_running ON games (second_id, ended_at);
CREATE INDEX ix_games_started ON games (started_at, id);
CREATE INDEX ix_games_undecided ON games (id) WHERE ended_at IS NOT NULL AND winner IS NULL;

CREATE TABLE limits (
    player_id INTEGER NOT NULL,
    rules VARCHAR(40) NOT NULL,
    most SMALLINT NOT NULL,
    CONSTRAINT pk_limits PRIMARY KEY (player_id, rules),
    CONSTRAINT fk_limits_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);

CREATE TABLE ratings (
    rules VARCHAR(40) NOT NULL,
    player_id INTEGER NOT NULL,
    value DOUBLE NOT NULL,
    deviation DOUBLE NOT NULL,
    volatility DOUBLE NOT NULL,
    at DATETIME,
    lost_on_time DATETIME,
    sure_until DATETIME,
    rated INTEGER NOT NULL,
    won INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    late INTEGER NOT NULL,
    CONSTRAINT pk_ratings PRIMARY KEY (rules, player_id),
    CONSTRAINT fk_ratings_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_ratings_player ON ratings (player_id);
CREATE INDEX ix_ratings_rules_value ON ratings (rules, value);

CREATE TABLE sessions (
    seal VARCHAR(64) NOT NULL,
    player_id INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    begun_at DATETIME NOT NULL,
    expires_at DATETIME NOT NULL,
    CONSTRAINT pk_sessions PRIMARY KEY (seal),
    CONSTRAINT fk_sessions_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_sessions_expires_at ON sessions (expires_at);
CREATE INDEX ix_sessions_player_id ON sessions (player_id);

CREATE TABLE signins (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    asked VARCHAR(254) NOT NULL,
    asked_at DATETIME NOT NULL,
    seal VARCHAR(64),
    player_id INTEGER,
    epoch INTEGER,
    expires_at DATETIME,
    used_at DATETIME,
    CONSTRAINT uq_signins_seal UNIQUE (seal),
    CONSTRAINT fk_signins_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_signins_asked_at ON signins (asked_at);
CREATE INDEX ix_signins_player_id ON signins (player_id);

CREATE TABLE vacations (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    player_id INTEGER NOT NULL,
    begins_at DATETIME NOT NULL,
    ends_at DATETIME NOT NULL,
    automatic BOOLEAN NOT NULL,
    CONSTRAINT fk_vacations_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_vacations_player_begins ON vacations (player_id, begins_at);

CREATE TABLE challenges (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    from_id INTEGER NOT NULL,
    to_id INTEGER,
    rules VARCHAR(40) NOT NULL,
    options JSON NOT NULL,
    seats VARCHAR(10) NOT NULL,
    rated BOOLEAN NOT NULL,
    state VARCHAR(10) NOT NULL,
    created_at DATETIME NOT NULL,
    expires_at DATETIME NOT NULL,
    game_id INTEGER,
    pace VARCHAR(40) DEFAULT 'none' NOT NULL,
    soft BOOLEAN DEFAULT 0 NOT NULL,
    CONSTRAINT fk_challenges_from_id_players FOREIGN KEY(from_id) REFERENCES players (id),
    CONSTRAINT fk_challenges_to_id_players FOREIGN KEY(to_id) REFERENCES players (id),
    CONSTRAINT fk_challenges_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE INDEX ix_challenges_from_state ON challenges (from_id, state);
CREATE INDEX ix_challenges_to_state ON challenges (to_id, state);

CREATE TABLE journal (
    game_id INTEGER NOT NULL,
    n INTEGER NOT NULL,
    at DATETIME NOT NULL,
    kind VARCHAR(20) NOT NULL,
    seat SMALLINT,
    data JSON NOT NULL,
    CONSTRAINT pk_journal PRIMARY KEY (game_id, n),
    CONSTRAINT ck_journal_counts_from_one CHECK (n >= 1),
    CONSTRAINT fk_journal_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);

CREATE TABLE messages_in (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    received_at DATETIME NOT NULL,
    sender VARCHAR(320) NOT NULL,
    recipient VARCHAR(320) NOT NULL,
    raw BLOB NOT NULL,
    sha256 VARCHAR(64) NOT NULL,
    dedupe VARCHAR(64),
    state VARCHAR(10) NOT NULL,
    detail TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_at DATETIME,
    filed_at DATETIME,
    player_id INTEGER,
    game_id INTEGER,
    code SMALLINT DEFAULT '0' NOT NULL,
    CONSTRAINT uq_messages_in_dedupe UNIQUE (dedupe),
    CONSTRAINT fk_messages_in_player_id_players FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT fk_messages_in_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE INDEX ix_messages_in_player ON messages_in (player_id);
CREATE INDEX ix_messages_in_sender_lower ON messages_in (lower(sender));
CREATE INDEX ix_messages_in_state_next ON messages_in (state, next_at);

CREATE TABLE moderation (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    kind VARCHAR(10) NOT NULL,
    at DATETIME NOT NULL,
    "by" VARCHAR(60) NOT NULL,
    reason TEXT NOT NULL,
    player_id INTEGER,
    game_id INTEGER,
    entry INTEGER,
    data JSON DEFAULT '{}' NOT NULL,
    CONSTRAINT fk_moderation_player_id_players FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT fk_moderation_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE INDEX ix_moderation_game_id ON moderation (game_id);
CREATE INDEX ix_moderation_player_id ON moderation (player_id);

CREATE TABLE notes (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    game_id INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    at DATETIME NOT NULL,
    words TEXT NOT NULL,
    CONSTRAINT fk_notes_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_notes_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_notes_player_game ON notes (player_id, game_id);

CREATE TABLE outbox (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "key" VARCHAR(400) NOT NULL,
    kind VARCHAR(20) NOT NULL,
    player_id INTEGER,
    game_id INTEGER,
    entry INTEGER,
    mail_id INTEGER,
    envelope_from VARCHAR(320) NOT NULL,
    recipient VARCHAR(254) NOT NULL,
    message_id VARCHAR(320) NOT NULL,
    raw BLOB NOT NULL,
    created_at DATETIME NOT NULL,
    state VARCHAR(10) NOT NULL,
    attempts INTEGER NOT NULL,
    next_at DATETIME,
    sent_at DATETIME,
    detail TEXT NOT NULL,
    trouble VARCHAR(10) DEFAULT '' NOT NULL,
    faults SMALLINT DEFAULT '0' NOT NULL,
    blank_at DATETIME,
    CONSTRAINT uq_outbox_key UNIQUE ("key"),
    CONSTRAINT fk_outbox_player_id_players FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT fk_outbox_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT uq_outbox_message_id UNIQUE (message_id)
);
CREATE INDEX ix_outbox_blank_at ON outbox (blank_at);
CREATE INDEX ix_outbox_envelope_from ON outbox (envelope_from);
CREATE INDEX ix_outbox_game_player ON outbox (game_id, player_id);
CREATE INDEX ix_outbox_kind_created ON outbox (kind, created_at);
CREATE INDEX ix_outbox_mail ON outbox (mail_id);
CREATE INDEX ix_outbox_player ON outbox (player_id);
CREATE INDEX ix_outbox_recipient_created ON outbox (recipient, created_at);
CREATE INDEX ix_outbox_recipient_lower ON outbox (lower(recipient));
CREATE INDEX ix_outbox_state_next ON outbox (state, next_at);

CREATE TABLE rating_steps (
    game_id INTEGER NOT NULL,
    seat SMALLINT NOT NULL,
    rules VARCHAR(40) NOT NULL,
    player_id INTEGER NOT NULL,
    at DATETIME NOT NULL,
    "before" DOUBLE NOT NULL,
    value DOUBLE NOT NULL,
    deviation DOUBLE NOT NULL,
    volatility DOUBLE NOT NULL,
    lost_on_time BOOLEAN NOT NULL,
    CONSTRAINT pk_rating_steps PRIMARY KEY (game_id, seat),
    CONSTRAINT fk_rating_steps_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_rating_steps_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_rating_steps_player ON rating_steps (player_id, rules, at, game_id);
CREATE INDEX ix_rating_steps_rules_at ON rating_steps (rules, at, game_id);

CREATE TABLE reminders (
    game_id INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    which VARCHAR(10) NOT NULL,
    player_id INTEGER NOT NULL,
    at DATETIME NOT NULL,
    letter VARCHAR(400),
    CONSTRAINT pk_reminders PRIMARY KEY (game_id, entry, which),
    CONSTRAINT fk_reminders_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_reminders_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_reminders_letter ON reminders (letter);
CREATE INDEX ix_reminders_player_at ON reminders (player_id, at);

CREATE TABLE results (
    game_id INTEGER NOT NULL,
    rules VARCHAR(40) NOT NULL,
    ended_at DATETIME NOT NULL,
    first_id INTEGER NOT NULL,
    second_id INTEGER NOT NULL,
    how VARCHAR(20) NOT NULL,
    winner SMALLINT,
    rated BOOLEAN NOT NULL,
    plies INTEGER NOT NULL,
    opening VARCHAR(60) NOT NULL,
    first_turns INTEGER NOT NULL,
    second_turns INTEGER NOT NULL,
    first_late INTEGER NOT NULL,
    second_late INTEGER NOT NULL,
    short BOOLEAN DEFAULT 0 NOT NULL,
    CONSTRAINT pk_results PRIMARY KEY (game_id),
    CONSTRAINT fk_results_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_results_first_id_players FOREIGN KEY(first_id) REFERENCES players (id),
    CONSTRAINT fk_results_second_id_players FOREIGN KEY(second_id) REFERENCES players (id)
);
CREATE INDEX ix_results_rules_ended ON results (rules, ended_at, game_id);

CREATE TABLE watches (
    player_id INTEGER NOT NULL,
    game_id INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    since DATETIME NOT NULL,
    CONSTRAINT pk_watches PRIMARY KEY (player_id, game_id),
    CONSTRAINT fk_watches_player_id_players FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT fk_watches_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE INDEX ix_watches_game_id ON watches (game_id);

CREATE TABLE bounces (
    outbox_id INTEGER NOT NULL,
    address VARCHAR(254) NOT NULL,
    at DATETIME NOT NULL,
    points SMALLINT NOT NULL,
    status VARCHAR(200) NOT NULL,
    CONSTRAINT pk_bounces PRIMARY KEY (outbox_id),
    CONSTRAINT fk_bounces_outbox_id_outbox FOREIGN KEY(outbox_id) REFERENCES outbox (id)
);
CREATE INDEX ix_bounces_address_at ON bounces (address, at);
