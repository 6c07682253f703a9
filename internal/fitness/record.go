package fitness

import (
	"sync"
	"time"

	"github.com/callwright/callwright"
)

// The time that a Records counts, in parts.
const (
	parts = 12
	part  = 15 * time.Minute

	// Memory is how long an attempt counts, within the length of one part.
	Memory = parts * part

	maxModels = 1024
)

// A Records has the attempts of models in the last hours. It is safe for concurrent use. Use NewRecords.
type Records struct {
	now func() time.Time

	mu     sync.Mutex
	models map[callwright.ModelID]*ring
}

// NewRecords returns a Records without any attempt, by a clock.
func NewRecords(now func() time.Time) *Records {
	return &Records{now: now, models: map[callwright.ModelID]*ring{}}
}

// A ring has the counts of the last parts of time. The count of a part stands at its number modulo parts.
type ring struct {
	latest int64 // the number of the latest part
	counts [parts]Record
}

// A Record is how the attempts of a model ended.
type Record struct {
	Right, Wrong int           // attempts whose answer stood, and the others
	Took         time.Duration // by the right ones, all together
}

// Attempts returns the number of attempts.
func (r *Record) Attempts() int { return r.Right + r.Wrong }

// Latency returns the mean time of a right attempt, 0 without one.
func (r *Record) Latency() time.Duration {
	if r.Right == 0 {
		return 0
	}
	return r.Took / time.Duration(r.Right)
}

// Add counts an attempt of a model that ends now.
func (r *Records) Add(m callwright.ModelID, right bool, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	is := r.models[m]
	if is == nil {
		if len(r.models) >= maxModels {
			for other := range r.models { // any of them: it is counted anew
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

// Of returns the attempts of a model in the last hours.
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

// at returns the count of a part, and forgets those that are too old by then. A part before the latest one counts as
// that.
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
