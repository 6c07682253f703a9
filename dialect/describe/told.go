package describe

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// Question is the prompt that asks a model to describe its own format. [Read] parses the response.
const Question = `How do you write a call of a tool in your answers, as you were trained to? Describe your own format. Answer with one JSON object and nothing else:
{
  "format": "json", "xml" or "custom",
  "example": "a call of the tool get_weather with the argument city set to Paris, letter by letter as you write it, with all tags and tokens around it",
  "parser": "object" (a JSON object with the name and the arguments), "named" (a name and a JSON object of arguments), "tags" (a tag an argument), "pairs" (a tag for each key and each value) or "python",
  "quirks": ["a sentence for each rule that the example does not show"],
  "schema_style": "openai", "anthropic" or "custom"
}`

// Read parses a description from a model's response: a JSON object with an example, alone, in a code block or within
// prose. Invalid values of other keys are dropped, because the example is decisive. Errors are *Error.
func Read(answer string) (*Description, error) {
	for i := 0; i < len(answer); i++ {
		if answer[i] != '{' {
			continue
		}
		end := cmp.Or(objectEnd(answer, i), len(answer))
		res, err := repair.JSON(answer[i:end])
		if err != nil || jsonx.KindOf(res.JSON) != jsonx.Object {
			continue
		}
		if d, ok := parseDescription(res.JSON); ok {
			return d, nil
		}
		i = end - 1
	}
	return nil, wrong("example", "no description is found in the answer: expected a JSON object with an example, got %q",
		clip(strings.TrimSpace(answer)))
}

// parseDescription returns the description in a JSON object. ok is false if it has no example.
func parseDescription(obj []byte) (*Description, bool) {
	text := func(key string) string {
		v, _ := jsonx.Find(obj, key)
		s, _ := jsonx.String(v)
		return strings.TrimSpace(s)
	}
	v, ok := jsonx.Find(obj, "example")
	if !ok {
		return nil, false
	}
	d := &Description{Format: Form(text("format")), Example: text("example"), Parser: Parser(text("parser")),
		SchemaStyle: SchemaStyle(text("schema_style"))}
	if jsonx.KindOf(v) == jsonx.Object || jsonx.KindOf(v) == jsonx.Array {
		d.Example = string(v) // the example is a JSON call instead of a string
	}
	if !slices.Contains(Forms(), string(d.Format)) {
		d.Format = ""
	}
	if !slices.Contains(Parsers(), string(d.Parser)) {
		d.Parser = ""
	}
	if !slices.Contains(Styles(), string(d.SchemaStyle)) {
		d.SchemaStyle = ""
	}
	d.Quirks = sentences(obj)
	return d, true
}

// sentences returns the quirks that are instructions for a model.
func sentences(obj []byte) []string {
	v, _ := jsonx.Find(obj, "quirks")
	var list []string
	if s, ok := jsonx.String(v); ok && jsonx.KindOf(v) == jsonx.Text {
		list = []string{s}
	}
	for e := range jsonx.Elements(v) {
		s, _ := jsonx.String(e)
		list = append(list, s)
	}
	var out []string
	for _, s := range list {
		s = oneLine(s)
		if (strings.Contains(s, " ") || s == SingleCall) && len(s) <= maxQuirk && len(out) < maxQuirks {
			out = append(out, s)
		}
	}
	return out
}

// CompileTold compiles a model's description of its own format. If that fails, it tries the example alone and, on
// success, removes Format and Parser from d.
func (d *Description) CompileTold() (*Format, error) {
	f, err := d.Compile()
	if err == nil {
		return f, nil
	}
	alone := *d
	alone.Format, alone.Parser = "", ""
	f, other := alone.Compile()
	if other == nil {
		*d = alone
		return f, nil
	}
	if e, ok := errors.AsType[*Error](err); ok && e.Key != "example" {
		return nil, other
	}
	return nil, err
}

// YAML returns the description as a YAML mapping for a configuration. Each line begins with indent.
func (d *Description) YAML(indent string) string {
	var b strings.Builder
	line := func(key, value string) {
		if value != "" {
			b.WriteString(indent + key + ": " + value + "\n")
		}
	}
	if d.Name != "" {
		line("name", d.Name)
	}
	line("format", string(d.Format))
	line("example", block(strings.TrimSpace(d.Example), indent+"  "))
	line("parser", string(d.Parser))
	if len(d.Quirks) > 0 {
		b.WriteString(indent + "quirks:\n")
		for _, q := range d.Quirks {
			b.WriteString(indent + "  - " + scalar(q) + "\n")
		}
	}
	line("schema_style", string(d.SchemaStyle))
	return b.String()
}

// block returns text as a YAML block scalar, or as a quoted scalar if it is one line or a block scalar would change
// it.
func block(text, indent string) string {
	control := func(r rune) bool { // including characters that YAML treats as line breaks
		return r != '\n' && r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff
	}
	if !strings.Contains(text, "\n") || strings.ContainsFunc(text, control) {
		return scalar(text)
	}
	out := "|-"
	for l := range strings.SplitSeq(variables.Replace(text), "\n") {
		if l != strings.TrimRight(l, " ") || strings.HasPrefix(l, "#") {
			return scalar(text)
		}
		if out += "\n"; l != "" {
			out += indent + l
		}
	}
	return out
}

// variables escapes ${ to prevent variable expansion in the configuration.
var variables = strings.NewReplacer("${", "$${")

// scalar returns text as a double-quoted YAML scalar.
func scalar(text string) string {
	return string(jsonx.AppendQuote(nil, variables.Replace(text)))
}
