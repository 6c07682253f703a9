package describe

import (
	"cmp"
	"errors"
	"strings"

	"github.com/callwright/callwright/dialect"
)

// A Format is a description made ready for use. It is safe for concurrent use.
type Format struct {
	dialect.Format                // reads and writes calls
	Marks          *dialect.Marks // its marks, before those of the known formats
	Parser         Parser         // where the parts of a call stand
	Tool           string         // that the example calls
	Arguments      []byte         // of the example, a JSON object
}

// Compile makes a format of the description. Errors are *Error: a key with a wrong value, an example in which no call
// is found, or one that is read as something else, and a format in which other calls are not read as they were written.
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

// writings are the ways in which the values of a layout may have to be written.
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

// candidateParsers are the parsers that may read the example, in the order in which they are tried.
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

// shapes describe the content of an example, by its parser.
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

// compose tries a layout with several sets of marks, and takes the first that holds.
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

// nearer returns that of two errors whose format was nearer to holding, the first where both were as near. The first
// may be nil.
func nearer(first, err error) error {
	if first == nil || grade(err) > grade(first) {
		return err
	}
	return first
}

// grade is how near to holding the format was of which an error speaks.
func grade(err error) int {
	e, ok := errors.AsType[*trialError](err)
	if !ok {
		return 0
	}
	return e.grade
}
