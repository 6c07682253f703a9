package repair

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// An Arg is one argument of a call.
type Arg struct {
	Key   string // "" for a positional argument
	JSON  []byte // the value; nil if Text is not a literal, as in f(city=New York)
	Text  string // the value as it is written
	Fixes []Fix  // changes to the value; offsets are relative to the whole text
}

// PythonArgs parses the arguments of a Python call, from the opening to the closing parenthesis: positional arguments,
// key=value, and **{...}, whose members become arguments. n is the number of bytes parsed. An unquoted value without
// quotes and brackets, or an unnested list of such values, is returned with only Text set. For nested calls and other
// expressions the error is ErrUnreadable. A missing closing parenthesis before ']' or a control token is tolerated. At
// the end of the text the error is ErrTruncated, and args has the arguments parsed so far.
func PythonArgs(text string) (args []Arg, n int, err error) {
	p := pythonReader{s: text}
	if p.peek() != '(' {
		return nil, -1, ErrUnreadable
	}
	p.i++
	p.open.push(paren)
	for {
		switch p.peek() {
		case ')':
			return args, p.i + 1, nil
		case 0:
			return args, -1, ErrTruncated
		}
		if args, err = p.argument(args); err != nil {
			return args, -1, err
		}
		switch c := p.peek(); {
		case c == ',':
			p.i++
		case c == ')':
		case c == 0:
			return args, -1, ErrTruncated
		case c == ']' || isEndMark(text[p.i:]) || strings.HasPrefix(text[p.i:], "```"):
			return args, p.i, nil
		default:
			return args, -1, ErrUnreadable
		}
	}
}

// argument parses one argument, or the members of a **{...} argument.
func (p *pythonReader) argument(args []Arg) ([]Arg, error) {
	if strings.HasPrefix(p.s[p.i:], "**") {
		p.i += 2
		if p.peek() != '{' {
			return args, ErrUnreadable
		}
		return p.spread(args)
	}
	if p.s[p.i] == '*' {
		return args, ErrUnreadable
	}
	key := p.name()
	a, err := p.literal(key)
	if err != nil {
		return args, err
	}
	return append(args, a), nil
}

func (p *pythonReader) spread(args []Arg) ([]Arg, error) {
	a, err := p.literal("")
	if err != nil {
		return args, err
	}
	if jsonx.KindOf(a.JSON) != jsonx.Object {
		return args, ErrUnreadable
	}
	for key, value := range jsonx.Members(a.JSON) {
		args = append(args, Arg{Key: key.String(), JSON: value, Text: string(value), Fixes: a.Fixes})
		a.Fixes = nil
	}
	return args, nil
}

// name parses the key of an argument and its equals sign or colon. It returns "" for a positional argument.
func (p *pythonReader) name() string {
	p.blank()
	start, from := p.i, p.i
	m, quoted := opening(p.s, from, asKey)
	if quoted {
		from += m.size
	}
	end := from
	for end < len(p.s) && isWord(p.s[end]) {
		end++
	}
	next := end
	if quoted {
		if end >= len(p.s) || m.width(p.s, end) == 0 {
			return ""
		}
		next += m.width(p.s, end)
	}
	next = skipSpace(p.s, next)
	if end == from || next >= len(p.s) || p.s[next] != '=' && p.s[next] != ':' || strings.HasPrefix(p.s[next:], "==") {
		p.i = start
		return ""
	}
	p.i = next + 1
	return p.s[from:end]
}

// literal parses the value of an argument.
func (p *pythonReader) literal(key string) (Arg, error) {
	p.blank()
	start := p.i
	p.out, p.journal, p.keyed = nil, journal{}, key != ""
	err := p.value()
	end := p.i
	switch {
	case err == nil && p.endsArgument():
		return Arg{Key: key, JSON: p.out, Text: p.s[start:end], Fixes: p.sortFixes()}, nil
	case err != nil && err != ErrUnreadable:
		return Arg{}, err
	}
	p.i = start
	text, err := p.bare()
	return Arg{Key: key, Text: text}, err
}

// endsArgument reports whether the text at the current offset can end an argument.
func (p *pythonReader) endsArgument() bool {
	c := p.peek()
	return c == 0 || c == ',' || c == ')' || c == ']' || c == '<' || c == '`'
}

// bare parses an unquoted value, or a list of unquoted values, up to the next comma or parenthesis.
func (p *pythonReader) bare() (string, error) {
	end := p.i
	if p.s[end] == bracket {
		n := strings.IndexAny(p.s[end+1:], "()[]{}`<")
		switch {
		case n < 0:
			return "", ErrTruncated
		case p.s[end+1+n] != closes(bracket):
			return "", ErrUnreadable
		}
		end = skipSpace(p.s, end+1+n+1)
	}
	n := strings.IndexAny(p.s[end:], ",()[]{}\"'`<\n")
	if n < 0 {
		return "", ErrTruncated
	}
	text := strings.TrimSpace(p.s[p.i : end+n])
	if c := p.s[end+n]; text == "" || end > p.i && n > 0 || c != ',' && c != ')' {
		return "", ErrUnreadable
	}
	p.i = end + n
	return text, nil
}
