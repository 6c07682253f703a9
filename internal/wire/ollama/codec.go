package ollama

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Codec is the codec of Ollama's chat API. The zero Codec is ready; it has no state and is safe for concurrent use.
type Codec struct{}

var (
	_ wire.Codec            = Codec{}
	_ wire.RequestAppender  = Codec{}
	_ wire.ResponseAppender = Codec{}
)

// Name is callwright.WireOllama.
func (Codec) Name() callwright.WireName { return callwright.WireOllama }

// Target is /api/chat below the base URL for every model, whole and streamed.
func (Codec) Target(string, bool) (path, query string) { return "/api/chat", "" }

// Lines is true: streams are lines of JSON.
func (Codec) Lines() bool { return true }

// NewStreamDecoder makes a decoder for one streamed answer.
func (Codec) NewStreamDecoder() wire.StreamDecoder { return &streamDecoder{} }

// NewStreamEncoder makes an encoder for one streamed answer to req.
func (Codec) NewStreamEncoder(req *callwright.Request) wire.StreamEncoder {
	return newStreamEncoder(req)
}

// origin is the origin of content that came over this API.
var origin = callwright.Origin{Wire: callwright.WireOllama}

const (
	opDecode   = "ollama.decode"
	opEncode   = "ollama.encode"
	opProvider = "ollama.provider"
)

// invalid is the error about a client's request.
func invalid(path, message string) *callwright.Error {
	return kit.Invalid(opDecode, path, message)
}

// kindError is the error about a value of the wrong kind.
func kindError(path, want string, got []byte) *callwright.Error {
	return invalid(path, "expected "+want+", got "+kit.KindOf(got))
}
