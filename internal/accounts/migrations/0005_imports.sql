-- Files of events that were imported, and how far. The digest is the SHA-256 of a file. A run that is done and of which no
-- event counts may be followed by another; done_at is 0 while it is not done.
CREATE TABLE imports (
	website_id BIGINT NOT NULL REFERENCES websites (id) ON DELETE CASCADE,
	digest     TEXT NOT NULL,
	format     TEXT NOT NULL,
	run        BIGINT NOT NULL,
	lines      BIGINT NOT NULL,
	events     BIGINT NOT NULL,
	dropped    BIGINT NOT NULL,
	bad        BIGINT NOT NULL,
	started_at BIGINT NOT NULL,
	done_at    BIGINT NOT NULL,
	PRIMARY KEY (website_id, digest, format)
);
