package config

import (
	"fmt"

	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/secretfile"
)

// A Switch is on or off; empty was not said.
type Switch string

// The values of a Switch.
const (
	On  Switch = "on"
	Off Switch = "off"
)

// switchWords are the words for it.
var switchWords = []string{string(On), string(Off)}

// Telemetry says where spans of OpenTelemetry go.
type Telemetry struct {
	Endpoint string                     `json:"endpoint,omitempty" default:"that of OTEL_EXPORTER_OTLP_ENDPOINT, else none" example:"http://127.0.0.1:4318" jsonschema:"the base address of a collector that takes OTLP over HTTP; /v1/traces is added. Without one no span is made"`
	Headers  map[string]provider.Secret `json:"headers,omitempty" default:"those of OTEL_EXPORTER_OTLP_HEADERS" jsonschema:"headers of every request to the collector; a value may be env:NAME or file:PATH"`
	Content  Switch                     `json:"content,omitempty" default:"off" jsonschema:"whether spans have what was said: messages, answers and what notes quote"`
}

// A TLS names the files of a certificate. They are read again when they change.
type TLS struct {
	Cert Path `json:"cert,omitempty" default:"none" example:"tls.crt" jsonschema:"the certificate in PEM, with those between it and its authority"`
	Key  Path `json:"key,omitempty" default:"none" example:"tls.key" jsonschema:"its private key in PEM"`
}

// operation checks the settings for running the gateway.
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
		k.fail("server.header_bytes", "expected at least %d bytes, got %d: clients send more than that", least, n)
	}
}

// CurrentHeaders returns a function for the headers whose values are in files, as they are now; it is nil where there
// are none.
func (t *Telemetry) CurrentHeaders() func() map[string]string {
	files := map[string]string{}
	for name, s := range t.Headers {
		if path, ok := s.File(); ok {
			files[name] = path
		}
	}
	return secretfile.Texts(files)
}

// RevealedHeaders returns the headers as they are sent; env finds those that stand in the environment. One that is not
// there is an error.
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
