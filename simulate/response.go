package simulate

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"strconv"
	"strings"
	"unicode/utf8"
)

// created is the constant creation time of all responses, in Unix seconds and as RFC 3339 text.
const (
	created     = 1764547200
	createdText = "2025-12-01T00:00:00Z"
)

// A response is a turn that is ready for encoding, with the changes that faults made.
type response struct {
	seen      Seen
	wire      *wireFormat
	text      string
	reasoning string
	calls     []call
	after     string      // text after the calls
	finish    string      // stop, tool_calls, length or a value of the wire
	form      *callFormat // format of calls as text; nil: native calls
	piece     int
	luck      chance // source of random latencies

	failure    *failure // an HTTP error instead of the response
	inband     *failure // an error event after half of the stream
	cut        bool     // the connection breaks half-way
	interleave bool     // deltas of different calls alternate
	splitRunes bool     // text deltas end inside UTF-8 sequences
	splitBytes bool     // TCP writes end inside UTF-8 sequences
	capped     bool     // usage reports that the output limit was reached
	doneOnly   bool     // only the final event of a call has its arguments
	finalEmpty bool     // the final event of a call lacks its arguments
	stall      bool     // the stream stops half-way without an end
	badLine    bool     // one event half-way is invalid JSON
	late       bool     // one delta has all arguments of a call
	dupFirst   bool     // the first call is announced twice
	cached     int      // reported cached prompt tokens, computed by the server; -1: none
	malformed  string   // text of an unparseable call, quoted in the response
}

// A call is a native call that is ready for encoding. args is JSON text, which a fault may have broken.
type call struct {
	name, id, args string
	index          int
	noIndex, noID  bool
	noArgs         bool // the arguments member is missing
	object         bool // arguments are an object although the wire requires a string
	drift          bool // deltas after the first have a wrong index
}

// value returns the arguments as a JSON value, for wires that do not encode them as a string. Invalid JSON becomes a
// JSON string, as compatible servers send it. It returns "" if the member is missing.
func (c call) value() string {
	switch {
	case c.noArgs:
		return ""
	case json.Valid([]byte(c.args)):
		return c.args
	}
	return quote(c.args)
}

// newResponse prepares the response for a turn and applies its fault and the drawn faults.
func newResponse(seen Seen, t Turn, piece int, drawn []Fault) *response {
	a := &response{seen: seen, wire: wires[seen.Wire], text: t.Text, reasoning: t.Reasoning, finish: t.Finish, piece: piece, cached: -1}
	if t.Status != 0 {
		a.failure = &failure{status: t.Status, message: t.Text}
		return a
	}
	for i, c := range t.Calls {
		id := c.ID
		if id == "" {
			id = a.mintID(i)
		}
		a.calls = append(a.calls, call{name: c.Name, id: id, args: c.Arguments, index: i})
	}
	for _, f := range append([]Fault{t.Fault}, drawn...) {
		if err := f.apply(a); err != nil {
			a.failure = &failure{status: 500, message: err.Error()}
			return a
		}
	}
	a.inText()
	a.limit()
	if a.finish == "" {
		a.finish = "stop"
		if len(a.calls) > 0 {
			a.finish = "tool_calls"
		}
	}
	return a
}

// limit truncates a response at the request's token limit, unless the script sets Finish. A truncated call is only sent
// on wires whose arguments are strings.
func (a *response) limit() {
	room := 4*a.seen.MaxTokens - 1 // a token counts as four bytes
	if _, out := a.tokens(); a.finish != "" || a.failure != nil || a.seen.MaxTokens <= 0 || out <= a.seen.MaxTokens {
		return
	}
	a.finish, a.after = "length", ""
	a.reasoning, room = cutText(a.reasoning, room)
	a.text, room = cutText(a.text, room)
	for i := range a.calls {
		c := &a.calls[i]
		if need := len(c.name) + len(c.args); need <= room {
			room -= need
			continue
		}
		a.calls = a.calls[:i+1]
		if c.args, _ = cutText(c.args, room-len(c.name)); c.args == "" || !a.showsCut() {
			a.calls = a.calls[:i]
		}
		return
	}
}

// showsCut reports whether the wire can encode a call with truncated arguments.
func (a *response) showsCut() bool {
	return a.seen.Wire == OpenAI || a.seen.Wire == Responses || a.seen.Wire == Anthropic && a.seen.Stream
}

// cutText cuts text to at most room bytes at a character boundary. left is the number of bytes of room that remain.
func cutText(text string, room int) (beginning string, left int) {
	room = max(0, room)
	if len(text) <= room {
		return text, room - len(text)
	}
	for room > 0 && !utf8.RuneStart(text[room]) {
		room--
	}
	return text[:room], 0
}

// inText writes calls as text if a fault requires it or if the request declares no tools, because a server then returns
// no native calls. If the prompt requires a JSON document, the calls become one.
func (a *response) inText() {
	prompted := len(a.seen.Tools) == 0
	switch {
	case len(a.calls) > 0 && a.form == nil && !prompted:
		return
	case len(a.calls) > 0 && a.form == nil && a.seen.document():
		a.form = &documentForm
	case len(a.calls) > 0 && a.form == nil:
		a.form = &hermesForm
	case len(a.calls) == 0:
		if prompted && a.seen.document() {
			a.text = `{"answer": ` + quote(a.text) + `}`
		}
		return
	}
	a.text, a.calls = a.form.write(a.text, a.calls), nil
}

// id returns the id of the response with a prefix. Equal requests get equal ids.
func (a *response) id(prefix string) string { return prefix + "sim" + digest(string(a.seen.Body)) }

func (a *response) mintID(i int) string {
	ids := a.wire.ids
	if a.seen.strict != nil && a.seen.strict.ids != nil {
		ids = *a.seen.strict.ids
	}
	return ids.mint(string(a.seen.Body), strconv.Itoa(i))
}

// tokens returns the usage: one token per four bytes of the request and of the output.
func (a *response) tokens() (in, out int) {
	n := len(a.text) + len(a.reasoning) + len(a.after)
	for _, c := range a.calls {
		n += len(c.name) + len(c.args)
	}
	in, out = len(a.seen.Body)/4+1, n/4+1
	if a.capped && a.seen.MaxTokens > 0 {
		out = a.seen.MaxTokens
	}
	return in, out
}

// argPiece returns the maximum number of argument bytes per delta.
func (a *response) argPiece() int {
	if a.late {
		return maxBody
	}
	return a.piece
}

// quote returns s as a JSON string. It keeps bytes that are invalid UTF-8, because faults split characters.
func quote(s string) string {
	b := []byte{'"'}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c < 0x20:
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

// list returns a JSON array of elements that are already JSON.
func list(elements []string) string { return "[" + strings.Join(elements, ",") + "]" }

// object returns a JSON object of the members whose value is not empty. Values are already JSON.
func object(members ...member) string {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, m := range members {
		if m.value == "" {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(quote(m.key))
		b.WriteByte(':')
		b.WriteString(m.value)
	}
	b.WriteByte('}')
	return b.String()
}

// A member is a key and its value as JSON text.
type member struct{ key, value string }

// digestNumber returns a 64-bit hash of the concatenated parts.
func digestNumber(parts ...[]byte) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = h.Write(p)
	}
	return h.Sum64()
}
