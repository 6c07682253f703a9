package store_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/store"
	"github.com/callwright/callwright/internal/store/natstest"
	"github.com/callwright/callwright/internal/testcert"
)

// A visitor is who comes to a server with guards, and what is said where it is refused; nothing where it is let in.
type visitor struct {
	config store.Config
	says   string
}

// visit has visitors come to a server.
func visit(t *testing.T, url string, all map[string]visitor) {
	t.Helper()
	for name, v := range all {
		t.Run(name, func(t *testing.T) {
			v.config.URL = url
			s, err := store.Open(t.Context(), v.config)
			if v.says != "" {
				if err == nil {
					t.Fatalf("it is let in; %q", append(health.Lines(s.Health()), errorOf(s.Close())))
				}
				if callwright.KindOf(err) != callwright.KindAuth || !strings.Contains(err.Error(), v.says) || strings.Contains(err.Error(), "sesame") {
					t.Errorf("got %s %v, want %q", callwright.KindOf(err), err, v.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			if _, err := s.Journal(fresh()).Append(t.Context(), "run_1", 0, agent.Entry{Kind: "test"}); err != nil {
				t.Error(err)
			}
		})
	}
}

func errorOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestPassword(t *testing.T) {
	t.Parallel()
	s := natstest.Start(t, natstest.Password("gateway", "sesame"))
	visit(t, s.ClientURL(), map[string]visitor{
		"right":      {config: store.Config{User: "gateway", Password: "sesame"}},
		"wrong":      {store.Config{User: "gateway", Password: "sesame open"}, "state.nats.user and state.nats.password"},
		"other user": {store.Config{User: "root", Password: "sesame"}, "state.nats.user and state.nats.password"},
		"none":       {store.Config{}, "state.nats.user and state.nats.password"},
	})
	inside := strings.Replace(s.ClientURL(), "nats://", "nats://gateway:sesame@", 1)
	visit(t, inside, map[string]visitor{"in the address": {}})
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	guard, good, expired := natstest.Operator(t)
	_, unknown, _ := natstest.Operator(t)
	visit(t, natstest.Start(t, guard).ClientURL(), map[string]visitor{
		"good":     {config: store.Config{Credentials: good}},
		"expired":  {store.Config{Credentials: expired}, "state.nats.credentials"},
		"unknown":  {store.Config{Credentials: unknown}, "state.nats.credentials"},
		"password": {store.Config{User: "gateway", Password: "sesame"}, "state.nats.credentials"},
	})
}

// certificate makes one that vouches for itself.
func certificate(t *testing.T, name string) (c natstest.Certificate) {
	t.Helper()
	c.Cert, c.Key = testcert.Write(t, t.TempDir(), name, time.Now())
	return c
}

func TestTLS(t *testing.T) {
	t.Parallel()
	server, client, stranger := certificate(t, "server"), certificate(t, "client"), certificate(t, "stranger")
	address := natstest.Start(t, natstest.TLS(t, server, client)).ClientURL()
	for _, url := range []string{address, strings.Replace(address, "nats://", "tls://", 1)} {
		visit(t, url, map[string]visitor{
			"right":                        {config: store.Config{TLS: store.TLS{CA: server.Cert, Cert: client.Cert, Key: client.Key}}},
			"nobody vouches for it":        {store.Config{TLS: store.TLS{Cert: client.Cert, Key: client.Key}}, "state.nats.tls.ca"},
			"somebody else vouches for it": {store.Config{TLS: store.TLS{CA: stranger.Cert, Cert: client.Cert, Key: client.Key}}, "state.nats.tls.ca"},
			"without a certificate":        {store.Config{TLS: store.TLS{CA: server.Cert}}, "state.nats.tls.cert"},
			"a certificate of a stranger":  {store.Config{TLS: store.TLS{CA: server.Cert, Cert: stranger.Cert, Key: stranger.Key}}, "state.nats.tls.cert"},
		})
	}
}

// Files that hold something else are named.
func TestIdentityRefused(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("sesame"), 0o600); err != nil {
		t.Fatal(err)
	}
	server, client := certificate(t, "server"), certificate(t, "client")
	address := natstest.Start(t, natstest.TLS(t, server, client)).ClientURL()
	operator, _, _ := natstest.Operator(t)
	guarded := natstest.Start(t, operator).ClientURL()
	for name, c := range map[string]store.Config{
		"an authority that is none":   {TLS: store.TLS{CA: broken}},
		"a certificate that is none":  {TLS: store.TLS{Cert: broken, Key: client.Key}},
		"the key of another one":      {TLS: store.TLS{Cert: client.Cert, Key: broken}},
		"credentials that hold none":  {URL: guarded, Credentials: broken},
		"credentials without a file":  {URL: guarded, Credentials: broken + ".not"},
		"a certificate without a key": {TLS: store.TLS{Cert: client.Cert}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.URL == "" {
				c.URL, c.TLS.CA = address, cmp.Or(c.TLS.CA, server.Cert)
			}
			s, err := store.Open(t.Context(), c)
			if err == nil {
				_ = s.Close()
			}
			if callwright.KindOf(err) != callwright.KindInvalid || strings.Contains(errorOf(err), "sesame") {
				t.Errorf("got %v", err)
			}
		})
	}
}
