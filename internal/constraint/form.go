package constraint

import (
	"strings"

	"github.com/callwright/callwright/dialect"
)

// A Form is how a textual format writes calls: Before, a name, Between, the arguments as a JSON object, After. Join
// stands in the place of After and Before between two calls.
type Form struct {
	Mark   string // the beginning of Before by which a call is told from text, empty where it begins like any JSON object
	before string // the rest of Before
	between, join,
	after string
}

// HasToken reports whether the mark is a special token by its look, such as <|python_tag|> or [TOOL_CALLS]. A server
// that does not parse calls may leave it out of the text.
func (f *Form) HasToken() bool { return strings.ContainsAny(f.Mark, "|[｜") }

// Placeholders for a name and the arguments in rendered calls.
const (
	namePlace      = "callwright_name_place"
	argumentsPlace = `{"callwright_arguments_place":0}`
)

// FormOf returns the form of the calls of a format. ok is false for one that does not write the arguments as one JSON
// object behind the name, or numbers its calls.
func FormOf(f dialect.Format) (form Form, ok bool) {
	if !f.Renders() {
		return Form{}, false
	}
	call := dialect.RenderedCall{Name: namePlace, ID: "call_1", Arguments: []byte(argumentsPlace)}
	one := strings.Split(strings.TrimSpace(f.RenderCalls([]dialect.RenderedCall{call})), namePlace)
	three := strings.Split(strings.TrimSpace(f.RenderCalls([]dialect.RenderedCall{call, call, call})), namePlace)
	if len(one) != 2 || len(three) != 4 || one[0] != three[0] || one[1] != three[3] || three[1] != three[2] {
		return Form{}, false
	}
	between, after, found := cutArguments(one[1])
	again, join, foundAgain := cutArguments(three[1])
	if !found || !foundAgain || between != again || strings.Contains(one[0]+one[1]+three[1], call.ID) {
		return Form{}, false
	}
	at := jsonAt(one[0])
	mark := strings.TrimRight(one[0][:at], " \n")
	return Form{Mark: mark, before: one[0][len(mark):], between: between, join: join, after: after}, true
}

// cutArguments divides text at the arguments, however they are spaced.
func cutArguments(text string) (before, after string, found bool) {
	key := strings.Trim(argumentsPlace, "{}:0")
	at := strings.Index(text, key)
	if at < 0 {
		return "", "", false
	}
	open, shut := strings.LastIndexByte(text[:at], '{'), strings.IndexByte(text[at:], '}')
	if open < 0 || shut < 0 || strings.TrimSpace(text[open+1:at]) != "" ||
		strings.TrimSpace(text[at+len(key):at+shut]) != ":0" && strings.TrimSpace(text[at+len(key):at+shut]) != ": 0" {
		return "", "", false
	}
	return text[:open], text[at+shut+1:], true
}

// jsonAt is where the JSON begins at the end of a text that ends inside of a string of JSON, or the length of the text.
func jsonAt(text string) int {
	for at := range text {
		if (text[at] == '{' || text[at] == '[') && isOpenJSON(text[at:]) {
			return at
		}
	}
	return len(text)
}

// isOpenJSON reports whether a text is brackets, colons, commas, white space and strings, of which the last is open.
func isOpenJSON(text string) bool {
	inside := false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"':
			inside = !inside
		case !inside && !strings.ContainsRune("{[:, \n", rune(c)):
			return false
		}
	}
	return inside
}

// argumentsKey returns the key of the arguments. ok is false where the text between the name and the arguments is no
// JSON.
func (f *Form) argumentsKey() (key string, ok bool) {
	rest, ok := strings.CutPrefix(f.between, `"`)
	if !ok {
		return "", false
	}
	rest = strings.Trim(rest, ", \n:")
	key = strings.Trim(rest, `"`)
	return key, len(rest) == len(key)+2
}

// loose is the expression of a fixed part of a form. White space may be longer or shorter, and stand around the
// punctuation of JSON.
func (s *schemas) loose(text string) string {
	var parts []string
	blank := func() {
		if n := len(parts); n == 0 || parts[n-1] != s.blank() {
			parts = append(parts, s.blank())
		}
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == ' ' || c == '\n':
			blank()
			i++
		case strings.IndexByte("{}", c) >= 0,
			strings.IndexByte(":,", c) >= 0 && strings.ContainsRune(`" {[`, rune(next(text, i))),
			c == '[' && strings.IndexByte(`{" `, next(text, i)) >= 0, c == ']' && i > 0 && strings.IndexByte("} \n", text[i-1]) >= 0:
			blank()
			parts = append(parts, literal(string(c)))
			blank()
			i++
		default:
			end := i + 1
			for end < len(text) && strings.IndexByte(" \n{}:,[]", text[end]) < 0 {
				end++
			}
			parts = append(parts, literal(text[i:end]))
			i = end
		}
	}
	return sequence(parts...)
}

// next is the byte behind a place in a text, a space at its end.
func next(text string, i int) byte {
	if i+1 < len(text) {
		return text[i+1]
	}
	return ' '
}
