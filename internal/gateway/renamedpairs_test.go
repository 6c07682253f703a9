package gateway_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// The tools of TestRenamedWith: two that are renamed natively, and in text those with blanks.
const (
	factorial, factorialSent = "math.factorial", "math_factorial"
	list, listSent           = "fs/list files", "fs_list_files"
)

// A way is how a model is asked, and how it writes calls.
type way struct {
	name      string
	mode      caps.Mode
	format    string // of text mode, and of calls in native mode that are written as text
	factorial string // the name under which the tool is sent
	list      string
}

var renamedWays = []way{
	{"native", caps.Native, "", factorialSent, listSent},
	{"native, called in text", caps.Native, "hermes", factorialSent, listSent},
	{"json_schema", caps.JSONSchema, "", factorial, list},
	{"json_object", caps.JSONObject, "", factorial, list},
	{"text hermes", caps.Text, "hermes", factorial, list},
	{"text pythonic", caps.Text, "pythonic", factorial, listSent},
}

// calls are an answer with calls, names and arguments in turn.
func (w way) calls(namesAndArguments ...string) simulate.Turn {
	var turn simulate.Turn
	var rendered []dialect.RenderedCall
	for i := 0; i < len(namesAndArguments); i += 2 {
		turn.Calls = append(turn.Calls, simulate.Call{Name: namesAndArguments[i], Arguments: namesAndArguments[i+1]})
		rendered = append(rendered, dialect.RenderedCall{Name: namesAndArguments[i], ID: fmt.Sprint("call_", i), Arguments: []byte(namesAndArguments[i+1])})
	}
	if f, ok := dialect.Lookup(w.format); ok {
		return simulate.Turn{Text: f.RenderCalls(rendered)}
	}
	return turn
}

func (w way) options(more ...caps.Fact) []reliable.Option {
	opts := []reliable.Option{reliable.WithModes(w.mode), reliable.WithFacts(slices.Concat(rule, more)...)}
	if w.mode == caps.Text {
		opts = append(opts, reliable.WithDialect(w.format))
	}
	return opts
}

// A pairing is a feature beside which tools are renamed.
type pairing struct {
	name  string
	ask   asking
	facts []caps.Fact
	turns func(w way) []simulate.Turn
	calls []string // of the answer
	// check looks at the requests; nil: there is one, and none names a tool otherwise than it is sent.
	check func(t *testing.T, w way, seen []simulate.Seen)
	only  []caps.Mode // nil: all
	marks bool        // not of formats without marks, in which other names are text
}

// once is the answer of a model that makes these calls, by their sent names.
func once(arguments ...string) func(w way) []simulate.Turn {
	return func(w way) []simulate.Turn {
		return []simulate.Turn{w.calls(slices.Concat([]string{w.factorial}, arguments)...)}
	}
}

// shows reports whether a request names a tool, by a name that no other name holds.
func shows(s simulate.Seen, name string) bool {
	return strings.Contains(strings.ReplaceAll(string(s.Body), `\/`, "/"), name)
}

// sentOnly checks that requests name tools only as they are sent.
func sentOnly(t *testing.T, w way, seen []simulate.Seen) {
	t.Helper()
	for i, s := range seen {
		for _, pair := range [][3]string{{factorial, factorialSent, w.factorial}, {list, listSent, w.list}} {
			for _, name := range pair[:2] {
				if name != pair[2] && shows(s, name) {
					t.Errorf("request %d names %s, which is sent as %s: %.1500s", i, name, pair[2], s.Body)
				}
			}
		}
	}
}

const (
	optional = `{"type":"object","properties":{"n":{"type":"integer"},"note":{"type":"string"}},"required":["n"],"additionalProperties":false}`
	history  = `{"role":"user","content":"Go."},{"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"math.factorial","arguments":"{\"n\":3}"}},` +
		`{"id":"call_b","type":"function","function":{"name":"fs/list files","arguments":"{\"n\":4}"}}]},{"role":"tool","tool_call_id":"call_a","content":"6"},{"role":"tool","tool_call_id":"call_b","content":"none"},{"role":"user","content":"Again."}`
)

var both = []string{factorial, list}

