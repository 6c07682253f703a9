package wiretest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// An EndedStream is a response with tool calls as two streams of a provider. Sound follows the API's documentation. Odd
// has end markers (finish reasons, done events, block stops) in wrong places. Both must decode to the same calls.
type EndedStream struct {
	Wire  callwright.WireName
	Calls []callwright.Call
	Sound string
	Odd   string
	Text  string // text before the calls
}

// DrawEnds draws a random response with one to three calls of tools. Arguments are split into deltas at random places.
func DrawEnds(r *rand.Rand, wire callwright.WireName, tools ...callwright.Tool) EndedStream {
	s := EndedStream{Wire: wire}
	if r.IntN(3) == 0 {
		s.Text = "Let me see."
	}
	for i := range 1 + r.IntN(3) {
		tool := tools[r.IntN(len(tools))]
		c := callwright.Call{ID: fmt.Sprint("call_", i), Name: tool.Name, Type: tool.Type}
		if c.Arguments = drawArguments(r); c.Type == callwright.CustomTool {
			text := []rune(string(c.Arguments))
			c.Input, c.Arguments = string(text[:r.IntN(len(text))+1]), nil
		}
		s.Calls = append(s.Calls, c)
	}
	draw := map[callwright.WireName]func(*rand.Rand, *EndedStream, bool) string{
		callwright.WireOpenAI: endsOfChat, callwright.WireResponses: endsOfResponses, callwright.WireAnthropic: endsOfMessages,
		callwright.WireGemini: endsOfGemini, callwright.WireOllama: endsOfOllama,
	}[wire]
	s.Sound, s.Odd = draw(r, &s, false), draw(r, &s, true)
	return s
}

// callText returns the input or the arguments of a call. For the arguments {} it may return "".
func callText(r *rand.Rand, c callwright.Call) string {
	if c.Type == callwright.CustomTool {
		return c.Input
	}
	if string(c.Arguments) == "{}" && r.IntN(2) == 0 {
		return ""
	}
	return string(c.Arguments)
}

// drawArguments draws a JSON object: {} or {"n":1}, the latter with up to two members that are strings or objects.
func drawArguments(r *rand.Rand) []byte {
	if r.IntN(8) == 0 {
		return []byte("{}")
	}
	out := fmt.Appendf(nil, `{"n":%d`, r.IntN(1000))
	for i := range r.IntN(3) {
		text := []string{"/srv", "", `a "b" \ {}`, "ä\n✓", `{"n":1}`, "}"}[r.IntN(6)]
		out = append(out, fmt.Sprintf(`,"s%d":`, i)...)
		switch r.IntN(3) {
		case 0:
			out = append(jsonx.AppendQuote(append(out, `{"t":`...), text), '}')
		default:
			out = jsonx.AppendQuote(out, text)
		}
	}
	return append(out, '}')
}

// cut splits the string s into random pieces, some of them empty, as the deltas of a stream.
func cut(r *rand.Rand, s string) []string {
	var out []string
	runes := []rune(s)
	for len(runes) > 0 {
		n := min(r.IntN(12), len(runes))
		if r.IntN(6) == 0 {
			n = len(runes)
		}
		out = append(out, string(runes[:n]))
		runes = runes[n:]
	}
	return out
}

// A script is the sequence of events in a stream of a provider.
type script []string

// merge interleaves scripts at random. Each script keeps its order, and the first elements of all scripts stay in
// order.
func merge(r *rand.Rand, scripts []script) (out script) {
	at, begun := make([]int, len(scripts)), 0
	for {
		var open []int
		for i := range scripts {
			if at[i] < len(scripts[i]) && i <= begun {
				open = append(open, i)
			}
		}
		if len(open) == 0 {
			return out
		}
		i := open[r.IntN(len(open))]
		out = append(out, scripts[i][at[i]])
		if at[i]++; i == begun {
			begun++
		}
	}
}

// insert inserts the event v at a random place after the first event of the stream.
func (s script) insert(r *rand.Rand, v string) script { return slices.Insert(s, 1+r.IntN(len(s)), v) }

func quoteJSON(s string) string { return string(jsonx.AppendQuote(nil, s)) }

