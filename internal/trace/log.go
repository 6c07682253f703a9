package trace

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/outcome"
)

// A Log keeps traces of requests: the entries that have one ID, from that of KindRequest, or of KindModel before it, to
// that of KindAnswer or KindError that is not Continued. It is bounded in bytes and by age (LogLimits); the oldest
// requests go first. A [Folder] is one; package logtest is the suite for all. A Writer writes to any by [NewLogWriter].
//
// Append is called while a request is served and does not wait, for a disk or for another machine: an entry that cannot
// be accepted at once is ErrFull, and is left out. An accepted entry is read by the same Log as soon as Append has
// returned; readers wait where they must. When a machine fails the last entries may be missing. Entries that come for a
// request after its answer may be left out, and so may entries without an ID. It is safe for concurrent use.
type Log interface {
	// Append adds an entry. Its Data and Body may be written to as soon as Append has returned.
	Append(e Entry) error
	LogReader
}

// A LogReader reads a Log. Errors are those of callwright: KindNotFound for a request that is not kept, KindCanceled
// where the context has ended.
type LogReader interface {
	// Entries returns the entries of a request in the order in which they were appended, behind the one that describes
	// its model.
	Entries(ctx context.Context, id string) ([]Entry, error)
	// List returns the requests that a query asks for, the latest first.
	List(ctx context.Context, q Query) ([]Summary, error)
}

// LogLimits bound a Log. A zero member stands for its default; a negative Age is no bound.
type LogLimits struct {
	Age   time.Duration // how long a request is kept: 30 days
	Bytes int64         // about how many bytes all entries may take: 1 GiB
}

// DefaultLogAge is how long a Log keeps requests where its limits say nothing.
const DefaultLogAge = 30 * 24 * time.Hour

// or is the limits with defaults in place of zeros.
func (l LogLimits) or(bytes int64) LogLimits {
	return LogLimits{cmp.Or(l.Age, DefaultLogAge), cmp.Or(l.Bytes, bytes)}
}

// IsExpired reports whether at now a request is too old that began at a time.
func (l LogLimits) IsExpired(began, now time.Time) bool {
	age := cmp.Or(l.Age, DefaultLogAge)
	return age >= 0 && now.Sub(began) >= age
}

// A Summary holds the listed facts about a request.
type Summary struct {
	ID       string              `json:"id"`
	Time     time.Time           `json:"time"` // when it began
	Duration time.Duration       `json:"duration_ns,omitempty"`
	Model    callwright.ModelID  `json:"model"`            // as it was asked for
	Served   callwright.ModelID  `json:"served,omitempty"` // of the last attempt
	Wire     callwright.WireName `json:"wire,omitempty"`
	Mode     caps.Mode           `json:"mode,omitempty"`
	Outcome  outcome.Outcome     `json:"outcome"`
	Class    string              `json:"class,omitempty"` // of the failure that was healed
	Kind     callwright.Kind     `json:"kind,omitempty"`  // of the error
	Error    string              `json:"error,omitempty"` // an excerpt
	Streamed bool                `json:"streamed,omitempty"`
	Partial  bool                `json:"partial,omitempty"` // the answer was not read to its end
	Redacted bool                `json:"redacted,omitempty"`
	Attempts int                 `json:"attempts,omitempty"`
	Notes    int                 `json:"notes,omitempty"`
	Rules    []string            `json:"rules,omitempty"` // of the notes, each once; the first SummaryRules of them
	Key      string              `json:"key,omitempty"`   // the name of the key with which it was asked for
	Session  string              `json:"session,omitempty"`
	Status   int                 `json:"status,omitempty"` // that the client was answered with: 200 also for a stream that broke off
	Usage    []ModelUsage        `json:"usage,omitempty"`  // of all attempts
	// that the model called, also in calls that were rejected, each once; the first SummaryTools of them
	Tools   []string `json:"tools,omitempty"`
	Entries int      `json:"entries"`
}

