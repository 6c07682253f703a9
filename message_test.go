package callwright_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright"
)

func TestModelIDSplit(t *testing.T) {
	for _, tc := range []struct{ id, provider, name string }{
		{"groq/llama-3.3-70b", "groq", "llama-3.3-70b"},
		{"openrouter/meta-llama/llama-3", "openrouter", "meta-llama/llama-3"},
		{"fast", "", "fast"},
		{"local/", "local", ""},
		{"/x", "", "x"},
		{"", "", ""},
	} {
		if provider, name := callwright.ModelID(tc.id).Split(); provider != tc.provider || name != tc.name {
			t.Errorf("%q: %q, %q, want %q, %q", tc.id, provider, name, tc.provider, tc.name)
		}
	}
}

// What was split is joined by a slash, wherever the name has more of them.
func TestModelIDSplitLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		provider := rapid.StringMatching(`[a-z0-9_-]{1,8}`).Draw(t, "provider")
		name := rapid.String().Draw(t, "name")
		if p, n := callwright.ModelID(provider + "/" + name).Split(); p != provider || n != name {
			t.Fatalf("%q, %q", p, n)
		}
	})
}

func TestMessagesOfText(t *testing.T) {
	call := callwright.Call{ID: "c1", Name: "find_train", Type: callwright.CustomTool, Signature: "s"}
	said := []callwright.Part{callwright.Text{Text: "at nine"}}
	for _, tc := range []struct {
		got, want callwright.Message
	}{
		{callwright.UserText("at nine"), callwright.Message{Role: callwright.RoleUser, Parts: said}},
		{callwright.SystemText("at nine"), callwright.Message{Role: callwright.RoleSystem, Parts: said}},
		{callwright.AssistantText("at nine"), callwright.Message{Role: callwright.RoleAssistant, Parts: said}},
		{callwright.ToolResult(call, "at nine"), callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{
			callwright.Result{CallID: "c1", Name: "find_train", Type: callwright.CustomTool, Parts: said},
		}}},
	} {
		if d := cmp.Diff(tc.want, tc.got); d != "" {
			t.Errorf("%s: want (-) got (+):\n%s", tc.want.Role, d)
		}
	}
}

// mixed are parts of every type, with two texts and two calls.
var mixed = []callwright.Part{
	callwright.Reasoning{Text: "A train? "},
	callwright.Text{Text: "I look."},
	callwright.Call{ID: "c1", Name: "find_train"},
	callwright.Image{URL: "https://example.org/x.png"},
	callwright.Reasoning{Text: "And a note."},
	callwright.Call{ID: "c2", Name: "write_note"},
	callwright.File{Text: "a file"},
	callwright.Result{CallID: "c1", Parts: []callwright.Part{callwright.Text{Text: "a result"}}},
	callwright.Opaque{},
	callwright.Text{Text: " Done."},
}

func TestTextOf(t *testing.T) {
	for _, tc := range []struct {
		parts []callwright.Part
		want  string
	}{
		{nil, ""},
		{[]callwright.Part{callwright.Call{Name: "ping"}}, ""},
		{[]callwright.Part{callwright.Text{Text: "one"}}, "one"},
		{[]callwright.Part{callwright.Text{Text: ""}, callwright.Text{Text: "two"}}, "two"},
		{[]callwright.Part{callwright.Text{Text: "a"}, callwright.Text{Text: "b"}, callwright.Text{Text: "c"}}, "abc"},
		{mixed, "I look. Done."},
	} {
		if got := callwright.TextOf(tc.parts); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.parts, got, tc.want)
		}
	}
}

func TestResponseReadsItsParts(t *testing.T) {
	r := &callwright.Response{Parts: mixed}
	if got := r.Text(); got != "I look. Done." {
		t.Errorf("text %q", got)
	}
	if got := r.Reasoning(); got != "A train? And a note." {
		t.Errorf("reasoning %q", got)
	}
	if d := cmp.Diff([]callwright.Call{{ID: "c1", Name: "find_train"}, {ID: "c2", Name: "write_note"}}, r.Calls()); d != "" {
		t.Errorf("calls: want (-) got (+):\n%s", d)
	}
	if d := cmp.Diff(callwright.Message{Role: callwright.RoleAssistant, Parts: mixed}, r.Message()); d != "" {
		t.Errorf("message: want (-) got (+):\n%s", d)
	}
	if got := callwright.CallsOf(nil); got != nil {
		t.Errorf("calls of nothing: %v", got)
	}
}

