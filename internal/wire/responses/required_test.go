package responses_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// required are the members that the published schema of a response requires, with the kinds of values that it and OpenAI's allow:
// https://github.com/openresponses/openresponses/blob/main/schema/components/schemas/ResponseResource.json
var required = map[string][]jsonx.Kind{
	"id": {jsonx.Text}, "object": {jsonx.Text}, "created_at": {jsonx.Number}, "completed_at": {jsonx.Number, jsonx.Null}, "status": {jsonx.Text},
	"incomplete_details": {jsonx.Object, jsonx.Null}, "model": {jsonx.Text}, "previous_response_id": {jsonx.Text, jsonx.Null}, "instructions": {jsonx.Text, jsonx.Null},
	"output": {jsonx.Array}, "error": {jsonx.Object, jsonx.Null}, "tools": {jsonx.Array}, "tool_choice": {jsonx.Text, jsonx.Object}, "truncation": {jsonx.Text},
	"parallel_tool_calls": {jsonx.Bool}, "text": {jsonx.Object}, "top_p": {jsonx.Number}, "presence_penalty": {jsonx.Number}, "frequency_penalty": {jsonx.Number},
	"top_logprobs": {jsonx.Number}, "temperature": {jsonx.Number}, "reasoning": {jsonx.Object, jsonx.Null}, "user": {jsonx.Text, jsonx.Null},
	"usage": {jsonx.Object, jsonx.Null}, "max_output_tokens": {jsonx.Number, jsonx.Null}, "max_tool_calls": {jsonx.Number, jsonx.Null}, "store": {jsonx.Bool},
	"background": {jsonx.Bool}, "service_tier": {jsonx.Text}, "metadata": {jsonx.Object}, "safety_identifier": {jsonx.Text, jsonx.Null}, "prompt_cache_key": {jsonx.Text, jsonx.Null},
}

// checkRequired holds a response object against the schema.
func checkRequired(t *testing.T, object []byte) {
	t.Helper()
	for name, kinds := range required {
		v, has := jsonx.Find(object, name)
		if !has {
			t.Errorf("%s is missing in %s", name, object)
			continue
		}
		if !strings.Contains(kindsOf(kinds), jsonx.KindOf(v).String()) {
			t.Errorf("%s is %s: want %s", name, v, kindsOf(kinds))
		}
	}
	for _, inside := range [][]string{{"text", "format"}, {"reasoning", "effort"}, {"reasoning", "summary"}, {"usage", "input_tokens"}, {"usage", "output_tokens"},
		{"usage", "total_tokens"}, {"usage", "input_tokens_details", "cached_tokens"}, {"usage", "output_tokens_details", "reasoning_tokens"},
		{"usage", "input_tokens_details", "cache_write_tokens"}} { // the last one: https://github.com/openai/openai-python/blob/main/src/openai/types/responses/response_usage.py
		if v, _ := jsonx.Find(object, inside[0]); jsonx.KindOf(v) == jsonx.Object {
			if _, has := jsonx.Lookup(object, inside...); !has {
				t.Errorf("%s lacks %s", v, strings.Join(inside[1:], "."))
			}
		}
	}
	status, _ := jsonx.Find(object, "status")
	if used, _ := jsonx.Find(object, "usage"); jsonx.IsObject(used) == (string(status) == `"in_progress"`) {
		t.Errorf("status %s, usage %s", status, used) // clients refuse null at the end
	}
	done, _ := jsonx.Find(object, "completed_at")
	if (string(status) == `"completed"`) != (jsonx.KindOf(done) == jsonx.Number) {
		t.Errorf("status %s, completed_at %s", status, done)
	}
}

func kindsOf(kinds []jsonx.Kind) string {
	var out []string
	for _, k := range kinds {
		out = append(out, k.String())
	}
	return strings.Join(out, " or ")
}

// itemRequired are the members that the published schemas require of each kind of item: OpenAI's, Open Responses', and those of the SDKs of
// xAI and OpenRouter, which take less than OpenAI's schema allows.
var itemRequired = map[string][]string{
	"message":       {"id", "status", "role", "content"},
	"function_call": {"id", "status", "call_id", "name", "arguments"},
	"reasoning":     {"id", "status", "summary"},
}

