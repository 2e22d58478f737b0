package accounts

// HashCheaply makes the passwords of this database cheap to hash from now on. Real hashes took three quarters of the time
// of the tests under the race detector.
func (db *DB) HashCheaply() { db.hashParams.Memory = 64 }
