package telemetry_test

import (
	"maps"
	"testing"

	"github.com/callwright/callwright/internal/telemetry"
)

// Where spans go is what the configuration says, then what the standard variables say.
func TestSpansFrom(t *testing.T) {
	for _, tc := range []struct {
		name     string
		env      map[string]string
		cfg      telemetry.SpansConfig
		endpoint string
		headers  map[string]string
		service  string
		extra    int
	}{
		{name: "nothing"},
		{name: "configured", cfg: telemetry.SpansConfig{Endpoint: "http://c:4318/"}, endpoint: "http://c:4318/v1/traces"},
		{name: "environment", env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://e:4318", "OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20b, x=1"},
			endpoint: "http://e:4318/v1/traces", headers: map[string]string{"api-key": "a b", "x": "1"}},
		{name: "of traces", env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://e", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://t/in", "OTEL_EXPORTER_OTLP_HEADERS": "x=1",
			"OTEL_EXPORTER_OTLP_TRACES_HEADERS": "x=2"}, endpoint: "https://t/in", headers: map[string]string{"x": "2"}},
		{name: "both", env: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://e", "OTEL_EXPORTER_OTLP_HEADERS": "x=1,y=1"},
			cfg: telemetry.SpansConfig{Endpoint: "http://c", Headers: map[string]string{"x": "2"}}, endpoint: "http://c/v1/traces", headers: map[string]string{"x": "2", "y": "1"}},
		{name: "disabled", env: map[string]string{"OTEL_SDK_DISABLED": "true"}, cfg: telemetry.SpansConfig{Endpoint: "http://c"}},
		{name: "resource", env: map[string]string{"OTEL_RESOURCE_ATTRIBUTES": "service.name=a,deployment.environment.name=prod"}, service: "a", extra: 1},
		{name: "service", env: map[string]string{"OTEL_RESOURCE_ATTRIBUTES": "service.name=a", "OTEL_SERVICE_NAME": "b"}, service: "b"},
	} {
		got, err := telemetry.SpansFrom(func(name string) (string, bool) { v, ok := tc.env[name]; return v, ok }, tc.cfg)
		if err != nil || got.Endpoint != tc.endpoint || !maps.Equal(got.Headers, tc.headers) || got.Service != tc.service || len(got.Extra) != tc.extra {
			t.Errorf("%s: got %+v, %v", tc.name, got, err)
		}
	}
	for _, text := range []string{"sesame", "=1", "x=%zz"} {
		env := func(name string) (string, bool) { return text, name == "OTEL_EXPORTER_OTLP_HEADERS" }
		if _, err := telemetry.SpansFrom(env, telemetry.SpansConfig{}); err == nil || err.Error() != "OTEL_EXPORTER_OTLP_HEADERS: expected pairs such as name=value, separated by commas" {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

// OTEL_TRACES_SAMPLER says which requests become spans; what the client's traceparent says goes first with parentbased_.
func TestSampler(t *testing.T) {
	const sampled, not = "00-" + traceID + "-" + parent + "-01", "00-" + traceID + "-" + parent + "-00"
	for _, tc := range []struct {
		sampler, arg, traceparent string
		want                      int
	}{
		{"", "", "", 2}, {"", "", not, 0}, {"", "", sampled, 2},
		{"always_on", "", not, 2}, {"always_off", "", sampled, 0}, {"traceidratio", "0", sampled, 0}, {"traceidratio", "", "", 2},
		{"parentbased_always_on", "", not, 0}, {"parentbased_always_off", "", sampled, 2}, {"parentbased_always_off", "", "", 0},
		{"parentbased_traceidratio", "0", "", 0}, {"parentbased_traceidratio", "0", sampled, 2},
	} {
		env := map[string]string{"OTEL_TRACES_SAMPLER": tc.sampler, "OTEL_TRACES_SAMPLER_ARG": tc.arg}
		cfg, err := telemetry.SpansFrom(func(name string) (string, bool) { v, ok := env[name]; return v, ok }, telemetry.SpansConfig{})
		if err != nil {
			t.Fatal(err)
		}
		c := collect(t)
		cfg.Endpoint = c.URL + "/v1/traces"
		s, err := telemetry.NewSpans(cfg)
		if err != nil {
			t.Fatal(err)
		}
		o := passed()
		if tc.traceparent != "" {
			o.Header.Set("Traceparent", tc.traceparent)
		}
		s.End(s.Begin(t.Context(), o), o)
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := int(s.SentCount()); got != tc.want {
			t.Errorf("%s %s, client %q: %d spans, expected %d", tc.sampler, tc.arg, tc.traceparent, got, tc.want)
		}
	}
	for _, env := range []map[string]string{{"OTEL_TRACES_SAMPLER": "some"}, {"OTEL_TRACES_SAMPLER_ARG": "2"}, {"OTEL_TRACES_SAMPLER_ARG": "NaN"}} {
		if _, err := telemetry.SpansFrom(func(name string) (string, bool) { v, ok := env[name]; return v, ok }, telemetry.SpansConfig{}); err == nil {
			t.Errorf("%v: no error", env)
		}
	}
}
