package sse

import "bytes"

// Event is one server-sent event. Its slices refer to memory of the Reader. They are valid until the next call of
// Next.
type Event struct {
	// Name is the value of the last "event" field, "" if there is none.
	Name string
	// Data is the values of the "data" fields joined with LF. It is nil if the event has no data field, for example if it
	// has only comments. It is empty but not nil if a data field has no value.
	Data []byte
	// Raw is the event as received: all lines, including comments, and the blank line at the end.
	Raw []byte
}

// Append appends a server-sent event to dst: an "event: " line unless name is empty, a "data: " line for each line of
// data unless data is nil, and a blank line. LF, CRLF and CR end a line of data. Append cuts name at its first line
// end.
func Append(dst []byte, name string, data []byte) []byte {
	if i := lineEnd(name); i >= 0 {
		name = name[:i]
	}
	if name != "" {
		dst = append(append(append(dst, "event: "...), name...), '\n')
	}
	if data != nil {
		dst = appendLines(dst, "data: ", data)
	}
	return append(dst, '\n')
}

// AppendComment appends a comment event to dst: a ": " line for each line of text and a blank line. Clients ignore it.
// A Reader returns it as an Event with nil Data.
func AppendComment(dst []byte, text string) []byte {
	return append(appendLines(dst, ": ", []byte(text)), '\n')
}

func appendLines(dst []byte, prefix string, text []byte) []byte {
	if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') < 0 { // fast path for one line
		return append(append(append(dst, prefix...), text...), '\n')
	}
	for {
		dst = append(dst, prefix...)
		i := lineEnd(text)
		if i < 0 {
			return append(append(dst, text...), '\n')
		}
		dst = append(append(dst, text[:i]...), '\n')
		if bytes.HasPrefix(text[i:], []byte("\r\n")) {
			i++
		}
		text = text[i+1:]
	}
}

// lineEnd returns the index of the first LF or CR in s, or -1.
func lineEnd[T string | []byte](s T) int {
	for i := range len(s) {
		if s[i] == '\n' || s[i] == '\r' {
			return i
		}
	}
	return -1
}
