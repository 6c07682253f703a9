package notes

import (
	"strings"

	"github.com/callwright/callwright"
)

// IsHelp reports whether a note says that something was wrong with an answer and was mended. Calls in the format that
// was asked for have no ids and no finish reason of their own, whatever the model does.
func IsHelp(n callwright.Note) bool {
	if n.Fault == "" || n.Risk == "" || n.Stage != callwright.StageNormalise && n.Stage != callwright.StageValidate {
		return false
	}
	if n.Rule == "hosted.ran" { // the class is that of the client's tool, and nothing is wrong with the answer
		return false
	}
	form := n.Rule == "finish.derived" || n.Rule == "id.missing" || strings.HasPrefix(n.Rule, "dialect.")
	return !form || n.Risk != callwright.RiskLossless
}
