package kit

import (
	"bytes"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Writer appends JSON to Buf for the codec named by the field API. It inserts commas between members and elements by
// looking at the last byte of Buf. A Writer with only API set is ready for use.
type Writer struct {
	Buf []byte
	API API
}

// Comma appends a comma unless Buf is empty or its last byte is an opening bracket or a colon.
func (w *Writer) Comma() {
	if n := len(w.Buf); n > 0 && w.Buf[n-1] != '{' && w.Buf[n-1] != '[' && w.Buf[n-1] != ':' {
		w.Buf = append(w.Buf, ',')
	}
}

// Open appends the bracket '{' or '[', as the value of the member called key if key is not empty.
func (w *Writer) Open(key string, bracket byte) {
	w.Key(key)
	w.Buf = append(w.Buf, bracket)
}

// Close appends the closing bracket of an object or a list: '}' or ']'.
func (w *Writer) Close(bracket byte) { w.Buf = append(w.Buf, bracket) }

// Key appends the name of a member, or only a comma if key is empty, for a list element. The caller then appends the
// value to Buf.
func (w *Writer) Key(key string) {
	w.Comma()
	if key != "" {
		w.Buf = append(jsonx.AppendQuote(w.Buf, key), ':')
	}
}

// Raw appends a member whose value is the JSON text v.
func (w *Writer) Raw(key string, v []byte) {
	w.Key(key)
	w.Buf = append(w.Buf, v...)
}

// Text appends a member whose value is the string s.
func (w *Writer) Text(key, s string) {
	w.Key(key)
	w.Buf = jsonx.AppendQuote(w.Buf, s)
}

// OptionalText is Text for a string that is not empty. It appends nothing for an empty one.
func (w *Writer) OptionalText(key, s string) {
	if s != "" {
		w.Text(key, s)
	}
}

// GivenRaw is Raw for a value that is not nil. It appends nothing for nil.
func (w *Writer) GivenRaw(key string, v []byte) {
	if v != nil {
		w.Raw(key, v)
	}
}

// Count appends a member whose value is the integer n.
func (w *Writer) Count(key string, n int) {
	w.Key(key)
	w.Buf = strconv.AppendInt(w.Buf, int64(n), 10)
}

// Truth appends a member whose value is the boolean b.
func (w *Writer) Truth(key string, b bool) {
	w.Key(key)
	if b {
		w.Buf = append(w.Buf, "true"...)
		return
	}
	w.Buf = append(w.Buf, "false"...)
}

// Extra appends the members of e except those called skip. It appends nothing if e is of another API.
func (w *Writer) Extra(e callwright.Extra, skip ...string) {
	for k, v := range jsonx.Members(w.API.JSON(e)) {
		if !OneOf(k, skip) && !k.Is(notKept) {
			w.Add(k, v)
		}
	}
}

// Add appends a member with the JSON name key, including its quotes, and the JSON value v. If Buf is nil, it opens an
// object first.
func (w *Writer) Add(key jsonx.Key, v []byte) {
	if w.Buf == nil {
		w.Buf = append(make([]byte, 0, len(key)+len(v)+MoreRoom), '{')
	}
	w.Comma()
	w.Buf = append(append(append(w.Buf, key...), ':'), v...)
}

// MoreRoom is the number of bytes that Add reserves for further members when it opens an object.
const MoreRoom = 96

// CloseExtra closes the object and returns it as an Extra of this API. It returns the zero Extra if the object is
// empty.
func (w *Writer) CloseExtra() callwright.Extra {
	if len(w.Buf) <= 1 {
		return callwright.Extra{}
	}
	w.Close('}')
	return w.API.Extra(w.Buf)
}

// Within appends the members of the object that is the value of key in e. It appends nothing if e is of another API.
func (w *Writer) Within(e callwright.Extra, key string) {
	if in := w.API.Member(e, key); in != nil {
		w.Extra(w.API.Extra(in))
	}
}

// Render calls write and returns only the bytes that it appended. Buf is unchanged afterwards.
func (w *Writer) Render(write func()) []byte {
	kept := w.Buf
	w.Buf = nil
	write()
	out := w.Buf
	w.Buf = kept
	return out
}

// RenderList calls write, which writes a JSON list, and returns only the list. It returns nil for an empty list.
func (w *Writer) RenderList(write func()) []byte {
	if list := w.Render(write); len(list) > len("[]") {
		return list
	}
	return nil
}

// OneOf reports whether the JSON member name k, whatever its escapes, is one of names.
func OneOf(k jsonx.Key, names []string) bool {
	for _, name := range names {
		if k.Is(name) {
			return true
		}
	}
	return false
}

// TextAt returns the string value of the member key of the JSON object obj, "" if it is absent or not a string.
func TextAt(obj []byte, key string) string {
	v, _ := jsonx.Find(obj, key)
	return jsonx.TextOf(v)
}

// CountAt returns the integer at path within the JSON value v, or v itself if path is empty. It returns 0 if there is
// no non-negative integer.
func CountAt(v []byte, path ...string) int {
	in, _ := jsonx.Lookup(v, path...)
	return CountOf(in)
}

// CountOf returns the non-negative integer v, 0 for any other JSON value.
func CountOf(v []byte) int {
	if len(v) == 0 || v[0] < '0' || v[0] > '9' { // avoids the error that Atoi allocates: most counts are absent
		return 0
	}
	n, err := strconv.Atoi(string(v))
	if err != nil {
		return 0
	}
	return n
}

// Pointer returns the JSON pointer to element n of the top-level list called list, followed by below:
// "/messages/3/content" for "/content".
func Pointer(list string, n int, below string) string {
	return "/" + list + "/" + strconv.Itoa(n) + below
}

// KindOf returns the JSON type of v with an article, for error messages: "an object". It returns "nothing" for an
// absent value.
func KindOf(v []byte) string {
	if k := jsonx.KindOf(v); k != jsonx.Invalid {
		return k.InWords()
	}
	return "nothing"
}

// OneLine returns the JSON text v without line breaks, or v itself if it has none. Some clients read only one data line
// of an SSE event.
func OneLine(v []byte) []byte {
	if bytes.IndexByte(v, '\n') < 0 && bytes.IndexByte(v, '\r') < 0 {
		return v
	}
	return jsonx.Compact(nil, v)
}
