package responses

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Codec is the codec of the Responses API. The zero Codec is ready; it has no state and is safe for concurrent use.
type Codec struct{}

var (
	_ wire.Codec     = Codec{}
	_ wire.Continuer = Codec{}
	_ wire.Compactor = Codec{}
)

// Name is callwright.WireResponses.
func (Codec) Name() callwright.WireName { return callwright.WireResponses }

// Target is /responses below the base URL for every model, whole and streamed.
func (Codec) Target(string, bool) (path, query string) { return "/responses", "" }

// Lines is false: streams are server-sent events.
func (Codec) Lines() bool { return false }

// NewStreamDecoder makes a decoder for one streamed answer.
func (Codec) NewStreamDecoder() wire.StreamDecoder { return &streamDecoder{} }

// NewStreamEncoder makes an encoder for one streamed answer to req.
func (Codec) NewStreamEncoder(req *callwright.Request) wire.StreamEncoder { return newEncoder(req) }

const opDecode = "responses.decode"

// origin is where opaque state that came over this wire may return to.
var origin = callwright.Origin{Wire: callwright.WireResponses}

// invalid is the error about a client's request.
func invalid(path, message string) *callwright.Error {
	return kit.Invalid(opDecode, path, message)
}

// kindError is the error about a value of the wrong kind.
func kindError(path, want string, got []byte) *callwright.Error {
	return invalid(path, "expected "+want+", got "+kit.KindOf(got))
}
