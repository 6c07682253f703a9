package config

import (
	"fmt"

	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/secretfile"
)

// A Switch is on or off, or empty if the configuration does not contain it.
type Switch string

// The values of a Switch.
const (
	On  Switch = "on"
	Off Switch = "off"
)

// switchWords are the permitted words of a Switch.
var switchWords = []string{string(On), string(Off)}

// Telemetry configures the export of OpenTelemetry spans.
type Telemetry struct {
	Endpoint string                     `json:"endpoint,omitempty" default:"OTEL_EXPORTER_OTLP_ENDPOINT" example:"http://127.0.0.1:4318" jsonschema:"the base URL of a collector for OTLP over HTTP; /v1/traces is appended. Without one no spans are created"`
	Headers  map[string]provider.Secret `json:"headers,omitempty" default:"OTEL_EXPORTER_OTLP_HEADERS" jsonschema:"headers of every request to the collector; a value may be env:NAME or file:PATH"`
	Content  Switch                     `json:"content,omitempty" default:"off" jsonschema:"whether spans contain content: messages, answers and quotes in notes"`
}

// A TLS names the files of a TLS certificate. The gateway reloads them when they change.
type TLS struct {
	Cert Path `json:"cert,omitempty" default:"none" example:"tls.crt" jsonschema:"the certificate in PEM form, with intermediate certificates"`
	Key  Path `json:"key,omitempty" default:"none" example:"tls.key" jsonschema:"its private key in PEM form"`
}

// operation reports errors in the settings telemetry and server.
func (k *checker) operation() {
	t := &k.c.Telemetry
	if t.Endpoint != "" && !k.bad("telemetry.endpoint") {
		k.hideUser(t.Endpoint)
		if err := checkAddress(t.Endpoint, "headers"); err != nil {
			k.fail("telemetry.endpoint", "%v", err)
		}
	}
	k.secrets("telemetry.headers", t.Headers)
	s := &k.c.Server
	if (s.TLS.Cert == "") != (s.TLS.Key == "") && !k.bad("server.tls") {
		k.fail("server.tls", "expected cert and key, got one of them")
	}
	const least = 4096
	if n := s.HeaderBytes; n != 0 && n < least && !k.bad("server.header_bytes") {
		k.fail("server.header_bytes", "expected at least %d bytes, got %d: clients send longer headers", least, n)
	}
}

// CurrentHeaders returns a function that returns the present values of the headers whose values are in files. The
// function is nil if there are none.
func (t *Telemetry) CurrentHeaders() func() map[string]string {
	files := map[string]string{}
	for name, s := range t.Headers {
		if path, ok := s.File(); ok {
			files[name] = path
		}
	}
	return secretfile.Texts(files)
}

// RevealedHeaders returns the values of all headers. env returns the values of environment variables for env:NAME. A
// value that cannot be resolved is an error.
func (t *Telemetry) RevealedHeaders(env func(string) (string, bool)) (map[string]string, error) {
	out := map[string]string{}
	for name, s := range t.Headers {
		v, err := resolveSecret(s, env)
		if err != nil {
			return nil, fmt.Errorf("telemetry.headers.%s: %w", name, err)
		}
		out[name] = v
	}
	return out, nil
}
