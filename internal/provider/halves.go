package provider

import (
	"bytes"

	"github.com/callwright/callwright/sse"
)

// A joiner reads events and puts characters together of which a provider sent the two halves, surrogates of UTF-16, in
// the strings of two events: the first half goes to the second event. An event waits for the next one only where a
// string of it ends in a first half.
type joiner struct {
	in     *sse.Reader
	second sse.Event // read already, where ahead says so
	ahead  bool
	err    error // how the events ended behind one that waited
	joined int   // characters that were put together
}

// Next is that of the reader.
func (j *joiner) Next() (sse.Event, error) {
	ev, err := j.second, j.err
	switch {
	case j.ahead:
		j.ahead = false
	case err == nil:
		ev, err = j.in.Next()
	}
	if err != nil {
		return ev, err
	}
	at := firstHalf(ev.Data)
	if at < 0 {
		return ev, nil
	}
	ev.Data, ev.Raw = bytes.Clone(ev.Data), bytes.Clone(ev.Raw)
	if j.second, j.err = j.in.Next(); j.err != nil {
		return ev, nil
	}
	j.ahead = true
	to := secondHalf(j.second.Data)
	if to < 0 {
		return ev, nil
	}
	j.joined++
	half := ev.Data[at : at+len(escaped)]
	j.second = replaceData(j.second, to, to, half)
	return replaceData(ev, at, at+len(escaped), nil), nil
}

// HasEvent is that of the reader.
func (j *joiner) HasEvent() bool { return j.ahead || j.in.HasEvent() }

// escaped has the length of the escape of a half.
const escaped = `\ud83d`

// firstHalf is where the escape of a first half begins with which a string of a JSON text ends, -1 without one.
func firstHalf(data []byte) int {
	for from := 0; ; {
		i := bytes.Index(data[from:], []byte(`\u`))
		if i < 0 {
			return -1
		}
		at := from + i
		if end := at + len(escaped); end < len(data) && data[end] == '"' && isHalf(data[at:end], "89abAB") && !isEscaped(data, at) {
			return at
		}
		from = at + 2
	}
}

// secondHalf is where the escape of a second half begins with which a string of a JSON text begins, -1 without one.
func secondHalf(data []byte) int {
	for from := 0; ; {
		i := bytes.Index(data[from:], []byte(`"\u`))
		if i < 0 {
			return -1
		}
		at := from + i + 1
		if end := at + len(escaped); end < len(data) && isHalf(data[at:end], "cdefCDEF") && !isEscaped(data, at-1) {
			return at
		}
		from = at
	}
}

// isHalf reports whether an escape is that of a surrogate whose second digit is one of those.
func isHalf(escape []byte, digits string) bool {
	if escape[2]|0x20 != 'd' || bytes.IndexByte([]byte(digits), escape[3]) < 0 {
		return false
	}
	for _, c := range escape[4:] {
		if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f') {
			return false
		}
	}
	return true
}

// isEscaped reports whether an odd number of backslashes stands before a place.
func isEscaped(data []byte, at int) bool {
	n := 0
	for at-n > 0 && data[at-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// replaceData is an event with other bytes in place of data[from:to], in its raw bytes, too, where its data stands
// there in one piece.
func replaceData(ev sse.Event, from, to int, put []byte) sse.Event {
	data := append(append(append(make([]byte, 0, len(ev.Data)+len(put)), ev.Data[:from]...), put...), ev.Data[to:]...)
	if bytes.Count(ev.Raw, ev.Data) == 1 {
		ev.Raw = bytes.Replace(ev.Raw, ev.Data, data, 1)
	} else {
		ev.Raw = nil
	}
	ev.Data = data
	return ev
}
