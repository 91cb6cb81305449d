"""Create all tables of 0.1.0, and the triggers that keep their rows.

Written by tools/freeze_schema.py. It is never changed once 0.1.0 is released: a later schema is a migration of its own.
"""

from alembic import op

revision = "0001"
down_revision = None

TABLES = """
CREATE TABLE change_readers (
    reader TEXT NOT NULL,
    act INTEGER NOT NULL,
    part INTEGER NOT NULL,
    CONSTRAINT pk_change_readers PRIMARY KEY (reader)
)

CREATE TABLE column_parts (
    name TEXT NOT NULL,
    part INTEGER NOT NULL,
    act INTEGER NOT NULL,
    data BYTEA NOT NULL,
    digest TEXT NOT NULL,
    CONSTRAINT pk_column_parts PRIMARY KEY (name, part)
)

CREATE TABLE counters (
    "key" TEXT NOT NULL,
    slot INTEGER NOT NULL,
    count INTEGER NOT NULL,
    CONSTRAINT pk_counters PRIMARY KEY ("key", slot)
)

CREATE TABLE draft_blocks (
    list TEXT NOT NULL,
    day TEXT NOT NULL,
    block INTEGER NOT NULL,
    data BYTEA NOT NULL,
    seals BYTEA NOT NULL,
    digest TEXT NOT NULL,
    CONSTRAINT pk_draft_blocks PRIMARY KEY (list, day, block)
)

CREATE TABLE draft_inputs (
    list TEXT NOT NULL,
    day TEXT NOT NULL,
    part INTEGER NOT NULL,
    data BYTEA NOT NULL,
    digest TEXT NOT NULL,
    CONSTRAINT pk_draft_inputs PRIMARY KEY (list, day, part)
)

CREATE TABLE drafts (
    list TEXT NOT NULL,
    day TEXT NOT NULL,
    ledger TEXT NOT NULL,
    inputs_digest TEXT NOT NULL,
    version TEXT NOT NULL,
    head TEXT NOT NULL,
    digest TEXT NOT NULL,
    CONSTRAINT pk_drafts PRIMARY KEY (list, day)
)

CREATE TABLE failures (
    "key" TEXT NOT NULL,
    at TEXT NOT NULL
)

CREATE INDEX ix_failures_key ON failures ("key")

CREATE TABLE follow_requests (
    "key" TEXT NOT NULL,
    at TEXT NOT NULL
)

CREATE INDEX ix_follow_requests_key ON follow_requests ("key")

CREATE TABLE followers (
    id INTEGER NOT NULL,
    address TEXT NOT NULL,
    language TEXT NOT NULL,
    token TEXT NOT NULL,
    made TEXT NOT NULL,
    CONSTRAINT pk_followers PRIMARY KEY (id),
    CONSTRAINT uq_followers_address UNIQUE (address),
    CONSTRAINT uq_followers_token UNIQUE (token)
)

CREATE TABLE follows (
    follower INTEGER NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    made TEXT NOT NULL,
    confirmed TEXT NOT NULL,
    CONSTRAINT pk_follows PRIMARY KEY (follower, kind, target)
)

CREATE TABLE grants (
    "user" INTEGER NOT NULL,
    role TEXT NOT NULL,
    federation TEXT NOT NULL,
    CONSTRAINT pk_grants PRIMARY KEY ("user", role, federation)
)

CREATE TABLE hidden_players (
    player INTEGER NOT NULL,
    CONSTRAINT pk_hidden_players PRIMARY KEY (player)
)

CREATE TABLE jobs (
    kind TEXT NOT NULL,
    "key" TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL,
    due TEXT NOT NULL,
    asked INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    lease TEXT NOT NULL,
    holder TEXT NOT NULL,
    error TEXT NOT NULL,
    changed TEXT NOT NULL,
    CONSTRAINT pk_jobs PRIMARY KEY (kind, "key")
)

CREATE INDEX ix_jobs_due ON jobs (state, due)

CREATE TABLE known_places (
    "user" INTEGER NOT NULL,
    place TEXT NOT NULL,
    seen TEXT NOT NULL,
    CONSTRAINT pk_known_places PRIMARY KEY ("user", place)
)

CREATE TABLE ledger (
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    author TEXT NOT NULL,
    verb TEXT NOT NULL,
    details TEXT NOT NULL,
    reason TEXT NOT NULL,
    rows TEXT NOT NULL,
    previous TEXT NOT NULL,
    digest TEXT NOT NULL,
    CONSTRAINT pk_ledger PRIMARY KEY (seq),
    CONSTRAINT uq_ledger_digest UNIQUE (digest)
)

CREATE TABLE live_lists (
    list TEXT NOT NULL,
    layer TEXT NOT NULL,
    day TEXT NOT NULL,
    official INTEGER,
    basis TEXT NOT NULL,
    act INTEGER NOT NULL,
    at TEXT NOT NULL,
    version INTEGER NOT NULL,
    digest TEXT NOT NULL,
    CONSTRAINT pk_live_lists PRIMARY KEY (list, layer)
)

CREATE TABLE live_reports (
    list TEXT NOT NULL,
    layer TEXT NOT NULL,
    report INTEGER NOT NULL,
    players TEXT NOT NULL,
    CONSTRAINT pk_live_reports PRIMARY KEY (list, layer, report)
)

CREATE TABLE live_rows (
    list TEXT NOT NULL,
    layer TEXT NOT NULL,
    player INTEGER NOT NULL,
    rating INTEGER,
    "before" INTEGER,
    games INTEGER NOT NULL,
    events INTEGER NOT NULL,
    listed INTEGER NOT NULL,
    line TEXT NOT NULL,
    CONSTRAINT pk_live_rows PRIMARY KEY (list, layer, player)
)

CREATE TABLE mail_choices (
    "user" INTEGER NOT NULL,
    address TEXT NOT NULL,
    language TEXT NOT NULL,
    unwanted TEXT NOT NULL,
    CONSTRAINT pk_mail_choices PRIMARY KEY ("user")
)

CREATE TABLE monitor_pages (
    publication INTEGER NOT NULL,
    kind TEXT NOT NULL,
    language TEXT NOT NULL,
    version TEXT NOT NULL,
    made TEXT NOT NULL,
    body TEXT NOT NULL,
    CONSTRAINT pk_monitor_pages PRIMARY KEY (publication, kind, language)
)

CREATE TABLE monitor_runs (
    publication INTEGER NOT NULL,
    state TEXT NOT NULL,
    language TEXT NOT NULL,
    version TEXT NOT NULL,
    at TEXT NOT NULL,
    reason TEXT NOT NULL,
    CONSTRAINT pk_monitor_runs PRIMARY KEY (publication, state, language)
)

CREATE TABLE name_keys (
    word TEXT COLLATE "C" NOT NULL,
    player INTEGER NOT NULL,
    CONSTRAINT pk_name_keys PRIMARY KEY (word, player)
) WITHOUT ROWID

CREATE INDEX ix_name_keys_player ON name_keys (player, word)

CREATE TABLE password_links (
    digest TEXT NOT NULL,
    "user" INTEGER NOT NULL,
    ends TEXT NOT NULL,
    CONSTRAINT pk_password_links PRIMARY KEY (digest)
)

CREATE TABLE player_reports (
    player INTEGER NOT NULL,
    report INTEGER NOT NULL,
    CONSTRAINT pk_player_reports PRIMARY KEY (player, report)
) WITHOUT ROWID

CREATE TABLE recovery_codes (
    "user" INTEGER NOT NULL,
    digest TEXT NOT NULL,
    CONSTRAINT pk_recovery_codes PRIMARY KEY ("user", digest)
)

CREATE TABLE running_tournaments (
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    federation TEXT NOT NULL,
    list TEXT NOT NULL,
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    sender TEXT NOT NULL,
    arbiters TEXT NOT NULL,
    version INTEGER NOT NULL,
    rounds INTEGER NOT NULL,
    players INTEGER NOT NULL,
    digest TEXT NOT NULL,
    received TEXT NOT NULL,
    ended TEXT NOT NULL,
    report INTEGER,
    file TEXT NOT NULL,
    data BYTEA NOT NULL,
    marks BYTEA NOT NULL,
    document TEXT NOT NULL,
    CONSTRAINT pk_running_tournaments PRIMARY KEY (name)
)

CREATE TABLE sessions (
    digest TEXT NOT NULL,
    "user" INTEGER NOT NULL,
    begun TEXT NOT NULL,
    ends TEXT NOT NULL,
    seen TEXT NOT NULL,
    browser TEXT NOT NULL,
    CONSTRAINT pk_sessions PRIMARY KEY (digest)
)

CREATE TABLE tokens (
    id INTEGER NOT NULL,
    "user" INTEGER NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    scopes TEXT NOT NULL,
    made TEXT NOT NULL,
    ends TEXT NOT NULL,
    CONSTRAINT pk_tokens PRIMARY KEY (id),
    CONSTRAINT uq_tokens_digest UNIQUE (digest)
)

CREATE TABLE users (
    id INTEGER NOT NULL,
    login TEXT NOT NULL,
    name TEXT NOT NULL,
    password TEXT NOT NULL,
    active INTEGER NOT NULL,
    factor TEXT NOT NULL,
    factor_used INTEGER NOT NULL,
    password_ends TEXT NOT NULL,
    CONSTRAINT pk_users PRIMARY KEY (id),
    CONSTRAINT uq_users_login UNIQUE (login)
)

CREATE TABLE webhook_attempts (
    id INTEGER NOT NULL,
    webhook INTEGER NOT NULL,
    change TEXT NOT NULL,
    at TEXT NOT NULL,
    status INTEGER NOT NULL,
    error TEXT NOT NULL,
    CONSTRAINT pk_webhook_attempts PRIMARY KEY (id)
)

CREATE INDEX ix_webhook_attempts_webhook ON webhook_attempts (webhook, change)

CREATE TABLE webhook_deliveries (
    webhook INTEGER NOT NULL,
    change TEXT NOT NULL,
    kind TEXT NOT NULL,
    made TEXT NOT NULL,
    done TEXT NOT NULL,
    CONSTRAINT pk_webhook_deliveries PRIMARY KEY (webhook, change)
)

CREATE TABLE webhooks (
    id INTEGER NOT NULL,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    kinds TEXT NOT NULL,
    private_host TEXT NOT NULL,
    made TEXT NOT NULL,
    CONSTRAINT pk_webhooks PRIMARY KEY (id)
)

CREATE TABLE act_rows (
    act INTEGER NOT NULL,
    lines TEXT NOT NULL,
    digests BYTEA NOT NULL,
    erasable_lines TEXT NOT NULL,
    erasable_digests BYTEA NOT NULL,
    CONSTRAINT pk_act_rows PRIMARY KEY (act),
    CONSTRAINT fk_act_rows_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE TABLE arbiters (
    id INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_arbiters PRIMARY KEY (id),
    CONSTRAINT fk_arbiters_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_arbiters_act ON arbiters (act)

CREATE TABLE clubs (
    id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    region TEXT NOT NULL,
    since TEXT NOT NULL,
    until TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_clubs PRIMARY KEY (id),
    CONSTRAINT uq_clubs_code UNIQUE (code),
    CONSTRAINT fk_clubs_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_clubs_act ON clubs (act)

CREATE TABLE editions (
    id INTEGER NOT NULL,
    edition TEXT NOT NULL,
    about TEXT NOT NULL,
    list TEXT NOT NULL,
    since TEXT NOT NULL,
    text TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_editions PRIMARY KEY (id),
    CONSTRAINT fk_editions_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_editions_act ON editions (act)

CREATE TABLE events (
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    city TEXT NOT NULL,
    federation TEXT NOT NULL,
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    registered TEXT NOT NULL,
    facts TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_events PRIMARY KEY (id),
    CONSTRAINT fk_events_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_events_act ON events (act)

CREATE TABLE number_schemes (
    id INTEGER NOT NULL,
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    pattern TEXT NOT NULL,
    shown TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_number_schemes PRIMARY KEY (id),
    CONSTRAINT fk_number_schemes_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_number_schemes_act ON number_schemes (act)

CREATE TABLE players (
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    federation TEXT NOT NULL,
    sex TEXT NOT NULL,
    born TEXT NOT NULL,
    title TEXT NOT NULL,
    women_title TEXT NOT NULL,
    other_titles TEXT NOT NULL,
    affiliation TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_players PRIMARY KEY (id),
    CONSTRAINT fk_players_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_players_act ON players (act)

CREATE TABLE publications (
    id INTEGER NOT NULL,
    list TEXT NOT NULL,
    day TEXT NOT NULL,
    revision INTEGER NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    edition TEXT NOT NULL,
    head TEXT NOT NULL,
    digest TEXT NOT NULL,
    standings_digest TEXT NOT NULL,
    inputs_digest TEXT NOT NULL,
    making TEXT NOT NULL,
    published TEXT NOT NULL,
    base INTEGER,
    corrects INTEGER,
    act INTEGER NOT NULL,
    CONSTRAINT pk_publications PRIMARY KEY (id),
    CONSTRAINT uq_publications_list UNIQUE (list, day, revision),
    CONSTRAINT fk_publications_base FOREIGN KEY(base)
        REFERENCES publications (id),
    CONSTRAINT fk_publications_corrects FOREIGN KEY(corrects)
        REFERENCES publications (id),
    CONSTRAINT fk_publications_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_publications_act ON publications (act)

CREATE TABLE reference_lists (
    id INTEGER NOT NULL,
    source TEXT NOT NULL,
    day TEXT NOT NULL,
    lists TEXT NOT NULL,
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    rows INTEGER NOT NULL,
    digest TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_reference_lists PRIMARY KEY (id),
    CONSTRAINT fk_reference_lists_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_reference_lists_act ON reference_lists (act)

CREATE TABLE running_versions (
    id INTEGER NOT NULL,
    tournament TEXT NOT NULL,
    version INTEGER NOT NULL,
    rounds INTEGER NOT NULL,
    digest TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_running_versions PRIMARY KEY (id),
    CONSTRAINT fk_running_versions_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_running_versions_act ON running_versions (act)

CREATE INDEX ix_running_versions_tournament ON running_versions (tournament)

CREATE TABLE setting_changes (
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_setting_changes PRIMARY KEY (id),
    CONSTRAINT fk_setting_changes_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_setting_changes_act ON setting_changes (act)

CREATE TABLE settings (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_settings PRIMARY KEY (name),
    CONSTRAINT fk_settings_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_settings_act ON settings (act)

CREATE TABLE source_schemes (
    id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    scheme TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_source_schemes PRIMARY KEY (id),
    CONSTRAINT fk_source_schemes_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_source_schemes_act ON source_schemes (act)

CREATE TABLE arbiter_facts (
    id INTEGER NOT NULL,
    arbiter INTEGER NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    since TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_arbiter_facts PRIMARY KEY (id),
    CONSTRAINT fk_arbiter_facts_arbiter FOREIGN KEY(arbiter)
        REFERENCES arbiters (id),
    CONSTRAINT fk_arbiter_facts_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_arbiter_facts_act ON arbiter_facts (act)

CREATE INDEX ix_arbiter_facts_arbiter ON arbiter_facts (arbiter)

CREATE TABLE arbiter_licences (
    id INTEGER NOT NULL,
    arbiter INTEGER NOT NULL,
    since TEXT NOT NULL,
    until TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_arbiter_licences PRIMARY KEY (id),
    CONSTRAINT fk_arbiter_licences_arbiter FOREIGN KEY(arbiter)
        REFERENCES arbiters (id),
    CONSTRAINT fk_arbiter_licences_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_arbiter_licences_act ON arbiter_licences (act)

CREATE INDEX ix_arbiter_licences_arbiter ON arbiter_licences (arbiter)

CREATE TABLE club_facts (
    id INTEGER NOT NULL,
    club INTEGER NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    since TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_club_facts PRIMARY KEY (id),
    CONSTRAINT fk_club_facts_club FOREIGN KEY(club)
        REFERENCES clubs (id),
    CONSTRAINT fk_club_facts_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_club_facts_act ON club_facts (act)

CREATE INDEX ix_club_facts_club ON club_facts (club)

CREATE TABLE distinct_players (
    id INTEGER NOT NULL,
    player INTEGER NOT NULL,
    other INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_distinct_players PRIMARY KEY (id),
    CONSTRAINT fk_distinct_players_player FOREIGN KEY(player)
        REFERENCES players (id),
    CONSTRAINT fk_distinct_players_other FOREIGN KEY(other)
        REFERENCES players (id),
    CONSTRAINT fk_distinct_players_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_distinct_players_act ON distinct_players (act)

CREATE TABLE edition_revocations (
    adoption INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_edition_revocations PRIMARY KEY (adoption),
    CONSTRAINT fk_edition_revocations_adoption FOREIGN KEY(adoption)
        REFERENCES editions (id),
    CONSTRAINT fk_edition_revocations_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_edition_revocations_act ON edition_revocations (act)

CREATE TABLE event_changes (
    id INTEGER NOT NULL,
    event INTEGER NOT NULL,
    state TEXT NOT NULL,
    name TEXT NOT NULL,
    city TEXT NOT NULL,
    federation TEXT NOT NULL,
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    facts TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_event_changes PRIMARY KEY (id),
    CONSTRAINT fk_event_changes_event FOREIGN KEY(event)
        REFERENCES events (id),
    CONSTRAINT fk_event_changes_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_event_changes_act ON event_changes (act)

CREATE INDEX ix_event_changes_event ON event_changes (event)

CREATE TABLE identifier_changes (
    id INTEGER NOT NULL,
    scheme TEXT NOT NULL,
    value TEXT NOT NULL,
    player INTEGER,
    act INTEGER NOT NULL,
    CONSTRAINT pk_identifier_changes PRIMARY KEY (id),
    CONSTRAINT fk_identifier_changes_player FOREIGN KEY(player)
        REFERENCES players (id),
    CONSTRAINT fk_identifier_changes_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_identifier_changes_act ON identifier_changes (act)

CREATE TABLE identifiers (
    scheme TEXT NOT NULL,
    value TEXT NOT NULL,
    player INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_identifiers PRIMARY KEY (scheme, value),
    CONSTRAINT fk_identifiers_player FOREIGN KEY(player)
        REFERENCES players (id),
    CONSTRAINT fk_identifiers_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
) WITHOUT ROWID

CREATE INDEX ix_identifiers_act ON identifiers (act)

CREATE INDEX ix_identifiers_player ON identifiers (player)

CREATE TABLE list_blocks (
    publication INTEGER NOT NULL,
    block INTEGER NOT NULL,
    data BYTEA NOT NULL,
    seals BYTEA NOT NULL,
    digest TEXT NOT NULL,
    CONSTRAINT pk_list_blocks PRIMARY KEY (publication, block),
    CONSTRAINT fk_list_blocks_publication FOREIGN KEY(publication)
        REFERENCES publications (id) DEFERRABLE INITIALLY DEFERRED
)

CREATE TABLE list_history (
    publication INTEGER NOT NULL,
    block INTEGER NOT NULL,
    changes TEXT NOT NULL,
    CONSTRAINT pk_list_history PRIMARY KEY (publication, block),
    CONSTRAINT fk_list_history_publication FOREIGN KEY(publication)
        REFERENCES publications (id) DEFERRABLE INITIALLY DEFERRED
)

CREATE TABLE merges (
    id INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_merges PRIMARY KEY (id),
    CONSTRAINT fk_merges_kept FOREIGN KEY(kept)
        REFERENCES players (id),
    CONSTRAINT fk_merges_dropped FOREIGN KEY(dropped)
        REFERENCES players (id),
    CONSTRAINT fk_merges_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_merges_act ON merges (act)

CREATE INDEX ix_merges_dropped ON merges (dropped)

CREATE TABLE player_facts (
    id INTEGER NOT NULL,
    player INTEGER NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    since TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_player_facts PRIMARY KEY (id),
    CONSTRAINT fk_player_facts_player FOREIGN KEY(player)
        REFERENCES players (id),
    CONSTRAINT fk_player_facts_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_player_facts_act ON player_facts (act)

CREATE INDEX ix_player_facts_player ON player_facts (player)

CREATE TABLE ranking_pages (
    publication INTEGER NOT NULL,
    cut TEXT COLLATE "C" NOT NULL,
    page INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    ranked_before INTEGER NOT NULL,
    players BYTEA NOT NULL,
    CONSTRAINT pk_ranking_pages PRIMARY KEY (publication, cut, page),
    CONSTRAINT fk_ranking_pages_publication FOREIGN KEY(publication)
        REFERENCES publications (id) DEFERRABLE INITIALLY DEFERRED
)

CREATE TABLE rankings (
    publication INTEGER NOT NULL,
    cut TEXT COLLATE "C" NOT NULL,
    total INTEGER NOT NULL,
    bands TEXT NOT NULL,
    CONSTRAINT pk_rankings PRIMARY KEY (publication, cut),
    CONSTRAINT fk_rankings_publication FOREIGN KEY(publication)
        REFERENCES publications (id) DEFERRABLE INITIALLY DEFERRED
)

CREATE TABLE reference_blocks (
    reference INTEGER NOT NULL,
    block INTEGER NOT NULL,
    first BIGINT NOT NULL,
    last BIGINT NOT NULL,
    data BYTEA NOT NULL,
    digest TEXT NOT NULL,
    CONSTRAINT pk_reference_blocks PRIMARY KEY (reference, block),
    CONSTRAINT fk_reference_blocks_reference FOREIGN KEY(reference)
        REFERENCES reference_lists (id)
)

CREATE TABLE reference_removals (
    reference INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_reference_removals PRIMARY KEY (reference),
    CONSTRAINT fk_reference_removals_reference FOREIGN KEY(reference)
        REFERENCES reference_lists (id),
    CONSTRAINT fk_reference_removals_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_reference_removals_act ON reference_removals (act)

CREATE TABLE reference_words (
    reference INTEGER NOT NULL,
    block INTEGER NOT NULL,
    first TEXT COLLATE "C" NOT NULL,
    last TEXT COLLATE "C" NOT NULL,
    data BYTEA NOT NULL,
    digest TEXT NOT NULL,
    CONSTRAINT pk_reference_words PRIMARY KEY (reference, block),
    CONSTRAINT fk_reference_words_reference FOREIGN KEY(reference)
        REFERENCES reference_lists (id)
)

CREATE TABLE reports (
    id INTEGER NOT NULL,
    digest TEXT NOT NULL,
    data BYTEA NOT NULL,
    file TEXT NOT NULL,
    received TEXT NOT NULL,
    list TEXT NOT NULL,
    name TEXT NOT NULL,
    city TEXT NOT NULL,
    federation TEXT NOT NULL,
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    players INTEGER NOT NULL,
    rounds INTEGER NOT NULL,
    winner INTEGER,
    games BYTEA NOT NULL,
    results TEXT NOT NULL,
    facts TEXT NOT NULL,
    findings TEXT NOT NULL,
    event INTEGER,
    replaces INTEGER,
    act INTEGER NOT NULL,
    CONSTRAINT pk_reports PRIMARY KEY (id),
    CONSTRAINT uq_reports_digest UNIQUE (digest),
    CONSTRAINT fk_reports_event FOREIGN KEY(event)
        REFERENCES events (id),
    CONSTRAINT fk_reports_replaces FOREIGN KEY(replaces)
        REFERENCES reports (id),
    CONSTRAINT fk_reports_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_reports_act ON reports (act)

CREATE INDEX ix_reports_last_day ON reports (last_day, name, city)

CREATE TABLE taken_back (
    publication INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_taken_back PRIMARY KEY (publication),
    CONSTRAINT fk_taken_back_publication FOREIGN KEY(publication)
        REFERENCES publications (id),
    CONSTRAINT fk_taken_back_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_taken_back_act ON taken_back (act)

CREATE TABLE decisions (
    id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    report INTEGER,
    player INTEGER,
    federation TEXT,
    list TEXT,
    day TEXT,
    value TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_decisions PRIMARY KEY (id),
    CONSTRAINT fk_decisions_report FOREIGN KEY(report)
        REFERENCES reports (id),
    CONSTRAINT fk_decisions_player FOREIGN KEY(player)
        REFERENCES players (id),
    CONSTRAINT fk_decisions_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_decisions_act ON decisions (act)

CREATE TABLE distinct_revocations (
    pair INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_distinct_revocations PRIMARY KEY (pair),
    CONSTRAINT fk_distinct_revocations_pair FOREIGN KEY(pair)
        REFERENCES distinct_players (id),
    CONSTRAINT fk_distinct_revocations_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_distinct_revocations_act ON distinct_revocations (act)

CREATE TABLE entrant_decisions (
    id INTEGER NOT NULL,
    report INTEGER NOT NULL,
    number INTEGER NOT NULL,
    state TEXT NOT NULL,
    player INTEGER,
    name TEXT NOT NULL,
    born TEXT NOT NULL,
    source TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_entrant_decisions PRIMARY KEY (id),
    CONSTRAINT fk_entrant_decisions_report FOREIGN KEY(report)
        REFERENCES reports (id),
    CONSTRAINT fk_entrant_decisions_player FOREIGN KEY(player)
        REFERENCES players (id),
    CONSTRAINT fk_entrant_decisions_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_entrant_decisions_act ON entrant_decisions (act)

CREATE INDEX ix_entrant_decisions_report ON entrant_decisions (report)

CREATE TABLE entrants (
    report INTEGER NOT NULL,
    players TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_entrants PRIMARY KEY (report),
    CONSTRAINT fk_entrants_report FOREIGN KEY(report)
        REFERENCES reports (id),
    CONSTRAINT fk_entrants_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_entrants_act ON entrants (act)

CREATE TABLE invoices (
    id INTEGER NOT NULL,
    year INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    report INTEGER NOT NULL,
    credits INTEGER,
    day TEXT NOT NULL,
    currency TEXT NOT NULL,
    total BIGINT NOT NULL,
    content TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_invoices PRIMARY KEY (id),
    CONSTRAINT uq_invoices_year UNIQUE (year, sequence),
    CONSTRAINT fk_invoices_report FOREIGN KEY(report)
        REFERENCES reports (id),
    CONSTRAINT uq_invoices_credits UNIQUE (credits),
    CONSTRAINT fk_invoices_credits FOREIGN KEY(credits)
        REFERENCES invoices (id),
    CONSTRAINT fk_invoices_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_invoices_act ON invoices (act)

CREATE INDEX ix_invoices_report ON invoices (report)

CREATE TABLE norms (
    id INTEGER NOT NULL,
    player INTEGER NOT NULL,
    title TEXT NOT NULL,
    event TEXT NOT NULL,
    place TEXT NOT NULL,
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    edition TEXT NOT NULL,
    games INTEGER NOT NULL,
    normal INTEGER NOT NULL,
    single_days INTEGER NOT NULL,
    special INTEGER NOT NULL,
    by_bye INTEGER NOT NULL,
    report INTEGER,
    act INTEGER NOT NULL,
    CONSTRAINT pk_norms PRIMARY KEY (id),
    CONSTRAINT fk_norms_player FOREIGN KEY(player)
        REFERENCES players (id),
    CONSTRAINT fk_norms_report FOREIGN KEY(report)
        REFERENCES reports (id),
    CONSTRAINT fk_norms_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_norms_act ON norms (act)

CREATE INDEX ix_norms_player ON norms (player)

CREATE TABLE rated_reports (
    publication INTEGER NOT NULL,
    report INTEGER NOT NULL,
    CONSTRAINT pk_rated_reports PRIMARY KEY (publication, report),
    CONSTRAINT fk_rated_reports_publication FOREIGN KEY(publication)
        REFERENCES publications (id) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT fk_rated_reports_report FOREIGN KEY(report)
        REFERENCES reports (id)
)

CREATE INDEX ix_rated_reports_report ON rated_reports (report)

CREATE TABLE report_statuses (
    id INTEGER NOT NULL,
    report INTEGER NOT NULL,
    status TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_report_statuses PRIMARY KEY (id),
    CONSTRAINT fk_report_statuses_report FOREIGN KEY(report)
        REFERENCES reports (id),
    CONSTRAINT fk_report_statuses_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_report_statuses_act ON report_statuses (act)

CREATE INDEX ix_report_statuses_report ON report_statuses (report)

CREATE TABLE sent_reports (
    id INTEGER NOT NULL,
    report INTEGER NOT NULL,
    day TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_sent_reports PRIMARY KEY (id),
    CONSTRAINT fk_sent_reports_report FOREIGN KEY(report)
        REFERENCES reports (id),
    CONSTRAINT fk_sent_reports_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_sent_reports_act ON sent_reports (act)

CREATE INDEX ix_sent_reports_report ON sent_reports (report)

CREATE TABLE unknown_numbers (
    player INTEGER NOT NULL,
    value TEXT NOT NULL,
    report INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_unknown_numbers PRIMARY KEY (player, value),
    CONSTRAINT fk_unknown_numbers_player FOREIGN KEY(player)
        REFERENCES players (id),
    CONSTRAINT fk_unknown_numbers_report FOREIGN KEY(report)
        REFERENCES reports (id),
    CONSTRAINT fk_unknown_numbers_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_unknown_numbers_act ON unknown_numbers (act)

CREATE TABLE unmerges (
    merge INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_unmerges PRIMARY KEY (merge),
    CONSTRAINT fk_unmerges_merge FOREIGN KEY(merge)
        REFERENCES merges (id),
    CONSTRAINT fk_unmerges_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_unmerges_act ON unmerges (act)

CREATE TABLE alias_revocations (
    decision INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_alias_revocations PRIMARY KEY (decision),
    CONSTRAINT fk_alias_revocations_decision FOREIGN KEY(decision)
        REFERENCES entrant_decisions (id),
    CONSTRAINT fk_alias_revocations_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_alias_revocations_act ON alias_revocations (act)

CREATE TABLE invoice_payments (
    id INTEGER NOT NULL,
    invoice INTEGER NOT NULL,
    day TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_invoice_payments PRIMARY KEY (id),
    CONSTRAINT fk_invoice_payments_invoice FOREIGN KEY(invoice)
        REFERENCES invoices (id),
    CONSTRAINT fk_invoice_payments_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_invoice_payments_act ON invoice_payments (act)

CREATE INDEX ix_invoice_payments_invoice ON invoice_payments (invoice)

CREATE TABLE norm_revocations (
    norm INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_norm_revocations PRIMARY KEY (norm),
    CONSTRAINT fk_norm_revocations_norm FOREIGN KEY(norm)
        REFERENCES norms (id),
    CONSTRAINT fk_norm_revocations_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_norm_revocations_act ON norm_revocations (act)

CREATE TABLE revocations (
    decision INTEGER NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_revocations PRIMARY KEY (decision),
    CONSTRAINT fk_revocations_decision FOREIGN KEY(decision)
        REFERENCES decisions (id),
    CONSTRAINT fk_revocations_act FOREIGN KEY(act)
        REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)

CREATE INDEX ix_revocations_act ON revocations (act)
"""
"""As PostgreSQL takes them, except for WITHOUT ROWID, which is SQLite's."""

