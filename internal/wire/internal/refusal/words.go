package refusal

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// maxLevels bounds how many gateways a refusal is followed through, each of which puts the words of the one behind it
// into its own.
const maxLevels = 6

// words are the words of a refusal: the message, then the message further in, of the provider behind a gateway.
// Gateways put the whole answer of that provider into their message, as JSON or as the text by which Python shows it.
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

// readErrorText returns the words in the body of an error: its message, its details, and the message of a provider
// behind it.
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

// Behind returns the message of the provider behind OpenRouter: it stands beside a message that only says that there
// was an error.
func Behind(v []byte) string {
	raw, _ := jsonx.Lookup(v, "metadata", "raw")
	return jsonx.TextOf(raw)
}

// JoinMessages joins a message with that of the provider behind the gateway.
func JoinMessages(message, behind string) string {
	if behind == "" {
		return message
	}
	return message + "\n" + behind
}

// Detail is FastAPI's list of its validation errors, or its text.
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

// plainPlaces writes the places in Pydantic's findings, as Python shows them, like those of Detail:
// 'loc': ('body', 'tools', 0), 'msg': 'Extra ...' is body.tools.0: Extra ...
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

// unescape is a text without the backslashes of one level of quoting.
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

// An echo is wording in which a server's parser repeats the model's text that it could not read, between before and
// after.
type echo struct{ before, then, after string }

// echoes: llama.cpp gives the place and the rest of the text, Ollama the text and then the cause.
var echoes = []echo{
	{"Failed to parse input at pos ", ": ", ""},
	{"Failed to parse input: ", "", ""},
	{"error parsing tool call: raw='", "", "', err="},
}

// Echo is the model's text inside a message of a server that could not parse it, "" without any. It is taken from the
// first level on which the wording stands before any JSON: further in, the backslashes of the model's own text are
// gone.
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

// echoIn is the model's text in one level of a message, and where the wording around it begins; -1 without one.
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
