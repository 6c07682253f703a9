package classes_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Transport, cost and routing.

// begun are the first events of an answer in words, or of a call, with its last events left out.
func begun(a answer, with api, keep int) []string {
	all := a.events(with)
	return all[:min(keep, len(all))]
}

// breaking is a stream that breaks off after some events, on each API.
func breaking(class, name string, a answer, keep int, at []api, then map[api][]string, cut bool, w want) (out []scene) {
	for _, with := range at {
		frames := append(slices.Clone(begun(a, with, keep)), then[with]...)
		out = append(out, scene{class: class, name: name + ", " + string(with), at: []api{with}, doors: apis, only: "stream", ask: question("get_weather"), replies: []reply{{frames: frames, cut: cut}}, want: w})
	}
	return out
}

// inBand are errors inside a stream, in each API's form.
var inBand = map[api][]string{
	chat:      {`{"error":{"message":"The server had an error while processing your request.","type":"server_error","code":"internal_error"}}`},
	responses: {`{"type":"error","sequence_number":9,"code":"server_error","message":"The server had an error while processing your request.","param":null}`},
	anthropic: {`{"type":"error","error":{"type":"api_error","message":"Internal server error"}}`},
	gemini:    {`{"error":{"code":500,"message":"An internal error has occurred.","status":"INTERNAL"}}`},
	ollama:    {`{"error":"an error was encountered while running the model"}`},
}

// weatherLong is an answer in words of many pieces.
var weatherLong = answer{text: "It is sunny in Oslo today, and it will be sunny tomorrow as well."}

// withLine has an event in the middle that is no JSON.
func withLine(with api, line string) []string {
	return slices.Insert(slices.Clone(weatherLong.events(with)), 6, line)
}

// stalling sends the beginning of a stream and nothing more until the client is gone.
func stalling(with api) reply {
	return reply{handle: func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range begun(weatherLong, with, 6) {
			io.WriteString(w, framed(with, e))
		}
		http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
		case <-time.After(20 * time.Second):
		}
	}}
}

// isAlive reports whether a stream has a sign of life of its API, before a call of get_weather.
func isAlive(as api, raw string) bool {
	call := "get_weather"
	if as == responses { // its objects repeat the tools of the request
		call = "response.output_item.added"
	}
	before, _, called := strings.Cut(raw, call)
	switch as {
	case anthropic:
		return strings.Contains(before, "event: ping")
	case gemini:
		return strings.Count(before, "data:") > 1 || !called && strings.Contains(before, "data:")
	case ollama:
		return strings.Contains(before, "\n")
	}
	return strings.HasPrefix(before, ":") || strings.Contains(before, "\n:")
}

// billing is a request of a coding agent whose first system block changes each time.
func billing(n int) request {
	q := question("get_weather", "read_file")
	q.more = map[api]string{anthropic: fmt.Sprintf(`"system": [{"type":"text","text":"x-anthropic-billing-header: cc_version=2.1.%d; cc_entrypoint=cli; cch=%05x;"},{"type":"text","text":"You are an agent."}]`, n, n*7919)}
	return q
}

// samePrompt complains unless all requests have the same bytes.
func samePrompt(all []*received) string {
	for _, r := range all[1:] {
		if string(r.raw) != string(all[0].raw) {
			return fmt.Sprintf("two requests differ:\n  %s\n  %s", all[0].raw, r.raw)
		}
	}
	return expect(!strings.Contains(string(all[0].raw), "billing-header"), "the volatile line was sent: %s", all[0].raw)
}

// growing complains unless each request begins like the one before, up to the end of its conversation.
func growing(all []*received) string {
	for i, r := range all[1:] {
		was, now := list(all[i].body, "messages"), list(r.body, "messages")
		for k := range was {
			if text(was[k]) != text(now[k]) {
				return fmt.Sprintf("message %d changed from %s to %s", k, text(was[k]), text(now[k]))
			}
		}
		if text(all[i].body["tools"]) != text(r.body["tools"]) {
			return "the tools changed"
		}
	}
	return ""
}

