package correction

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// The rules by which a model is asked again.
const (
	RuleInvalid   = "correct.asked"   // a call is invalid, or missing
	RuleRefused   = "correct.refused" // call rules refuse calls, and nothing else is wrong
	RuleMoreWork  = "correct.more_work"
	RuleEmpty     = "correct.empty"
	RulePaused    = "correct.paused"
	RuleSearched  = "search.answered" // the answer was a search for tools
	RuleWrongForm = "correct.format"
)

// Before holds the state before an answer: the client's request, and the parts delivered by earlier attempts.
type Before struct {
	Forced      bool // a call is required
	Calls       int  // how many calls the client has
	Text        bool // the client of a stream has text
	Pauses      int  // how often a paused answer was continued
	MayContinue bool // and may be once more
}

// Rule is the rule by which the model has to be asked again, "" when the answer stands.
func Rule(out *inbound.Outcome, b Before) string {
	switch {
	case out.End.Finish == callwright.FinishPause && out.Collected != nil && b.MayContinue:
		return RulePaused
	case out.End.Finish == callwright.FinishContentFilter:
		return ""
	case len(out.Delivered.Searches) > 0 && len(out.Good)+b.Calls == 0 && !out.Correctable():
		return RuleSearched
	case out.OnlyRefused():
		return RuleRefused
	case out.Correctable(), b.Forced && len(out.Good)+b.Calls == 0:
		return RuleInvalid
	case len(out.Good)+out.Repeated > 0:
		return ""
	case out.ScratchpadOnly, out.MoreWork != nil && *out.MoreWork:
		return RuleMoreWork
	case out.Empty() && b.Calls+b.Pauses == 0 && !b.Text:
		return RuleEmpty
	case out.End.Finish == callwright.FinishMalformedCall && b.Calls == 0:
		return RuleInvalid
	case out.WrongForm:
		return RuleWrongForm
	}
	return ""
}