// A chatShape is a way in which servers of Chat Completions identify the call that a delta belongs to.
type chatShape struct {
	noIndex, zero bool // no index, or index 0 for all calls
	repeats       bool // id and name are in every delta
	lateName      bool // the name is in the second delta
	mixes         bool // deltas of several calls may be interleaved
}

var chatShapes = []chatShape{{mixes: true}, {mixes: true}, {noIndex: true}, {zero: true}, {repeats: true, mixes: true},
	{lateName: true, mixes: true}}

// head returns the members of delta n of a call before its function: index, id and type.
func (s chatShape) head(call, n int, id, kind string) string {
	if s.zero {
		call = 0
	}
	out := fmt.Sprintf(`"index":%d,`, call)
	if s.noIndex {
		out = ""
	}
	if n == 0 || s.repeats {
		out += fmt.Sprintf(`"id":%q,"type":%q,`, id, kind)
	}
	return out
}

// name returns the member with the tool's name in delta n, "" if the delta has none.
func (s chatShape) name(n int, name string) string {
	if n == 0 && !s.lateName || n == 1 && s.lateName || s.repeats {
		return fmt.Sprintf(`"name":%q,`, name)
	}
	return ""
}

func endsOfChat(r *rand.Rand, s *EndedStream, odd bool) string {
	chunk := func(delta, reason string) string {
		return `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{` +
			delta + `},"finish_reason":` + reason + "}]}\n\n"
	}
	reasons := []string{"null"}
	if odd {
		reasons = []string{"null", "null", `"stop"`, `"tool_calls"`, `""`}
	}
	reason := func() string { return reasons[r.IntN(len(reasons))] }
	stub := func() string {
		if odd && r.IntN(8) == 0 {
			return `,"function_call":{"name":"","arguments":""}`
		}
		return ""
	}
	shape := chatShape{}
	if odd {
		shape = chatShapes[r.IntN(len(chatShapes))]
	}
	out := script{chunk(`"role":"assistant","content":`+quoteJSON(s.Text), reason())}
	var calls []script
	for i, c := range s.Calls {
		pieces := cut(r, callText(r, c))
		for len(pieces) == 0 || shape.lateName && len(pieces) < 2 || r.IntN(3) == 0 {
			pieces = append([]string{""}, pieces...)
		}
		kind, input := "function", "arguments"
		if c.Type == callwright.CustomTool {
			kind, input = "custom", "input"
		}
		var one script
		for n, p := range pieces {
			one = append(one, chunk(`"tool_calls":[{`+shape.head(i, n, c.ID, kind)+
				fmt.Sprintf(`%q:{%s%q:%s}}]`, kind, shape.name(n, c.Name), input, quoteJSON(p))+stub(), reason()))
		}
		calls = append(calls, one)
	}
	if shape.mixes && r.IntN(2) == 0 {
		out = append(out, merge(r, calls)...)
	} else {
		out = append(out, slices.Concat(calls...)...)
	}
	if odd {
		for range 1 + r.IntN(2) {
			out = out.insert(r, chunk("", `"stop"`))
		}
	}
	out = append(out, chunk(strings.TrimPrefix(stub(), ","), `"tool_calls"`))
	return strings.Join(out, "") + "data: [DONE]\n\n"
}

// eventOfResponses returns a Responses API event with the placeholder NUMBER as its sequence number.
func eventOfResponses(name, rest string) string {
	return "event: response." + name + "\ndata: {\"type\":\"response." + name + `",` + rest + `,"sequence_number":` + "NUMBER}\n\n"
}

// textOfResponses returns the events of a message as the first item of a response, and the completed item.
func textOfResponses(text string) (said script, item string) {
	const place = `"item_id":"msg_1","output_index":0,"content_index":0`
	part := `{"type":"output_text","text":` + quoteJSON(text) + `,"annotations":[],"logprobs":[]}`
	item = `{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[` + part + `]}`
	event := eventOfResponses
	return script{event("output_item.added",
		`"output_index":0,"item":{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]}`),
		event("content_part.added", place+`,"part":{"type":"output_text","text":"","annotations":[],"logprobs":[]}`),
		event("output_text.delta", place+`,"delta":`+quoteJSON(text)+`,"logprobs":[]`),
		event("output_text.done", place+`,"text":`+quoteJSON(text)+`,"logprobs":[]`),
		event("content_part.done", place+`,"part":`+part), event("output_item.done", `"output_index":0,"item":`+item)}, item
}

