package judge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/notes"
	"github.com/callwright/callwright/repair"
)

// A Ledger records the notes of one attempt and determines which changes the policy and the enabled rules permit.
type Ledger struct {
	Policy  callwright.Policy
	Rules   map[string]bool // rules enabled or disabled by ID, overriding the policy
	Notes   []callwright.Note
	Changed int // number of notes that are changes
}

// ChangesNothing reports whether p is off or observe, which change nothing.
func ChangesNothing(p callwright.Policy) bool {
	return p == callwright.PolicyOff || p == callwright.PolicyObserve
}

// NewLedger returns a Ledger for a policy. "" is PolicyHeal.
func NewLedger(p callwright.Policy, rules map[string]bool) *Ledger {
	if p == "" {
		p = callwright.PolicyHeal
	}
	return &Ledger{Policy: p, Rules: rules}
}

// May reports whether the rule may change something.
func (l *Ledger) May(rule string) bool { return l.may(rule, riskOf(rule)) }

// may implements May for a rule with a known risk.
func (l *Ledger) may(rule string, risk callwright.Risk) bool {
	if on, ok := l.Rules[rule]; ok {
		return on
	}
	return l.Policy == callwright.PolicyHealHeuristic || l.Policy != callwright.PolicyOff && risk != callwright.RiskHeuristic
}

// Refuses is the negation of May, for package dialect.
func (l *Ledger) Refuses(rule string) bool { return !l.May(rule) }

// Add records a note. Its excerpts are copied and shortened. If it has no fault or risk, those of its rule are used.
func (l *Ledger) Add(n callwright.Note) {
	l.keep(clipNote(n))
}

// clipNote returns n with copied and shortened excerpts.
func clipNote(n callwright.Note) callwright.Note {
	n.Was, n.Now, n.Call = strings.Clone(callwright.Excerpt(n.Was)), strings.Clone(callwright.Excerpt(n.Now)),
		strings.Clone(callwright.Excerpt(n.Call))
	n.Why = ClipRaw(n.Why)
	return n
}

// AddAsked records a note about content in the format that the request asked for. Regardless of its rule, the note has
// RiskLossless and no fault.
func (l *Ledger) AddAsked(n callwright.Note) {
	n = clipNote(n)
	n.Risk, n.Observed = callwright.RiskLossless, l.Policy == callwright.PolicyObserve
	l.Changed++
	l.Notes = notes.Fold(l.Notes, n)
}

// Forgive sets the risk of changes for which match returns true to lossless and removes their fault, because they
// concern the requested format.
func (l *Ledger) Forgive(match func(*callwright.Note) bool) {
	for i := range l.Notes {
		if n := &l.Notes[i]; n.Risk != "" && match(n) {
			n.Fault, n.Risk = "", callwright.RiskLossless
		}
	}
}

// keep records a note whose texts are already copied and shortened.
func (l *Ledger) keep(n callwright.Note) {
	if n.Fault == "" || n.Risk == "" {
		row := callwright.RuleOf(n.Rule)
		n.Fault, n.Risk = cmp.Or(n.Fault, row.Fault), cmp.Or(n.Risk, riskIn(row, n.Rule))
	}
	if n.Risk != "" {
		l.Changed++
	}
	n.Observed = l.Policy == callwright.PolicyObserve
	l.Notes = notes.Fold(l.Notes, n)
}

// AddGraded records notes that have risk, fault and shortened texts.
func (l *Ledger) AddGraded(notes []callwright.Note) {
	for _, n := range notes {
		l.keep(n)
	}
}

// MoveLast moves the last note to index i, if that is before its current index.
func (l *Ledger) MoveLast(i int) {
	n := len(l.Notes) - 1
	if n <= i {
		return
	}
	last := l.Notes[n]
	copy(l.Notes[i+1:], l.Notes[i:n])
	l.Notes[i] = last
}

// repairFamily is the prefix of rules whose risks package repair defines.
const repairFamily = "json.*"

func riskOf(id string) callwright.Risk { return riskIn(callwright.RuleOf(id), id) }

// riskIn returns the risk of the rule id, whose table row is row.
func riskIn(row callwright.Rule, id string) callwright.Risk {
	if row.ID == repairFamily {
		return riskOfFix(strings.TrimPrefix(id, "json."))
	}
	return row.Risk
}

func riskOfFix(rule string) callwright.Risk {
	switch repair.RiskOf(rule) {
	case repair.Heuristic:
		return callwright.RiskHeuristic
	case repair.Implied:
		return callwright.RiskImplied
	}
	return callwright.RiskLossless
}

// RuleExists reports whether id is a valid rule ID. own has the caller's text formats and may be nil.
func RuleExists(id string, own *dialect.Marks) bool {
	row := callwright.RuleOf(id)
	name, family := strings.CutPrefix(id, strings.TrimSuffix(row.ID, "*"))
	switch {
	case row.ID == "" || id == row.ID && strings.HasSuffix(id, "*"):
		return false
	case row.ID == "json.*" && family:
		return slices.ContainsFunc(repair.Rules(), func(r repair.Rule) bool { return r.Name == name })
	case row.ID == "dialect.*" && family:
		_, ok := own.Lookup(name)
		return ok
	}
	return true
}
