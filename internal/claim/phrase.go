package claim

import "strings"

// A statement is a claim in a sentence.
type statement struct {
	kind     Kind // Done, Quoted or Tests
	verb     *verb
	passive  bool // the sentence does not name who did it
	earlier  bool // the sentence says that it was done earlier
	sentence string
	// object is the part of the sentence with the object of the verb.
	object string
}

// An anchor is the kind of words before a verb that make it a claim of completed work, such as "I have".
type anchor uint8

const (
	noAnchor anchor = iota
	subject         // I, we
	perfect         // I have, we've
	passive         // has been, was, is now
	manner          // Successfully, or the verb itself, at the start
	emphatic        // I did
)

var (
	pronouns = setOf("i we")
	haves    = setOf("have")
	joined   = setOf("i've i’ve we've we’ve") // pronoun with have
	adverbs  = setOf(`also now just successfully already since then both carefully quickly fully finally manually automatically even again further therefore
		thus always immediately directly all first next`)
	// blockers turn the rest of their clause into a plan, a condition, a wish or a negation.
	blockers = setOf(`if once when whenever unless until would could should might may will can cannot can't can’t couldn't couldn’t not never unable
		assuming suppose imagine pretend had i'd i’d i'll i’ll we'd we’d we'll we’ll going let need needs must please want wants wish try trying plan
		ready before as haven't haven’t hasn't hasn’t wasn't wasn’t didn't didn’t don't don’t doesn't doesn’t isn't isn’t aren't aren’t won't won’t wouldn't wouldn’t
		without whether where how what which who that because like example e.g failed fails example say said says claim means`)
	earliers = setOf("earlier already previously before yesterday last")
)

// next returns the next claim of the sentence. ok is false if there is none.
func (r *reader) next() (c statement, ok bool) {
	for r.step() {
		if r.found != nil {
			r.claimed = true
			return statement{kind: Done, verb: r.found, passive: r.at == passive ||
				r.at == manner, earlier: hasWord(r.s, earliers), sentence: r.s, object: r.object()}, true
		}
	}
	if r.claimed {
		return c, false
	}
	r.claimed = true
	kind := readQuoted(r.s)
	return statement{kind: kind, sentence: r.s, object: r.s, passive: true}, kind != ""
}

// A reader reads the words of a sentence.
type reader struct {
	s       string
	w       word
	clause  int // start of the current clause
	quote   byte
	blocked bool // the clause does not state completed work
	at      anchor
	begun   bool  // the first word was read
	acts    bool  // the subject of the last verb is the writer: "and" may lead to another verb
	claimed bool  // a claim was returned, or there is none
	found   *verb // verb of the claim
}

// step reads the next word. It returns false at the end.
func (r *reader) step() bool {
	next, ok := nextWord(r.s, r.w.to)
	if !ok {
		return false
	}
	r.cross(r.s[r.w.to:next.from])
	r.w = next
	if r.quote != 0 {
		r.at = noAnchor
		return true
	}
	text := r.s[next.from:next.to]
	r.found = nil
	v := verbAt(text)
	if r.at == emphatic {
		v = baseVerbAt(text)
	}
	if !r.begun && v != nil && v.outside && !strings.HasPrefix(r.s[next.to:], ":") {
		r.at = manner
	}
	switch {
	case r.at != noAnchor && isInSet(text, adverbs):
	case v != nil && r.at != noAnchor && !r.blocked && !(v.past == "run" && r.at == subject):
		r.found, r.acts = v, r.at != passive
	case text == "and" && r.acts:
		r.at = perfect
	case isInSet(text, joined), isInSet(text, haves) && r.at == subject:
		r.at = perfect
	case r.at == subject && text == "did":
		r.at = emphatic
	case isInSet(text, pronouns):
		r.at = subject
	case isInSet(text, blockers):
		r.blocked, r.at = true, noAnchor
	case !r.begun && (text == "Successfully" || text == "successfully"):
		r.at = manner
	default:
		r.at = passiveOf(r.s, next, text)
	}
	r.begun = true
	return true
}

// cross processes the text between two words, which may end a clause, or begin or end a quotation.
func (r *reader) cross(between string) {
	for i := range len(between) {
		switch c := between[i]; {
		case r.quote != 0:
			if c == r.quote {
				r.quote = 0
			}
		case c == '"' || c == '`':
			r.quote = c
		case c == ',' || c == ';' || c == ':' || c == '(' || c == '!' || c == '.':
			r.blocked, r.at, r.clause = false, noAnchor, r.w.to+i+1
		}
	}
}

var (
	beens = setOf("been")
	weres = setOf("was were")
	ares  = setOf("is are")
)

// passiveOf returns passive if the word w, which is text, can precede the participle of a passive: been, was, were, or
// is and are before "now". Else it returns noAnchor.
func passiveOf(s string, w word, text string) anchor {
	if isInSet(text, beens) || isInSet(text, weres) {
		return passive
	}
	if isInSet(text, ares) {
		if next, ok := nextWord(s, w.to); ok && s[next.from:next.to] == "now" {
			return passive
		}
	}
	return noAnchor
}

// object returns the part of the sentence with the object of the verb, at most maxObject bytes.
func (r *reader) object() string {
	if r.at == passive {
		return r.s[max(r.clause, r.w.from-maxObject):r.w.from]
	}
	return r.s[r.w.to:min(len(r.s), r.w.to+maxObject)]
}

// maxObject is the maximum length of an object in bytes.
const maxObject = 300
