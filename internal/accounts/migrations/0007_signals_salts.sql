-- Whether Do Not Track and Global Privacy Control are reasons not to count a hit.
ALTER TABLE websites ADD COLUMN respect_signals BIGINT NOT NULL DEFAULT 0 CHECK (respect_signals IN (0, 1));

-- The salts that nodes share, by the Unix seconds at which their day begins; in hex. Nothing may keep one longer than this table
-- does: so PostgreSQL writes no log of it, and what is made from that log, replicas and copies of the server's files, is without
-- them. After a crash of the server it is empty, and nodes put back what they have in memory. In SQLite it is always empty.
CREATE UNLOGGED TABLE salts (
	day  BIGINT PRIMARY KEY,
	salt TEXT NOT NULL CHECK (LENGTH(salt) = 64)
);
