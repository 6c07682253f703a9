package archive

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/outcome"
)

// Reports keeps the reports of requests. The gateway calls Keep once for each request of a model, before the client
// sees the end of its answer, and Find when a client asks; the dashboard lists them. All are called by many goroutines.
//
// A report is found as soon as Keep has returned; on other machines that share the store soon afterwards. It may be
// written to disk later: when a machine fails the last ones may be missing. Neither the caller nor the implementation
// writes to a report that was handed over.
type Reports interface {
	// Keep keeps a report, in place of an earlier one of the same key.
	Keep(ctx context.Context, r *Report) error
	// Find returns a report.
	Find(ctx context.Context, k Key) (*Report, error)
	// List returns the reports that a query asks for, the latest first.
	List(ctx context.Context, q Query) ([]*Report, error)
	// Delete drops a report. It fails with KindNotFound where there is none.
	Delete(ctx context.Context, k Key) error
}

// A Report is the report of one request with the gateway's facts about the request. As JSON it loses nothing but the
// Usage of single attempts.
type Report struct {
	Owner    Owner               `json:"owner,omitempty"`
	Time     time.Time           `json:"time"` // when the request began
	Duration time.Duration       `json:"duration_ns"`
	Wire     callwright.WireName `json:"wire,omitempty"` // that the client speaks
	Streamed bool                `json:"streamed,omitempty"`
	Outcome  outcome.Outcome     `json:"outcome,omitempty"` // see Came
	// Failed is the kind of the error that the client was answered with, and Error its text; both are empty where there
	// was none.
	Failed  callwright.Kind    `json:"failed,omitempty"`
	Error   string             `json:"error,omitempty"`
	KeyName string             `json:"key,omitempty"`     // the name of the key with which the request was made
	Session string             `json:"session,omitempty"` // that a header of the request names
	Tools   []string           `json:"tools,omitempty"`   // that the model called by valid calls, each once; the first MostTools of them
	Usage   Usage              `json:"usage,omitzero"`    // of all attempts
	Report  *callwright.Report `json:"report"`
}

// MostTools bounds the tools that a Report names.
const MostTools = 32

// Usage counts the tokens of all attempts of a request.
type Usage struct {
	Input     int `json:"input,omitempty"`
	CacheRead int `json:"cache_read,omitempty"`
	Output    int `json:"output,omitempty"`
}

// Key names the report.
func (r *Report) Key() Key { return Key{r.Owner, r.Report.ID} }

// Size is about how many bytes the report takes. They count against Limits.
func (r *Report) Size() int64 {
	rep := r.Report
	n := 640 + len(r.Owner) + len(r.Error) + len(rep.ID) + len(rep.Model) + len(r.KeyName) + len(r.Session)
	for _, name := range r.Tools {
		n += 16 + len(name)
	}
	for i := range rep.Notes {
		t := &rep.Notes[i]
		n += 160 + len(t.Call) + len(t.Path) + len(t.Was) + len(t.Now) + len(t.Why)
	}
	for i := range rep.Attempts {
		n += 256 + len(rep.Attempts[i].Error) + len(rep.Attempts[i].Usage.Extra.JSON)
	}
	for i := range rep.Invalid {
		c := &rep.Invalid[i]
		n += 96 + len(c.Name) + len(c.ID) + len(c.Raw)
		for _, v := range c.Violations {
			n += 48 + len(v.Path) + len(v.Keyword) + len(v.Message)
		}
	}
	return int64(n)
}

// A Query says which reports are asked for. A zero member asks for any.
type Query struct {
	Owner Owner
	// AnyOwner asks for those of all owners, for who looks after the gateway; else Owner is the one, also where it is
	// empty.
	AnyOwner bool
	Model    callwright.ModelID // as asked for, or of an attempt
	Rule     string             // of a note; one that ends in ".*" stands for the family
	Outcome  outcome.Outcome
	KeyName  string          // the name of the key with which it was asked for
	Session  string          // that a header of the request names
	Tools    []string        // that the model called, all of them, also in calls that were rejected
	Kind     callwright.Kind // of the error that the client was answered with
	Text     []string        // that stand in the error, in notes or in rejected calls, all of them; case does not count
	Since    time.Time       // that began then or later
	Before   time.Time       // that began earlier: the Time of the last one asks for the next page
	Limit    int             // at most so many; 0 is DefaultList
}

// DefaultList is how many reports are listed where a Query does not say it, MostListed how many at most.
const (
	DefaultList = 100
	MostListed  = 1000
)

// Most is the Limit of the query within its bounds.
func (q *Query) Most() int {
	if q.Limit <= 0 {
		return DefaultList
	}
	return min(q.Limit, MostListed)
}

// Matches reports whether a query asks for the report.
func (q *Query) Matches(r *Report) bool {
	return (q.AnyOwner || q.Owner == r.Owner) &&
		(q.Since.IsZero() || !r.Time.Before(q.Since)) && (q.Before.IsZero() || r.Time.Before(q.Before)) &&
		(q.Outcome == "" || q.Outcome.Asks(r.Came())) && (q.Model == "" || r.concerns(q.Model)) && (q.Rule == "" || r.notes(q.Rule)) &&
		(q.KeyName == "" || q.KeyName == r.KeyName) && (q.Session == "" || q.Session == r.Session) && (q.Kind == "" || q.Kind == r.Failed) &&
		!slices.ContainsFunc(q.Tools, r.lacksTool) && !slices.ContainsFunc(q.Text, r.lacksText)
}

func (r *Report) lacksTool(name string) bool {
	return !slices.Contains(r.Tools, name) &&
		!slices.ContainsFunc(r.Report.Invalid, func(c callwright.InvalidCall) bool { return c.Name == name })
}

// lacksText reports whether a text stands neither in the error nor in a note or a rejected call.
func (r *Report) lacksText(text string) bool {
	text = strings.ToLower(text)
	has := func(s string) bool { return strings.Contains(strings.ToLower(s), text) }
	return !has(r.Error) &&
		!slices.ContainsFunc(r.Report.Notes, func(n callwright.Note) bool { return has(n.Was) || has(n.Now) || has(n.Why) }) &&
		!slices.ContainsFunc(r.Report.Invalid, func(c callwright.InvalidCall) bool { return has(c.Name) || has(c.Raw) })
}

// Came is the outcome of the request: Outcome or, of a report that an earlier version kept, the outcome that the report
// says.
func (r *Report) Came() outcome.Outcome {
	if r.Outcome != "" {
		return r.Outcome
	}
	return outcome.Of(r.Report, r.Failed != "")
}

func (r *Report) concerns(m callwright.ModelID) bool {
	return r.Report.Model == m || slices.ContainsFunc(r.Report.Attempts, func(a callwright.Attempt) bool { return a.Model == m })
}

func (r *Report) notes(rule string) bool {
	family, ok := strings.CutSuffix(rule, "*")
	ok = ok && strings.HasSuffix(family, ".")
	return slices.ContainsFunc(r.Report.Notes, func(n callwright.Note) bool {
		return n.Rule == rule || ok && strings.HasPrefix(n.Rule, family)
	})
}

// Latest sorts reports, the latest first, and of those that began together the greatest id.
func Latest(list []*Report) {
	slices.SortFunc(list, func(a, b *Report) int {
		if c := b.Time.Compare(a.Time); c != 0 {
			return c
		}
		return strings.Compare(b.Report.ID, a.Report.ID)
	})
}
