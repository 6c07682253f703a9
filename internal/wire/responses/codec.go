package responses

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Codec translates between the Responses API and callwright types. It has no state and is safe for concurrent use.
type Codec struct{}

var (
	_ wire.Codec     = Codec{}
	_ wire.Continuer = Codec{}
	_ wire.Compactor = Codec{}
)

// Name returns callwright.WireResponses.
func (Codec) Name() callwright.WireName { return callwright.WireResponses }

// Target returns the path /responses, relative to the provider's base URL, and no query. It ignores its arguments.
func (Codec) Target(string, bool) (path, query string) { return "/responses", "" }

// StreamsJSONLines returns false: streams of this API are server-sent events, not lines of JSON.
func (Codec) StreamsJSONLines() bool { return false }

// NewStreamDecoder returns a decoder for one streamed response of a provider.
func (Codec) NewStreamDecoder() wire.StreamDecoder { return &streamDecoder{} }

// NewStreamEncoder returns an encoder for the streamed response to req.
func (Codec) NewStreamEncoder(req *callwright.Request) wire.StreamEncoder { return newEncoder(req) }

const opDecode = "responses.decode"

// origin is the Origin of opaque state that was received over this API. Only a provider of this API may get such state.
var origin = callwright.Origin{Wire: callwright.WireResponses}

// invalid returns an error of KindInvalid about a client's request. path is a JSON pointer into its body.
func invalid(path, message string) *callwright.Error {
	return kit.Invalid(opDecode, path, message)
}

// kindError returns the error "expected WANT, got ..." about a value of a request that has the wrong JSON type. path is
// a JSON pointer into the body, got the value.
func kindError(path, want string, got []byte) *callwright.Error {
	return invalid(path, "expected "+want+", got "+kit.KindOf(got))
}
