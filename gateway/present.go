package gateway

import (
	"net/http"

	"github.com/callwright/callwright"
)

// presentable returns an error as clients see it. A provider that refuses the gateway's own key is no fault of the client, whose key is
// another; what is the client's fault is one whatever status the provider has for it.
func presentable(e *callwright.Error) *callwright.Error {
	switch {
	case e.Kind == callwright.KindAuth && e.Model != "":
		return &callwright.Error{Op: e.Op, Kind: callwright.KindServer, Model: e.Model, Status: http.StatusBadGateway, NoRetry: true, Report: e.Report,
			Message: "the provider does not accept the key that the gateway has for it"}
	case e.Status >= 500 && e.Kind.Status() < 500 && e.Kind.Status() > 0:
		out := *e
		out.Status = 0
		return &out
	}
	return e
}
