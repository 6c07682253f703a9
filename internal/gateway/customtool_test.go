package gateway_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/grammar"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// editGrammar is the grammar of the tool edit_files: edits of files in one text.
const editGrammar = `start: "*** Begin Edit" LF change+ "*** End Edit" LF?
change: "*** File: " /[^\n]+/ LF line+
line: /[-+ ]/ /.*/ LF
%import common.LF`

// drawnEdit is an edit that satisfies the grammar, or comes close to it.
func drawnEdit(t *rapid.T) string {
	var b strings.Builder
	b.WriteString(rapid.SampledFrom([]string{"*** Begin Edit\n", "*** Begin Edit\n", "*** Begin Edit\n", "*** Begin Edit ***\n", "Begin Edit\n"}).Draw(t, "opener"))
	lines := rapid.SampledFrom([]string{"+x", "-", " \"quoted\" \\n {\"input\":1}", "+é\t$HOME `a`", "+*** End Edit", "-</tool_call>", "+```"})
	for range rapid.IntRange(1, 2).Draw(t, "files") {
		b.WriteString("*** File: a b.txt\n" + strings.Join(rapid.SliceOfN(lines, 1, 4).Draw(t, "lines"), "\n") + "\n")
	}
	b.WriteString(rapid.SampledFrom([]string{"*** End Edit", "*** End Edit\n", "*** End Edit", "", "*** End Edit\n\n"}).Draw(t, "closer"))
	return b.String()
}

// An editWrapper is a form in which a model gives an edit as arguments. Those that are no object come over APIs whose arguments are text.
type editWrapper struct {
	name    string
	isText  bool
	written func(edit string) string
}

func inArguments(format string) func(string) string {
	return func(edit string) string { return strings.ReplaceAll(format, "EDIT", quotedText(edit)) }
}

func quotedText(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // of a string
	return strings.TrimSpace(b.String())
}

var editWrappers = []editWrapper{
	{"as declared", false, inArguments(`{"input":EDIT}`)},
	{"another parameter", false, inArguments(`{"edit":EDIT}`)},
	{"no name", false, inArguments(`{"":EDIT}`)},
	{"a command", false, inArguments(`{"command":["edit_files",EDIT]}`)},
	{"a further parameter", false, inArguments(`{"edit":EDIT,"path":"a.txt"}`)},
	{"an object", false, inArguments(`{"input":{"edit":EDIT}}`)},
	{"a command of a shell", false, func(edit string) string {
		return `{"cmd":["bash","-lc",` + quotedText("edit_files <<'END_OF_EDIT'\n"+edit+"\nEND_OF_EDIT") + `]}`
	}},
	{"no text", false, func(string) string { return `{"n":7}` }},
	{"a list", true, inArguments(`["edit_files",EDIT]`)},
	{"text alone", true, func(edit string) string { return edit }},
	{"a fence", true, func(edit string) string { return "````edit\n" + edit + "\n````" }},
}

// customInputs are the inputs of the custom calls of an answer, and what the pieces of a stream came to.
func customInputs(t *rapid.T, got answer) (inputs []string, pieces string) {
	body := got.body
	for line := range strings.Lines(got.body) {
		data, ok := strings.CutPrefix(line, "data: ")
		var ev struct {
			Type, Delta string
			Response    json.RawMessage
		}
		if !ok || json.Unmarshal([]byte(data), &ev) != nil {
			continue
		}
		switch ev.Type {
		case "response.custom_tool_call_input.delta":
			pieces += ev.Delta
		case "response.completed":
			body = string(ev.Response)
		}
	}
	var resp struct {
		Output []struct{ Type, Name, Input string }
	}
	if err := json.Unmarshal([]byte(body), &resp); err != nil {
		t.Fatalf("%v: %s", err, got.body)
	}
	for _, item := range resp.Output {
		switch {
		case item.Type == "custom_tool_call" && item.Name == "edit_files":
			inputs = append(inputs, item.Input)
		case item.Type == "function_call":
			t.Fatalf("a call of a function: %s", got.body)
		}
	}
	return inputs, pieces
}

// A call of a tool that takes free text under a grammar leaves with the model's text, which satisfies the grammar, or the model is asked again
// in the words of the grammar: over every API, whole and streamed, whether the provider knows such tools or gets a function.
func TestCustomToolsUnderAGrammar(t *testing.T) {
	g, err := grammar.Compile(grammar.Lark, editGrammar)
	if err != nil {
		t.Fatal(err)
	}
	satisfies := func(text string) bool { return g.Check(text, &grammar.Budget{Steps: grammar.DefaultSteps}) == nil }
	outer, r := t, newRenaming(t)
	const second = "*** Begin Edit\n*** File: second\n+x\n*** End Edit"
	rapid.Check(t, func(t *rapid.T) {
		far := rapid.SampledFrom(codecs.All()).Draw(t, "far").Name()
		stream := rapid.Bool().Draw(t, "stream")
		known := rapid.SampledFrom([]string{"yes", "no"}).Draw(t, "custom_tools")
		calls := rapid.SampledFrom([]callwright.StreamCalls{callwright.StreamFlowing, callwright.StreamHeld}).Draw(t, "stream_calls")
		w := rapid.SampledFrom(editWrappers).Draw(t, "wrapper")
		if w.isText && far != callwright.WireOpenAI && far != callwright.WireResponses {
			w = editWrappers[0]
		}
		edit := drawnEdit(t)
		written := w.written(edit)
		again := `{"input":` + quotedText(second) + `}`
		if far == callwright.WireResponses && known == "yes" {
			again = second
		}
		r.set([]reliable.Option{reliable.WithFacts(fact("custom_tools", known)), reliable.WithStreamCalls(calls)}, simulate.Turn{Calls: []simulate.Call{{Name: "edit_files", Arguments: written}}},
			simulate.Turn{Calls: []simulate.Call{{Name: "edit_files", Arguments: again}}})
		at := fmt.Sprintf("%s, stream %t, calls %s, custom_tools %s, %s, %q", far, stream, calls, known, w.name, edit)
		got := post(outer, r.url+"/v1/responses", fmt.Sprintf(`{"model":"%s/m","stream":%t,"input":"Edit.","tools":[{"type":"custom","name":"edit_files","format":{"type":"grammar","syntax":"lark","definition":%s}}]}`,
			far, stream, quotedText(editGrammar)))
		inputs, pieces := customInputs(t, got)
		seen := r.requests()
		if len(inputs) != 1 || stream && pieces != inputs[0] {
			t.Fatalf("%s: %d calls, pieces %q: %s", at, len(inputs), pieces, got.body)
		}
		if !satisfies(inputs[0]) {
			t.Fatalf("%s: %q leaves", at, inputs[0])
		}
		readable := satisfies(edit) && w.name != "no text"
		switch {
		case readable && (len(seen) != 1 || strings.TrimSuffix(inputs[0], "\n") != strings.TrimSuffix(edit, "\n")):
			t.Fatalf("%s: %d requests, %q leaves", at, len(seen), inputs[0])
		case readable || inputs[0] != second:
			if !strings.Contains(written, strings.Trim(quotedText(strings.TrimSuffix(inputs[0], "\n")), `"`)) && !strings.Contains(written, inputs[0]) {
				t.Fatalf("%s: %q leaves, which the model did not write", at, inputs[0])
			}
		case len(seen) != 2 || !strings.Contains(string(seen[1].Body), "lark grammar at line") && !strings.Contains(string(seen[1].Body), "the arguments are not"):
			t.Fatalf("%s: %d requests, the last %.2000s", at, len(seen), seen[len(seen)-1].Body)
		}
	})
}
