-- Hits that were not counted: how many, for each website, day and reason. Website 0 is those of no website that is known.
CREATE TABLE drops (
	website_id BIGINT NOT NULL,
	day        TEXT NOT NULL,
	reason     TEXT NOT NULL,
	hits       BIGINT NOT NULL,
	PRIMARY KEY (website_id, day, reason)
);

-- Up to which record of its journal each node has counted them.
CREATE TABLE drop_positions (
	node     TEXT PRIMARY KEY,
	position BIGINT NOT NULL
);
