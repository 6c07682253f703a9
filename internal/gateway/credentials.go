package gateway

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/redact"
	"github.com/callwright/callwright/internal/wire/credential"
)

// hideCredentials removes from rep, in place, each credential that the request body contains.
func (x *exchange) hideCredentials(req *callwright.Request, rep *callwright.Report) {
	if len(rep.Notes) == 0 && len(rep.Invalid) == 0 && len(rep.Attempts) < 2 {
		return // the report quotes nothing of the request
	}
	if secrets := x.secrets(req); !secrets.Empty() {
		*rep = *secrets.Report(rep)
	}
}

// indexed is a decoded request body with an index of its members. Is reports whether it was decoded from these bytes.
type indexed interface {
	Is(bytes []byte) bool
	credential.Indexed
}

// secrets returns the credentials in the client's request body. It reuses the index of req if req was decoded from the
// unchanged body.
func (x *exchange) secrets(req *callwright.Request) redact.Secrets {
	if body, ok := companion.Of(req).Body.(indexed); ok && body.Is(x.request) {
		return credential.SecretsIn(body)
	}
	return credential.Secrets(x.request)
}

// withoutCredentials returns e, and its report, without the credentials in the request body.
func (x *exchange) withoutCredentials(e *callwright.Error) *callwright.Error {
	secrets := credential.Secrets(x.request)
	if secrets.Empty() {
		return e
	}
	out := *secrets.Error(e)
	out.Report = secrets.Report(out.Report)
	return &out
}
