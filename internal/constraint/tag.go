package constraint

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// StructuralTag returns a response format for XGrammar: text is free until the mark of the form, and then a call of a
// tool follows (https://xgrammar.mlc.ai/docs/tutorials/structural_tag.html, triggered_tags). vLLM and SGLang accept it
// as response_format. It contains the schemas unchanged. A server refuses a schema that it cannot convert to a grammar.
func StructuralTag(f Form, tools []Tool, how Conditions) (string, error) {
	tags, err := f.tags(tools, `{"begin":`, `,"content":{"type":"json_schema","json_schema":`, `},"end":`)
	if err != nil {
		return "", err
	}
	return `{"type":"structural_tag","format":{"type":"triggered_tags","triggers":[` + quoteJSON(f.Mark) + `],"tags":[` + tags +
		`],"at_least_one":` + strconv.FormatBool(how.Forced) +
		`,"stop_after_first":` + strconv.FormatBool(how.Single) + `}}`, nil
}

// Structures returns the older format of StructuralTag, which vLLM since 0.8.5 and SGLang accept. It cannot limit the
// number of calls.
func Structures(f Form, tools []Tool) (string, error) {
	tags, err := f.tags(tools, `{"begin":`, `,"schema":`, `,"end":`)
	if err != nil {
		return "", err
	}
	return `{"type":"structural_tag","structures":[` + tags + `],"triggers":[` + quoteJSON(f.Mark) + `]}`, nil
}

// tags returns the tags of the calls of tools. begin, schema and end are the JSON texts before the begin text, the
// schema and the end text of a tag. It returns an error if the calls of a form do not each have a mark and an end.
func (f *Form) tags(tools []Tool, begin, schema, end string) (string, error) {
	if f.Mark == "" || f.after == "" || compact(f.join) != compact(f.after+f.Mark+f.before) {
		return "", errForm
	}
	w := &writer{form: *f}
	var out []string
	for _, t := range tools {
		arguments := t.Schema
		if !jsonx.IsObject(arguments) {
			arguments = []byte(`{"type":"object"}`)
		}
		out = append(out, begin+quoteJSON(f.Mark+f.before+w.name(t)+f.between)+schema+string(arguments)+end+quoteJSON(f.after)+"}")
	}
	text := strings.Join(out, ",")
	if len(text) > maxGrammar {
		return "", errSize
	}
	return text, nil
}

// compact returns a text without white space.
func compact(text string) string { return strings.Join(strings.Fields(text), "") }
