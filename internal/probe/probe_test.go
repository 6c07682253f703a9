package probe_test

import (
	"context"
	"errors"
	"iter"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/probe"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
)

// serve gives a model of a server that plays a script over a wire, and the server.
func serve(t *testing.T, wire callwright.WireName, name string, script simulate.Script) (callwright.Model, *simulate.Server) {
	t.Helper()
	fake := simulate.New(script)
	srv := httptest.NewServer(fake)
	t.Cleanup(srv.Close)
	base := srv.URL
	if wire == callwright.WireOpenAI || wire == callwright.WireResponses {
		base += "/v1"
	}
	p, err := provider.New(provider.Config{Name: "lab", Wire: wire, BaseURL: base, MaxRetries: new(0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p.Model(name), fake
}

// results gives the checks by their results, those that passed left out.
func results(c *probe.Card) map[string]string {
	out := map[string]string{}
	for _, check := range c.Checks {
		if check.Result != probe.Pass {
			out[check.Name] = string(check.Result)
		}
	}
	return out
}

// A model that cannot be asked is an error that says why, after one request.
func TestNobodyThere(t *testing.T) {
	for name, want := range map[string]string{"401": "requires a key (status 401), but none is set", "404": "no such model", "500": "out of order", "429": "too busy"} {
		t.Run(name, func(t *testing.T) {
			status := map[string]int{"401": 401, "404": 404, "500": 500, "429": 429}[name]
			m, fake := serve(t, callwright.WireOpenAI, "one", func(simulate.Seen) simulate.Turn { return simulate.Turn{Status: status, Text: want} })
			card, err := probe.Run(t.Context(), m, probe.Options{})
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "check answer") {
				t.Errorf("%v", err)
			}
			if card != nil {
				t.Errorf("there is a card: %+v", card)
			}
			if n := len(fake.Requests()); n > 2 {
				t.Errorf("%d requests were made", n)
			}
		})
	}
}

// A provider that fails on the way ends the probe, with what was found until then.
func TestFailsOnTheWay(t *testing.T) {
	n := 0
	m, _ := serve(t, callwright.WireOpenAI, "one", func(req simulate.Seen) simulate.Turn {
		if n++; n > 5 {
			return simulate.Turn{Status: 503, Text: "out of order"}
		}
		return simulate.Weather()(req)
	})
	card, err := probe.Run(t.Context(), m, probe.Options{})
	if err == nil || !strings.Contains(err.Error(), "out of order") || card == nil {
		t.Fatalf("%v %v", card, err)
	}
	if card.Sent != 8 || card.Facts["tools"] != "yes" || card.Facts["stream_tools"] != "" || len(card.Checks) < 25 {
		t.Errorf("%+v", card)
	}
	if last := card.Checks[len(card.Checks)-1]; last.Result != probe.Skip || last.Why != "not asked: the probe had ended" {
		t.Errorf("%+v", last)
	}
}

// mute is a model that answers only when it is told to stop.
type mute struct{ after int }

func (m *mute) Generate(ctx context.Context, _ *callwright.Request) (*callwright.Response, error) {
	if m.after--; m.after >= 0 {
		return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: "Hello."}}, Finish: callwright.FinishStop}, nil
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

func (m *mute) Stream(ctx context.Context, _ *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		<-ctx.Done()
		yield(nil, ctx.Err())
	}
}

// No check waits longer than it may, and a model that says nothing ends the probe.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		card, err := probe.Run(t.Context(), &mute{after: 1}, probe.Options{Timeout: time.Minute})
		if !errors.Is(err, context.DeadlineExceeded) || card == nil {
			t.Fatalf("%v %v", card, err)
		}
		if waited := time.Since(began); waited != 3*time.Minute {
			t.Errorf("it took %s", waited)
		}
	})
}

// Ending the context ends the probe at once, and what was found is given.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m, _ := serve(t, callwright.WireOpenAI, "one", simulate.Weather())
	card, err := probe.Run(ctx, m, probe.Options{Progress: func(c probe.Check) {
		if c.Name == "parallel_calls" {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || card == nil || card.Facts["parallel_tools"] != "yes" || card.Facts["stream_tools"] != "" {
		t.Fatalf("%+v %v", card, err)
	}
}

// A model that only some requests reach is asked no more often than was said.
func TestBound(t *testing.T) {
	if n := probe.MaxRequests(); n < 25 || n > 64 {
		t.Errorf("%d requests", n)
	}
	for _, say := range []string{"", "perhaps"} {
		m, fake := serve(t, callwright.WireOpenAI, "one", func(req simulate.Seen) simulate.Turn {
			if len(req.Tools) > 0 && req.Choice == "required" { // whatever is asked after this is asked in vain
				return simulate.Weather()(req)
			}
			return simulate.Turn{Text: say}
		})
		card, err := probe.Run(t.Context(), m, probe.Options{MaxTokens: 100})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(fake.Requests()); n != card.Sent || n > probe.MaxRequests() {
			t.Errorf("%d requests, %d said, at most %d", n, card.Sent, probe.MaxRequests())
		}
		for _, req := range fake.Requests() {
			if req.MaxTokens != 100 && req.Refused == "" {
				t.Errorf("a request of %d tokens", req.MaxTokens)
			}
		}
	}
}

// An answer that was cut off says nothing.
func TestCutOff(t *testing.T) {
	m, _ := serve(t, callwright.WireOpenAI, "one", func(req simulate.Seen) simulate.Turn {
		turn := simulate.Weather()(req)
		if req.Format != nil {
			turn.Finish = "length"
		}
		return turn
	})
	card, err := probe.Run(t.Context(), m, probe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, found := card.Facts["json_schema"]; found || results(card)["json_schema"] != "skip" {
		t.Errorf("%v %v", card.Facts, results(card))
	}
}

// The facts are what a capability store takes, each with what speaks for it.
func TestFound(t *testing.T) {
	m, _ := serve(t, callwright.WireOpenAI, "one", simulate.Weather())
	card, err := probe.Run(t.Context(), m, probe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	capsStore := caps.NewMemory(nil)
	for _, f := range card.Found {
		if f.Source != caps.Probed || f.Evidence == "" {
			t.Errorf("%+v", f)
		}
		if err := capsStore.Learn(t.Context(), "lab/one", f); err != nil {
			t.Error(err)
		}
	}
	kept, err := capsStore.Facts(t.Context(), "lab/one")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range kept {
		got[f.Key] = f.Value
	}
	if d := cmp.Diff(card.Facts, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
