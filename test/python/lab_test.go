package python_test

import (
	"context"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/simulate"
)

// The keys that simulated providers and the gateway ask for.
const (
	upstreamKey = "upstream-secret"
	gatewayKey  = "gateway-secret"
)

// A lab is the gateway in front of simulated providers, one for each wire, which is also its name.
type lab struct {
	url       string
	players   map[string]*simulate.Server
	addresses map[string]string // of the providers
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{players: map[string]*simulate.Server{}, addresses: map[string]string{}}
	text := "keys: [" + gatewayKey + "]\nproviders:\n"
	for wire, base := range map[string]string{
		simulate.OpenAI: "/v1", simulate.Responses: "/v1", simulate.Anthropic: "", simulate.Gemini: "", simulate.Ollama: "",
	} {
		l.players[wire] = simulate.New(simulate.Weather(), simulate.Key(upstreamKey))
		srv := httptest.NewServer(l.players[wire])
		t.Cleanup(srv.Close)
		l.addresses[wire] = srv.URL
		text += fmt.Sprintf("  lab-%s: {wire: %s, base_url: %q, api_key: %s}\n", wire, wire, srv.URL+base, upstreamKey)
	}
	conf, err := config.Parse([]byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	registry, err := config.NewRegistry(conf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(registry.Close)
	l.url = serve(t, gateway.Config{Models: registry, Keys: []string{gatewayKey}, Reuse: gateway.Reuse{Bodies: true}})
	return l
}

// serve runs a gateway until the test ends and gives its address.
func serve(t *testing.T, cfg gateway.Config) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- gateway.New(cfg).Serve(ctx, ln) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + ln.Addr().String()
}

// refusals returns why providers refused requests that came against the rules of their APIs, by model.
func (l *lab) refusals() map[string]string {
	found := map[string]string{}
	for _, player := range l.players {
		for _, seen := range player.Requests() {
			if seen.Refused != "" {
				found[seen.Model] = seen.Refused
			}
		}
	}
	return found
}

// word writes a name without what separates the parts of models' names.
func word(name string) string { return strings.NewReplacer(" ", "_", "/", "_").Replace(name) }
