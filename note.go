package callwright

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Risk is the degree of certainty that a change preserves the intended meaning.
type Risk string

// The risks, from the safest to the least safe.
const (
	RiskLossless  Risk = "lossless"  // the meaning is unchanged
	RiskImplied   Risk = "implied"   // the schema or format allows only this reading
	RiskHeuristic Risk = "heuristic" // a guess; made only under PolicyHealHeuristic or if the rule is enabled
)

// A Stage is the step of request processing in which a [Note] was made.
type Stage string

// The stages, in order: candidate selection (plan), adaptation of the request to the model (outbound), encoding for
// the API (encode), HTTP (transport), decoding of the response (normalise), validation of calls (judge), and
// self-correction by the model (correct).
const (
	StagePlan      Stage = "plan"
	StageOutbound  Stage = "outbound"
	StageEncode    Stage = "encode"
	StageTransport Stage = "transport"
	StageNormalise Stage = "normalise"
	StageValidate  Stage = "judge"
	StageCorrect   Stage = "correct"
)

// A Note records one change or finding. Rule is a stable ID such as json.trailing_comma, see [Rules]. Fault is the
// failure class, F01 to F60, if any. Call is the ID or name of the tool call. Path is a JSON pointer. Was and Now are
// excerpts before and after the change, at most 200 bytes. A Note without a Risk is a finding: it changed nothing.
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
	// Observed reports that PolicyObserve prevented the change.
	Observed bool `json:"observed,omitempty"`
	// Count is the number of equal notes that this note represents; 0 means 1.
	Count int `json:"count,omitempty"`
}

// Classify returns n with the Fault and Risk of its rule. It replaces Was, Now and Call by copies of at most 200
// bytes, so that the note does not keep the quoted document in memory.
func (n Note) Classify() Note {
	row := RuleOf(n.Rule)
	n.Fault, n.Risk = row.Fault, row.Risk
	n.Was, n.Now, n.Call = strings.Clone(Excerpt(n.Was)), strings.Clone(Excerpt(n.Now)), strings.Clone(Excerpt(n.Call))
	return n
}

// noteExcerpt is the maximum length of Was and Now in bytes, without the ellipsis.
const noteExcerpt = 200

// Excerpt returns s cut to at most 200 bytes at a rune boundary, with "…" appended if it was cut.
func Excerpt(s string) string {
	if len(s) <= noteExcerpt {
		return s
	}
	return jsonx.Clip(s, noteExcerpt) + "…"
}
