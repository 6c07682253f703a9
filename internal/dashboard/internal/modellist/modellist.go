// Package modellist lists the used models with the outcomes of their requests, and the unused models.
package modellist

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/dashboard/internal/figures"
	"github.com/callwright/callwright/internal/dashboard/internal/humane"
)

// A Model is a model with its known facts.
type Model struct {
	Name      callwright.ModelID
	Target    callwright.ModelID // the model that an alias refers to
	Fallbacks []callwright.ModelID
	Facts     map[string]string // value and source by key, such as "no (learned)"
	Found     []caps.Fact       // stored facts: learned, probed, or set on the dashboard
	// Overridden has, by key, the facts hidden by overrides, in the format of Facts.
	Overridden map[string]string
	Problem    string // why no request can be sent to the model; "" for none
}

// A Row is a used model.
type Row struct {
	figures.Use
	Model  Model
	Priced bool // Use.USD contains the cost of at least one request
	Mode   string
	// Context is the context length in tokens, and Price the price of a million tokens. Both are formatted, and "" if
	// unknown.
	Context, Price string
	Learned        []caps.Fact       // including probed facts
	Facts          map[string]string // Model.Facts without Counters
	Traces         string            // URL of its requests
	Moved          string            // URL of its requests that another model answered
	Healings       string            // URL of its repaired requests
	Faults         []FaultRow
}

// Counters are the keys of facts that are internal counters, as in caps.Caps.Counted. The list of models does not show
// them.
var Counters = map[string]bool{"clean_calls": true, "ignored_tools": true, "token_measure": true, "mode_success": true}

// A FaultRow is a kind of error with the URL of the requests that failed with it.
type FaultRow struct {
	figures.Fault
	Traces string
}

// A Source has the data of rows. One and Price may be nil.
type Source struct {
	Listed []Model
	One    func(callwright.ModelID) Model // returns a model that is not listed
	Price  func(callwright.ModelID) (access.Price, bool)
	Traces string        // URL of the request list
	While  time.Duration // time span of the uses, in whole hours
}

// Rows returns a row for each use. others are the listed models that no request used or named.
func (s *Source) Rows(uses []figures.Use) (used []Row, others []Model) {
	listed, seen := map[callwright.ModelID]Model{}, map[callwright.ModelID]bool{}
	for _, m := range s.Listed {
		listed[m.Name] = m
	}
	for i := range uses {
		u := &uses[i]
		m, ok := listed[u.Model]
		if !ok && s.One != nil {
			m = s.One(u.Model)
		}
		m.Name = u.Model
		used = append(used, s.row(u, m))
		seen[u.Model] = true
		for _, name := range u.Names {
			seen[name] = true
		}
	}
	for _, m := range s.Listed {
		if !seen[m.Name] {
			others = append(others, m)
		}
	}
	return used, others
}

func (s *Source) row(u *figures.Use, m Model) Row {
	r := Row{Use: *u, Model: m, Priced: u.Unpriced < u.Total(), Traces: s.traces(u.Model, nil)}
	r.Healings = s.traces(u.Model, url.Values{"outcome": {"healed"}})
	r.Moved = s.traces(u.Model, url.Values{"rule": {"plan.fallback"}})
	var modes []string
	for _, c := range u.Modes {
		modes = append(modes, c.Name)
	}
	r.Mode = strings.Join(modes, ", ")
	if value, _, _ := strings.Cut(m.Facts["max_context"], " "); value != "" {
		if n, err := strconv.Atoi(value); err == nil && n > 0 {
			r.Context = humane.Short(n) + " tokens"
		}
	}
	if s.Price != nil {
		if p, ok := s.Price(u.Model); ok {
			r.Price = priceWords(p)
		}
	}
	for _, f := range m.Found {
		if (f.Source == caps.Learned || f.Source == caps.Probed) && !Counters[f.Key] {
			r.Learned = append(r.Learned, f)
		}
	}
	r.Facts = maps.Clone(m.Facts)
	maps.DeleteFunc(r.Facts, func(key, _ string) bool { return Counters[key] })
	for _, f := range u.Errors {
		by := url.Values{"outcome": {"failed"}}
		if f.Kind != "" {
			by.Set("error", string(f.Kind))
		}
		r.Faults = append(r.Faults, FaultRow{f, s.traces(u.Model, by)})
	}
	return r
}

// Age returns the time span as the age parameter of the request list, such as "24h".
func (s *Source) Age() string { return fmt.Sprintf("%dh", int(s.While.Hours())) }

// traces returns the URL of the requests of a model with additional filter parameters.
func (s *Source) traces(m callwright.ModelID, filter url.Values) string {
	to := url.Values{"model": {string(m)}, "age": {s.Age()}}
	maps.Copy(to, filter)
	return s.Traces + "?" + to.Encode()
}

func priceWords(p access.Price) string {
	if p == (access.Price{}) {
		return "free"
	}
	return humane.USD(p.Input) + " in, " + humane.USD(p.Output) + " out a million tokens"
}

// Matching returns the models whose names contain a text, ignoring case.
func Matching[M any](models []M, name func(*M) callwright.ModelID, text string) []M {
	text = strings.ToLower(text)
	return slices.DeleteFunc(slices.Clone(models), func(m M) bool { return !strings.Contains(strings.ToLower(string(name(&m))), text) })
}

// Worst sorts rows by success rate, lowest first, and then by repair rate, highest first.
func Worst(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.AnsweredCount()*b.Requests(), b.AnsweredCount()*a.Requests()),
			cmp.Compare(b.Healed*a.Requests(), a.Healed*b.Requests()))
	})
}

// A ModelFault is a kind of error of a model.
type ModelFault struct {
	Model callwright.ModelID
	FaultRow
}

// Faults lists the kinds of errors of all rows, most frequent first.
func Faults(rows []Row) []ModelFault {
	var out []ModelFault
	for i := range rows {
		for _, f := range rows[i].Faults {
			out = append(out, ModelFault{rows[i].Use.Model, f})
		}
	}
	slices.SortStableFunc(out, func(a, b ModelFault) int { return cmp.Compare(b.N, a.N) })
	return out
}
