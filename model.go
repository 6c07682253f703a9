package callwright

import (
	"context"
	"iter"

	"github.com/callwright/callwright/caps"
)

// A Model answers requests, either with a complete response or with a stream of events. Both methods are safe for
// concurrent use and do not modify the request. Their errors are *Error. An error is the last value of a stream.
// Leaving the loop over a stream releases its resources.
type Model interface {
	Generate(ctx context.Context, req *Request) (*Response, error)
	Stream(ctx context.Context, req *Request) iter.Seq2[Event, error]
}

// A Describer is a Model that knows its capabilities. Caps is called once for each request and must not wait for the
// network.
type Describer interface {
	Caps(ctx context.Context) caps.Caps
}

// An Identifier is a Model that knows its ModelID.
type Identifier interface {
	ID() ModelID
}

// A Previewer is a Model that can encode a request without sending it.
type Previewer interface {
	Preview(ctx context.Context, req *Request) (Preview, error)
}

// A Preview is an encoded HTTP request that was not sent: its method, its URL without credentials, its body, and the
// notes of the encoder.
type Preview struct {
	Method string
	URL    string
	Body   []byte
	Notes  []Note
}

// A Counter is a Model whose provider can count the tokens of a request. body is a count request in the format of the
// API wire. The result is the provider's response body, unchanged. If the model cannot count tokens for that API, the
// error is KindUnsupported. CountTokens is safe for concurrent use.
type Counter interface {
	CountTokens(ctx context.Context, wire WireName, body []byte) ([]byte, error)
}
