CREATE TABLE attempts (
    what VARCHAR(120) NOT NULL,
    since TIMESTAMP WITH TIME ZONE NOT NULL,
    number INTEGER NOT NULL,
    CONSTRAINT pk_attempts PRIMARY KEY (what)
);
CREATE INDEX ix_attempts_since ON attempts (since);

CREATE TABLE confirmations (
    id BIGSERIAL NOT NULL,
    purpose VARCHAR(20) NOT NULL,
    address VARCHAR(254) NOT NULL,
    data JSON NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    used_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_confirmations PRIMARY KEY (id)
);
CREATE INDEX ix_confirmations_address_created ON confirmations (address, created_at);
CREATE INDEX ix_confirmations_purpose_created ON confirmations (purpose, created_at);

CREATE TABLE heartbeats (
    name VARCHAR(20) NOT NULL,
    at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_heartbeats PRIMARY KEY (name)
);

CREATE TABLE nonces (
    way VARCHAR(20) NOT NULL,
    nonce VARCHAR(100) NOT NULL,
    seen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_nonces PRIMARY KEY (way, nonce)
);
CREATE INDEX ix_nonces_seen_at ON nonces (seen_at);

CREATE TABLE outages (
    id BIGSERIAL NOT NULL,
    begins_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ends_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_outages PRIMARY KEY (id)
);
CREATE INDEX ix_outages_begins_at ON outages (begins_at);

CREATE TABLE players (
    id BIGSERIAL NOT NULL,
    name VARCHAR(20) NOT NULL,
    name_key VARCHAR(20) NOT NULL,
    address VARCHAR(254) NOT NULL,
    epoch INTEGER NOT NULL,
    stopped JSON NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    wishes JSON DEFAULT '{}' NOT NULL,
    digest_at TIMESTAMP WITH TIME ZONE,
    barred TEXT DEFAULT '' NOT NULL,
    CONSTRAINT pk_players PRIMARY KEY (id),
    CONSTRAINT uq_players_name_key UNIQUE (name_key)
);
CREATE INDEX ix_players_digest_at ON players (digest_at);

CREATE TABLE restores (
    epoch BIGINT NOT NULL,
    at TIMESTAMP WITH TIME ZONE NOT NULL,
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
    id BIGSERIAL NOT NULL,
    rules VARCHAR(40) NOT NULL,
    outcome VARCHAR(10) NOT NULL,
    games INTEGER NOT NULL,
    CONSTRAINT pk_tallies PRIMARY KEY (id)
);

CREATE TABLE unfetched (
    mailbox VARCHAR(20) NOT NULL,
    uid VARCHAR(40) NOT NULL,
    tries INTEGER NOT NULL,
    since TIMESTAMP WITH TIME ZONE NOT NULL,
    next_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_unfetched PRIMARY KEY (mailbox, uid)
);

