package store

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// token is a name as a part of a subject: a digest, which any name has and which tells nothing of it.
func token(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:16])
}

// tokens are those of a subject of the stream, without the tokens with which the subjects of all its messages begin.
func (st *stream) tokens(subject string) []string {
	rest, _ := strings.CutPrefix(subject, st.subject(wholes)+".")
	return strings.Split(rest, ".")
}
