-- What is to be sent, and what became of it. A name is there once for each kind, so that nothing is sent twice. The message's
-- id stays the same however often it is tried. While somebody sends it, next_at is when their lease ends.
CREATE TABLE outbox (
	id         ID,
	kind       TEXT NOT NULL,
	name       TEXT NOT NULL,
	series     TEXT NOT NULL,
	website_id BIGINT REFERENCES websites (id) ON DELETE CASCADE,
	account_id BIGINT REFERENCES accounts (id) ON DELETE CASCADE,
	payload    TEXT NOT NULL,
	message_id TEXT NOT NULL,
	state      TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'handing', 'sent', 'failed', 'dropped')),
	attempts   BIGINT NOT NULL,
	next_at    BIGINT NOT NULL,
	node       TEXT NOT NULL,
	last_error TEXT NOT NULL,
	created_at BIGINT NOT NULL,
	ended_at   BIGINT NOT NULL,
	UNIQUE (kind, name)
);
CREATE INDEX outbox_next ON outbox (state, next_at);
CREATE INDEX outbox_series ON outbox (series);
CREATE INDEX outbox_website ON outbox (website_id);
CREATE INDEX outbox_account ON outbox (account_id);

-- What accounts said about reports on a website. Without a row its owner gets them, and those it is shared with do not.
CREATE TABLE subscriptions (
	website_id BIGINT NOT NULL REFERENCES websites (id) ON DELETE CASCADE,
	account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
	reports    BIGINT NOT NULL CHECK (reports IN (0, 1)),
	updated_at BIGINT NOT NULL,
	PRIMARY KEY (website_id, account_id)
);
CREATE INDEX subscriptions_account ON subscriptions (account_id);

-- Up to when the reports on a website are planned; 0 while none are sent.
ALTER TABLE websites ADD COLUMN reports_planned BIGINT NOT NULL DEFAULT 0;

-- What links in emails are signed with. It stands here as it is: what is signed has to be made again.
CREATE TABLE signing_keys (
	name       TEXT PRIMARY KEY,
	value      TEXT NOT NULL,
	created_at BIGINT NOT NULL
);
