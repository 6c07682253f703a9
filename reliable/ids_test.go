package reliable_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// anthropicBody is a body of a client whose API accepts few characters in ids.
type anthropicBody struct{ wireBody }

func (anthropicBody) Wire() callwright.WireName { return callwright.WireAnthropic }

func fromAnthropic(req *callwright.Request) *callwright.Request {
	out := *req
	out.Messages, out.Tools = nil, nil
	companion.Change(&out, func(c *companion.Companion) { c.Body = anthropicBody{wireBody{req}} })
	return &out
}

// callOfID is an answer with one call in bytes of the client's own wire: in one frame where it is whole, else in one for each event.
func callOfID(wire callwright.WireName, id string, whole bool) []callwright.Event {
	events := []callwright.Event{callwright.Begin{}, callwright.CallBegin{ID: id, Name: "get_weather"}, callwright.CallDelta{Text: oslo}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls}}
	if whole {
		return append([]callwright.Event{rawOf{Wire: wire, Bytes: []byte(fmt.Sprint("bytes ", events)), Events: len(events)}}, events...)
	}
	var out []callwright.Event
	for _, ev := range events {
		out = append(out, rawOf{Wire: wire, Bytes: []byte(fmt.Sprint("bytes ", ev)), Events: 1}, ev, pause{})
	}
	return out
}

var acceptedID = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// Whatever id a provider gives to a call, the client gets one that its API accepts, and the model finds its own in the next request.
func TestIDsFitTheClientAndReturn(t *testing.T) {
	ids := rapid.OneOf(rapid.SampledFrom([]string{"call_1", "toolu_01", "functions.get_weather:0", "esc_a", "esc_functions_2eget__weather_3a0", "esc__", "esc_2", "a b", "é", "_", ":"}), rapid.StringN(1, 30, -1))
	rapid.Check(t, func(t *rapid.T) {
		id := ids.Draw(t, "id")
		stream := rapid.SampledFrom([]callwright.StreamCalls{callwright.StreamHeld, callwright.StreamFlowing}).Draw(t, "stream calls")
		accepts, from := acceptedID.MatchString, fromAnthropic
		if rapid.Bool().Draw(t, "from a client that accepts any") {
			accepts, from = func(id string) bool { return id != "" }, received
		}
		way := rapid.SampledFrom([]string{"whole", "streamed"}).Draw(t, "way")
		req := ask(callwright.Choice{})
		m := &scripted{name: "lab/m", answers: []any{callOfID(companion.Of(from(req)).Body.Wire(), id, way == "whole"), done}}
		client := reliable.New(m, reliable.WithStreamCalls(stream))
		resp := &callwright.Response{}
		if way == "whole" {
			got, err := client.Generate(context.Background(), from(req))
			if err != nil {
				t.Fatal(err)
			}
			if resp = got; resp.Raw != nil && !accepts(id) {
				t.Fatalf("the bytes %s left", resp.Raw.Bytes)
			}
		} else {
			var col callwright.Collector
			for b, err := range client.Batches(context.Background(), from(req)) {
				if err != nil {
					t.Fatal(err)
				}
				if !accepts(id) && strings.Contains(string(b.Raw), "get_weather") {
					t.Fatalf("the bytes %s left", b.Raw)
				}
				for _, ev := range b.Events {
					if begin, ok := ev.(callwright.CallBegin); ok && !accepts(begin.ID) {
						t.Fatalf("the call began under the id %q", begin.ID)
					}
				}
				col.AddBatch(b)
			}
			resp = col.Response()
		}
		got := resp.Calls()[0].ID
		if !accepts(got) || accepts(id) && !strings.HasPrefix(id, "esc_") && got != id {
			t.Fatalf("the client got %q for %q", got, id)
		}
		if resp.Report != nil && resp.Raw != nil && resp.Report.Untouched != (got == id) {
			t.Fatalf("untouched %t, the id is %q for %q", resp.Report.Untouched, got, id)
		}
		if _, err := client.Generate(context.Background(), from(next(req, bare(resp)))); err != nil {
			t.Fatal(err)
		}
		msgs, _ := m.asked[1].History()
		call, res := callwright.CallsOf(msgs[1].Parts)[0], msgs[2].Parts[0].(callwright.Result)
		if call.ID != id || res.CallID != id {
			t.Fatalf("the model gets its call back as %q and the result as %q, not as %q", call.ID, res.CallID, id)
		}
	})
}

// An id that the receiver of the next request does not accept stays as the client has it, and nothing is changed with the rules off.
func TestIDsStayAsTheyAre(t *testing.T) {
	const own, escaped = "functions.get_weather:0", "esc_functions_2eget__weather_3a0"
	for name, tc := range map[string]struct {
		receiver caps.IDRule
		off      []string
		wire     func(*callwright.Request) *callwright.Request
		want     []string // what the client gets, and the model in the next request
	}{
		"both accept it":          {caps.IDRule{}, nil, received, []string{own, own}},
		"a caller in Go":          {caps.IDRule{}, nil, func(r *callwright.Request) *callwright.Request { return r }, []string{own, own}},
		"the client does not":     {caps.IDRule{}, nil, fromAnthropic, []string{escaped, own}},
		"neither does":            {caps.IDRule{Extra: "_-"}, nil, fromAnthropic, []string{escaped, escaped}},
		"the way there is off":    {caps.IDRule{}, []string{"id.escaped"}, fromAnthropic, []string{own, own}},
		"the way back is off":     {caps.IDRule{}, []string{"history.own_id"}, fromAnthropic, []string{escaped, escaped}},
		"a policy that only sees": {caps.IDRule{}, []string{"policy"}, fromAnthropic, []string{own, own}},
	} {
		t.Run(name, func(t *testing.T) {
			m := &scripted{name: "lab/m", caps: caps.Caps{IDs: tc.receiver}, answers: []any{callOfID(callwright.WireAnthropic, own, true), done}}
			rules, policy := map[string]bool{}, callwright.PolicyHeal
			for _, rule := range tc.off {
				if rule == "policy" {
					policy = callwright.PolicyObserve
				} else {
					rules[rule] = false
				}
			}
			client := reliable.New(m, reliable.WithRules(rules), reliable.WithPolicy(policy))
			req := ask(callwright.Choice{})
			resp := generate(t, client, tc.wire(req))
			generate(t, client, tc.wire(next(req, bare(resp))))
			msgs, err := m.asked[1].History()
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, []string{resp.Calls()[0].ID, callwright.CallsOf(msgs[1].Parts)[0].ID}); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// The change of an id for the client's API is none of the answer: policy strict lets it be.
func TestStrictTakesEscapedIDs(t *testing.T) {
	m := &scripted{name: "lab/m", answers: []any{callOfID(callwright.WireAnthropic, "functions.get_weather:0", true)}}
	resp, err := reliable.New(m, reliable.WithPolicy(callwright.PolicyStrict)).Generate(t.Context(), fromAnthropic(ask(callwright.Choice{})))
	if err != nil || !acceptedID.MatchString(resp.Calls()[0].ID) {
		t.Errorf("got %v, %v", resp, err)
	}
}
