package gateway

import "github.com/callwright/callwright"

// presentable returns an error as clients see it. What a provider says that refuses the gateway's own key may show a part of that key:
// clients get the status, which their SDKs know, and words of our own. What is the client's fault is one whatever status the
// provider has for it.
func presentable(e *callwright.Error) *callwright.Error {
	switch {
	case e.Kind == callwright.KindAuth && e.Model != "":
		return &callwright.Error{Op: e.Op, Kind: e.Kind, Model: e.Model, Status: e.Status, NoRetry: true, Report: e.Report,
			Message: "the provider does not accept the key that the gateway has for it"}
	case e.Status >= 500 && e.Kind.Status() < 500 && e.Kind.Status() > 0:
		out := *e
		out.Status = 0
		return &out
	}
	return e
}
