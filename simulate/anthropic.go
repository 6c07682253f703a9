package simulate

import (
	"slices"
	"strconv"
	"strings"
)

// anthropicErrors maps an HTTP status to the "type" of an Anthropic error. Other statuses are invalid_request_error
// below 500 and api_error from 500.
var anthropicErrors = map[int]string{
	401: "authentication_error", 402: "billing_error", 403: "permission_error", 404: "not_found_error",
	413: "request_too_large", 429: "rate_limit_error", 504: "timeout_error", 529: "overloaded_error",
}

// failedAnthropic returns the JSON body of an error response of the Messages API.
func failedAnthropic(f *failure) string {
	kind := f.kind
	if kind == "" {
		kind = anthropicErrors[f.status]
	}
	switch {
	case kind != "":
	case f.status >= 500:
		kind = "api_error"
	default:
		kind = "invalid_request_error"
	}
	return object(member{"type", `"error"`}, member{"error", object(member{"type", quote(kind)}, member{"message", quote(f.message)})},
		member{"request_id", `"req_sim"`})
}

func inbandAnthropic(f *failure, _ int) frame {
	return frame{name: "error", data: f.text(failedAnthropic)}
}

// anthropicFinish maps the simulator's finish reasons to Anthropic's values of "stop_reason".
var anthropicFinish = map[string]string{"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens"}

func (a *response) anthropicFinish() string {
	if word := anthropicFinish[a.finish]; word != "" {
		return quote(word)
	}
	return quote(a.finish)
}

// anthropicBlock is a content block of a Messages response: as one JSON object, and as its content_block_start object
// and the deltas of a stream.
type anthropicBlock struct {
	whole  string
	start  string
	deltas []string
}

func (a *response) anthropicBlocks() []anthropicBlock {
	var out []anthropicBlock
	if a.reasoning != "" {
		sign := quote(signature(Anthropic, a.reasoning))
		b := anthropicBlock{
			whole: object(member{"type", `"thinking"`}, member{"thinking", quote(a.reasoning)}, member{"signature", sign}),
			start: `{"type":"thinking","thinking":"","signature":""}`,
		}
		for _, p := range pieces(a.reasoning, a.piece) {
			b.deltas = append(b.deltas, object(member{"type", `"thinking_delta"`}, member{"thinking", quote(p)}))
		}
		b.deltas = append(b.deltas, object(member{"type", `"signature_delta"`}, member{"signature", sign}))
		out = append(out, b)
	}
	if a.text != "" {
		out = append(out, a.anthropicText(a.text))
	}
	for _, c := range a.calls {
		out = append(out, c.anthropic(a.argPiece()))
	}
	if a.after != "" {
		out = append(out, a.anthropicText(a.after))
	}
	return out
}

func (a *response) anthropicText(text string) anthropicBlock {
	b := anthropicBlock{
		whole: object(member{"type", `"text"`}, member{"text", quote(text)}),
		start: `{"type":"text","text":""}`,
	}
	for _, p := range a.textPieces(text) {
		b.deltas = append(b.deltas, object(member{"type", `"text_delta"`}, member{"text", quote(p)}))
	}
	return b
}

// anthropic returns a call as a tool_use block. The input is streamed in deltas of piece bytes.
func (c call) anthropic(piece int) anthropicBlock {
	input := c.value()
	head := []member{{"type", `"tool_use"`}, {"id", quote(c.id)}, {"name", quote(c.name)}}
	b := anthropicBlock{
		whole:  object(append(slices.Clone(head), member{"input", input})...),
		start:  object(append(slices.Clone(head), member{"input", "{}"})...),
		deltas: []string{`{"type":"input_json_delta","partial_json":""}`},
	}
	if c.noArgs {
		return b
	}
	for _, p := range pieces(c.args, piece) {
		b.deltas = append(b.deltas, object(member{"type", `"input_json_delta"`}, member{"partial_json", quote(p)}))
	}
	return b
}

// anthropicMessage returns the "message" object of a response. content is the content blocks as JSON, "" for
// message_start of a stream. out is the number of output tokens.
func (a *response) anthropicMessage(content, finish string, out int) string {
	in, _ := a.tokens()
	return object(member{"id", quote(a.id("msg_"))}, member{"type", `"message"`}, member{"role", `"assistant"`},
		member{"model", quote(a.seen.Model)}, member{"content", "[" + content + "]"}, member{"stop_reason", finish},
		member{"stop_sequence", "null"}, member{"usage", object(member{"input_tokens", strconv.Itoa(in)},
			member{"cache_creation_input_tokens", "0"}, member{"cache_read_input_tokens", strconv.Itoa(max(0, a.cached))},
			member{"output_tokens", strconv.Itoa(out)})})
}

func wholeAnthropic(a *response) []byte {
	if a.inband != nil {
		return []byte(a.inband.text(failedAnthropic))
	}
	var content []string
	for _, b := range a.anthropicBlocks() {
		content = append(content, b.whole)
	}
	_, out := a.tokens()
	return []byte(a.anthropicMessage(strings.Join(content, ","), a.anthropicFinish(), out))
}

func streamAnthropic(a *response) []frame {
	var out []frame
	event := func(name string, members ...member) {
		out = append(out, frame{name, object(append([]member{{"type", quote(name)}}, members...)...)})
	}
	event("message_start", member{"message", a.anthropicMessage("", "null", 1)})
	for i, b := range a.anthropicBlocks() {
		index := member{"index", strconv.Itoa(i)}
		event("content_block_start", index, member{"content_block", b.start})
		if i == 0 {
			event("ping")
		}
		for _, d := range b.deltas {
			event("content_block_delta", index, member{"delta", d})
		}
		event("content_block_stop", index)
	}
	_, tokens := a.tokens()
	event("message_delta", member{"delta", object(member{"stop_reason", a.anthropicFinish()}, member{"stop_sequence", "null"})},
		member{"usage", object(member{"output_tokens", strconv.Itoa(tokens)})})
	event("message_stop")
	return out
}
