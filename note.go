package callwright

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Risk grades a change.
type Risk string

// The risks.
const (
	RiskLossless  Risk = "lossless"  // the same meaning
	RiskImplied   Risk = "implied"   // the schema or the format leaves one reading
	RiskHeuristic Risk = "heuristic" // a guess; off unless asked for
)

// A Stage is where on the way of a request something happened.
type Stage string

// The stages, in order.
const (
	StagePlan      Stage = "plan"
	StageOutbound  Stage = "outbound"
	StageEncode    Stage = "encode"
	StageTransport Stage = "transport"
	StageNormalise Stage = "normalise"
	StageValidate  Stage = "judge"
	StageCorrect   Stage = "correct"
)

// A Note is one change or finding. Rule is a stable dotted id such as json.trailing_comma, Fault the class of failure
// (F01 to F60) where there is one, Call the id or name of the call concerned, Path a JSON pointer. Was and Now are
// bounded excerpts. A Note without a Risk is a finding.
type Note struct {
	Rule  string `json:"rule"`
	Fault string `json:"fault,omitempty"`
	Stage Stage  `json:"stage,omitempty"`
	Risk  Risk   `json:"risk,omitempty"`
	Call  string `json:"call,omitempty"`
	Path  string `json:"path,omitempty"`
	Was   string `json:"was,omitempty"`
	Now   string `json:"now,omitempty"`
	Why   string `json:"why,omitempty"`
	// Observed says that the change was not made, only found (policy observe).
	Observed bool `json:"observed,omitempty"`
	// Count is how many equal notes this one stands for, 0 for itself alone.
	Count int `json:"count,omitempty"`
}

// Classify is the note with the fault and the risk of its rule, by [Rules], and with bounded copies of its excerpts: a
// note outlives the quoted text.
func (n Note) Classify() Note {
	row := RuleOf(n.Rule)
	n.Fault, n.Risk = row.Fault, row.Risk
	n.Was, n.Now, n.Call = strings.Clone(Excerpt(n.Was)), strings.Clone(Excerpt(n.Now)), strings.Clone(Excerpt(n.Call))
	return n
}

// noteExcerpt bounds Was and Now.
const noteExcerpt = 200

// Excerpt is s cut to the length of a quotation in a Note, at a rune boundary, with an ellipsis where it was cut.
func Excerpt(s string) string {
	if len(s) <= noteExcerpt {
		return s
	}
	return jsonx.Clip(s, noteExcerpt) + "…"
}
