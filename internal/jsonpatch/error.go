package jsonpatch

import (
	"fmt"
)

// A Code is the kind of a fault.
type Code string

// The codes.
const (
	CodeJSON      Code = "INVALID_JSON"
	CodeDuplicate Code = "DUPLICATE_MEMBER"
	CodePatch     Code = "INVALID_PATCH"   // it is no list of operations, or one of them lacks something
	CodePointer   Code = "INVALID_POINTER" // a text is no JSON pointer
	CodePath      Code = "PATH_NOT_FOUND"
	CodeType      Code = "WRONG_TYPE" // a path goes on below a value that has nothing below it
	CodeIndex     Code = "INVALID_INDEX"
	CodeTest      Code = "TEST_FAILED"
	CodeMove      Code = "MOVE_INTO_ITSELF"
	CodeSize      Code = "TOO_LARGE"
	CodeDepth     Code = "TOO_DEEP"
)

// An Error is why a text is no document or no patch, or why a patch does not apply.
type Error struct {
	Code    Code
	At      string // JSON pointer into the patch, such as "/2/path"; "" where it is about all of it, or about a document
	Path    string // JSON pointer into the document
	Message string
}

// Error is the message.
func (e *Error) Error() string { return e.Message }

func fail(code Code, path Pointer, format string, args ...any) *Error {
	return &Error{Code: code, Path: path.String(), Message: fmt.Sprintf(format, args...)}
}
