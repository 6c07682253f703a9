package probe_test

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/probe"
	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
)

// able is what a model that can do everything is found to be.
var able = map[string]string{
	"tools": "yes", "choice_forced": "yes", "parallel_tools": "yes", "parallel_field": "yes", "parallel_unasked": "yes", "stream_tools": "yes",
	"stream_usage": "yes", "strict_tools": "yes", "images": "yes", "result_images": "yes", "json_object": "yes", "json_schema": "yes", "json_with_tools": "yes",
}

// nativeFacts are the facts that take native calls to find.
var nativeFacts = []string{"choice_forced", "parallel_tools", "parallel_field", "parallel_unasked", "stream_tools", "strict_tools", "result_images", "json_with_tools"}

// but is able with other values; "" takes a fact away.
func but(changes map[string]string, without ...string) map[string]string {
	out := maps.Clone(able)
	for _, key := range without {
		delete(out, key)
	}
	for key, value := range changes {
		if out[key] = value; value == "" {
			delete(out, key)
		}
	}
	return out
}

// turn is an answer of the model that can do everything: it sees the colour of images.
func turn(req simulate.Seen) simulate.Turn {
	if bytes.Contains(req.Body, []byte("iVBOR")) {
		return simulate.Turn{Text: "Red."}
	}
	return simulate.Weather()(req)
}

// refusal is a 400.
func refusal(text string) simulate.Turn { return simulate.Turn{Status: 400, Text: text} }

// says reports whether the body of a request has a text.
func says(req simulate.Seen, text string) bool { return bytes.Contains(req.Body, []byte(text)) }

// one is the turn with its first call alone.
func one(t simulate.Turn) simulate.Turn {
	t.Calls = t.Calls[:min(1, len(t.Calls))]
	return t
}

// mutely is the turn with text in place of calls.
func mutely(t simulate.Turn) simulate.Turn {
	if len(t.Calls) > 0 {
		return simulate.Turn{Text: "I would rather not."}
	}
	return t
}

func withFault(t simulate.Turn, name string, options ...string) simulate.Turn {
	t.Fault = simulate.Fault{Name: name, Options: options}
	return t
}

