package dialect

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/render"
)

// table are the formats, in the order in which their marks are tried. A mark that several formats share stands in the
// first of them; a later one names it as its kin.
var table = complete(slices.Concat(jsonRows, tagRows, tokenRows, headRows, scriptRows, templateRows))

// complete gives rows that have a renderer an example written by it.
func complete(rows []Format) []Format {
	for i := range rows {
		if f := &rows[i]; f.Example == "" && f.renderer != nil {
			var b strings.Builder
			f.renderer.Calls(&b, []render.Call{{Name: "get_weather", Arguments: []byte(`{"city": "Paris"}`)}})
			f.Example = b.String()
		}
	}
	return rows
}

var tableMarks = sync.OnceValue(func() *index { return newIndex(table) })

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

// defaultFormat is the format that ForModel gives for unknown models.
const defaultFormat = "hermes"

// Lookup returns the format of a name, those of a caller's own first. m may be nil.
func (m *Marks) Lookup(name string) (Format, bool) {
	if m == nil {
		return Lookup(name)
	}
	if f := m.index.rows[name]; f != nil {
		return *f, true
	}
	return Format{}, false
}

// String is the names of a caller's own formats, with their examples.
func (m *Marks) String() string {
	out := ""
	for i := 0; m != nil && i < len(m.own); i++ {
		out += m.own[i].Name + ": " + m.own[i].Example + "\n"
	}
	return out
}

// ForModel returns the name of the format that a model's family was trained on. The longest family name that occurs in
// the model's name wins; unknown models get "hermes".
func ForModel(model string) string {
	model = chars.NormalizeName(model)
	best, longest := defaultFormat, 0
	for i := range table {
		for f := range strings.FieldsSeq(table[i].Families) {
			if len(f) > longest && strings.Contains(model, chars.NormalizeName(f)) && table[i].renderer != nil {
				best, longest = table[i].Name, len(f)
			}
		}
	}
	return best
}

// NewMarks puts formats before those of the table: a mark of several formats belongs to the first. A caller's format
// needs a name, which notes show as dialect.NAME, and marks; it is only read. Its marks enclose the same forms of calls
// as those of any other format: JSON with a name and arguments, a name and JSON, tags. A mark is a tag, a special
// token, or a text that begins with a bracket: <act>, <|act|>, [ACT]. In such a text %s stands for the tool's name, as
// in [[ACT %s]]; the arguments follow the mark. Only a mark of the role Line is plain text. Another text, or a role
// that belongs to one format of the table (Prefix, Channel), is an error.
func NewMarks(own ...Format) (*Marks, error) {
	for i := range own {
		if own[i].Name == "" {
			return nil, fmt.Errorf("format %d: expected a name, got none", i)
		}
		for _, m := range own[i].Marks {
			if err := m.check(); err != nil {
				return nil, fmt.Errorf("format %s: %w", own[i].Name, err)
			}
		}
	}
	own = slices.Clone(own)
	return &Marks{newIndex(own, table), own}, nil
}

// templateRows are the marks of chat templates around answers.
var templateRows = []Format{
	{
		Name: "template", Fault: "F11",
		Doc: "What chat templates leave in texts, and other spellings of reasoning. Nothing is rendered in it.",
		Marks: []Mark{
			{"<|im_start|>", "<|im_end|>", Noise}, {"<|endoftext|>", "", Noise}, {"<|eot_id|>", "", Noise},
			{"<|eom_id|>", "", Noise}, {"<|eot|>", "<|eom|>", Noise},
			{"<|start_header_id|>", "<|end_header_id|>", Noise}, {"<|end_of_text|>", "", Noise}, {"<|begin_of_text|>", "", Noise},
			{"<|end_of_sentence|>", "<|begin_of_sentence|>", Noise}, {"<s>", "", Noise}, {"<|endofturn|>", "", Noise}, {"<end_of_turn>", "", Noise},
			{"<start_of_turn>", "", Noise}, {"<|EOT|>", "", Noise}, {"<|user|>", "<|assistant|>", Noise},
			{"<|User|>", "<|Assistant|>", Noise}, {"<|observation|>", "<|system|>", Noise},
			{"<|end_of_turn|>", "<|END_OF_TURN_TOKEN|>", Noise}, {"<|message_sep|>", "<|role_sep|>", Noise},
			{"[BOS]", "[EOS]", Noise}, {"<|begin_of_box|>", "<|end_of_box|>", Noise},
			{"<thought>", "</thought>", Think}, {"<reasoning>", "</reasoning>", Think},
		},
	},
}
