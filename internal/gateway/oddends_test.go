package gateway_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// A replayer answers every request with one stream.
type replayer struct {
	mu     sync.Mutex
	stream string
	lines  bool
}

func (p *replayer) set(stream string, lines bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stream, p.lines = stream, lines
}

func (p *replayer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	kind := "text/event-stream"
	if p.lines {
		kind = "application/x-ndjson"
	}
	w.Header().Set("Content-Type", kind)
	_, _ = io.WriteString(w, p.stream)
}

// askFor asks over a client's API for calls of the tool f.
func askFor(client callwright.WireName, model string, stream bool) (path, body string) {
	a := askers[client]
	path, body = a.ask(model, stream)
	body = strings.Replace(body, simulate.WeatherSchema, `{"type":"object","properties":{"n":{"type":"integer"}}}`, 1)
	return path, strings.ReplaceAll(body, "get_weather", "f")
}

// told reads the answer that a client got.
func told(c wire.Codec, got answer, stream bool) (*callwright.Response, error) {
	if !stream {
		return c.DecodeResponse([]byte(got.body))
	}
	return callwright.Collect(wiretest.Decode(c, strings.NewReader(got.body)).All())
}

// unlike says how an answer differs from the one that was drawn, "" where it does not. Ids are the client's own on some APIs.
func unlike(want *wiretest.EndedStream, got *callwright.Response) string {
	calls := got.Calls()
	if len(calls) != len(want.Calls) || got.Finish != callwright.FinishCalls || got.Text() != want.Text {
		return fmt.Sprintf("%d calls, finish %s, text %q", len(calls), got.Finish, got.Text())
	}
	for i, c := range calls {
		args := c.Arguments
		if len(args) == 0 {
			args = []byte("{}")
		}
		if c.Name != want.Calls[i].Name || !jsonx.Equal(args, want.Calls[i].Arguments) {
			return fmt.Sprintf("call %d is %s %s", i, c.Name, c.Arguments)
		}
	}
	return ""
}

// An oddEnds is a gateway with a policy and a way of streaming calls.
type oddEnds struct {
	running
	upstream *replayer
	policy   callwright.Policy
	name     string
}

// mends reports whether arguments that are left out are put in.
func (g *oddEnds) mends() bool {
	return g.policy == callwright.PolicyHeal || g.policy == callwright.PolicyStrict
}

// check asks for a drawn answer, whole and streamed, and judges it as a client.
func (g *oddEnds) check(t *testing.T, client wire.Codec, s *wiretest.EndedStream, odd bool) {
	t.Helper()
	g.upstream.set(s.Sound, s.Wire == callwright.WireOllama)
	if odd {
		g.upstream.set(s.Odd, s.Wire == callwright.WireOllama)
	}
	whole := !slices.ContainsFunc(s.Calls, func(c callwright.Call) bool { return string(c.Arguments) == "{}" }) // others may come without arguments
	for _, stream := range []bool{false, true} {
		path, body := askFor(client.Name(), string(s.Wire)+"/m", stream)
		got := post(t, g.URL+path, body)
		at := fmt.Sprintf("%s, %s to %s, stream %t, odd %t\n%s\n%s", g.name, client.Name(), s.Wire, stream, odd, g.upstream.stream, got.body)
		resp, err := told(client, got, stream)
		if g.policy == callwright.PolicyStrict && (odd || !whole) && err != nil {
			continue // refused, and not changed
		}
		if got.status != http.StatusOK || err != nil {
			t.Fatalf("status %d, %v: %s", got.status, err, at)
		}
		if why := unlike(s, resp); why != "" {
			t.Fatalf("expected %d calls, got %s: %s", len(s.Calls), why, at)
		}
		if !stream {
			continue
		}
		if client.Name() == s.Wire && !odd && whole && got.body != s.Sound {
			t.Fatalf("changed: %s", at)
		}
		complaints := wiretest.StreamComplaints(client.Name(), got.header.Get("Content-Type"), []byte(got.body), false)
		if s.Wire == callwright.WireGemini { // calls that come as values at paths are passed on as they are
			complaints = slices.DeleteFunc(complaints, func(c string) bool { return strings.Contains(c, ".functionCall.") })
		}
		if unmended := client.Name() == s.Wire && !whole && !g.mends(); len(complaints) > 0 && !unmended {
			t.Fatalf("%q: %s", complaints, at)
		}
	}
}

