package jsonpatch

import (
	"fmt"
)

// A Code is the type of an Error.
type Code string

// The values of Code.
const (
	CodeJSON      Code = "INVALID_JSON"
	CodeDuplicate Code = "DUPLICATE_MEMBER"
	CodePatch     Code = "INVALID_PATCH"   // the patch is not a list of operations, or an operation is incomplete
	CodePointer   Code = "INVALID_POINTER" // a string is not a JSON Pointer
	CodePath      Code = "PATH_NOT_FOUND"
	CodeType      Code = "WRONG_TYPE" // a path continues below a scalar
	CodeIndex     Code = "INVALID_INDEX"
	CodeTest      Code = "TEST_FAILED"
	CodeMove      Code = "MOVE_INTO_ITSELF"
	CodeSize      Code = "TOO_LARGE"
	CodeDepth     Code = "TOO_DEEP"
)

// An Error is the reason why a text is not a valid document or patch, or why a patch cannot be applied.
type Error struct {
	Code    Code
	At      string // JSON Pointer into the patch, such as "/2/path"; "" for the whole patch or an error in a document
	Path    string // JSON Pointer into the document
	Message string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func fail(code Code, path Pointer, format string, args ...any) *Error {
	return &Error{Code: code, Path: path.String(), Message: fmt.Sprintf(format, args...)}
}
