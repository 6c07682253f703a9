package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// TestWires: what models that show every fault answer over every wire, whole and streamed, is given again by the recorded answers and, read
// by the codecs anew, by the bytes that came.
func TestWires(t *testing.T) {
	var models atomic.Pointer[simulate.Server]
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { models.Load().ServeHTTP(w, r) }))
	t.Cleanup(srv.Close)
	for _, codec := range codecs.All() {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s streamed %t", codec.Name(), stream), func(t *testing.T) {
				for i, f := range simulate.Faults() {
					if f.Stalls || !longtest.IsEnabled() && i%8 != 0 {
						continue
					}
					w := wired{codec: codec, base: srv.URL, model: f.Model(), stream: stream}
					w.test(t, func() { models.Store(simulate.New(simulate.Weather())) }) // some faults pass
				}
			})
		}
	}
}

// wired is a model that is asked over a wire.
type wired struct {
	codec  wire.Codec
	base   string
	model  string
	stream bool
}

func (w wired) test(t *testing.T, anew func()) {
	t.Helper()
	var file bytes.Buffer
	tw := trace.NewWriter(&file)
	anew()
	plain := w.ask(w.open(t, http.DefaultTransport))
	anew()
	tap := tw.Transport(nil, trace.Endpoint{Provider: "lab", Wire: w.codec.Name(), DecodeError: w.codec.DecodeError})
	want := w.ask(trace.Record(w.open(t, tap), tw))
	if diff := cmp.Diff(plain, want, sameOutcome...); diff != "" {
		t.Errorf("%s: recorded (-plain +recorded): %s", w.model, diff)
	}
	if err := tw.Err(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, w.ask(player(t, file.Bytes())), sameOutcome...); diff != "" {
		t.Errorf("%s: played (-recorded +played): %s", w.model, diff)
	}
	bytesOf := transport(t, file.Bytes())
	if diff := cmp.Diff(want, w.ask(w.open(t, bytesOf)), sameOutcome...); diff != "" || bytesOf.Remaining() != 0 {
		t.Errorf("%s: %d answers left, read again (-recorded +read): %s", w.model, bytesOf.Remaining(), diff)
	}
}

func (w wired) open(t *testing.T, through http.RoundTripper) *provider.Remote {
	t.Helper()
	base := w.base
	if path, _ := w.codec.Target(w.model, false); w.codec.Name() == callwright.WireOpenAI || w.codec.Name() == callwright.WireResponses {
		base += "/v1"
	} else if path == "" {
		t.Fatal("no path")
	}
	retries := 0
	m, err := provider.Open("lab/"+w.model, provider.Config{Wire: w.codec.Name(), BaseURL: base, Transport: through, MaxRetries: &retries})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A result is an answer or an error, and of a stream what came before it.
type result struct {
	Resp *callwright.Response
	Err  *callwright.Error
}

func (w wired) ask(m callwright.Model) result {
	req := &callwright.Request{
		Model:    callwright.ModelID(w.model),
		Messages: []callwright.Message{callwright.UserText("What is the weather in Oslo?")},
		Tools:    []callwright.Tool{{Name: "get_weather", Description: "Tells the weather", Schema: json.RawMessage(simulate.WeatherSchema)}},
		Params:   callwright.Params{MaxTokens: "300"},
	}
	if !w.stream {
		resp, err := m.Generate(context.Background(), req)
		return outcomeOf(resp, err)
	}
	var c callwright.Collector
	for ev, err := range m.Stream(context.Background(), req) {
		if err != nil {
			return outcomeOf(c.Response(), err)
		}
		c.Add(ev)
	}
	return outcomeOf(c.Response(), nil)
}

func outcomeOf(resp *callwright.Response, err error) result {
	e, _ := err.(*callwright.Error) //nolint:errorlint // models return no others
	return result{resp, e}
}

// sameOutcome compares outcomes but for what depends on the moment and the connection.
var sameOutcome = []cmp.Option{
	cmpopts.IgnoreFields(callwright.Attempt{}, "Duration"), cmpopts.EquateEmpty(),
	cmpopts.IgnoreFields(callwright.Error{}, "Err"), // a text once it was recorded
}
