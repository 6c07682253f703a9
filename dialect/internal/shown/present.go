package shown

import (
	"slices"
	"strings"
)

// demonstrating are words of sentences that show how a call is written, even where they announce an act of the model.
var demonstrating = []string{"show", "give you", "demonstrat", "illustrat", "explain", "describ"}

// guessing are words with which a sentence begins that considers a call.
var guessing = []string{"maybe", "perhaps", "possibly"}

// governing are words that make the call behind them their object, as in "the model wrote CALL".
var governing = []string{
	"with", "like", "as", "is", "are", "was", "were", "be", "the", "a", "an", "this", "that", "of", "in",
	"use", "uses", "used", "using", "write", "writes", "wrote", "written", "type", "types", "emit", "emits", "emitted", "print",
	"prints", "printed", "output", "outputs",
	"say", "says", "said", "send", "sends", "sent", "see", "sees", "saw", "met", "meets", "read", "reads", "contain",
	"contains", "contained", "mean", "means", "expects", "want", "wants",
	"tag", "tags", "mark", "marker", "markers", "token", "tokens", "element", "string", "syntax", "format", "block", "line",
	"shape", "form", "pattern", "sequence",
}

// conditional are words of a sentence in which the model considers an act.
var conditional = []string{"could ", "might ", "would ", "should "}

// A Form is how a call is written.
type Form uint8

// Forms of calls.
const (
	Unmarked Form = iota // in a code fence, or with no marks at all
	Marked               // between marks of a format
)

// IsPresented reports whether the words in lead present the call right behind them, so that it is text. All formats use
// it. A marked call needs clearer words than an unmarked one: its marks alone tell that a call is meant.
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

// isExample reports whether a sentence, in lower case, ends in the word for an example.
func isExample(s string) bool {
	_, last, _ := cutLast(s)
	return strings.HasPrefix(last, "example") || strings.HasPrefix(last, "sample") || strings.HasPrefix(last, "instance")
}

// isPart reports whether the call behind the beginning of a sentence, in lower case, is part of that sentence: a
// governing word stands before it, or a guess. A sentence in the first person announces an act, unless it is
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

// endsSentence reports whether a line ends as a sentence does.
func endsSentence(line string) bool {
	line = strings.TrimRight(line, " \t\r*`")
	return line != "" && strings.IndexByte(".!?", line[len(line)-1]) >= 0 || strings.HasSuffix(line, "。") ||
		strings.HasSuffix(line, "！") || strings.HasSuffix(line, "？")
}

// isLoose reports whether a text ends in a space or an opening parenthesis: its sentence may go on.
func isLoose(text string) bool { return strings.HasSuffix(text, " ") || strings.HasSuffix(text, "(") }

// cutLast splits the last word off a sentence.
func cutLast(s string) (before, last string, found bool) {
	n := strings.LastIndexByte(s, ' ')
	return s[:max(n, 0)], s[n+1:], n >= 0
}

// linking are words between two calls of which the second is shown like the first.
var linking = []string{"", "and", "or", "then", "also", "and then", "or even", "followed by", "as well as"}

// GoesOnShowing reports whether a call is shown like the one before it: the text between them links them, or ends a
// line on which nothing says that another call follows.
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
