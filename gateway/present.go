package gateway

import (
	"net/http"

	"github.com/callwright/callwright"
)

// presentable returns an error as clients see it. A provider that refuses the gateway's own key is no fault of the client, whose key is another.
func presentable(e *callwright.Error) *callwright.Error {
	if e.Kind != callwright.KindAuth || e.Model == "" {
		return e
	}
	return &callwright.Error{Op: e.Op, Kind: callwright.KindServer, Model: e.Model, Status: http.StatusBadGateway, NoRetry: true, Report: e.Report,
		Message: "the provider does not accept the key that the gateway has for it"}
}
