package shown

import (
	"slices"
	"strings"
)

// askers are labels of the person who asks in a dialogue.
var askers = []string{"user", "human", "input", "question", "q", "customer", "query", "request", "prompt", "utterance", "client"}

// doers are words before a colon that announce a call and are not speakers.
var doers = []string{"action", "function", "tool"}

// IsRecordLabel reports whether the words before a colon belong to a record: an interpreter prompt or log time in
// brackets, or a message in a sequence diagram (A -> B).
func IsRecordLabel(label string) bool {
	if n := len(label); n > 1 && label[n-1] == ']' && '0' <= label[n-2] && label[n-2] <= '9' {
		return true
	}
	n := strings.Index(label, "->")
	return n > 0 && strings.Trim(label[:n], " \t-") != ""
}

// IsSpeaker reports whether the words before a colon may be the name of a speaker: one word that does not announce a
// call.
func IsSpeaker(label string) bool {
	return label != "" && !strings.ContainsAny(label, " \t") && !slices.Contains(doers, strings.ToLower(strings.Trim(label, "*")))
}

// IsQuestion reports whether the last line of above is a question with the label of the person who asks.
func IsQuestion(above string) bool {
	_, line := LastLine(above)
	who, what, ok := strings.Cut(line, ":")
	return ok && strings.TrimSpace(what) != "" && slices.Contains(askers, strings.ToLower(strings.Trim(who, " \t*")))
}