// checkItems holds the items of a response object, or one of an event, against the schemas.
func checkItems(t *testing.T, items ...[]byte) (kinds []string) {
	t.Helper()
	for _, item := range items {
		kind, _ := jsonx.String(must(jsonx.Find(item, "type")))
		kinds = append(kinds, kind)
		names, known := itemRequired[kind]
		if !known {
			t.Errorf("an item of a kind without a row: %s", item)
		}
		for _, name := range names {
			if v, has := jsonx.Find(item, name); !has || jsonx.IsNull(v) {
				t.Errorf("%s is missing in %s", name, item)
			}
		}
	}
	return kinds
}

func must(v []byte, _ bool) []byte { return v }

// eventRequired are the members that OpenAI's schema requires of each kind of event, beside type and sequence_number:
// https://github.com/openai/openai-openapi
var eventRequired = map[string][]string{
	"response.created": {"response"}, "response.in_progress": {"response"}, "response.completed": {"response"},
	"response.output_item.added": {"output_index", "item"}, "response.output_item.done": {"output_index", "item"},
	"response.content_part.added":            {"item_id", "output_index", "content_index", "part"},
	"response.content_part.done":             {"item_id", "output_index", "content_index", "part"},
	"response.output_text.delta":             {"item_id", "output_index", "content_index", "delta", "logprobs"},
	"response.output_text.done":              {"item_id", "output_index", "content_index", "text", "logprobs"},
	"response.function_call_arguments.delta": {"item_id", "output_index", "delta"},
	"response.function_call_arguments.done":  {"item_id", "output_index", "name", "arguments"},
	"response.reasoning_summary_part.added":  {"item_id", "output_index", "summary_index", "part"},
	"response.reasoning_summary_part.done":   {"item_id", "output_index", "summary_index", "part"},
	"response.reasoning_summary_text.delta":  {"item_id", "output_index", "summary_index", "delta"},
	"response.reasoning_summary_text.done":   {"item_id", "output_index", "summary_index", "text"},
	"response.refusal.delta":                 {"item_id", "output_index", "content_index", "delta"},
	"response.refusal.done":                  {"item_id", "output_index", "content_index", "refusal"},
}

// checkEvent holds an event against the schema.
func checkEvent(t *testing.T, event []byte) {
	t.Helper()
	kind, _ := jsonx.String(must(jsonx.Find(event, "type")))
	names, known := eventRequired[kind]
	if !known {
		t.Errorf("an event of a kind without a row: %s", event)
	}
	for _, name := range append(names, "sequence_number") {
		if _, has := jsonx.Find(event, name); !has {
			t.Errorf("%s is missing in %s", name, event)
		}
	}
}

// Every item of an answer of another API has the members that the schemas require, whole and in each event of a stream.
func TestRequiredMembersOfItems(t *testing.T) {
	req := decode(t, `{"model":"m","input":"hi"}`)
	for name, r := range map[string]callwright.Reasoning{
		"text": {Text: "Hm."}, "signed": {Text: "Hm.", Signature: "s", Origin: callwright.Origin{Wire: callwright.WireAnthropic}},
		"state alone": {Redacted: "x", Origin: callwright.Origin{Wire: callwright.WireAnthropic}},
	} {
		call := callwright.Call{ID: "c", Name: "f", Arguments: []byte(`{}`), Signature: "g", Origin: callwright.Origin{Wire: callwright.WireGemini}}
		resp := &callwright.Response{Model: "m", Finish: callwright.FinishCalls, Parts: []callwright.Part{r, callwright.Text{Text: "Hello"}, call}}
		whole, _, err := responses.Codec{}.EncodeResponse(req, resp)
		if err != nil {
			t.Fatal(err)
		}
		want := "reasoning message reasoning function_call"
		if got := strings.Join(checkItems(t, outputOf(whole)...), " "); got != want {
			t.Errorf("%s: items %s in %s", name, got, whole)
		}
		begin := callwright.CallBegin{ID: call.ID, Name: call.Name, Signature: call.Signature, Origin: call.Origin}
		events := []callwright.Event{callwright.Begin{Model: "m"}}
		if r.Text != "" {
			events = append(events, callwright.ReasoningDelta{Text: r.Text})
		}
		events = append(events, callwright.ReasoningEnd{Signature: r.Signature, Redacted: r.Redacted, Origin: r.Origin}, callwright.TextDelta{Text: "Hello"},
			begin, callwright.CallDelta{Text: "{}"}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls})
		var begun, ended []string
		for line := range strings.Lines(string(responses.Codec{}.NewStreamEncoder(req).Encode(nil, callwright.Batch{Events: events}))) {
			data, ok := strings.CutPrefix(line, "data: ")
			if !ok {
				continue
			}
			checkEvent(t, []byte(data))
			if object, has := jsonx.Find([]byte(data), "response"); has {
				ended = append(ended, strings.Join(checkItems(t, outputOf(object)...), " "))
			}
			if item, has := jsonx.Find([]byte(data), "item"); has {
				begun = append(begun, checkItems(t, item)...)
			}
		}
		if len(begun) != 8 || len(ended) != 3 || ended[2] != want { // an event for the beginning and one for the end of each
			t.Errorf("%s: items %s in events, and %q in objects", name, begun, ended)
		}
	}
}

