package store

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// token returns a hash of a name, as hexadecimal digits, for use as a subject token.
func token(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:16])
}

// tokens returns the tokens of a subject without the prefix common to all messages of the stream.
func (st *stream) tokens(subject string) []string {
	rest, _ := strings.CutPrefix(subject, st.subject(wholes)+".")
	return strings.Split(rest, ".")
}
