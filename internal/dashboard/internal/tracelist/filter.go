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

// path is where the list is.
const path = "/ui/traces"

// A Filter holds the values of the form above the list. The zero Filter selects all requests.
type Filter struct {
	Key, Session, Model, Tool, Error, Outcome, Rule, Text, Age string
}

// fields names the fields of a filter as the form has them.
func (f *Filter) fields() map[string]*string {
	return map[string]*string{
		"key": &f.Key, "session": &f.Session, "model": &f.Model, "tool": &f.Tool, "error": &f.Error, "outcome": &f.Outcome,
		"rule": &f.Rule, "text": &f.Text, "age": &f.Age,
	}
}

// FilterOf reads the filter of a form. A field that comes several times has all its words.
func FilterOf(form url.Values) Filter {
	var f Filter
	for name, field := range f.fields() {
		*field = strings.TrimSpace(strings.Join(form[name], " "))
	}
	return f
}

// Address returns the address of the list by this filter, with further values of its form: names and values by turns.
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

// Query is the query of the filter at a time. Values that are none of a field's are left out.
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
