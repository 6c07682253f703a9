package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Codec translates between the Chat Completions API and the types of package callwright. The zero Codec is ready for
// use. It has no state and is safe for concurrent use.
type Codec struct{}

var (
	_ wire.Codec            = Codec{}
	_ wire.RequestAppender  = Codec{}
	_ wire.ResponseAppender = Codec{}
)

// Name returns callwright.WireOpenAI.
func (Codec) Name() callwright.WireName { return callwright.WireOpenAI }

// Target returns the path /chat/completions, relative to the provider's base URL, and no query. It is the same for
// every model, streamed or not.
func (Codec) Target(string, bool) (path, query string) { return "/chat/completions", "" }

// StreamsJSONLines returns false: streams of this API are server-sent events, not lines of JSON.
func (Codec) StreamsJSONLines() bool { return false }

// NewStreamDecoder returns a decoder for one streamed response of a provider.
func (Codec) NewStreamDecoder() wire.StreamDecoder { return &streamDecoder{} }

// NewStreamEncoder returns an encoder for the streamed response to req.
func (Codec) NewStreamEncoder(req *callwright.Request) wire.StreamEncoder { return newEncoder(req) }

// origin is the Origin of opaque state (such as reasoning signatures) that was received over this API. Such state may
// be sent only to a provider of this API.
var origin = callwright.Origin{Wire: callwright.WireOpenAI}

const opDecode = "openai.decode"

// invalid returns an error of KindInvalid about a client's request. path is a JSON pointer into its body.
func invalid(path, message string) *callwright.Error {
	return kit.Invalid(opDecode, path, message)
}

// kindError returns the error "expected WANT, got ..." about a value of a request that has the wrong JSON type. path is
// a JSON pointer into the body, got the value.
func kindError(path, want string, got []byte) *callwright.Error {
	return invalid(path, "expected "+want+", got "+kit.KindOf(got))
}
