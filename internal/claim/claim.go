// Package claim finds sentences of an answer that claim work which no call did: a file that was updated without a call
// of a tool that could, tests that passed without a run, results that no tool gave.
//
// It reads English. A finding is a guess from words, made for precision. There is no finding about a claim that any
// call may support, about a plan, a condition, a question or a quotation, nor about the content of the answer itself.
// docs/claims.md has the rules in words and their measured precision.
package claim

import (
	"strings"

	"github.com/callwright/callwright"
)

// Rule is the rule of notes about findings.
const Rule = "claim.without_call"

// A Kind is the kind of a claim that no call supports.
type Kind string

// The kinds.
const (
	Done   Kind = "done"   // work that is said to be done: no call of the task could have done it
	Quoted Kind = "quoted" // a result of a tool: no call gave one
	Tests  Kind = "tests"  // the outcome of tests: no call ran any
	Failed Kind = "failed" // work, or tests that passed: the calls that could have done it failed
)

// A Finding is a sentence of an answer that no call supports.
type Finding struct {
	Kind     Kind
	Sentence string // of the answer, at most MaxSentence bytes and an ellipsis
	Why      string // why no call supports it, in a sentence without its full stop
	Tool     string // the declared tool that could have done it, or whose calls failed; "" where none could
}

// MaxSentence bounds the sentence of a Finding, in bytes.
const MaxSentence = 200

// maxChecked bounds the claims of an answer that are checked, as each is checked against the conversation.
const maxChecked = 32

// MaxFindings bounds the findings of one answer.
const MaxFindings = 8

// A Turn is the context of an answer's text: the conversation before it, the declared tools, and the calls.
type Turn struct {
	Messages []callwright.Message     // the conversation, without the answer
	Tools    []callwright.Tool        // the declared tools
	Calls    []callwright.Call        // of the answer
	Invalid  []callwright.InvalidCall // of the answer: they are not run
	// Hosted says that the answer has parts of tools that the provider ran itself.
	Hosted bool
}

// Find returns the findings about a text, in its order. turn returns the context of the text. It is called only if a
// sentence of the text may be a claim. Find reads the text once, and the calls of the conversation once for each claim
// of the first 32.
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
	turn  func() Turn
	ev    *evidence // nil before the first claim
	over  bool      // no further claim is checked
	seen  int       // claims that were checked
	found []Finding
}

// read checks the claims of a sentence up to the first that no call supports.
func (f *finder) read(sentence string) {
	if sentence[len(sentence)-1] == '?' {
		return
	}
	r := reader{s: sentence}
	for c, ok := r.next(); ok; c, ok = r.next() {
		if f.ev == nil {
			f.ev = newEvidence(f.turn(), f.text)
			if f.over = f.ev.saysNothing; f.over {
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

// KindOf returns the kind of the finding that a note is about, "" for other notes.
func KindOf(n *callwright.Note) Kind {
	if n.Rule != Rule {
		return ""
	}
	kind, _, _ := strings.Cut(n.Why, ":")
	return Kind(kind)
}

// Note returns the note of a report about a finding.
func (f *Finding) Note() callwright.Note {
	return callwright.Note{Rule: Rule, Stage: callwright.StageValidate, Call: f.Tool, Was: f.Sentence, Why: string(f.Kind) + ": " + f.Why}
}
