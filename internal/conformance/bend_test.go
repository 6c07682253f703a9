package conformance_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

func dropMember(api string, doc object) {
	for _, o := range []any{doc, doc["response"], doc["message"]} {
		if o, ok := o.(object); ok {
			delete(o, map[string]string{chat: "created", responses: "tool_choice", anthropic: "model", gemini: "modelVersion", ollama: "created_at"}[api])
		}
	}
}

func dropItemMember(api string, doc object) {
	if b, ok := doc["content_block"].(object); ok && b["type"] == "text" {
		delete(b, "text")
	}
	if api == responses {
		for _, list := range []any{doc["output"], at(doc, "response", "output"), []any{doc["item"]}} {
			for _, v := range items(list) {
				if item, ok := v.(object); ok {
					delete(item, "status")
				}
			}
		}
	}
}

func dropItemIDs(_ string, doc object) {
	for _, v := range items(doc["output"]) {
		delete(v.(object), "id")
	}
}

// turnArguments gives arguments the form that the API does not have.
func turnArguments(api string, c object) {
	f := function(c)
	switch api {
	case chat, responses:
		if doc, ok := decode(text(f, "arguments")); ok {
			f["arguments"] = doc
		}
	default:
		for _, member := range []string{"input", "args", "arguments"} {
			if f[member] != nil {
				f[member] = encode(f[member])
			}
		}
	}
}

// strings changes the texts that arguments are in: of a call, of its pieces and of its end.
func onArguments(api string, doc object, change func(string) string) {
	for _, o := range []any{doc, doc["delta"]} {
		o, ok := o.(object)
		if !ok {
			continue
		}
		for _, member := range []string{"delta", "arguments", "partial_json"} {
			if s, ok := o[member].(string); ok {
				o[member] = change(s)
			}
		}
	}
	calls(api, doc, func(c object) {
		if s, ok := function(c)["arguments"].(string); ok {
			function(c)["arguments"] = change(s)
		}
	})
}

// breakArguments damages the arguments of calls for Rome in a way that no client can read.
func breakArguments(api string, doc object) {
	onArguments(api, doc, func(s string) string { return strings.ReplaceAll(s, `{"city":"Rome"}`, `{"city":"Rome",}`) })
}

// weatherArguments gives the calls of get_weather other arguments.
func weatherArguments(value any) func(string, object) {
	return onCalls(func(_ string, c object) {
		f := function(c)
		for _, member := range []string{"input", "args", "arguments"} {
			if _, ok := f[member]; ok && f["name"] == "get_weather" {
				f[member] = value
			}
		}
	})
}

// shortCall puts a call that the model ended before the one that was cut, or in its place.
func shortCall(before bool) func(string, object) {
	return func(api string, doc object) {
		holder, member := doc, "output"
		if api == chat {
			holder, _ = at(doc, "choices", 0, "message").(object)
			member = "tool_calls"
		}
		list := items(holder[member])
		if len(list) != 1 || !has(list, "All work") || at(doc, "choices", 0, "finish_reason") != "length" && doc["status"] != "incomplete" {
			return
		}
		short, _ := decode(encode(list[0]))
		function(short)["arguments"] = `{"text":"Short."}`
		if short["id"] = "call_ended"; api == responses {
			short["id"], short["call_id"] = "fc_ended", "call_ended"
		}
		if holder[member] = []any{short}; before {
			holder[member] = []any{short, list[0]}
		}
	}
}

// dropBlankLine takes the blank line away that ends the last event.
func dropBlankLine(body string) string {
	if rest, ok := strings.CutSuffix(body, "\n\n"); ok {
		return rest + "\n"
	}
	return body
}

// endArguments ends what the limit of tokens cut.
func endArguments(api string, doc object) {
	onArguments(api, doc, func(s string) string {
		if strings.HasPrefix(s, `{"text":"All work`) && !strings.HasSuffix(s, `}`) {
			s += `"}`
		}
		return s
	})
}

// emptyArguments takes the arguments {} away.
func emptyArguments(api string, doc object) {
	onArguments(api, doc, func(s string) string {
		if s == "{}" {
			return ""
		}
		return s
	})
	calls(api, doc, func(c object) {
		f := function(c)
		for _, member := range []string{"arguments", "args", "input"} {
			if o, ok := f[member].(object); ok && len(o) == 0 && f["name"] == "ping" {
				f[member] = nil
			}
		}
	})
}

