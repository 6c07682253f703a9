package signature

import (
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Call names one call of a model's: whose conversation it is in, empty where there is but one owner, the model as
// "provider/name", the id that the client was given, and the tool.
type Call struct{ Owner, Model, ID, Tool string }

// WithoutID names all calls with these arguments, whatever their ids: clients that hand back no ids have nothing else.
func (c Call) WithoutID(arguments Digest) Call {
	c.ID = "=" + string(arguments[:])
	return c
}

// A State is the opaque state that has to return with one call.
type State struct {
	Arguments Digest
	Place     Place
	Signature string // the signature of the call itself
	Wire      string // the wire over which the signature came
	Thoughts  []Thought
}

// A Thought is a stretch of reasoning with its opaque state.
type Thought struct {
	Text      string
	Signature string
	Redacted  string
	ID        string
	Wire      string // the wire over which it came
	Extra     string // further members, as JSON text; empty without
	ExtraWire string
	// At counts the bytes of visible text between the call before, or the beginning of the turn, and the thought.
	At int
	// AfterCall says that the thought followed the call, the last of its turn, instead of leading it.
	AfterCall bool
}

// Opaque reports whether the thought holds anything but text.
func (t *Thought) Opaque() bool {
	return t.Signature != "" || t.Redacted != "" || t.ID != "" || t.Extra != ""
}

// Opaque reports whether anything but text has to return.
func (s *State) Opaque() bool {
	opaque := s.Signature != ""
	for i := range s.Thoughts {
		opaque = opaque || s.Thoughts[i].Opaque()
	}
	return opaque
}

// Size is about how many bytes the state takes. It counts against the bounds of a Memory.
func (s *State) Size() int {
	n := 128 + len(s.Signature) + len(s.Wire) + len(s.Place.Opening)*len(Digest{}) + len(s.Place.Before)*len(Digest{})
	for i := range s.Thoughts {
		t := &s.Thoughts[i]
		n += 160 + len(t.Text) + len(t.Signature) + len(t.Redacted) + len(t.ID) + len(t.Wire) + len(t.Extra) + len(t.ExtraWire)
	}
	return n
}

// clone is a copy that keeps nothing else alive: texts of an answer may be pieces of its bytes.
func (c Call) clone() Call {
	together(&c.Owner, &c.Model, &c.ID, &c.Tool)
	return c
}

// clone is a copy like that of a Call.
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

// together copies texts into one piece of memory, which the collector of garbage visits once for all of them.
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

// A Digest is the SHA-256 of a text, cut to 16 bytes.
type Digest [16]byte

// DigestOf is the digest of a text as it is.
func DigestOf(text string) Digest {
	sum := sha256.Sum256([]byte(text))
	return Digest(sum[:])
}

// DigestArguments is the digest of a JSON value: clients read arguments and write them again with other white space. A
// text that is no JSON is digested as it is, but for white space around it.
func DigestArguments(args []byte) Digest {
	if jsonx.Valid(args) != nil {
		return DigestOf(strings.TrimSpace(string(args)))
	}
	sum := sha256.Sum256(jsonx.Canonical(nil, args))
	return Digest(sum[:])
}
