package gateway

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
	"time"

	"github.com/callwright/callwright"
)

// keyHeaders are where the SDKs of the wires put their key. Clients with a key for their vendor send that one too.
var keyHeaders = []string{"X-Api-Key", "Authorization", "X-Goog-Api-Key", "Api-Key"}

// keyParam is the parameter of the query in which Gemini's clients may put it. Queries are never logged.
const keyParam = "key"

// presented lists what the client shows as its key, wherever it stands.
func presented(r *http.Request) [][]byte {
	var out [][]byte
	for _, name := range keyHeaders {
		if v := bare(r.Header.Get(name)); v != "" {
			out = append(out, []byte(v))
		}
	}
	if r.URL.RawQuery != "" {
		if v := r.URL.Query().Get(keyParam); v != "" {
			out = append(out, []byte(v))
		}
	}
	return out
}

// scheme is what stands before a bearer token, in any case (RFC 9110, section 11.1).
const scheme = "Bearer "

// bare returns a key without its scheme.
func bare(v string) string {
	if len(v) >= len(scheme) && strings.EqualFold(v[:len(scheme)], scheme) {
		return strings.TrimLeft(v[len(scheme):], " ")
	}
	return v
}

// known returns the first of the keys presented that is one of the gateway's. The time it takes does not depend on which.
func (s *Server) known(keys [][]byte) []byte {
	found := -1
	for i := len(keys) - 1; i >= 0; i-- {
		hit := 0
		for _, k := range s.keys {
			hit |= subtle.ConstantTimeCompare(k, keys[i])
		}
		found = subtle.ConstantTimeSelect(hit, i, found)
	}
	if found < 0 {
		return nil
	}
	return keys[found]
}

// drainPause is when a client that came while the gateway shuts down may try again: another is there by then, or the next.
const drainPause = 2 * time.Second

func (s *Server) admit(r *http.Request) error {
	if s.draining.Load() {
		return &callwright.Error{Kind: callwright.KindDraining, Message: "the gateway is shutting down", RetryAfter: drainPause}
	}
	if len(s.keys) == 0 {
		return nil
	}
	keys := presented(r)
	switch {
	case len(keys) == 0:
		return &callwright.Error{Kind: callwright.KindAuth,
			Message: "this gateway asks for a key, and none was sent: send it as a bearer token, in x-api-key, in x-goog-api-key or in api-key"}
	case s.known(keys) == nil:
		return &callwright.Error{Kind: callwright.KindAuth, Message: "the key that was sent is not one of this gateway's keys"}
	}
	return nil
}

// An owner stands for the key that a client presents, without being it.
type owner [sha256.Size]byte

func (o owner) text() string { return string(o[:]) }

// owner returns the owner of the key that the client presents. A gateway without keys takes whatever is presented first:
// clients that do not know one another's word do not meet there either.
func (s *Server) owner(r *http.Request) owner {
	keys := presented(r)
	if len(s.keys) > 0 {
		return sha256.Sum256(s.known(keys))
	}
	if len(keys) == 0 {
		return owner{}
	}
	return sha256.Sum256(keys[0])
}

// reader returns for whom a report is kept: the owner of the key, and everybody where there are no keys.
func (s *Server) reader(r *http.Request) owner {
	if len(s.keys) == 0 {
		return owner{}
	}
	return s.owner(r)
}
