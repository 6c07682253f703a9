// Package fault has the errors of configurations, each with its place.
package fault

import (
	"fmt"
	"strings"
)

// An Error is one thing wrong with a configuration and where. Line and Column count from 1; they are 0 where the
// configuration was not read from text. Excerpt shows the place; credentials that stand there are masked.
type Error struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Path    string `json:"path,omitempty"` // models.fast.mode
	Message string `json:"message"`
	Excerpt string `json:"-"`
}

// Error returns "file:line:column: path: message" without empty parts, and the excerpt on the lines that follow.
func (e *Error) Error() string {
	s := e.Brief()
	if e.Excerpt != "" {
		s += "\n" + e.Excerpt
	}
	return s
}

// Brief returns the error on one line.
func (e *Error) Brief() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File + ":")
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, "%d:%d:", e.Line, e.Column)
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	return b.String() + e.Message
}

// Errors are all that is wrong with a configuration, in the order of the text. There is at least one.
type Errors []*Error

// Error returns the errors, one after the other.
func (e Errors) Error() string {
	texts := make([]string, len(e))
	for i := range e {
		texts[i] = e[i].Error()
	}
	return strings.Join(texts, "\n")
}

// Unwrap returns the errors to errors.As and errors.Is.
func (e Errors) Unwrap() []error {
	out := make([]error, len(e))
	for i := range e {
		out[i] = e[i]
	}
	return out
}
