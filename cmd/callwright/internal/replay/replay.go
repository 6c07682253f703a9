package replay

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/signature"
)

// A Replay replays the requests of one trace from its start. State that clients did not store, such as reasoning
// signatures, is restored from earlier responses.
type Replay struct {
	// Config contains the current settings. Missing models and providers are taken from the trace, with default settings.
	Config *config.Config
	// RawOnly makes requests count as different if the bytes of their responses were not recorded. Otherwise the recorded
	// responses are used unchanged.
	RawOnly bool
	// Around wraps the model of each request; nil wraps nothing. Tests use it to inject faults.
	Around func(callwright.Model) callwright.Model

	now        time.Time // time of the current request in the trace
	signatures *signature.Memory
}

// An Outcome is the comparison of a replay with the recorded result.
type Outcome string

// The outcomes: the results are equal, the results differ, or the trace has no result.
const (
	Same       Outcome = "same"
	Different  Outcome = "different"
	Unanswered Outcome = "unanswered" // the trace ends before the response
)

// A Source is the kind of recorded data that a replay used.
type Source string

// The recorded data that a replay can use.
const (
	FromRaw    Source = "raw"    // the bytes that the provider sent
	FromAnswer Source = "answer" // the recorded answer
)

// A Result is the result of replaying one request.
type Result struct {
	ID          string             `json:"id"`
	Model       callwright.ModelID `json:"model"`
	Outcome     Outcome            `json:"outcome"`
	From        Source             `json:"from,omitempty"`
	Differences []trace.Difference `json:"differences,omitempty"` // the first ones, at most MostDifferences
	Why         string             `json:"why,omitempty"`         // why it could not be replayed
	// Entries are the trace entries of the replay, without the received responses. Generated call ids are replaced by the
	// recorded ones.
	Entries []trace.Entry `json:"-"`
}

// MostDifferences is the maximum number of differences in a Result.
const MostDifferences = 20

// ErrRedacted is the error of a trace without contents, which cannot be replayed.
var ErrRedacted = errors.New("the trace was recorded without contents, and cannot be replayed")

// Results replays the requests of a trace. It yields a result when the response of a request is read, and at the end
// results for requests without a response. Errors are those of entries; reading continues after an error if possible.
func (r *Replay) Results(ctx context.Context, entries iter.Seq2[trace.Entry, error]) iter.Seq2[Result, error] {
	r.signatures = signature.NewMemory(func() time.Time { return r.now }, signature.Limits{})
	return func(yield func(Result, error) bool) {
		b := newCollector()
		for e, err := range entries {
			q := (*request)(nil)
			if err == nil {
				q, err = b.take(e)
			}
			if err != nil {
				if !yield(Result{}, err) {
					return
				}
				continue
			}
			if q == nil {
				continue
			}
			if !yield(r.again(ctx, q), nil) || ctx.Err() != nil {
				return
			}
		}
		for _, q := range b.unansweredRequests() {
			if !yield(Result{ID: q.entry.ID, Model: q.entry.Model, Outcome: Unanswered}, nil) {
				return
			}
		}
	}
}

// again replays one request and compares the results.
func (r *Replay) again(ctx context.Context, q *request) Result {
	res := Result{ID: q.entry.ID, Model: q.entry.Model, Outcome: Same, From: FromRaw}
	was, err := q.readRecord()
	if err != nil {
		return res.withError(err)
	}
	r.now = q.entry.Time
	var now *record
	switch {
	case q.hasRaw():
		now, err = r.ask(ctx, q)
	case was.resp != nil && was.resp.Raw != nil:
		now, err = decode(ctx, q, was)
	case r.RawOnly:
		err = errors.New("the bytes of the answer were not recorded")
	default:
		res.From = FromAnswer
		now, err = play(ctx, q)
	}
	if err != nil {
		return res.withError(err)
	}
	made := idsOf(q)
	if res.Differences = compare(made, was, now); len(res.Differences) > 0 {
		res.Outcome = Different
	}
	res.Entries = made.asThen(now.entries, was.document(), now.document())
	return res
}

// One replays one request, given its trace entries.
func (r *Replay) One(ctx context.Context, entries []trace.Entry) (Result, error) {
	list := func(yield func(trace.Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}
	for res, err := range r.Results(ctx, list) {
		return res, err
	}
	return Result{}, callwright.Errorf("replay", callwright.KindInvalid, "", "the trace entries have no request")
}

func (res Result) withError(err error) Result {
	res.Outcome, res.Why = Different, err.Error()
	return res
}

// facts contains the known facts about models.
type facts map[callwright.ModelID][]caps.Fact

// A request is one request of a trace, with its response or error.
type request struct {
	entry   trace.Entry
	facts   facts
	turns   []trace.Entry // provider requests and responses in order, without retries
	outcome trace.Entry
}

// hasRaw reports whether the providers' responses were recorded. It is true if no provider was called.
func (q *request) hasRaw() bool {
	return len(q.turns) == 0 || slices.ContainsFunc(q.turns, func(e trace.Entry) bool { return e.Kind == trace.KindReceived })
}

// A collector groups the entries of a trace by request.
type collector struct {
	open  map[string]*request
	order []string // ids in order of the requests
	facts map[callwright.ModelID]facts
}

func newCollector() *collector {
	return &collector{open: map[string]*request{}, facts: map[callwright.ModelID]facts{}}
}

// take adds an entry. It returns the request that the entry completes, nil if there is none.
func (c *collector) take(e trace.Entry) (*request, error) {
	if e.Redacted {
		return nil, ErrRedacted
	}
	switch e.Kind {
	case trace.KindModel:
		known, err := e.Facts()
		if err != nil {
			return nil, err
		}
		c.facts[e.Model] = known
		return nil, nil
	case trace.KindRequest:
		if c.open[e.ID] == nil {
			c.order = append(c.order, e.ID)
		}
		c.open[e.ID] = &request{entry: e, facts: c.facts[e.Model]}
		return nil, nil
	}
	q := c.open[e.ID]
	if q == nil {
		return nil, nil
	}
	switch e.Kind {
	case trace.KindSent:
		q.turns = append(q.turns, e)
	case trace.KindReceived:
		if n := len(q.turns); n > 0 && q.turns[n-1].Kind == trace.KindReceived && !isSkip(&q.turns[n-1]) && !isSkip(&e) {
			q.turns = q.turns[:n-1] // replace the retried exchange
		}
		q.turns = append(q.turns, e)
	case trace.KindAnswer, trace.KindError:
		q.outcome = e
		delete(c.open, e.ID)
		c.order = slices.DeleteFunc(c.order, func(id string) bool { return id == e.ID })
		return q, nil
	}
	return nil, nil
}

// isSkip reports whether a received entry records that a model was skipped.
func isSkip(e *trace.Entry) bool {
	r, err := e.ProviderAnswer()
	return err == nil && r.Skipped > 0
}

// unansweredRequests returns the requests in the trace without a response or an error.
func (c *collector) unansweredRequests() []*request {
	var out []*request
	for _, id := range c.order {
		out = append(out, c.open[id])
	}
	return out
}
