package eventstream_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/callwright/callwright/internal/provider/internal/eventstream"
	"github.com/callwright/callwright/sse"
)

// message writes a message as the specification has it. headers are names and values, all of them strings.
func message(payload string, headers ...string) []byte {
	var h []byte
	for i := 0; i < len(headers); i += 2 {
		h = append(append(h, byte(len(headers[i]))), headers[i]...)
		h = binary.BigEndian.AppendUint16(append(h, 7), uint16(len(headers[i+1])))
		h = append(h, headers[i+1]...)
	}
	return raw(h, payload)
}

func raw(headers []byte, payload string) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(16+len(headers)+len(payload)))
	b = binary.BigEndian.AppendUint32(b, uint32(len(headers)))
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	b = append(append(b, headers...), payload...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

func chunk(event string) []byte {
	return message(`{"bytes":"`+base64.StdEncoding.EncodeToString([]byte(event))+`","p":"abcdef"}`, ":event-type", "chunk", ":content-type", "application/json", ":message-type", "event")
}

func TestReader(t *testing.T) {
	other := message(`{"inputTokens":1}`, ":event-type", "metadata", ":message-type", "event")
	everyType := []byte{1, 'a', 0, 1, 'b', 1, 1, 'c', 2, 9, 1, 'd', 3, 9, 9, 1, 'e', 4, 9, 9, 9, 9, 1, 'f', 5, 1, 2, 3, 4, 5, 6, 7, 8, 1, 'g', 6, 0, 2, 7, 7, 1, 'h', 8, 1, 2, 3, 4, 5, 6, 7, 8,
		1, 'i', 9, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8}
	const ping, stop = `{"type":"ping"}`, `{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":8}}`
	const wantPing, wantStop = "event: ping\ndata: " + ping + "\n\n", "event: message_stop\ndata: " + stop + "\n\n"
	for name, c := range map[string]struct {
		in   []byte
		want string
		err  error
	}{
		"nothing":          {nil, "", nil},
		"two events":       {append(chunk(ping), chunk(stop)...), wantPing + wantStop, nil},
		"another event":    {append(other, chunk(ping)...), wantPing, nil},
		"types of headers": {append(raw(everyType, `{}`), chunk(ping)...), wantPing, nil},
		"throttled": {append(chunk(ping), message(`{"message":"slow \"down\""}`, ":message-type", "exception", ":exception-type", "throttlingException")...),
			wantPing + "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"throttlingException: slow \\\"down\\\"\"}}\n\n", nil},
		"unknown exception": {message(`{}`, ":message-type", "exception", ":exception-type", "newException"),
			"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"newException: \"}}\n\n", nil},
		"error": {message(``, ":message-type", "error", ":error-code", "InternalError", ":error-message", "it broke"),
			"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"InternalError: it broke\"}}\n\n", nil},
		"cut in the prelude": {chunk(ping)[:7], "", io.ErrUnexpectedEOF},
		"cut in a message":   {append(chunk(ping), chunk(stop)[:30]...), wantPing, io.ErrUnexpectedEOF},
		"cut after prelude":  {chunk(ping)[:12], "", io.ErrUnexpectedEOF},
		"too long":           {chunk(`{"type":"` + strings.Repeat("x", 9000) + `"}`), "", sse.ErrTooLong},
	} {
		for way, reader := range map[string]func(io.Reader) io.Reader{"whole": func(r io.Reader) io.Reader { return r }, "by bytes": iotest.OneByteReader, "by halves": iotest.HalfReader} {
			t.Run(name+"/"+way, func(t *testing.T) {
				got, err := io.ReadAll(eventstream.New(reader(bytes.NewReader(c.in)), 8000))
				if string(got) != c.want || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
					t.Errorf("got %q, %v", got, err)
				}
			})
		}
	}
}

// A message of which a byte is another one is never taken for an event.
func TestDamaged(t *testing.T) {
	whole := chunk(`{"type":"ping"}`)
	for i := range whole {
		bad := bytes.Clone(whole)
		bad[i] ^= 0x40
		got, err := io.ReadAll(eventstream.New(bytes.NewReader(bad), 8000))
		if len(got) != 0 || err == nil {
			t.Errorf("byte %d: got %q, %v", i, got, err)
		}
	}
	for name, payload := range map[string]string{"no base64": `{"bytes":"%"}`, "no JSON": `{"bytes":"AAAA"}`} {
		if got, err := io.ReadAll(eventstream.New(bytes.NewReader(message(payload, ":message-type", "event")), 8000)); len(got) != 0 || err == nil {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

// The messages of the published test vectors are read: https://github.com/awslabs/aws-c-event-stream, tests.
func TestVectors(t *testing.T) {
	for name, in := range map[string]string{
		"empty":      "000000100000000005c248eb7d98c8ff",
		"no headers": "0000001d00000000fd528c5a7b27666f6f273a27626172277dc3653936",
	} {
		b, err := hex.DecodeString(in)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(eventstream.New(bytes.NewReader(b), 8000)); err != nil || len(got) != 0 {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add(chunk(`{"type":"ping"}`))
	f.Add(message(`{}`, ":message-type", "exception"))
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := io.ReadAll(eventstream.New(bytes.NewReader(in), 8000))
		if len(got) > 2*len(in)+400*(len(in)/16) {
			t.Errorf("%d bytes became %d, %v", len(in), len(got), err)
		}
	})
}