func TestSigned(t *testing.T) {
	extra := callwright.Extra{Wire: callwright.WireGemini, JSON: json.RawMessage(`{"a":1}`)}
	for _, tc := range []struct {
		about string
		part  callwright.Part
		want  bool
	}{
		{"a text", callwright.Text{Text: "x", Extra: extra}, false},
		{"plain reasoning", callwright.Reasoning{Text: "x"}, false},
		{"reasoning with a signature", callwright.Reasoning{Signature: "s"}, true},
		{"redacted reasoning", callwright.Reasoning{Redacted: "r"}, true},
		{"reasoning with an id", callwright.Reasoning{ID: "rs_1"}, true},
		{"reasoning with members of its wire", callwright.Reasoning{Extra: extra}, true},
		{"reasoning with a member that is null", callwright.Reasoning{Extra: callwright.Extra{JSON: json.RawMessage(`{"reasoning":null}`)}}, false},
		{"a plain call", callwright.Call{ID: "c", Extra: extra}, false},
		{"a call with a signature", callwright.Call{Signature: "s"}, true},
	} {
		if got := (callwright.Message{Parts: []callwright.Part{callwright.Text{Text: "first"}, tc.part}}).HasOpaqueState(); got != tc.want {
			t.Errorf("%s: %t", tc.about, got)
		}
	}
	if (callwright.Message{}).HasOpaqueState() {
		t.Error("nothing is signed")
	}
}

func TestExtraHasValues(t *testing.T) {
	for doc, want := range map[string]bool{``: false, `{}`: false, `{"a":null,"b":null}`: false, `{"a":null,"b":0}`: true, `{"a":""}`: true} {
		if got := (callwright.Extra{JSON: json.RawMessage(doc)}).HasValues(); got != want {
			t.Errorf("%s: %t", doc, got)
		}
	}
}

func TestSummaries(t *testing.T) {
	r := &callwright.Request{Messages: []callwright.Message{
		callwright.UserText("  \n"),
		{Role: callwright.RoleAssistant, Parts: []callwright.Part{
			callwright.Reasoning{Text: "hm", Signature: "s"}, callwright.Text{Text: "I look."},
			callwright.Call{ID: "c1", Name: "find_train", Arguments: json.RawMessage(`{"from":"Bonn"}`)},
			callwright.Call{ID: "c2", Name: "ping", Arguments: json.RawMessage(`{"from":`)},
			callwright.Call{ID: "c3", Name: "shell", Type: callwright.CustomTool, Input: "ls"},
		}},
		callwright.ToolResult(callwright.Call{ID: "c1"}, "at nine"),
		{Role: callwright.RoleUser, Parts: []callwright.Part{callwright.Image{Data: "x"}}},
	}}
	want := []callwright.Summary{
		{Role: callwright.RoleUser, Blank: true},
		{Role: callwright.RoleAssistant, Text: true, Reasoning: true, Signed: true, Calls: []callwright.CallRef{
			{ID: "c1", Name: "find_train", Sound: true}, {ID: "c2", Name: "ping"}, {ID: "c3", Name: "shell", Sound: true},
		}},
		{Role: callwright.RoleTool, Results: []string{"c1"}},
		{Role: callwright.RoleUser, Media: true},
	}
	if d := cmp.Diff(want, r.Summaries()); d != "" {
		t.Errorf("want (-) got (+):\n%s", d)
	}
}

func TestChoice(t *testing.T) {
	for _, tc := range []struct {
		choice         callwright.Choice
		forced, allows bool // allows ping
	}{
		{callwright.Choice{}, false, true},
		{callwright.Choice{Mode: callwright.ChoiceAuto, Names: []string{"ping"}}, false, true},
		{callwright.Choice{Mode: callwright.ChoiceAuto, Names: []string{"find_train"}}, false, false},
		{callwright.Choice{Mode: callwright.ChoiceNone}, false, true},
		{callwright.Choice{Mode: callwright.ChoiceRequired}, true, true},
		{callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"find_train"}}, true, false},
	} {
		if forced, allows := tc.choice.IsForced(), tc.choice.Allows("ping"); forced != tc.forced || allows != tc.allows {
			t.Errorf("%+v: forced %t, allows %t", tc.choice, forced, allows)
		}
	}
}

// Names of policies and of ways of streaming are read as they are written; the empty name is the default.
func TestParseNames(t *testing.T) {
	policy := func(s string) (string, error) { p, err := callwright.ParsePolicy(s); return string(p), err }
	calls := func(s string) (string, error) { c, err := callwright.ParseStreamCalls(s); return string(c), err }
	for _, tc := range []struct {
		about string
		parse func(string) (string, error)
		names []string // the default first
	}{
		{"policy", policy, []string{"heal", "heal+heuristic", "observe", "strict", "off"}},
		{"stream_calls", calls, []string{"auto", "held", "flowing"}},
	} {
		if got, err := tc.parse(""); err != nil || got != tc.names[0] {
			t.Errorf("%s: %q, %v, want %s", tc.about, got, err, tc.names[0])
		}
		for _, name := range tc.names {
			if got, err := tc.parse(name); err != nil || got != name {
				t.Errorf("%s %s: %q, %v", tc.about, name, got, err)
			}
		}
		_, err := tc.parse("Heal ")
		if err == nil {
			t.Fatalf("%s: an unknown name was taken", tc.about)
		}
		for _, name := range append(tc.names, tc.about, `"Heal "`) {
			if !strings.Contains(err.Error(), name) {
				t.Errorf("%q does not name %s", err, name)
			}
		}
	}
}