// joinCalls makes one call of several.
func joinCalls(api string, doc object) {
	list, _ := at(doc, "choices", 0, "message", "tool_calls").([]any)
	if api == responses {
		list, _ = doc["output"].([]any)
	}
	if len(list) != 2 || !has(list, "Rome") {
		return
	}
	first, second := list[0].(object), list[1].(object)
	function(first)["arguments"] = text(function(first), "arguments") + text(function(second), "arguments")
	if api == responses {
		doc["output"] = list[:1]
	} else {
		at(doc, "choices", 0, "message").(object)["tool_calls"] = list[:1]
	}
}

func sameIDs(api string, doc object) {
	var first any
	calls(api, doc, func(c object) {
		if first == nil {
			first = c[idOf(api)]
		}
		setID(api, c, first)
	})
}

// numberIDs numbers the calls of each answer.
func numberIDs(api string, doc object) {
	n := 0
	calls(api, doc, func(c object) {
		setID(api, c, fmt.Sprint("call_", n))
		n++
	})
}

// dropStreamedTools hides the tool from the model where a call for Rome is ordered in a stream.
func dropStreamedTools(_ string, asked object) {
	if asked["stream"] == true && has(asked, "Rome") && !has(asked, "Oslo") {
		delete(asked, "tools")
	}
}

func dropSerial(_ string, asked object) {
	delete(asked, "parallel_tool_calls")
	if c, ok := asked["tool_choice"].(object); ok {
		delete(c, "disable_parallel_tool_use")
	}
}

func dropChoice(is func(choice string) bool) func(string, object) {
	return func(_ string, asked object) {
		for _, member := range []string{"tool_choice", "toolConfig"} {
			if asked[member] != nil && is(encode(asked[member])) && !has(asked, "no_such_tool") {
				delete(asked, member)
			}
		}
	}
}

// freeLimit takes a limit of tokens away.
func freeLimit(of int) func(string, object) {
	return func(_ string, asked object) {
		for _, o := range []any{asked, asked["generationConfig"], asked["options"]} {
			for _, member := range []string{"max_tokens", "max_output_tokens", "maxOutputTokens", "num_predict"} {
				if o, ok := o.(object); ok && fmt.Sprint(o[member]) == fmt.Sprint(of) {
					o[member] = json.Number("4096")
				}
			}
		}
	}
}

// onFinish changes finish reasons.
func onFinish(to string, from ...string) func(string, object) {
	return func(_ string, doc object) {
		for _, o := range []any{at(doc, "choices", 0), at(doc, "candidates", 0), doc, doc["delta"], doc["response"]} {
			for _, member := range []string{"finish_reason", "finishReason", "stop_reason", "done_reason", "status"} {
				if o, ok := o.(object); ok && slices.Contains(from, text(o, member)) {
					o[member] = to
				}
			}
		}
	}
}

// copyOf is another event of the same data.
func copyOf(e event) event {
	e.doc, _ = decode(encode(e.doc))
	return e
}

// finishes reports whether an event has the end of the answer.
func finishes(e event) bool {
	return at(e.doc, "choices", 0, "finish_reason") != nil || at(e.doc, "candidates", 0, "finishReason") != nil || e.doc["type"] == "message_delta" ||
		e.doc["done"] == true || e.doc["type"] == "response.completed"
}

func endTwice(_ string, _ object, in []event) []event {
	i := slices.IndexFunc(in, finishes)
	if i < 0 {
		return in
	}
	again := copyOf(in[i])
	if c, ok := at(again.doc, "candidates", 0).(object); ok {
		delete(c, "content")
	}
	if n, ok := again.doc["sequence_number"].(json.Number); ok {
		k, _ := n.Int64()
		again.doc["sequence_number"] = k + 1
	}
	return slices.Insert(in, i+1, again)
}

// dropEnd takes the end of an answer away that was not cut.
func dropEnd(api string, _ object, in []event) []event {
	return slices.DeleteFunc(in, func(e event) bool {
		if c, ok := at(e.doc, "candidates", 0).(object); ok && c["finishReason"] == "STOP" {
			delete(c, "finishReason")
		}
		return e.raw == "[DONE]" || e.doc["type"] == "message_stop" || e.doc["type"] == "response.completed" || api == ollama && finishes(e) && e.doc["done_reason"] != "length"
	})
}

func emptyParts(_ string, asked object) {
	for _, list := range []any{asked["messages"], asked["input"]} {
		for _, m := range items(list) {
			m := m.(object)
			for _, o := range append(items(m["content"]), m) {
				o := o.(object)
				for _, member := range []string{"content", "output"} {
					if _, isList := o[member].([]any); isList && (o["role"] == "tool" || o["type"] == "tool_result" || o["type"] == "function_call_output") {
						o[member] = ""
					}
				}
			}
		}
	}
}

func lacksContent(_ string, asked object) bool {
	return slices.ContainsFunc(items(asked["messages"]), func(m any) bool { _, ok := m.(object)["content"]; return !ok })
}

