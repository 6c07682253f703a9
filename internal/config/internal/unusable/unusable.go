// Package unusable has a model whose provider cannot be used.
package unusable

import (
	"context"
	"iter"

	"github.com/callwright/callwright"
)

// A Model stands for the first model of a fallback chain when its provider cannot be used, such as for a key that is
// not there: the fallback chain goes on to the next, and the report says why.
type Model struct {
	id  callwright.ModelID
	err *callwright.Error
}

var (
	_ callwright.Model      = (*Model)(nil)
	_ callwright.Identifier = (*Model)(nil)
)

// New makes a model that fails with a copy of the error.
func New(id callwright.ModelID, err *callwright.Error) *Model { return &Model{id, err} }

// ID returns the name of the model that cannot be asked.
func (u *Model) ID() callwright.ModelID { return u.id }

// failure returns the error, whose report says that nothing was sent.
func (u *Model) failure() *callwright.Error {
	e := *u.err
	e.Report = &callwright.Report{Model: u.id, Attempts: []callwright.Attempt{{Model: u.id, Error: e.Error(), Kind: e.Kind}}}
	return &e
}

// Generate fails.
func (u *Model) Generate(context.Context, *callwright.Request) (*callwright.Response, error) {
	return nil, u.failure()
}

// Stream fails.
func (u *Model) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		yield(nil, u.failure())
	}
}
