package workspace

import (
	"errors"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonpatch"
)

// The values of Code in a [callwright.Error] for a rejected edit. The Kind is KindInvalid unless the comment names
// another one. A faulty patch has further codes, such as "INVALID_PATCH".
const (
	CodePathNotFound = string(jsonpatch.CodePath)
	// CodeWrongType: a path continues below a scalar, or the facts would not be an object.
	CodeWrongType       = string(jsonpatch.CodeType)
	CodeTooMany         = "TOO_MANY"         // KindTooLarge: too many locks or proposals
	CodeLocked          = "LOCKED"           // KindPermission: the patch changes a locked value
	CodeNotAllowed      = "NOT_ALLOWED"      // KindPermission: the actor may not make edits of this kind
	CodeConflict        = "CONFLICT"         // KindConflict: Base is not the newest version
	CodeUnknownProposal = "UNKNOWN_PROPOSAL" // KindNotFound: no proposal has this ID
	CodeInvalidEdit     = "INVALID_EDIT"     // the fields of the edit contradict each other
	// CodeUnchanged: the edit has no effect. The lock or proposal already exists, the lock to remove does not exist, or
	// the facts already have the value.
	CodeUnchanged = "UNCHANGED"
)

// A PatchError is the cause of an error about a faulty patch.
type PatchError struct {
	At      string // JSON pointer into the patch, such as "/2/path"
	Message string
}

// Error returns e.Message.
func (e *PatchError) Error() string { return e.Message }

const opApply = "workspace.apply"

// refuse returns the error for a rejected edit. path is a JSON pointer into the edited document.
func refuse(kind callwright.Kind, code, path, format string, args ...any) *callwright.Error {
	e := callwright.Errorf(opApply, kind, path, format, args...)
	e.Code = code
	return e
}

// editError converts an error about a patch or a path to a *callwright.Error with a *PatchError. It returns other
// errors unchanged.
func editError(err error) error {
	e, ok := errors.AsType[*jsonpatch.Error](err)
	if !ok {
		return err
	}
	kind := callwright.KindInvalid
	if e.Code == jsonpatch.CodeSize || e.Code == jsonpatch.CodeDepth {
		kind = callwright.KindTooLarge
	}
	return &callwright.Error{Op: opApply, Kind: kind, Code: string(e.Code), Path: e.Path, Err: &PatchError{At: e.At, Message: e.Message}}
}
