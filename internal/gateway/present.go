package gateway

import (
	"strings"

	"github.com/callwright/callwright"
)

// configured begins the operation of errors that the configuration has found, before a provider said anything.
const configured = "config."

// presentable returns an error as clients see it. What a provider says that refuses the gateway's own key may show a part of that key:
// clients get the status, which their SDKs know, and words of our own. What is the client's fault is one whatever status the
// provider has for it.
func presentable(e *callwright.Error) *callwright.Error {
	switch {
	case e.Kind == callwright.KindAuth && e.Model != "" && !strings.HasPrefix(e.Op, configured):
		name, _ := e.Model.Split()
		return &callwright.Error{Op: e.Op, Kind: e.Kind, Model: e.Model, Status: e.Status, NoRetry: true, Report: e.Report,
			Message: "provider " + name + " does not accept the key that the gateway has for it: see providers." + name + ".api_key"}
	case e.Status >= 500 && e.Kind.Status() < 500 && e.Kind.Status() > 0:
		out := *e
		out.Status = 0
		return &out
	}
	return e
}