// outputOf are the items of a response object.
func outputOf(object []byte) (out [][]byte) {
	for item := range jsonx.Elements(must(jsonx.Find(object, "output"))) {
		out = append(out, item)
	}
	return out
}

// Every response object of an answer of another API has the members that the schema requires: whole, in each event of a stream, and
// whatever the request says of them.
func TestRequiredMembers(t *testing.T) {
	for _, usage := range []callwright.Usage{{Known: true, Input: 3, Output: 4}, {}} { // some servers do not tell it
		for _, body := range []string{
			`{"model":"m","input":"hi"}`,
			`{"model":"m","input":"hi","text":{"verbosity":"low"},"reasoning":{"effort":"low"},"temperature":null,"top_p":0.5,"metadata":null,"service_tier":"auto","user":"u","store":false}`,
		} {
			req := decode(t, body)
			for _, finish := range []callwright.Finish{callwright.FinishStop, callwright.FinishLength, callwright.FinishCalls, callwright.FinishContentFilter, callwright.FinishError} {
				checkObjects(t, req, usage, finish)
			}
		}
	}
}

// checkObjects writes an answer that ends so, whole and streamed, and holds each response object of it against the schema. A stream that ends with an
// error fails.
func checkObjects(t *testing.T, req *callwright.Request, usage callwright.Usage, finish callwright.Finish) {
	t.Helper()
	parts := []callwright.Part{callwright.Text{Text: "Hello"}, callwright.Call{ID: "c", Name: "f", Arguments: []byte(`{}`)}}
	whole, _, err := responses.Codec{}.EncodeResponse(req, &callwright.Response{Model: "m", Parts: parts, Finish: finish, Usage: usage})
	if err != nil {
		t.Fatal(err)
	}
	checkRequired(t, whole)
	events := []callwright.Event{callwright.Begin{Model: "m"}, callwright.TextDelta{Text: "Hello"}, callwright.UsageDelta{Usage: usage}}
	e := responses.Codec{}.NewStreamEncoder(req)
	var out []byte
	if finish == callwright.FinishError {
		out = e.Fail(e.Encode(nil, callwright.Batch{Events: events}), &callwright.Error{Kind: callwright.KindOverloaded, Message: "no"})
	} else {
		out = e.Encode(nil, callwright.Batch{Events: append(events, callwright.End{Finish: finish})})
	}
	objects := 0
	for line := range strings.Lines(string(out)) {
		data, ok := strings.CutPrefix(line, "data: ")
		if object, has := jsonx.Find([]byte(data), "response"); ok && has {
			objects++
			checkRequired(t, object)
		}
	}
	if objects != 3 { // created, in_progress, and the end
		t.Errorf("%d objects in %s", objects, out)
	}
}

