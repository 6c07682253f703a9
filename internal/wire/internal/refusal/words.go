package refusal

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// maxLevels is the greatest number of nested error messages that are read. Each gateway quotes the message of the next
// one.
const maxLevels = 6

// words returns the message and the messages nested in it, outermost first. A gateway may quote the whole error
// response of the provider behind it, as JSON or in Python's string format.
func words(message string) []string {
	message = plainPlaces(message)
	out := []string{message}
	for text := message; len(out) < maxLevels; out = append(out, text) {
		from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
		if from >= 0 && to > from && jsonx.Valid([]byte(text[from:to+1])) == nil {
			if text = readErrorText([]byte(text[from : to+1])); text == "" {
				break
			}
		} else if strings.IndexByte(text, '\\') >= 0 && from >= 0 {
			text = unescape(text)
		} else {
			break
		}
		text = plainPlaces(text)
	}
	return out
}

// readErrorText returns the text of a JSON error body: its message, its details, and the message of a provider behind a
// gateway.
func readErrorText(v []byte) string {
	v = jsonx.Trim(v)
	switch {
	case jsonx.IsText(v):
		return jsonx.TextOf(v)
	case jsonx.IsArray(v):
		return readErrorText(jsonx.First(v))
	}
	in, ok := jsonx.Find(v, "error")
	if ok && !jsonx.IsObject(jsonx.Trim(in)) {
		return jsonx.TextOf(in)
	}
	if ok {
		v = in
	}
	var out []string
	for _, key := range []string{"message", "detail"} {
		m, _ := jsonx.Find(v, key)
		switch {
		case jsonx.IsText(m):
			out = append(out, jsonx.TextOf(m))
		case jsonx.IsObject(m): // Mistral's validator
			m, _ = jsonx.Find(m, "detail")
			fallthrough
		case jsonx.IsArray(m):
			out = append(out, Detail(m))
		}
	}
	if raw := Behind(v); raw != "" {
		out = append(out, raw)
	}
	return strings.Join(out, "\n")
}

// Behind returns the provider's message in an error object of OpenRouter ({"metadata":{"raw":"..."}}). The message
// beside it only states that an error occurred.
func Behind(v []byte) string {
	raw, _ := jsonx.Lookup(v, "metadata", "raw")
	return jsonx.TextOf(raw)
}

// JoinMessages joins a gateway's message and the message of the provider behind it, which may be empty.
func JoinMessages(message, behind string) string {
	if behind == "" {
		return message
	}
	return message + "\n" + behind
}

// Detail returns the text of FastAPI's member detail, a string or a list of validation errors:
// [{"loc":["body","tools",0],"msg":"Extra inputs"}] gives "body.tools.0: Extra inputs".
func Detail(v []byte) string {
	if jsonx.IsText(v) {
		return jsonx.TextOf(v)
	}
	var out []string
	for d := range jsonx.Elements(v) {
		msg, _ := jsonx.Find(d, "msg")
		loc, _ := jsonx.Find(d, "loc")
		var path []string
		for l := range jsonx.Elements(loc) {
			if jsonx.IsText(l) {
				path = append(path, jsonx.TextOf(l))
			} else {
				path = append(path, string(l))
			}
		}
		out = append(out, strings.Join(path, ".")+": "+jsonx.TextOf(msg))
	}
	return strings.Join(out, "; ")
}

// plainPlaces rewrites the locations of Pydantic errors in Python's format to the format of Detail: 'loc': ('body',
// 'tools', 0), 'msg': 'Extra ...' becomes body.tools.0: Extra ...
func plainPlaces(text string) string {
	const begin, end = "'loc': (", "), 'msg': "
	if !strings.Contains(text, begin) {
		return text
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, begin)
		loc, msg, closed := strings.Cut(rest, end)
		if !ok || !closed || msg == "" {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before)
		b.WriteString(places.Replace(loc))
		b.WriteString(": ")
		text = msg[1:]
	}
}

var places = strings.NewReplacer("'", "", ", ", ".", ",", "")

// unescape returns text without one level of backslash escapes. Escaped line breaks and tabs become spaces.
func unescape(text string) string {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			i++
			if c = text[i]; c == 'n' || c == 't' || c == 'r' {
				c = ' '
			}
		}
		out = append(out, c)
	}
	return string(out)
}

// An echo is a wording in which a server quotes the model output that its parser could not read. The output is between
// before (and then, if set) and after.
type echo struct{ before, then, after string }

// echoes lists the wordings of llama.cpp (position, then output) and of Ollama (output, then cause).
var echoes = []echo{
	{"Failed to parse input at pos ", ": ", ""},
	{"Failed to parse input: ", "", ""},
	{"error parsing tool call: raw='", "", "', err="},
}

// Echo returns the model output that an error message of a server's parser quotes, "" if there is none. It prefers the
// outermost message in which the wording comes before any JSON: in nested messages the backslashes of the output are
// lost.
func Echo(message string) string {
	last := ""
	for _, level := range words(message) {
		at, text := echoIn(level)
		if at < 0 {
			continue
		}
		if brace := strings.IndexByte(level, '{'); brace < 0 || at < brace {
			return text
		}
		last = text
	}
	return last
}

// echoIn returns the quoted model output in one message, and the offset of the wording around it, -1 if there is none.
func echoIn(message string) (at int, text string) {
	for _, e := range echoes {
		at := strings.Index(message, e.before)
		if at < 0 {
			continue
		}
		rest := message[at+len(e.before):]
		if e.then != "" {
			var ok bool
			if _, rest, ok = strings.Cut(rest, e.then); !ok {
				continue
			}
		}
		if i := strings.LastIndex(rest, e.after); e.after != "" && i >= 0 {
			rest = rest[:i]
		}
		return at, rest
	}
	return -1, ""
}
