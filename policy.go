package callwright

import (
	"fmt"
	"strings"
)

// A Policy says what may be changed on the way.
type Policy string

// The policies. The zero Policy is Heal.
const (
	Heal          Policy = "heal"           // lossless and implied changes
	HealHeuristic Policy = "heal+heuristic" // guesses too
	Observe       Policy = "observe"        // nothing is changed, what would have been is reported
	Strict        Policy = "strict"         // any needed change is an error
	Off           Policy = "off"            // nothing is judged
)

// ParsePolicy reads a policy by its name; "" is Heal.
func ParsePolicy(name string) (Policy, error) {
	switch p := Policy(name); p {
	case "":
		return Heal, nil
	case Heal, HealHeuristic, Observe, Strict, Off:
		return p, nil
	}
	return "", fmt.Errorf("unknown policy %q: expected heal, heal+heuristic, observe, strict or off", name)
}

// StreamCalls says when the calls of a stream are sent on.
type StreamCalls string

// The ways of streaming calls. The zero StreamCalls is StreamAuto.
const (
	// StreamAuto lets native calls flow and holds calls found in text and those of a model that needed help lately.
	StreamAuto StreamCalls = "auto"
	// StreamHeld sends a call when it is complete and judged.
	StreamHeld StreamCalls = "held"
	// StreamFlowing sends the pieces of native calls as they come, each a prefix that is sound so far.
	StreamFlowing StreamCalls = "flowing"
)

// ParseStreamCalls reads a way of streaming calls by its name; "" is StreamAuto.
func ParseStreamCalls(name string) (StreamCalls, error) {
	switch s := StreamCalls(name); s {
	case "":
		return StreamAuto, nil
	case StreamAuto, StreamHeld, StreamFlowing:
		return s, nil
	}
	return "", fmt.Errorf("unknown stream_calls %q: expected auto, held or flowing", name)
}

// A ledger collects the notes of one attempt and decides by policy and switches what may be changed.
type ledger struct {
	policy Policy
	rules  map[string]bool
	notes  []Note
	// changed counts notes of changes that were made, as against findings.
	changed int
}

// may tells whether the policy lets the rule change something.
func (l *ledger) may(rule string) bool {
	if on, ok := l.rules[rule]; ok {
		return on
	}
	switch l.policy {
	case Off:
		return false
	case HealHeuristic:
		return true
	}
	return riskOf(rule) != Heuristic
}

// refuses is the negative of may, as the leaves ask for it.
func (l *ledger) refuses(rule string) bool { return !l.may(rule) }

// add keeps a note. Its fault and risk come from the table of rules where it has none.
func (l *ledger) add(n Note) {
	row := ruleOf(n.Rule)
	if n.Fault == "" {
		n.Fault = row.Fault
	}
	if n.Risk == "" {
		n.Risk = riskOf(n.Rule)
	}
	n.Was, n.Now, n.Call = strings.Clone(Excerpt(n.Was)), strings.Clone(Excerpt(n.Now)), strings.Clone(Excerpt(n.Call)) // a note outlives the answer
	n.Why = bounded(n.Why)
	if n.Risk != "" {
		l.changed++
	}
	n.Observed = l.policy == Observe
	l.notes = append(l.notes, n)
}

// moveLast puts the last note at place i.
func (l *ledger) moveLast(i int) {
	n := len(l.notes) - 1
	last := l.notes[n]
	copy(l.notes[i+1:], l.notes[i:n])
	l.notes[i] = last
}
