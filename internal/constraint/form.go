package constraint

import (
	"strings"

	"github.com/callwright/callwright/dialect"
)

// A Form is the syntax in which a text format writes calls: Mark and before, the name, between, the arguments as a JSON
// object, after. join replaces after, Mark and before between two calls.
type Form struct {
	Mark   string // beginning of a call that distinguishes it from text; empty if a call begins like any JSON object
	before string // text between Mark and the name
	between, join,
	after string
}

// HasToken reports whether Mark looks like a special token, such as <|python_tag|> or [TOOL_CALLS]. A server that does
// not parse calls may omit special tokens from the text.
func (f *Form) HasToken() bool { return strings.ContainsAny(f.Mark, "|[｜") }

// Placeholders for the name and the arguments in rendered calls.
const (
	namePlace      = "callwright_name_place"
	argumentsPlace = `{"callwright_arguments_place":0}`
)

// FormOf returns the form of a text format. ok is false if the format does not write the arguments as one JSON object
// after the name, or numbers its calls.
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

// cutArguments returns the text before and after the arguments that are a placeholder, with any spacing. found is false
// if text has no placeholder.
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

// jsonAt returns the offset at which JSON begins in a text that ends within a JSON string, or the length of the text if
// there is none.
func jsonAt(text string) int {
	for at := range text {
		if (text[at] == '{' || text[at] == '[') && isOpenJSON(text[at:]) {
			return at
		}
	}
	return len(text)
}

// isOpenJSON reports whether a text consists of brackets, colons, commas, white space and strings, the last of which is
// not closed.
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

// argumentsKey returns the key of the arguments. ok is false if the text between the name and the arguments is not
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

// loose returns the expression of a part of a form, such as the text between name and arguments. White space is
// permitted where text has any, and around JSON punctuation.
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

// next returns the byte after index i, or a space at the end.
func next(text string, i int) byte {
	if i+1 < len(text) {
		return text[i+1]
	}
	return ' '
}
