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

// keyHeaders are where the SDKs of the wires put their key, in their canonical form. Clients with a key for their
// vendor send that one too.
var keyHeaders = []string{"X-Api-Key", "Authorization", "X-Goog-Api-Key", "Api-Key"}

// keyParam is the parameter of the query in which Gemini's clients may put it. Queries are never logged.
const keyParam = "key"

// presentedKeys yields the keys that a request presents, in the headers and in the query.
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

// scheme is the word before a bearer token, in any case (RFC 9110, section 11.1).
const scheme = "Bearer "

// withoutScheme returns a key without its scheme.
func withoutScheme(v string) string {
	if len(v) >= len(scheme) && strings.EqualFold(v[:len(scheme)], scheme) {
		return strings.TrimLeft(v[len(scheme):], " ")
	}
	return v
}

// drainPause is when a client that came while the gateway shuts down may try again: another is there by then, or the
// next.
const drainPause = 2 * time.Second

// admit returns the caller of a request, or an error while the server drains.
func (s *Server) admit(r *http.Request) (*access.Caller, error) {
	if s.draining.Load() {
		return nil, &callwright.Error{Kind: callwright.KindDraining, Message: "the gateway is shutting down", RetryAfter: drainPause}
	}
	return s.authenticate(r)
}

// authenticate returns the caller whose keys a request presents, whether or not the server takes new ones.
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

// newGate returns the gate of a Server whose Config has none: it lets in whoever has one of the keys, for everything.
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

// An owner stands for the one who asks, without being their key.
type owner [sha256.Size]byte

// text is the owner as it goes with a request, empty for who presents no key.
func (o owner) text() string {
	if o == (owner{}) {
		return ""
	}
	return string(o[:])
}

// owner returns the owner of the data kept for a request. A gateway without keys uses the first key that is presented:
// clients with different keys do not share data there either.
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

// reportOwner returns for whom a report is kept: the owner of the key, and everybody where there are no keys.
func (s *Server) reportOwner(x *exchange, r *http.Request) archive.Owner {
	if s.access.Open() {
		return ""
	}
	return archive.Owner(s.owner(x, r).text())
}
