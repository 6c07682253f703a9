package probe_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/probe"
	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// An ability is one that a model may lack: which requests it refuses or answers otherwise then, and what is found.
type ability struct {
	name string
	// without changes how a request is answered. turn is what the model would say otherwise.
	without func(req simulate.Seen, turn simulate.Script) simulate.Turn
	found   map[string]string // facts that differ; "" is a fact that is not found
	failed  []string          // checks that fail
	native  bool              // it is seen in native calls alone
}

// refusing is a model that refuses some requests.
func refusing(which func(req simulate.Seen) bool, text string) func(simulate.Seen, simulate.Script) simulate.Turn {
	return func(req simulate.Seen, turn simulate.Script) simulate.Turn {
		if which(req) {
			return refusal(text)
		}
		return turn(req)
	}
}

// abilities are those that models have or lack independently of one another, but for what oracle says. The first that changes a request wins.
var abilities = []ability{
	{name: "max_tokens", found: map[string]string{"max_tokens_key": "max_completion_tokens"}, without: refusing(func(req simulate.Seen) bool { return says(req, `"max_tokens"`) },
		"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")},
	{name: "stream_usage", found: map[string]string{"stream_usage": "no"}, failed: []string{"stream_usage"},
		without: refusing(func(req simulate.Seen) bool { return says(req, "stream_options") }, "Unsupported parameter: 'stream_options' is not supported.")},
	{name: "tools", found: map[string]string{"tools": "no", "dialect": "hermes"}, failed: []string{"native_call"},
		without: refusing(func(req simulate.Seen) bool { return len(req.Tools) > 0 }, "this model does not support tools")},
	{name: "parallel_field", native: true, found: map[string]string{"parallel_field": "no"}, failed: []string{"parallel_off"},
		without: refusing(func(req simulate.Seen) bool { return says(req, "parallel_tool_calls") }, "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.")},
	{name: "choice_forced", native: true, found: map[string]string{"choice_forced": "no"}, failed: []string{"choice_required", "choice_named"},
		without: refusing(func(req simulate.Seen) bool { return req.Choice != "auto" && req.Choice != "none" }, "tool_choice forces tool use is not compatible with this model")},
	{name: "max_tools", native: true, found: map[string]string{"max_tools": "16"}, failed: []string{"many_tools"},
		without: refusing(func(req simulate.Seen) bool { return len(req.Tools) > 16 }, "Invalid 'tools': array too long. Expected an array with maximum length 16, but got an array with length 40 instead.")},
	{name: "strict_tools", native: true, found: map[string]string{"strict_tools": "no"}, failed: []string{"strict_tools"},
		without: refusing(func(req simulate.Seen) bool {
			return says(req, `"strict":true`) && len(req.Tools) > 0 && req.Format == nil
		}, "Unknown parameter: 'tools[0].function.strict'.")},
	{name: "json_with_tools", native: true, found: map[string]string{"json_with_tools": "no"}, failed: []string{"json_with_tools"},
		without: refusing(func(req simulate.Seen) bool { return req.Format != nil && len(req.Tools) > 0 }, "json mode cannot be combined with tool/function calling")},
	{name: "json_schema", found: map[string]string{"json_schema": "no"}, failed: []string{"json_schema"},
		without: refusing(func(req simulate.Seen) bool { return says(req, `"json_schema"`) }, "This model does not support response format json_schema")},
	{name: "json_object", found: map[string]string{"json_object": "no"}, failed: []string{"json_object"},
		without: refusing(func(req simulate.Seen) bool { return says(req, `"json_object"`) }, "This model does not support response format json_object")},
	{name: "stream_tools", native: true, found: map[string]string{"stream_tools": "no"}, failed: []string{"stream_call"},
		without: func(req simulate.Seen, turn simulate.Script) simulate.Turn {
			if req.Stream {
				return mutely(turn(req))
			}
			return turn(req)
		}},
	{name: "parallel_tools", native: true, found: map[string]string{"parallel_tools": "no", "parallel_unasked": ""}, failed: []string{"parallel_calls"},
		without: func(req simulate.Seen, turn simulate.Script) simulate.Turn { return one(turn(req)) }},
	{name: "images", found: map[string]string{"images": "", "result_images": ""}, failed: []string{"image"},
		without: func(req simulate.Seen, turn simulate.Script) simulate.Turn {
			if t := turn(req); t.Text != "Red." {
				return t
			}
			return simulate.Turn{Text: "I see nothing."}
		}},
	{name: "quiet", found: map[string]string{"reasoning_with_tools": "yes"}, without: func(req simulate.Seen, turn simulate.Script) simulate.Turn {
		t := turn(req)
		if t.Status == 0 {
			t.Reasoning = "I have to think about this."
		}
		return t
	}},
}

// lacking is a model without some abilities.
func lacking(without map[string]bool) simulate.Script {
	script := turn
	for i := len(abilities) - 1; i >= 0; i-- {
		if a, inner := &abilities[i], script; without[a.name] {
			script = func(req simulate.Seen) simulate.Turn { return a.without(req, inner) }
		}
	}
	return script
}

// oracle says what is to be found of a model without some abilities, and which checks fail.
func oracle(without map[string]bool) (facts map[string]string, failed map[string]bool) {
	facts, failed = maps.Clone(able), map[string]bool{}
	for i := range abilities {
		a := &abilities[i]
		if !without[a.name] || a.native && without["tools"] {
			continue
		}
		for key, value := range a.found {
			facts[key] = value
		}
		for _, name := range a.failed {
			failed[name] = true
		}
	}
	if without["json_schema"] { // nothing is asked beside a schema that it does not take
		facts["json_with_tools"] = ""
		delete(failed, "json_with_tools")
	}
	if without["tools"] {
		for _, key := range append([]string{"reasoning_with_tools"}, nativeFacts...) {
			facts[key] = ""
		}
	}
	if without["parallel_field"] && without["parallel_tools"] { // the second question about two cities was refused
		facts["parallel_tools"] = ""
	}
	maps.DeleteFunc(facts, func(_, value string) bool { return value == "" })
	return facts, failed
}

// Whatever a model lacks, a probe finds exactly that.
func TestDrawnAbilities(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		without := map[string]bool{}
		var names []string
		for i := range abilities {
			if rapid.IntRange(0, 2).Draw(rt, abilities[i].name) == 0 {
				without[abilities[i].name] = true
				names = append(names, abilities[i].name)
			}
		}
		m, fake := serve(t, callwright.WireOpenAI, "one", lacking(without))
		card, err := probe.Run(t.Context(), m, probe.Options{})
		if err != nil {
			rt.Fatal(err)
		}
		about := fmt.Sprintf("without %s", strings.Join(names, ", "))
		facts, failed := oracle(without)
		if d := cmp.Diff(facts, card.Facts); d != "" {
			rt.Errorf("%s: facts (-want +got)\n%s", about, d)
		}
		got := map[string]bool{}
		for _, c := range card.Checks {
			if c.Result == probe.Fail {
				got[c.Name] = true
			}
		}
		if d := cmp.Diff(failed, got); d != "" {
			rt.Errorf("%s: failed (-want +got)\n%s", about, d)
		}
		if n := len(fake.Requests()); n != card.Sent || n > probe.MaxRequests() {
			rt.Errorf("%s: %d requests, %d said, at most %d", about, n, card.Sent, probe.MaxRequests())
		}
	})
}