func endsOfResponses(r *rand.Rand, s *EndedStream, odd bool) string {
	event := eventOfResponses
	out := script{event("created", `"response":{"id":"r","object":"response","created_at":1,"model":"m","status":"in_progress","output":[]}`)}
	var whole []string
	first := 0
	if s.Text != "" {
		said, item := textOfResponses(s.Text)
		first, whole, out = 1, append(whole, item), append(out, said...)
	}
	var calls []script
	for i, c := range s.Calls {
		place := fmt.Sprintf(`"output_index":%d`, first+i)
		about := fmt.Sprintf(`"item_id":"fc_%d",`, i) + place
		kind, input, events := "function_call", "arguments", "function_call_arguments"
		if c.Type == callwright.CustomTool {
			kind, input, events = "custom_tool_call", "input", "custom_tool_call_input"
		}
		item := func(args, status string) string {
			return fmt.Sprintf(`{"id":"fc_%d","type":%q,"status":%q,"call_id":%q,"name":%q,%q:%s}`, i, kind, status, c.ID,
				c.Name, input, quoteJSON(args))
		}
		args := callText(r, c)
		whole = append(whole, item(args, "completed"))
		one := script{event("output_item.added", place+`,"item":`+item("", "in_progress"))}
		pieces := cut(r, args)
		if odd && r.IntN(4) == 0 {
			pieces = pieces[:r.IntN(len(pieces)+1)] // only the completed response has the rest
		}
		for _, p := range pieces {
			one = append(one, event(events+".delta", about+`,"delta":`+quoteJSON(p)))
		}
		end := script{event(events+".done", about+`,"`+input+`":`+quoteJSON(args)),
			event("output_item.done", place+`,"item":`+item(args, "completed"))}
		if !odd || r.IntN(4) == 0 {
			calls = append(calls, append(one, end...))
			continue
		}
		if r.IntN(2) == 0 {
			one = one.insert(r, event(events+".done", about+`,"`+input+`":""`))
		}
		at := 1 + r.IntN(len(one))
		one = slices.Insert(one, at, event("output_item.done", place+`,"item":`+item("", "completed")))
		if r.IntN(3) == 0 {
			one = append(one, end...)
		}
		calls = append(calls, one)
	}
	if odd && r.IntN(2) == 0 {
		out = append(out, merge(r, calls)...)
	} else {
		out = append(out, slices.Concat(calls...)...)
	}
	out = append(out, event("completed",
		`"response":{"id":"r","object":"response","created_at":1,"model":"m","status":"completed","output":[`+strings.Join(whole, ",")+`]}`))
	for i := range out {
		out[i] = strings.Replace(out[i], "NUMBER", fmt.Sprint(i), 1)
	}
	return strings.Join(out, "")
}