// Ends of an answer that come where they do not belong change nothing of its calls under any policy, in whichever way calls are
// streamed, over every pair of APIs: the client gets every piece, and one finish reason behind them.
func TestEndsInTheMiddleReachNobody(t *testing.T) {
	ways := []callwright.StreamCalls{callwright.StreamHeld, callwright.StreamFlowing, callwright.StreamAuto}
	for _, policy := range []callwright.Policy{callwright.PolicyHeal, callwright.PolicyObserve, callwright.PolicyStrict, callwright.PolicyOff} {
		for _, way := range ways {
			g := oddEnds{upstream: &replayer{}, policy: policy, name: string(policy) + " " + string(way)}
			opts := []reliable.Option{reliable.WithPolicy(policy), reliable.WithStreamCalls(way), reliable.WithOneMode(), reliable.WithMaxCorrections(0)}
			g.running = serve(t, gateway.Config{Models: withOptions{models(t, g.upstream), opts}})
			for _, far := range codecs.All() {
				for _, client := range codecs.All() {
					for seed := range uint64(3) {
						s := wiretest.DrawEnds(rand.New(rand.NewPCG(seed, uint64(len(g.name)+len(far.Name())*7+len(client.Name())*31))), far.Name(), callwright.Tool{Name: "f"})
						g.check(t, client, &s, false)
						g.check(t, client, &s, true)
					}
				}
			}
		}
	}
}

// finishes are streams of Chat Completions whose finish reasons come where they do not belong, by what they come to: the text, how many calls, and
// the last finish reason.
var finishes = map[string]struct {
	chunks [][2]string // delta and finish reason
	text   string
	calls  int
	finish string
}{
	"in each chunk":            {[][2]string{{`{"role":"assistant","content":"Hel"}`, `"stop"`}, {`{"content":"lo"}`, `"stop"`}, {`{"content":"."}`, `"stop"`}}, "Hello.", 0, "stop"},
	"empty":                    {[][2]string{{`{"role":"assistant","content":"Hel"}`, `""`}, {`{"content":"lo."}`, `""`}, {`{}`, `"length"`}}, "Hello.", 0, "length"},
	"empty at the end":         {[][2]string{{`{"role":"assistant","content":"Hello."}`, `null`}, {`{}`, `""`}}, "Hello.", 0, "stop"},
	"beside an empty stub":     {[][2]string{{`{"role":"assistant","content":"Hello."}`, `null`}, {`{"function_call":{"name":"","arguments":""}}`, `"length"`}}, "Hello.", 0, "length"},
	"beside a stub of nothing": {[][2]string{{`{"content":"Hello.","function_call":{"name":"","arguments":""}}`, `null`}, {`{"content":"","function_call":{}}`, `"content_filter"`}}, "Hello.", 0, "content_filter"},
	"before a call": {[][2]string{{`{"content":"Hel"}`, `"stop"`}, {`{"content":"lo."}`, `""`}, {`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}`, `"tool_calls"`}, {`{}`, `""`}},
		"Hello.", 1, "tool_calls"},
}

// A stream has one finish reason for its client, the last that there was.
func TestOneFinish(t *testing.T) {
	up := &replayer{}
	srv := serve(t, gateway.Config{Models: models(t, up)})
	for name, c := range finishes {
		var stream strings.Builder
		for _, chunk := range c.chunks {
			fmt.Fprintf(&stream, `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", chunk[0], chunk[1])
		}
		up.set(stream.String()+"data: [DONE]\n\n", false)
		for _, client := range codecs.All() {
			path, body := askFor(client.Name(), "openai/m", true)
			got := post(t, srv.URL+path, body)
			resp, err := told(client, got, true)
			if err != nil || resp.Text() != c.text || len(resp.Calls()) != c.calls {
				t.Errorf("%s, %s: %v\n%s", name, client.Name(), err, got.body)
				continue
			}
			if client.Name() != callwright.WireOpenAI {
				continue
			}
			if n := strings.Count(got.body, `"finish_reason":"`); n != 1 || !strings.Contains(got.body, `"finish_reason":"`+c.finish+`"`) {
				t.Errorf("%s: %d finish reasons in\n%s", name, n, got.body)
			}
		}
	}
}
