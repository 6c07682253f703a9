package notes

import (
	"strings"

	"github.com/callwright/callwright"
)

// IsHelp reports whether a note says that a faulty answer was repaired. It ignores call IDs, finish reasons and call
// syntax that had to be converted without loss, because calls in a text dialect never have IDs and finish reasons.
func IsHelp(n callwright.Note) bool {
	if n.Fault == "" || n.Risk == "" || n.Stage != callwright.StageNormalise && n.Stage != callwright.StageValidate {
		return false
	}
	if n.Rule == "hosted.ran" { // the fault is a property of the client's tool, not of the answer
		return false
	}
	form := n.Rule == "finish.derived" || n.Rule == "id.missing" || strings.HasPrefix(n.Rule, "dialect.")
	return !form || n.Risk != callwright.RiskLossless
}
