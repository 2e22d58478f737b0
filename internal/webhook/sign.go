package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"
)

// SignatureHeader is where the signature of a message is.
const SignatureHeader = "Footfall-Signature"

// Sign is the signature of a body at a time: t=UNIX,v1=HEX, where HEX is the HMAC-SHA-256, with the secret as its key, of the
// time, a full stop and the body. The time is part of it so that whoever overheard a message cannot send it again later.
func Sign(secret string, at time.Time, body []byte) string {
	t := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(t + "."))
	mac.Write(body)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}