// profiles are models with what they can do: what they answer, the facts to be found, and the checks that do not pass.
var profiles = []struct {
	name   string
	model  string // "one" where it is empty
	turn   simulate.Script
	facts  map[string]string
	failed []string
	counts probe.Counts
}{
	{name: "able", turn: turn, facts: able},
	{name: "tools refused", turn: func(req simulate.Seen) simulate.Turn {
		if len(req.Tools) > 0 {
			return refusal("this model does not support tools")
		}
		return turn(req)
	}, facts: but(map[string]string{"tools": "no", "dialect": "hermes"}, nativeFacts...), failed: []string{"native_call"}},
	{name: "tools refused without a reason", model: "qwen3-coder", turn: func(req simulate.Seen) simulate.Turn {
		if len(req.Tools) > 0 {
			return refusal("bad request")
		}
		return turn(req)
	}, facts: but(map[string]string{"tools": "no", "dialect": "hermes"}, nativeFacts...), failed: []string{"native_call"}},
	{name: "tools ignored", turn: func(req simulate.Seen) simulate.Turn {
		if len(req.Tools) > 0 {
			return mutely(turn(req))
		}
		return turn(req)
	}, facts: but(map[string]string{"tools": "no", "choice_forced": "no", "dialect": "hermes"}, nativeFacts...),
		failed: []string{"native_call", "choice_required", "tools_ignored"}},
	{name: "calls only when forced", turn: func(req simulate.Seen) simulate.Turn {
		if req.Choice == "auto" && len(req.Tools) == 1 && strings.Contains(req.User, "Oslo?") && !req.Stream && req.Format == nil {
			return mutely(turn(req))
		}
		return turn(req)
	}, facts: but(map[string]string{"strict_tools": ""}), failed: []string{"native_call", "strict_tools"}},
	{name: "calls as text", turn: func(req simulate.Seen) simulate.Turn { return withFault(turn(req), "hermes") },
		facts:  but(map[string]string{"tools": "", "text_calls": "yes", "dialect": "hermes"}, nativeFacts...),
		failed: []string{"native_call", "text_calls"}},
	{name: "calls as text of another family", turn: func(req simulate.Seen) simulate.Turn { return withFault(turn(req), "qwen3xml") },
		facts:  but(map[string]string{"tools": "", "text_calls": "yes", "dialect": "qwen3_coder"}, nativeFacts...),
		failed: []string{"native_call", "text_calls"}},
	{name: "one call at a time", turn: func(req simulate.Seen) simulate.Turn { return one(turn(req)) },
		facts: but(map[string]string{"parallel_tools": "no", "parallel_unasked": ""}), failed: []string{"parallel_calls"}},
	{name: "several calls when asked", turn: func(req simulate.Seen) simulate.Turn {
		if says(req, `"parallel_tool_calls":true`) {
			return turn(req)
		}
		return one(turn(req))
	}, facts: but(map[string]string{"parallel_unasked": "no"})},
	{name: "no word about parallel calls", turn: func(req simulate.Seen) simulate.Turn {
		if says(req, "parallel_tool_calls") {
			return refusal("Unsupported parameter: 'parallel_tool_calls' is not supported with this model.")
		}
		return turn(req)
	}, facts: but(map[string]string{"parallel_field": "no"}), failed: []string{"parallel_off"}},
	{name: "parallel all the same", turn: func(req simulate.Seen) simulate.Turn {
		req.Serial = false
		return turn(req)
	}, facts: able, failed: []string{"parallel_off"}},
	{name: "forced choice refused", turn: func(req simulate.Seen) simulate.Turn {
		if req.Choice != "auto" && req.Choice != "none" {
			return refusal("tool_choice forces tool use is not compatible with this model")
		}
		return turn(req)
	}, facts: but(map[string]string{"choice_forced": "no"}), failed: []string{"choice_required", "choice_named"}},
	{name: "forced choice ignored", turn: func(req simulate.Seen) simulate.Turn {
		if req.Choice != "auto" && req.Choice != "none" {
			return mutely(turn(req))
		}
		return turn(req)
	}, facts: but(map[string]string{"choice_forced": "no"}), failed: []string{"choice_required", "choice_named"}},
	{name: "another tool than named", turn: func(req simulate.Seen) simulate.Turn {
		if req.Choice == "get_time" {
			req.Choice = "get_weather"
		}
		return turn(req)
	}, facts: but(map[string]string{"choice_forced": "no"}), failed: []string{"choice_named"}},
	{name: "calls where none may be", turn: func(req simulate.Seen) simulate.Turn {
		if req.Choice == "none" {
			req.Choice = "auto"
		}
		return turn(req)
	}, facts: able, failed: []string{"choice_none"}},
	{name: "no calls in streams", turn: func(req simulate.Seen) simulate.Turn {
		if req.Stream {
			return mutely(turn(req))
		}
		return turn(req)
	}, facts: but(map[string]string{"stream_tools": "no"}), failed: []string{"stream_call"}},
	{name: "pieces of calls under one index", turn: func(req simulate.Seen) simulate.Turn { return withFault(turn(req), "index", "missing") },
		facts: able, failed: []string{"stream_call"}},
	{name: "no usage in streams", turn: func(req simulate.Seen) simulate.Turn {
		if says(req, "stream_options") {
			return refusal("Unsupported parameter: 'stream_options' is not supported.")
		}
		return turn(req)
	}, facts: but(map[string]string{"stream_usage": "no"}), failed: []string{"stream_usage"}},
	{name: "no schema", turn: func(req simulate.Seen) simulate.Turn {
		if says(req, `"json_schema"`) {
			return refusal("This model does not support response format json_schema")
		}
		return turn(req)
	}, facts: but(map[string]string{"json_schema": "no", "json_with_tools": ""}), failed: []string{"json_schema"}},
	{name: "JSON asked for in vain", turn: func(req simulate.Seen) simulate.Turn {
		req.Format = nil
		return turn(req)
	}, facts: but(map[string]string{"json_object": "no", "json_schema": "no", "json_with_tools": ""}), failed: []string{"json_object", "json_schema"}},
	{name: "JSON or tools", turn: func(req simulate.Seen) simulate.Turn {
		if req.Format != nil && len(req.Tools) > 0 {
			return refusal("json mode cannot be combined with tool/function calling")
		}
		return turn(req)
	}, facts: but(map[string]string{"json_with_tools": "no"}), failed: []string{"json_with_tools"}},
	{name: "no strict tools", turn: func(req simulate.Seen) simulate.Turn {
		if says(req, `"strict":true`) && len(req.Tools) > 0 && req.Format == nil {
			return refusal("Unknown parameter: 'tools[0].function.strict'.")
		}
		return turn(req)
	}, facts: but(map[string]string{"strict_tools": "no"}), failed: []string{"strict_tools"}},
	{name: "blind", turn: simulate.Weather(), facts: but(map[string]string{"images": "", "result_images": ""}), failed: []string{"image"}},
	{name: "blind to results", turn: func(req simulate.Seen) simulate.Turn {
		if len(req.Results) > 0 {
			return simulate.Weather()(req)
		}
		return turn(req)
	}, facts: but(map[string]string{"result_images": "no"}), failed: []string{"result_image"}},
	{name: "few tools", turn: func(req simulate.Seen) simulate.Turn {
		if len(req.Tools) > 16 {
			return refusal("Invalid 'tools': array too long. Expected an array with maximum length 16, but got an array with length 40 instead.")
		}
		return turn(req)
	}, facts: but(map[string]string{"max_tools": "16"}), failed: []string{"many_tools"}},
	{name: "thinks", turn: func(req simulate.Seen) simulate.Turn {
		t := turn(req)
		t.Reasoning = "I have to think about this."
		return t
	}, facts: but(map[string]string{"reasoning_with_tools": "yes"})},
	{name: "thinks or calls", turn: func(req simulate.Seen) simulate.Turn {
		if says(req, "reasoning_effort") && len(req.Tools) > 0 {
			return refusal("Function tools with reasoning_effort are not supported in /v1/chat/completions. Please use /v1/responses instead.")
		}
		t := turn(req)
		t.Reasoning = "I have to think about this."
		return t
	}, facts: but(map[string]string{"reasoning_with_tools": "no"}), failed: []string{"reasoning_with_tools"}},
	{name: "cannot be asked to think", turn: func(req simulate.Seen) simulate.Turn {
		if says(req, "reasoning_effort") {
			return refusal("this model does not support thinking")
		}
		return turn(req)
	}, facts: but(map[string]string{"drop_fields": "reasoning_effort"})},
	{name: "another name of the limit", turn: func(req simulate.Seen) simulate.Turn {
		if says(req, `"max_tokens"`) {
			return refusal("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")
		}
		return turn(req)
	}, facts: but(map[string]string{"max_tokens_key": "max_completion_tokens"})},
	{name: "cut off when forced", turn: func(req simulate.Seen) simulate.Turn {
		t := turn(req)
		if len(req.Tools) > 0 {
			t = mutely(t)
		}
		if req.Choice == "required" {
			t.Finish = "length"
		}
		return t
	}, facts: but(map[string]string{"tools": "", "dialect": "hermes"}, nativeFacts...), failed: []string{"native_call"}},
	{name: "ids shared", turn: func(req simulate.Seen) simulate.Turn { return withFault(turn(req), "id", "dup") }, facts: able, failed: []string{"unique_ids"}},
	{name: "no ids", turn: func(req simulate.Seen) simulate.Turn { return withFault(turn(req), "id", "missing") },
		facts: but(nil, "result_images", "json_with_tools"), failed: []string{"unique_ids", "result_turn"}},
	{name: "every call twice", turn: func(req simulate.Seen) simulate.Turn {
		t := turn(req)
		t.Calls = append(t.Calls, t.Calls...)
		return t
	}, facts: but(map[string]string{"strict_tools": "", "json_with_tools": "", "result_images": ""}), failed: []string{"native_call", "parallel_off", "stream_call", "unicode_arguments",
		"big_integer", "empty_arguments", "nested_arguments", "enum_arguments", "long_arguments", "many_tools", "strict_tools", "result_image", "json_with_tools"}},
	{name: "finish reasons lie", turn: func(req simulate.Seen) simulate.Turn { return withFault(turn(req), "finish", "stop_with_calls") },
		facts: able, failed: []string{"finish_reason"}},
	{name: "rounds numbers", turn: func(req simulate.Seen) simulate.Turn {
		t := turn(req)
		for i := range t.Calls {
			t.Calls[i].Arguments = strings.Replace(t.Calls[i].Arguments, "9007199254740993", "9007199254740992", 1)
		}
		return t
	}, facts: able, failed: []string{"big_integer"}},
	{name: "one damaged call", turn: func(req simulate.Seen) simulate.Turn {
		t := turn(req)
		for i := range t.Calls {
			t.Calls[i].Arguments = strings.Replace(t.Calls[i].Arguments, `"level":2`, `"level":"2"`, 1)
			t.Calls[i].Arguments = strings.Replace(t.Calls[i].Arguments, `"zip":"00142"}`, `"zip":"00142",}`, 1)
		}
		return t
	}, facts: but(map[string]string{"needs_help": "yes"}), failed: []string{"nested_arguments", "enum_arguments"}, counts: probe.Counts{InvalidJSON: 2, SchemaMismatch: 2}},
}

