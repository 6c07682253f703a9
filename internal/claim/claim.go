// Package claim finds sentences of an answer that claim work that no tool call did: a file that was updated without a
// call that could do it, tests that passed without a run, results that no tool returned.
//
// It only supports English. A finding is a guess based on words, designed for precision. There is no finding about a
// claim that any call may support, about plans, conditions, questions and quotations, or about the content of the
// answer itself. docs/claims.md describes the rules and their measured precision.
package claim

import (
	"strings"

	"github.com/callwright/callwright"
)

// Rule is the rule, callwright.Note.Rule, of the notes about findings.
const Rule = "claim.without_call"

// A Kind is the kind of an unsupported claim.
type Kind string

// The kinds of claims.
const (
	Done   Kind = "done"   // completed work that no call of the task could have done
	Quoted Kind = "quoted" // a tool result without a call
	Tests  Kind = "tests"  // the outcome of tests that no call ran
	Failed Kind = "failed" // work or passed tests, although the calls that could do it failed
)

// A Finding is a sentence of an answer that claims work that no call supports.
type Finding struct {
	Kind     Kind
	Sentence string // shortened to MaxSentence bytes and an ellipsis
	Why      string // why no call supports it, without a full stop
	Tool     string // declared tool that could do the work, or whose calls failed; "" if none
}

// MaxSentence is the maximum length of Finding.Sentence in bytes.
const MaxSentence = 200

// maxChecked is the maximum number of claims that are checked per answer, because each check searches the conversation.
const maxChecked = 32

// MaxFindings is the maximum number of findings per answer.
const MaxFindings = 8

// A Turn is the context of an answer: the conversation before it, the declared tools, and the calls of the answer.
type Turn struct {
	Messages []callwright.Message     // the conversation without the answer
	Tools    []callwright.Tool        // the declared tools
	Calls    []callwright.Call        // calls of the answer
	Invalid  []callwright.InvalidCall // rejected calls of the answer, which are not run
	// Hosted means that the provider itself ran tools for the answer.
	Hosted bool
}

// Find returns the findings in the text of an answer, in order. It calls turn only if the text may contain a claim. It
// checks at most 32 claims.
func Find(text string, turn func() Turn) []Finding {
	f := finder{text: text, turn: turn}
	s := scanner{text: text}
	for len(f.found) < MaxFindings && !f.over {
		sentence, ok := s.next()
		if !ok {
			break
		}
		f.read(sentence)
	}
	return f.found
}

// A finder collects findings.
type finder struct {
	text  string
	turn  func() Turn // returns the conversation; called for the first claim
	ev    *evidence   // nil before the first claim
	over  bool        // no further claim is checked
	seen  int         // number of checked claims
	found []Finding
}

// read checks the claims of a sentence up to the first unsupported one.
func (f *finder) read(sentence string) {
	if sentence[len(sentence)-1] == '?' {
		return
	}
	r := reader{s: sentence}
	for c, ok := r.next(); ok; c, ok = r.next() {
		if f.ev == nil {
			f.ev = newEvidence(f.turn(), f.text)
			if f.over = f.ev.isUncheckable; f.over {
				return
			}
		}
		f.seen++
		f.over = f.seen == maxChecked
		if one, ok := f.ev.check(&c); ok {
			one.Sentence = clip(sentence)
			f.found = append(f.found, one)
			return
		}
	}
}

// KindOf returns the kind of the claim in a note about a finding, "" for other notes.
func KindOf(n *callwright.Note) Kind {
	if n.Rule != Rule {
		return ""
	}
	kind, _, _ := strings.Cut(n.Why, ":")
	return Kind(kind)
}

// Note returns the note about a finding for a report.
func (f *Finding) Note() callwright.Note {
	return callwright.Note{Rule: Rule, Stage: callwright.StageValidate, Call: f.Tool, Was: f.Sentence, Why: string(f.Kind) + ": " + f.Why}
}
