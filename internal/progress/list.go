package progress

import (
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
)

// A Request is a request for a model that is being answered. Its fields other than Progress do not change while it is
// in a List.
type Request struct {
	Progress
	Report string // the id of its report
	Began  time.Time
	Key    string              // the name of the key that it came with
	Wire   callwright.WireName // of the client
	Model  callwright.ModelID  // as the client named it
	Stream bool                // the client asked for a stream

	listed     bool
	prev, next *Request
	logged     int // how often Due returned it
}

// A List has the requests that are being answered, in the order in which they came. It is safe for concurrent use; the
// zero List is empty.
type List struct {
	mu          sync.Mutex
	first, last *Request
}

// Add adds a request, which must be in no list. The memory of its texts may be reused after Remove.
func (l *List) Add(r *Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.listed, r.prev, r.next = true, l.last, nil
	if l.last != nil {
		l.last.next = r
	} else {
		l.first = r
	}
	l.last = r
}

// Remove removes a request, if it is in the list. The List does not read the request afterwards.
func (l *List) Remove(r *Request) {
	if !r.listed {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.prev != nil {
		r.prev.next = r.next
	} else {
		l.first = r.next
	}
	if r.next != nil {
		r.next.prev = r.prev
	} else {
		l.last = r.prev
	}
	r.listed, r.prev, r.next = false, nil, nil
}

// A Running is a Request at one moment.
type Running struct {
	Report string              `json:"report"` // the id of its report, which is there when it has ended
	Began  time.Time           `json:"began"`
	Key    string              `json:"key,omitempty"`
	Wire   callwright.WireName `json:"wire"`
	Model  callwright.ModelID  `json:"model"`            // as the client named it
	Asked  callwright.ModelID  `json:"asked,omitempty"`  // the model that was asked last
	Stream bool                `json:"stream,omitempty"` // the client asked for a stream
	// Elapsed is the time since the beginning of the request, in seconds.
	Elapsed  int      `json:"elapsed_seconds"`
	Attempts int      `json:"attempts"`
	Now      Snapshot `json:"now"`
}

// A Listing are the requests of a List at one moment.
type Listing struct {
	Running []Running `json:"running"`
	// More is the number of further requests.
	More int `json:"more,omitempty"`
}

// Most is the most requests of a Listing.
const Most = 1000

// At returns the requests at the time now, oldest first.
func (l *List) At(now time.Time) Listing {
	out := Listing{Running: []Running{}}
	l.mu.Lock()
	defer l.mu.Unlock()
	for r := l.first; r != nil; r = r.next {
		if len(out.Running) == Most {
			out.More++
			continue
		}
		out.Running = append(out.Running, r.at(now))
	}
	return out
}

// Now returns the requests that are being answered now.
func (l *List) Now() Listing { return l.At(time.Now()) }

// at describes a request. Its texts are copies.
func (r *Request) at(now time.Time) Running {
	state := r.Progress.Now(now)
	state.Tool = strings.Clone(state.Tool)
	return Running{
		Report: r.Report, Began: r.Began.UTC(), Key: strings.Clone(r.Key), Wire: r.Wire, Model: clone(r.Model),
		Asked: clone(r.Progress.Model()), Stream: r.Stream,
		Elapsed: max(int(now.Sub(r.Began)/time.Second), 0), Attempts: r.Attempts(), Now: state,
	}
}

func clone(m callwright.ModelID) callwright.ModelID {
	return callwright.ModelID(strings.Clone(callwright.Excerpt(string(m))))
}

// Due returns the requests to log: those that have been running for the time after, and again each time that their
// running time has doubled.
func (l *List) Due(now time.Time, after time.Duration) (due []Running) {
	const mostDoublings = 16
	l.mu.Lock()
	defer l.mu.Unlock()
	for r := l.first; r != nil; r = r.next {
		if now.Sub(r.Began) >= after<<min(r.logged, mostDoublings) {
			r.logged++
			due = append(due, r.at(now))
		}
	}
	return due
}
