// Package traceindex holds in memory the keys by which summaries of traces are found.
package traceindex

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright/internal/trace"
)

// An ID is the token of a request's id, as bytes.
type ID [16]byte

// A Key is that of the last summary of a request.
type Key struct {
	trace.Sketch
	ID    ID
	Seq   uint64 // of the summary
	First uint64 // of the request in the stream of traces
}

// An Index has keys by their requests. Use New. It is safe for concurrent use.
type Index struct {
	mu   sync.Mutex
	list []Key
	byID map[ID]int32 // where the key of a request stands
	most int          // at so many it is looked which summaries are kept no more
}

// Least is the number of keys from which on they are trimmed.
const Least = 1024

// New makes an empty Index.
func New() *Index { return &Index{byID: map[ID]int32{}, most: Least} }

// Put keeps a key, and reports whether there are so many that some may be of no use.
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

// Len returns how many keys there are.
func (x *Index) Len() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.list)
}

// Trim drops the keys of summaries before one, and has Put report many keys when there are twice as many as now.
func (x *Index) Trim(kept uint64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.forget(kept)
	x.most = max(2*len(x.list), Least)
}

// A Candidate is a request that a query may ask for.
type Candidate struct {
	Began int64 // in nanoseconds
	ID    ID
}

// Candidates are the keys that a query may match, the latest first, of requests that begin at a sequence number or
// behind it, and when the latest of the others began. Keys of deleted summaries are dropped.
func (x *Index) Candidates(q *trace.Query, first, kept uint64) (out []Candidate, missing time.Time) {
	filter, gone := trace.NewFilter(*q), 0
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := len(x.list) - 1; i >= 0; i-- { // nearly sorted
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

// forget drops the keys of summaries before one. The lock is held.
func (x *Index) forget(kept uint64) {
	x.list = slices.Clone(slices.DeleteFunc(x.list, func(key Key) bool { return key.Seq < kept }))
	x.byID = make(map[ID]int32, len(x.list))
	for i := range x.list {
		x.byID[x.list[i].ID] = int32(i)
	}
}
