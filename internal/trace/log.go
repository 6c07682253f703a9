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

// A Log stores the traces of requests. A trace is all entries with one ID, from an entry of KindRequest, or of
// KindModel before it, to the one for which Ends returns true. LogLimits bound a Log in bytes and by age; the oldest
// requests are deleted first. [Folder] is an implementation, package logtest tests any implementation, and
// [NewLogWriter] writes to any.
//
// Append is called while a request is served and must not block on a disk or network. It returns ErrFull for an entry
// that cannot be accepted at once, which is dropped. The same Log returns an accepted entry as soon as Append has
// returned; its reading methods wait if necessary. After a crash, the last entries may be missing. Entries without an
// ID, or after the end of their request, may be dropped. A Log is safe for concurrent use.
type Log interface {
	// Append adds an entry. The caller may modify its Data and Body after Append has returned.
	Append(e Entry) error
	LogReader
}

// A LogReader reads a Log. Errors are *callwright.Error: KindNotFound if a request is not stored, KindCanceled if ctx
// is done.
type LogReader interface {
	// Entries returns the entries of a request in the order of Append, after the entry that describes its model.
	Entries(ctx context.Context, id string) ([]Entry, error)
	// List returns the requests that match a query, latest first.
	List(ctx context.Context, q Query) ([]Summary, error)
}

// LogLimits bound a Log. A zero field means its default. A negative Age means no limit.
type LogLimits struct {
	Age   time.Duration // maximum age of a request; default DefaultLogAge
	Bytes int64         // approximate maximum size of all entries; default 1 GiB
}

// DefaultLogAge is the default of LogLimits.Age.
const DefaultLogAge = 30 * 24 * time.Hour

// or returns the limits with defaults in place of zeros. bytes is the default of Bytes.
func (l LogLimits) or(bytes int64) LogLimits {
	return LogLimits{cmp.Or(l.Age, DefaultLogAge), cmp.Or(l.Bytes, bytes)}
}

// IsExpired reports whether a request that began at a time is too old at now.
func (l LogLimits) IsExpired(began, now time.Time) bool {
	age := cmp.Or(l.Age, DefaultLogAge)
	return age >= 0 && now.Sub(began) >= age
}

// A Summary holds the facts about a request that lists show.
type Summary struct {
	ID       string              `json:"id"`
	Time     time.Time           `json:"time"` // when the request began
	Duration time.Duration       `json:"duration_ns,omitempty"`
	Model    callwright.ModelID  `json:"model"`            // as requested by the client
	Served   callwright.ModelID  `json:"served,omitempty"` // model of the last attempt
	Wire     callwright.WireName `json:"wire,omitempty"`
	Mode     caps.Mode           `json:"mode,omitempty"`
	Outcome  outcome.Outcome     `json:"outcome"`
	Class    string              `json:"class,omitempty"` // failure class that was repaired, such as "F02"
	Kind     callwright.Kind     `json:"kind,omitempty"`  // kind of the error
	Error    string              `json:"error,omitempty"` // excerpt of the error
	Streamed bool                `json:"streamed,omitempty"`
	Partial  bool                `json:"partial,omitempty"` // the answer was not read to its end
	Redacted bool                `json:"redacted,omitempty"`
	Attempts int                 `json:"attempts,omitempty"`
	Notes    int                 `json:"notes,omitempty"`
	Rules    []string            `json:"rules,omitempty"` // rules of the notes, without duplicates, at most SummaryRules
	Key      string              `json:"key,omitempty"`   // name of the client's key
	Session  string              `json:"session,omitempty"`
	Status   int                 `json:"status,omitempty"` // HTTP status sent to the client; a failed stream may have 200
	Usage    []ModelUsage        `json:"usage,omitempty"`  // for all attempts
	// Tools are the names of the called tools, including rejected calls, without duplicates, at most SummaryTools.
	Tools   []string `json:"tools,omitempty"`
	Entries int      `json:"entries"`
}

// SummaryRules and SummaryTools are the maximum numbers of rules and tools in a Summary.
const (
	SummaryRules = 32
	SummaryTools = 32
)

// A Query selects requests that match all of its fields. A zero field matches every request.
type Query struct {
	Model   callwright.ModelID // requested by the client, or of the last attempt
	Rule    string             // rule of a note; one that ends in ".*" matches all rules of the family
	Outcome outcome.Outcome
	Key     string          // name of the client's key
	Session string          // id of the conversation
	Tools   []string        // tools that were all called, including rejected calls
	Kind    callwright.Kind // kind of the error
	Text    []string        // texts that all occur in messages, calls, notes or errors; case is ignored
	Since   time.Time       // began at or after this time
	Before  time.Time       // began before this time; pass the Time of the last result to get the next page
	Limit   int             // maximum number of results; 0 means DefaultList
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

// MayMatch reports whether the query matches a request by its summary. If IsOpen is also true, the entries of the
// request decide.
func (q *Query) MayMatch(s *Summary) bool {
	return q.at(s.Time) && q.Outcome.Asks(s.Outcome) &&
		(q.Model == "" || q.Model == s.Model || q.Model == s.Served) && (q.Rule == "" || slices.ContainsFunc(s.Rules, q.ofRule)) &&
		(q.Key == "" || q.Key == s.Key) && (q.Session == "" || q.Session == s.Session) && (q.Kind == "" || q.Kind == s.Kind) &&
		(len(s.Tools) >= SummaryTools || !slices.ContainsFunc(q.Tools, s.lacksTool)) && (len(q.Text) == 0 || !s.Redacted || q.inError(s))
}

// at reports whether the query matches requests that began at a time.
func (q *Query) at(t time.Time) bool {
	return (q.Since.IsZero() || !t.Before(q.Since)) && (q.Before.IsZero() || t.Before(q.Before))
}

func (q *Query) ofRule(rule string) bool {
	family, ok := strings.CutSuffix(q.Rule, "*")
	return rule == q.Rule || ok && strings.HasSuffix(family, ".") && strings.HasPrefix(rule, family)
}

// ParseSummary decodes a summary from JSON. Earlier versions recorded any change as outcome Healed without a class,
// which is decoded as Answered.
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

// Latest is a comparison function that sorts the latest request first, and requests with the same time by descending
// ID.
func Latest(a, b Summary) int {
	return cmp.Or(b.Time.Compare(a.Time), strings.Compare(b.ID, a.ID))
}

// Summarize returns the summary of a request with the given entries in the order of Log.Entries.
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
		if s.Time.IsZero() { // otherwise the model is called again
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

// setOutcome sets the outcome by the last entry of a request. An entry of an earlier version has no outcome; then the
// report and the kind of the entry decide. Since such a report lacks changes made by the gateway, its Passed becomes
// Answered.
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

// statusOf returns the HTTP status sent to the client for an error: 200 if a streamed answer had already begun.
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

// notKept returns the error for a request that is not stored.
func notKept(id string) *callwright.Error {
	return callwright.Errorf(opLog, callwright.KindNotFound, "", "no trace of a request with the id %q is kept", callwright.Excerpt(id))
}

// opLog is the Op of errors when reading a log.
const opLog = "trace.log"

// contextError returns an error if ctx is done, otherwise nil.
func contextError(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &callwright.Error{Op: opLog, Kind: callwright.KindCanceled, Err: err}
	}
	return nil
}
