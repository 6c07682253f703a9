package correction

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// The rules by which a self-correction or continuation is requested.
const (
	RuleInvalid   = "correct.asked"   // a call is invalid or missing
	RuleRefused   = "correct.refused" // call rules rejected calls, and nothing else is wrong
	RuleMoreWork  = "correct.more_work"
	RuleEmpty     = "correct.empty"
	RulePaused    = "correct.paused"
	RuleSearched  = "search.answered" // the response is a tool search
	RuleWrongForm = "correct.format"
)

// Before is the state before a response: facts about the request and about earlier attempts.
type Before struct {
	Forced      bool // a call is required
	Calls       int  // number of calls delivered to the client
	Text        bool // text was delivered to the client of a stream
	Pauses      int  // number of continuations of a paused response
	MayContinue bool // another continuation is permitted
}

// Rule returns the rule of the self-correction or continuation that the response needs, "" if it is accepted.
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
