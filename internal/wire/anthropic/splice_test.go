package anthropic_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/google/go-cmp/cmp"
)

const spliced = `{ "model": "m", "max_tokens" : 10, "system":[{"type":"text","text":"S","x":1}], "messages": [ {"role":"user","content":"Hi"},` +
	` {"role":"assistant", "content":[ {"type":"tool_use","id":"t1","name":"f","input":{"n":1e400}} ], "y":2}, {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"1"}]}],` +
	` "tools":[{"name":"f","input_schema":{"type":"object"},"strict":true},{"name":"g","input_schema":{"type":"object"}}], "tool_choice":{"type":"auto","z":3}, "thinking":{"type":"adaptive"}, "output_config":{"effort":"low","v":1}, "service_tier":"auto"}`

// spliceCases change a request that came over this wire; replace says, in pairs, what differs from its bytes.
var spliceCases = []struct {
	name    string
	change  func(*callwright.Request)
	caps    caps.Caps
	replace []string
	notes   string
}{
	{name: "nothing", change: func(*callwright.Request) {}},
	{name: "the limit", change: func(r *callwright.Request) { r.Params.MaxTokens = "20" }, replace: []string{`: 10`, `: 20`}},
	{name: "the stream", change: func(r *callwright.Request) { r.Params.Stream = true }, replace: []string{`"auto"}`, `"auto","stream":true}`}},
	{
		name:    "the choice",
		change:  func(r *callwright.Request) { r.Params.Choice = callwright.Choice{Mode: callwright.ChoiceRequired} },
		replace: []string{`{"type":"auto","z":3}`, `{"type":"any","z":3}`},
	},
	{
		name: "some tools",
		change: func(r *callwright.Request) {
			r.Params.Choice = callwright.Choice{Mode: callwright.ChoiceAuto, Names: []string{"g"}}
		},
		replace: []string{`{"name":"f","input_schema":{"type":"object"},"strict":true},`, ``},
		notes:   "tools.filtered",
	},
	{
		name:    "the effort",
		change:  func(r *callwright.Request) { r.Params.Thinking.Effort = "max" },
		replace: []string{`{"effort":"low","v":1}`, `{"effort":"max","v":1}`},
	},
	{name: "thinking off", change: func(r *callwright.Request) { r.Params.Thinking.Off = true }, replace: []string{`{"type":"adaptive"}`, `{"type":"disabled"}`}},
	{
		name:    "the tools",
		change:  func(r *callwright.Request) { r.Tools = []callwright.Tool{{Name: "h"}} },
		replace: []string{spliced[strings.Index(spliced, `[{"name"`):strings.Index(spliced, `, "tool_choice"`)], `[{"name":"h","input_schema":{"type":"object","properties":{}}}]`},
	},
	{
		name:    "no tools",
		change:  func(r *callwright.Request) { r.Tools, r.Params.Choice = []callwright.Tool{}, callwright.Choice{} },
		replace: []string{spliced[strings.Index(spliced, ` "tools"`):strings.Index(spliced, `"thinking"`)], ``},
	},
	{
		name:    "strict refused",
		change:  func(*callwright.Request) {},
		caps:    caps.Caps{StrictTools: caps.No},
		replace: []string{`,"strict":true`, ``},
		notes:   "tools.strict",
	},
	{
		name: "one message",
		change: func(r *callwright.Request) {
			m, _ := r.History()
			m = slices.Clone(m)
			m[3].Parts = []callwright.Part{callwright.Result{CallID: "t1", Parts: []callwright.Part{callwright.Text{Text: "2"}}}}
			r.Messages = m
		},
		replace: []string{`"messages": [ {`, `"messages": [{`, `, {"role":"assistant"`, `,{"role":"assistant"`, `, {"role":"user"`, `,{"role":"user"`, `"content":"1"`, `"content":"2"`},
	},
	{
		name: "a message more",
		change: func(r *callwright.Request) {
			m, _ := r.History()
			r.Messages = append(slices.Clone(m), say(callwright.RoleAssistant, "One."), say(callwright.RoleUser, "Again."))
		},
		replace: []string{`"messages": [ {`, `"messages": [{`, `, {"role":"assistant"`, `,{"role":"assistant"`, `, {"role":"user"`, `,{"role":"user"`, `"1"}]}]`, `"1"}]},{"role":"assistant","content":"One."},{"role":"user","content":"Again."}]`},
	},
	{
		name: "edits",
		change: func(r *callwright.Request) {
			companion.Change(r, func(c *companion.Companion) {
				c.Edits = []callwright.Edit{{Path: []string{"service_tier"}, Value: json.RawMessage(`"x"`)}, {Path: []string{"tools", "*", "strict"}}}
			})
		},
		replace: []string{`"service_tier":"auto"`, `"service_tier":"x"`, `,"strict":true`, ``},
	},
	{
		name:    "members only this wire knows",
		change:  func(r *callwright.Request) { r.Params.User = "u" },
		replace: []string{`"auto"}`, `"auto","metadata":{"user_id":"u"}}`},
	},
}