// SummaryRules and SummaryTools bound the rules and the tools that a Summary names.
const (
	SummaryRules = 32
	SummaryTools = 32
)

// A Query says which requests are asked for: those that agree with all members. A zero member asks for any.
type Query struct {
	Model   callwright.ModelID // as asked for, or that served
	Rule    string             // of a note; one that ends in ".*" stands for the family
	Outcome outcome.Outcome
	Key     string          // the name of the key with which it was asked for
	Session string          // that it is one of
	Tools   []string        // that the model called, all of them, also in calls that were rejected
	Kind    callwright.Kind // of the error with which it failed
	Text    []string        // that stand in what was said and called, in notes or in errors, all of them; case does not count
	Since   time.Time       // that began then or later
	Before  time.Time       // that began earlier: the Time of the last one asks for the next page
	Limit   int             // at most so many; 0 is DefaultList
}

// DefaultList is how many requests are listed where a Query does not say it, MostListed how many at most.
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

// MayMatch reports whether the query may ask for a request, by its summary. Where IsOpen does, too, the entries of the
// request decide.
func (q *Query) MayMatch(s *Summary) bool {
	return q.at(s.Time) && q.Outcome.Asks(s.Outcome) &&
		(q.Model == "" || q.Model == s.Model || q.Model == s.Served) && (q.Rule == "" || slices.ContainsFunc(s.Rules, q.ofRule)) &&
		(q.Key == "" || q.Key == s.Key) && (q.Session == "" || q.Session == s.Session) && (q.Kind == "" || q.Kind == s.Kind) &&
		(len(s.Tools) >= SummaryTools || !slices.ContainsFunc(q.Tools, s.lacksTool)) && (len(q.Text) == 0 || !s.Redacted || q.inError(s))
}

// at reports whether the query asks for requests that began at a time.
func (q *Query) at(t time.Time) bool {
	return (q.Since.IsZero() || !t.Before(q.Since)) && (q.Before.IsZero() || t.Before(q.Before))
}

func (q *Query) ofRule(rule string) bool {
	family, ok := strings.CutSuffix(q.Rule, "*")
	return rule == q.Rule || ok && strings.HasSuffix(family, ".") && strings.HasPrefix(rule, family)
}

// ParseSummary reads a summary as JSON. Earlier versions counted any change as healed: such an outcome, which has no
// class, is read as Answered.
func ParseSummary(text []byte) (s Summary, err error) {
	err = json.Unmarshal(text, &s)
	if s.Outcome == outcome.Healed && s.Class == "" {
		s.Outcome = outcome.Answered
	}
	return s, err
}

func (s *Summary) lacksTool(name string) bool {
	return !slices.Contains(s.Tools, name)
}

// Latest compares requests by their time, the latest first, and those that began together by their ids, the greatest
// first.
func Latest(a, b Summary) int {
	return cmp.Or(b.Time.Compare(a.Time), strings.Compare(b.ID, a.ID))
}

// Summarize returns the summary of a request from its entries as Log.Entries gives them.
func Summarize(entries []Entry) Summary {
	var s Summary
	for i := range entries {
		s.Add(&entries[i])
	}
	return s
}

// Add adds the next entry of the request to the summary.
func (s *Summary) Add(e *Entry) {
	s.Entries++
	s.ID, s.Redacted = cmp.Or(e.ID, s.ID), s.Redacted || e.Redacted
	s.Outcome = cmp.Or(s.Outcome, outcome.Unfinished)
	switch e.Kind {
	case KindRequest:
		if s.Time.IsZero() { // else the model is asked again
			s.Time, s.Model, s.Wire, s.Key, s.Session = e.Time, e.Model, e.Wire, e.Key, e.Session
		}
	case KindAnswer:
		s.Duration, s.Streamed, s.Partial, s.Outcome = s.Duration+e.Duration, e.Streamed, e.Partial, outcome.Answered
		s.addNotes(e.Notes)
		s.addTools(e)
		s.countUsage(e)
		s.Status = http.StatusOK
		if text, ok := jsonx.Find(e.Data, "report"); ok {
			s.addReport(text)
		}
		s.setOutcome(e)
	case KindError:
		s.Duration, s.Streamed, s.Partial, s.Outcome = s.Duration+e.Duration, e.Streamed, e.Partial, outcome.Failed
		s.addNotes(e.Notes)
		s.addTools(e)
		s.countUsage(e)
		s.Status = statusOf(s.Wire, e)
		if e.Failure != nil {
			s.addError(e.Failure)
		}
		s.setOutcome(e)
	}
}

