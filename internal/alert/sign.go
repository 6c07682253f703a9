package alert

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
)

// Of the secret of a signature, by Standard Webhooks: base64 behind a prefix, of 24 to 64 bytes.
const (
	secretPrefix = "whsec_"
	leastSecret  = 24
	mostSecret   = 64
)

// A Secret signs messages. It does not show itself when it is printed.
type Secret struct{ key *[]byte }

// ParseSecret reads a secret as whsec_BASE64. The error is of KindInvalid and does not quote it.
func ParseSecret(text string) (Secret, error) {
	encoded, ok := strings.CutPrefix(text, secretPrefix)
	if !ok {
		return Secret{}, callwright.Errorf("alert.secret", callwright.KindInvalid, "",
			"expected whsec_ and then 24 to 64 bytes in base64: make one with echo whsec_$(openssl rand -base64 32)")
	}
	key, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(key) < leastSecret || len(key) > mostSecret {
		return Secret{}, callwright.Errorf("alert.secret", callwright.KindInvalid, "",
			"expected 24 to 64 bytes in base64 behind whsec_: make one with echo whsec_$(openssl rand -base64 32)")
	}
	return Secret{&key}, nil
}

// IsZero reports whether there is no secret.
func (s Secret) IsZero() bool { return s.key == nil }

// String returns "[redacted]", or "" for no secret.
func (s Secret) String() string {
	if s.IsZero() {
		return ""
	}
	return "[redacted]"
}

// sign returns the signature of a message:
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme. seconds
// is the time of the attempt.
func (s Secret) sign(id string, seconds int64, body []byte) string {
	mac := hmac.New(sha256.New, *s.key)
	mac.Write([]byte(id + "." + strconv.FormatInt(seconds, 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
