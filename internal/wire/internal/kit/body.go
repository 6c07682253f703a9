package kit

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Begin checks that a request's body is one JSON object and gives the place where it begins. op is for the error.
func Begin(op string, raw []byte) (start int, err error) {
	if bad := jsonx.Valid(raw); bad != nil {
		return 0, Invalid(op, "", "expected a JSON object: "+strings.TrimPrefix(bad.Error(), "json: "))
	}
	if start = jsonx.Space(raw, 0); raw[start] != '{' {
		return 0, Invalid(op, "", "expected a JSON object, got "+KindOf(raw[start:]))
	}
	return start, nil
}