// An answer of another API repeats the settings of its request, as OpenAI's does: whole, and in each object of a stream. Tools and formats
// have the members that the schema requires, whatever the request gives of them.
func TestRepeatsRequest(t *testing.T) {
	for given, want := range map[string]string{
		`"instructions":"Be short."`: ``, `"instructions":null`: ``, `"temperature":0.25`: ``, `"top_p":0.5`: ``, `"max_output_tokens":99`: ``,
		`"parallel_tool_calls":false`: ``, `"metadata":{"a":"b"}`: ``, `"truncation":"auto"`: ``, `"store":false`: ``, `"max_tool_calls":3`: ``,
		`"top_logprobs":2`: ``, `"prompt_cache_key":"k"`: ``, `"safety_identifier":"s"`: ``, `"service_tier":"auto"`: ``,
		`"metadata":null`:                              `"metadata":{}`,
		`"tools":null`:                                 `"tools":[]`,
		`"tool_choice":null`:                           `"tool_choice":"auto"`,
		`"reasoning":{"effort":"low"}`:                 `"reasoning":{"effort":"low","summary":null}`,
		`"reasoning":{"summary":"auto","effort":null}`: `"reasoning":{"summary":"auto","effort":null}`,
		`"text":{"verbosity":"low"}`:                   `"text":{"verbosity":"low","format":{"type":"text"}}`,
		`"text":{"verbosity":null,"format":null}`:      `"text":{"format":{"type":"text"}}`,
		`"text":{"format":{"type":"json_object"}}`:     ``,
		`"text":{"format":{"type":"json_schema","name":"n","schema":{"type":"object"}}}`:                                           `"text":{"format":{"type":"json_schema","name":"n","schema":{"type":"object"},"description":null,"strict":false}}`,
		`"text":{"format":{"type":"json_schema","name":"n","strict":null,"description":"d","schema":{}}}`:                          `"text":{"format":{"type":"json_schema","name":"n","description":"d","schema":{},"strict":false}}`,
		`"tools":[{"type":"function","name":"f"}]`:                                                                                 `"tools":[{"type":"function","name":"f","description":null,"parameters":null,"strict":null}]`,
		`"tools":[{"name":"f","strict":true,"parameters":{"type":"object","maximum":9007199254740993}}]`:                           `"tools":[{"name":"f","strict":true,"parameters":{"type":"object","maximum":9007199254740993},"type":"function","description":null}]`,
		`"tools":[{"type":"mcp","server_label":"l","authorization":"token-0123","headers":{"X-Key":"key-0123"}}]`:                  `"tools":[{"type":"mcp","server_label":"l","authorization":"[redacted]","headers":{"X-Key":"[redacted]"}}]`,
		`"tools":[{"type":"custom","name":"c"},{"type":"web_search"}]`:                                                             ``,
		`"tools":[{"type":"function","name":"f"}],"tool_choice":{"type":"function","name":"f"}`:                                    `"tool_choice":{"type":"function","name":"f"}`,
		`"tools":[{"type":"function","name":"f"}],"tool_choice":{"type":"allowed_tools","tools":[{"type":"function","name":"f"}]}`: `"tool_choice":{"type":"allowed_tools","tools":[{"type":"function","name":"f"}],"mode":"auto"}`,
	} {
		if want == "" {
			want = given
		}
		name, value, _ := strings.Cut(want, ":")
		name = strings.Trim(name, `"`)
		for _, object := range objectsOf(t, decode(t, `{"model":"m","input":"hi",`+given+`}`)) {
			if got, _ := jsonx.Find(object, name); string(got) != value {
				t.Errorf("%s: got %s, want %s", given, got, value)
			}
			for _, complaint := range wiretest.OpenResponsesComplaints(object) {
				if !strings.Contains(given, `"custom"`) && !strings.Contains(given, `"mcp"`) { // the published schema has functions alone
					t.Errorf("%s: %s", given, complaint)
				}
			}
		}
	}
}

// An answer names the earlier answer that its request goes on from, although the provider is sent the items in its place.
func TestRepeatsEarlier(t *testing.T) {
	req := decode(t, `{"model":"m","input":"hi"}`)
	companion.Change(req, func(c *companion.Companion) { c.Earlier = `resp_"1` })
	for _, object := range objectsOf(t, req) {
		if got, _ := jsonx.Find(object, "previous_response_id"); string(got) != `"resp_\"1"` {
			t.Errorf("got %s in %s", got, object)
		}
	}
}

// objectsOf are the response objects of an answer of another API: the whole one, and those in the events of a stream.
func objectsOf(t *testing.T, req *callwright.Request) [][]byte {
	t.Helper()
	whole, _, err := responses.Codec{}.EncodeResponse(req, &callwright.Response{Model: "m", Parts: []callwright.Part{callwright.Text{Text: "Hello"}}, Finish: callwright.FinishStop})
	if err != nil {
		t.Fatal(err)
	}
	out := [][]byte{whole}
	stream := responses.Codec{}.NewStreamEncoder(req).Encode(nil, callwright.Batch{Events: []callwright.Event{callwright.Begin{Model: "m"}, callwright.TextDelta{Text: "Hello"},
		callwright.End{Finish: callwright.FinishStop}}})
	for line := range strings.Lines(string(stream)) {
		data, ok := strings.CutPrefix(line, "data: ")
		if object, has := jsonx.Find([]byte(data), "response"); ok && has {
			out = append(out, object)
		}
	}
	if len(out) != 4 {
		t.Fatalf("%d objects", len(out))
	}
	return out
}
