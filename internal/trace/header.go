package trace

import (
	"net/http"
	"strings"

	"github.com/callwright/callwright/internal/redact"
)

// askedMembers are the fields of a request's header that are recorded, of the client's request and of those to
// providers. They name programs, forms, versions and ids: no field that may hold a credential is among them. Other
// fields are never recorded.
var askedMembers = [...]string{
	"Content-Type", "User-Agent", "X-Request-Id", "X-Client-Request-Id", "Anthropic-Version", "Anthropic-Beta",
}

// mostHeader bounds a field of a header that is recorded, in bytes.
const mostHeader = 512

// clientHeader returns the recorded fields of a client's request header, without the credentials that fields hold.
func clientHeader(h http.Header, secrets redact.Secrets) map[string]string {
	if len(h) == 0 {
		return nil
	}
	for _, s := range secretsOf(&http.Request{Header: h}) {
		if s.always {
			secrets = secrets.With(s.text)
		}
	}
	return askedHeader(h, secrets)
}

// askedHeader returns the recorded fields of a request's header, without secrets; nil for none.
func askedHeader(h http.Header, secrets redact.Secrets) (out map[string]string) {
	for _, name := range askedMembers {
		if values := h[name]; len(values) > 0 {
			if out == nil {
				out = make(map[string]string, len(askedMembers))
			}
			out[name] = headerValue(values, secrets)
		}
	}
	return out
}

// headerValue is a field of a header as it is recorded.
func headerValue(values []string, secrets redact.Secrets) string {
	text := secrets.Text(strings.Join(values, ", "))
	return strings.ToValidUTF8(text[:min(len(text), mostHeader)], "\uFFFD")
}
