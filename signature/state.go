package signature

import (
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Call identifies one tool call of a model. Owner is the owner of the conversation, "" if the program has only one.
// Model is "provider/name". ID is the call ID that the client received. Tool is the tool's name.
type Call struct{ Owner, Model, ID, Tool string }

// WithoutID returns c with an ID that is derived from the arguments. It identifies all calls of the tool with these
// arguments, for clients that send back no IDs.
func (c Call) WithoutID(arguments Digest) Call {
	c.ID = "=" + string(arguments[:])
	return c
}

// A State is the opaque state that must be sent back with one call.
type State struct {
	Arguments Digest
	Place     Place
	Signature string // signature of the call itself
	Wire      string // API from which Signature came
	Thoughts  []Thought
}

// A Thought is one reasoning part with its opaque state.
type Thought struct {
	Text      string
	Signature string
	Redacted  string
	ID        string
	Wire      string // API from which the thought came
	Extra     string // further members as a JSON object, "" if none
	ExtraWire string
	// At is the number of bytes of visible text before the thought, counted from the previous call or the beginning of
	// the turn.
	At int
	// AfterCall reports that the thought follows the last call of its turn. Otherwise it precedes the call.
	AfterCall bool
}

// Opaque reports whether the thought has anything besides text.
func (t *Thought) Opaque() bool {
	return t.Signature != "" || t.Redacted != "" || t.ID != "" || t.Extra != ""
}

// Opaque reports whether the state has anything besides reasoning text.
func (s *State) Opaque() bool {
	opaque := s.Signature != ""
	for i := range s.Thoughts {
		opaque = opaque || s.Thoughts[i].Opaque()
	}
	return opaque
}

// Size returns the estimated memory of the state in bytes, for Limits.Bytes.
func (s *State) Size() int {
	n := 128 + len(s.Signature) + len(s.Wire) + len(s.Place.Opening)*len(Digest{}) + len(s.Place.Before)*len(Digest{})
	for i := range s.Thoughts {
		t := &s.Thoughts[i]
		n += 160 + len(t.Text) + len(t.Signature) + len(t.Redacted) + len(t.ID) + len(t.Wire) + len(t.Extra) + len(t.ExtraWire)
	}
	return n
}

// clone returns a copy that does not share strings with c. A substring would keep a whole response in memory.
func (c Call) clone() Call {
	together(&c.Owner, &c.Model, &c.ID, &c.Tool)
	return c
}

// clone returns a deep copy that does not share strings with s.
func (s *State) clone() State {
	out := *s
	out.Thoughts = slices.Clone(s.Thoughts)
	texts := make([]*string, 0, 2+7*len(s.Thoughts))
	texts = append(texts, &out.Signature, &out.Wire)
	for i := range out.Thoughts {
		t := &out.Thoughts[i]
		texts = append(texts, &t.Text, &t.Signature, &t.Redacted, &t.ID, &t.Wire, &t.Extra, &t.ExtraWire)
	}
	together(texts...)
	return out
}

// together replaces the strings by copies in one allocation, which costs the garbage collector less than many.
func together(texts ...*string) {
	n := 0
	for _, text := range texts {
		n += len(*text)
	}
	var all strings.Builder
	all.Grow(n)
	for _, text := range texts {
		at := all.Len()
		all.WriteString(*text)
		*text = all.String()[at:]
	}
}

// A Digest is the first 16 bytes of the SHA-256 of a text.
type Digest [16]byte

// DigestOf returns the digest of the text.
func DigestOf(text string) Digest {
	sum := sha256.Sum256([]byte(text))
	return Digest(sum[:])
}

// DigestArguments returns the digest of a JSON value in canonical form, so that white space does not matter: clients
// decode arguments and encode them again. For invalid JSON it is the digest of the text without surrounding white
// space.
func DigestArguments(args []byte) Digest {
	if jsonx.Valid(args) != nil {
		return DigestOf(strings.TrimSpace(string(args)))
	}
	sum := sha256.Sum256(jsonx.Canonical(nil, args))
	return Digest(sum[:])
}
