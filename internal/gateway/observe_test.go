package gateway_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/simulate"
)

// A witness keeps what it is told, and hands a word of its own on in the context.
type witness struct {
	mu     sync.Mutex
	word   string
	events []string
	last   gateway.Observation
	ended  chan struct{}
}

type wordKey struct{}

func newWitness(word string) *witness { return &witness{word: word, ended: make(chan struct{}, 10)} }

func (w *witness) note(what string, ctx context.Context, o gateway.Observation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	got, _ := ctx.Value(wordKey{}).(string)
	w.events, w.last = append(w.events, what+" "+got), o
}

func (w *witness) Begin(ctx context.Context, o gateway.Observation) context.Context {
	w.note("begin", ctx, o)
	got, _ := ctx.Value(wordKey{}).(string)
	return context.WithValue(ctx, wordKey{}, got+w.word)
}

func (w *witness) Streams(ctx context.Context, o gateway.Observation) { w.note("streams", ctx, o) }

func (w *witness) End(ctx context.Context, o gateway.Observation) {
	w.note("done", ctx, o)
	w.ended <- struct{}{}
}

// told gives the observation of a request that is done, and forgets it.
func (w *witness) told() (o gateway.Observation, events []string) {
	<-w.ended
	w.mu.Lock()
	defer w.mu.Unlock()
	events, w.events = w.events, nil
	return w.last, events
}

// Every request is told of once when it comes and once when it ended, with what became of it.
func TestObservations(t *testing.T) {
	w := newWitness("a")
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Keys: []string{"sesame"}, Observers: []gateway.Observer{w}})
	key := []string{"X-Api-Key", "sesame"}
	for _, tc := range []struct {
		name, path, model, more string
		header                  []string
		status                  int
		streamed, failed        bool
	}{
		{"whole", chat, "openai/native", "", key, 200, false, false},
		{"streamed", messages, "anthropic/native", `,"stream":true`, key, 200, true, false},
		{"healed stream", chat, "openai/hermes-unclosed", `,"stream":true`, key, 200, true, false},
		{"unknown model", chat, "nowhere/x", "", key, 404, false, true},
		{"no key", chat, "openai/native", "", nil, 401, false, true},
		{"nothing is there", "/nowhere", "openai/native", "", key, 404, false, true},
		{"a bug", chat, "openai/panic", "", key, 500, false, true},
	} {
		got := post(t, srv.URL+tc.path, question(tc.path, tc.model, tc.more), tc.header...)
		o, events := w.told()
		want := 2
		if tc.streamed {
			want = 3
		}
		if len(events) != want || events[0] != "begin " || events[want-1] != "done a" {
			t.Errorf("%s: got %q", tc.name, events)
		}
		if o.Status != tc.status || o.Streamed != tc.streamed || (o.Err != nil) != tc.failed || o.Aborted || o.Method != http.MethodPost || o.Path != tc.path {
			t.Errorf("%s: got %+v", tc.name, o)
		}
		if o.Written != int64(len(got.body)) || !inOrder(o.Began, o.FirstByte, o.Ended) {
			t.Errorf("%s: %d bytes of %d, %v %v %v", tc.name, o.Written, len(got.body), o.Began, o.FirstByte, o.Ended)
		}
		if tc.streamed != inOrder(o.Began, o.FirstContent, o.Ended) {
			t.Errorf("%s: first content %v", tc.name, o.FirstContent)
		}
		if tc.status == 200 && (o.Model != callwright.ModelID(tc.model) || o.Wire == "" || o.Report == nil || len(o.Report.Attempts) == 0) {
			t.Errorf("%s: got %+v", tc.name, o)
		}
	}
}

// inOrder reports whether all times are there, none before the one before it.
func inOrder(times ...time.Time) bool {
	for i, at := range times {
		if at.IsZero() || i > 0 && at.Before(times[i-1]) {
			return false
		}
	}
	return true
}

// Each observer gets the context that it gave, and the model one that has all of them.
func TestObserversShareAContext(t *testing.T) {
	first, second := newWitness("a"), newWitness("b")
	asked := ""
	record := func(m callwright.Model) callwright.Model { return contextModel{m, &asked} }
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Record: record, Observers: []gateway.Observer{first, second}})
	post(t, srv.URL+chat, question(chat, "openai/native", ""))
	_, one := first.told()
	_, two := second.told()
	if one[1] != "done a" || two[0] != "begin a" || two[1] != "done ab" || asked != "ab" {
		t.Errorf("got %q, %q, asked with %q", one, two, asked)
	}
}

// A contextModel keeps the word of the context it was asked with.
type contextModel struct {
	callwright.Model
	word *string
}

func (m contextModel) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	*m.word, _ = ctx.Value(wordKey{}).(string)
	return m.Model.Generate(ctx, req)
}

// A stream that breaks is told of as aborted, with its error and its report.
func TestObservedBreak(t *testing.T) {
	w := newWitness("")
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Observers: []gateway.Observer{w}})
	post(t, srv.URL+chat, question(chat, "openai/midstream-cut", `,"stream":true`))
	if o, _ := w.told(); !o.Aborted || o.Err == nil || o.Report == nil || o.Status != 200 {
		t.Errorf("got %+v", o)
	}
}
