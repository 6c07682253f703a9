package archive

import (
	"context"
	"encoding/base64"
	"errors"

	"github.com/callwright/callwright/internal/jsonx"
)

// An Owner is the owner of a kept answer or report: any bytes, such as a digest of the key that was presented, and none
// where all clients are one. In JSON it is base64.
type Owner string

// MarshalText gives an owner as base64.
func (o Owner) MarshalText() ([]byte, error) {
	return base64.RawURLEncoding.AppendEncode(nil, []byte(o)), nil
}

// UnmarshalText reads the result of MarshalText.
func (o *Owner) UnmarshalText(text []byte) error {
	raw, err := base64.RawURLEncoding.AppendDecode(nil, text)
	*o = Owner(raw)
	return err
}

// A Key names a kept answer or report: its owner, and the id that the client was given, which is any text.
type Key struct {
	Owner Owner
	ID    string
}

// Answers keeps answers for later requests that continue them, each with the whole conversation up to it. The gateway
// calls Keep once for an answer before the client sees its end, Conversation once for a request that continues one, the
// others when a client asks. All are called by many goroutines.
//
// An answer for which Keep has returned nil is kept, on every machine that shares the store, until it is too old, is
// deleted or makes room for newer ones. Find and Conversation return it whole or not at all: an answer has its whole
// conversation for as long as it is kept itself, also when the answers before it were removed. Neither the caller nor
// the implementation writes to bytes that were handed over.
type Answers interface {
	// Keep keeps an answer, in place of an earlier one of the same key. It fails with ErrLater where the answer is in
	// the memory of this process alone: it is found here meanwhile, and everywhere once it is written.
	Keep(ctx context.Context, k Key, a Answer) error
	// Find returns the body of an answer.
	Find(ctx context.Context, k Key) ([]byte, error)
	// Conversation returns the last turn of the conversation that an answer ends.
	Conversation(ctx context.Context, k Key) (*Turn, error)
	// Delete drops an answer. Those that went on from it stay whole. It fails with KindNotFound where there is none.
	Delete(ctx context.Context, k Key) error
}

// ErrLater says that a store has something in memory that it could not write, and writes it as soon as it can.
var ErrLater = errors.New("it is written later")

// An Answer is the kept form of one answer.
type Answer struct {
	Body []byte // as the client got it
	Turn *Turn  // the last of the conversation that it ends
}

// A Turn is the part of a conversation that one request and its answer add. The conversations that continue one answer
// share its turns: an implementation keeps each of them once, so that a conversation costs its own length and not, for
// each of its answers, the length of all before. Each is followed by its own Before to the beginning.
//
// A caller makes a Turn for an answer it keeps. Those before it are as Conversation gave them, out of the same store.
// Where a store has lost one of these meanwhile it keeps it again. A Turn does not change once it was kept.
type Turn struct {
	Before *Turn  // nil for the first
	Items  []byte // a JSON list: what was asked and what was answered, in the form of the client's API
	// Ref is the name by which a store knows the turn, empty for one that it has not kept yet. It alone reads and
	// writes it.
	Ref string

	// Of MemoryAnswers, under its lock.
	users int // the answers that it is the last turn of, and the turns behind it
	bytes int // of it and those before it
}

// Len counts the turns of a conversation; t may be nil.
func (t *Turn) Len() int {
	n := 0
	for ; t != nil; t = t.Before {
		n++
	}
	return n
}

// Conversation is the whole conversation as one JSON list; t may be nil.
func (t *Turn) Conversation() []byte {
	var turns []*Turn
	size := len("[]")
	for ; t != nil; t = t.Before {
		turns = append(turns, t)
		size += len(t.Items)
	}
	out := append(make([]byte, 0, size), '[')
	for i := len(turns) - 1; i >= 0; i-- {
		in := jsonx.Trim(turns[i].Items)
		if in = jsonx.Trim(in[1 : len(in)-1]); len(in) == 0 {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, in...)
	}
	return append(out, ']')
}
