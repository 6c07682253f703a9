package kit

import (
	"bytes"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Writer appends JSON for the codec of the API Own. It sets commas by the preceding byte. The zero Writer with an API
// is ready for use.
type Writer struct {
	Buf []byte
	Own Own
}

// Comma separates the next value from the preceding one in the same object or list.
func (w *Writer) Comma() {
	if n := len(w.Buf); n > 0 && w.Buf[n-1] != '{' && w.Buf[n-1] != '[' && w.Buf[n-1] != ':' {
		w.Buf = append(w.Buf, ',')
	}
}

// Open begins an object or a list with its bracket, as a member called key where that is not empty.
func (w *Writer) Open(key string, bracket byte) {
	w.Key(key)
	w.Buf = append(w.Buf, bracket)
}

// Close ends an object or a list with its bracket.
func (w *Writer) Close(bracket byte) { w.Buf = append(w.Buf, bracket) }

// Key begins a member, or an element of a list for "". Its value is to be appended to Buf.
func (w *Writer) Key(key string) {
	w.Comma()
	if key != "" {
		w.Buf = append(jsonx.AppendQuote(w.Buf, key), ':')
	}
}

// Raw writes a member whose value is JSON.
func (w *Writer) Raw(key string, v []byte) {
	w.Key(key)
	w.Buf = append(w.Buf, v...)
}

// Text writes a member whose value is a string.
func (w *Writer) Text(key, s string) {
	w.Key(key)
	w.Buf = jsonx.AppendQuote(w.Buf, s)
}

// OptionalText writes a text that is not empty.
func (w *Writer) OptionalText(key, s string) {
	if s != "" {
		w.Text(key, s)
	}
}

// GivenRaw writes a member whose value is JSON, nothing for nil.
func (w *Writer) GivenRaw(key string, v []byte) {
	if v != nil {
		w.Raw(key, v)
	}
}

// Count writes a member whose value is a whole number.
func (w *Writer) Count(key string, n int) {
	w.Key(key)
	w.Buf = strconv.AppendInt(w.Buf, int64(n), 10)
}

// Truth writes a member whose value is true or false.
func (w *Writer) Truth(key string, b bool) {
	w.Key(key)
	if b {
		w.Buf = append(w.Buf, "true"...)
		return
	}
	w.Buf = append(w.Buf, "false"...)
}

// Extra writes the members of e, if it is of this wire, but for those in skip.
func (w *Writer) Extra(e callwright.Extra, skip ...string) {
	for k, v := range jsonx.Members(w.Own.JSON(e)) {
		if !OneOf(k, skip) && !k.Is(notKept) {
			w.Add(k, v)
		}
	}
}

// Add writes a member as it stands in another object. The first one begins an object where nothing was written yet.
func (w *Writer) Add(key jsonx.Key, v []byte) {
	if w.Buf == nil {
		w.Buf = append(make([]byte, 0, len(key)+len(v)+MoreRoom), '{')
	}
	w.Comma()
	w.Buf = append(append(append(w.Buf, key...), ':'), v...)
}

// MoreRoom is for the members that usually follow the first that only one wire knows: they are few.
const MoreRoom = 96

// CloseExtra ends an object and gives it as an Extra of this wire; none where it has no members.
func (w *Writer) CloseExtra() callwright.Extra {
	if len(w.Buf) <= 1 {
		return callwright.Extra{}
	}
	w.Close('}')
	return w.Own.Extra(w.Buf)
}

// Within writes the members of the object that e has under key, if e is of this wire.
func (w *Writer) Within(e callwright.Extra, key string) {
	if in := w.Own.Member(e, key); in != nil {
		w.Extra(w.Own.Extra(in))
	}
}

// Render returns the output of write alone.
func (w *Writer) Render(write func()) []byte {
	kept := w.Buf
	w.Buf = nil
	write()
	out := w.Buf
	w.Buf = kept
	return out
}

// RenderList gives the list that write writes, nil for an empty one.
func (w *Writer) RenderList(write func()) []byte {
	if list := w.Render(write); len(list) > len("[]") {
		return list
	}
	return nil
}

// OneOf reports whether k is one of the names.
func OneOf(k jsonx.Key, names []string) bool {
	for _, name := range names {
		if k.Is(name) {
			return true
		}
	}
	return false
}

// TextAt is the text of a member of an object, "" where it has none.
func TextAt(obj []byte, key string) string {
	v, _ := jsonx.Find(obj, key)
	return jsonx.TextOf(v)
}

// CountAt reads the number of tokens below v, or v itself without a path; a value that is no whole number counts as
// none.
func CountAt(v []byte, path ...string) int {
	in, _ := jsonx.Lookup(v, path...)
	return CountOf(in)
}

// CountOf is the count that v is, 0 for anything else.
func CountOf(v []byte) int {
	if len(v) == 0 || v[0] < '0' || v[0] > '9' { // most counts are not there: Atoi would make an error of each
		return 0
	}
	n, err := strconv.Atoi(string(v))
	if err != nil {
		return 0
	}
	return n
}

// Pointer is the JSON pointer of element n of the list called list, and below.
func Pointer(list string, n int, below string) string {
	return "/" + list + "/" + strconv.Itoa(n) + below
}

// KindOf names the kind of v with its article, for a message: "an object", "nothing" for a value that is missing.
func KindOf(v []byte) string {
	if k := jsonx.KindOf(v); k != jsonx.Invalid {
		return k.InWords()
	}
	return "nothing"
}

// OneLine is JSON without line ends, v itself where it has none: clients that take an event for one line of data exist.
func OneLine(v []byte) []byte {
	if bytes.IndexByte(v, '\n') < 0 && bytes.IndexByte(v, '\r') < 0 {
		return v
	}
	return jsonx.Compact(nil, v)
}
