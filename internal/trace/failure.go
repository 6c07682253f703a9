package trace

import (
	"errors"
	"time"
	"unicode/utf8"

	"github.com/callwright/callwright"
)

// A failure is the JSON form of a callwright.Error.
type failure struct {
	Op         string             `json:"op,omitempty"`
	Kind       callwright.Kind    `json:"kind"`
	Model      callwright.ModelID `json:"model,omitempty"`
	Path       string             `json:"path,omitempty"`
	Message    string             `json:"message,omitempty"`
	Status     int                `json:"status,omitempty"`
	Code       string             `json:"code,omitempty"`
	Feature    callwright.Feature `json:"feature,omitempty"`
	Body       string             `json:"body,omitempty"`
	Body64     []byte             `json:"body_base64,omitempty"` // in place of a body that is not UTF-8
	Recovered  string             `json:"recovered,omitempty"`
	Finish     callwright.Finish  `json:"finish,omitempty"`
	RetryAfter time.Duration      `json:"retry_after_ns,omitempty"`
	NoRetry    bool               `json:"no_retry,omitempty"`
	Report     *callwright.Report `json:"report,omitempty"`
	Cause      string             `json:"cause,omitempty"`
}

// failureOf returns the JSON form of an error, nil for nil.
func failureOf(e *callwright.Error) *failure {
	if e == nil {
		return nil
	}
	f := &failure{
		Op: e.Op, Kind: e.Kind, Model: e.Model, Path: e.Path, Message: e.Message, Status: e.Status, Code: e.Code, Feature: e.Feature,
		Recovered: e.Recovered, Finish: e.Finish, RetryAfter: e.RetryAfter, NoRetry: e.NoRetry, Report: e.Report,
	}
	if utf8.Valid(e.Body) {
		f.Body = string(e.Body)
	} else {
		f.Body64 = e.Body
	}
	if e.Err != nil {
		f.Cause = e.Err.Error()
	}
	return f
}

// err returns the decoded error, nil for nil.
func (f *failure) err() *callwright.Error {
	if f == nil {
		return nil
	}
	e := &callwright.Error{
		Op: f.Op, Kind: f.Kind, Model: f.Model, Path: f.Path, Message: f.Message, Status: f.Status, Code: f.Code,
		Feature: f.Feature, Recovered: f.Recovered,
		Finish: f.Finish, RetryAfter: f.RetryAfter, NoRetry: f.NoRetry, Report: f.Report, Body: f.Body64,
	}
	if f.Body != "" {
		e.Body = []byte(f.Body)
	}
	if f.Cause != "" {
		e.Err = errors.New(f.Cause)
	}
	return e
}

// errorOf returns err as a callwright.Error. Models return no other errors.
func errorOf(err error) *callwright.Error {
	if e, ok := errors.AsType[*callwright.Error](err); ok {
		return e
	}
	return &callwright.Error{Kind: callwright.KindOf(err), Err: err}
}
