package main

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/version"
)

// The document has every route of the gateway beside the APIs of providers, and nothing else, and the gateway serves each.
func TestOpenAPI(t *testing.T) {
	s := serve(t, "providers: {sim: {}}\n"+rootKey, nil)
	defer http.DefaultClient.CloseIdleConnections()
	var doc struct {
		OpenAPI string
		Info    struct{ Version string }
		Paths   map[string]map[string]struct {
			OperationID string `json:"operationId"`
		}
	}
	text := s.must(200, http.MethodGet, "/callwright/openapi.json", "root", "")
	if err := json.Unmarshal([]byte(text), &doc); err != nil || doc.OpenAPI != "3.1.0" || doc.Info.Version != version.This().Version {
		t.Fatalf("got %+v, %v", doc, err)
	}
	var documented []string
	ids := map[string]bool{}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			documented = append(documented, strings.ToUpper(method)+" "+path)
			if ids[op.OperationID] || op.OperationID == "" {
				t.Errorf("%s %s: the id %q stands twice, or is empty", method, path, op.OperationID)
			}
			ids[op.OperationID] = true
		}
	}
	var c gateway.Config
	(&backend{}).administer(&c)
	for path := range c.Admin {
		if doc.Paths[path] == nil {
			t.Errorf("%s is served, and not documented", path)
		}
	}
	for _, at := range documented {
		method, path, _ := strings.Cut(at, " ")
		path = regexp.MustCompile(`\{\w+\}`).ReplaceAllString(path, "x")
		if status, text := s.call(method, path, "root", `{}`); status == 405 || strings.Contains(text, "nothing is served at") {
			t.Errorf("%s: got %d %s", at, status, text)
		}
	}
}
