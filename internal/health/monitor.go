package health

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/outcome"
)

// maxModels is the maximum number of models in a Monitor, since clients can send any model name.
const maxModels = 256

// A Config has the sources of problems other than requests. All fields are optional.
type Config struct {
	Version string // version of the program
	// Now returns the current time; nil is time.Now.
	Now func() time.Time
	// Skips returns the models to which no requests are sent at present.
	Skips func() []Skip
	// WithoutCredentials reports whether a provider has no credentials at present. Failed requests to its models count as
	// "not sent", not as refused.
	WithoutCredentials func(provider string) bool
	// Targets returns the keys and hosts of the providers with several keys or hosts.
	Targets func() []Target
	// Sources return further problems. Each call of Problems calls them, possibly concurrently.
	Sources []func() []Problem
}

// A Skip is a model to which no requests are sent at present.
type Skip struct {
	Model   callwright.ModelID
	Kind    callwright.Kind // kind of the failure that caused the skip
	Left    time.Duration
	Breaker bool   // the model's circuit breaker is open
	Last    string // error of the last request that the circuit breaker counted
}

// A Monitor counts requests and lists problems. Make it with New. It is safe for concurrent use.
type Monitor struct {
	cfg     Config
	started time.Time

	mu       sync.Mutex
	models   map[callwright.ModelID]*model
	outcomes [len(outcomes)]ring
	requests ring
	internal ring // requests that failed with an internal error before an attempt at a model
	faults   []*Fault
}

// outcomes lists the outcomes of completed requests.
var outcomes = [...]outcome.Outcome{outcome.Passed, outcome.Translated, outcome.Healed, outcome.Failed}

// New returns a Monitor without counts.
func New(cfg Config) *Monitor {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Monitor{cfg: cfg, started: cfg.Now(), models: map[callwright.ModelID]*model{}}
}

// Watch adds a source of problems to Config.Sources. It must not be called concurrently with other methods of m.
func (m *Monitor) Watch(source func() []Problem) { m.cfg.Sources = append(m.cfg.Sources, source) }

// A model has the request counts of one model.
type model struct {
	asked              ring                  // requests to the model, without those that the client or the gateway ended
	answered           ring                  // requests that the model answered
	answeredByFallback ring                  // requests that failed at the model and that a fallback answered
	healed             ring                  // answered requests with the outcome healed
	other              callwright.ModelID    // the fallback that answered last
	reachedByAlias     bool                  // a request reached the model under another name, such as that of a group
	kinds              [len(kinds)]*failures // index: as in the variable kinds; nil for no failures
}

// A failures counts the failures of one kind at a model.
type failures struct {
	ring
	answeredAtLastFailure int64 // number of requests that the model had answered at the last failure
}

// A Request is a completed request.
type Request struct {
	Report  *callwright.Report // nil if there is no report
	Outcome outcome.Outcome
	// Kind is the kind of the error that the client received, KindCanceled if the client disconnected, "" for success.
	Kind callwright.Kind
	// Passed is the model of a request without a report, which the gateway passed through. "" for none.
	Passed callwright.ModelID
}

// Count counts a completed request.
func (m *Monitor) Count(r *Request) {
	minute, lacking := m.cfg.Now().Unix()/60, m.lacking(r.Report)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests.add(minute)
	for i, o := range outcomes {
		if o == r.Outcome {
			m.outcomes[i].add(minute)
		}
	}
	rep := r.Report
	switch {
	case rep != nil && len(rep.Attempts) > 0:
		m.countAttempts(r, minute, lacking)
	case r.Kind == callwright.KindInternal:
		m.internal.add(minute)
	case r.Passed != "" && r.Kind == "":
		is := m.of(r.Passed, minute)
		is.asked.add(minute)
		is.answered.add(minute)
	}
}

// lacking returns the models of failed attempts whose provider has no credentials. The caller does not hold mu.
func (m *Monitor) lacking(rep *callwright.Report) (out []callwright.ModelID) {
	if rep == nil || m.cfg.WithoutCredentials == nil {
		return nil
	}
	for i := range rep.Attempts {
		a := &rep.Attempts[i]
		if provider, _ := a.Model.Split(); mayLack(a.Kind) && m.cfg.WithoutCredentials(provider) {
			out = append(out, a.Model)
		}
	}
	return out
}

// mayLack reports whether k is the kind of an error that a request without credentials can get.
func mayLack(k callwright.Kind) bool {
	return k == callwright.KindAuth || k == callwright.KindUnavailable || k == callwright.KindTimeout
}

