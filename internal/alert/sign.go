package alert

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
)

// The format of a secret by Standard Webhooks: the prefix, then 24 to 64 bytes in base64.
const (
	secretPrefix = "whsec_"
	leastSecret  = 24
	mostSecret   = 64
)

// A Secret is the key of the signatures of messages. It formats as "[redacted]".
type Secret struct{ key *[]byte }

// ParseSecret parses a secret of the form whsec_BASE64. It returns an error of KindInvalid, which does not contain the
// secret.
func ParseSecret(text string) (Secret, error) {
	encoded, ok := strings.CutPrefix(text, secretPrefix)
	if !ok {
		return Secret{}, callwright.Errorf("alert.secret", callwright.KindInvalid, "",
			"expected whsec_ and 24 to 64 bytes in base64: create a secret with echo whsec_$(openssl rand -base64 32)")
	}
	key, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(key) < leastSecret || len(key) > mostSecret {
		return Secret{}, callwright.Errorf("alert.secret", callwright.KindInvalid, "",
			"expected 24 to 64 bytes in base64 after whsec_: create a secret with echo whsec_$(openssl rand -base64 32)")
	}
	return Secret{&key}, nil
}

// IsZero reports whether s is the zero Secret, which signs nothing.
func (s Secret) IsZero() bool { return s.key == nil }

// String returns "[redacted]", or "" for the zero Secret.
func (s Secret) String() string {
	if s.IsZero() {
		return ""
	}
	return "[redacted]"
}

// sign returns the signature of a message, "v1," and an HMAC-SHA256 in base64:
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme. seconds
// is the Unix time of the attempt.
func (s Secret) sign(id string, seconds int64, body []byte) string {
	mac := hmac.New(sha256.New, *s.key)
	mac.Write([]byte(id + "." + strconv.FormatInt(seconds, 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
