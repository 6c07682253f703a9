// Package unusable defines a model whose requests always fail.
package unusable

import (
	"context"
	"iter"

	"github.com/callwright/callwright"
)

// A Model replaces the first model of a fallback chain if its provider cannot be used, for example because its API key
// is missing. Its requests fail, so that the next model is tried and the report contains the error.
type Model struct {
	id  callwright.ModelID
	err *callwright.Error
}

var (
	_ callwright.Model      = (*Model)(nil)
	_ callwright.Identifier = (*Model)(nil)
)

// New returns a model whose requests fail with a copy of err.
func New(id callwright.ModelID, err *callwright.Error) *Model { return &Model{id, err} }

// ID returns the name of the model that is replaced.
func (u *Model) ID() callwright.ModelID { return u.id }

// failure returns a copy of the error with a report of one failed attempt.
func (u *Model) failure() *callwright.Error {
	e := *u.err
	e.Report = &callwright.Report{Model: u.id, Attempts: []callwright.Attempt{{Model: u.id, Error: e.Error(), Kind: e.Kind}}}
	return &e
}

// Generate returns the error.
func (u *Model) Generate(context.Context, *callwright.Request) (*callwright.Response, error) {
	return nil, u.failure()
}

// Stream yields the error.
func (u *Model) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		yield(nil, u.failure())
	}
}
