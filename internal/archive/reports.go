package archive

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/outcome"
)

// Reports stores the reports of requests. The gateway calls Keep once per request to a model, before the client
// receives the end of the response, and Find when a client asks for a report. The dashboard calls List. All methods are
// called concurrently.
//
// A report can be found as soon as Keep has returned, and soon afterwards on other machines that share the store. It
// may be written to disk later, so that a crash may lose the last reports. Neither the caller nor the implementation
// modifies a passed report.
type Reports interface {
	// Keep stores a report and replaces an earlier one with the same key.
	Keep(ctx context.Context, r *Report) error
	// Find returns a report.
	Find(ctx context.Context, k Key) (*Report, error)
	// List returns the reports that match a query, latest first.
	List(ctx context.Context, q Query) ([]*Report, error)
	// Delete deletes a report. If it is missing, the error is of KindNotFound.
	Delete(ctx context.Context, k Key) error
}

// A Report is the report of one request with facts that only the gateway has. Its JSON loses only the Usage of single
// attempts.
type Report struct {
	Owner    Owner               `json:"owner,omitempty"`
	Time     time.Time           `json:"time"` // start of the request
	Duration time.Duration       `json:"duration_ns"`
	Wire     callwright.WireName `json:"wire,omitempty"` // API of the client
	Streamed bool                `json:"streamed,omitempty"`
	Outcome  outcome.Outcome     `json:"outcome,omitempty"` // "" in reports of earlier versions, see Came
	// Failed is the kind and Error the text of the error sent to the client. Both are empty if there was none.
	Failed  callwright.Kind    `json:"failed,omitempty"`
	Error   string             `json:"error,omitempty"`
	KeyName string             `json:"key,omitempty"`     // name of the client's key
	Session string             `json:"session,omitempty"` // id of the conversation from a header
	Tools   []string           `json:"tools,omitempty"`   // tools of valid calls, without duplicates, at most MostTools
	Usage   Usage              `json:"usage,omitzero"`    // of all attempts
	Report  *callwright.Report `json:"report"`
}

// MostTools is the maximum number of tools in a Report.
const MostTools = 32

// Usage counts the tokens of all attempts of a request.
type Usage struct {
	Input     int `json:"input,omitempty"`
	CacheRead int `json:"cache_read,omitempty"`
	Output    int `json:"output,omitempty"`
}

// Key returns the key of the report.
func (r *Report) Key() Key { return Key{r.Owner, r.Report.ID} }

// Size returns the approximate size of the report in bytes, which counts against Limits.
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

// A Query selects reports that match all of its fields. A zero field matches every report, except Owner.
type Query struct {
	Owner Owner
	// AnyOwner selects the reports of all owners, for operators. Otherwise only reports of Owner match, even if it is
	// empty.
	AnyOwner bool
	Model    callwright.ModelID // requested model, or model of an attempt
	Rule     string             // rule of a note; one that ends in ".*" matches all rules of the family
	Outcome  outcome.Outcome
	KeyName  string          // name of the client's key
	Session  string          // id of the conversation
	Tools    []string        // tools that were all called, including rejected calls
	Kind     callwright.Kind // kind of the error sent to the client
	Text     []string        // texts that all occur in the error, in notes or in rejected calls; case is ignored
	Since    time.Time       // began at or after this time
	Before   time.Time       // began before this time; pass the Time of the last result to get the next page
	Limit    int             // maximum number of results; 0 means DefaultList
}

// DefaultList is the default number of results of a Query, MostListed the maximum.
const (
	DefaultList = 100
	MostListed  = 1000
)

// Most returns the maximum number of results: Limit, or DefaultList for 0, but at most MostListed.
func (q *Query) Most() int {
	if q.Limit <= 0 {
		return DefaultList
	}
	return min(q.Limit, MostListed)
}

// Matches reports whether the query matches a report.
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

// lacksText reports whether a text is neither in the error nor in a note or a rejected call.
func (r *Report) lacksText(text string) bool {
	text = strings.ToLower(text)
	has := func(s string) bool { return strings.Contains(strings.ToLower(s), text) }
	return !has(r.Error) &&
		!slices.ContainsFunc(r.Report.Notes, func(n callwright.Note) bool { return has(n.Was) || has(n.Now) || has(n.Why) }) &&
		!slices.ContainsFunc(r.Report.Invalid, func(c callwright.InvalidCall) bool { return has(c.Name) || has(c.Raw) })
}

// Came returns the outcome of the request. For a report of an earlier version without Outcome, it derives the outcome
// from the report.
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

// Latest sorts reports, latest first, and reports with the same time by descending id.
func Latest(list []*Report) {
	slices.SortFunc(list, func(a, b *Report) int {
		if c := b.Time.Compare(a.Time); c != 0 {
			return c
		}
		return strings.Compare(b.Report.ID, a.Report.ID)
	})
}