SQLITE_TRIGGERS = """
CREATE TRIGGER keep_{table}_UPDATE BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, 'arpad-kept {table}'); END

CREATE TRIGGER keep_{table}_DELETE BEFORE DELETE ON {table}
BEGIN SELECT RAISE(ABORT, 'arpad-kept {table}'); END
"""

POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION arpad_kept() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION USING MESSAGE = 'arpad-kept ' || TG_TABLE_NAME; END $$
"""

POSTGRESQL_TRIGGERS = """
CREATE TRIGGER keep_{table} BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION arpad_kept()

CREATE TRIGGER keep_{table}_truncate BEFORE TRUNCATE ON {table} EXECUTE FUNCTION arpad_kept()
"""

KEPT = """
ledger
act_rows
arbiters
clubs
editions
events
number_schemes
players
publications
reference_lists
running_versions
setting_changes
settings
source_schemes
arbiter_facts
arbiter_licences
club_facts
distinct_players
edition_revocations
event_changes
identifier_changes
identifiers
list_blocks
merges
player_facts
reference_blocks
reference_removals
reports
taken_back
decisions
distinct_revocations
entrant_decisions
entrants
invoices
norms
rated_reports
report_statuses
sent_reports
unknown_numbers
unmerges
alias_revocations
invoice_payments
norm_revocations
revocations
"""


def upgrade() -> None:
    """Create the schema."""
    connection = op.get_bind()
    on_sqlite = connection.dialect.name == "sqlite"
    if on_sqlite:
        tables = TABLES.replace(' COLLATE "C"', "").replace("BYTEA", "BLOB")
    else:
        tables = TABLES.replace(" WITHOUT ROWID", "")
        connection.exec_driver_sql(POSTGRESQL_FUNCTION)
    for statement in tables.strip().split("\n\n"):
        connection.exec_driver_sql(statement)
    triggers = SQLITE_TRIGGERS if on_sqlite else POSTGRESQL_TRIGGERS
    for table in KEPT.split():
        for statement in triggers.strip().split("\n\n"):
            connection.exec_driver_sql(statement.format(table=table))
    connection.exec_driver_sql("ALTER TABLE alembic_version ADD COLUMN fingerprint TEXT")
