// Package fault defines the errors of configurations, with their positions.
package fault

import (
	"fmt"
	"strings"
)

// An Error is an error in a configuration. Line and Column count from 1, and are 0 if the configuration was not read
// from text. Excerpt shows the line with the position; credentials in it are masked.
type Error struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Path    string `json:"path,omitempty"` // path of the key: models.fast.mode
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

// Brief returns "file:line:column: path: message" without empty parts, and without the excerpt.
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

// Errors are all errors in a configuration, at least one, in the order of their positions.
type Errors []*Error

// Error returns all errors, separated by newlines.
func (e Errors) Error() string {
	texts := make([]string, len(e))
	for i := range e {
		texts[i] = e[i].Error()
	}
	return strings.Join(texts, "\n")
}

// Unwrap returns the single errors, for errors.As and errors.Is.
func (e Errors) Unwrap() []error {
	out := make([]error, len(e))
	for i := range e {
		out[i] = e[i]
	}
	return out
}
