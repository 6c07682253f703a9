package conformance_test

import (
	"maps"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/conformance"
)

const (
	chat      = conformance.Chat
	responses = conformance.Responses
	anthropic = conformance.Anthropic
	gemini    = conformance.Gemini
	ollama    = conformance.Ollama
)

// A breakageOf is a breakage with the APIs that it is for, nil for all, and further checks that it cannot but break.
type breakageOf struct {
	breakage
	on   []string
	more []string
}

func all(b breakage) []breakageOf { return []breakageOf{{breakage: b}} }

// breakages has for each check what a server does that breaks it.
var breakages = map[string][]breakageOf{
	"answer_json":    all(breakage{reply: ofRome(func(r *reply) { r.body += "]" })}),
	"answer_type":    all(breakage{reply: ofRome(func(r *reply) { r.kind = "text/plain" })}),
	"answer_members": all(breakage{doc: dropMember}),
	"item_form":      all(breakage{doc: dropItemMember}),
	"utf8":           all(breakage{text: replace("hello in one", "hello\xff in one")}),
	"models":         all(breakage{list: `{"list":[]}`}),

	"whole_call":     all(breakage{refuse: ordersOslo(false)}),
	"streamed_call":  all(breakage{refuse: ordersOslo(true)}),
	"same_both_ways": all(breakage{request: dropStreamedTools}),
	"call_form": {{breakage: breakage{doc: onCalls(turnArguments)}}, {breakage: breakage{whole: weatherArguments("{'city':1}")},
		on: []string{anthropic, gemini, ollama}}},
	"arguments_json": all(breakage{doc: breakArguments}),
	"empty_arguments": {{breakage: breakage{doc: emptyArguments}}, {breakage: breakage{whole: weatherArguments(nil)},
		on: []string{anthropic, gemini, ollama}}},
	"parallel_calls": {{breakage: breakage{refuse: func(_ string, asked object) bool {
		return strings.Count(encode(asked), "with exactly") == 2 && !has(asked, "parallel") && !has(asked, "conformanceA") && !has(asked, "assistant")
	}}}, {breakage: breakage{whole: joinCalls}, on: []string{chat, responses}}},
	"parallel_off": all(breakage{request: dropSerial}),
	"text_markup":  all(breakage{text: replace("Here is what I found", "<tool_call>")}),

	"id_present": all(breakage{doc: onCalls(func(api string, c object) { setID(api, c, "") })}),
	"id_unique":  all(breakage{whole: sameIDs}),
	"id_form": all(breakage{doc: onCalls(func(api string, c object) { setID(api, c, strings.Repeat("call.", 20)+text(c, idOf(api))) }),
		request: func(_ string, asked object) { // it takes its own ids back
			sent, _ := decode(strings.ReplaceAll(encode(asked), strings.Repeat("call.", 20), ""))
			maps.Copy(asked, sent)
		}}),
	"item_id":  all(breakage{whole: dropItemIDs}),
	"id_later": all(breakage{whole: numberIDs}),
	"id_echo": all(breakage{refuse: func(_ string, asked object) bool {
		return has(asked, "21 degrees") && !has(asked, "conformanceA") && !has(asked, "sunny in Oslo")
	}}),

	"choice_required": all(breakage{request: dropChoice(func(c string) bool {
		return has(c, `"required"`) || has(c, `"any"`) || has(c, `"ANY"`) && !has(c, "get_time")
	})}),
	"choice_named": {
		{breakage: breakage{request: dropChoice(func(c string) bool { return has(c, "get_time") && !has(c, "allowed_tools") })}, on: []string{chat, responses, anthropic}},
		{breakage: breakage{request: dropChoice(func(c string) bool { return has(c, "get_time") })}, on: []string{gemini}, more: []string{"choice_allowed"}},
	},
	"choice_none": all(breakage{request: dropChoice(func(c string) bool { return has(strings.ToLower(c), `"none"`) })}),
	"choice_allowed": {
		{breakage: breakage{request: dropChoice(func(c string) bool { return has(c, "allowed_tools") })}, on: []string{chat, responses}},
		{breakage: breakage{request: dropChoice(func(c string) bool { return has(c, "get_time") })}, on: []string{gemini}, more: []string{"choice_named"}},
	},

	"finish_known":  all(breakage{doc: onFinish("finished", "stop", "end_turn", "completed", "STOP")}),
	"finish_calls":  {{breakage: breakage{doc: onFinish("stop", "tool_calls")}, on: []string{chat}}, {breakage: breakage{doc: onFinish("end_turn", "tool_use")}, on: []string{anthropic}}},
	"finish_stop":   {{breakage: breakage{doc: onFinish("tool_calls", "stop")}, on: []string{chat}}, {breakage: breakage{doc: onFinish("tool_use", "end_turn")}, on: []string{anthropic}}},
	"finish_length": all(breakage{request: freeLimit(16)}),
	"finish_one":    all(breakage{events: endTwice}),

	"cut_finish": all(breakage{request: freeLimit(48)}),
	"cut_end":    all(breakage{doc: endArguments}),

	"result_taken": {
		{breakage: breakage{refuse: has21("conformanceA", "conformanceB")}, on: []string{responses, anthropic, gemini, ollama}},
		{breakage: breakage{refuse: has21("conformanceA", "conformanceB")}, on: []string{chat}, more: []string{"content_absent"}},
	},
	"result_order": all(breakage{refuse: contains("It is noon")}),
	"result_empty": all(breakage{refuse: func(_ string, asked object) bool {
		return has(asked, "conformanceA") && !has(asked, "conformanceB") && !has(asked, "21 degrees") && !has(asked, "down") && !has(asked, "booking")
	}}),
	"result_error":   all(breakage{refuse: contains("The service is down.")}),
	"result_parts":   all(breakage{request: emptyParts}),
	"content_absent": all(breakage{refuse: lacksContent}),

	"big_integer": all(breakage{text: replace("9007199254740993", "9007199254740992")}),
	"big_schema":  all(breakage{refuse: contains(`"minimum":-9223372036854775808`)}),

	"unicode_arguments": all(breakage{text: replace("東京", "\uFFFD京")}),
	"markup_arguments":  all(breakage{text: strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">").Replace}),
	"long_name":         all(breakage{refuse: contains("get_weather_of_a_city_")}),
	"dotted_name":       all(breakage{names: true, text: replace("weather-service.v2.get-now", "weather_service_v2_get_now")}),

	"nested_arguments": all(breakage{refuse: contains("book_trip")}),
	"schema_keywords":  all(breakage{refuse: contains("find_files")}),
	"strict_tool":      all(breakage{refuse: contains(`"strict":true`, `"tools":`)}),
	"json_schema":      all(breakage{text: replace("continent", "part")}),

	"reasoning_apart": all(breakage{text: replace("Hello! Say", "<think>I am greeted.</think> Hello! Say")}),
	"reasoning_form":  all(breakage{doc: breakReasoning, events: dropSignatures}),

	"usage_whole":    all(breakage{whole: dropUsage}),
	"usage_streamed": all(breakage{events: dropStreamedUsage}),
	"usage_unasked":  all(breakage{events: addBareChunk}),

	"error_json": all(breakage{accept: func(asked object) bool { return asked == nil }}),
	"error_messages": all(breakage{accept: func(asked object) bool {
		return asked != nil && asked["messages"] == nil && asked["input"] == nil && asked["contents"] == nil
	}}),
	"error_schema": all(breakage{accept: func(asked object) bool { return has(asked, `"no schema"`) && asked["stream"] != true }}),
	"error_choice": all(breakage{accept: func(asked object) bool { return has(asked, "no_such_tool") }}),
	"error_model":  all(breakage{reply: status("no-such-model", 500)}),
	"error_key":    all(breakage{reply: status("invalid API key", 400)}),
	"error_stream": all(breakage{accept: func(asked object) bool { return has(asked, `"no schema"`) && asked["stream"] == true }}),
	"error_shape": all(breakage{reply: func(r *reply, _ object) {
		if r.status/100 == 4 {
			r.body = `{"detail":"refused"}`
		}
	}}),

	"stream_type": all(breakage{reply: func(r *reply, _ object) {
		r.kind = strings.NewReplacer("text/event-stream", "text/plain", "application/x-ndjson", "text/plain").Replace(r.kind)
	}}),
	"stream_frames": all(breakage{events: func(_ string, _ object, in []event) []event {
		return slices.Insert(in, 1, event{name: in[0].name, raw: `{"half":`})
	}}),
	"stream_names": all(breakage{events: wrongNames}),
	"stream_index": all(breakage{events: dropIndex}),
	"stream_order": all(breakage{events: wrongOrder}),
	"stream_sum":   all(breakage{events: wrongSum}),
	"stream_end": {
		{breakage: breakage{events: dropEnd}, on: []string{chat, anthropic, gemini}},
		{breakage: breakage{events: dropEnd}, on: []string{responses, ollama}, more: []string{"usage_streamed"}},
		{breakage: breakage{text: dropBlankLine}, on: []string{chat, anthropic}},
	},
	"streamed_text": all(breakage{events: dropText}),
}

