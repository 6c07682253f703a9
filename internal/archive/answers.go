package archive

import (
	"context"
	"encoding/base64"
	"errors"

	"github.com/callwright/callwright/internal/jsonx"
)

// An Owner identifies the owner of stored data by any bytes, such as a hash of an API key. It is empty if all clients
// share the data. In JSON it is base64.
type Owner string

// MarshalText returns the owner as base64.
func (o Owner) MarshalText() ([]byte, error) {
	return base64.RawURLEncoding.AppendEncode(nil, []byte(o)), nil
}

// UnmarshalText decodes the result of MarshalText.
func (o *Owner) UnmarshalText(text []byte) error {
	raw, err := base64.RawURLEncoding.AppendDecode(nil, text)
	*o = Owner(raw)
	return err
}

// A Key identifies a stored answer or report by its owner and the id given to the client. The id may be any text.
type Key struct {
	Owner Owner
	ID    string
}

// Answers stores model responses that later requests can continue, each with the conversation up to it. The gateway
// calls Keep once per response before the client receives its end, and Conversation once per request that continues a
// response. It calls the other methods for requests of clients. All methods are called concurrently.
//
// After Keep has returned nil, the response is stored on all machines that share the store until it expires, is
// deleted, or is removed to free space for newer ones. Find and Conversation return it completely or not at all. Its
// conversation is complete as long as the response is stored, even if earlier responses were removed. Neither the
// caller nor the implementation modifies passed bytes.
type Answers interface {
	// Keep stores an answer and replaces an earlier one with the same key. The error ErrLater means that the answer is
	// only in the memory of this process so far. This process finds it, and others find it when it is written.
	Keep(ctx context.Context, k Key, a Answer) error
	// Find returns the body of an answer.
	Find(ctx context.Context, k Key) ([]byte, error)
	// Conversation returns the last turn of the conversation that ends with an answer.
	Conversation(ctx context.Context, k Key) (*Turn, error)
	// Delete deletes an answer. Answers that continue it stay complete. If it is missing, the error is of KindNotFound.
	Delete(ctx context.Context, k Key) error
}

// ErrLater is returned if a store could not write data, keeps it in memory and writes it as soon as possible.
var ErrLater = errors.New("it is written later")

// An Answer is a stored response with its conversation.
type Answer struct {
	Body []byte // the response body as the client received it
	Turn *Turn  // last turn of the conversation that ends with the response
}

// A Turn is the part of a conversation added by one request and its response. Before links it to the previous turn.
// Conversations that continue the same response share its turns. An implementation stores each turn once, so that a
// conversation needs space for its own length and not, for each response, the length of all earlier turns.
//
// The caller creates the Turn of a new response. Its earlier turns come from Conversation of the same store. If the
// store has lost one of them meanwhile, it stores it again. A Turn must not change after it was stored.
type Turn struct {
	Before *Turn  // nil for the first turn
	Items  []byte // JSON list of the request's new items and the response, in the format of the client's API
	// Ref is the store's name of the turn, "" before it is stored. Only the store uses it.
	Ref string

	// The following fields are protected by the lock of MemoryAnswers.
	users int // number of answers with this last turn, and of following turns
	bytes int // total size of this and the earlier turns
}

// Len returns the number of turns of a conversation. t may be nil.
func (t *Turn) Len() int {
	n := 0
	for ; t != nil; t = t.Before {
		n++
	}
	return n
}

// Conversation returns the items of all turns as one JSON list. t may be nil.
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
