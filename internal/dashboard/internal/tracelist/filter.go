// Package tracelist has the filter and the rows of the list of requests.
package tracelist

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
)

// path is the URL path of the list.
const path = "/ui/traces"

// A Filter holds the values of the filter form. The zero Filter selects all requests.
type Filter struct {
	Key, Session, Model, Tool, Error, Outcome, Rule, Text, Age string
}

// fields returns pointers to the fields by their names in the form.
func (f *Filter) fields() map[string]*string {
	return map[string]*string{
		"key": &f.Key, "session": &f.Session, "model": &f.Model, "tool": &f.Tool, "error": &f.Error, "outcome": &f.Outcome,
		"rule": &f.Rule, "text": &f.Text, "age": &f.Age,
	}
}

// FilterOf returns the filter of a form. Repeated values of a field are joined with spaces.
func FilterOf(form url.Values) Filter {
	var f Filter
	for name, field := range f.fields() {
		*field = strings.TrimSpace(strings.Join(form[name], " "))
	}
	return f
}

// Address returns the URL of the list with this filter. more are alternating names and values of further parameters.
func (f Filter) Address(more ...string) string {
	to := url.Values{}
	for name, field := range f.fields() {
		if *field != "" {
			to.Set(name, *field)
		}
	}
	for i := 0; i+1 < len(more); i += 2 {
		to.Set(more[i], more[i+1])
	}
	if len(to) == 0 {
		return path
	}
	return path + "?" + to.Encode()
}

// Query returns the query of the filter at a time. It ignores invalid values.
func (f *Filter) Query(now time.Time) trace.Query {
	q := trace.Query{Model: callwright.ModelID(f.Model), Rule: f.Rule, Key: f.Key, Session: f.Session,
		Tools: trace.Words(f.Tool), Text: trace.Words(f.Text)}
	if slices.Contains(outcome.Names(), f.Outcome) {
		q.Outcome = outcome.Outcome(f.Outcome)
	}
	if k := callwright.Kind(f.Error); slices.Contains(errorkind.All(), k) {
		q.Kind = k
	}
	if d, err := time.ParseDuration(f.Age); err == nil && d > 0 {
		q.Since = now.Add(-d)
	}
	return q
}
