package repair

import (
	"errors"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Errors of every function here. Compare with errors.Is.
var (
	// ErrTruncated says that the text ended inside a value: in a string, a number or a word, after a key, an opening
	// bracket or a comma.
	ErrTruncated = errors.New("repair: the text ends inside a value")
	// ErrUnreadable says that there is no value, or that it has more than one reading.
	ErrUnreadable = errors.New("repair: expected a JSON value, got text that cannot be read as one")
	// ErrDepth says that brackets are nested deeper than jsonx.MaxDepth.
	ErrDepth = jsonx.ErrDepth
)

// errWrapped reports that quotes came escaped where a string should begin: the whole text is in a further layer.
var errWrapped = errors.New("repair: the quotes of the value are escaped")

// errExpression reports an expression of strings where a member's value should be: which text it stands for is not for
// JSON to say.
var errExpression = errors.New("repair: the value of a member is an expression")

// A Result is a value that was read.
type Result struct {
	JSON     []byte // valid JSON
	Fixes    []Fix  // in the order of their places; nil when nothing was changed
	Rest     string // text after the value, without white space and control tokens around it
	Unclosed int    // brackets that were missing at the end and were added
}

const maxLayers = 3 // encodings around one value: double encoding, entities

// JSON reads one value. Valid JSON comes back as it was, without fixes; the one exception is a string that holds a
// whole object or array: it was encoded once too often, and the object is meant. Any other text is repaired by the
// rules of the table, and the result is always valid. Members and digits stay as they are.
//
// It fails with ErrTruncated, ErrUnreadable or ErrDepth. Empty text is unreadable.
func JSON(text string) (Result, error) {
	valid := jsonx.Valid([]byte(text)) == nil
	if valid && !holdsJSON([]byte(text)) {
		return Result{JSON: []byte(text)}, nil
	}
	l := layers{left: maxLayers}
	r, err := l.read(text)
	r.Fixes = l.sortFixes()
	switch {
	case valid && (err != nil || len(r.Fixes) == 0): // a string after all
		return Result{JSON: []byte(text)}, nil
	case err != nil:
		return Result{}, err
	}
	return r, nil
}

// holdsJSON reports whether v, valid JSON, is a string whose text begins like an object or an array, or like a string
// that does.
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

// layers unwraps a value that was encoded more than once.
type layers struct {
	journal
	left int
}

func (l *layers) read(text string) (Result, error) {
	m := mender{s: text, journal: l.journal, out: make([]byte, 0, len(text)+16)}
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

// inner reads the object that a string holds. A string that only begins like one stays a string.
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

// unwrap reads a text whose own quotes are escaped, at i with a backslash or an entity.
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

// python reads a text that is one literal of Python, where it is no JSON that can be mended.
func (l *layers) python(text string) (Result, error) {
	r, err := Python(text)
	at := skipSpace(text, 0)
	switch {
	case errors.Is(err, ErrTruncated) || errors.Is(err, ErrDepth):
		return Result{}, err
	case err != nil || r.Rest != "" || !isOpener(text[at]):
		return Result{}, ErrUnreadable
	case text[at] == '{' && r.JSON[0] != '{': // a set, or an object whose colons are lost
		return Result{}, ErrUnreadable
	}
	l.note(pythonLiteral, at, text, string(r.JSON))
	l.fixes = append(l.fixes, r.Fixes...)
	return r, nil
}
