-- Browsers in which the dashboard of a protected website was opened with its password. A row ends with that password, and
-- with the privacy.
CREATE TABLE website_passes (
	id         ID,
	website_id BIGINT NOT NULL REFERENCES websites (id) ON DELETE CASCADE,
	hash       TEXT NOT NULL UNIQUE,
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX website_passes_website ON website_passes (website_id, id);
CREATE INDEX website_passes_expires ON website_passes (expires_at);

-- Notes on days; a day is Y-m-d.
CREATE TABLE annotations (
	id         ID,
	website_id BIGINT NOT NULL REFERENCES websites (id) ON DELETE CASCADE,
	day        TEXT NOT NULL,
	text       TEXT NOT NULL,
	created_at BIGINT NOT NULL
);
CREATE INDEX annotations_website ON annotations (website_id, day);

-- The second factor of an account. Its secret stands here as it is: codes are made from it, so a hash would be of no use,
-- and a key to encrypt it with would have to stand beside it. Pending is one that is not confirmed. The step is the time of
-- the last code that was used, in 30 seconds; wrong is when all wrong codes are forgotten.
ALTER TABLE accounts ADD COLUMN totp_secret TEXT NOT NULL DEFAULT '';
ALTER TABLE accounts ADD COLUMN totp_pending TEXT NOT NULL DEFAULT '';
ALTER TABLE accounts ADD COLUMN totp_step BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN totp_wrong BIGINT NOT NULL DEFAULT 0;

-- What stands in for a code of the second factor, once each.
CREATE TABLE recovery_codes (
	account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	hash       TEXT NOT NULL,
	PRIMARY KEY (account_id, hash)
);
