package repair

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// An Arg is one argument of a call.
type Arg struct {
	Key   string // empty for a positional argument
	JSON  []byte // the value; nil when Text is no literal, as in f(city=New York)
	Text  string // the value as it was written
	Fixes []Fix  // offsets count in the text that was read
}

// PythonArgs reads the arguments of a call, from its opening parenthesis to its closing one: positional ones,
// key=value, and **{...} as the members of the dict. A value that is no literal is given as Text alone, where no quote
// and no bracket stands in it but those of a list, which has none inside. n is the number of bytes read. Calls inside
// of arguments and other expressions are ErrUnreadable. A closing parenthesis that is missing before ']' or before a
// control token is made up for; at the end of the text that is ErrTruncated, and args are those that were read.
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

// argument reads one argument, or the members of a dict that is spread.
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

// name reads the key of an argument with its equals sign or colon; empty when there is none.
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

// literal reads the value of an argument.
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

// endsArgument reports whether an argument can end here.
func (p *pythonReader) endsArgument() bool {
	c := p.peek()
	return c == 0 || c == ',' || c == ')' || c == ']' || c == '<' || c == '`'
}

// bare passes a value without quotes, or a list of such values, up to the comma or parenthesis after it.
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