var pairings = []pairing{
	{name: "adapter", ask: asking{schema: optional}, facts: []caps.Fact{fact("schema_target", "openai"), fact("strict_tools", "yes"), fact("needs_help", "yes")},
		turns: func(w way) []simulate.Turn {
			if w.mode == caps.Native && w.format == "" {
				return once(`{"n":7,"note":null}`)(w)
			}
			return once(`{"n":7}`)(w)
		}, calls: []string{factorial}},
	{name: "correction", turns: func(w way) []simulate.Turn {
		return []simulate.Turn{w.calls(w.factorial, `{"n":"seven"}`), w.calls(w.factorial, `{"n":7}`)}
	}, calls: []string{factorial}, check: func(t *testing.T, w way, seen []simulate.Seen) {
		if len(seen) != 2 || !shows(seen[1], "The call of "+w.factorial+" was not executed") {
			t.Errorf("%d requests, the last %s", len(seen), seen[len(seen)-1].Body)
		}
	}},
	{name: "undeclared", turns: func(w way) []simulate.Turn {
		return []simulate.Turn{w.calls("math_root", `{"n":7}`), w.calls(w.factorial, `{"n":7}`)}
	}, calls: []string{factorial}, check: func(t *testing.T, w way, seen []simulate.Seen) {
		if len(seen) != 2 || !shows(seen[1], "the tools are: "+w.factorial+", "+w.list) {
			t.Errorf("%d requests, the last %s", len(seen), seen[len(seen)-1].Body)
		}
	}, only: []caps.Mode{caps.Native, caps.Text}, marks: true},
	{name: "named choice", ask: asking{more: `,"tool_choice":{"type":"function","function":{"name":"math.factorial"}}`}, turns: once(`{"n":7}`), calls: []string{factorial},
		check: func(t *testing.T, w way, seen []simulate.Seen) {
			if len(seen) != 1 || w.mode == caps.Native && seen[0].Choice != w.factorial || w.mode != caps.Native && !strings.Contains(seen[0].System, w.factorial) {
				t.Errorf("%d requests, the first demands %q: %s", len(seen), seen[0].Choice, seen[0].Body)
			}
		}},
	{name: "a choice in the prompt", ask: asking{more: `,"tool_choice":{"type":"function","function":{"name":"math.factorial"}}`}, facts: []caps.Fact{fact("choice_field", "no")},
		turns: func(w way) []simulate.Turn {
			return []simulate.Turn{{Text: "No."}, w.calls(w.factorial, `{"n":7}`)}
		}, calls: []string{factorial}, check: func(t *testing.T, w way, seen []simulate.Seen) {
			if len(seen) != 2 || !shows(seen[1], "You must call the tool "+w.factorial+".") {
				t.Errorf("%d requests, the last %s", len(seen), seen[len(seen)-1].Body)
			}
		}, only: []caps.Mode{caps.Native}},
	{name: "parallel", turns: func(w way) []simulate.Turn {
		return []simulate.Turn{w.calls(w.factorial, `{"n":7}`, w.list, `{"n":8}`)}
	}, calls: both},
	{name: "history", ask: asking{talk: history}, turns: once(`{"n":7}`), calls: []string{factorial}, check: func(t *testing.T, w way, seen []simulate.Seen) {
		if len(seen) != 1 || strings.Count(string(seen[0].Body), w.factorial) < 2 {
			t.Errorf("%d requests, the last %s", len(seen), seen[len(seen)-1].Body)
		}
	}},
	{name: "reasoning", turns: func(w way) []simulate.Turn {
		f, _ := dialect.Lookup("hermes")
		return []simulate.Turn{{Reasoning: f.RenderCalls([]dialect.RenderedCall{{Name: w.factorial, Arguments: []byte(`{"n":7}`)}})}}
	}, calls: []string{factorial}, only: []caps.Mode{caps.Native, caps.Text}},
	{name: "a refusal that quotes the call", turns: refusedAs("call"), calls: []string{factorial}, only: []caps.Mode{caps.Native}},
	{name: "a refusal that quotes markup", turns: refusedAs("markup"), calls: []string{factorial}, only: []caps.Mode{caps.Native}},
}

// refusedAs is a call that the provider refuses, and quotes in some form.
func refusedAs(variant string) func(w way) []simulate.Turn {
	return func(w way) []simulate.Turn {
		return []simulate.Turn{{Calls: []simulate.Call{{Name: w.factorial, Arguments: `{"n":7}`}}, Fault: simulate.Fault{Name: "groq_failed", Options: []string{variant}}}}
	}
}