// breakReasoning takes away the form of reasoning.
func breakReasoning(api string, doc object) {
	for _, o := range []any{at(doc, "choices", 0, "message"), at(doc, "choices", 0, "delta")} {
		if o, ok := o.(object); ok {
			o["reasoning_content"] = object{}
		}
	}
	for _, list := range []any{doc["output"], []any{doc["item"]}} {
		for _, item := range items(list) {
			if item, ok := item.(object); ok && item["type"] == "reasoning" {
				delete(item, "summary")
			}
		}
	}
	for _, block := range items(doc["content"]) {
		delete(block.(object), "signature")
	}
	for _, part := range items(at(doc, "candidates", 0, "content", "parts")) {
		if part := part.(object); part["thought"] == true {
			part["text"] = json.Number("5")
		}
	}
	if m, ok := doc["message"].(object); ok && api == ollama {
		m["thinking"] = object{}
	}
}

func dropSignatures(_ string, _ object, in []event) []event {
	return slices.DeleteFunc(in, func(e event) bool { return at(e.doc, "delta", "type") == "signature_delta" })
}

func dropUsage(_ string, doc object) {
	for _, o := range []any{doc, doc["response"], doc["message"]} {
		if o, ok := o.(object); ok && o["usage"] != nil {
			o["usage"] = nil
		}
	}
	delete(doc, "usageMetadata")
	delete(doc, "eval_count")
}

func dropStreamedUsage(api string, _ object, in []event) []event {
	for _, e := range in {
		if e.doc != nil {
			dropUsage(api, e.doc)
		}
	}
	return in
}

// addBareChunk adds a chunk of usage that was not asked for.
func addBareChunk(_ string, asked object, in []event) []event {
	if asked["stream_options"] != nil {
		return in
	}
	bare := copyOf(in[0])
	bare.doc["choices"] = []any{}
	return slices.Insert(in, len(in)-1, bare)
}

func wrongNames(api string, _ object, in []event) []event {
	if api != chat {
		in[0].name = "message"
		return in
	}
	for i, e := range in {
		if list, ok := at(e.doc, "choices", 0, "delta", "tool_calls").([]any); ok {
			again := copyOf(e)
			c := at(again.doc, "choices", 0, "delta", "tool_calls", 0).(object)
			c["function"] = object{"name": at(list, 0, "function", "name"), "arguments": ""}
			return slices.Insert(in, i+1, again)
		}
	}
	return in
}

func dropIndex(api string, _ object, in []event) []event {
	for _, e := range in {
		switch {
		case api == chat && e.doc != nil:
			if c, ok := at(e.doc, "choices", 0).(object); ok {
				delete(c, "index")
			}
		case e.doc["type"] == "response.content_part.added":
			e.doc["item_id"] = "another"
		case e.doc["type"] == "content_block_delta":
			delete(e.doc, "index")
		}
	}
	return in
}

func wrongOrder(api string, _ object, in []event) []event {
	switch api {
	case chat:
		if delta, ok := at(in[0].doc, "choices", 0, "delta").(object); ok {
			delete(delta, "role")
		}
	case gemini:
		late := copyOf(in[0])
		late.doc["candidates"] = []any{object{"content": object{"role": "model", "parts": []any{object{"text": ""}}}}}
		return append(in, late)
	case ollama:
		late := copyOf(in[0])
		late.doc["message"], late.doc["done"] = object{"role": "assistant", "content": ""}, false
		return append(in, late)
	}
	return slices.DeleteFunc(in, func(e event) bool {
		return e.doc["type"] == "content_block_stop" || e.doc["type"] == "response.content_part.added"
	})
}

func wrongSum(_ string, _ object, in []event) []event {
	for _, e := range in {
		if e.doc["type"] == "response.output_text.done" {
			e.doc["text"] = text(e.doc, "text") + "!"
		}
	}
	return in
}

// dropText takes the text of greetings out of streams.
func dropText(_ string, asked object, in []event) []event {
	if !has(asked, "Say hello") || asked["tools"] != nil || asked["stream_options"] != nil {
		return in
	}
	for i := range in {
		if in[i].doc != nil {
			in[i].doc = emptied(in[i].doc).(object)
		}
	}
	return in
}

// emptied is a value with the texts of answers empty.
func emptied(v any) any {
	switch v := v.(type) {
	case object:
		for key, one := range v {
			if s, ok := one.(string); ok && (key == "text" || key == "content" || key == "delta") && s != "" {
				v[key] = ""
				continue
			}
			v[key] = emptied(one)
		}
	case []any:
		for i := range v {
			v[i] = emptied(v[i])
		}
	}
	return v
}
