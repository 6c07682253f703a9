// Package traceindex is an in-memory index of trace summaries.
package traceindex

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright/internal/trace"
)

// An ID is the hash of a request id, the decoded subject token.
type ID [16]byte

// A Key is the index entry for the last summary of a request.
type Key struct {
	trace.Sketch
	ID    ID
	Seq   uint64 // sequence number of the summary
	First uint64 // sequence number of the request's first message in the stream of traces
}

// An Index holds one Key per request. Create it with New. It is safe for concurrent use.
type Index struct {
	mu   sync.Mutex
	list []Key
	byID map[ID]int32 // index in list
	most int          // length of list at which Put asks for Trim
}

// Least is the minimum number of keys before Put asks for Trim.
const Least = 1024

// New returns an empty Index.
func New() *Index { return &Index{byID: map[ID]int32{}, most: Least} }

// Put adds a key or replaces the key of the same request. It returns true if the caller should call Trim.
func (x *Index) Put(key Key) (many bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if at, ok := x.byID[key.ID]; ok {
		x.list[at] = key
		return false
	}
	x.byID[key.ID] = int32(len(x.list))
	x.list = append(x.list, key)
	return len(x.list) >= x.most
}

// Len returns the number of keys.
func (x *Index) Len() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.list)
}

// Trim removes the keys whose Seq is less than kept, the sequence number of the oldest stored summary. Put next returns
// true when the number of keys has doubled.
func (x *Index) Trim(kept uint64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.forget(kept)
	x.most = max(2*len(x.list), Least)
}

// A Candidate is a request that may match a query.
type Candidate struct {
	Began int64 // Unix time in nanoseconds
	ID    ID
}

// Candidates returns the requests that may match a query, latest first. It skips keys whose Seq is less than kept, and
// removes them from the index if they are more than a quarter. It also skips requests whose Key.First is less than the
// parameter first. missing is the start of the latest of these, zero if there is none.
func (x *Index) Candidates(q *trace.Query, first, kept uint64) (out []Candidate, missing time.Time) {
	filter, gone := trace.NewFilter(*q), 0
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := len(x.list) - 1; i >= 0; i-- { // from the end, since list is nearly sorted by time
		switch key := &x.list[i]; {
		case key.Seq < kept:
			gone++
		case key.First < first:
			if began := time.Unix(0, key.Began()); began.After(missing) {
				missing = began
			}
		case filter.MayMatch(&key.Sketch):
			if out == nil {
				out = make([]Candidate, 0, i+1)
			}
			out = append(out, Candidate{key.Began(), key.ID})
		}
	}
	if gone > len(x.list)/4 {
		x.forget(kept)
	}
	slices.SortFunc(out, func(a, b Candidate) int { return cmp.Compare(b.Began, a.Began) })
	return out, missing
}

// forget removes the keys whose Seq is less than kept. The caller holds x.mu.
func (x *Index) forget(kept uint64) {
	x.list = slices.Clone(slices.DeleteFunc(x.list, func(key Key) bool { return key.Seq < kept }))
	x.byID = make(map[ID]int32, len(x.list))
	for i := range x.list {
		x.byID[x.list[i].ID] = int32(i)
	}
}
