// Package eventstream converts responses in the event stream encoding of AWS into server-sent events.
//
// A message contains a prelude (its length, the length of its headers, a checksum), headers, a payload and a checksum
// of all preceding bytes (https://smithy.io/2.0/aws/amazon-eventstream.html). Amazon Bedrock sends the events of a
// model in base64 in the member bytes of the payload, and errors as messages of the type exception
// (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html).
package eventstream

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/sse"
)

// ContentType is the media type of the AWS event stream encoding.
const ContentType = "application/vnd.amazon.eventstream"

const (
	preludeSize = 12 // two lengths and a checksum
	sumSize     = 4
	bufferSize  = 16 << 10
)

var (
	errSum     = errors.New("event stream: a message has a wrong checksum")
	errMessage = errors.New("event stream: a message is not whole")
)

// A Reader converts an AWS event stream into server-sent events, as the model's own API would send them. It is not safe
// for concurrent use.
type Reader struct {
	src  io.Reader
	in   *bufio.Reader
	max  int
	buf  []byte // the last message
	out  []byte // converted events
	left []byte // the unread part of out
	err  error
}

// New returns a Reader of the messages in src. A message larger than max bytes is the error sse.ErrTooLong.
func New(src io.Reader, max int64) *Reader {
	return &Reader{src: src, in: bufio.NewReaderSize(src, bufferSize), max: int(min(max, 1<<30))}
}

// Wait waits until Read can return data, if the source supports that.
func (r *Reader) Wait() {
	if src, ok := r.src.(interface{ Wait() }); ok && len(r.left) == 0 && r.in.Buffered() == 0 && r.err == nil {
		src.Wait()
	}
}

// Read reads the next bytes of server-sent events. A stream that ends within a message is io.ErrUnexpectedEOF. Errors
// are permanent.
func (r *Reader) Read(p []byte) (int, error) {
	for len(r.left) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.out = r.out[:0]
		r.err = r.next()
		r.left = r.out
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	return n, nil
}

// next reads a message and appends its conversion to r.out.
func (r *Reader) next() error {
	var prelude [preludeSize]byte
	if _, err := io.ReadFull(r.in, prelude[:]); err != nil {
		return err
	}
	size, head := int(binary.BigEndian.Uint32(prelude[:])), int(binary.BigEndian.Uint32(prelude[4:]))
	switch {
	case crc32.ChecksumIEEE(prelude[:8]) != binary.BigEndian.Uint32(prelude[8:]):
		return errSum
	case size > r.max:
		return fmt.Errorf("%w: expected at most %d bytes, got %d", sse.ErrTooLong, r.max, size)
	case size < preludeSize+sumSize || head < 0 || head > size-preludeSize-sumSize: // negative if int has 32 bits
		return errMessage
	}
	if cap(r.buf) < size {
		r.buf = make([]byte, size)
	}
	whole := r.buf[:size]
	copy(whole, prelude[:])
	if _, err := io.ReadFull(r.in, whole[preludeSize:]); err == io.EOF {
		return io.ErrUnexpectedEOF
	} else if err != nil {
		return err
	}
	if crc32.ChecksumIEEE(whole[:size-sumSize]) != binary.BigEndian.Uint32(whole[size-sumSize:]) {
		return errSum
	}
	h, err := readHeaders(whole[preludeSize : preludeSize+head])
	if err != nil {
		return err
	}
	return r.event(h, whole[preludeSize+head:size-sumSize])
}

// event appends a message to r.out as a server-sent event. An exception becomes an error event. An event of a type that
// the model's API lacks is ignored.
func (r *Reader) event(h headers, payload []byte) error {
	switch h.kind {
	case "event", "":
		encoded, ok := jsonx.Find(payload, "bytes")
		if !ok {
			return nil // a type of event that the model's API lacks
		}
		event, err := base64.StdEncoding.AppendDecode(nil, jsonx.TextBytes(encoded))
		if err != nil || jsonx.Valid(event) != nil {
			return errMessage
		}
		name, _ := jsonx.Find(event, "type")
		r.out = sse.Append(r.out, jsonx.TextOf(name), event)
	default:
		r.out = sse.Append(r.out, "error", failure(h, payload))
	}
	return nil
}

// failures maps types of exceptions to the error types of the model's API. All others are api_error.
var failures = map[string]string{
	"throttlingException": "rate_limit_error", "validationException": "invalid_request_error", "modelTimeoutException": "timeout_error",
	"serviceUnavailableException": "overloaded_error",
}

// failure returns an exception as an error of the model's API.
func failure(h headers, payload []byte) []byte {
	kind, ok := failures[h.exception]
	if !ok {
		kind = "api_error"
	}
	text, _ := jsonx.Find(payload, "message")
	message := jsonx.TextOf(text)
	if message == "" {
		message = h.message
	}
	if h.exception != "" {
		message = h.exception + ": " + message
	}
	out := append([]byte(`{"type":"error","error":{"type":`), jsonx.AppendQuote(nil, kind)...)
	out = append(out, `,"message":`...)
	return append(jsonx.AppendQuote(out, message), "}}"...)
}

// headers are the headers of a message that are used.
type headers struct {
	kind      string // event, exception or error
	exception string // type of an exception, or code of an error
	message   string // message of an error
}

// sizes are the lengths of header values by type. The values of bytes and strings are preceded by their length.
var sizes = map[byte]int{0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}

const (
	typeBytes  = 6
	typeString = 7
)

func readHeaders(b []byte) (headers, error) {
	var h headers
	for len(b) > 0 {
		n := int(b[0])
		if len(b) < n+2 {
			return h, errMessage
		}
		name, kind := string(b[1:1+n]), b[1+n]
		b = b[n+2:]
		size, fixed := sizes[kind]
		switch {
		case fixed:
		case kind != typeBytes && kind != typeString, len(b) < 2:
			return h, errMessage
		default:
			size = int(binary.BigEndian.Uint16(b))
			b = b[2:]
		}
		if len(b) < size {
			return h, errMessage
		}
		switch value := b[:size]; name {
		case ":message-type":
			h.kind = string(value)
		case ":exception-type", ":error-code":
			h.exception = string(value)
		case ":error-message":
			h.message = string(value)
		}
		b = b[size:]
	}
	return h, nil
}
