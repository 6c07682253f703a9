package yaml

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// flow parses a sequence or mapping in brackets, which may continue on further lines. It returns false, without moving
// the reader, for other text.
func (r *reader) flow(rest string, indent int) (Member, bool) {
	at := r.at
	var b strings.Builder
	b.WriteString(rest)
	r.fold(&b, indent)
	for closers := r.at; closers < len(r.lines) && r.lines[closers].text != "" &&
		strings.Trim(r.lines[closers].text, "]}") == "" && r.lines[closers].indent == indent; {
		b.WriteString(r.lines[closers].text) // the closing bracket below the key
		closers++
		r.at = closers
	}
	f := flowReader{t: b.String()}
	if f.value() {
		if f.space(); f.i == len(f.t) || f.t[f.i] == '#' {
			return Member{Text: string(f.out), Kind: Node}, true
		}
	}
	r.at = at
	return Member{}, false
}

// A flowReader parses a value in brackets.
type flowReader struct {
	t     string
	i     int
	depth int
	out   []byte
}

func (f *flowReader) space() {
	for f.i < len(f.t) && (f.t[f.i] == ' ' || f.t[f.i] == '\n' || f.t[f.i] == '\t') {
		f.i++
	}
}

func (f *flowReader) value() bool {
	f.space()
	if f.i == len(f.t) || f.depth == maxDepth {
		return false
	}
	switch c := f.t[f.i]; c {
	case '[', '{':
		f.depth++
		ok := f.members(c)
		f.depth--
		return ok
	case '"', '\'':
		text, n, closed := readQuoted(f.t[f.i:])
		f.i += n
		f.out = jsonx.AppendQuote(f.out, text)
		return closed
	}
	from := f.i
	for f.i < len(f.t) && strings.IndexByte(",]}", f.t[f.i]) < 0 && !f.isColon() {
		f.i++
	}
	f.out = appendPlain(f.out, strings.TrimSpace(f.t[from:f.i]))
	return f.i > from
}

// isColon reports whether a key-value separator is at offset i.
func (f *flowReader) isColon() bool {
	return f.t[f.i] == ':' && (f.i+1 == len(f.t) || strings.IndexByte(" ,[]{}\"", f.t[f.i+1]) >= 0)
}

// members parses the members or elements after the bracket open, up to the closing bracket. It returns false on an
// error.
func (f *flowReader) members(open byte) bool {
	closer := open + 2 // ']' and '}' have the code of '[' and '{' plus 2
	f.i++
	f.out = append(f.out, open)
	for n := 0; ; n++ {
		if f.space(); f.i == len(f.t) {
			return false
		}
		if f.t[f.i] == closer {
			f.i++
			f.out = append(f.out, closer)
			return true
		}
		if n > 0 {
			f.out = append(f.out, ',')
		}
		if open == '{' && !f.key() || !f.value() {
			return false
		}
		if f.space(); f.i < len(f.t) && f.t[f.i] == ',' {
			f.i++
		} else if f.i == len(f.t) || f.t[f.i] != closer {
			return false
		}
	}
}

// key parses a key and its colon.
func (f *flowReader) key() bool {
	from := f.i
	var key string
	if c := f.t[f.i]; c == '"' || c == '\'' {
		text, n, closed := readQuoted(f.t[f.i:])
		if f.i += n; !closed {
			return false
		}
		key = text
	} else {
		for f.i < len(f.t) && strings.IndexByte(",]}", f.t[f.i]) < 0 && !f.isColon() {
			f.i++
		}
		key = strings.TrimSpace(f.t[from:f.i])
	}
	f.space()
	if f.i == len(f.t) || f.t[f.i] != ':' || key == "" {
		return false
	}
	f.i++
	f.out = append(jsonx.AppendQuote(f.out, key), ':')
	return true
}
