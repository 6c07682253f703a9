package gateway

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/redact"
	"github.com/callwright/callwright/internal/wire/credential"
)

// hideCredentials takes the credentials that a request has in its body out of its report, in place.
func (x *exchange) hideCredentials(req *callwright.Request, rep *callwright.Report) {
	if len(rep.Notes) == 0 && len(rep.Invalid) == 0 && len(rep.Attempts) < 2 {
		return // nothing in it is of the request
	}
	if secrets := x.secrets(req); !secrets.Empty() {
		*rep = *secrets.Report(rep)
	}
}

// indexed is a request's body whose members are known.
type indexed interface {
	Is(bytes []byte) bool
	credential.Indexed
}

// secrets returns the credentials in the body that the client sent. It is not read again where req was decoded from it
// as it came.
func (x *exchange) secrets(req *callwright.Request) redact.Secrets {
	if body, ok := companion.Of(req).Body.(indexed); ok && body.Is(x.request) {
		return credential.SecretsIn(body)
	}
	return credential.Secrets(x.request)
}

// withoutCredentials returns an error, and the report that it has, without the credentials that the request has in its
// body.
func (x *exchange) withoutCredentials(e *callwright.Error) *callwright.Error {
	secrets := credential.Secrets(x.request)
	if secrets.Empty() {
		return e
	}
	out := *secrets.Error(e)
	out.Report = secrets.Report(out.Report)
	return &out
}