// Whatever else is done with a request, its tools have one name each: that under which they are sent towards the model, the declared one towards
// the client.
func TestRenamedWith(t *testing.T) {
	r := newRenaming(t)
	for _, p := range pairings {
		for _, w := range renamedWays {
			if p.only != nil && !slices.Contains(p.only, w.mode) || p.marks && w.format == "pythonic" {
				continue
			}
			for _, stream := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/stream %t", p.name, w.name, stream), func(t *testing.T) {
					a := p.ask
					a.client, a.stream, a.names = callwright.WireOpenAI, stream, both
					if a.schema == "" {
						a.schema = oneInteger
					}
					r.set(w.options(p.facts...), p.turns(w)...)
					names, got := r.ask(t, a, "openai/m")
					seen := r.requests()
					if !slices.Equal(names, p.calls) || len(seen) == 0 {
						t.Fatalf("%d requests, calls %q, want %q\n%s", len(seen), names, p.calls, got.body)
					}
					if p.check != nil {
						p.check(t, w, seen)
					} else if len(seen) != 1 {
						t.Errorf("%d requests", len(seen))
					}
					sentOnly(t, w, seen)
				})
			}
		}
	}
}

// Deferred tools are called by the name that is sent, and search results name them by it.
func TestRenamedDeferred(t *testing.T) {
	r := newRenaming(t)
	for _, w := range renamedWays {
		for _, stream := range []bool{false, true} {
			r.set(w.options(), w.calls("tool_search_tool_regex", `{"pattern":"factorial"}`), w.calls(w.factorial, `{"n":7}`))
			body := fmt.Sprintf(`{"model":"openai/m","max_tokens":1000,"stream":%t,"messages":[{"role":"user","content":"Go."}],"tools":[`+
				`{"type":"tool_search_tool_regex_20251119","name":"tool_search_tool_regex"},{"name":"math.factorial","input_schema":%s,"defer_loading":true}]}`, stream, oneInteger)
			got := post(t, r.url+"/v1/messages", body)
			seen := r.requests()
			if len(seen) != 2 || !shows(seen[1], "Found: "+w.factorial+". You can call them now.") || !strings.Contains(got.body, `"name":"math.factorial"`) || strings.Contains(got.body, factorialSent) {
				t.Fatalf("%s, stream %t: %d requests, %s\n%s", w.name, stream, len(seen), got.body, seen[len(seen)-1].Body)
			}
			sentOnly(t, w, seen)
		}
	}
}

// A name that two tools come to is none of them.
func TestRenamedAmbiguous(t *testing.T) {
	r := newRenaming(t)
	for _, w := range renamedWays {
		r.set(append(w.options(), reliable.WithMaxCorrections(0)), w.calls("a_b", `{"n":7}`))
		names, got := r.ask(t, asking{client: callwright.WireOpenAI, names: []string{"a.b", "a:b"}, schema: oneInteger}, "openai/m")
		if len(names) > 0 {
			t.Errorf("%s: a_b is taken for %q: %s", w.name, names, got.body)
		}
	}
}

// Where the rule for names is not known tools are sent under their own. A refusal teaches the rule.
func TestRenamedAsLearned(t *testing.T) {
	asked := []string{}
	upstream := simulate.New(func(s simulate.Seen) simulate.Turn {
		asked = append(asked, strings.Join(s.Tools, " "))
		return simulate.Turn{Calls: []simulate.Call{{Name: s.Tools[0], Arguments: `{"n":7}`}}}
	})
	lab := labOf(t, upstream)
	client := reliable.New(lab.Model("m"))
	for i, want := range []int{2, 3} {
		req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Go.")}, Tools: []callwright.Tool{{Name: factorial, Schema: []byte(oneInteger)}}}
		resp, err := client.Generate(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if calls := resp.Calls(); len(calls) != 1 || calls[0].Name != factorial || len(upstream.Requests()) != want || len(asked) != i+1 || asked[i] != factorialSent {
			t.Errorf("calls %+v after %d requests, of which the model saw %q", calls, len(upstream.Requests()), asked)
		}
	}
	free := simulate.New(func(s simulate.Seen) simulate.Turn {
		return simulate.Turn{Calls: []simulate.Call{{Name: s.Tools[0], Arguments: `{"n":7}`}}}
	}, simulate.AnyNames())
	req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Go.")}, Tools: []callwright.Tool{{Name: factorial, Schema: []byte(oneInteger)}}}
	resp, err := reliable.New(labOf(t, free).Model("m")).Generate(t.Context(), req)
	if err != nil || len(resp.Report.Notes) > 0 || len(free.Requests()) != 1 || free.Requests()[0].Tools[0] != factorial {
		t.Errorf("got %+v, %v after %d requests", resp, err, len(free.Requests()))
	}
}
