package caps_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/caps"
)

// told is how this test has each fact.
var told = map[string]func(c caps.Caps) string{
	"tools":              func(c caps.Caps) string { return truth(c.Tools) },
	"parses_calls":       func(c caps.Caps) string { return truth(c.ParsesCalls) },
	"parallel_tools":     func(c caps.Caps) string { return truth(c.ParallelTools) },
	"parallel_field":     func(c caps.Caps) string { return truth(c.ParallelField) },
	"choice_forced":      func(c caps.Caps) string { return truth(c.ChoiceForced) },
	"stream_tools":       func(c caps.Caps) string { return truth(c.StreamTools) },
	"json_schema":        func(c caps.Caps) string { return truth(c.JSONSchema) },
	"json_object":        func(c caps.Caps) string { return truth(c.JSONObject) },
	"json_with_tools":    func(c caps.Caps) string { return truth(c.JSONWithTools) },
	"text_calls":         func(c caps.Caps) string { return truth(c.TextCalls) },
	"result_images":      func(c caps.Caps) string { return truth(c.ResultImages) },
	"dialect":            func(c caps.Caps) string { return c.Dialect },
	"reasoning":          func(c caps.Caps) string { return string(c.Reasoning) },
	"reasoning_start":    func(c caps.Caps) string { return c.ReasoningStart },
	"reasoning_back":     func(c caps.Caps) string { return string(c.History.ReasoningBack) },
	"max_tokens_key":     func(c caps.Caps) string { return c.MaxTokensKey },
	"id_extra":           func(c caps.Caps) string { return c.IDs.Extra },
	"max_context":        func(c caps.Caps) string { return number(c.MaxContext) },
	"max_output":         func(c caps.Caps) string { return number(c.MaxOutput) },
	"max_tools":          func(c caps.Caps) string { return number(c.MaxTools) },
	"name_max":           func(c caps.Caps) string { return number(c.NameMax) },
	"id_exact":           func(c caps.Caps) string { return number(c.IDs.Exact) },
	"id_max":             func(c caps.Caps) string { return number(c.IDs.Max) },
	"no_user_after_tool": func(c caps.Caps) string { return flag(c.History.NoUserAfterTool) },
	"result_name":        func(c caps.Caps) string { return flag(c.History.ResultName) },
	"tools_for_calls":    func(c caps.Caps) string { return flag(c.History.ToolsForCalls) },
	"string_content":     func(c caps.Caps) string { return flag(c.History.StringContent) },
	"parallel_unasked":   func(c caps.Caps) string { return truth(c.ParallelUnasked) },
	"efforts":            func(c caps.Caps) string { return c.Efforts },
	"drop_fields":        func(c caps.Caps) string { return c.DropFields },
	"one_system":         func(c caps.Caps) string { return flag(c.History.OneSystem) },
	"no_null_content":    func(c caps.Caps) string { return flag(c.History.NoNullContent) },
	"system_role":        func(c caps.Caps) string { return string(c.History.SystemRole) },
	"prefill":            func(c caps.Caps) string { return string(c.History.Prefill) },
	"mode_success":       func(c caps.Caps) string { return c.Counted.ModeSuccess },
	"remedy_success":     func(c caps.Caps) string { return c.Counted.RemedySuccess },
}

// fact is the text form of one fact, "" where it is unknown.
func fact(c caps.Caps, key string) string {
	if f, ok := told[key]; ok {
		return f(c)
	}
	panic("no such fact in this test: " + key)
}

