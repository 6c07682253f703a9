package workspace

import (
	"errors"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonpatch"
)

// The codes of errors that edits are refused with, in the Code of a [callwright.Error]. The kind is KindInvalid unless
// it is named. A patch that cannot be read or applied has further codes, such as "INVALID_PATCH".
const (
	CodePathNotFound    = string(jsonpatch.CodePath)
	CodeWrongType       = string(jsonpatch.CodeType) // a path goes on below a value that has nothing below it, or the facts would be no object
	CodeTooMany         = "TOO_MANY"                 // KindTooLarge: locks or proposals
	CodeLocked          = "LOCKED"                   // KindPermission
	CodeNotAllowed      = "NOT_ALLOWED"              // KindPermission: edits of this kind are for others
	CodeConflict        = "CONFLICT"                 // KindConflict: Base is not the newest version
	CodeUnknownProposal = "UNKNOWN_PROPOSAL"         // KindNotFound
	CodeInvalidEdit     = "INVALID_EDIT"             // its fields do not go together
	// CodeUnchanged: a lock or a proposal is there already or, to be taken off, is not; the facts say so already
	CodeUnchanged = "UNCHANGED"
)

// A PatchError is the cause of an error about a patch.
type PatchError struct {
	At      string // JSON pointer into the patch, such as "/2/path"
	Message string
}

// Error is the message.
func (e *PatchError) Error() string { return e.Message }

const opApply = "workspace.apply"

// refuse is the error of an edit that is not made. path is a JSON pointer into the document concerned.
func refuse(kind callwright.Kind, code, path, format string, args ...any) *callwright.Error {
	e := callwright.Errorf(opApply, kind, path, format, args...)
	e.Code = code
	return e
}

// editError is the error of an edit whose patch, or whose path, cannot be used.
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
