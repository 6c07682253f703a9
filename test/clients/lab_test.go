package clients_test

import (
	"context"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// upstreamKey is the key that the simulated providers ask for. Clients never have it.
const upstreamKey = "upstream-secret"

// A lab is the gateway in front of simulated providers, one for each wire.
type lab struct {
	url     string
	players map[string]*simulate.Server // by wire
}

// newLab starts a gateway that asks clients for the keys, if there are any.
func newLab(t *testing.T, keys ...string) *lab {
	t.Helper()
	l := &lab{players: map[string]*simulate.Server{}}
	m := &models{providers: map[string]*provider.Provider{}, clients: map[string]*reliable.Client{}}
	for wire, base := range map[string]string{
		simulate.OpenAI: "/v1", simulate.Responses: "/v1", simulate.Anthropic: "", simulate.Gemini: "", simulate.Ollama: "",
	} {
		l.players[wire] = simulate.New(simulate.Weather(), simulate.Key(upstreamKey))
		srv := httptest.NewServer(l.players[wire])
		t.Cleanup(srv.Close)
		m.add(t, wire, srv.URL+base, nil)
		m.add(t, wire+"-once", srv.URL+base, new(int))
	}
	l.url = serve(t, gateway.Config{Models: m, Keys: keys})
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
	cfg.Reuse.Bodies = true
	go func() { done <- gateway.New(cfg).Serve(ctx, ln) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + ln.Addr().String()
}

// models resolves "provider/name". Every name is a model of its own, about which nothing is known yet.
type models struct {
	providers map[string]*provider.Provider

	mu      sync.Mutex
	clients map[string]*reliable.Client
}

func (m *models) add(t *testing.T, name, base string, retries *int) {
	t.Helper()
	t.Helper()
	wire, _, _ := strings.Cut(name, "-")
	m.open(t, provider.Config{Name: name, Wire: callwright.WireName(wire), BaseURL: base, MaxRetries: retries})
}

// open adds a provider, which asks for upstreamKey.
func (m *models) open(t *testing.T, cfg provider.Config) {
	t.Helper()
	cfg.APIKey = provider.NewSecret(upstreamKey)
	p, err := provider.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	m.providers[cfg.Name] = p
}

func (m *models) Resolve(name string) (*reliable.Client, error) {
	at, model, _ := strings.Cut(name, "/")
	p := m.providers[at]
	if p == nil {
		return nil, &callwright.Error{Kind: callwright.KindNotFound, Message: "there is no model " + name}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.clients[name]
	if c == nil {
		c = reliable.New(p.Model(model))
		m.clients[name] = c
	}
	return c, nil
}

func (m *models) List(context.Context) []callwright.ModelID { return nil }