// A probe finds the abilities that a model was given, and no others.
func TestAbilities(t *testing.T) {
	for i := range profiles {
		p := &profiles[i]
		t.Run(p.name, func(t *testing.T) {
			name := p.model
			if name == "" {
				name = "one"
			}
			m, fake := serve(t, callwright.WireOpenAI, name, p.turn)
			card, err := probe.Run(t.Context(), m, probe.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(p.facts, card.Facts); d != "" {
				t.Errorf("facts (-want +got)\n%s", d)
			}
			var failed []string
			for _, c := range card.Checks {
				if c.Result == probe.Fail {
					failed = append(failed, c.Name)
				}
				if c.Why == "" || c.About == "" {
					t.Errorf("%+v", c)
				}
			}
			if d := cmp.Diff(p.failed, failed); d != "" {
				t.Errorf("failed (-want +got)\n%s%v", d, card.Checks)
			}
			if d := cmp.Diff(p.counts, card.Counts); d != "" {
				t.Errorf("counts (-want +got)\n%s", d)
			}
			if n := len(fake.Requests()); n != card.Sent || n > probe.MaxRequests() {
				t.Errorf("%d requests, %d said, at most %d", n, card.Sent, probe.MaxRequests())
			}
		})
	}
}

// Over each API a model that can do everything is found to do what the API has a place for.
func TestWires(t *testing.T) {
	thinks := map[string]string{"reasoning_with_tools": "yes"}
	for wire, want := range map[callwright.WireName]struct {
		facts   map[string]string
		skipped []string
	}{
		callwright.WireOpenAI:    {able, []string{"reasoning_with_tools"}},
		callwright.WireResponses: {but(thinks), nil},
		callwright.WireAnthropic: {but(thinks, "json_object"), []string{"json_object"}},
		callwright.WireGemini:    {but(thinks, "parallel_field"), []string{"parallel_off"}},
		callwright.WireOllama: {but(thinks, "choice_forced", "parallel_field", "strict_tools"),
			[]string{"choice_required", "choice_named", "parallel_off", "strict_tools"}},
	} {
		t.Run(string(wire), func(t *testing.T) {
			m, _ := serve(t, wire, "one", turn)
			card, err := probe.Run(t.Context(), m, probe.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want.facts, card.Facts); d != "" {
				t.Errorf("facts (-want +got)\n%s", d)
			}
			var skipped []string
			for _, c := range card.Checks {
				switch c.Result {
				case probe.Skip:
					skipped = append(skipped, c.Name)
				case probe.Fail:
					t.Errorf("%+v", c)
				case probe.Pass:
				}
			}
			if d := cmp.Diff(want.skipped, skipped); d != "" {
				t.Errorf("skipped (-want +got)\n%s", d)
			}
		})
	}
}
