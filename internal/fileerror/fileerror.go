// Package fileerror makes errors of the vocabulary of those about files.
package fileerror

import (
	"context"
	"errors"

	"github.com/callwright/callwright"
)

// Wrap is the error of an operation on a file or a folder, err itself where it is a *callwright.Error or nil. Where its
// context has ended the kind is KindCanceled, else KindInternal.
func Wrap(op, path string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*callwright.Error](err); ok {
		return e
	}
	kind := callwright.KindInternal
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		kind = callwright.KindCanceled
	}
	return &callwright.Error{Op: op, Kind: kind, Message: path, Err: err}
}
