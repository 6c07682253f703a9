package repair

import (
	"slices"
	"unicode/utf8"
)

// A Fix is one change. If a rule changes several bytes of one string, such as control characters, the Fix describes
// the first of them.
type Fix struct {
	Rule string // name of the rule, see Rules
	// offset of the change in the input; in a decoded level (double_encoded, html_entity) the offset in the decoded text
	Offset int
	Was    string // original text, at most 64 bytes; "" for an insertion
	Now    string // new text, at most 64 bytes; "" for a removal
}

// Risk is the degree of uncertainty of a repair.
type Risk uint8

const (
	Lossless  Risk = iota // the same value in another notation
	Implied               // the text allows only one sensible interpretation
	Heuristic             // a guess
)

// String returns "lossless", "implied" or "heuristic".
func (r Risk) String() string {
	switch r {
	case Lossless:
		return "lossless"
	case Implied:
		return "implied"
	default:
		return "heuristic"
	}
}

// A Rule describes one type of damage and its repair.
type Rule struct {
	Name string
	Risk Risk
	Doc  string
}

// ruleID is the index of a rule in the table.
type ruleID uint8

const (
	trailingComma ruleID = iota
	missingComma
	singleQuotes
	smartQuotes
	unquotedKey
	pythonLiteral
	jsLiteral
	comment
	rawControl
	missingCloser
	missingOpener
	extraCloser
	extraOpener
	innerQuote
	invalidEscape
	invalidUTF8
	specialToken
	numberForm
	htmlEntity
	doubleEncoded
	concatenated
	codeFence
	leadingText
	trailingText
	trailingValue
	ruleCount
)

var rules = [ruleCount]Rule{
	trailingComma: {"trailing_comma", Lossless, "a comma before a closing bracket, or after another comma, is left out"},
	missingComma:  {"missing_comma", Implied, "a missing comma between two members or elements is added"},
	singleQuotes:  {"single_quotes", Lossless, "a string in single quotes, backquotes or triple quotes gets double quotes"},
	smartQuotes:   {"smart_quotes", Lossless, "a string in typographic quotes gets double quotes"},
	unquotedKey:   {"unquoted_key", Lossless, "a key without quotes, or with only one of them, gets both"},
	pythonLiteral: {"python_literal", Lossless,
		"a Python literal becomes JSON: None, True, False, tuples, sets, prefixed and adjacent strings; nil also becomes null"},
	jsLiteral:  {"js_literal", Heuristic, "undefined, NaN and Infinity become null"},
	comment:    {"comment", Lossless, "a comment is left out"},
	rawControl: {"raw_control", Lossless, "a raw newline, tab or other control character in a string is escaped"},
	missingCloser: {"missing_closer", Implied,
		"missing brackets after a complete value are added, and a missing quote before the next call"},
	missingOpener: {"missing_opener", Implied, "a missing opening brace before the first key is added"},
	extraCloser:   {"extra_closer", Implied, "a closing bracket without an opening bracket is left out"},
	extraOpener:   {"extra_opener", Implied, "a doubled opening brace and its closing brace are left out"},
	innerQuote:    {"inner_quote", Implied, "a quote inside a string is escaped, if the following text shows that the string does not end there"},
	invalidEscape: {"invalid_escape", Implied,
		"an escape that JSON does not have becomes its character, or a backslash, also for other unintended escapes in the string"},
	invalidUTF8:   {"invalid_utf8", Implied, "invalid UTF-8 becomes U+FFFD"},
	specialToken:  {"special_token", Lossless, "control tokens and closing tags around the value are left out"},
	numberForm:    {"number_form", Implied, "a number in another notation is converted: .5, 1., +1, 007, 1_000, 0x1F"},
	htmlEntity:    {"html_entity", Implied, "a value whose quotes are HTML entities is decoded"},
	doubleEncoded: {"double_encoded", Implied, "a string that contains an object or an array is replaced by it"},
	concatenated:  {"concatenated", Implied, "an empty object directly before another object is left out"},
	codeFence:     {"code_fence", Lossless, "the code fence around the value is left out"},
	leadingText:   {"leading_text", Implied, "text before the value is left out"},
	trailingText:  {"trailing_text", Implied, "text after the value is not part of it"},
	trailingValue: {"trailing_value", Heuristic, "another value after the value is not part of it"},
}

// Rules returns a new slice of all rules.
func Rules() []Rule { return slices.Clone(rules[:]) }

// RiskOf returns the risk of the named rule, Heuristic for an unknown name.
func RiskOf(rule string) Risk {
	for i := range rules {
		if rules[i].Name == rule {
			return rules[i].Risk
		}
	}
	return Heuristic
}

const (
	maxFixes = 1024 // maximum number of fixes; beyond it, only the first fix of each rule is added
	maxShown = 64   // maximum size of Was and Now in bytes
)

// journal collects the fixes of one parsed value.
type journal struct {
	fixes []Fix
	seen  [ruleCount]bool
}

func (j *journal) note(r ruleID, offset int, was, now string) {
	if len(j.fixes) >= maxFixes && j.seen[r] {
		return
	}
	j.seen[r] = true
	j.fixes = append(j.fixes, Fix{Rule: rules[r].Name, Offset: offset, Was: clipText(was), Now: clipText(now)})
}

// sortFixes returns the fixes sorted by offset.
func (j *journal) sortFixes() []Fix {
	byOffset := func(a, b Fix) int { return a.Offset - b.Offset }
	if !slices.IsSortedFunc(j.fixes, byOffset) {
		slices.SortStableFunc(j.fixes, byOffset)
	}
	return j.fixes
}

func clipText(s string) string {
	if len(s) <= maxShown {
		return s
	}
	n := maxShown
	for n > maxShown-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
