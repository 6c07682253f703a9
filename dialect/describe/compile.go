package describe

import (
	"cmp"
	"errors"
	"strings"

	"github.com/callwright/callwright/dialect"
)

// A Format is a compiled Description: a text format of calls that can be parsed and rendered. It is safe for
// concurrent use.
type Format struct {
	dialect.Format                // parses and renders calls
	Marks          *dialect.Marks // markers of this format and of the table
	Parser         Parser         // structure of the call
	Tool           string         // tool name in the example
	Arguments      []byte         // arguments in the example, a JSON object
}

// Compile derives a format from the description. It tests that the example and further rendered calls are parsed
// correctly. An error is an *Error: an invalid value of a key, an example without a recognizable call, or a failed
// test.
func (d *Description) Compile() (*Format, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	trimmed := *d
	trimmed.Example = strings.TrimSpace(d.Example)
	d = &trimmed
	layouts := find(d.Example, d.candidateParsers())
	if len(layouts) == 0 {
		return nil, wrong("example", "no call is found in it: expected %s", d.describeExpected())
	}
	var first error
	for _, l := range layouts {
		for _, how := range l.writings() {
			f, err := d.compose(how)
			if err == nil {
				return f, nil
			}
			first = nearer(first, err)
		}
	}
	if e, ok := errors.AsType[*trialError](first); ok {
		first = e.is
	}
	return nil, first
}

// writings returns variants of the layout with different notations of argument values in tags.
func (l *layout) writings() []*layout {
	out := []*layout{l}
	if l.parser != Tags && l.parser != Pairs {
		return out
	}
	for _, o := range []values{{wrapped: true}, {escaped: true}, {escaped: true, wrapped: true}} {
		other := *l
		other.values = o
		out = append(out, &other)
	}
	return out
}

// candidateParsers returns the parsers to try on the example, in order.
func (d *Description) candidateParsers() []Parser {
	if d.Parser != "" && d.Parser != Auto {
		return []Parser{d.Parser}
	}
	switch d.Format {
	case JSON:
		return []Parser{Object, Named}
	case XML:
		return []Parser{Pairs, Tags, Object, Named}
	case Custom:
	}
	return []Parser{Object, Named, Pairs, Tags, Python}
}

// shapes describes the call structure of each parser, for error messages.
var shapes = map[Parser]string{
	Object: "a JSON object with a name and arguments",
	Named:  "a name and a JSON object of arguments",
	Pairs:  "tags with a name, keys and values",
	Tags:   "a tag with a name around one tag for each argument",
	Python: `name(key="value")`,
}

func (d *Description) describeExpected() string {
	var words []string
	for _, p := range d.candidateParsers() {
		words = append(words, shapes[p])
	}
	if len(words) == 1 {
		return words[0]
	}
	return oneOf(words)
}

// compose tries the layout with several sets of markers and returns the first format that passes the tests. Otherwise
// it returns the error of the attempt that came closest.
func (d *Description) compose(l *layout) (*Format, error) {
	f := dialect.Format{Name: d.name(), Doc: "Described by an example.", Example: d.Example, NameKey: l.nameKey,
		ArgumentsKey: l.argsKey, Attributes: l.attributes()}
	f = f.With(&writer{layout: l, style: cmp.Or(d.SchemaStyle, OpenAI), quirks: d.Quirks})
	var first error
	for _, marks := range l.markSets() {
		f.Marks = marks
		own, err := dialect.NewMarks(f)
		if err != nil {
			first = nearer(first, wrong("example", "%v", err))
			continue
		}
		out := &Format{Format: f, Marks: own, Parser: l.parser, Tool: l.tool, Arguments: l.arguments}
		if err := out.try(d.Example, l); err != nil {
			first = nearer(first, err)
			continue
		}
		return out, nil
	}
	return nil, first
}

// nearer returns the error with the higher grade, which came closer to passing the tests, or first if both are equal.
// first may be nil; the result is then err.
func nearer(first, err error) error {
	if first == nil || grade(err) > grade(first) {
		return err
	}
	return first
}

// grade returns how close a format came to passing the tests: the grade of a *trialError, 0 for other errors.
func grade(err error) int {
	e, ok := errors.AsType[*trialError](err)
	if !ok {
		return 0
	}
	return e.grade
}
