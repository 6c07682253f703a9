package ollama

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Codec translates between Ollama's chat API and the types of package callwright. The zero Codec is ready for use. It
// has no state and is safe for concurrent use.
type Codec struct{}

var (
	_ wire.Codec            = Codec{}
	_ wire.RequestAppender  = Codec{}
	_ wire.ResponseAppender = Codec{}
)

// Name returns callwright.WireOllama.
func (Codec) Name() callwright.WireName { return callwright.WireOllama }

// Target returns the path /api/chat, relative to the provider's base URL, and no query. It is the same for every model,
// streamed or not.
func (Codec) Target(string, bool) (path, query string) { return "/api/chat", "" }

// StreamsJSONLines returns true: streams of this API are lines of JSON, not server-sent events.
func (Codec) StreamsJSONLines() bool { return true }

// NewStreamDecoder returns a decoder for one streamed response of a provider.
func (Codec) NewStreamDecoder() wire.StreamDecoder { return &streamDecoder{} }

// NewStreamEncoder returns an encoder for the streamed response to req.
func (Codec) NewStreamEncoder(req *callwright.Request) wire.StreamEncoder {
	return newStreamEncoder(req)
}

// origin is the Origin of content that was received over this API.
var origin = callwright.Origin{Wire: callwright.WireOllama}

const (
	opDecode   = "ollama.decode"
	opEncode   = "ollama.encode"
	opProvider = "ollama.provider"
)

// invalid returns an error of KindInvalid about a client's request. path is a JSON pointer into its body.
func invalid(path, message string) *callwright.Error {
	return kit.Invalid(opDecode, path, message)
}

// kindError returns the error "expected WANT, got ..." about a value of a request that has the wrong JSON type. path is
// a JSON pointer into the body, got the value.
func kindError(path, want string, got []byte) *callwright.Error {
	return invalid(path, "expected "+want+", got "+kit.KindOf(got))
}
