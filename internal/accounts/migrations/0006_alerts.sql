-- Where a website tells others what happened. The secret stands here as it is: every message is signed with it, so a hash would
-- be of no use, and a key to encrypt it with would have to stand beside it.
CREATE TABLE webhooks (
	id         ID,
	website_id BIGINT NOT NULL REFERENCES websites (id) ON DELETE CASCADE,
	url        TEXT NOT NULL,
	secret     TEXT NOT NULL,
	created_at BIGINT NOT NULL
);
CREATE INDEX webhooks_website ON webhooks (website_id);

-- What was tried to tell them, and what they answered; a status of 0 is no answer. The duration is in milliseconds.
CREATE TABLE webhook_attempts (
	id         ID,
	webhook_id BIGINT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
	message_id TEXT NOT NULL,
	kind       TEXT NOT NULL,
	attempt    BIGINT NOT NULL,
	status     BIGINT NOT NULL,
	error      TEXT NOT NULL,
	duration   BIGINT NOT NULL,
	created_at BIGINT NOT NULL
);
CREATE INDEX webhook_attempts_webhook ON webhook_attempts (webhook_id, id);

-- What people want to be told of a website. The account is who gets the email; without one nobody does. The alert was told last
-- when it fired.
CREATE TABLE alerts (
	id          ID,
	website_id  BIGINT NOT NULL REFERENCES websites (id) ON DELETE CASCADE,
	account_id  BIGINT REFERENCES accounts (id) ON DELETE SET NULL,
	webhook_id  BIGINT REFERENCES webhooks (id) ON DELETE SET NULL,
	kind        TEXT NOT NULL CHECK (kind IN ('above', 'below', 'silent')),
	sensitivity TEXT NOT NULL CHECK (sensitivity IN ('low', 'normal', 'high')),
	threshold   BIGINT NOT NULL,
	hours       BIGINT NOT NULL,
	email       BIGINT NOT NULL CHECK (email IN (0, 1)),
	fired_at    BIGINT NOT NULL,
	created_at  BIGINT NOT NULL,
	updated_at  BIGINT NOT NULL
);
CREATE INDEX alerts_website ON alerts (website_id);
CREATE INDEX alerts_account ON alerts (account_id);
CREATE INDEX alerts_webhook ON alerts (webhook_id);
