package claim

import "strings"

// Words of phrases that present a tool result or the outcome of tests.
var (
	outputs    = setOf("output outputs result results response content contents")
	sources    = setOf("command commands tool tools search query script tests test api database lookup file directory folder repository website")
	gives      = setOf("returned printed output outputs showed responded reported")
	presenters = setOf("here here's here’s")
)

// readQuoted returns Tests or Quoted for a sentence about the outcome of tests or about a tool result, "" for others.
func readQuoted(s string) Kind {
	var r quoteReader
	r.s = s
	for w, ok := nextWord(s, 0); ok; w, ok = nextWord(s, w.to) {
		if kind := r.take(s[w.from:w.to]); kind != "" {
			return kind
		}
	}
	return ""
}

// A quoteReader detects a sentence that presents a tool result or the outcome of tests, word by word.
type quoteReader struct {
	s                           string
	blocked                     bool
	tests, output, source, here bool
	according                   bool
}

// take reads the next word. Once the kind of the sentence is decided, it returns the kind, and "" before.
func (r *quoteReader) take(w string) Kind {
	var room [maxWord]byte
	low := string(lower(w, &room))
	switch {
	case low == "expected", low == "following" && !r.here, blockers.has(low) && low != "that" && low != "which" && low != "what" &&
		low != "where" && low != "as" && low != "how":
		r.blocked = true
	case low == "test", low == "tests":
		r.tests, r.source = true, true
	case low == "pass", low == "passed", low == "passing":
		if !r.blocked && r.tests {
			return Tests
		}
	case presenters.has(low):
		r.here = true
	case low == "according":
		r.according = true
	case outputs.has(low) && !r.output:
		r.output = true
		if r.source && r.here && !r.blocked {
			return Quoted
		}
	case sources.has(low):
		r.source = true
		if (r.output && r.here || r.according) && !r.blocked {
			return Quoted
		}
	case gives.has(low):
		if r.source && !r.blocked && strings.HasSuffix(strings.TrimRight(r.s, "*_ "), ":") {
			return Quoted
		}
	}
	return ""
}