func endsOfMessages(r *rand.Rand, s *EndedStream, odd bool) string {
	event := func(name, rest string) string {
		if rest != "" {
			rest = "," + rest
		}
		return "event: " + name + "\ndata: {\"type\":" + quoteJSON(name) + rest + "}\n\n"
	}
	totals := func(reason string) string {
		return event("message_delta", `"delta":{"stop_reason":`+reason+`,"stop_sequence":null},"usage":{"output_tokens":9}`)
	}
	out := script{event("message_start",
		`"message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`)}
	first := 0
	if s.Text != "" {
		first = 1
		out = append(out, event("content_block_start", `"index":0,"content_block":{"type":"text","text":""}`),
			event("content_block_delta", `"index":0,"delta":{"type":"text_delta","text":`+quoteJSON(s.Text)+`}`),
			event("content_block_stop", `"index":0`))
	}
	var calls []script
	for i, c := range s.Calls {
		place := fmt.Sprintf(`"index":%d`, first+i)
		one := script{event("content_block_start",
			place+fmt.Sprintf(`,"content_block":{"type":"tool_use","id":%q,"name":%q,"input":{}}`, c.ID, c.Name))}
		for _, p := range append([]string{""}, cut(r, callText(r, c))...) {
			one = append(one, event("content_block_delta", place+`,"delta":{"type":"input_json_delta","partial_json":`+quoteJSON(p)+`}`))
		}
		stop := event("content_block_stop", place)
		if odd && r.IntN(3) > 0 {
			one = one.insert(r, stop)
		} else {
			one = append(one, stop)
		}
		calls = append(calls, one)
	}
	if odd && r.IntN(2) == 0 {
		out = append(out, merge(r, calls)...)
	} else {
		out = append(out, slices.Concat(calls...)...)
	}
	if odd {
		for range r.IntN(3) {
			out = out.insert(r, totals([]string{`"end_turn"`, `"tool_use"`, `""`, "null"}[r.IntN(4)]))
		}
	}
	return strings.Join(append(out, totals(`"tool_use"`), event("message_stop", "")), "")
}

func endsOfGemini(r *rand.Rand, s *EndedStream, odd bool) string {
	chunk := func(parts, reason string) string {
		if reason != "" {
			reason = `"finishReason":"` + reason + `",`
		}
		return `data: {"candidates":[{"content":{"parts":[` + parts + `],"role":"model"},` + reason +
			`"index":0}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"totalTokenCount":3},"modelVersion":"m","responseId":"r"}` + "\n\n"
	}
	reason := func() string {
		if odd && r.IntN(2) == 0 {
			return "STOP"
		}
		return ""
	}
	out := script{chunk(`{"text":`+quoteJSON(s.Text)+`}`, reason())}
	for _, c := range s.Calls {
		head := fmt.Sprintf(`"id":%q,"name":%q`, c.ID, c.Name)
		list, err := jsonx.ParseObject(c.Arguments)
		if r.IntN(2) == 0 || err != nil || slices.ContainsFunc(list, func(m jsonx.Member) bool { return jsonx.IsObject(m.Value) }) {
			out = append(out, chunk(`{"functionCall":{`+head+`,"args":`+string(c.Arguments)+`}}`, reason()))
			continue
		}
		out = append(out, chunk(`{"functionCall":{`+head+`,"willContinue":true}}`, reason()))
		for _, m := range list {
			values := []string{`"numberValue":` + string(m.Value)}
			if jsonx.IsText(m.Value) {
				values = nil
				for _, p := range append(cut(r, jsonx.TextOf(m.Value)), "") {
					values = append(values, `"stringValue":`+quoteJSON(p))
				}
			}
			for _, v := range values {
				out = append(out, chunk(`{"functionCall":{"partialArgs":[{"jsonPath":"$.`+m.Key+`",`+v+`}],"willContinue":true}}`, reason()))
			}
		}
		out = append(out, chunk(`{"functionCall":{}}`, reason()))
	}
	if odd {
		out = out.insert(r, chunk("", "STOP"))
	}
	return strings.Join(append(out, chunk(`{"text":""}`, "STOP")), "")
}

func endsOfOllama(r *rand.Rand, s *EndedStream, odd bool) string {
	line := func(message, end string) string {
		return `{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant",` + message + `},` + end + "}\n"
	}
	const more, done = `"done":false`, `"done":true,"done_reason":"stop","prompt_eval_count":1,"eval_count":2`
	end := func() string {
		if odd && r.IntN(2) == 0 {
			return done
		}
		return more
	}
	out := script{line(`"content":`+quoteJSON(s.Text), end())}
	for i, c := range s.Calls {
		out = append(out, line(fmt.Sprintf(`"content":"","tool_calls":[{"id":%q,"function":{"index":%d,"name":%q,"arguments":%s}}]`, c.ID, i, c.Name, c.Arguments), end()))
	}
	if odd {
		out = out.insert(r, line(`"content":""`, done))
		if r.IntN(2) == 0 {
			return strings.Join(out, "")
		}
	}
	return strings.Join(append(out, line(`"content":""`, done)), "")
}