func TestSplice(t *testing.T) {
	for _, c := range spliceCases {
		t.Run(c.name, func(t *testing.T) {
			req, err := anthropic.Codec{}.DecodeRequest([]byte(spliced))
			if err != nil {
				t.Fatal(err)
			}
			changed := *req
			c.change(&changed)
			out, notes, err := anthropic.Codec{}.EncodeRequest(&changed, "other", c.caps)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Replace(spliced, `"m"`, `"other"`, 1)
			for i := 0; i < len(c.replace); i += 2 {
				want = strings.Replace(want, c.replace[i], c.replace[i+1], 1)
			}
			if diff := cmp.Diff(want, string(out)); diff != "" {
				t.Errorf("unexpected body (-want +got):\n%s", diff)
			}
			if got := rules(notes); got != c.notes {
				t.Errorf("expected notes %q, got %q", c.notes, got)
			}
			if string(companion.Of(req).Body.Bytes()) != spliced {
				t.Error("the body was written to")
			}
		})
	}
}

func TestUntouchedIsTheBodyItself(t *testing.T) {
	body := []byte(spliced + " \n")
	req, err := anthropic.Codec{}.DecodeRequest(body)
	if err != nil {
		t.Fatal(err)
	}
	out, notes, err := anthropic.Codec{}.EncodeRequest(req, "m", caps.Caps{})
	if err != nil || len(notes) > 0 || &out[0] != &body[0] || len(out) != len(body) {
		t.Errorf("expected the body itself, got %s (%v, %v)", out, notes, err)
	}
}

func TestToolsAreCheckedWhenAskedFor(t *testing.T) {
	for body, path := range map[string]string{
		`{"model":"m","messages":[],"tools":[{"name":"a"},{"input_schema":{}}]}`: "/tools/1/name",
		`{"model":"m","messages":[],"tools":[7]}`:                                "/tools/0",
	} {
		req, err := anthropic.Codec{}.DecodeRequest([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		_, err = req.DeclaredTools()
		e, ok := err.(*callwright.Error)
		if !ok || e.Kind != callwright.KindInvalid || e.Path != path {
			t.Errorf("expected an invalid request at %s, got %v", path, err)
		}
	}
}

func TestSystemMessagesInTheMiddle(t *testing.T) {
	body := `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"},{"role":"system","content":"s"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`
	req, err := anthropic.Codec{}.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	changed := *req
	m, _ := req.History()
	changed.Messages = slices.Clone(m)
	for _, c := range []struct {
		caps caps.Caps
		want string
	}{
		{caps.Caps{}, `[{"role":"user","content":"a"},{"role":"system","content":"s"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]`},
		{caps.Caps{History: caps.HistoryRules{OneSystem: true}}, `[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":[{"type":"text","text":"s"},{"type":"text","text":"c"}]}]`},
	} {
		out, _, err := anthropic.Codec{}.EncodeRequest(&changed, "m", c.caps)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, member(t, out, "messages")); diff != "" {
			t.Errorf("unexpected messages (-want +got):\n%s", diff)
		}
	}
}

// Results of one turn that the client spread over several messages go into one, and all other messages keep their bytes.
func TestSpreadResultsAreJoined(t *testing.T) {
	const calls = `{"role":"assistant", "content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}]}`
	req, err := anthropic.Codec{}.DecodeRequest([]byte(`{"model":"m","max_tokens":1,"messages":[{"role":"user" ,"content":"go"},` + calls +
		`,{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"2"},{"type":"text","text":"and"}]},{"role":"user","content":"on"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	out, notes, err := anthropic.Codec{}.EncodeRequest(req, "m", caps.Caps{})
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"role":"user" ,"content":"go"},` + calls + `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"},` +
		`{"type":"tool_result","tool_use_id":"b","content":"2"},{"type":"text","text":"and"}]},{"role":"user","content":"on"}]`
	if diff := cmp.Diff(want, member(t, out, "messages")); diff != "" {
		t.Errorf("unexpected messages (-want +got):\n%s", diff)
	}
	if len(notes) != 1 || notes[0].Rule != "history.joined_results" {
		t.Errorf("unexpected notes %+v", notes)
	}
}
