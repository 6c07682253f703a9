package shown

import (
	"slices"
	"strings"
)

// demonstrating are words of sentences that explain how a call is written, even if they announce an act of the model.
var demonstrating = []string{"show", "give you", "demonstrat", "illustrat", "explain", "describ"}

// guessing are words that begin a sentence which considers a call.
var guessing = []string{"maybe", "perhaps", "possibly"}

// governing are words whose object is the following call, as in "the model wrote CALL".
var governing = []string{
	"with", "like", "as", "is", "are", "was", "were", "be", "the", "a", "an", "this", "that", "of", "in",
	"use", "uses", "used", "using", "write", "writes", "wrote", "written", "type", "types", "emit", "emits", "emitted", "print",
	"prints", "printed", "output", "outputs",
	"say", "says", "said", "send", "sends", "sent", "see", "sees", "saw", "met", "meets", "read", "reads", "contain",
	"contains", "contained", "mean", "means", "expects", "want", "wants",
	"tag", "tags", "mark", "marker", "markers", "token", "tokens", "element", "string", "syntax", "format", "block", "line",
	"shape", "form", "pattern", "sequence",
}

// conditional has the words of sentences in which the model only considers a call.
var conditional = []string{"could ", "might ", "would ", "should "}

// A Form determines whether a call in text is between markers.
type Form uint8

// Values of Form.
const (
	Unmarked Form = iota // in a code block, or without markers
	Marked               // between markers of a format
)

// IsPresented reports whether the words in lead present the following call as an example, so that the call is text.
// For a Marked call the words must be clearer, because the markers alone indicate a call.
func IsPresented(lead string, form Form) bool {
	lead = withoutHead(lead)
	s := strings.ToLower(lastSentence(lead))
	if form == Unmarked {
		return presents(s, lead) || containsAny(s, offering)
	}
	line := strings.TrimSpace(lead[strings.LastIndexByte(lead, '\n')+1:])
	switch below := pointsBelow(lead); {
	case s == "":
		return false
	case below && (quotes(s) || contrasts(lead)):
		return true
	case !below && (line == "" || endsSentence(line)):
		return false
	}
	does := acts(s)
	switch {
	case containsAny(s, strong) || containsAny(s, formal):
		return !does && (!announces(s) || isExample(s)) || does && containsAny(s, demonstrating)
	case does || announces(s):
		return false
	}
	return instructs(s) || lists(s, lead) || isLoose(lead) && isPart(s)
}

// isExample reports whether the lower-case sentence s ends with a word such as "example".
func isExample(s string) bool {
	_, last, _ := cutLast(s)
	return strings.HasPrefix(last, "example") || strings.HasPrefix(last, "sample") || strings.HasPrefix(last, "instance")
}

// isPart reports whether a call after the lower-case sentence beginning s is part of the sentence: a governing word
// precedes the call, or s begins with a guess. A sentence in the first person announces an act unless it is
// conditional.
func isPart(s string) bool {
	if slices.ContainsFunc(guessing, func(w string) bool { return strings.HasPrefix(s, w) }) {
		return true
	}
	words := strings.Fields(plainWords.Replace(s + " "))
	if len(words) == 0 || (slices.Contains(words, "i") || slices.Contains(words, "we")) && !containsAny(s, conditional) {
		return false
	}
	return slices.Contains(governing, words[len(words)-1])
}

// endsSentence reports whether line ends with the punctuation of a sentence.
func endsSentence(line string) bool {
	line = strings.TrimRight(line, " \t\r*`")
	return line != "" && strings.IndexByte(".!?", line[len(line)-1]) >= 0 || strings.HasSuffix(line, "。") ||
		strings.HasSuffix(line, "！") || strings.HasSuffix(line, "？")
}

// isLoose reports whether text ends with a space or an opening parenthesis, so that its sentence may continue.
func isLoose(text string) bool { return strings.HasSuffix(text, " ") || strings.HasSuffix(text, "(") }

// cutLast splits the last word off s.
func cutLast(s string) (before, last string, found bool) {
	n := strings.LastIndexByte(s, ' ')
	return s[:max(n, 0)], s[n+1:], n >= 0
}

// linking are words between two calls after which the second is an example, too, if the first is.
var linking = []string{"", "and", "or", "then", "also", "and then", "or even", "followed by", "as well as"}

// GoesOnShowing reports whether a call after an example is also an example: the text between them only links them, or
// is on one line and does not announce a call.
func GoesOnShowing(between string) bool {
	between = withoutHead(between)
	for line := range strings.Lines(between) {
		word := strings.ToLower(strings.Trim(line, " \t\r\n,;:.*`/&"))
		if !slices.Contains(linking, word) && !IsItem(line) {
			s := strings.ToLower(between)
			return strings.IndexByte(between, '\n') < 0 && !acts(s) && !announces(strings.TrimRight(s, " \t:"))
		}
	}
	return true
}
