package progress

import (
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
)

// A Request is a model request in progress. While it is in a List, only its Progress changes.
type Request struct {
	Progress
	Report string // ID of its report
	Began  time.Time
	Key    string              // name of the API key
	Wire   callwright.WireName // API of the client
	Model  callwright.ModelID  // model name sent by the client
	Stream bool                // the client requested a stream

	listed     bool
	prev, next *Request
	logged     int // number of times that Due has returned it
}

// A List contains the requests in progress, in the order of their arrival. It is safe for concurrent use. The zero List
// is empty and ready to use.
type List struct {
	mu          sync.Mutex
	first, last *Request
}

// Add adds a request, which must not be in any List. The memory of its strings may be reused after Remove.
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

// Remove removes a request if it is in the List. The List does not read the request afterwards.
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

// A Running is the state of a Request at a moment.
type Running struct {
	Report string              `json:"report"` // report ID; the report exists after the end of the request
	Began  time.Time           `json:"began"`
	Key    string              `json:"key,omitempty"`
	Wire   callwright.WireName `json:"wire"`
	Model  callwright.ModelID  `json:"model"`            // model name sent by the client
	Asked  callwright.ModelID  `json:"asked,omitempty"`  // model of the last attempt
	Stream bool                `json:"stream,omitempty"` // the client requested a stream
	// Elapsed is the time since the request arrived, in seconds.
	Elapsed  int      `json:"elapsed_seconds"`
	Attempts int      `json:"attempts"`
	Now      Snapshot `json:"now"`
}

// A Listing contains the requests of a List at a moment.
type Listing struct {
	Running []Running `json:"running"`
	// More is the number of requests that were omitted because of the limit Most.
	More int `json:"more,omitempty"`
}

// Most is the maximum number of requests in a Listing.
const Most = 1000

// At returns the state of the requests at the time now, oldest first.
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

// Now returns the current state of the requests, oldest first.
func (l *List) Now() Listing { return l.At(time.Now()) }

// at returns the state of a request. Its strings are copies.
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

// Due returns the requests to log: each request is returned once when it has been running for the duration after, and
// again each time that its running time has doubled.
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