// setOutcome takes the outcome of the last entry of a request. One that an earlier version wrote has none: there the
// report and the kind of the entry decide. Changes that a gateway made itself are not in such a report, so that nobody
// knows whether the answer passed.
func (s *Summary) setOutcome(e *Entry) {
	switch {
	case e.Continued:
		s.Outcome, s.Class = outcome.Unfinished, ""
	case e.Outcome != "":
		s.Outcome, s.Class = e.Outcome, e.Class
	case s.Outcome == outcome.Passed && s.Wire != "":
		s.Outcome = outcome.Answered
	}
}

// countUsage adds the usage of an answer or an error.
func (s *Summary) countUsage(e *Entry) {
	for i := range e.Usage {
		s.Usage = addUsage(s.Usage, &e.Usage[i])
	}
}

// statusOf is the HTTP status of a client's API with which an error was answered: that of an answer where that had
// begun.
func statusOf(wire callwright.WireName, e *Entry) int {
	switch {
	case e.Failure == nil, e.Streamed && e.Data != nil:
		return http.StatusOK
	case wire == callwright.WireAnthropic && e.Failure.Kind == callwright.KindOverloaded && e.Failure.Status == 0:
		return 529
	}
	return e.Failure.HTTPStatus()
}

// aReport is the part of a report that a summary needs.
type aReport struct {
	Attempts []struct {
		Model callwright.ModelID `json:"model"`
	} `json:"attempts"`
	Notes     []callwright.Note `json:"notes"`
	Mode      caps.Mode         `json:"mode"`
	Untouched bool              `json:"untouched"`
}

func (s *Summary) addReport(text []byte) {
	var r aReport
	if json.Unmarshal(text, &r) != nil {
		return
	}
	s.Attempts, s.Mode = s.Attempts+len(r.Attempts), r.Mode
	rep := callwright.Report{Notes: r.Notes, Untouched: r.Untouched}
	if s.Outcome = outcome.Of(&rep, false); s.Outcome == outcome.Healed {
		s.Class = outcome.Class(&rep)
	}
	if n := len(r.Attempts); n > 0 {
		s.Served = r.Attempts[n-1].Model
	}
	s.addNotes(r.Notes)
}

func (s *Summary) addError(e *callwright.Error) {
	s.Kind, s.Error = e.Kind, callwright.Excerpt(e.Error())
	if r := e.Report; r != nil {
		s.Attempts, s.Mode = s.Attempts+len(r.Attempts), r.Mode
		if n := len(r.Attempts); n > 0 {
			s.Served = r.Attempts[n-1].Model
		}
		s.addNotes(r.Notes)
	}
}

func (s *Summary) addNotes(notes []callwright.Note) {
	s.Notes += len(notes)
	for i := range notes {
		if rule := notes[i].Rule; len(s.Rules) < SummaryRules && !slices.Contains(s.Rules, rule) {
			s.Rules = append(s.Rules, rule)
		}
	}
}

// notKept is the error for a request that is not kept.
func notKept(id string) *callwright.Error {
	return callwright.Errorf(opLog, callwright.KindNotFound, "", "no trace of a request with the id %q is kept", callwright.Excerpt(id))
}

// opLog is the operation of errors in reading a log.
const opLog = "trace.log"

// contextError is the error of a context that has ended, else nil.
func contextError(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &callwright.Error{Op: opLog, Kind: callwright.KindCanceled, Err: err}
	}
	return nil
}
