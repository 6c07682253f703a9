package simulate

import (
	"encoding/json"
	"strconv"
	"strings"
)

// failedOpenAI returns the JSON body of an error response of Chat Completions and Responses.
func failedOpenAI(f *failure) string {
	kind, code := f.kind, f.code
	switch {
	case kind != "" || code != "":
	case f.status == 401:
		code = "invalid_api_key"
	case f.status == 429:
		kind, code = "requests", "rate_limit_exceeded"
	case f.status >= 500:
		kind = "server_error"
	}
	if kind == "" {
		kind = "invalid_request_error"
	}
	return object(member{"error", object(member{"message", quote(f.message)}, member{"type", quote(kind)},
		member{"param", orNull(f.param)}, member{"code", orNull(code)})})
}

func wholeOpenAI(a *response) []byte {
	if a.inband != nil {
		return []byte(a.inband.text(failedOpenAI))
	}
	var calls []string
	for _, c := range a.calls {
		index := ""
		if !c.noIndex && c.index != len(calls) {
			index = strconv.Itoa(c.index)
		}
		calls = append(calls, c.openAI(index, c.args))
	}
	content := quote(a.text + a.after)
	if a.text+a.after == "" && len(calls) > 0 {
		content = "null"
	}
	message := []member{{"role", `"assistant"`}, {"content", content}}
	if a.reasoning != "" {
		message = append(message, member{"reasoning_content", quote(a.reasoning)})
	}
	if len(calls) > 0 {
		message = append(message, member{"tool_calls", "[" + strings.Join(calls, ",") + "]"})
	}
	choice := object(member{"index", "0"}, member{"message", object(message...)}, member{"logprobs", "null"},
		member{"finish_reason", quote(a.finish)})
	return []byte(a.openAI("chat.completion", choice, a.openAIUsage(), member{"system_fingerprint", "null"}))
}

// openAI returns a response or a chunk of a stream. kind is the value of "object". choice and usage are JSON, more are
// further members.
func (a *response) openAI(kind, choice, usage string, more ...member) string {
	return object(append([]member{{"id", quote(a.id("chatcmpl-"))}, {"object", quote(kind)},
		{"created", strconv.Itoa(created)}, {"model", quote(a.seen.Model)},
		{"choices", "[" + choice + "]"}, {"usage", usage}}, more...)...)
}

func (a *response) openAIUsage() string {
	in, out := a.tokens()
	details := ""
	if a.cached >= 0 {
		details = object(member{"cached_tokens", strconv.Itoa(a.cached)})
	}
	return object(member{"prompt_tokens", strconv.Itoa(in)}, member{"completion_tokens", strconv.Itoa(out)},
		member{"total_tokens", strconv.Itoa(in + out)}, member{"prompt_tokens_details", details})
}

// openAI returns a tool call with the given arguments: a whole one, or its first delta. index is "" in whole responses.
func (c call) openAI(index, args string) string {
	arguments := quote(args)
	switch {
	case c.noArgs:
		arguments = ""
	case c.object:
		arguments = c.args
	}
	id := quote(c.id)
	if c.noID {
		id = ""
	}
	return object(member{"index", index}, member{"id", id}, member{"type", `"function"`},
		member{"function", object(member{"name", quote(c.name)}, member{"arguments", arguments})})
}

func streamOpenAI(a *response) []frame {
	var out []frame
	chunk := func(delta, finish string) {
		choice := object(member{"index", "0"}, member{"delta", delta}, member{"logprobs", "null"}, member{"finish_reason", finish})
		out = append(out, frame{data: a.openAI("chat.completion.chunk", choice, "")})
	}
	chunk(`{"role":"assistant","content":""}`, "null")
	for _, p := range pieces(a.reasoning, a.piece) {
		chunk(object(member{"reasoning_content", quote(p)}), "null")
	}
	for _, p := range a.textPieces(a.text) {
		chunk(object(member{"content", quote(p)}), "null")
	}
	var lanes [][]string
	for _, c := range a.calls {
		lanes = append(lanes, c.openAIDeltas(a.argPiece()))
	}
	if a.dupFirst && len(lanes) > 0 {
		lanes[0] = append([]string{lanes[0][0]}, lanes[0]...)
	}
	for _, d := range merge(lanes, a.interleave) {
		chunk(`{"tool_calls":[`+d+`]}`, "null")
	}
	for _, p := range a.textPieces(a.after) {
		chunk(object(member{"content", quote(p)}), "null")
	}
	chunk("{}", quote(a.finish))
	if wantsUsage(a.seen.Body) {
		out = append(out, frame{data: a.openAI("chat.completion.chunk", "", a.openAIUsage())})
	}
	return append(out, frame{data: "[DONE]"})
}

// openAIDeltas returns the deltas of a call in a stream. Each contains about piece bytes of the arguments.
func (c call) openAIDeltas(piece int) []string {
	index := strconv.Itoa(c.index)
	if c.noIndex {
		index = ""
	}
	out := []string{c.openAI(index, "")}
	if c.object || c.noArgs {
		return out
	}
	if c.drift {
		index = strconv.Itoa(c.index + 1)
	}
	for _, p := range pieces(c.args, piece) {
		out = append(out, object(member{"index", index}, member{"function", object(member{"arguments", quote(p)})}))
	}
	return out
}

func wantsUsage(body []byte) bool {
	var req struct {
		StreamOptions struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	return json.Unmarshal(body, &req) == nil && req.StreamOptions.IncludeUsage
}

// merge returns the deltas of all calls in sending order. lanes has the deltas of each call. They are sent call after
// call, or interleaved if turns is true.
func merge(lanes [][]string, turns bool) []string {
	var out []string
	if !turns {
		for _, l := range lanes {
			out = append(out, l...)
		}
		return out
	}
	for i, more := 0, true; more; i++ {
		more = false
		for _, l := range lanes {
			if i < len(l) {
				out, more = append(out, l[i]), true
			}
		}
	}
	return out
}
