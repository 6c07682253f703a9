package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
)

var _ gateway.Models = (*config.Live)(nil)

func parsed(t *testing.T, text string) *config.Config {
	t.Helper()
	c, err := config.Parse([]byte(text), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Another configuration holds from the next request on, what was learned stays, and one that cannot be used changes nothing.
func TestLive(t *testing.T) {
	live, err := config.NewLive(parsed(t, "providers: {sim: {}}\nmodels: {a: {model: sim/native}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { live.Close() })
	before, err := live.Resolve("a")
	if err != nil {
		t.Fatal(err)
	}
	if err := live.Registry().Learn(t.Context(), "a", []caps.Fact{{Key: "max_context", Value: "4096", Source: caps.Learned}}); err != nil {
		t.Fatal(err)
	}
	if err := live.Replace(parsed(t, "providers: {sim: {}}\nmodels: {b: {model: sim/native}}\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := live.Resolve("a"); err == nil {
		t.Error("a name of the old configuration still leads somewhere")
	}
	after, err := live.Resolve("b")
	if err != nil {
		t.Fatal(err)
	}
	if facts, err := after.Facts(t.Context()); err != nil || len(facts) != 1 {
		t.Errorf("got %v, %v", facts, err)
	}
	if facts, err := before.Facts(t.Context()); err != nil || len(facts) != 1 {
		t.Errorf("a request that began before: got %v, %v", facts, err)
	}
	wrong := &config.Config{Models: config.Models{{Name: "c", Model: "nowhere/x"}}}
	if err := live.Replace(wrong); err == nil {
		t.Error("a configuration that leads nowhere was taken")
	}
	if _, err := live.Resolve("b"); err != nil {
		t.Errorf("the old configuration is gone: %v", err)
	}
}

// A Live has every method by which a gateway may ask a Registry: those that take or give what the gateway knows.
func TestLiveIsComplete(t *testing.T) {
	// Of a registry alone: what commands ask for, which replace nothing, and what Live.Registry is asked for each time that problems are listed.
	alone := []string{"CallCheck", "Candidates", "Cards", "Direct", "Endpoint", "Forget", "FullName", "Learn", "Providers", "SecretProblems", "Skips", "Unread", "Unusable", "WithoutCredentials"}
	has := reflect.TypeFor[*config.Live]()
	for i := range reflect.TypeFor[*config.Registry]().NumMethod() {
		name := reflect.TypeFor[*config.Registry]().Method(i).Name
		if _, ok := has.MethodByName(name); !ok && !slices.Contains(alone, name) {
			t.Errorf("Registry.%s: a gateway with a Live does not find it", name)
		}
	}
}

// A configuration tells of the files that were read with it.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	conf, format := filepath.Join(dir, "callwright.yaml"), filepath.Join(dir, "format.yaml")
	for name, text := range map[string]string{
		conf:   "providers: {sim: {tool_format: format.yaml}}\n",
		format: `{name: house, format: xml, example: '<run tool="search"><with key="q">x</with></run>'}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := config.Load(conf, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Files(); len(got) != 1 || got[0] != format {
		t.Errorf("got %v", got)
	}
}

// What is said about running the gateway is checked at its place.
func TestOperationFaults(t *testing.T) {
	for text, want := range map[string]string{
		"metrics: maybe": "1:10: metrics: unknown switch \"maybe\"",
		"telemetry: {endpoint: 'collector:4317'}": "telemetry.endpoint: expected an address",
		"telemetry: {endpoint: 'http://u:p@c'}":   "without credentials: move them to headers",
		"telemetry: {content: loud}":              "telemetry.content: unknown switch",
		"server: {tls: {cert: a.pem}}":            "server.tls: expected cert and key",
		"server: {header_bytes: 100}":             "server.header_bytes: expected at least 4096",
		"server: {read_timeout: 10}":              "server.read_timeout: expected a duration",
		"server: {connections: -1}":               "server.connections: ",
	} {
		_, err := config.Parse([]byte(text), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	c := parsed(t, "metrics: off\ntelemetry: {endpoint: http://127.0.0.1:4318, headers: {x-key: env:KEY}}\n")
	if _, err := c.Telemetry.RevealedHeaders(func(string) (string, bool) { return "", false }); err == nil {
		t.Error("a variable that is not set is no error")
	}
	got, err := c.Telemetry.RevealedHeaders(func(string) (string, bool) { return "sesame", true })
	if err != nil || got["x-key"] != "sesame" || c.Metrics != config.Off {
		t.Errorf("got %v, %v, metrics %s", got, err, c.Metrics)
	}
}
