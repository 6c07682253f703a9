package story

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/claim"
	"github.com/callwright/callwright/internal/outcome"
)

// A subject is the topic of a note.
type subject int

const (
	ofRequest subject = iota
	ofAnswer
	observed // a finding that was not changed
	claimed  // an unsupported claim of the answer
	untold   // described by the sentences about attempts or the outcome
)

// requestFamilies are the rule families of changes to a request before it is sent.
var requestFamilies = []string{"plan", "history", "tools", "cache", "params", "choice", "parallel", "field", "request", "provider"}

// subjects lists rules whose subject differs from that of their family.
var subjects = map[string]subject{
	"format.emulated": ofRequest, "format.schema": ofRequest, "format.left_out": ofRequest,
	"plan.learned": untold, "plan.no_tools": untold, "plan.unparsed": untold, "plan.mode": untold, "plan.other_mode": untold,
	"plan.fallback":   untold,
	"transport.retry": untold, "transport.next_target": untold, "transport.broken": untold, "transport.refused_call": untold,
	"correct.asked": untold, "correct.empty": untold, "correct.swallowed": untold, "wire.malformed_reason": untold, "notes.more": untold,
}

// subjectOf returns the subject of a note. A note without a failure class is untold, because its change is a normal
// part of translation.
func (x *ending) subjectOf(n *callwright.Note) subject {
	family, _, _ := strings.Cut(n.Rule, ".")
	s, known := subjects[n.Rule]
	switch {
	case n.Rule == claim.Rule:
		return claimed
	case n.Observed:
		return observed
	case outcome.Rejects(n.Rule):
		return untold // described with the rejected call
	case n.Rule == "plan.no_tools" && len(x.rep.Attempts) < 2:
		return ofRequest
	case known:
		return s
	case n.Fault == "" || n.Rule == "finish.derived" && len(x.rep.Notes) > 1:
		return untold
	case slices.Contains(requestFamilies, family):
		return ofRequest
	}
	return ofAnswer
}

// clauses returns the clauses for the notes with a subject, without duplicates.
func (x *ending) clauses(about subject) (out []string) {
	for i := range x.rep.Notes {
		n := &x.rep.Notes[i]
		if x.subjectOf(n) != about {
			continue
		}
		if c := clause(n); c != "" && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// forms describes the syntax of a tool call in text, by the failure class of its format.
var forms = map[string]string{
	"F01": "as JSON", "F02": "in tags", "F03": "in tags of functions and parameters", "F04": "in Kimi's tokens",
	"F05": "in DeepSeek's tokens", "F06": "in GLM's keys",
	"F07": "as an invocation", "F08": "in Harmony's channels", "F09": "in the form of the history",
}

// clause returns the clause for a note by its rule, or by its failure class if the rule is unknown. It returns "" if
// there is none.
func clause(n *callwright.Note) string {
	if form := forms[n.Fault]; form != "" && strings.HasPrefix(n.Rule, "dialect.") && n.Rule != "dialect.promoted" &&
		n.Rule != "dialect.in_name" {
		return fmt.Sprintf("a call written %s in the text was read", form)
	}
	if n.Rule == "plan.no_tools" {
		return "its tools were conveyed in another mode because the model does not accept tools"
	}
	if doc := callwright.RuleOf(n.Rule).Doc; doc != "" {
		return doc
	}
	if n.Fault != "" {
		return fmt.Sprintf("something was changed (%s)", outcome.Words(n.Fault))
	}
	return ""
}

// claims are the clauses for unsupported claims, by kind.
var claims = map[claim.Kind]string{
	claim.Done: "claims work that no call did", claim.Quoted: "quotes a result that no call gave",
	claim.Tests:  "reports results of tests that no call ran",
	claim.Failed: "claims work whose calls failed",
}

// tellClaims adds a sentence about the unsupported claims of an answer, each kind once, without quoting them.
func (t *teller) tellClaims(x *ending) {
	var out []string
	for i := range x.rep.Notes {
		if c := claims[claim.KindOf(&x.rep.Notes[i])]; c != "" && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	if len(out) > 0 {
		t.say("The answer %s.", list(out))
	}
}

// mostChanges is the maximum number of changes in a sentence.
const mostChanges = 3

// changes adds a sentence with a list of changes. format has one %s for the list.
func (t *teller) changes(format string, clauses []string) {
	switch more := len(clauses) - mostChanges; {
	case more == 1:
		clauses = append(clauses[:mostChanges:mostChanges], "one more thing was changed")
	case more > 1:
		clauses = append(clauses[:mostChanges:mostChanges], fmt.Sprintf("%d more things were changed", more))
	}
	if len(clauses) > 0 {
		t.say(format, list(clauses))
	}
}
