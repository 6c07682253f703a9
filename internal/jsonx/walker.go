package jsonx

import "slices"

// A Walker traverses unchecked text as WalkMembers, WalkElements and SkipValue traverse valid text. It validates the
// text as strictly as Valid at the same time, which saves a second scan. After an error values are empty and visitors
// are no longer called. A visitor must pass every value to the Walker.
type Walker struct {
	text   []byte
	depth  int
	broken bool
	longs  bool // whether to record long values
	long   []LongValue
}

// A LongValue is the span of a value of at least 256 bytes, so that later readers of the text need not search for its
// end.
type LongValue struct {
	From, To  int
	Rewritten bool // whether it is a string that AppendQuote would write differently, with escapes such as \u00e9 or \/
}

// leastLong is the minimum length of a LongValue in bytes.
const leastLong = 256

// Long returns the long values that Value has passed, in order.
func (w *Walker) Long() []LongValue { return w.long }

// AddLong appends long values that are already known, with shift added to their offsets.
func (w *Walker) AddLong(list []LongValue, shift int) {
	w.long = slices.Grow(w.long, len(list))
	for _, v := range list {
		v.From, v.To = v.From+shift, v.To+shift
		w.long = append(w.long, v)
	}
}

// NewWalker creates a Walker for text.
func NewWalker(text []byte) *Walker { return &Walker{text: text, longs: true} }

// Sound reports whether the text that was passed so far is valid.
func (w *Walker) Sound() bool { return !w.broken }

func (w *Walker) fail(i int) int {
	w.broken = true
	return i
}

// Value returns the offset after the value at i, or i if the value is invalid.
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

// Members calls visit for each member of the object at offset i. It returns the offset after the object, or i if it is
// invalid.
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

// Elements calls visit for each element of the array at offset i. It returns the offset after the array, or i if it is
// invalid.
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

// MoreElements calls visit for the elements after the first n of the array at offset start. These n elements are known
// to be valid and end at offset i. It returns the offset after the array, or start if it is invalid.
func (w *Walker) MoreElements(start, i, n int, visit func(n, at int) (end int)) int {
	if w.depth++; w.depth > MaxDepth {
		return w.fail(start)
	}
	defer func() { w.depth-- }()
	return w.elements(start, i, n, visit)
}

// elements calls visit for the elements from index n of the array at offset start. The preceding element ends at offset
// i. It returns the offset after the array, or start if the array is invalid.
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
