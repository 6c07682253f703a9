package sse

import "bytes"

// Event is one server-sent event. Its slices belong to the Reader and are valid until the next call of Next.
type Event struct {
	// Name is the value of the last event field, empty without one.
	Name string
	// Data is the values of the data fields, joined with LF. It is nil when there was no data field: comments, a lone
	// blank line, other fields only. A data field without a value gives empty Data that is not nil.
	Data []byte
	// Raw is every byte of the event as received: its lines, comments among them, and the blank line that ends it.
	Raw []byte
}

// Append appends an event to dst: an event line when name is not empty, a data line for each line of data (LF, CRLF
// and CR all end one) unless data is nil, and the blank line. A name ends at its first line end.
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

// AppendComment appends a comment to dst, a comment line for each line of text, and the blank line, so that a Reader
// returns it at once as an event without data. Clients ignore it.
func AppendComment(dst []byte, text string) []byte {
	return append(appendLines(dst, ": ", []byte(text)), '\n')
}

func appendLines(dst []byte, prefix string, text []byte) []byte {
	if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') < 0 { // one line, as nearly all are
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

// lineEnd returns the index of the first LF or CR; -1 without one.
func lineEnd[T string | []byte](s T) int {
	for i := range len(s) {
		if s[i] == '\n' || s[i] == '\r' {
			return i
		}
	}
	return -1
}
