package dialect

import (
	"strings"
)

// A Format is one textual grammar of tool calls: its marks for the scanner, and its voice for prompts and history.
// Formats are values of a fixed table and safe for concurrent use.
type Format struct {
	Name     string
	Families string // model families that write it, separated by spaces; matched as parts of model names
	Doc      string
	Marks    []Mark

	bare    bool // keys without quotes are its grammar
	whole   bool // one object is the whole answer, text included
	voice   voice
	results func(b *strings.Builder, results []RenderedResult)
}

// Renders tells whether tools, calls and results can be written in the format. Others are only read.
func (f Format) Renders() bool { return f.voice != nil }

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
			if len(f) > longest && strings.Contains(model, f) && table[i].voice != nil {
				best, longest = table[i].Name, len(f)
			}
		}
	}
	return best
}
