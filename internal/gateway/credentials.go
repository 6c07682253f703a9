package gateway

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/credential"
)

// hideCredentials takes the credentials that a request has in its body out of its report, in place.
func (x *exchange) hideCredentials(rep *callwright.Report) {
	if len(rep.Notes) == 0 && len(rep.Invalid) == 0 && len(rep.Attempts) < 2 {
		return // nothing in it is of the request
	}
	*rep = *credential.Secrets(x.request).Report(rep)
}

// withoutCredentials returns an error, and the report that it has, without the credentials that the request has in its body.
func (x *exchange) withoutCredentials(e *callwright.Error) *callwright.Error {
	secrets := credential.Secrets(x.request)
	if secrets.Empty() {
		return e
	}
	out := *secrets.Error(e)
	out.Report = secrets.Report(out.Report)
	return &out
}
