package dialect

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/render"
)

// table has the formats in the order in which their markers are matched. A marker that several formats share belongs
// to the first one; the others name this format in kin.
var table = complete(slices.Concat(jsonRows, tagRows, tokenRows, headRows, scriptRows, templateRows))

// complete sets missing examples of rows with a renderer.
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

// Formats returns all formats in matching order. The caller must not modify their Marks.
func Formats() []Format {
	return append([]Format(nil), table...)
}

// Lookup returns the format with the given name. It returns false if there is none.
func Lookup(name string) (Format, bool) {
	for i := range table {
		if table[i].Name == name {
			return table[i], true
		}
	}
	return Format{}, false
}

// defaultFormat is the result of ForModel for unknown models.
const defaultFormat = "hermes"

// Lookup returns the format with the given name, false if none. The caller's own formats come first. m may be nil.
func (m *Marks) Lookup(name string) (Format, bool) {
	if m == nil {
		return Lookup(name)
	}
	if f := m.index.rows[name]; f != nil {
		return *f, true
	}
	return Format{}, false
}

// String returns the names and examples of the caller's own formats.
func (m *Marks) String() string {
	out := ""
	for i := 0; m != nil && i < len(m.own); i++ {
		out += m.own[i].Name + ": " + m.own[i].Example + "\n"
	}
	return out
}

// ForModel returns the name of the format on which a model's family was trained. The longest family name that is part
// of the model name determines the family. For unknown models it is "hermes".
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

// NewMarks returns Marks with the caller's formats before those of the table. Such a format is used for parsing only.
// It needs a Name, which appears in notes as dialect.NAME, and Marks. Its markers can enclose JSON with name and
// arguments, a name and JSON, or tags.
//
// A marker is a tag, a special token or a text that begins with a bracket: <act>, <|act|>, [ACT]. In a text with a
// bracket, %s stands for the tool name, as in [[ACT %s]]; the arguments follow the marker. Only a marker of role Line
// may be plain text. Other texts and the roles Prefix and Channel are errors.
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

// templateRows are markers of chat templates that may appear in responses.
var templateRows = []Format{
	{
		Name: "template", Fault: "F11",
		Doc: "Tokens of chat templates that leak into answers, and other tags for reasoning. No call is written in this format.",
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
