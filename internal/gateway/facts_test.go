package gateway_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
)

// oneModel is a directory of one model that keeps its client.
type oneModel struct {
	directory
	client *reliable.Client
}

func (o oneModel) Resolve(name string) (*reliable.Client, error) {
	if name != string(o.client.ID()) {
		return o.directory.Resolve(name)
	}
	return o.client, nil
}

// What was found about a model is shown, and forgotten by key or whole. The path names the model, slashes and all.
func TestFactsOfAModel(t *testing.T) {
	capsStore, ctx := caps.NewMemory(nil), context.Background()
	for _, f := range []caps.Fact{{Key: "tools", Value: "no", Source: caps.Learned, Evidence: "refused"}, {Key: "images", Value: "yes", Source: caps.Probed}} {
		if err := capsStore.Learn(ctx, "openai/m", f); err != nil {
			t.Fatal(err)
		}
	}
	p, err := provider.New(provider.Config{Name: "openai", Wire: callwright.WireOpenAI, BaseURL: "http://upstream/v1", APIKey: provider.NewSecret("k")})
	if err != nil {
		t.Fatal(err)
	}
	s := gateway.New(gateway.Config{Reuse: gateway.Reuse{Bodies: true}, Models: oneModel{directory{}, reliable.New(p.Model("m"), reliable.WithCapsStore(capsStore))}, Keys: []string{"k"}})
	ask := func(method, path, key string) (int, string) {
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set("Authorization", "Bearer "+key)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	for _, tc := range []struct {
		method, path, key string
		status            int
		has, lacks        string
	}{
		{http.MethodGet, "/callwright/models/openai/m/facts", "other", http.StatusUnauthorized, "", "tools"},
		{http.MethodDelete, "/callwright/models/openai/m/facts", "other", http.StatusUnauthorized, "", "tools"},
		{http.MethodGet, "/callwright/models/openai/m", "k", http.StatusNotFound, "/facts", ""},
		{http.MethodGet, "/callwright/models/openai/none/facts", "k", http.StatusNotFound, "", "tools"},
		{http.MethodPost, "/callwright/models/openai/m/facts", "k", http.StatusMethodNotAllowed, "", "tools"},
		{http.MethodGet, "/callwright/models/openai/m/facts", "k", http.StatusOK, `"key":"tools","value":"no","source":"learned"`, ""},
		{http.MethodDelete, "/callwright/models/openai/m/facts?key=tools", "k", http.StatusOK, `"source":"probed"`, "tools"},
		{http.MethodGet, "/callwright/models/openai/m/facts", "k", http.StatusOK, `"key":"images"`, "tools"},
		{http.MethodDelete, "/callwright/models/openai/m/facts", "k", http.StatusOK, `"facts":[]`, "images"},
	} {
		status, body := ask(tc.method, tc.path, tc.key)
		if status != tc.status || !strings.Contains(body, tc.has) || tc.lacks != "" && strings.Contains(body, tc.lacks) {
			t.Errorf("%s %s: %d %s", tc.method, tc.path, status, body)
		}
	}
}
