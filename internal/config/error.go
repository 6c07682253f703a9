package config

import (
	"cmp"
	"slices"

	"github.com/callwright/callwright/internal/config/internal/fault"
)

// An Error is one thing wrong with a configuration and where, see [fault.Error].
type Error = fault.Error

// Errors are all that is wrong with a configuration, in the order of the text. There is at least one.
type Errors = fault.Errors

// position is a place in the text.
type position struct{ line, column int }

func sortErrors(list []*Error) {
	slices.SortStableFunc(list, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
