package jsonx

import "strings"

// A StringArena decodes JSON strings as TextOf does. Short strings share blocks of memory, which saves allocations for
// the deltas of a stream. A string that is retained retains up to textsRoom bytes. The zero StringArena is ready for
// use. It is not safe for concurrent use.
type StringArena struct{ b strings.Builder }

// Sizes in bytes.
const (
	textsRoom = 512
	shortText = 64 // maximum length of a string that shares memory
)

// Of returns the text of a JSON string, or "" for other values.
func (t *StringArena) Of(v []byte) string {
	if len(v) < 2 || len(v) > shortText || v[0] != '"' {
		return TextOf(v)
	}
	var room [shortText + unquoteRoom]byte
	n, _ := unquote(room[:], inner(Trim(v)), 0)
	return t.Copy(room[:n])
}

// Copy returns the bytes as a string, in shared memory if they are short.
func (t *StringArena) Copy(b []byte) string {
	if len(b) > shortText {
		return string(b)
	}
	t.makeRoom(len(b))
	at := t.b.Len()
	t.b.Write(b)
	return t.b.String()[at:]
}

// Join returns a+b. If a is a suffix of the last string that t returned, only b is copied.
func (t *StringArena) Join(a, b string) string {
	n := len(a) + len(b)
	if n > textsRoom/2 {
		return a + b
	}
	if t.b.Cap()-t.b.Len() < len(b) || !strings.HasSuffix(t.b.String(), a) {
		t.makeRoom(n)
		t.b.WriteString(a)
	}
	t.b.WriteString(b)
	return t.b.String()[t.b.Len()-n:]
}

func (t *StringArena) makeRoom(n int) {
	if t.b.Cap()-t.b.Len() < n {
		t.b.Reset()
		t.b.Grow(textsRoom)
	}
}
