package callwright

import (
	"context"
	"iter"

	"github.com/callwright/callwright/caps"
)

// A Model answers requests. Both methods are safe for concurrent use and leave the request as it is. Errors are *Error.
// Stopping the loop over Stream frees everything that the stream holds; after an error the stream is over.
type Model interface {
	Generate(ctx context.Context, req *Request) (*Response, error)
	Stream(ctx context.Context, req *Request) iter.Seq2[Event, error]
}

// A Describer is a Model that knows its capabilities. Caps is called once a request and must be quick: facts that have
// to be fetched are fetched elsewhere.
type Describer interface {
	Caps(ctx context.Context) caps.Caps
}

// An Identifier is a Model that has a name.
type Identifier interface {
	ID() ModelID
}

// A Previewer is a Model that shows a request without sending it: its bytes after encoding.
type Previewer interface {
	Preview(ctx context.Context, req *Request) (Preview, error)
}

// A Preview is an encoded request: where it goes, without credentials, and its body.
type Preview struct {
	Method string
	URL    string
	Body   []byte
	Notes  []Note
}

// A Counter is a Model whose provider counts tokens. body is the request of a client of wire for a count, and the
// answer is the provider's own, as it came. A model that cannot count, or not for that API, fails with KindUnsupported.
// It is safe for concurrent use.
type Counter interface {
	CountTokens(ctx context.Context, wire WireName, body []byte) ([]byte, error)
}
