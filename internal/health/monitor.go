package health

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/outcome"
)

// maxModels bounds the models of a Monitor: names come from clients.
const maxModels = 256

// A Config has the sources of a Monitor beside requests. All of it may be left out.
type Config struct {
	Version string // of the program
	// Now is the clock; nil is that of the machine.
	Now func() time.Time
	// Skips gives the models that are not asked now.
	Skips func() []Skip
	// WithoutCredentials reports whether a provider has no credentials now. Its models are not said to be refused then.
	WithoutCredentials func(provider string) bool
	// Targets gives the keys and hosts of providers with several.
	Targets func() []Target
	// Sources give further problems. They are called concurrently, each time problems are listed.
	Sources []func() []Problem
}

// A Skip is a model that is not asked now.
type Skip struct {
	Model   callwright.ModelID
	Kind    callwright.Kind // of the failure that is the reason
	Left    time.Duration
	Breaker bool   // its circuit breaker is open
	Last    string // how the last try ended that a breaker counted
}

// A Monitor counts requests and lists problems. Use New. It is safe for concurrent use.
type Monitor struct {
	cfg     Config
	started time.Time

	mu       sync.Mutex
	models   map[callwright.ModelID]*model
	outcomes [len(outcomes)]ring
	requests ring
	internal ring // requests that failed in the gateway itself
	faults   []*Fault
}

// outcomes are those of requests that have ended.
var outcomes = [...]outcome.Outcome{outcome.Passed, outcome.Translated, outcome.Healed, outcome.Failed}

// New makes a Monitor.
func New(cfg Config) *Monitor {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Monitor{cfg: cfg, started: cfg.Now(), models: map[callwright.ModelID]*model{}}
}

// Watch adds a source of problems. It is called before the Monitor is used by others.
func (m *Monitor) Watch(source func() []Problem) { m.cfg.Sources = append(m.cfg.Sources, source) }

// A model has the requests that came to a model.
type model struct {
	asked     ring
	answered  ring               // of them, by the model itself
	elsewhere ring               // of them, by a fallback
	healed    ring               // of those that it answered, with the outcome healed
	other     callwright.ModelID // the fallback that answered last
	named     bool               // it was asked under another name than its own
	kinds     [len(kinds)]*failures
}

// failures are those of one kind.
type failures struct {
	ring
	mark int64 // how many requests the model had answered at the last of them
}

// A Request is one that has ended.
type Request struct {
	Report  *callwright.Report // nil for none
	Outcome outcome.Outcome
	// Kind is that of the error that the client got, KindCanceled where the client left, "" for an answer.
	Kind callwright.Kind
	// Passed is the model that a request without a report went to.
	Passed callwright.ModelID
}

// Count counts a request for a model that has ended.
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

// mayLack reports whether a request for which there are no credentials may fail with a kind.
func mayLack(k callwright.Kind) bool {
	return k == callwright.KindAuth || k == callwright.KindUnavailable || k == callwright.KindTimeout
}

// countAttempts counts a request for each model that it came to. Of the attempts at a model in a row the last one
// counts.
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
		default: // another model was asked all the same
			k = callwright.KindInvalidCall
		}
		n := numberOf(k)
		if k != "" && kinds[n].class == ofNobody {
			continue
		}
		is := m.of(a.Model, minute)
		is.asked.add(minute)
		is.named = is.named || a.Model != rep.Model
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
			is.elsewhere.add(minute)
			is.other = rep.Attempts[last].Model
		}
	}
}

// fail counts a failure of the kind at n.
func (is *model) fail(n int, minute int64) {
	f := is.kinds[n]
	if f == nil {
		f = &failures{}
		is.kinds[n] = f
	}
	f.add(minute)
	f.mark = is.answered.all
}

// of returns the counts of a model. The caller holds mu.
func (m *Monitor) of(id callwright.ModelID, minute int64) *model {
	if is := m.models[id]; is != nil {
		return is
	}
	if len(m.models) >= maxModels {
		m.evict(minute)
	}
	is := &model{}
	m.models[callwright.ModelID(strings.Clone(string(id)))] = is // it may be a piece of a longer text
	return is
}

// evict forgets a model: one that was not asked lately, or else the one that was asked least.
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

// Requests counts requests by outcome.
type Requests struct {
	Passed     int64 `json:"passed"`
	Translated int64 `json:"translated"`
	Healed     int64 `json:"healed"`
	Failed     int64 `json:"failed"`
}

// Total is how many they are.
func (r Requests) Total() int64 { return r.Passed + r.Translated + r.Healed + r.Failed }

// A Counted has the requests of the last 15 minutes, and all since the start.
type Counted struct {
	Recent Requests `json:"last_15_minutes"`
	All    Requests `json:"since_start"`
}

// A Status is the status of a gateway.
type Status struct {
	State         string    `json:"status"` // "ready", or "degraded" where there are problems
	Version       string    `json:"version"`
	Started       time.Time `json:"started"`
	UptimeSeconds int64     `json:"uptime_seconds"`
	Requests      Counted   `json:"requests"`
	Problems      []Problem `json:"problems"` // the worst first
	Targets       []Target  `json:"targets,omitempty"`
}

// The states of a Status.
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
