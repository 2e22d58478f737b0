package report

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"net/url"
)

// A Signer makes and reads the links in reports. Its key is a secret of the installation.
type Signer struct{ key []byte }

// KeyName is the name of the key in the accounts.
const KeyName = "report"

// NewSigner makes one.
func NewSigner(key []byte) *Signer { return &Signer{key} }

// macBytes of an HMAC are more than anybody tries.
const macBytes = 16

func (s *Signer) mac(purpose string, message []byte) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write([]byte(purpose + "\x00"))
	h.Write(message)
	return h.Sum(nil)[:macBytes]
}

var encoding = base64.RawURLEncoding.Strict()

// Token is what ends the reports on a website for an account. It says so to whoever has it, and can do nothing else.
func (s *Signer) Token(website, account int64) string {
	message := binary.AppendVarint(binary.AppendVarint(nil, website), account)
	return encoding.EncodeToString(append(message, s.mac("unsubscribe", message)...))
}

// maxToken is how long a token can be.
const maxToken = 64

// Read tells whose token it is. It is nobody's if it was not made here, or if there is no Signer.
func (s *Signer) Read(token string) (website, account int64, ok bool) {
	if s == nil || len(token) > maxToken {
		return 0, 0, false
	}
	content, err := encoding.DecodeString(token)
	if err != nil || len(content) <= macBytes {
		return 0, 0, false
	}
	message, mac := content[:len(content)-macBytes], content[len(content)-macBytes:]
	if !hmac.Equal(mac, s.mac("unsubscribe", message)) {
		return 0, 0, false
	}
	website, n := binary.Varint(message)
	account, _ = binary.Varint(message[n:])
	return website, account, true
}

// messageID is that of a delivery: always the same, so that a mailbox that gets it twice can tell.
func (s *Signer) messageID(name, domain string) string {
	return hex.EncodeToString(s.mac("message", []byte(name))) + "@" + domain
}

// UnsubscribePath is where the signed link leads to; the token follows.
const UnsubscribePath = "/unsubscribe/"

// dashboard is the address of a website's dashboard that shows the period and, if there is one, one value of a dimension.
func (r *Report) dashboard(base, dimension, value string) string {
	q := "from=" + r.Period.From.String() + "&to=" + (r.Period.To - 1).String()
	const longest = 300 // of a value in a link
	if dimension != "" && len(value) <= longest {
		q += "&is=" + url.QueryEscape(dimension+":"+value)
	}
	return base + "/" + url.PathEscape(r.Domain) + "?" + q
}
