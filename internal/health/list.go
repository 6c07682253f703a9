package health

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright"
)

// Problems returns the present problems, the worst first. The result is not nil.
func (m *Monitor) Problems() []Problem {
	out := []Problem{}
	for _, source := range m.cfg.Sources {
		out = append(out, source()...)
	}
	if m.cfg.Targets != nil {
		out = append(out, targetProblems(m.cfg.Targets())...)
	}
	var skips []Skip
	if m.cfg.Skips != nil {
		skips = m.cfg.Skips()
	}
	now := m.cfg.Now()
	minute := now.Unix() / 60
	m.mu.Lock()
	for _, f := range m.faults {
		out = f.appendTo(out, now)
	}
	if n := m.internal.in(minute); n > 0 {
		total := m.requests.in(minute)
		out = append(out, Problem{Severity: Degraded, Subject: "gateway",
			Cause:  fmt.Sprintf("%d of %d requests failed: internal error", n, total),
			Remedy: "look at the log of the gateway", Count: n, Total: total, CountSinceStart: m.internal.all, TotalSinceStart: m.requests.all})
	}
	own := len(out)
	for id, is := range m.models {
		out = is.appendTo(out, id, minute)
		out = is.appendHealing(out, id, minute)
	}
	answeredElsewhere := func(id callwright.ModelID) bool {
		is := m.models[id]
		return is != nil && is.answeredByFallback.in(minute) > 0
	}
	for i := range skips {
		out = appendSkip(out, own, &skips[i], answeredElsewhere)
	}
	m.mu.Unlock()
	Worst(out)
	return out
}

// Thresholds of the problems of a model.
const (
	// fewRequests is the minimum number of failures whose cause may be the requests alone. These failures are a problem
	// only while the model answers no request.
	fewRequests = 3
	// share is the divisor of the minimum share of failed requests: one in 20.
	share = 20
	// dueFailures is a number of failures that is expected, at the earlier rate, among the answers since the last failure.
	// When that many were expected and none occurred, the problem is over.
	dueFailures = 4
)

// appendTo appends the problems of the model id to out. minute is the current Unix time in minutes.
func (is *model) appendTo(out []Problem, id callwright.ModelID, minute int64) []Problem {
	asked, answered, elsewhere := is.asked.in(minute), is.answered.in(minute), is.answeredByFallback.in(minute)
	base := Problem{Severity: Degraded, Subject: callwright.Excerpt(string(id)), Model: id, Total: asked, TotalSinceStart: is.asked.all}
	var list []Problem
	var parts []string
	for n := range is.kinds {
		f, k := is.kinds[n], &kinds[n]
		if f == nil || !is.isProblem(f, k, minute) {
			continue
		}
		p := base
		p.Kind, p.Count, p.CountSinceStart, p.Remedy = k.name, f.in(minute), f.all, k.remedy
		p.Cause = fmt.Sprintf("%d of %d %s: %s", p.Count, asked, k.verb, k.cause)
		if answered == 0 && asked > elsewhere && k.class != ofRequest && is.isConfigured(k) {
			p.Severity = Broken
		}
		parts = append(parts, fmt.Sprintf("%d %s: %s", p.Count, k.verb, k.cause))
		list = append(list, p)
	}
	if len(list) == 0 || elsewhere < asked {
		return append(out, list...)
	}
	Worst(list)
	p := list[0] // if a fallback answered all requests: one problem for all kinds of failure
	p.Count, p.CountSinceStart, p.AnsweredBy = asked, is.asked.all-is.answered.all, is.other
	p.Cause = fmt.Sprintf("asked %d %s, answered 0, %s answers instead: %s", asked, times(asked), is.other, strings.Join(parts, ", "))
	return append(out, p)
}

func times(n int64) string {
	if n == 1 {
		return "time"
	}
	return "times"
}

// isConfigured reports whether a failure of kind k may be caused by the configuration. The exception is a model name
// that does not exist and that only clients have sent.
func (is *model) isConfigured(k *kind) bool {
	return k.name != callwright.KindNotFound || is.reachedByAlias || is.answered.all > 0
}

// isProblem reports whether the failures f of kind k are a problem of the model now. The package documentation has the
// conditions.
func (is *model) isProblem(f *failures, k *kind, minute int64) bool {
	n, asked, answered := f.in(minute), is.asked.in(minute), is.answered.in(minute)
	since := is.answered.all - f.answeredAtLastFailure
	switch {
	case n == 0:
		return false
	case k.class == ofRequest || !is.isConfigured(k):
		return answered == 0 && n >= fewRequests
	case k.class == refusal:
		return since == 0
	case answered == 0:
		return true
	}
	return n >= 2 && n*share >= asked && since*n < dueFailures*max(asked-since, n)
}

// appendSkip adds the problem that no requests are sent to a model for a time. If no circuit breaker is open and out
// has a problem of the same model and kind at index own or later, appendSkip extends its cause instead.
// answeredElsewhere reports whether fallbacks have answered requests to a model.
func appendSkip(out []Problem, own int, s *Skip, answeredElsewhere func(callwright.ModelID) bool) []Problem {
	left := Seconds(s.Left)
	if s.Breaker {
		p := Problem{Severity: Broken, Subject: callwright.Excerpt(string(s.Model)), Model: s.Model, Kind: s.Kind,
			Topic: TopicBreaker, Remedy: "check the provider; one request tries the model after this time",
			Cause: fmt.Sprintf("the circuit breaker is open: at least half of the last tries failed, the last one with %s; %d s left", s.Last, left)}
		if answeredElsewhere(s.Model) {
			p.Severity = Degraded
		}
		return append(out, p)
	}
	for i := own; i < len(out); i++ {
		if p := &out[i]; p.Model == s.Model && p.Kind == s.Kind {
			p.Cause += fmt.Sprintf("; skipped for %d s", left)
			return out
		}
	}
	k := &kinds[numberOf(s.Kind)]
	return append(out, Problem{Severity: Degraded, Subject: callwright.Excerpt(string(s.Model)), Model: s.Model, Kind: s.Kind,
		Remedy: k.remedy,
		Cause:  fmt.Sprintf("skipped for %d s: %s", left, k.cause)})
}
