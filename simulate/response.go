package simulate

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"strconv"
	"strings"
	"unicode/utf8"
)

// created is the moment at which every answer was made.
const (
	created     = 1764547200
	createdText = "2025-12-01T00:00:00Z"
)

// A response is a turn prepared for writing, with the changes that a fault can make on any wire.
type response struct {
	seen      Seen
	wire      *wireForm
	text      string
	reasoning string
	calls     []call
	after     string    // text after the calls
	finish    string    // stop, tool_calls, length or a wire's own word
	form      *callForm // how calls are written as text; nil: natively
	piece     int
	luck      chance // that times are drawn from

	failure    *failure // an HTTP error in place of the answer
	inband     *failure // an error inside the stream, after a part of the answer
	cut        bool     // the connection breaks half-way
	interleave bool     // pieces of different calls take turns
	splitRunes bool     // pieces of text end inside UTF-8 sequences
	splitBytes bool     // writes end inside UTF-8 sequences
	capped     bool     // the output limit was reached: usage says so
	doneOnly   bool     // arguments come with the event that ends them and no earlier
	finalEmpty bool     // the event that ends a call has lost the arguments
	stall      bool     // nothing comes any more half-way
	badLine    bool     // an event half-way is no JSON
	late       bool     // all arguments of a call come at once
	dupFirst   bool     // the first call is announced twice
	cached     int      // tokens of the prompt that were read from a cache, counted by the server; -1: nothing is said of it
	malformed  string   // the text that the server could not read as a call, quoted in place of the answer
}

// A call is a native call as it will be written.
type call struct {
	name, id, args string
	index          int
	noIndex, noID  bool
	noArgs         bool // the member is missing
	object         bool // arguments as an object where the wire wants text
	drift          bool // pieces after the first come under another index
}

// value returns the arguments as JSON, for a wire that carries them as JSON. Arguments that are no JSON are one string,
// as compatible servers send them. It returns "" where the member is missing.
func (c call) value() string {
	switch {
	case c.noArgs:
		return ""
	case json.Valid([]byte(c.args)):
		return c.args
	}
	return quote(c.args)
}

// newResponse makes a response of a turn and applies its fault and those that were drawn.
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
		if err := f.bend(a); err != nil {
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

// limit cuts an answer at the tokens that the client allows, unless the script says how it ends. A call that is cut is
// shown where arguments are text.
func (a *response) limit() {
	room := 4*a.seen.MaxTokens - 1 // four bytes are a token
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

// showsCut reports whether the arguments of a call that was cut can be written.
func (a *response) showsCut() bool {
	return a.seen.Wire == OpenAI || a.seen.Wire == Responses || a.seen.Wire == Anthropic && a.seen.Stream
}

// cutText is the beginning of a text of whole characters, and the room that is left behind it.
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

// inText writes calls as text where a fault wants it and where the request declared no tools: a server without tools
// knows of no native calls. A prompt that asks for a JSON document gets one.
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

// id returns the answer's own id under a prefix; equal requests get equal ids.
func (a *response) id(prefix string) string { return prefix + "sim" + digest(string(a.seen.Body)) }

func (a *response) mintID(i int) string {
	ids := a.wire.ids
	if a.seen.strict != nil && a.seen.strict.ids != nil {
		ids = *a.seen.strict.ids
	}
	return ids.mint(string(a.seen.Body), strconv.Itoa(i))
}

// tokens returns the usage to report, made up from sizes.
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

// argPiece returns how much of the arguments an event carries.
func (a *response) argPiece() int {
	if a.late {
		return maxBody
	}
	return a.piece
}

// quote returns s as a JSON string. Bytes that are not UTF-8 stay as they are: torn characters are among the faults.
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

// list returns a JSON array of elements that are JSON text already.
func list(elements []string) string { return "[" + strings.Join(elements, ",") + "]" }

// object returns a JSON object of the members that are not empty, which are JSON text already.
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

// digestNumber returns a number for a request, equal ones for equal requests.
func digestNumber(parts ...[]byte) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = h.Write(p)
	}
	return h.Sum64()
}
