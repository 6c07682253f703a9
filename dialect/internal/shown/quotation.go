package shown

import (
	"slices"
	"strings"
)

// sources are things and persons whose words a response quotes.
var sources = []string{
	"docs", "documentation", "manual", "guide", "readme", "readme.md", "page", "wiki", "article", "spec", "specification",
	"config", "configuration", "settings",
	"log", "logs", "trace", "transcript", "history", "file", "script", "snippet", "issue", "ticket", "email", "report", "changelog",
	"output", "response", "error", "message", "request", "body", "payload", "example", "sample", "test", "tests", "server",
	"api", "tool", "command", "program",
	"user", "you", "it", "previous",
}

// documents are the sources whose text is quoted without a verb.
var documents = []string{
	"docs", "documentation", "manual", "readme", "readme.md", "config", "configuration", "settings", "log", "logs", "trace",
	"transcript", "history", "changelog",
	"example", "sample", "snippet", "excerpt",
}

// reporting are verbs that report the content of a source, or words or acts of a person.
var reporting = []string{
	"shows", "show", "showed", "contains", "contain", "contained", "has", "had", "says", "say", "said", "reads", "lists",
	"mentions", "mentioned", "describes",
	"printed", "prints", "returned", "sent", "pasted", "posted", "shared", "typed", "wrote", "quoted", "submitted", "logged",
	"was", "were", "responds", "responded",
	"looks", "look", "looked",
}

// complements are words between a reporting verb and a colon that only refer to the text below.
var complements = []string{"this", "these", "the", "following", "like", "so", "as", "follows", "with", "currently", "now",
	"below", "something", "lines", "line", "snippet", "entry", "text"}

// openings are the first words of a sentence about a source. Other first words, such as "see" or "checking", report an
// act of the model.
var openings = []string{"the", "your", "this", "that", "these", "a", "an", "our", "its", "in", "on", "as", "you", "it", "docs",
	"documentation", "readme.md", "what"}

// Words of sentences that forbid an act or leave it to the user.
var (
	deeds = []string{"run", "execute", "send", "call", "use", "invoke", "issue", "type", "write", "emit", "running",
		"executing", "sending", "calling", "using"}
	forbidden = []string{"do not ", "don't ", "don’t ", "never ", "avoid "}
	possible  = []string{"you could ", "you might ", "you can ", "you may ", "one could ", "one might "}
	passive   = []string{"must not be ", "must never be ", "should not be ", "should never be ", "may not be "}
)

// plainWords removes punctuation and possessive endings from a sentence.
var plainWords = strings.NewReplacer("'s ", " ", "’s ", " ", ",", " ", "*", " ", "`", " ")

// quotes reports whether the lower-case sentence s presents the words of somebody else, a sample, or an act that it
// forbids or leaves to the user. A hypothetical call is the model's own.
func quotes(s string) bool {
	words := strings.Fields(plainWords.Replace(s + " "))
	if len(words) == 0 || len(words) > 12 || slices.Contains(words, "i") || slices.Contains(words, "we") ||
		slices.Contains(words, "would") || acts(s) {
		return false
	}
	return forbids(s) || isSample(words) || reports(words)
}

// forbids reports whether s forbids an act or says that the user may do it.
func forbids(s string) bool {
	if slices.ContainsFunc(forbidden, func(w string) bool { return beginsWithAct(s, w) }) {
		return true
	}
	if slices.ContainsFunc(possible, func(w string) bool { return beginsWithAct(s, w) }) {
		return !announces(s) || strings.Count(s, " ") == 2
	}
	return containsAny(s, passive)
}

// beginsWithAct reports whether s begins with lead followed by a verb in deeds.
func beginsWithAct(s, lead string) bool {
	rest, ok := strings.CutPrefix(s, lead)
	verb, _, _ := strings.Cut(rest, " ")
	return ok && slices.Contains(deeds, verb)
}

// isSample reports whether words are the label of an example, or announce a document.
func isSample(words []string) bool {
	here := words[0] == "here" && len(words) > 1
	if here {
		words = words[1:]
		if words[0] == "is" || words[0] == "are" {
			words = words[1:]
		}
	}
	if len(words) == 0 {
		return false
	}
	if here && words[0] == "what" {
		return reports(words)
	}
	if here {
		return slices.Contains(documents, words[len(words)-1])
	}
	if words[0] == "a" || words[0] == "the" {
		words = words[1:]
	}
	return len(words) > 0 && len(words) < 4 && (words[0] == "sample" || words[0] == "typical" || words[0] == "example") ||
		slices.Equal(words, []string{"e.g."})
}

// reports reports whether words name a source followed by a reporting verb.
func reports(words []string) bool {
	if !slices.Contains(openings, words[0]) {
		return false
	}
	end := len(words)
	for end > 0 && slices.Contains(complements, words[end-1]) {
		end--
	}
	if end < 2 || !slices.Contains(reporting, words[end-1]) {
		return false
	}
	return slices.ContainsFunc(words[:end-1], func(w string) bool { return slices.Contains(sources, w) })
}
