package gemini

import (
	"net/url"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Codec translates between the Gemini API and the types of package callwright. The zero Codec is ready for use. It has
// no state and is safe for concurrent use.
type Codec struct {
	// Array makes the stream encoders write one JSON array in place of server-sent events.
	Array bool
}

var (
	_ wire.Codec            = Codec{}
	_ wire.Arrayer          = Codec{}
	_ wire.RequestAppender  = Codec{}
	_ wire.ResponseAppender = Codec{}
)

// Name returns callwright.WireGemini.
func (Codec) Name() callwright.WireName { return callwright.WireGemini }

// Arrays returns a codec that encodes a stream as one JSON array.
func (Codec) Arrays() wire.Codec { return Codec{Array: true} }

// Target returns the path and the query, relative to the provider's base URL, such as
// /v1beta/models/NAME:streamGenerateContent and alt=sse. The name is escaped, including its slashes.
func (Codec) Target(name string, stream bool) (path, query string) {
	path = "/v1beta/models/" + url.PathEscape(name)
	if stream {
		return path + ":streamGenerateContent", "alt=sse"
	}
	return path + ":generateContent", ""
}

// StreamsJSONLines returns false: streams of this API are server-sent events, not lines of JSON.
func (Codec) StreamsJSONLines() bool { return false }

// NewStreamDecoder returns a decoder for one streamed response of a provider.
func (Codec) NewStreamDecoder() wire.StreamDecoder { return &streamDecoder{} }

// NewStreamEncoder returns an encoder for the streamed response to req.
func (c Codec) NewStreamEncoder(req *callwright.Request) wire.StreamEncoder {
	return newStreamEncoder(req, c.Array)
}

// origin is the Origin of opaque state (thought signatures) that was received over this API. Such state may be sent
// only to a provider of this API.
var origin = callwright.Origin{Wire: callwright.WireGemini}

const (
	opDecode   = "gemini.decode"
	opEncode   = "gemini.encode"
	opProvider = "gemini.provider"
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
