package dialect_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
)

// looseCalls are calls with few marks or with wrong ones, of a tool note with one text.
var looseCalls = []string{
	"[Calling tool=\"note\" text=\"a word\"]",
	"tool_code = note(text=\"a word\")\nprint(tool_code)",
	"1 {\"name\": \"note\", \"arguments\": {\"text\": \"a word\"}}\n2 [END_TOOL_REQUEST]",
	"<tool>note</tool><tool_input>a word</tool_input>",
	"<tool: note a word </tool>",
	"<tool_code>note(text=\"a word\")</tool_code>",
	"<tool_call>function\nnote\n{\"text\": \"a word\"}</tool_call>",
	"<tool_call>note>{\"text\": \"a word\"}</tool_call>",
	"<tool_call>note text=\"a word\"</tool_call>",
	"<tool_call>note<arg_key>text=a word</arg_value></tool_call>",
	"<tool_call>notetext</arg_key><arg_value>a word</arg_value></tool_call>",
	"<tool_call>note<tool_call>text</arg_key><arg_value>a word</arg_value></tool_call>",
	"<tool_call><function=note>[call_1]{\"text\": \"a word\"}</function></tool_call>",
	"{\"name\": \"note\", \"parameters\": {\"text\": \"a word\"}}<|python_tag|>{\"name\": \"ping\", \"parameters\": {}}",
	"```tool\nTOOL_NAME: note\nBEGIN_ARG: text\na word\nEND_ARG\n```",
	"<tool name=\"note\">a word</tool>",
	"<parameter=note>\n<parameter=text>\na word\n</parameter>\n</function>",
	"<Function=note>\n<Parameter=text>\na word\n</Parameter>\n</Function>",
	"<minimax:tool_call>\ninvoke name=\"note\">\nparameter name=\"text\">a wordparameter>\ninvoke>\n</minimax:tool_call>",
	"<|from|>assistant\n<|recipient|>note\n<|content|>{\"text\": \"a word\"}",
}

// Calls of these forms are called where they have their lines to themselves, and no word around them is lost; where a sentence shows them, or the tool
// is not declared, none is.
func TestLooseCalls(t *testing.T) {
	for _, call := range looseCalls {
		for _, text := range []string{call, "First.\n" + call, call + "\nLast.", "First.\n\n" + call + "\n\nLast."} {
			items := scan(dialect.Options{Tools: tools}, text)
			if n := countCalls(items); n == 0 {
				t.Errorf("%q is not called: %q", text, joined(items))
			}
			if err := newAccount(text, items).check(); err != nil {
				t.Errorf("%q: %v: %q", text, err, joined(items))
			}
			checkWords(t, text, items)
			samePieces(t, text, items)
		}
		for _, text := range []string{"For example:\n" + call, "The format is " + call + " for calls.", "> " + strings.ReplaceAll(call, "\n", "\n> "), "One writes `" + strings.ReplaceAll(call, "\n", " ") + "` there."} {
			items := scan(dialect.Options{Tools: tools}, text)
			if n := countCalls(items); n > 0 {
				t.Errorf("%q is called: %q", text, joined(items))
			}
			checkWords(t, text, items)
			samePieces(t, text, items)
		}
		if n := countCalls(scan(dialect.Options{Tools: []dialect.Tool{{Name: "other"}}}, call)); n > 0 {
			t.Errorf("%q is called without its tool", call)
		}
	}
}
