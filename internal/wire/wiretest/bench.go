package wiretest

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/sse"
)

// benchSizes lists the conversations for benchmarks: n is the number of messages, message the size of each in bytes.
var benchSizes = []struct {
	name       string
	n, message int
}{{"15KB", 16, 1000}, {"400KB", 301, 1750}, {"800KB", 601, 1750}}

// BenchRequests measures requests of three sizes: decoding and encoding with only the model name changed (pass), and
// decoding in full and encoding without the body (anew). conversation returns a request body of n messages of size
// bytes each.
func BenchRequests(b *testing.B, c wire.Codec, conversation func(n, size int) []byte) {
	for _, s := range benchSizes {
		body := conversation(s.n, s.message)
		b.Run("pass/"+s.name, func(b *testing.B) { benchRequest(b, c, body, false) })
		b.Run("anew/"+s.name, func(b *testing.B) { benchRequest(b, c, body, true) })
	}
}

func benchRequest(b *testing.B, c wire.Codec, body []byte, built bool) {
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		req, err := c.DecodeRequest(body)
		if err != nil {
			b.Fatal(err)
		}
		companion.Of(req).Body.Summaries()
		if built {
			req.Messages, _ = req.History()
			req.Tools, _ = req.DeclaredTools()
			companion.Change(req, func(c *companion.Companion) { c.Body = nil })
		}
		if _, _, err := c.EncodeRequest(req, "tern-large", caps.Caps{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchAnswers measures decoding and encoding a whole response of 1 KB with a text, a tool call and unknown members.
func BenchAnswers(b *testing.B, c wire.Codec) {
	resp := &callwright.Response{ID: "answer_1", Model: "tern-large", Finish: callwright.FinishCalls,
		Usage: callwright.Usage{Known: true, Input: 1200, Output: 300}}
	resp.Parts = []callwright.Part{callwright.Text{Text: "The patch goes into the file."}, callwright.Call{ID: "call_1", Name: "apply_patch",
		Arguments: []byte(`{"path":"/srv/app/main.go","patch":"` + strings.Repeat(`+ line of code\n`, 50) + `"}`)}}
	raw, _, err := c.EncodeResponse(nil, resp)
	if err != nil {
		b.Fatal(err)
	}
	raw = slices.Concat([]byte(`{"service_tier":"default","fingerprint":"fp_1",`), raw[1:])
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if got, err := c.DecodeResponse(raw); err != nil || len(got.Parts) != len(resp.Parts) {
				b.Fatal(got, err)
			}
		}
	})
	b.Run("written", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := c.EncodeResponse(nil, resp); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchStream measures decoding and encoding the stream raw: with its raw bytes forwarded (pass), and from its events
// alone (anew).
func BenchStream(b *testing.B, c wire.Codec, raw []byte) {
	for _, mode := range []string{"pass", "anew"} {
		b.Run(mode, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			var out []byte
			for b.Loop() {
				var err error
				if out, err = rewrite(out[:0], c, raw, mode == "pass"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// rewrite decodes a stream and appends its encoding to out. If keep is set, the raw bytes are forwarded.
func rewrite(out []byte, c wire.Codec, raw []byte, keep bool) ([]byte, error) {
	r := sse.NewReader(bytes.NewReader(raw))
	if c.StreamsJSONLines() {
		r = sse.NewLineReader(bytes.NewReader(raw))
	}
	d, e := c.NewStreamDecoder(), c.NewStreamEncoder(&callwright.Request{Model: "lab/tern"})
	for more := true; more; {
		ev, err := r.Next()
		var b callwright.Batch
		if more = !errors.Is(err, io.EOF); more {
			b, err = d.Feed(ev)
		} else {
			b, err = d.Close()
		}
		if err != nil {
			return out, err
		}
		if !keep {
			b.Raw = nil
		}
		b.More = more
		out = e.Encode(out, b)
	}
	return out, nil
}
