package gateway

import (
	"crypto/sha256"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/archive"
)

// keyHeaders are the headers in which the SDKs of the supported APIs send their key, in canonical form. A client may
// send a key of its vendor in one and a key of the gateway in another.
var keyHeaders = []string{"X-Api-Key", "Authorization", "X-Goog-Api-Key", "Api-Key"}

// keyParam is the query parameter in which clients of Gemini may send their key. Queries are never logged.
const keyParam = "key"

// presentedKeys yields each API key in the headers and in the query of a request.
func presentedKeys(r *http.Request) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, name := range keyHeaders {
			if list := r.Header[name]; len(list) > 0 {
				if v := withoutScheme(list[0]); v != "" && !yield(v) {
					return
				}
			}
		}
		if r.URL.RawQuery != "" {
			if v := r.URL.Query().Get(keyParam); v != "" {
				yield(v)
			}
		}
	}
}

// scheme is the prefix of a bearer token in the Authorization header, in any case (RFC 9110, section 11.1).
const scheme = "Bearer "

// withoutScheme returns v without the prefix "Bearer ".
func withoutScheme(v string) string {
	if len(v) >= len(scheme) && strings.EqualFold(v[:len(scheme)], scheme) {
		return strings.TrimLeft(v[len(scheme):], " ")
	}
	return v
}

// drainPause is the Retry-After time of requests rejected during shutdown. Another gateway process, or the restarted
// one, should accept requests by then.
const drainPause = 2 * time.Second

// admit returns the caller of a request, or an error if the server is draining or no key is valid.
func (s *Server) admit(r *http.Request) (*access.Caller, error) {
	if s.draining.Load() {
		return nil, &callwright.Error{Kind: callwright.KindDraining, Message: "the gateway is shutting down", RetryAfter: drainPause}
	}
	return s.authenticate(r)
}

// authenticate returns the caller of the first valid key in a request. It ignores whether the server is draining.
func (s *Server) authenticate(r *http.Request) (*access.Caller, error) {
	if s.access.Open() {
		return s.access.Anybody(), nil
	}
	var keys [][]byte
	for key := range presentedKeys(r) {
		keys = append(keys, []byte(key))
	}
	return s.access.Find(keys)
}

// newGate returns the default gate of a Server: each of the keys may do everything.
func newGate(keys []string) *access.Gate {
	var all []access.Key
	for i, k := range keys {
		if h := access.HashOf(k); !slices.ContainsFunc(all, func(o access.Key) bool { return o.Hash == h }) {
			all = append(all, access.NewUnlimitedKey("key "+strconv.Itoa(i+1), h))
		}
	}
	g, err := access.New(access.Config{Keys: all})
	if err != nil {
		panic("gateway: keys that are all different: " + err.Error())
	}
	return g
}

// An owner identifies a client without revealing its key. The zero owner is a client without a key.
type owner [sha256.Size]byte

// text returns the owner as a string of bytes, "" for the zero owner.
func (o owner) text() string {
	if o == (owner{}) {
		return ""
	}
	return string(o[:])
}

// owner returns the owner of data stored for a request. If the gateway requires no keys, it is a hash of the first key
// in the request, so that clients with different keys do not share data.
func (s *Server) owner(x *exchange, r *http.Request) owner {
	if !s.access.Open() {
		if x.caller != nil {
			return owner(x.caller.Owner)
		}
		return owner{}
	}
	for first := range presentedKeys(r) {
		return sha256.Sum256([]byte(first))
	}
	return owner{}
}

// reportOwner returns the owner of a stored report. It is "", which means everybody, if the gateway requires no keys.
func (s *Server) reportOwner(x *exchange, r *http.Request) archive.Owner {
	if s.access.Open() {
		return ""
	}
	return archive.Owner(s.owner(x, r).text())
}
