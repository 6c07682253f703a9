package access

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Tally contains the counts of the parts of a window, or changes of these counts. It is sorted by the start of the
// parts, and each part occurs once.
type Tally []Part

// A Part is the count in the part of a window that begins at Start.
type Part struct {
	Start time.Time
	N     int64
}

// ahead is the number of later windows over which use beyond a limit is spread.
const ahead = 5

// In returns the sum of the parts that begin at or after the start of a window. It omits parts of a sliding window that
// are later than those of [Tally.Add], which a clock that was set back has left.
func (t Tally) In(w Window) int64 {
	var sum int64
	end := w.End.Add(ahead * w.End.Sub(w.Start))
	for i := len(t) - 1; i >= 0 && !t[i].Start.Before(w.Start); i-- {
		if w.Part == 0 || t[i].Start.Before(end) {
			sum = Sum(sum, t[i].N)
		}
	}
	return sum
}

// Take adds to the last part of a window as much of n as the limit permits. It returns the changed tally and the added
// amount. If the limit permits less than the minimum least, it adds nothing and returns 0.
func (t Tally) Take(w Window, least, n int64) (after Tally, taken int64) {
	if taken = min(n, w.Limit-t.In(w)); taken < least {
		return t, 0
	}
	return t.with(w.Last(), taken), taken
}

// Add applies changes, regardless of the limit. No part falls below 0. The use of a sliding window beyond its limit is
// counted in later windows, as much as the limit in each of up to five windows. The rest is dropped.
func (t Tally) Add(w Window, changes Tally) Tally {
	t = t.from(w.Start)
	for _, c := range changes {
		switch {
		case c.Start.Before(w.Start): // it has left the window
		case c.N < 0 || w.Part == 0:
			t = t.with(c.Start, c.N)
		default:
			t = t.spread(w, c)
		}
	}
	return t
}

// spread adds use: up to the limit in its part, and the rest in the next windows.
func (t Tally) spread(w Window, c Part) Tally {
	rest := c.N
	for range ahead + 1 {
		n := min(rest, max(w.Limit-t.between(w), 0))
		t = t.with(c.Start, n)
		if rest -= n; rest == 0 {
			break
		}
		length := w.End.Sub(w.Start)
		w.Start, w.End, c.Start = w.End, w.End.Add(length), c.Start.Add(length)
	}
	return t
}

// between returns the sum of the parts of a window, without later parts.
func (t Tally) between(w Window) int64 {
	var sum int64
	for _, p := range t {
		if !p.Start.Before(w.Start) && p.Start.Before(w.End) {
			sum = Sum(sum, p.N)
		}
	}
	return sum
}

// AtLeast returns a tally with the larger count of t and other for each part.
func (t Tally) AtLeast(other Tally) Tally {
	t = slices.Clone(t)
	for _, p := range other {
		if at := t.place(p.Start); at == len(t) || !t[at].Start.Equal(p.Start) {
			t = slices.Insert(t, at, p)
		} else {
			t[at].N = max(t[at].N, p.N)
		}
	}
	return t
}

// Append appends a line for each part to b: its start in Unix nanoseconds, a space, and its count.
func (t Tally) Append(b []byte) []byte {
	for _, p := range t {
		b = strconv.AppendInt(b, p.Start.UnixNano(), 10)
		b = append(b, ' ')
		b = strconv.AppendInt(b, p.N, 10)
		b = append(b, '\n')
	}
	return b
}

// ParseTally parses the output of Append.
func ParseTally(text []byte) (t Tally) {
	for line := range strings.Lines(string(text)) {
		start, n, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		at, _ := strconv.ParseInt(start, 10, 64)
		count, _ := strconv.ParseInt(n, 10, 64)
		t = append(t, Part{Start: time.Unix(0, at).UTC(), N: count})
	}
	return t
}

// Since returns a copy of the parts that begin at or after start.
func (t Tally) Since(start time.Time) Tally { return slices.Clone(t.from(start)) }

// from returns the parts that begin at or after start, without a copy.
func (t Tally) from(start time.Time) Tally { return t[t.place(start):] }

// with returns the tally with n added to a part, limited to 0. It removes parts with the count 0.
func (t Tally) with(start time.Time, n int64) Tally {
	at := t.place(start)
	switch {
	case at < len(t) && t[at].Start.Equal(start):
		if t[at].N = Sum(t[at].N, n); t[at].N == 0 {
			return slices.Delete(t, at, at+1)
		}
	case n > 0:
		return slices.Insert(t, at, Part{start, n})
	}
	return t
}

// withChange returns a tally of changes with n added to a part.
func (t Tally) withChange(start time.Time, n int64) Tally {
	at := t.place(start)
	switch {
	case n == 0:
		return t
	case at < len(t) && t[at].Start.Equal(start):
		t[at].N += n
		return t
	}
	return slices.Insert(t, at, Part{start, n})
}

// place returns the index of the part that begins at start, or where it would be inserted. It searches from the end,
// since most parts are the last.
func (t Tally) place(start time.Time) int {
	at := len(t)
	for at > 0 && !t[at-1].Start.Before(start) {
		at--
	}
	return at
}

// frees returns the time at which n will have left a window that is at its limit or beyond.
func (t Tally) frees(w Window, n int64) time.Time {
	if w.Part > 0 {
		for _, p := range t.from(w.Start) {
			if n -= p.N; n <= 0 {
				return p.Start.Add(w.End.Sub(w.Start))
			}
		}
	}
	return w.End
}

// Expires returns the time from which the counts t are in no window, without further use.
func (w Window) Expires(t Tally) time.Time {
	if w.Part == 0 {
		return w.End
	}
	last := w.Last()
	if n := len(t); n > 0 && t[n-1].Start.After(last) {
		last = t[n-1].Start
	}
	return last.Add(w.End.Sub(w.Start))
}
