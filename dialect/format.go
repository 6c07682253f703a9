package dialect

import "strings"

// A Format is one textual grammar of tool calls: its marks for the scanner, and its voice for prompts and history.
// Formats are values of a fixed table and safe for concurrent use.
type Format struct {
	Name     string
	Fault    string // the class of failure that a note carries of a call that came in the format unasked
	Families string // model families that write it, separated by spaces; matched as parts of model names
	Doc      string
	Example  string // a call of get_weather with the city Paris
	Mends    string // what is mended beyond the rules for all formats
	Marks    []Mark

	kin      string // the format whose marks it shares, where it was asked for by name
	literals bool   // its arguments are literals of its own, with keys and strings that need no quotes
	whole    bool   // one object is the whole answer, text included
	open     bool   // nothing closes its sections: text behind a call is text
	repeats  repeat
	renderer renderer
	tools    toolRenderer // nil: one line of JSON a tool
	results  func(b *strings.Builder, results []RenderedResult)
}

// A repeat says which value counts when an argument is given twice with different values.
type repeat uint8

const (
	refuseBoth repeat = iota // neither: the call contradicts itself
	keepFirst
	keepLast
)

// Renders reports whether tools, calls and results can be written in the format. Others are only read.
func (f Format) Renders() bool { return f.renderer != nil }

// Formats returns all formats, in the order in which they are tried. The caller must not change their marks.
func Formats() []Format {
	return append([]Format(nil), table...)
}

// Lookup returns the format of a name.
func Lookup(name string) (Format, bool) {
	for i := range table {
		if table[i].Name == name {
			return table[i], true
		}
	}
	return Format{}, false
}

// DefaultFormat is the format that ForModel gives for unknown models.
const DefaultFormat = "hermes"

// ForModel returns the name of the format that a model's family was trained on. The longest family name that occurs in
// the model's name wins; unknown models get DefaultFormat.
func ForModel(model string) string {
	model = strings.ToLower(model)
	best, longest := DefaultFormat, 0
	for i := range table {
		for f := range strings.FieldsSeq(table[i].Families) {
			if len(f) > longest && strings.Contains(model, f) && table[i].renderer != nil {
				best, longest = table[i].Name, len(f)
			}
		}
	}
	return best
}