CREATE TABLE addresses (
    address VARCHAR(254) NOT NULL,
    player_id BIGINT NOT NULL,
    proven_at TIMESTAMP WITH TIME ZONE NOT NULL,
    suspended_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_addresses PRIMARY KEY (address),
    CONSTRAINT fk_addresses_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_addresses_player_id ON addresses (player_id);

CREATE TABLE blocks (
    player_id BIGINT NOT NULL,
    blocked_id BIGINT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_blocks PRIMARY KEY (player_id, blocked_id),
    CONSTRAINT fk_blocks_player_id_players FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT fk_blocks_blocked_id_players FOREIGN KEY(blocked_id) REFERENCES players (id)
);
CREATE INDEX ix_blocks_blocked_id ON blocks (blocked_id);

CREATE TABLE bundles (
    id BIGSERIAL NOT NULL,
    player_id BIGINT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    entries JSON NOT NULL,
    CONSTRAINT pk_bundles PRIMARY KEY (id),
    CONSTRAINT fk_bundles_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_bundles_player_id ON bundles (player_id);

CREATE TABLE games (
    id BIGSERIAL NOT NULL,
    rules VARCHAR(40) NOT NULL,
    rules_version VARCHAR(10) NOT NULL,
    options JSON NOT NULL,
    seed VARCHAR(40) NOT NULL,
    first_id BIGINT NOT NULL,
    second_id BIGINT NOT NULL,
    rated BOOLEAN NOT NULL,
    started_at TIMESTAMP WITH TIME ZONE NOT NULL,
    changed_at TIMESTAMP WITH TIME ZONE NOT NULL,
    entries INTEGER NOT NULL,
    plies INTEGER NOT NULL,
    to_play SMALLINT,
    ended_at TIMESTAMP WITH TIME ZONE,
    ended_by VARCHAR(20),
    winner SMALLINT,
    reason TEXT,
    next_event_at TIMESTAMP WITH TIME ZONE,
    pace VARCHAR(40) DEFAULT 'none' NOT NULL,
    soft BOOLEAN DEFAULT false NOT NULL,
    deadline_at TIMESTAMP WITH TIME ZONE,
    deadline_moves INTEGER DEFAULT '0' NOT NULL,
    deadline_moved_at TIMESTAMP WITH TIME ZONE,
    held JSON,
    stands JSON,
    revised INTEGER DEFAULT '0' NOT NULL,
    restored_entries INTEGER,
    CONSTRAINT pk_games PRIMARY KEY (id),
    CONSTRAINT ck_games_two_players CHECK (first_id <> second_id),
    CONSTRAINT fk_games_first_id_players FOREIGN KEY(first_id) REFERENCES players (id),
    CONSTRAINT fk_games_second_id_players FOREIGN KEY(second_id) REFERENCES players (id)
);
CREATE INDEX ix_games_changed ON games (changed_at);
CREATE INDEX ix_games_ended ON games (ended_at, id);
CREATE INDEX ix_games_ended_by ON games (ended_by, id);
CREATE INDEX ix_games_first_id ON games (first_id, id);
CREATE INDEX ix_games_first_running ON games (first_id, ended_at);
CREATE INDEX ix_games_next_event_at ON games (next_event_at);
CREATE INDEX ix_games_plies ON games (plies, id);
CREATE INDEX ix_games_rules_ended ON games (rules, ended_at, id);
CREATE INDEX ix_games_rules_id ON games (rules, id);
CREATE INDEX ix_games_rules_plies ON games (rules, plies, id);
CREATE INDEX ix_games_rules_running ON games (rules, id) WHERE ended_at IS NULL;
CREATE INDEX ix_games_running ON games (id) WHERE ended_at IS NULL;
CREATE INDEX ix_games_second_id ON games (second_id, id);
CREATE INDEX ix_games_second_running ON games (second_id, ended_at);
CREATE INDEX ix_games_started ON games (started_at, id);
CREATE INDEX ix_games_undecided ON games (id) WHERE ended_at IS NOT NULL AND winner IS NULL;

CREATE TABLE limits (
    player_id BIGINT NOT NULL,
    rules VARCHAR(40) NOT NULL,
    most SMALLINT NOT NULL,
    CONSTRAINT pk_limits PRIMARY KEY (player_id, rules),
    CONSTRAINT fk_limits_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);

CREATE TABLE ratings (
    rules VARCHAR(40) NOT NULL,
    player_id BIGINT NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    at TIMESTAMP WITH TIME ZONE,
    lost_on_time TIMESTAMP WITH TIME ZONE,
    sure_until TIMESTAMP WITH TIME ZONE,
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
    player_id BIGINT NOT NULL,
    epoch INTEGER NOT NULL,
    begun_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_sessions PRIMARY KEY (seal),
    CONSTRAINT fk_sessions_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_sessions_expires_at ON sessions (expires_at);
CREATE INDEX ix_sessions_player_id ON sessions (player_id);

CREATE TABLE signins (
    id BIGSERIAL NOT NULL,
    asked VARCHAR(254) NOT NULL,
    asked_at TIMESTAMP WITH TIME ZONE NOT NULL,
    seal VARCHAR(64),
    player_id BIGINT,
    epoch INTEGER,
    expires_at TIMESTAMP WITH TIME ZONE,
    used_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_signins PRIMARY KEY (id),
    CONSTRAINT uq_signins_seal UNIQUE (seal),
    CONSTRAINT fk_signins_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_signins_asked_at ON signins (asked_at);
CREATE INDEX ix_signins_player_id ON signins (player_id);

CREATE TABLE vacations (
    id BIGSERIAL NOT NULL,
    player_id BIGINT NOT NULL,
    begins_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ends_at TIMESTAMP WITH TIME ZONE NOT NULL,
    automatic BOOLEAN NOT NULL,
    CONSTRAINT pk_vacations PRIMARY KEY (id),
    CONSTRAINT fk_vacations_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_vacations_player_begins ON vacations (player_id, begins_at);

CREATE TABLE challenges (
    id BIGSERIAL NOT NULL,
    from_id BIGINT NOT NULL,
    to_id BIGINT,
    rules VARCHAR(40) NOT NULL,
    options JSON NOT NULL,
    seats VARCHAR(10) NOT NULL,
    rated BOOLEAN NOT NULL,
    state VARCHAR(10) NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    game_id BIGINT,
    pace VARCHAR(40) DEFAULT 'none' NOT NULL,
    soft BOOLEAN DEFAULT false NOT NULL,
    CONSTRAINT pk_challenges PRIMARY KEY (id),
    CONSTRAINT fk_challenges_from_id_players FOREIGN KEY(from_id) REFERENCES players (id),
    CONSTRAINT fk_challenges_to_id_players FOREIGN KEY(to_id) REFERENCES players (id),
    CONSTRAINT fk_challenges_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE INDEX ix_challenges_from_state ON challenges (from_id, state);
CREATE INDEX ix_challenges_to_state ON challenges (to_id, state);

CREATE TABLE journal (
    game_id BIGINT NOT NULL,
    n INTEGER NOT NULL,
    at TIMESTAMP WITH TIME ZONE NOT NULL,
    kind VARCHAR(20) NOT NULL,
    seat SMALLINT,
    data JSON NOT NULL,
    CONSTRAINT pk_journal PRIMARY KEY (game_id, n),
    CONSTRAINT ck_journal_counts_from_one CHECK (n >= 1),
    CONSTRAINT fk_journal_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);

CREATE TABLE messages_in (
    id BIGSERIAL NOT NULL,
    received_at TIMESTAMP WITH TIME ZONE NOT NULL,
    sender VARCHAR(320) NOT NULL,
    recipient VARCHAR(320) NOT NULL,
    raw BYTEA NOT NULL,
    sha256 VARCHAR(64) NOT NULL,
    dedupe VARCHAR(64),
    state VARCHAR(10) NOT NULL,
    detail TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_at TIMESTAMP WITH TIME ZONE,
    filed_at TIMESTAMP WITH TIME ZONE,
    player_id BIGINT,
    game_id BIGINT,
    code SMALLINT DEFAULT '0' NOT NULL,
    CONSTRAINT pk_messages_in PRIMARY KEY (id),
    CONSTRAINT uq_messages_in_dedupe UNIQUE (dedupe),
    CONSTRAINT fk_messages_in_player_id_players FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT fk_messages_in_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE INDEX ix_messages_in_player ON messages_in (player_id);
CREATE INDEX ix_messages_in_sender_lower ON messages_in (lower(sender));
CREATE INDEX ix_messages_in_state_next ON messages_in (state, next_at);

CREATE TABLE moderation (
    id BIGSERIAL NOT NULL,
    kind VARCHAR(10) NOT NULL,
    at TIMESTAMP WITH TIME ZONE NOT NULL,
    by VARCHAR(60) NOT NULL,
    reason TEXT NOT NULL,
    player_id BIGINT,
    game_id BIGINT,
    entry INTEGER,
    data JSON DEFAULT '{}' NOT NULL,
    CONSTRAINT pk_moderation PRIMARY KEY (id),
    CONSTRAINT fk_moderation_player_id_players FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT fk_moderation_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE INDEX ix_moderation_game_id ON moderation (game_id);
CREATE INDEX ix_moderation_player_id ON moderation (player_id);

CREATE TABLE notes (
    id BIGSERIAL NOT NULL,
    game_id BIGINT NOT NULL,
    player_id BIGINT NOT NULL,
    ply INTEGER NOT NULL,
    at TIMESTAMP WITH TIME ZONE NOT NULL,
    words TEXT NOT NULL,
    CONSTRAINT pk_notes PRIMARY KEY (id),
    CONSTRAINT fk_notes_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_notes_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_notes_player_game ON notes (player_id, game_id);

CREATE TABLE outbox (
    id BIGSERIAL NOT NULL,
    key VARCHAR(400) NOT NULL,
    kind VARCHAR(20) NOT NULL,
    player_id BIGINT,
    game_id BIGINT,
    entry INTEGER,
    mail_id BIGINT,
    envelope_from VARCHAR(320) NOT NULL,
    recipient VARCHAR(254) NOT NULL,
    message_id VARCHAR(320) NOT NULL,
    raw BYTEA NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    state VARCHAR(10) NOT NULL,
    attempts INTEGER NOT NULL,
    next_at TIMESTAMP WITH TIME ZONE,
    sent_at TIMESTAMP WITH TIME ZONE,
    detail TEXT NOT NULL,
    trouble VARCHAR(10) DEFAULT '' NOT NULL,
    faults SMALLINT DEFAULT '0' NOT NULL,
    blank_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_outbox PRIMARY KEY (id),
    CONSTRAINT uq_outbox_key UNIQUE (key),
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
    game_id BIGINT NOT NULL,
    seat SMALLINT NOT NULL,
    rules VARCHAR(40) NOT NULL,
    player_id BIGINT NOT NULL,
    at TIMESTAMP WITH TIME ZONE NOT NULL,
    before DOUBLE PRECISION NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    lost_on_time BOOLEAN NOT NULL,
    CONSTRAINT pk_rating_steps PRIMARY KEY (game_id, seat),
    CONSTRAINT fk_rating_steps_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_rating_steps_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_rating_steps_player ON rating_steps (player_id, rules, at, game_id);
CREATE INDEX ix_rating_steps_rules_at ON rating_steps (rules, at, game_id);

CREATE TABLE reminders (
    game_id BIGINT NOT NULL,
    entry INTEGER NOT NULL,
    which VARCHAR(10) NOT NULL,
    player_id BIGINT NOT NULL,
    at TIMESTAMP WITH TIME ZONE NOT NULL,
    letter VARCHAR(400),
    CONSTRAINT pk_reminders PRIMARY KEY (game_id, entry, which),
    CONSTRAINT fk_reminders_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_reminders_player_id_players FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE INDEX ix_reminders_letter ON reminders (letter);
CREATE INDEX ix_reminders_player_at ON reminders (player_id, at);

CREATE TABLE results (
    game_id BIGINT NOT NULL,
    rules VARCHAR(40) NOT NULL,
    ended_at TIMESTAMP WITH TIME ZONE NOT NULL,
    first_id BIGINT NOT NULL,
    second_id BIGINT NOT NULL,
    how VARCHAR(20) NOT NULL,
    winner SMALLINT,
    rated BOOLEAN NOT NULL,
    plies INTEGER NOT NULL,
    opening VARCHAR(60) NOT NULL,
    first_turns INTEGER NOT NULL,
    second_turns INTEGER NOT NULL,
    first_late INTEGER NOT NULL,
    second_late INTEGER NOT NULL,
    short BOOLEAN DEFAULT false NOT NULL,
    CONSTRAINT pk_results PRIMARY KEY (game_id),
    CONSTRAINT fk_results_game_id_games FOREIGN KEY(game_id) REFERENCES games (id),
    CONSTRAINT fk_results_first_id_players FOREIGN KEY(first_id) REFERENCES players (id),
    CONSTRAINT fk_results_second_id_players FOREIGN KEY(second_id) REFERENCES players (id)
);
CREATE INDEX ix_results_rules_ended ON results (rules, ended_at, game_id);

CREATE TABLE watches (
    player_id BIGINT NOT NULL,
    game_id BIGINT NOT NULL,
    seen INTEGER NOT NULL,
    since TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_watches PRIMARY KEY (player_id, game_id),
    CONSTRAINT fk_watches_player_id_players FOREIGN KEY(player_id) REFERENCES players (id),
    CONSTRAINT fk_watches_game_id_games FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE INDEX ix_watches_game_id ON watches (game_id);

CREATE TABLE bounces (
    outbox_id BIGINT NOT NULL,
    address VARCHAR(254) NOT NULL,
    at TIMESTAMP WITH TIME ZONE NOT NULL,
    points SMALLINT NOT NULL,
    status VARCHAR(200) NOT NULL,
    CONSTRAINT pk_bounces PRIMARY KEY (outbox_id),
    CONSTRAINT fk_bounces_outbox_id_outbox FOREIGN KEY(outbox_id) REFERENCES outbox (id)
);
CREATE INDEX ix_bounces_address_at ON bounces (address, at);
