package gateway_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// BenchmarkPairs measures what the gateway adds between clients of each wire and providers of each wire: a request of 15 KB
// with ten tools, answered by words and a call, whole or in 60 pieces.
func BenchmarkPairs(b *testing.B) {
	for _, way := range ways {
		for _, client := range codecs.All() {
			for _, far := range codecs.All() {
				c := &cell{client: client, far: far, way: way, stage: newStage(b)}
				c.play = &trace.Received{Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: benchAnswer(b, far, way)}
				if way == streamed {
					c.play.Header.Set("Content-Type", far.NewStreamEncoder(&callwright.Request{}).ContentType())
				}
				body := benchRequest(b, c)
				b.Run(way+"/"+string(client.Name())+"-"+string(far.Name()), func(b *testing.B) {
					b.SetBytes(int64(len(body)))
					b.ReportAllocs()
					var answer bytes.Buffer // used again, since long answers would cost more than what is measured
					start := cpuTime()
					for b.Loop() {
						r := httptest.NewRequest(http.MethodPost, c.door(), strings.NewReader(body))
						r.Host = "localhost"
						r.Header.Set("Content-Type", "application/json")
						answer.Reset()
						w := httptest.NewRecorder()
						w.Body = &answer
						c.server.ServeHTTP(w, r)
						if w.Code != http.StatusOK || !bytes.Contains(answer.Bytes(), []byte("tool_3")) {
							b.Fatalf("%d %s", w.Code, w.Body)
						}
					}
					b.ReportMetric(float64((cpuTime()-start).Nanoseconds())/1e3/float64(b.N), "cpu-µs")
				})
			}
		}
	}
}

// benchRequest returns the request of the other benchmarks in the client's wire.
func benchRequest(b *testing.B, c *cell) string {
	b.Helper()
	chatty, _ := codecs.Of(callwright.WireOpenAI)
	req, err := chatty.DecodeRequest([]byte(benchBody(chat, "m", "", 0)))
	if err != nil {
		b.Fatal(err)
	}
	built := callwright.Request{Params: req.Params}
	built.Messages, _ = req.History()
	built.Tools, _ = req.DeclaredTools()
	built.Params.Stream = c.way == streamed
	body, _, err := c.client.EncodeRequest(&built, c.model(), caps.Caps{})
	if err != nil {
		b.Fatal(err)
	}
	return string(body)
}

// benchAnswer returns the provider's answer.
func benchAnswer(b *testing.B, far wire.Codec, way string) []byte {
	b.Helper()
	events := []callwright.Event{callwright.Begin{ID: "m", Model: "m"}}
	for range 60 {
		events = append(events, callwright.TextDelta{Text: "A piece of what is said. "})
	}
	events = append(events, callwright.CallBegin{ID: "call_1", Name: "tool_3"}, callwright.CallDelta{Text: benchArguments}, callwright.CallEnd{},
		callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 1, Output: 2}}, callwright.End{Finish: callwright.FinishCalls})
	if way == streamed {
		return wiretest.Encode(far, events)
	}
	resp, err := callwright.Collect(wiretest.Stream{Batches: []callwright.Batch{{Events: events}}}.All())
	if err != nil {
		b.Fatal(err)
	}
	body, _, err := far.EncodeResponse(nil, resp)
	if err != nil {
		b.Fatal(err)
	}
	return body
}
