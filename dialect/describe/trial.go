package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// A trialError reports that a text was not parsed as the expected call. A higher grade means that the format came
// closer to passing.
type trialError struct {
	is    *Error
	grade int
}

func (e *trialError) Error() string { return e.is.Error() }

func (e *trialError) Unwrap() error { return e.is }

// trials are the calls that every format must be able to render and parse back. The first has no arguments.
var trials = [][]dialect.RenderedCall{
	{{Name: "list_rooms"}},
	{{Name: "set_lamp", Arguments: []byte(`{"room": "attic", "level": 40, "on": true, "scenes": ["dusk", "dawn"]}`)}},
	{{Name: "save_note", Arguments: []byte(`{"title": "a \"word\", it's [one]", "body": "first line\n  second line", "meta": {"n": 9007199254740993, "x": [1.5, null]}}`)}},
	{{Name: "save_note", Arguments: []byte(`{"title": "Fish &amp; chips &lt;b&gt;", "body": "\n first\n\nlast\n"}`)}},
	{{Name: "set_lamp", Arguments: []byte(`{"room": "cellar", "level": 7}`)}, {Name: "list_rooms"},
		{Name: "set_lamp", Arguments: []byte(`{"room": "hall"}`)}},
}

// trialTools are the tools of the trials.
var trialTools = []dialect.Tool{
	{Name: "list_rooms"},
	{Name: "set_lamp", Params: []dialect.Param{{Name: "room", Types: []string{"string"}, Required: true},
		{Name: "level", Types: []string{"integer"}},
		{Name: "on", Types: []string{"boolean"}}, {Name: "scenes", Types: []string{"array"}}}},
	{Name: "save_note", Params: []dialect.Param{{Name: "title", Types: []string{"string"}, Required: true},
		{Name: "body", Types: []string{"string"}}, {Name: "meta", Types: []string{"object"}}}},
}

// try tests that the example and the rendered trials are parsed correctly.
func (f *Format) try(example string, l *layout) error {
	if why := f.differs(example, []dialect.Tool{f.ExampleTool()}, []dialect.RenderedCall{{Name: l.tool, Arguments: l.arguments}}); why != "" {
		n := 1
		if strings.HasPrefix(why, "a call of "+l.tool) {
			n = 2
		}
		return &trialError{wrong("example", "expected a call of %s with %s (%s), read %s", l.tool, l.arguments, shapes[l.parser], why), n}
	}
	for _, calls := range trials {
		text := f.RenderCalls(calls)
		if why := f.differs(text, trialTools, calls); why != "" {
			return &trialError{wrong("example", "the format of the example does not carry every call: %q is read as %s", text, why), 3}
		}
	}
	return nil
}

// ExampleTool returns the tool of the example, with parameters derived from its arguments.
func (f *Format) ExampleTool() dialect.Tool {
	t := dialect.Tool{Name: f.Tool}
	for k, v := range jsonx.Members(f.Arguments) {
		p := dialect.Param{Name: k.String(), Types: []string{jsonx.KindOf(v).String()}}
		if jsonx.KindOf(v) == jsonx.Null {
			p.Types = nil
		}
		t.Params = append(t.Params, p)
	}
	return t
}

// ReadAs parses the example and returns the name of the format in which its call was found. This is a known format if
// the example has no markers.
func (f *Format) ReadAs() string {
	for _, it := range dialect.ScanAll(f.options([]dialect.Tool{f.ExampleTool()}), f.Example) {
		if it.Kind == dialect.CallFound {
			return it.Call.Format
		}
	}
	return f.Name
}

// options returns the scanner options for the format.
func (f *Format) options(tools []dialect.Tool) dialect.Options {
	return dialect.Options{Tools: tools, Marks: f.Marks, Hint: f.Name}
}

// differs returns "" if text is parsed as exactly the calls want, and otherwise a description of the parsed items.
func (f *Format) differs(text string, tools []dialect.Tool, want []dialect.RenderedCall) string {
	var got []string
	n, same := 0, true
	for _, it := range dialect.ScanAll(f.options(tools), text) {
		switch it.Kind {
		case dialect.Text, dialect.Reasoning:
			if strings.TrimSpace(it.Text) != "" {
				got, same = append(got, fmt.Sprintf("the %s %q", it.Kind, clip(it.Text))), false
			}
		case dialect.CallFound:
			got = append(got, "a call of "+it.Call.Name+" with "+clip(argumentsOf(it.Call)))
			same = same && n < len(want) && it.Call.Name == want[n].Name && carries(it.Call, want[n].Arguments)
			n++
		case dialect.CallRejected:
			got, same = append(got, fmt.Sprintf("a call of %q that cannot be run (%s)", it.Call.Written, it.Why)), false
		case dialect.Noted:
			got, same = append(got, fmt.Sprintf("%q, which is left out (%s)", clip(it.Note.Was), it.Note.Rule)), false
		}
	}
	switch {
	case same && n == len(want):
		return ""
	case len(got) == 0:
		return "nothing"
	}
	return strings.Join(got, ", then ")
}

// argumentsOf returns the arguments of a parsed call as JSON.
func argumentsOf(c *dialect.Call) string {
	if len(c.Args) == 0 {
		return strings.TrimSpace(c.JSON)
	}
	b := []byte{'{'}
	for i, a := range c.Args {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(jsonx.AppendQuote(b, a.Key), ": "...)
		if a.Kind == dialect.JSON {
			b = append(b, a.Text...)
		} else {
			b = jsonx.AppendQuote(b, a.Text)
		}
	}
	return string(append(b, '}'))
}

// carries reports whether the parsed call has the arguments args.
func carries(c *dialect.Call, args []byte) bool {
	if len(args) == 0 {
		args = []byte("{}")
	}
	if len(c.Args) == 0 && strings.TrimSpace(c.JSON) != "" {
		return !slices.ContainsFunc(c.Fixes, func(f repair.Fix) bool { return f.Rule != "double_encoded" }) &&
			jsonx.Valid([]byte(c.JSON)) == nil && jsonx.Equal(jsonx.Trim([]byte(c.JSON)), args)
	}
	n := 0
	for k, v := range jsonx.Members(args) {
		if n >= len(c.Args) || c.Args[n].Key != k.String() || !holds(&c.Args[n], v) {
			return false
		}
		n++
	}
	return n == len(c.Args)
}

// holds reports whether a parsed argument equals the JSON value v.
func holds(a *dialect.Arg, v []byte) bool {
	if s, ok := jsonx.String(v); ok && jsonx.KindOf(v) == jsonx.Text && a.Kind == dialect.Literal {
		return a.Text == s
	}
	text := jsonx.Trim([]byte(a.Text))
	return jsonx.Valid(text) == nil && jsonx.Equal(text, v)
}
