package simulate

import (
	"strconv"
	"strings"
)

// googleErrors maps an HTTP status to the "status" of a Google error. Other statuses are INVALID_ARGUMENT below 500 and
// INTERNAL from 500.
var googleErrors = map[int]string{
	401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 409: "ABORTED", 429: "RESOURCE_EXHAUSTED", 499: "CANCELLED",
	501: "UNIMPLEMENTED", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED", 529: "UNAVAILABLE",
}

// failedGemini returns the JSON body of a Google error response.
func failedGemini(f *failure) string {
	kind := f.kind
	if kind == "" {
		kind = googleErrors[f.status]
	}
	switch {
	case kind != "":
	case f.status >= 500:
		kind = "INTERNAL"
	default:
		kind = "INVALID_ARGUMENT"
	}
	return object(member{"error", object(member{"code", strconv.Itoa(f.status)}, member{"message", quote(f.message)},
		member{"status", quote(kind)}, member{"details", f.details})})
}

func framingGemini(s *Seen) framing {
	if s.array {
		return asArray
	}
	return asEvents
}

// geminiFinish maps the simulator's finish reasons to values of "finishReason". Gemini reports STOP also after calls.
var geminiFinish = map[string]string{"stop": "STOP", "tool_calls": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}

func (a *response) geminiFinish() string {
	if word := geminiFinish[a.finish]; word != "" {
		return quote(word)
	}
	return quote(a.finish)
}

// geminiCalls returns the calls as functionCall parts. Only the first one has a thought signature.
func (a *response) geminiCalls() []string {
	var out []string
	for i, c := range a.calls {
		id, sign := quote(c.id), ""
		if c.noID || a.seen.strict.isUnsigned() {
			id = ""
		}
		if i == 0 && !a.seen.strict.isUnsigned() {
			sign = quote(signature(Gemini, c.name))
		}
		call := object(member{"name", quote(c.name)}, member{"args", c.value()}, member{"id", id})
		out = append(out, object(member{"functionCall", call}, member{"thoughtSignature", sign}))
	}
	return out
}

// geminiChunk returns a response or a chunk of a stream. finish is the finish reason as JSON, "" if the stream
// continues.
func (a *response) geminiChunk(parts []string, finish string) string {
	content, message := object(member{"role", `"model"`}, member{"parts", "[" + strings.Join(parts, ",") + "]"}), ""
	if finish != "" && a.malformed != "" {
		message = quote(a.malformed)
	}
	if len(parts) == 0 && a.unreadable() {
		content = ""
	}
	in, out := a.tokens()
	cached := ""
	if a.cached >= 0 {
		cached = strconv.Itoa(a.cached)
	}
	usage := object(member{"promptTokenCount", strconv.Itoa(in)}, member{"candidatesTokenCount", strconv.Itoa(out)},
		member{"totalTokenCount", strconv.Itoa(in + out)}, member{"cachedContentTokenCount", cached})
	candidate := object(member{"content", content}, member{"finishReason", finish}, member{"finishMessage", message}, member{"index", "0"})
	return object(member{"candidates", "[" + candidate + "]"}, member{"usageMetadata", usage},
		member{"modelVersion", quote(a.seen.Model)}, member{"responseId", quote(a.id(""))})
}

// unreadable reports whether the response is an unparseable call. Gemini's response has no content then.
func (a *response) unreadable() bool {
	return a.finish == "MALFORMED_FUNCTION_CALL" || a.finish == "UNEXPECTED_TOOL_CALL"
}

func geminiThought(text string) string {
	return object(member{"text", quote(text)}, member{"thought", "true"})
}

// geminiText returns a text part. The last part of a response after reasoning has a thought signature.
func (a *response) geminiText(text string, last bool) string {
	sign := ""
	if last && a.reasoning != "" && len(a.calls) == 0 && !a.seen.strict.isUnsigned() {
		sign = quote(signature(Gemini, a.text))
	}
	return object(member{"text", quote(text)}, member{"thoughtSignature", sign})
}

func wholeGemini(a *response) []byte {
	if a.inband != nil {
		return []byte(a.inband.text(failedGemini))
	}
	var parts []string
	if a.reasoning != "" {
		parts = append(parts, geminiThought(a.reasoning))
	}
	if a.text != "" {
		parts = append(parts, a.geminiText(a.text, a.after == ""))
	}
	parts = append(parts, a.geminiCalls()...)
	if a.after != "" {
		parts = append(parts, a.geminiText(a.after, true))
	}
	return []byte(a.geminiChunk(parts, a.geminiFinish()))
}

// streamGemini streams text in pieces and each call in one chunk. The last chunk has the finish reason, an empty text,
// and possibly a thought signature.
func streamGemini(a *response) []frame {
	var out []frame
	send := func(part string) { out = append(out, frame{data: a.geminiChunk([]string{part}, "")}) }
	for _, p := range pieces(a.reasoning, a.piece) {
		send(geminiThought(p))
	}
	for _, p := range a.textPieces(a.text) {
		send(a.geminiText(p, false))
	}
	for _, c := range a.geminiCalls() {
		send(c)
	}
	for _, p := range a.textPieces(a.after) {
		send(a.geminiText(p, false))
	}
	last := []string{a.geminiText("", true)}
	if a.unreadable() {
		last = nil
	}
	return append(out, frame{data: a.geminiChunk(last, a.geminiFinish())})
}
