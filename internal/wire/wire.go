// Package wire defines the interfaces of a codec. A codec translates between one HTTP API, such as OpenAI's Chat
// Completions, and the request and response types of package callwright. "Wire" is the project's word for such an API.
// Each wire has one codec, in a package below this one. No code translates one API directly to another.
//
// A codec works in both directions. As a [Front] it decodes requests of the gateway's clients and encodes their
// responses. As a [Back] it encodes requests to providers and decodes their responses. [Pack] and [Unpack] handle
// carriers: strings in which opaque state of one wire travels through clients of another.
//
// # Files of a codec
//
// The same file name has the same task in every codec. codec.go defines the Codec type. own.go writes the wire's JSON.
//
//   - Decode a client's request: requestdecoder.go, outline.go, params.go, message.go and shape.go. The outline (a
//     summary of the history) and the decoder are visitors of one walk over the JSON. Tables in shape.go drive the
//     walk.
//   - Encode a request to a provider: requestencoder.go, settings.go and history.go.
//   - Decode a provider's response: responsedecoder.go (whole) and streamdecoder.go (streamed).
//   - Encode a response for a client: responseencoder.go (whole), streamencoder.go (streamed) and pass.go, which
//     decides which bytes of the provider are forwarded unchanged.
//   - Both directions use tool.go, usage.go, finish.go and errors.go.
//
// Package wire/internal/kit has the code that the codecs share, such as the index of a request body, JSON patches and
// call ids. CONTRIBUTING.md has the steps to add a wire.
package wire

import (
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire/turnmemo"
	"github.com/callwright/callwright/sse"
)

// A Codec translates between one HTTP API and the types of package callwright. Codecs are stateless and safe for
// concurrent use. Each stream encoder or decoder that a Codec creates serves one stream.
type Codec interface {
	Name() callwright.WireName
	Front
	Back
}

// A Front decodes requests from clients of the gateway and encodes responses for them.
type Front interface {
	// DecodeRequest indexes a request body and decodes its small members. Messages and tools are decoded on first use. The
	// request keeps body, so the caller must not change the bytes afterwards. Errors are *callwright.Error of KindInvalid
	// with the JSON pointer to the fault.
	DecodeRequest(body []byte) (*callwright.Request, error)
	// EncodeResponse returns resp as a body of this API: resp.Raw if that is a body of this API, otherwise an encoding of
	// the parts of resp. req is the client's request, nil if there is none. Some APIs repeat its settings or its tool
	// names in a response. The notes list the parts that the API cannot express.
	EncodeResponse(req *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error)
	// NewStreamEncoder returns an encoder for one streamed response. req is as for EncodeResponse.
	NewStreamEncoder(req *callwright.Request) StreamEncoder
	// EncodeError encodes err as an error response of this API. header has additional headers and may be nil.
	EncodeError(err *callwright.Error) (status int, header http.Header, body []byte)
}

// A Back encodes requests to providers and decodes their responses.
type Back interface {
	// EncodeRequest encodes req for a model with the capabilities c. name is the model's name at the provider. If
	// req.Attached holds a body of this API, the result keeps all bytes of the body except for changed members. If nothing
	// changed, the result is the body itself, and the caller must not modify it.
	EncodeRequest(req *callwright.Request, name string, c caps.Caps) ([]byte, []callwright.Note, error)
	// DecodeResponse decodes the whole body of a response with a 2xx status. An error object in such a body is returned as
	// *callwright.Error.
	DecodeResponse(body []byte) (*callwright.Response, error)
	// NewStreamDecoder returns a decoder for one streamed response.
	NewStreamDecoder() StreamDecoder
	// DecodeError decodes the body of a response whose status is not 2xx. It never returns nil.
	DecodeError(status int, header http.Header, body []byte) *callwright.Error
	// Target returns the path below a provider's base URL and the query for a request to the model name. Some APIs have
	// another path for streamed responses.
	Target(name string, stream bool) (path, query string)
	// StreamsJSONLines reports whether streams are lines of JSON rather than server-sent events.
	StreamsJSONLines() bool
}

// A HistoryReader is a Front that caches decoded conversation turns, so that a request that repeats earlier turns is
// read only from its first new turn on.
type HistoryReader interface {
	// DecodeRequestWith is DecodeRequest with the cached histories of one client.
	DecodeRequestWith(histories turnmemo.Owner, body []byte) (*callwright.Request, error)
}

// A ResponseAppender is a Front that can encode responses into a buffer of the caller.
type ResponseAppender interface {
	// AppendResponse is EncodeResponse that writes into the memory of dst if its capacity is sufficient. fresh reports
	// whether the caller may reuse the memory of body for another response. It is false if body is resp.Raw.
	AppendResponse(dst []byte, req *callwright.Request, resp *callwright.Response) (body []byte, fresh bool,
		notes []callwright.Note, err error)
}

// A RequestAppender is a Back that can encode requests into a buffer of the caller.
type RequestAppender interface {
	// AppendRequest is EncodeRequest that writes into the memory of dst if its capacity is sufficient. fresh reports
	// whether the caller may reuse the memory of body for another request. It is false if body shares memory with the
	// client's request body.
	AppendRequest(dst []byte, req *callwright.Request, name string, c caps.Caps) (body []byte, fresh bool, notes []callwright.Note, err error)
}

// A StreamDecoder decodes one streamed response. Feed decodes one event; the batch has the raw bytes of the event and
// the callwright events that it means. Close must be called after the last event. It fails with KindTruncated if the
// stream lacks the end marker of its API. If the provider sends an error within the stream, Feed returns the error as
// *callwright.Error together with the events before it, and the stream is over. The memory of a batch is valid until
// the next call.
type StreamDecoder interface {
	Feed(ev sse.Event) (callwright.Batch, error)
	Close() (callwright.Batch, error)
}

// An Ender is a StreamDecoder of an API in which optional events may follow the finish reason, without an end marker.
// Ending reports whether the response counts as complete if no more events arrive. The caller decides how long to wait
// for them before it calls Close, which returns the end.
type Ender interface{ Ending() bool }

// A StreamEncoder encodes one streamed response. All methods append to dst.
//
// Encode appends a batch. It appends the raw bytes of a batch of the encoder's own API if they can follow the bytes
// written so far, otherwise an encoding of the batch's events. KeepAlive appends a message without content that keeps
// the connection of a waiting client open, also before the first batch. The message reports the progress of the request
// in an SSE comment or in a member "callwright". Fail appends an error in the API's format for errors within a stream.
type StreamEncoder interface {
	Encode(dst []byte, b callwright.Batch) []byte
	KeepAlive(dst []byte, now progress.Snapshot) []byte
	Fail(dst []byte, err *callwright.Error) []byte
	ContentType() string
}
