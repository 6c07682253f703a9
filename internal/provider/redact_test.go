package provider_test

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/provider"
)

// A provider that repeats what it was sent shows no credential to anybody.
func TestErrorsShowNoCredentials(t *testing.T) {
	const key, header = "sk-very-secret-key", "another-secret-value"
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		said := r.Header.Get("Authorization") + " " + r.Header.Get("X-Extra") + " " + base64.StdEncoding.EncodeToString([]byte("user:"+key)) + " mcp-token-0123"
		_, _ = w.Write([]byte(`{"error":{"message":"bad: ` + said + `","code":"tool_use_failed","failed_generation":"` + said + `"}}`))
	}))
	defer srv.Close()
	p, err := provider.New(provider.Config{Name: "lab", Wire: callwright.WireOpenAI, BaseURL: srv.URL,
		APIKey: provider.NewSecret(key), Headers: map[string]string{"X-Extra": header}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	req := ask()
	companion.Change(req, func(c *companion.Companion) {
		c.Edits = []callwright.Edit{{Path: []string{"mcp_servers"}, Value: []byte(`[{"authorization_token":"mcp-token-0123"}]`)}}
	})
	_, err = p.Model("m").Generate(context.Background(), req)
	e, ok := err.(*callwright.Error)
	if !ok {
		t.Fatalf("expected an error, got %v", err)
	}
	for _, text := range []string{e.Error(), e.Recovered, string(e.Body)} {
		for _, secret := range []string{key, header, "mcp-token-0123", base64.StdEncoding.EncodeToString([]byte("user:" + key))[8:]} {
			if strings.Contains(text, secret) {
				t.Errorf("%q is shown: %s", secret, text)
			}
		}
	}
	if !strings.Contains(e.Recovered, "Bearer") {
		t.Errorf("the text was not recovered: %q", e.Recovered)
	}
}
