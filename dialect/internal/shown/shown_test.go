package shown_test

import (
	"testing"

	"github.com/callwright/callwright/dialect/internal/shown"
)

func marked(lead string) bool   { return shown.IsPresented(lead, shown.Marked) }
func unmarked(lead string) bool { return shown.IsPresented(lead, shown.Unmarked) }

// Each question about the text before markup has texts of which it is true, and texts of which it is not.
func TestQuestions(t *testing.T) {
	for name, c := range map[string]struct {
		ask     func(string) bool
		yes, no []string
	}{
		"IsQuoted": {shown.IsQuoted, []string{"> ", "| a | ", "He said \"", "Write `x ", "+", "so “"}, []string{"", "I look. ", "a `b` c ", "- "}},
		"InCode":   {shown.InCode, []string{"`", "``a`", "`a` and `"}, []string{"", "`a`", "``a` b``"}},
		"IsItem":   {shown.IsItem, []string{"-", " * ", "1.", "12)"}, []string{"", "a.", "-x", "1"}},
		"IsPresented": {unmarked, []string{"For example:", "The format is:", "Before:\n", "Shall I run this?", "or", "Type this in your shell:", "例如：", "The request looks like:", "You can also call it like:", "It is called like so:",
			"The request body looks like this:", "Your config contains:", "The output of the tool was:", "In the README it says:", "Here's what the user pasted:", "Here is the log:", "Sample:", "Never send this:", "It must not be run:", "You can run this:"},
			[]string{"", "I will look at it.", "Let me check:", "Now I call it:", "I'll call it like this:", "The function call would look like this:", "It looks like nothing is there.",
				"To see what the log shows, I run:", "Here is the call:", "The user requested the following command:", "This command shows the log:", "The output is:", "The log shows an error:", "You can use the following function call:", "The docs show it."}},
		"IsPresented, marked": {marked, []string{"This is an example of the format:", "Zum Beispiel:", "It looks like:", "The docs show:", "Do not run this:", "You could run:", "Use it, e.g.", "It is written as ", "A call looks like ",
			"The log shows: ", "For example: ", "For instance, ", "You can call it with ", "The tag ", "A model emits ", "I could write ", "Here is an example:\n", "Let me show you an example: ", "Before:\n", "Maybe "},
			[]string{"The docs show", "I run what the docs show:", "I'll do it, for example:", "Here is the call:", "The format is\n", "", "The log shows ", "I look at it now ", "I look for an example. ", "Text before ", "I write ", "Now:\n"}},
		"GoesOnShowing":  {shown.GoesOnShowing, []string{"", " and ", ",\n", "\n- ", "\n\nor\n", " then the cellar "}, []string{" then call: ", "\nNow I look.\n", ". I will call "}},
		"Offers":         {shown.Offers, []string{"Would you like me to run it?", "I wait for your word."}, []string{"I run it.", ""}},
		"IsMidSentence":  {shown.IsMidSentence, []string{"The tag ", "Use of "}, []string{"", "I look. ", "I will use ", "- "}},
		"IsSentence":     {shown.IsSentence, []string{"I look.", " Wait! "}, []string{"", "bash ls", "ls -la.", "I look"}},
		"StartsTurn":     {shown.StartsTurn, []string{"\nUser: and now?", "Observation: 3", "### Question"}, []string{"", "The user said so.", "I saw it."}},
		"Explains":       {shown.Explains, []string{"That is how it is written."}, []string{"", " \n", "User: next"}},
		"IsRecordLabel":  {shown.IsRecordLabel, []string{"In [12]", "a -> b"}, []string{"", "Result", "-> tool"}},
		"IsSpeaker":      {shown.IsSpeaker, []string{"Answer", "model"}, []string{"", "Tool", "**Action**", "two words"}},
		"IsQuestion":     {shown.IsQuestion, []string{"User: which train?\n", "x\nQ: how?\n"}, []string{"User:\n", "I asked.\n", ""}},
		"IsQuotingFence": {shown.IsQuotingFence, []string{"bash", "YAML"}, []string{"", "json", "tool_code"}},
	} {
		for _, text := range c.yes {
			if !c.ask(text) {
				t.Errorf("%s(%q) is not so", name, text)
			}
		}
		for _, text := range c.no {
			if c.ask(text) {
				t.Errorf("%s(%q) is so", name, text)
			}
		}
	}
}

// A line is set off by the lines above it: a table, the hunk of a diff, an indented block.
func TestIsSetOff(t *testing.T) {
	for _, c := range []struct {
		above, line string
		want        bool
	}{
		{"a | b\n--|--\n", "x | ", true},
		{"a or b\n", "x | ", false},
		{"@@ -1 +1 @@\n", "+ ", true},
		{"text\n", "+ ", false},
		{"Write:\n\n", "    ", true},
		{"- item\n\n", "    ", false},
		{"text\n", "", false},
	} {
		if got := shown.MaySetOff(c.line) && shown.IsSetOff(c.line, c.above); got != c.want {
			t.Errorf("%q below %q: %t", c.line, c.above, got)
		}
	}
}
