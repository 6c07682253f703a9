package responses

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/internal/kit"
)

// Codec is the codec of the Responses API. The zero Codec is ready; it has no state and is safe for concurrent use.
type Codec struct{}

var (
	_ wire.Codec     = Codec{}
	_ wire.Continuer = Codec{}
)

// Name is callwright.WireResponses.
func (Codec) Name() callwright.WireName { return callwright.WireResponses }

// Target is /responses below the base URL for every model, whole and streamed.
func (Codec) Target(string, bool) (path, query string) { return "/responses", "" }

// Lines is false: streams are server-sent events.
func (Codec) Lines() bool { return false }

// NewStreamDecoder makes a decoder for one streamed answer.
func (Codec) NewStreamDecoder() wire.StreamDecoder { return &decoder{} }

// NewStreamEncoder makes an encoder for one streamed answer to req.
func (Codec) NewStreamEncoder(req *callwright.Request) wire.StreamEncoder { return newEncoder(req) }

const opDecode = "responses.decode"

// origin is where opaque state that came over this wire may return to.
var origin = callwright.Origin{Wire: callwright.WireResponses}

// invalid is the error about a client's request.
func invalid(path, message string) *callwright.Error {
	return kit.Invalid(opDecode, path, message)
}

// expected is the error about a value of the wrong kind.
func expected(path, want string, got []byte) *callwright.Error {
	return invalid(path, "expected "+want+", got "+kit.KindOf(got))
}

// writer appends JSON of this wire.
type writer struct{ kit.Writer }

func newWriter(dst []byte) writer {
	return writer{kit.Writer{Buf: dst, Own: callwright.WireResponses}}
}

// ownMember is a member of e, nil where e is of another wire or does not have it.
func ownMember(e callwright.Extra, key string) []byte {
	return kit.Member(e, callwright.WireResponses, key)
}

func extraOf(obj []byte, known []string, nested ...kit.Nest) callwright.Extra {
	return kit.ExtraOf(callwright.WireResponses, obj, known, nested...)
}

// keep is e, of this wire or empty, with one more member.
func keep(e callwright.Extra, key string, v []byte) callwright.Extra {
	return kit.Keep(e, callwright.WireResponses, key, v)
}

// textAt is the text of a member, "" where it has none.
func textAt(obj []byte, key string) string {
	v, _ := jsonx.Find(obj, key)
	return jsonx.Alias(v)
}
