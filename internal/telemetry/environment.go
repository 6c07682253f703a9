package telemetry

import (
	"fmt"
	"net/url"
	"strings"

	"go.opentelemetry.io/otel/attribute"
)

// Environment variables of OpenTelemetry that are supported, in addition to those of the sampler.
//
// Source: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ and
// https://opentelemetry.io/docs/specs/otel/protocol/exporter/
const (
	envDisabled       = "OTEL_SDK_DISABLED"
	envEndpoint       = "OTEL_EXPORTER_OTLP_ENDPOINT"
	envTracesEndpoint = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	envHeaders        = "OTEL_EXPORTER_OTLP_HEADERS"
	envTracesHeaders  = "OTEL_EXPORTER_OTLP_TRACES_HEADERS"
	envService        = "OTEL_SERVICE_NAME"
	envResource       = "OTEL_RESOURCE_ATTRIBUTES"
)

// tracesPath is appended to the base URL of a collector.
const tracesPath = "/v1/traces"

// SpansFrom returns cfg completed by environment variables. cfg.Endpoint is a base URL, which takes precedence over the
// environment. Headers of cfg take precedence over those of the environment. The resulting Endpoint is "" if none is
// configured or the SDK is disabled. It returns an error if a variable is invalid.
func SpansFrom(env func(name string) (value string, ok bool), cfg SpansConfig) (SpansConfig, error) {
	value := func(name string) string { v, _ := env(name); return strings.TrimSpace(v) }
	if strings.EqualFold(value(envDisabled), "true") {
		cfg.Endpoint = ""
		return cfg, nil
	}
	switch whole, base := value(envTracesEndpoint), value(envEndpoint); {
	case cfg.Endpoint != "":
		cfg.Endpoint = strings.TrimSuffix(cfg.Endpoint, "/") + tracesPath
	case whole != "":
		cfg.Endpoint = whole
	case base != "":
		cfg.Endpoint = strings.TrimSuffix(base, "/") + tracesPath
	}
	headers := map[string]string{}
	for _, name := range []string{envHeaders, envTracesHeaders} {
		pairs, err := keyValues(name, value(name))
		if err != nil {
			return cfg, err
		}
		for _, p := range pairs {
			headers[p[0]] = p[1]
		}
	}
	for name, v := range cfg.Headers {
		headers[name] = v
	}
	cfg.Headers = headers
	about, err := keyValues(envResource, value(envResource))
	if err != nil {
		return cfg, err
	}
	for _, p := range about {
		if attribute.Key(p[0]) == keyServiceName {
			cfg.Service = p[1]
			continue
		}
		cfg.Extra = append(cfg.Extra, attribute.String(p[0], p[1]))
	}
	if cfg.Sampler, err = samplerFrom(value(envSampler), value(envSamplerArg)); err != nil {
		return cfg, err
	}
	if name := value(envService); name != "" {
		cfg.Service = name
	}
	return cfg, nil
}

// keyValues parses pairs such as a=1,b=2 with URL-escaped values. The error does not contain the values, because they
// may be keys.
func keyValues(variable, text string) ([][2]string, error) {
	var out [][2]string
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		key, v, ok := strings.Cut(part, "=")
		v, err := url.PathUnescape(strings.TrimSpace(v))
		if key = strings.TrimSpace(key); !ok || key == "" || err != nil {
			return nil, fmt.Errorf("%s: expected pairs such as name=value, separated by commas", variable)
		}
		out = append(out, [2]string{key, v})
	}
	return out, nil
}
