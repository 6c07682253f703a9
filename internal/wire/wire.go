// Package wire defines the codec of an HTTP API. Each wire has one codec to and from the vocabulary, in a package of
// its own below this one; nothing converts one API to another. A codec works in both directions: as a [Front] it speaks
// to clients of the gateway, as a [Back] to providers. The package also has the carriers in which opaque state of one
// wire travels through the clients of another ([Pack], [Unpack]).
//
// # Files of a codec
//
// The same file does the same job in all codecs. codec.go has the Codec, own.go writes JSON of the wire.
//
//   - A client's request is read by requestdecoder.go, outline.go, params.go, message.go and, for the objects of its
//     history, shape.go: the outline and the decoder are visitors of one walk by shapes.
//   - A request for a provider is written by requestencoder.go, settings.go and history.go.
//   - A provider's answer is read by responsedecoder.go (whole) and streamdecoder.go (streamed).
//   - An answer for a client is written by responseencoder.go (whole), streamencoder.go (streamed) and pass.go (which
//     of the provider's bytes stay).
//   - tool.go, usage.go, finish.go and errors.go serve both directions.
//
// Package wire/internal/kit has the code that codecs share: the index of a body, patches, streams that keep their
// bytes, ids, graded notes. CONTRIBUTING.md has the steps to add a wire.
package wire

import (
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire/turnmemo"
	"github.com/callwright/callwright/sse"
)

// A Codec translates between one HTTP API and the vocabulary. Codecs have no state and are safe for concurrent use; the
// stream coders they make serve one stream each.
type Codec interface {
	Name() callwright.WireName
	Front
	Back
}

// A Front speaks to clients.
type Front interface {
	// DecodeRequest indexes the body, which it keeps and which must not be changed afterwards, and decodes its small
	// members. Errors are *callwright.Error of KindInvalid with the place.
	DecodeRequest(body []byte) (*callwright.Request, error)
	// EncodeResponse returns the Raw bytes of the answer where it has Raw of this wire, otherwise an encoding of its
	// parts. req is the client's request, for wires whose answers name tools otherwise than the vocabulary or repeat
	// settings; nil where there is none.
	EncodeResponse(req *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error)
	NewStreamEncoder(req *callwright.Request) StreamEncoder
	// EncodeError is the error in the client's shape: status, further headers (may be nil) and body.
	EncodeError(err *callwright.Error) (status int, header http.Header, body []byte)
}

// A Back speaks to providers.
type Back interface {
	// EncodeRequest writes the request for a receiver with these caps. name is the model's name at the provider. A
	// request whose Body is of this wire keeps its bytes but for what differs; where nothing does, the bytes are the
	// body's own and must not be changed.
	EncodeRequest(req *callwright.Request, name string, c caps.Caps) ([]byte, []callwright.Note, error)
	// DecodeResponse reads a whole answer with a 2xx status. An error inside a 200 is returned as *callwright.Error.
	DecodeResponse(body []byte) (*callwright.Response, error)
	NewStreamDecoder() StreamDecoder
	// DecodeError reads an answer with another status. It never returns nil.
	DecodeError(status int, header http.Header, body []byte) *callwright.Error
	// Target is the path below a provider's base URL and the query, for a whole or a streamed answer.
	Target(name string, stream bool) (path, query string)
	// Lines reports whether streams are lines of JSON in place of server-sent events.
	Lines() bool
}

// A HistoryReader is a Front that does not read again the turns that an earlier request had.
type HistoryReader interface {
	// DecodeRequestWith is DecodeRequest for a request of an owner.
	DecodeRequestWith(histories turnmemo.Owner, body []byte) (*callwright.Request, error)
}

// A ResponseAppender is a Front that writes answers into memory it is given.
type ResponseAppender interface {
	// AppendResponse is EncodeResponse that writes into the memory of dst where that is enough. fresh reports whether
	// the bytes are the caller's alone, who may give their memory to a further answer; they are not where they are the
	// answer's Raw bytes.
	AppendResponse(dst []byte, req *callwright.Request, resp *callwright.Response) (body []byte, fresh bool,
		notes []callwright.Note, err error)
}

// A RequestAppender is a Back that writes requests into memory it is given.
type RequestAppender interface {
	// AppendRequest is EncodeRequest that writes into the memory of dst where that is enough. fresh reports whether the
	// bytes are the caller's alone, who may give their memory to a further request; they are not where they are those
	// of the request's body.
	AppendRequest(dst []byte, req *callwright.Request, name string, c caps.Caps) (body []byte, fresh bool, notes []callwright.Note, err error)
}

// A StreamDecoder reads one streamed answer. Feed returns the bytes of ev and the events they mean. Close is called
// after the last event and fails with KindTruncated when the answer had not come to its end mark. After a provider's
// error in the stream, Feed returns it as *callwright.Error beside the events before it, and the stream is over. The
// memory of a batch is valid until the next call.
type StreamDecoder interface {
	Feed(ev sse.Event) (callwright.Batch, error)
	Close() (callwright.Batch, error)
}

// An Ender is a StreamDecoder of an API without an end mark behind its finish reason. Ending reports whether the answer
// is complete unless further events follow: Close returns its end, and the caller decides how long to wait before.
type Ender interface{ Ending() bool }

// A StreamEncoder writes one streamed answer. Encode appends to dst the bytes of a batch: Raw where the batch came over
// the encoder's own API and can follow the bytes written so far, else an encoding of its events. KeepAlive appends a
// message without content that keeps a client waiting, also before the first batch. It says how far the request is in
// the place that the API has for such a thing: a comment, or a member of our own. Fail the API's own form of an error
// inside a stream.
type StreamEncoder interface {
	Encode(dst []byte, b callwright.Batch) []byte
	KeepAlive(dst []byte, now progress.Snapshot) []byte
	Fail(dst []byte, err *callwright.Error) []byte
	ContentType() string
}