func truth(t caps.Truth) string {
	if t == caps.Unknown {
		return ""
	}
	return t.String()
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func flag(b bool) string {
	if !b {
		return ""
	}
	return "true"
}

func TestOver(t *testing.T) {
	base := caps.Caps{Tools: caps.Yes, MaxTools: 128, Dialect: "hermes"}.From(caps.Shipped)
	over := caps.Caps{Tools: caps.No, NameMax: 64}.From(caps.Learned)
	got := over.Over(base)
	want := caps.Caps{
		Tools: caps.No, MaxTools: 128, Dialect: "hermes", NameMax: 64,
		Sources: map[string]caps.Source{
			"tools": caps.Learned, "max_tools": caps.Shipped, "dialect": caps.Shipped, "name_max": caps.Learned,
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if base.Tools != caps.Yes || base.Sources["tools"] != caps.Shipped {
		t.Error("the base was changed")
	}
}

func TestWith(t *testing.T) {
	for _, c := range []struct {
		key, value string
		bad        bool
	}{
		{key: "tools", value: "no"}, {key: "json_schema", value: "true"}, {key: "max_tools", value: "12"},
		{key: "dialect", value: "kimi_k2"}, {key: "one_system", value: "true"},
		{key: "schema_target", value: "moonshot"}, {key: "reasoning_back", value: "calls"}, {key: "system_role", value: ""},
		{key: "reasoning", value: "reasoning_text"}, {key: "prefill", value: "partial"},
		{key: "schema_target", value: "Gemini", bad: true}, {key: "reasoning_back", value: "no", bad: true},
		{key: "tools", value: "perhaps", bad: true}, {key: "max_tools", value: "many", bad: true},
		{key: "one_system", value: "?", bad: true}, {key: "wings", value: "yes", bad: true},
	} {
		t.Run(c.key+"="+c.value, func(t *testing.T) {
			before := caps.Caps{MaxContext: 5}
			got, err := before.With(caps.Fact{Key: c.key, Value: c.value, Source: caps.Learned})
			if (err != nil) != c.bad {
				t.Fatalf("err = %v", err)
			}
			if c.bad {
				if d := cmp.Diff(before, got); d != "" {
					t.Errorf("a bad fact changed something\n%s", d)
				}
				return
			}
			if got.Sources[c.key] != caps.Learned || got.MaxContext != 5 || before.Sources != nil {
				t.Errorf("got %+v from %+v", got, before)
			}
		})
	}
}

// A value outside a closed list is refused with the list.
func TestWithListsWhatIsAllowed(t *testing.T) {
	_, err := (caps.Caps{}).With(caps.Fact{Key: "system_role", Value: "tool"})
	if want := `fact system_role: expected system, developer or user, got "tool"`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestReasoningBack(t *testing.T) {
	for back, want := range map[caps.ReasoningBack][4]bool{ // required and refused with calls, then without
		"":                       {false, false, false, false},
		caps.ReasoningBackNever:  {false, true, false, true},
		caps.ReasoningBackAlways: {true, false, true, false},
		caps.ReasoningBackCalls:  {true, false, false, true},
	} {
		if got := [4]bool{back.IsRequired(true), back.IsRefused(true), back.IsRequired(false), back.IsRefused(false)}; got != want {
			t.Errorf("%q: got %v, want %v", back, got, want)
		}
	}
}

// A rule that is shipped can be taken away by configuration.
func TestWithTakesAway(t *testing.T) {
	c := caps.ShippedFor("mistral", "mistral-large-latest")
	for _, f := range []caps.Fact{
		{Key: "no_user_after_tool", Value: "false", Source: caps.Configured}, {Key: "id_exact", Value: "0", Source: caps.Configured},
	} {
		var err error
		if c, err = c.With(f); err != nil {
			t.Fatal(err)
		}
	}
	if c.History.NoUserAfterTool || c.IDs.Exact != 0 || c.Sources["id_exact"] != caps.Configured {
		t.Errorf("got %+v", c)
	}
	layer, err := caps.Caps{}.With(caps.Fact{Key: "id_exact", Value: "0"})
	if err != nil {
		t.Fatal(err)
	}
	c = layer.From(caps.Probed).Over(caps.ShippedFor("mistral", "mistral-large-latest"))
	if c.IDs.Exact != 0 || c.Sources["id_exact"] != caps.Probed || !c.History.NoUserAfterTool {
		t.Errorf("as a layer: %+v", c)
	}
}

func TestKeysAreUniqueAndReadable(t *testing.T) {
	seen := map[string]bool{}
	for _, key := range caps.Keys() {
		if seen[key] {
			t.Errorf("%s stands twice", key)
		}
		seen[key] = true
		ok := false
		for _, value := range []string{"yes", "true", "7", "gemini", "never", "developer", "none", "primed", "native=1+0-0", "look=out", "name/choice=1-0"} {
			c, err := (caps.Caps{}).With(caps.Fact{Key: key, Value: value, Source: caps.Probed})
			ok = ok || err == nil && c.Sources[key] == caps.Probed
		}
		if !ok {
			t.Errorf("%s takes no value", key)
		}
	}
}

// TestReasoningPrimed: that the prompt opens the reasoning may be said of reasoning, whose other values name a member.
func TestReasoningPrimed(t *testing.T) {
	base := caps.Caps{Reasoning: caps.ReasoningContent}.From(caps.Shipped)
	said := caps.Fact{Key: "reasoning", Value: "primed", Source: caps.Configured}
	with, err := base.With(said)
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []caps.Caps{with, base.WithFacts([]caps.Fact{said, {Key: "reasoning_start", Value: "marked", Source: caps.Learned}})} {
		if got.Reasoning != caps.ReasoningContent || got.ReasoningStart != "primed" || got.Sources["reasoning_start"] != caps.Configured || got.Sources["reasoning"] != caps.Shipped {
			t.Errorf("got %+v", got)
		}
	}
}

func TestParseMode(t *testing.T) {
	for name, want := range map[string][]caps.Mode{
		"auto": nil, "native": {caps.Native}, "native_tools": {caps.Native}, "structured": {caps.JSONSchema},
		"json_schema": {caps.JSONSchema}, "json_object": {caps.JSONObject}, "validated": {caps.JSONObject, caps.Text},
		"text": {caps.Text}, "parsed": {caps.Parsed},
	} {
		got, err := caps.ParseMode(name)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
	if _, err := caps.ParseMode("magic"); err == nil {
		t.Error("an unknown mode was taken")
	}
}

func ExampleCaps_With() {
	c := caps.ShippedFor("groq", "llama-3.3-70b-versatile")
	c, _ = c.With(caps.Fact{Key: "tools", Value: "no", Source: caps.Learned})
	fmt.Println(c.Tools, c.Sources["tools"], c.Dialect)
	// Output: no learned llama3_json
}
