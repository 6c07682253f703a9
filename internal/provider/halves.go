package provider

import (
	"bytes"

	"github.com/callwright/callwright/sse"
)

// A surrogateJoiner reads events and joins UTF-16 surrogate pairs that a provider split over the JSON strings of two
// events: `"\ud83d"` followed by `"\ude00"`. It moves the first half to the second event. It delays an event only if a
// string in it ends with a first half.
type surrogateJoiner struct {
	in     *sse.Reader
	second sse.Event // the next event, if ahead is set
	ahead  bool
	err    error // the error after a delayed event
	joined int   // joined characters since the last reset
}

// Next returns the next event, as [sse.Reader.Next] does.
func (j *surrogateJoiner) Next() (sse.Event, error) {
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

// HasEvent reports whether Next can return an event without reading, as [sse.Reader.HasEvent] does.
func (j *surrogateJoiner) HasEvent() bool { return j.ahead || j.in.HasEvent() }

// escaped is an example of an escaped surrogate. All escaped surrogates have its length.
const escaped = `\ud83d`

// firstHalf returns the offset of the escape of a first half at the end of a JSON string in data, or -1 if there is
// none.
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

// secondHalf returns the offset of the escape of a second half at the beginning of a JSON string in data, or -1 if
// there is none.
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

// isHalf reports whether escape, such as \ud83d, is a surrogate whose second hexadecimal digit is in digits.
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

// isEscaped reports whether an odd number of backslashes directly precedes data[at].
func isEscaped(data []byte, at int) bool {
	n := 0
	for at-n > 0 && data[at-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// replaceData returns ev with data[from:to] replaced by put. It also changes the raw bytes if they contain the data
// contiguously, else it removes them.
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
