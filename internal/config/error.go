package config

import (
	"cmp"
	"slices"

	"github.com/callwright/callwright/internal/config/internal/fault"
)

// An Error is an error in a configuration with its position in the text, see [fault.Error].
type Error = fault.Error

// Errors are all errors in a configuration, at least one, in the order of their positions.
type Errors = fault.Errors

// position is a position in the text of the configuration, counted from 1.
type position struct{ line, column int }

func sortErrors(list []*Error) {
	slices.SortStableFunc(list, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
