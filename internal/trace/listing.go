package trace

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/callwright/callwright/internal/outcome"
)

// A listing collects the latest requests that match a query from one index after another.
type listing struct {
	*Filter // oldest rises as results are found
	q       Query
	most    int
	quoted  [][]byte // substrings of every matching line
	open    bool     // unfinished requests may match
	found   []Summary

	// For queries that a summary cannot decide.
	decision *Decision
	read     func(file string, l *indexLine, visit func(line []byte) (more bool)) error
	broken   error // first error of read

	// For the current index.
	candidates []candidate
	begun      map[uint64]candidate // open requests, by the hash of their id
}

// A candidate is an index line that may match: its key, and its text if it has no stored key.
type candidate struct {
	key
	text []byte
}

func newListing(q Query) *listing {
	l := &listing{Filter: NewFilter(q), q: q, most: q.Most(), begun: map[uint64]candidate{}, decision: q.Decide()}
	l.open = q.Rule == "" && q.Kind == "" && len(q.Tools) == 0 && (q.Outcome == "" || q.Outcome == outcome.Unfinished)
	l.quoted = q.Marks()
	return l
}

// take adds the requests of one index that match the query.
func (l *listing) take(x *folderIndex) {
	l.candidates = l.candidates[:0]
	clear(l.begun)
	for keys := x.keys; len(keys) > 0; keys = keys[keyBytes:] {
		l.consider(candidate{key: keyAt(keys)})
	}
	for _, text := range [][]byte{x.rest, x.more} {
		for line := range bytes.Lines(text) {
			if line, whole := bytes.CutSuffix(line, []byte{'\n'}); whole {
				l.considerLine(line)
			}
		}
	}
	for _, c := range l.begun {
		l.candidates = append(l.candidates, c)
	}
	slices.SortFunc(l.candidates, func(a, b candidate) int { return cmp.Compare(b.began, a.began) })
	for i := range l.candidates {
		c := &l.candidates[i]
		if c.began < l.oldest || l.broken != nil {
			break
		}
		if c.text == nil {
			c.text = x.text(&c.key)
		}
		l.add(x.file, c.text)
	}
}

// considerLine considers a line without a stored key. If the line cannot match, only its mark is used, which may end an
// open request.
func (l *listing) considerLine(text []byte) {
	if !l.maybe(text) && !l.open {
		return
	}
	line, ok := parseIndexLine(text)
	if !ok {
		return
	}
	l.consider(candidate{key{Sketch: Sketch{began: line.began}, id: hashOf(line.id), mark: line.mark}, text})
}

// consider adds a candidate if it may match.
func (l *listing) consider(c candidate) {
	if c.mark != markOpen && l.open {
		delete(l.begun, c.id)
	}
	switch {
	case c.mark == markMoved, c.mark == markOpen && !l.open:
	case c.text == nil && !l.MayMatch(&c.Sketch), !l.at(c.began):
	case c.mark == markOpen:
		l.begun[c.id] = c
	default:
		l.candidates = append(l.candidates, c)
	}
}

// add adds the request of an index line of a file if it matches.
func (l *listing) add(file string, text []byte) {
	if !l.maybe(text) {
		return
	}
	line, ok := parseIndexLine(text)
	if !ok {
		return
	}
	s, ok := summaryOf(&line)
	if !ok || !l.q.MayMatch(&s) {
		return
	}
	most := 2 * l.most
	if l.q.IsOpen(&s) {
		most = l.most // to reduce the reading of entries
		if !l.decides(file, &line, &s) {
			return
		}
	}
	if l.found = append(l.found, s); len(l.found) >= most {
		l.cut()
	}
}

// decides reports whether the query matches the entries of a request. An unreadable request does not match; the first
// error is stored in l.broken.
func (l *listing) decides(file string, line *indexLine, s *Summary) bool {
	l.decision.Begin(s)
	err := l.read(file, line, func(text []byte) bool {
		l.decision.Line(text)
		return !l.decision.IsMade()
	})
	if err != nil && l.broken == nil {
		l.broken = err
	}
	return l.decision.IsMade()
}

// maybe reports whether an index line contains all of l.quoted. A line that lacks one of these cannot match.
func (l *listing) maybe(text []byte) bool {
	for _, word := range l.quoted {
		if !bytes.Contains(text, word) {
			return false
		}
	}
	return true
}

// cut drops the results beyond the limit, oldest first, and duplicates of requests that continued in the next file.
func (l *listing) cut() {
	slices.SortFunc(l.found, func(a, b Summary) int {
		return cmp.Or(Latest(a, b), finishedFirst(a, b))
	})
	l.found = slices.CompactFunc(l.found, func(a, b Summary) bool { return a.ID == b.ID && a.Time.Equal(b.Time) })
	if len(l.found) >= l.most {
		l.found = l.found[:l.most]
		l.oldest = max(l.oldest, l.found[l.most-1].Time.UnixNano())
	}
}

func finishedFirst(a, b Summary) int {
	switch unfinished := a.Outcome == outcome.Unfinished; {
	case unfinished == (b.Outcome == outcome.Unfinished):
		return 0
	case unfinished:
		return 1
	}
	return -1
}
