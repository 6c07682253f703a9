package repair

import (
	"slices"
	"unicode/utf8"
)

// A Fix is one change that was made. Where a rule changes several bytes of one string (raw control characters, inner
// quotes, escapes) the fix describes the first of them.
type Fix struct {
	Rule   string // a name of Rules
	Offset int    // of the change in the text; inside an unwrapped layer (double_encoded, html_entity) in the unwrapped text
	Was    string // what stood there, shortened when long; empty when something was added
	Now    string // what stands there now; empty when something was removed
}

// Risk says how much a fix had to assume.
type Risk uint8

const (
	Lossless  Risk = iota // another spelling of the same value
	Implied               // the text leaves one sensible reading
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

// A Rule describes one kind of damage that is mended.
type Rule struct {
	Name string
	Risk Risk
	Doc  string
}

// ruleID is the place of a rule in the table.
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
	missingComma:  {"missing_comma", Implied, "a comma is put between two members or two elements"},
	singleQuotes:  {"single_quotes", Lossless, "a string in single quotes, backquotes or triple quotes gets double quotes"},
	smartQuotes:   {"smart_quotes", Lossless, "a string in typographic quotes gets double quotes"},
	unquotedKey:   {"unquoted_key", Lossless, "a key without quotes, or with only one of them, gets both"},
	pythonLiteral: {"python_literal", Lossless,
		"a literal of Python becomes its JSON: None, True, False, tuples, sets, prefixed strings, strings side by side; so does nil"},
	jsLiteral:  {"js_literal", Heuristic, "undefined, NaN and Infinity become null"},
	comment:    {"comment", Lossless, "a comment is left out"},
	rawControl: {"raw_control", Lossless, "a raw newline, tab or other control character in a string is escaped"},
	missingCloser: {"missing_closer", Implied,
		"brackets left open after a closed value are closed, and a string left open before the next call"},
	missingOpener: {"missing_opener", Implied, "an object that begins with its first key gets its opening brace"},
	extraCloser:   {"extra_closer", Implied, "a closing bracket that closes nothing is left out"},
	extraOpener:   {"extra_opener", Implied, "a doubled opening brace is left out, with its closing one"},
	innerQuote:    {"inner_quote", Implied, "a quote inside a string is escaped; what follows it says that it does not end the string"},
	invalidEscape: {"invalid_escape", Implied,
		"an escape that JSON does not know becomes the character it means, or a plain backslash, and with it the others that were not meant as escapes"},
	invalidUTF8:   {"invalid_utf8", Implied, "bytes that are no UTF-8 become U+FFFD"},
	specialToken:  {"special_token", Lossless, "control tokens and closing tags around the value are left out"},
	numberForm:    {"number_form", Implied, "a number that JSON spells otherwise is respelled: .5, 1., +1, 007, 1_000, 0x1F"},
	htmlEntity:    {"html_entity", Implied, "a value whose own quotes came as HTML entities is decoded"},
	doubleEncoded: {"double_encoded", Implied, "a string that holds an object or an array is replaced by it"},
	concatenated:  {"concatenated", Implied, "an empty object directly before the real one is left out"},
	codeFence:     {"code_fence", Lossless, "the code fence around the value is left out"},
	leadingText:   {"leading_text", Implied, "text before the value is left out"},
	trailingText:  {"trailing_text", Implied, "text after the value is not part of it"},
	trailingValue: {"trailing_value", Heuristic, "another value after the value is not part of it"},
}

// Rules returns the table of rules. The slice is the caller's own.
func Rules() []Rule { return slices.Clone(rules[:]) }

// RiskOf returns the risk of the rule with this name; Heuristic when there is none.
func RiskOf(rule string) Risk {
	for i := range rules {
		if rules[i].Name == rule {
			return rules[i].Risk
		}
	}
	return Heuristic
}

const (
	maxFixes = 1024 // noted in one text; beyond it only rules that were not noted before
	maxShown = 64   // bytes of Was and Now
)

// journal collects fixes.
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

// sortFixes returns the fixes in the order of their places.
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