var (
	broken   = want{fails: []string{"truncated", "provider_error", "overloaded", "bad_answer", "timeout", "server_error", "internal_error"}}
	fourAPIs = []api{chat, responses, anthropic, ollama}
)

var transportScenes = concat(
	breaking("F56", "an error inside words", weatherLong, 6, apis, inBand, false, broken),
	breaking("F56", "cut inside words", weatherLong, 6, apis, nil, true, broken),
	breaking("F56", "no end mark after words", weatherLong, 6, fourAPIs, nil, false, broken),
	breaking("F56", "cut inside arguments", native("get_weather", oslo), 5, []api{chat, responses, anthropic}, nil, true, broken),
	breaking("F56", "an error inside arguments", native("get_weather", oslo), 5, []api{chat, responses, anthropic}, inBand, false, broken),
	breaking("F56", "half a line", answer{}, 0, []api{chat, gemini}, map[api][]string{chat: withLine(chat, `{"choices":[{"delta":{"content":"x`), gemini: withLine(gemini, `{"candidates":[{"content":{"parts":[{"te`)}, false, broken),
	breaking("F56", "a line that says nothing", answer{}, 0, []api{chat, ollama}, map[api][]string{chat: withLine(chat, `upstream is slow`), ollama: withLine(ollama, `upstream is slow`)}, false, want{text: weatherLong.text}),
	[]scene{
		{class: "F56", name: "an error before anything was said, then an answer", doors: apis, only: "stream", settings: "max_retries: 1", ask: question("get_weather"), replies: []reply{{frames: inBand[chat]}, {answer: sunny}}, want: want{text: "It is sunny."}},
		{class: "F56", name: "silence", at: []api{chat, anthropic}, doors: apis, only: "stream", settings: "timeouts: {between_bytes: 300ms}", ask: question("get_weather"), replies: []reply{stalling(chat)}, want: broken},
		{class: "F56", name: "half of a whole answer", at: []api{chat, anthropic}, doors: apis, only: "whole", ask: question("get_weather"), replies: []reply{{body: `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"It is`}}, want: broken},

		{class: "F57", name: "a call at the end", doors: apis, only: "stream", ask: question("get_weather"), replies: []reply{{answer: native("get_weather", oslo), late: true}}, want: want{calls: weather, quiet: "nothing is changed", alive: true}},
		{class: "F57", name: "a call at the end, by Anthropic's API", at: []api{anthropic}, doors: apis, only: "stream", ask: question("get_weather"), replies: []reply{{answer: native("get_weather", oslo), late: true}}, want: want{calls: weather, quiet: "nothing is changed", alive: true}},

		{class: "F58", name: "a volatile line of an agent", at: []api{chat, ollama}, doors: []api{anthropic}, before: []request{billing(1), billing(2)}, ask: billing(3), replies: replied(sunny), want: want{text: "It is sunny.", quiet: "", sent: samePrompt}},
		{class: "F58", name: "a conversation that grows", at: []api{chat, anthropic, ollama}, doors: []api{chat, anthropic}, before: []request{question("get_weather", "read_file")}, ask: after("get_weather read_file", callA, "12"), replies: replied(sunny),
			want: want{text: "It is sunny.", quiet: "nothing is changed", sent: growing}},
		{class: "F58", name: "tools in words, a conversation that grows", doors: []api{chat, anthropic}, settings: "mode: text", before: []request{question("get_weather", "read_file")}, ask: after("get_weather read_file", callA, "12"), replies: replied(sunny),
			want: want{text: "It is sunny.", quiet: "nothing is changed", sent: growing}},

		{class: "F59", name: "the first provider's calls are never right", doors: apis, config: "models: {lab/m: {fallbacks: [lab/better]}}", ask: question("get_weather"), replies: replied(native("get_weather", `{"town":7}`)), better: &answer{calls: weather}, want: want{calls: weather, named: "F19"}},
		{class: "F59", name: "the first provider's calls cannot be read", doors: apis, config: "models: {lab/m: {fallbacks: [lab/better]}}", settings: "mode: native", ask: question("get_weather"), replies: replied(native("get_weather", `{"town":7}`)), better: &answer{calls: weather}, want: want{calls: weather, named: "F19"}},
	},
)
