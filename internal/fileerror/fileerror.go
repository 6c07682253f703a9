// Package fileerror converts file errors to *callwright.Error.
package fileerror

import (
	"context"
	"errors"

	"github.com/callwright/callwright"
)

// Wrap converts an error of an operation on a file or folder to a *callwright.Error. The kind is KindCanceled if a
// context ended, otherwise KindInternal. It returns nil if err is nil, and the *callwright.Error itself if err wraps
// one.
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
