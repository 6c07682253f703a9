package shown

import (
	"slices"
	"strings"
)

// askers are beginnings of lines in which somebody asks, in a dialogue or an example of one.
var askers = []string{"user", "human", "input", "question", "q", "customer", "query", "request", "prompt", "utterance", "client"}

// doers are words before a colon that announce a call; they name nobody who speaks.
var doers = []string{"action", "function", "tool"}

// IsRecordLabel reports whether the words before a colon belong to something recorded or drawn: a prompt of an
// interpreter or the time of a log line in brackets, or a message between two parties of a diagram.
func IsRecordLabel(label string) bool {
	if n := len(label); n > 1 && label[n-1] == ']' && '0' <= label[n-2] && label[n-2] <= '9' {
		return true
	}
	n := strings.Index(label, "->")
	return n > 0 && strings.Trim(label[:n], " \t-") != ""
}

// IsSpeaker reports whether the words before a colon are one word, as a speaker's name is.
func IsSpeaker(label string) bool {
	return label != "" && !strings.ContainsAny(label, " \t") && !slices.Contains(doers, strings.ToLower(strings.Trim(label, "*")))
}

// IsQuestion reports whether the last line of a text is a question, under the label of who asks.
func IsQuestion(above string) bool {
	_, line := LastLine(above)
	who, what, ok := strings.Cut(line, ":")
	return ok && strings.TrimSpace(what) != "" && slices.Contains(askers, strings.ToLower(strings.Trim(who, " \t*")))
}
