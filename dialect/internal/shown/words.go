// Package shown decides from the surrounding text whether call markup is a call, or only an example, a quotation or a
// description. The word lists are in English with the most important words of other languages.
package shown

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// strong are words of a sentence that clearly presents an example.
var strong = []string{
	"example", "e.g.", "for instance", "illustrat", "format is", "format looks", "format:", "formatted like", "is written as",
	"written like", "you could", "you might", "do not run", "do not use", "do not call", "don't run", "don't use", "don't call", "never run",
	"never call", "the shape is",
	// examples and formats in other languages
	"beispiel", "das format", "exemple", "s'écrit", "le format", "ejemplo", "esempio", "exemplo", "voorbeeld", "przykład",
	"пример", "örnek", "مثال",
	"示例", "例如", "例子", "格式", "サンプル", "の例", "形式", "예시", "예를 들", "형식",
}

// weak are words of a sentence that may present an example. They count only for calls without markers.
var weak = []string{
	"syntax", "template", "alternativ", "definition", "wrote", "log line", "logged", "quoted", "schema", "documentation",
	"instead of", "rather than", "fixture", "the test", "already ran",
	"i ran", "it returned", "file contains", "expected output", "-like layout", "variant", "writes the same with",
}

// listing are words of a sentence that names possible calls. If such a sentence ends with a colon and the call is on
// the next line, it must end with these words or leave the decision to the user.
var listing = []string{"these tools", "available tools", "available functions", "you can call"}

// lists reports whether the last sentence of lead names possible calls. s is this sentence in lower case.
func lists(s, lead string) bool {
	if !containsAny(s, listing) {
		return false
	}
	end := strings.TrimRight(lead, " \t\r*`")
	above := strings.TrimRight(end, " \t\r\n*`")
	if len(above) == len(end) || !strings.HasSuffix(above, ":") || strings.Contains(s, "if you ") {
		return true
	}
	return slices.ContainsFunc(listing, func(w string) bool { return strings.HasSuffix(s, w) })
}

// formal are words of a sentence about the format of a call.
var formal = []string{"the format", "the syntax", "syntax is", "written as", "form is", "looks like", "look like", "such as"}

// pointsBelow reports whether lead ends with a colon or "e.g.".
func pointsBelow(lead string) bool {
	lead = strings.TrimRight(lead, " \t\r\n*")
	return strings.HasSuffix(lead, ":") || strings.HasSuffix(lead, "：") || strings.HasSuffix(lead, "e.g.")
}

// offering are words of a question that leaves the decision to the user.
var offering = []string{
	"would you like me", "shall i ", "should i ", "do you want me", "may i ", "tell me which", "which one do you",
	"when you say so", "once you say so", "if you say so",
	"say the word", "once you confirm", "after you confirm", "when you confirm", "once you approve", "after you approve",
	"wait for your", "waiting for your", "await your", "awaiting your",
	"need your approval", "need your go-ahead", "with your approval", "with your permission", "is that okay", "is that ok",
	"okay with you", "ok with you", "does that sound",
}

// directing are the first words of a sentence that instructs the user.
var directing = []string{"type ", "paste ", "copy ", "enter ", "put this", "put the", "add this", "add the following", "try this", "try it"}

// Labels of compared things: one to abandon and its replacement.
var (
	discarded = []string{"before", "wrong", "bad", "old", "incorrect", "don't", "don’t", "was", "previously", "invalid",
		"broken", "not this", "worse", "avoid"}
	preferred = []string{"after", "right", "good", "new", "correct", "do", "now", "but this", "valid", "fixed", "better",
		"updated", "instead", "prefer"}
)

// ratingSigns are signs with which a text rates its examples.
const ratingSigns = "❌✅✔✗✘✓👍👎"

// contrasts reports whether the last line of lead is only a label of one of two compared things.
func contrasts(lead string) bool {
	above, line := LastLine(strings.TrimRight(lead, " \t\r\n"))
	word := labelWord(line)
	switch {
	case slices.Contains(discarded, word):
		return true
	case !slices.Contains(preferred, word):
		return false
	case strings.ContainsAny(line, ratingSigns):
		return true
	}
	for above != "" {
		above, line = LastLine(above)
		if slices.Contains(discarded, labelWord(line)) {
			return true
		}
	}
	return false
}

// labelWord returns the text of a line that is a label, because of a colon, a heading, bold type or a rating sign. The
// text is in lower case without these signs. For other lines it is "".
func labelWord(line string) string {
	if line == "" || strings.IndexByte(line, ':') < 0 && line[0] != '#' && line[0] != '*' && !strings.ContainsAny(line, ratingSigns) {
		return ""
	}
	return strings.Trim(strings.ToLower(line), " \t\r:*_#`.-\ufe0f"+ratingSigns)
}

