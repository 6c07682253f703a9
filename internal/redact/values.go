package redact

import (
	"errors"
	"slices"

	"github.com/callwright/callwright"
)

// Error returns a copy of e without secrets. It returns e itself if s is empty.
func (s Secrets) Error(e *callwright.Error) *callwright.Error {
	if e == nil || s.Empty() {
		return e
	}
	out := *e
	for _, text := range []*string{&out.Message, &out.Code, &out.Path, &out.Recovered} {
		*text = s.Text(*text)
	}
	out.Feature = callwright.Feature(s.Text(string(out.Feature)))
	out.Body = s.Stream(out.Body)
	if out.Err != nil {
		if text := out.Err.Error(); s.Text(text) != text {
			out.Err = errors.New(s.Text(text))
		}
	}
	return &out
}

// Report returns a copy of r without secrets. It returns r itself if s is empty.
func (s Secrets) Report(r *callwright.Report) *callwright.Report {
	if r == nil || s.Empty() {
		return r
	}
	out := *r
	out.Notes, out.Attempts, out.Invalid = s.Notes(r.Notes), slices.Clone(r.Attempts), slices.Clone(r.Invalid)
	for i := range out.Invalid {
		out.Invalid[i].Violations = slices.Clone(out.Invalid[i].Violations)
	}
	for i := range out.Attempts {
		a := &out.Attempts[i]
		a.Error = s.Text(a.Error)
	}
	for i := range out.Invalid {
		c := &out.Invalid[i]
		c.Raw = s.Text(c.Raw)
		for k := range c.Violations {
			c.Violations[k].Message = s.Text(c.Violations[k].Message)
		}
	}
	return &out
}

// Notes returns a copy of notes without secrets. It returns notes itself if s is empty.
func (s Secrets) Notes(notes []callwright.Note) []callwright.Note {
	if s.Empty() {
		return notes
	}
	out := slices.Clone(notes)
	for i := range out {
		n := &out[i]
		for _, text := range []*string{&n.Was, &n.Now, &n.Why, &n.Path} {
			*text = s.Text(*text)
		}
	}
	return out
}
