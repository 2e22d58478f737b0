package accounts

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"strings"
)

// A secret is a prefix that says what it is and 256 random bits in hex. The prefix lets people and scanners recognise
// one that went astray.
const (
	keyPrefix     = "ffk_"
	sessionPrefix = "ffs_"
	setupPrefix   = "fft_"
	passPrefix    = "ffd_"
	webhookPrefix = "ffw_"

	secretBytes = 32
)

func newSecret(prefix string) string {
	b := make([]byte, secretBytes)
	rand.Read(b) // never fails
	return prefix + hex.EncodeToString(b)
}

// hashSecret is what the database keeps of a secret. With 256 random bits behind it, it needs neither salt nor slowness.
func hashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func sameHash(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// isSecret tells whether a text can be a secret of this kind at all, before the database is asked.
func isSecret(prefix, s string) bool {
	return strings.HasPrefix(s, prefix) && len(s) == len(prefix)+hex.EncodedLen(secretBytes)
}
