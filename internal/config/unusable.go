package config

import (
	"context"
	"iter"

	"github.com/callwright/callwright"
)

// unusable stands for the first model of a ladder when its provider cannot be used, such as for a key that is not there: the ladder goes
// on to the next, and the report says why.
type unusable struct {
	id  callwright.ModelID
	err *callwright.Error
}

var (
	_ callwright.Model      = (*unusable)(nil)
	_ callwright.Identifier = (*unusable)(nil)
)

// newUnusable makes it of the error. A key that is not there is an error of authentication, everything else says that the model cannot be had.
func newUnusable(id callwright.ModelID, err error) *unusable {
	kind := callwright.KindUnavailable
	if callwright.KindOf(err) == callwright.KindAuth {
		kind = callwright.KindAuth
	}
	return &unusable{id, &callwright.Error{Op: opResolve, Kind: kind, Model: id, Message: plain(err), NoRetry: true}}
}

// ID returns the name of the model that cannot be asked.
func (u *unusable) ID() callwright.ModelID { return u.id }

// Generate fails.
func (u *unusable) Generate(context.Context, *callwright.Request) (*callwright.Response, error) {
	e := *u.err
	return nil, &e
}

// Stream fails.
func (u *unusable) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		e := *u.err
		yield(nil, &e)
	}
}
