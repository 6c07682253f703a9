package access

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Tally is a count by the parts of a window, or changes of one, the earliest part first. Each part stands in it once.
type Tally []Part

// A Part is the count in the part of a window that begins at Start.
type Part struct {
	Start time.Time
	N     int64
}

// ahead is for how many later windows use beyond a limit counts.
const ahead = 5

// In returns the sum of a tally in a window: of its parts, and of later ones.
func (t Tally) In(w Window) int64 {
	var sum int64
	for i := len(t) - 1; i >= 0 && !t[i].Start.Before(w.Start); i-- {
		sum = Sum(sum, t[i].N)
	}
	return sum
}

// Take counts in the last part of a window as much of n as its limit leaves, or nothing where that is less than least.
func (t Tally) Take(w Window, least, n int64) (after Tally, taken int64) {
	if taken = min(n, w.Limit-t.In(w)); taken < least {
		return t, 0
	}
	return t.with(w.Last(), taken), taken
}

// Add makes changes, whatever the limit is. No part falls below 0. The use of a moving window beyond its limit is
// carried over to the next ones, as much as the limit in each and up to five of them: the rest is dropped.
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

// spread counts use: up to the limit in its part, and the rest in the next windows.
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

// between returns the count of a window, without that of later ones.
func (t Tally) between(w Window) int64 {
	var sum int64
	for _, p := range t {
		if !p.Start.Before(w.Start) && p.Start.Before(w.End) {
			sum = Sum(sum, p.N)
		}
	}
	return sum
}

// AtLeast returns a tally whose parts are the larger ones of two.
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

// Append appends a line for each part: its start in nanoseconds since 1970, a space, and its count.
func (t Tally) Append(b []byte) []byte {
	for _, p := range t {
		b = strconv.AppendInt(b, p.Start.UnixNano(), 10)
		b = append(b, ' ')
		b = strconv.AppendInt(b, p.N, 10)
		b = append(b, '\n')
	}
	return b
}

// ParseTally reads the text that Append writes.
func ParseTally(text []byte) (t Tally) {
	for line := range strings.Lines(string(text)) {
		start, n, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		at, _ := strconv.ParseInt(start, 10, 64)
		count, _ := strconv.ParseInt(n, 10, 64)
		t = append(t, Part{Start: time.Unix(0, at).UTC(), N: count})
	}
	return t
}

// Since returns a copy of the tally from a time on.
func (t Tally) Since(start time.Time) Tally { return slices.Clone(t.from(start)) }

// from returns the tally from a time on.
func (t Tally) from(start time.Time) Tally { return t[t.place(start):] }

// with returns the tally with n more in a part, which does not fall below 0. Empty parts are left out.
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

// withChange returns changes with one more.
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

// place is where a part stands in the tally, or would. Most are the last.
func (t Tally) place(start time.Time) int {
	at := len(t)
	for at > 0 && !t[at-1].Start.Before(start) {
		at--
	}
	return at
}

// frees returns when n are no longer in a window that is at its limit or beyond, of all that are to come.
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

// Expires returns the time from which the counts are in no window, without further use.
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