// acting are words of a sentence in which the model announces its next act.
var acting = []string{
	"i'll ", "i’ll ", "i will ", "i'm ", "i’m ", "i am ", "i need", "i can ", "i have to", "i want", "i should ", "i must ", "i shall ",
	"let me", "let's ", "let’s ", "let us", "we'll ", "we’ll ", "we need", "we will ", "we can ", "we should ", "now to ", "now for ",
}

// acts reports whether the lower-case sentence s announces the model's next act.
func acts(s string) bool { return containsAny(s, acting) }

// announces reports whether the lower-case sentence s says that a call follows.
func announces(s string) bool {
	return strings.Contains(s, "here is") || strings.Contains(s, "here's") || strings.HasSuffix(s, "call") ||
		strings.HasSuffix(s, "calls") || strings.HasSuffix(s, "call is")
}

// likening are words at the end of a sentence that describes how something is written. "would look like this" is not
// included, because models announce their own calls with it.
var likening = []string{"looks like", "like so", "it like"}

// instructs reports whether the lower-case sentence s instructs the user to write a text.
func instructs(s string) bool {
	if slices.ContainsFunc(directing, func(w string) bool { return strings.HasPrefix(s, w) }) {
		return true
	}
	if acts(s) {
		return false
	}
	if !announces(s) && slices.ContainsFunc(likening, func(w string) bool { return strings.HasSuffix(s, w) }) {
		return true
	}
	use := strings.Contains(s, "you can ") || strings.Contains(s, "you may ")
	return use && (strings.Contains(s, " in your ") || strings.Contains(s, " from your "))
}

// Offers reports whether text asks the user for a decision before the call.
func Offers(text string) bool {
	return containsAny(strings.ToLower(text), offering)
}

// presents reports whether the last sentence of lead presents the following text as an example, a format, an
// alternative or a quotation. s is this sentence in lower case.
func presents(s, lead string) bool {
	if contrasts(lead) {
		return true
	}
	if s == "or" || strings.HasPrefix(s, "or ") || strings.HasPrefix(s, "or,") || strings.HasSuffix(s, " as in") || s == "as in" {
		return true
	}
	if strings.HasPrefix(s, "either") || strings.HasPrefix(s, "as in") || strings.HasPrefix(s, "like this") ||
		strings.HasPrefix(s, "such as") {
		return true
	}
	return pointsBelow(lead) && quotes(s) || instructs(s) || lists(s, lead) || containsAny(s, strong) || containsAny(s, weak)
}

// lastSentence returns the last sentence of lead without punctuation.
func lastSentence(lead string) string {
	lead = strings.TrimRight(lead, " \t\r\n:*`")
	if n := lastPair(lead, '\n', '\n'); n >= 0 {
		lead = lead[n+2:]
	}
	for _, end := range [...]string{". ", "! ", "? ", ".\n"} {
		if n := lastPair(lead, end[0], end[1]); n >= 0 && !strings.HasSuffix(lead[:n], "e.g") {
			lead = lead[n+len(end):]
		}
	}
	return strings.TrimSpace(lead)
}

// heads are the beginnings of a call before its markers or value: a code block delimiter and message recipients.
var heads = [...]string{"```", "-> ", " to="}

// withoutHead removes a text in heads and the word after it from the end of lead.
func withoutHead(lead string) string {
	line := strings.TrimSuffix(lead, "\n")
	n := strings.LastIndexByte(line, '\n') + 1
	for _, h := range heads {
		if k := strings.LastIndex(line[n:], h); k >= 0 && strings.IndexByte(line[n+k+len(h):], ' ') < 0 {
			return lead[:n+k]
		}
	}
	return lead
}

// lastPair returns the index of the last occurrence of the adjacent bytes a and b in t, or -1.
func lastPair(t string, a, b byte) int {
	for end := len(t) - 1; end > 0; {
		end = strings.LastIndexByte(t[:end], a)
		if end >= 0 && t[end+1] == b {
			return end
		}
	}
	return -1
}

// Describes reports whether text begins with markup and lead does not announce a call. If more words follow, the text
// describes a format.
func Describes(lead, text string) bool {
	s := strings.ToLower(lastSentence(lead))
	return strings.HasPrefix(strings.TrimSpace(text), "<") && s != "" && !acts(s) && !announces(s)
}

// IsMidSentence reports whether line, before a marker, is an incomplete sentence that does not announce the model's
// next act.
func IsMidSentence(line string) bool {
	line = strings.TrimRight(line, " ")
	if line == "" || strings.IndexByte(".!?", line[len(line)-1]) >= 0 {
		return false
	}
	return !IsItem(line) && !acts(strings.ToLower(lastSentence(line)))
}

func containsAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// IsSentence reports whether t begins with a capital letter and ends with the punctuation of a sentence.
func IsSentence(t string) bool {
	t = strings.TrimSpace(t)
	return t != "" && (chars.IsUpper(t[0]) || t[0] >= 0x80) && (strings.IndexByte(".!?", t[len(t)-1]) >= 0 || t[len(t)-1] >= 0x80)
}
