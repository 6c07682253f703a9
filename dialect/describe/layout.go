package describe

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A span is the range text[from:to] of the example.
type span struct{ from, to int }

func (s span) of(text string) string { return text[s.from:s.to] }

func (s span) holds(o span) bool { return s.from <= o.from && o.to <= s.to }

func (s span) meets(o span) bool { return s.from < o.to && o.from < s.to }

// A param is one argument in tags or in a Python call, with the positions of key and value.
type param struct{ whole, key, value span }

// A values is the notation of argument values in tags.
type values struct {
	escaped bool // &, < and > are written as entities
	wrapped bool // a text that begins or ends with a newline is written on separate lines
}

// write returns a JSON value as text in a tag: strings without quotes, other values as JSON.
func (o values) write(v []byte) string {
	s, ok := jsonx.String(v)
	if !ok || jsonx.KindOf(v) != jsonx.Text {
		return string(jsonx.Trim(v))
	}
	if o.escaped {
		s = entities.Replace(s)
	}
	if o.wrapped && s != "" && strings.ContainsAny(s[:1]+s[len(s)-1:], "\r\n") {
		s = "\n" + s + "\n"
	}
	return s
}

var entities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// A layout has the positions of the parts of the call in the example.
type layout struct {
	parser Parser
	text   string
	name   span
	object span // the JSON object with the arguments, or the whole object with name and arguments
	args   span // the arguments as a JSON object
	params []param

	nameKey, argsKey string
	encoded          bool // the arguments are a JSON string that contains the object
	values           values

	tool      string
	arguments []byte
}

// isQuoted reports whether the name is a JSON string inside the object.
func (l *layout) isQuoted() bool { return l.parser == Object && l.text[l.name.from] == '"' }

// body returns the position of the arguments.
func (l *layout) body() span {
	if len(l.params) > 0 {
		return span{l.params[0].whole.from, l.params[len(l.params)-1].whole.to}
	}
	return l.args
}

// write appends a call in the form of the example with another name and other arguments.
func (l *layout) write(b *strings.Builder, name string, args []byte) {
	body := l.body()
	written := name
	if l.isQuoted() {
		written = string(jsonx.AppendQuote(nil, name))
	}
	arguments := func() {
		switch {
		case l.encoded:
			b.Write(jsonx.AppendQuote(nil, jsonx.Trim(args)))
			return
		case len(l.params) == 0:
			b.Write(jsonx.Trim(args))
			return
		}
		l.writeParams(b, args)
	}
	if l.name.from < body.from {
		b.WriteString(l.text[:l.name.from] + written + l.renameToolMarks(name, l.between(l.name.to, body.from)))
		arguments()
		b.WriteString(l.renameToolMarks(name, l.text[body.to:]))
		return
	}
	b.WriteString(l.text[:body.from])
	arguments()
	b.WriteString(l.text[body.to:l.name.from] + written + l.renameToolMarks(name, l.text[l.name.to:]))
}

// renameToolMarks returns text, a part of the example, with the tool name in closing markers replaced by name.
func (l *layout) renameToolMarks(name, text string) string {
	was := l.name.of(l.text)
	for _, c := range [...][2]string{{"</", ">"}, {"[/", "]"}} {
		text = strings.ReplaceAll(text, c[0]+was+c[1], c[0]+name+c[1])
	}
	return text
}

// between returns l.text[from:to], the text between the name and the arguments. For arguments in tags it omits the
// white space at the end, because gap adds it before each argument.
func (l *layout) between(from, to int) string {
	text := l.text[from:to]
	if len(l.params) == 0 || l.parser == Python {
		return text
	}
	return strings.TrimRight(text, " \t\r\n")
}

// gap returns the white space before an argument in tags.
func (l *layout) gap() string {
	from := l.params[0].whole.from
	return l.text[len(strings.TrimRight(l.text[:from], " \t\r\n")):from]
}

func (l *layout) writeParams(b *strings.Builder, args []byte) {
	p, n := l.params[0], 0
	for k, v := range jsonx.Members(args) {
		if l.parser == Python {
			if n > 0 {
				b.WriteString(", ")
			}
			b.WriteString(k.String() + l.text[p.key.to:p.value.from])
			b.Write(jsonx.Trim(v))
		} else {
			b.WriteString(l.gap() + l.text[p.whole.from:p.key.from] + k.String())
			b.WriteString(l.renameKeyTags(p, k.String(), p.key.to, p.value.from) + l.values.write(v) + l.renameKeyTags(p, k.String(), p.value.to, p.whole.to))
		}
		n++
	}
}

// renameKeyTags returns l.text[from:to], a part of an argument's tags, with key in place of the example's key in
// closing tags.
func (l *layout) renameKeyTags(p param, key string, from, to int) string {
	return strings.ReplaceAll(l.text[from:to], "</"+p.key.of(l.text)+">", "</"+key+">")
}
