package gateway

import "github.com/callwright/callwright"

// presentable returns e for clients. If the provider answered 5xx for an error that the client caused, the returned
// error has the 4xx status of its kind.
func presentable(e *callwright.Error) *callwright.Error {
	if e.Status >= 500 && e.Kind.Status() < 500 && e.Kind.Status() > 0 {
		out := *e
		out.Status = 0
		return &out
	}
	return e
}
