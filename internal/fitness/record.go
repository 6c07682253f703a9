package fitness

import (
	"sync"
	"time"

	"github.com/callwright/callwright"
)

// The time span that Records cover, divided into parts.
const (
	parts = 12
	part  = 15 * time.Minute

	// Memory is the maximum time for which an attempt is counted, three hours. The minimum is one part (15 minutes) less.
	Memory = parts * part

	maxModels = 1024
)

// A Records contains the attempts with models in the last three hours. It is safe for concurrent use. Use NewRecords.
type Records struct {
	now func() time.Time

	mu     sync.Mutex
	models map[callwright.ModelID]*ring
}

// NewRecords returns empty Records. now returns the current time.
func NewRecords(now func() time.Time) *Records {
	return &Records{now: now, models: map[callwright.ModelID]*ring{}}
}

// A ring contains the counts of the last 12 parts of 15 minutes. The count of part number n is at the index n modulo
// parts.
type ring struct {
	latest int64 // number of the latest part
	counts [parts]Record
}

// A Record contains the results of attempts with a model.
type Record struct {
	Right, Wrong int           // numbers of successful and of failed attempts
	Took         time.Duration // total duration of the successful attempts
}

// Attempts returns the number of attempts.
func (r *Record) Attempts() int { return r.Right + r.Wrong }

// Latency returns the mean duration of a successful attempt, or 0 if there is none.
func (r *Record) Latency() time.Duration {
	if r.Right == 0 {
		return 0
	}
	return r.Took / time.Duration(r.Right)
}

// Add records an attempt with a model that ends now. right reports whether it succeeded, took is its duration.
func (r *Records) Add(m callwright.ModelID, right bool, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	is := r.models[m]
	if is == nil {
		if len(r.models) >= maxModels {
			for other := range r.models { // removes any model, whose count starts again
				delete(r.models, other)
				break
			}
		}
		is = &ring{}
		r.models[m] = is
	}
	c := is.at(numberOf(r.now()))
	if !right {
		c.Wrong++
		return
	}
	c.Right++
	c.Took += took
}

// Of returns the results of the attempts with a model within the time Memory.
func (r *Records) Of(m callwright.ModelID) (sum Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	is := r.models[m]
	if is == nil {
		return sum
	}
	is.at(numberOf(r.now()))
	for i := range is.counts {
		c := &is.counts[i]
		sum.Right, sum.Wrong, sum.Took = sum.Right+c.Right, sum.Wrong+c.Wrong, sum.Took+c.Took
	}
	return sum
}

func numberOf(t time.Time) int64 { return t.UnixNano() / int64(part) }

// at returns the count of the part with the given number, and clears the counts of expired parts. For a number before
// the latest part, it returns the count of the latest part.
func (g *ring) at(number int64) *Record {
	if number-g.latest >= parts {
		g.counts, g.latest = [parts]Record{}, number
	}
	for g.latest < number {
		g.latest++
		g.counts[g.latest%parts] = Record{}
	}
	return &g.counts[g.latest%parts]
}
