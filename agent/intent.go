package agent

import (
	"regexp"
	"slices"
	"strings"
)

// Patterns of lower-case sentences in which a model announces a call that it does not make, such as "let me check the
// weather:". They do not match sentences that only offer help or sum up: a false match costs a request and a good
// answer.
var (
	intent = regexp.MustCompile(`^(?:(?:to|for|since|because|based on) [^,]*, )?(?:(?:ok|okay|sure|certainly|of course|alright|great|thanks|yes|sorry|understood|got it|and|so|now|first|next|then)\b[,:]? ?)*` +
		`(?:let me|let's|let’s|i'll|i’ll|i will|i am going to|i'm going to|i’m going to|i need to|i have to) ` +
		`(?:(?:now|first|just|quickly|also|then|next|try to|need to|have to|go ahead and|start by|begin by|proceed to) )*` +
		`(call|use|run|invoke|execute|query|calling|using|running|querying|check|checking|look|looking|search|searching|find|fetch|fetching|get|getting|read|reading|open|opening|list|listing|retrieve|pull|gather|verify|calculate|compute|examine|inspect|load|scan|investigate)\b(.*)$`)
	calling     = regexp.MustCompile(`^(?:now )?(?:calling|running|invoking|using) (.*)$`)
	onCondition = regexp.MustCompile(`\b(?:if|once|when|whenever|after|unless|until|as soon as) (?:you|needed)\b`)
)

// callVerbs are the verbs after which a word that equals a tool name means the tool, as in "I will call search".
var callVerbs = []string{"call", "use", "run", "invoke", "execute", "query", "calling", "using", "running", "querying"}

// announces reports whether the last sentence of text announces a call: it states an action that the model is about to
// take. It also names an offered tool, or ends with a colon, dots or "now". A question or a condition announces none.
func (r *run) announces(text string) bool {
	if len(r.tools.offered) == 0 || r.failing.withoutTools {
		return false
	}
	last, asked := lastSentence(text)
	last = strings.ToLower(last)
	if asked || onCondition.MatchString(last) {
		return false
	}
	open := strings.HasSuffix(last, ":") || strings.HasSuffix(last, "...") || strings.HasSuffix(last, "…")
	if m := calling.FindStringSubmatch(last); m != nil {
		words := splitWords(m[1])
		return len(words) > 0 && r.offers(words) && (open || len(words) <= 3)
	}
	m := intent.FindStringSubmatch(last)
	if m == nil || strings.HasPrefix(m[2], " back") || strings.HasPrefix(m[2], " forward") {
		return false
	}
	now := strings.HasSuffix(strings.TrimRight(last, ".!"), " now")
	return open || now || slices.Contains(callVerbs, m[1]) && r.offers(splitWords(m[2]))
}

// offers reports whether one of the lower-case words is the name of an offered tool.
func (r *run) offers(words []string) bool {
	for _, t := range r.tools.offered {
		if slices.Contains(words, strings.ToLower(t.Name)) {
			return true
		}
	}
	return false
}

// splitWords splits a text into words that may be tool names, without punctuation and quotes.
func splitWords(text string) []string {
	words := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \t`'\"“”‘’*(),;", c) })
	for i, w := range words {
		words[i] = strings.TrimRight(w, ".:!…")
	}
	return words
}

// lastSentence returns the last sentence or line of text. asked is true if this sentence is a question, or the sentence
// before it.
func lastSentence(text string) (last string, asked bool) {
	body := strings.TrimRight(text, ".…:! \n")
	isQuestion := strings.HasSuffix(body, "?")
	for at := len(body) - 1; at > 0; at-- {
		end := body[at-1]
		if body[at] == '\n' || body[at] == ' ' && (end == '.' || end == '!' || end == '?') {
			return strings.TrimSpace(text[at:]), end == '?' || isQuestion
		}
	}
	return strings.TrimSpace(text), isQuestion
}
