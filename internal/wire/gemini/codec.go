package gemini

import (
	"net/url"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Codec is the codec of generateContent. The zero Codec is ready; it has no state and is safe for concurrent use.
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

// Name is callwright.WireGemini.
func (Codec) Name() callwright.WireName { return callwright.WireGemini }

// Arrays is the codec for clients that want a stream as one JSON array.
func (Codec) Arrays() wire.Codec { return Codec{Array: true} }

// Target is the path of the model's method. The name is escaped, its slashes too.
func (Codec) Target(name string, stream bool) (path, query string) {
	path = "/v1beta/models/" + url.PathEscape(name)
	if stream {
		return path + ":streamGenerateContent", "alt=sse"
	}
	return path + ":generateContent", ""
}

// Lines is false: streams are server-sent events.
func (Codec) Lines() bool { return false }

// NewStreamDecoder makes a decoder for one streamed answer.
func (Codec) NewStreamDecoder() wire.StreamDecoder { return &streamDecoder{} }

// NewStreamEncoder makes an encoder for one streamed answer to req.
func (c Codec) NewStreamEncoder(req *callwright.Request) wire.StreamEncoder {
	return newStreamEncoder(req, c.Array)
}

// origin is the origin of content that came over this API.
var origin = callwright.Origin{Wire: callwright.WireGemini}

const (
	opDecode   = "gemini.decode"
	opEncode   = "gemini.encode"
	opProvider = "gemini.provider"
)

// invalid is the error about a client's request.
func invalid(path, message string) *callwright.Error {
	return kit.Invalid(opDecode, path, message)
}

// kindError is the error about a value of the wrong kind.
func kindError(path, want string, got []byte) *callwright.Error {
	return invalid(path, "expected "+want+", got "+kit.KindOf(got))
}
