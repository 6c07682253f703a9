package gateway

import "github.com/callwright/callwright"

// presentable returns an error as clients see it: an error of the client has a status that says so, whatever status the
// provider has for it.
func presentable(e *callwright.Error) *callwright.Error {
	if e.Status >= 500 && e.Kind.Status() < 500 && e.Kind.Status() > 0 {
		out := *e
		out.Status = 0
		return &out
	}
	return e
}
