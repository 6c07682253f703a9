// Package ledger records the usage of API keys by day and model, for billing. Limits of keys are enforced by package
// access.
//
// A [Book] adds up the requests of one gateway and writes the sums to a [Store] every two seconds. Gateways that share
// a store share one ledger. If a gateway is killed, its last two seconds of usage are lost.
package ledger

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/callwright/callwright/internal/access"
)

// A Row is the usage of one model by one key in one UTC day. Input, Cached, Output and Unpriced are numbers of tokens:
// Input includes Cached, and Unpriced are those without a known price.
type Row struct {
	Day      string `json:"day"` // such as 2026-03-14
	Key      string `json:"key"` // name of the key, empty if no keys are configured
	Group    string `json:"group,omitempty"`
	Model    string `json:"model"`
	Requests int64  `json:"requests"`
	Input    int64  `json:"input"`
	Cached   int64  `json:"cached,omitempty"`
	Output   int64  `json:"output"`
	Nanos    int64  `json:"nanos,omitempty"` // cost in billionths of a US dollar
	Unpriced int64  `json:"unpriced,omitempty"`
}

// Add adds the counts of o to r.
func (r *Row) Add(o *Row) {
	r.Requests += o.Requests
	r.Input += o.Input
	r.Cached += o.Cached
	r.Output += o.Output
	r.Nanos += o.Nanos
	r.Unpriced += o.Unpriced
}

// A Store stores rows. Its methods are safe for concurrent use. Errors are [*callwright.Error].
type Store interface {
	// Write stores the rows of a key and day. It replaces the rows of this key and day that this Store wrote before.
	Write(ctx context.Context, day, key string, rows []Row) error
	// Read calls heard for each row of a period, in any order. The parameters from and to are its first and its last day.
	// The rows are those of all gateways, so several may have the same key, model and day.
	Read(ctx context.Context, from, to string, heard func(Row)) error
}

// Intervals and limits of a Book.
const (
	flushEvery = 2 * time.Second
	// maxModels is the maximum number of models with separate rows for one key and day.
	maxModels = 1000
	// otherModels is the model name of the row that sums up all further models.
	otherModels = "other"
)

// A keyDay identifies the rows of one key and day.
type keyDay struct{ day, key string }

type page struct {
	rows  map[string]*Row // by model name
	dirty bool
}

// A Book adds up the usage of requests. Create it with New. It is safe for concurrent use.
type Book struct {
	store Store
	now   func() time.Time
	log   *slog.Logger

	mu    sync.Mutex
	day   string           // current UTC day, such as 2026-03-14
	ends  time.Time        // end of day: the next midnight in UTC
	pages map[keyDay]*page // rows of the current day, and unwritten rows of past days

	flushing sync.Mutex
	failed   bool // the last Flush returned an error

	stop chan struct{}
	done sync.WaitGroup
}

var _ access.Ledger = (*Book)(nil)

// New returns a Book that writes to store. now returns the current time; nil means time.Now. A nil logger disables
// logging. The caller must call Close.
func New(store Store, now func() time.Time, log *slog.Logger) *Book {
	if now == nil {
		now = time.Now
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Book{store: store, now: now, log: log, pages: map[keyDay]*page{}, stop: make(chan struct{})}
}

// Start starts a goroutine that calls Flush every two seconds until Close. It must be called at most once.
func (b *Book) Start() {
	b.done.Go(func() {
		tick := time.NewTicker(flushEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = b.Flush(context.Background())
			case <-b.stop:
				return
			}
		}
	})
}

// Close stops the goroutine of Start and writes the unwritten rows.
func (b *Book) Close(ctx context.Context) error {
	close(b.stop)
	b.done.Wait()
	return b.Flush(ctx)
}

// Add implements [access.Ledger].
func (b *Book) Add(s access.Spent) {
	now := b.now()
	b.mu.Lock()
	defer b.mu.Unlock()
	if !now.Before(b.ends) || b.day == "" {
		at := now.UTC()
		b.day = at.Format(time.DateOnly)
		b.ends = time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, time.UTC)
	}
	at := keyDay{b.day, s.Key}
	p := b.pages[at]
	if p == nil {
		p = &page{rows: map[string]*Row{}}
		b.pages[at] = p
	}
	model := string(s.Model)
	r := p.rows[model]
	if r == nil && len(p.rows) >= maxModels {
		model = otherModels
		r = p.rows[model]
	}
	if r == nil {
		r = &Row{Day: at.day, Key: s.Key, Group: s.Group, Model: model}
		p.rows[model] = r
	}
	r.Group, p.dirty = s.Group, true
	r.Add(&Row{Requests: s.Requests, Input: s.Input, Cached: s.Cached, Output: s.Output, Nanos: s.Nanos, Unpriced: s.Unpriced})
}

// Flush writes the unwritten rows to the store. After an error, the next Flush writes them again.
func (b *Book) Flush(ctx context.Context) error {
	b.flushing.Lock()
	defer b.flushing.Unlock()
	var failed error
	for at, rows := range b.take() {
		if failed == nil {
			failed = b.store.Write(ctx, at.day, at.key, rows)
		}
		if failed != nil {
			b.mu.Lock()
			b.pages[at].dirty = true
			b.mu.Unlock()
		}
	}
	if (failed != nil) != b.failed {
		if b.failed = failed != nil; b.failed {
			b.log.Warn("the usage of keys could not be written: it stays in memory and is written later", "error", failed)
		}
	}
	b.forget()
	return failed
}

// take returns the rows that were not yet written to the store, and marks them as written.
func (b *Book) take() map[keyDay][]Row {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := map[keyDay][]Row{}
	for at, p := range b.pages {
		if !p.dirty {
			continue
		}
		p.dirty = false
		rows := make([]Row, 0, len(p.rows))
		for _, r := range p.rows {
			rows = append(rows, *r)
		}
		out[at] = rows
	}
	return out
}

// forget removes the rows of past days from memory, if they are written.
func (b *Book) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for at, p := range b.pages {
		if at.day != b.day && !p.dirty {
			delete(b.pages, at)
		}
	}
}