// countAttempts counts a request at each model that it was sent to. Of consecutive attempts at one model, only the last
// counts. lacking has the models whose provider has no credentials.
func (m *Monitor) countAttempts(r *Request, minute int64, lacking []callwright.ModelID) {
	rep, failed := r.Report, r.Kind
	last := len(rep.Attempts) - 1
	for i := range rep.Attempts {
		a := &rep.Attempts[i]
		if i < last && rep.Attempts[i+1].Model == a.Model {
			continue
		}
		k := a.Kind
		switch {
		case k != "":
		case i == last:
			k = failed
		default: // the response was rejected, and the request was sent to another model
			k = callwright.KindInvalidCall
		}
		n := numberOf(k)
		if k != "" && kinds[n].class == ofNobody {
			continue
		}
		is := m.of(a.Model, minute)
		is.asked.add(minute)
		is.reachedByAlias = is.reachedByAlias || a.Model != rep.Model
		if k == "" {
			is.answered.add(minute)
			if i == last && r.Outcome == outcome.Healed {
				is.healed.add(minute)
			}
			continue
		}
		if mayLack(k) && slices.Contains(lacking, a.Model) {
			n = notSent
		}
		is.fail(n, minute)
		if i < last && failed == "" {
			is.answeredByFallback.add(minute)
			is.other = rep.Attempts[last].Model
		}
	}
}

// fail counts a failure of the kind with index n in kinds.
func (is *model) fail(n int, minute int64) {
	f := is.kinds[n]
	if f == nil {
		f = &failures{}
		is.kinds[n] = f
	}
	f.add(minute)
	f.answeredAtLastFailure = is.answered.all
}

// of returns the counts of a model, and adds the model if needed. The caller holds mu.
func (m *Monitor) of(id callwright.ModelID, minute int64) *model {
	if is := m.models[id]; is != nil {
		return is
	}
	if len(m.models) >= maxModels {
		m.evict(minute)
	}
	is := &model{}
	m.models[callwright.ModelID(strings.Clone(string(id)))] = is // a copy, since id may share the memory of a longer string
	return is
}

// evict removes the model with the fewest requests. A model without requests in the last 15 minutes counts as having
// none.
func (m *Monitor) evict(minute int64) {
	var least callwright.ModelID
	var fewest int64 = -1
	for id, is := range m.models {
		n := is.asked.all
		if minute-is.asked.last >= minutes {
			n = 0
		}
		if fewest < 0 || n < fewest {
			least, fewest = id, n
		}
	}
	delete(m.models, least)
}

// Requests has the numbers of completed requests by outcome.
type Requests struct {
	Passed     int64 `json:"passed"`
	Translated int64 `json:"translated"`
	Healed     int64 `json:"healed"`
	Failed     int64 `json:"failed"`
}

// Total returns the number of requests.
func (r Requests) Total() int64 { return r.Passed + r.Translated + r.Healed + r.Failed }

// A Counted has the requests of the last 15 minutes and all requests since the start.
type Counted struct {
	Recent Requests `json:"last_15_minutes"`
	All    Requests `json:"since_start"`
}

// A Status is the status of a gateway, as JSON for clients.
type Status struct {
	State         string    `json:"status"` // "ready", or "degraded" if there are problems
	Version       string    `json:"version"`
	Started       time.Time `json:"started"`
	UptimeSeconds int64     `json:"uptime_seconds"`
	Requests      Counted   `json:"requests"`
	Problems      []Problem `json:"problems"` // the worst first
	Targets       []Target  `json:"targets,omitempty"`
}

// The values of Status.State.
const (
	Ready       = "ready"
	DegradedNow = "degraded"
)

// Status returns the present status.
func (m *Monitor) Status() *Status {
	now := m.cfg.Now()
	s := &Status{State: Ready, Version: m.cfg.Version, Started: m.started,
		UptimeSeconds: int64(now.Sub(m.started) / time.Second), Problems: m.Problems()}
	if len(s.Problems) > 0 {
		s.State = DegradedNow
	}
	if m.cfg.Targets != nil {
		s.Targets = m.cfg.Targets()
	}
	minute := now.Unix() / 60
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, to := range [...][2]*int64{
		{&s.Requests.Recent.Passed, &s.Requests.All.Passed}, {&s.Requests.Recent.Translated, &s.Requests.All.Translated},
		{&s.Requests.Recent.Healed, &s.Requests.All.Healed}, {&s.Requests.Recent.Failed, &s.Requests.All.Failed},
	} {
		*to[0], *to[1] = m.outcomes[i].in(minute), m.outcomes[i].all
	}
	return s
}
