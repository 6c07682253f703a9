package repair

import (
	"errors"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Errors of the functions of this package. Compare with errors.Is.
var (
	// ErrTruncated reports that the text ends inside a value: in a string, number or word, or after a key, an opening
	// bracket or a comma.
	ErrTruncated = errors.New("repair: the text ends inside a value")
	// ErrUnreadable reports that the text has no value, or is ambiguous.
	ErrUnreadable = errors.New("repair: expected a JSON value, got text that cannot be read as one")
	// ErrDepth reports that brackets are nested deeper than jsonx.MaxDepth.
	ErrDepth = jsonx.ErrDepth
)

// errWrapped reports escaped quotes in place of a string's opening quote, so that the whole text must be unescaped.
var errWrapped = errors.New("repair: the quotes of the value are escaped")

// errExpression reports a string expression such as "a" + "b" as the value of a member. Only the Python parser
// evaluates it.
var errExpression = errors.New("repair: the value of a member is an expression")

// A Result is the value that [JSON] parsed, with its changes.
type Result struct {
	JSON     []byte // the value as valid JSON
	Fixes    []Fix  // the changes in the order of their offsets; nil if nothing was changed
	Rest     string // text after the value, without surrounding white space and control tokens
	Unclosed int    // number of missing closing brackets that were added at the end
}

const maxLayers = 3 // maximum levels of encoding (JSON in strings, HTML entities) that are removed

// JSON reads one value and repairs malformed text with the rules of [Rules]. The result is always valid JSON. Digits
// of numbers and the order and names of members are preserved. Valid JSON is returned unchanged, except for a string
// that contains a complete object or array: then that object or array is returned.
//
// The errors are ErrTruncated, ErrUnreadable and ErrDepth. Empty text is unreadable.
func JSON(text string) (Result, error) {
	valid := jsonx.Valid([]byte(text)) == nil
	if valid && !holdsJSON([]byte(text)) {
		return Result{JSON: []byte(text)}, nil
	}
	l := layers{left: maxLayers}
	r, err := l.read(text)
	r.Fixes = l.sortFixes()
	switch {
	case valid && (err != nil || len(r.Fixes) == 0): // it is an ordinary string
		return Result{JSON: []byte(text)}, nil
	case err != nil:
		return Result{}, err
	}
	return r, nil
}

// holdsJSON reports whether v, which is valid JSON, is a string whose text begins with a bracket, or with a string of
// such text.
func holdsJSON(v []byte) bool {
	if v = jsonx.Trim(v); len(v) < 2 || v[0] != '"' {
		return false
	}
	for i := 1; ; i++ {
		switch v[i] {
		case '{', '[':
			return true
		case '\\':
			i++
			if strings.IndexByte(`nrt"\`, v[i]) < 0 {
				return false
			}
		case ' ':
		default:
			return false
		}
	}
}

// layers removes the levels of encoding from a value that was encoded more than once.
type layers struct {
	journal
	left int
}

func (l *layers) read(text string) (Result, error) {
	m := parser{s: text, journal: l.journal, out: make([]byte, 0, len(text)+16)}
	r, err := m.whole()
	switch {
	case err == nil:
		l.journal = m.journal
		if holdsJSON(r.JSON) {
			return l.inner(r, text)
		}
		return r, nil
	case err == errWrapped:
		return l.unwrap(text, m.i)
	case err == ErrUnreadable:
		return l.python(text)
	case err == errExpression:
		err = ErrUnreadable
	}
	return Result{}, err
}

// inner parses the object or array inside a string result. If the string does not contain one complete object or array,
// it returns r. If the object or array is truncated or nested too deep, it returns an error.
func (l *layers) inner(r Result, text string) (Result, error) {
	held, ok := jsonx.String(r.JSON)
	if !ok || l.left == 0 {
		return r, nil
	}
	in := layers{left: l.left - 1}
	got, err := in.read(held)
	if errors.Is(err, ErrTruncated) || errors.Is(err, ErrDepth) {
		return Result{}, err
	}
	if k := jsonx.KindOf(got.JSON); err != nil || got.Rest != "" || k != jsonx.Object && k != jsonx.Array {
		return r, nil
	}
	l.note(doubleEncoded, strings.IndexAny(text, "\"'`{["), string(r.JSON), string(got.JSON))
	l.fixes = append(l.fixes, in.fixes...)
	got.Rest = r.Rest
	return got, nil
}

// unwrap parses a text whose quotes are escaped. The escape at offset i is a backslash or an HTML entity.
func (l *layers) unwrap(text string, i int) (Result, error) {
	if l.left == 0 {
		return Result{}, ErrUnreadable
	}
	l.left--
	if text[i] == '&' {
		plain := decodeEntities(text)
		if plain == text {
			return Result{}, ErrUnreadable
		}
		l.note(htmlEntity, i, text[i:], plain)
		return l.read(plain)
	}
	if !strings.HasPrefix(text[i:], `\"`) && !strings.HasPrefix(text[i:], `\\`) {
		return Result{}, ErrUnreadable
	}
	plain := unescape(text)
	l.note(doubleEncoded, i, text[i:], plain)
	return l.read(plain)
}

// python parses a text as one Python literal, after its repair as JSON failed.
func (l *layers) python(text string) (Result, error) {
	r, err := Python(text)
	at := skipSpace(text, 0)
	switch {
	case errors.Is(err, ErrTruncated) || errors.Is(err, ErrDepth):
		return Result{}, err
	case err != nil || r.Rest != "" || !isOpener(text[at]):
		return Result{}, ErrUnreadable
	case text[at] == '{' && r.JSON[0] != '{': // a set, or an object without colons
		return Result{}, ErrUnreadable
	}
	l.note(pythonLiteral, at, text, string(r.JSON))
	l.fixes = append(l.fixes, r.Fixes...)
	return r, nil
}
