package jsonx

import "slices"

// A Walker goes through text that nobody has checked, as WalkMembers, WalkElements and SkipValue go through valid text,
// and checks it on the way, as strictly as Valid: reading and checking take one scan in place of two. After an error
// values are empty and no visitor is called any more. Visitors pass every value by the Walker.
type Walker struct {
	text   []byte
	depth  int
	broken bool
	longs  bool // long values are kept
	long   []LongValue
}

// A LongValue is where a value of many bytes stands, so that who reads the text again need not look for its end.
type LongValue struct {
	From, To  int
	Rewritten bool // a string that AppendQuote writes otherwise: it holds escapes by number, such as \u00e9, or of a slash
}

// leastLong is the length of a LongValue.
const leastLong = 256

// Long are the long values that were passed by Value, in their order.
func (w *Walker) Long() []LongValue { return w.long }

// AddLong adds long values that are known already. They stand shift bytes later than the list says, behind those that
// were passed so far.
func (w *Walker) AddLong(list []LongValue, shift int) {
	w.long = slices.Grow(w.long, len(list))
	for _, v := range list {
		v.From, v.To = v.From+shift, v.To+shift
		w.long = append(w.long, v)
	}
}

// NewWalker makes a Walker of the text.
func NewWalker(text []byte) *Walker { return &Walker{text: text, longs: true} }

// Sound reports whether everything that was passed so far is valid.
func (w *Walker) Sound() bool { return !w.broken }

func (w *Walker) fail(i int) int {
	w.broken = true
	return i
}

// Value passes the value that begins at i and returns its end, i when it is broken.
func (w *Walker) Value(i int) int {
	var v LongValue
	if w.text[i] == '"' {
		v.To, v.Rewritten = passText(w.text, i+1)
	} else {
		v.To = passValue(w.text, i, MaxDepth-w.depth)
	}
	if v.To < 0 || w.broken {
		return w.fail(i)
	}
	if v.From = i; v.To-i >= leastLong && w.longs {
		w.long = append(w.long, v)
	}
	return v.To
}

// Members visits the members of the object that begins at i and returns its end, i when it is broken.
func (w *Walker) Members(i int, visit func(key Key, at int) (end int)) int {
	b, start := w.text, i
	if w.depth++; w.depth > MaxDepth {
		return w.fail(start)
	}
	defer func() { w.depth-- }()
	if i = Space(b, i+1); i < len(b) && b[i] == '}' {
		return i + 1
	}
	for {
		if i >= len(b) || b[i] != '"' {
			return w.fail(start)
		}
		colon := passString(b, i+1)
		if colon < 0 {
			return w.fail(start)
		}
		key := Key(b[i:colon:colon])
		if i = Space(b, colon); i >= len(b) || b[i] != ':' {
			return w.fail(start)
		}
		if i = Space(b, i+1); i >= len(b) {
			return w.fail(start)
		}
		i = visit(key, i)
		if i = Space(b, i); w.broken || i >= len(b) {
			return w.fail(start)
		}
		switch b[i] {
		case ',':
			i = Space(b, i+1)
		case '}':
			return i + 1
		default:
			return w.fail(start)
		}
	}
}

// Elements visits the elements of the array that begins at i, n counting from 0, and returns its end, i when it is
// broken.
func (w *Walker) Elements(i int, visit func(n, at int) (end int)) int {
	b, start := w.text, i
	if w.depth++; w.depth > MaxDepth {
		return w.fail(start)
	}
	defer func() { w.depth-- }()
	if i = Space(b, i+1); i < len(b) && b[i] == ']' {
		return i + 1
	}
	if i >= len(b) {
		return w.fail(start)
	}
	return w.elements(start, visit(0, i), 1, visit)
}

// MoreElements visits the elements of the array that begins at start after the first n of them, which are known to be
// valid and end at i. It returns the end of the array, start when it is broken.
func (w *Walker) MoreElements(start, i, n int, visit func(n, at int) (end int)) int {
	if w.depth++; w.depth > MaxDepth {
		return w.fail(start)
	}
	defer func() { w.depth-- }()
	return w.elements(start, i, n, visit)
}

// elements visits the elements from number n on. The one before it ends at i.
func (w *Walker) elements(start, i, n int, visit func(n, at int) (end int)) int {
	for b := w.text; ; n++ {
		if i = Space(b, i); w.broken || i >= len(b) {
			return w.fail(start)
		}
		switch b[i] {
		case ',':
			i = Space(b, i+1)
		case ']':
			return i + 1
		default:
			return w.fail(start)
		}
		if i >= len(b) {
			return w.fail(start)
		}
		i = visit(n, i)
	}
}
