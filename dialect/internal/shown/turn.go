package shown

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// turns are beginnings of lines with which a model continues as somebody else: another turn, another task, a program.
var turns = []string{
	"### instruction", "### response", "### question", "### input", "### user", "### human", "## instruction", "# instruction",
	"[inst]", "user:", "human:", "question:",
	"observation:", "<tool_response>", "<tool_result", "<function_results>", "instruction:", "user", `"""`, "'''", "def ",
	"class ", "import ", "from ", "assert ", "self.",
}

// StartsTurn reports whether a line of text begins like one in turns, so that the model continues as somebody else.
func StartsTurn(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.ToLower(strings.TrimSpace(line))
		for _, t := range turns {
			if line == t || len(t) > 4 && strings.HasPrefix(line, t) || strings.HasPrefix(line, t) && !chars.IsLower(t[len(t)-1]) {
				return true
			}
		}
	}
	return false
}

// Explains reports whether text is a comment on a preceding example rather than another turn.
func Explains(text string) bool {
	return strings.TrimSpace(text) != "" && !StartsTurn(text)
}