// oddities are servers that behave unusually and pass, by the check that such a behaviour resembles to break.
var oddities = map[string][]breakageOf{
	"cut_end": {
		{breakage: breakage{whole: shortCall(false)}, on: []string{chat, responses}},
		{breakage: breakage{whole: shortCall(true)}, on: []string{chat, responses}},
	},
}

// has reports whether a request, or a text, has a word.
func has(v any, word string) bool {
	if s, ok := v.(string); ok {
		return strings.Contains(s, word)
	}
	return strings.Contains(encode(v), word)
}

func replace(from, to string) func(string) string {
	return func(body string) string { return strings.ReplaceAll(body, from, to) }
}

func contains(words ...string) func(string, object) bool {
	return func(_ string, asked object) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(encode(asked), w) })
	}
}

func status(word string, to int) func(*reply, object) {
	return func(r *reply, _ object) {
		if r.status/100 == 4 && strings.Contains(r.body, word) {
			r.status = to
		}
	}
}

func text(o object, member string) string { s, _ := o[member].(string); return s }

func idOf(api string) string {
	if api == responses {
		return "call_id"
	}
	return "id"
}

// setID gives a call another id, where it has one.
func setID(api string, c object, id any) {
	if _, ok := c[idOf(api)]; ok {
		c[idOf(api)] = id
	}
}

func onCalls(do func(api string, call object)) func(string, object) {
	return func(api string, doc object) { calls(api, doc, func(c object) { do(api, c) }) }
}

// ofRome changes the whole answers to orders of a call for Rome.
func ofRome(do func(*reply)) func(*reply, object) {
	return func(r *reply, asked object) {
		if r.status == 200 && strings.HasPrefix(r.kind, "application/json") && has(asked, "Rome") {
			do(r)
		}
	}
}

// ordersOslo finds the order of one call beside another tool, without a choice.
func ordersOslo(stream bool) func(string, object) bool {
	return func(_ string, asked object) bool {
		return has(asked, "with exactly") && has(asked, "Oslo") && has(asked, "get_time") && !has(asked, "UTC") && asked["tool_choice"] == nil &&
			asked["toolConfig"] == nil && (asked["stream"] == true) == stream
	}
}

func has21(id, but string) func(string, object) bool {
	return func(_ string, asked object) bool {
		return has(asked, "21 degrees") && has(asked, id) && !has(asked, but)
	}
}
