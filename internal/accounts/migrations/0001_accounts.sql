-- One text for both engines; ID and TEXT are replaced as migrate.go says. Times are Unix milliseconds, 0 is no time.
-- Yes and no are 1 and 0. Secrets are hashes: of passwords argon2id, of keys and tokens SHA-256 in hex.

CREATE TABLE accounts (
	id         ID,
	email      TEXT NOT NULL UNIQUE,
	name       TEXT NOT NULL,
	password   TEXT NOT NULL,
	role       TEXT NOT NULL CHECK (role IN ('admin', 'member')),
	locale     TEXT NOT NULL,
	timezone   TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL
);

CREATE TABLE websites (
	id             ID,
	account_id     BIGINT NOT NULL REFERENCES accounts (id),
	domain         TEXT NOT NULL UNIQUE,
	unicode_domain TEXT NOT NULL,
	privacy        BIGINT NOT NULL CHECK (privacy IN (0, 1, 2)),
	password       TEXT NOT NULL,
	email          BIGINT NOT NULL CHECK (email IN (0, 1)),
	exclude_bots   BIGINT NOT NULL CHECK (exclude_bots IN (0, 1)),
	exclude_params TEXT NOT NULL,
	exclude_ips    TEXT NOT NULL,
	timezone       TEXT NOT NULL,
	created_at     BIGINT NOT NULL,
	updated_at     BIGINT NOT NULL
);
CREATE INDEX websites_account ON websites (account_id);

-- Of a deleted website only its number is left, until its events are gone and as proof that they are.
CREATE TABLE deleted_websites (
	id         BIGINT PRIMARY KEY,
	deleted_at BIGINT NOT NULL,
	purged_at  BIGINT NOT NULL
);

CREATE TABLE shares (
	website_id BIGINT NOT NULL REFERENCES websites (id) ON DELETE CASCADE,
	account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	access     TEXT NOT NULL CHECK (access IN ('viewer', 'editor')),
	created_at BIGINT NOT NULL,
	PRIMARY KEY (website_id, account_id)
);
CREATE INDEX shares_account ON shares (account_id, website_id);

CREATE TABLE api_keys (
	id         ID,
	account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	hash       TEXT NOT NULL UNIQUE,
	prefix     TEXT NOT NULL,
	name       TEXT NOT NULL,
	scope      TEXT NOT NULL CHECK (scope IN ('read', 'manage')),
	created_at BIGINT NOT NULL,
	used_at    BIGINT NOT NULL,
	expires_at BIGINT NOT NULL,
	revoked_at BIGINT NOT NULL
);
CREATE INDEX api_keys_account ON api_keys (account_id);

CREATE TABLE sessions (
	id         ID,
	account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	hash       TEXT NOT NULL UNIQUE,
	label      TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	seen_at    BIGINT NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_account ON sessions (account_id);

-- Links that make the first account; empty once there is one.
CREATE TABLE setup_tokens (
	hash       TEXT PRIMARY KEY,
	created_at BIGINT NOT NULL
);

CREATE TABLE settings (
	name       TEXT PRIMARY KEY,
	value      TEXT NOT NULL,
	updated_at BIGINT NOT NULL
);

-- A row grows by one with every change to what it is named after. Who changes that updates the row first, and so waits
-- for others who do the same.
CREATE TABLE versions (
	name  TEXT PRIMARY KEY,
	value BIGINT NOT NULL
);
INSERT INTO versions (name, value) VALUES ('accounts', 0), ('websites', 0);
