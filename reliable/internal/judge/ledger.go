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

// A Ledger collects the notes of one attempt, and decides by policy and switches which changes may be made.
type Ledger struct {
	Policy  callwright.Policy
	Rules   map[string]bool // switched by their ids, whatever the policy says
	Notes   []callwright.Note
	Changed int // how many of the notes are changes and not findings
}

// ChangesNothing reports whether a policy lets everything pass as it came.
func ChangesNothing(p callwright.Policy) bool {
	return p == callwright.PolicyOff || p == callwright.PolicyObserve
}

// NewLedger makes the ledger of a policy; "" is PolicyHeal.
func NewLedger(p callwright.Policy, rules map[string]bool) *Ledger {
	if p == "" {
		p = callwright.PolicyHeal
	}
	return &Ledger{Policy: p, Rules: rules}
}

// May reports whether the policy lets the rule change something.
func (l *Ledger) May(rule string) bool { return l.may(rule, riskOf(rule)) }

// may is May for a rule whose risk is known.
func (l *Ledger) may(rule string, risk callwright.Risk) bool {
	if on, ok := l.Rules[rule]; ok {
		return on
	}
	return l.Policy == callwright.PolicyHealHeuristic || l.Policy != callwright.PolicyOff && risk != callwright.RiskHeuristic
}

// Refuses is the negation of May, in the form in which package dialect asks.
func (l *Ledger) Refuses(rule string) bool { return !l.May(rule) }

// Add keeps a note, with bounded copies of its quotations. Its fault and risk come from the table of rules where it has
// none.
func (l *Ledger) Add(n callwright.Note) {
	l.keep(clipNote(n))
}

// clipNote is a note with bounded copies of its quotations.
func clipNote(n callwright.Note) callwright.Note {
	n.Was, n.Now, n.Call = strings.Clone(callwright.Excerpt(n.Was)), strings.Clone(callwright.Excerpt(n.Now)),
		strings.Clone(callwright.Excerpt(n.Call))
	n.Why = ClipRaw(n.Why)
	return n
}

// AddAsked is Add for a note on something that came as it was asked for: reading it is lossless and no fault, whatever
// the table of rules says.
func (l *Ledger) AddAsked(n callwright.Note) {
	n = clipNote(n)
	n.Risk, n.Observed = callwright.RiskLossless, l.Policy == callwright.PolicyObserve
	l.Changed++
	l.Notes = notes.Fold(l.Notes, n)
}

// Forgive takes the fault from the notes that match: they are on something that came as it was asked for.
func (l *Ledger) Forgive(match func(*callwright.Note) bool) {
	for i := range l.Notes {
		if n := &l.Notes[i]; n.Risk != "" && match(n) {
			n.Fault, n.Risk = "", callwright.RiskLossless
		}
	}
}

// keep is Add for a note whose texts are bounded and quote nothing.
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

// AddGraded is Add for notes that are graded, with bounded texts of their own.
func (l *Ledger) AddGraded(notes []callwright.Note) {
	for _, n := range notes {
		l.keep(n)
	}
}

// MoveLast puts the last note at place i, where it was added after that.
func (l *Ledger) MoveLast(i int) {
	n := len(l.Notes) - 1
	if n <= i {
		return
	}
	last := l.Notes[n]
	copy(l.Notes[i+1:], l.Notes[i:n])
	l.Notes[i] = last
}

// repairFamily is the family of rules whose risks package repair gives.
const repairFamily = "json.*"

func riskOf(id string) callwright.Risk { return riskIn(callwright.RuleOf(id), id) }

// riskIn is the risk of a rule whose row is known.
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

// RuleExists reports whether notes may have this rule, with marks of a caller's own, which may be nil.
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
