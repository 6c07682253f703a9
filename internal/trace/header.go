package trace

import (
	"net/http"
	"strings"

	"github.com/callwright/callwright/internal/redact"
)

// askedMembers are the request headers that are recorded, both of clients and to providers. None of them may contain a
// credential. Other headers are never recorded.
var askedMembers = [...]string{
	"Content-Type", "User-Agent", "X-Request-Id", "X-Client-Request-Id", "Anthropic-Version", "Anthropic-Beta",
}

// mostHeader is the maximum recorded length of a header in bytes.
const mostHeader = 512

// clientHeader returns the recorded headers of a client's request, without credentials.
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

// askedHeader returns the recorded headers of a request without secrets, nil if there are none.
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

// headerValue returns the recorded value of a header: joined, without secrets, at most mostHeader bytes.
func headerValue(values []string, secrets redact.Secrets) string {
	text := secrets.Text(strings.Join(values, ", "))
	return strings.ToValidUTF8(text[:min(len(text), mostHeader)], "\uFFFD")
}
