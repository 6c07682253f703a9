package main

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/version"
	"github.com/callwright/callwright/schema"
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
	(&backend{}).administer(&c, &bundler{})
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

// What the gateway answers, where it has something to tell, is as the document says.
func TestOpenAPIAnswers(t *testing.T) {
	s := serve(t, "providers: {sim: {}}\n"+rootKey, nil)
	defer http.DefaultClient.CloseIdleConnections()
	var doc struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct{ Schema json.RawMessage }
			}
		}
		Components json.RawMessage
	}
	if err := json.Unmarshal([]byte(s.must(200, http.MethodGet, "/callwright/openapi.json", "root", "")), &doc); err != nil {
		t.Fatal(err)
	}
	_, said := s.call(http.MethodPost, "/v1/chat/completions", "root", `{"model":"sim/hermes-unclosed","messages":[{"role":"user","content":"What is the weather in Oslo?"}],"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]}`, "Callwright-Report", "body")
	var answered struct{ Callwright struct{ ID string } }
	if err := json.Unmarshal([]byte(said), &answered); err != nil || answered.Callwright.ID == "" {
		t.Fatalf("no report: %v %s", err, said)
	}
	s.must(201, http.MethodPost, "/callwright/groups", "root", `{"name":"team","spend":{"usd":5}}`)
	s.must(201, http.MethodPost, "/callwright/keys", "root", `{"name":"ci","group":"team","labels":{"a":"b"},"limits":[{"models":"sim/*","tokens_per_minute":5}],"expires":"2099-01-01T00:00:00Z"}`)
	for _, c := range []struct{ method, path, route, body string }{
		{"get", "/callwright/reports/" + answered.Callwright.ID, "/callwright/reports/{id}", ""}, {"get", "/callwright/models/sim/hermes-unclosed/facts", "/callwright/models/{model}/facts", ""},
		{"post", "/callwright/explain", "/callwright/explain", `{"model":"sim/hermes","messages":[{"role":"user","content":"Hello"}]}`}, {"get", "/callwright/status", "/callwright/status", ""},
		{"get", "/callwright/usage", "/callwright/usage", ""}, {"get", "/callwright/usage?by=key,model,day,group", "/callwright/usage", ""}, {"get", "/callwright/keys", "/callwright/keys", ""},
		{"get", "/callwright/keys/ci", "/callwright/keys/{name}", ""}, {"get", "/callwright/groups", "/callwright/groups", ""}, {"get", "/callwright/groups/team", "/callwright/groups/{name}", ""},
		{"get", "/callwright/audit", "/callwright/audit", ""}, {"get", "/readyz", "/readyz", ""}, {"get", "/callwright/version", "/callwright/version", ""},
	} {
		text := s.must(200, strings.ToUpper(c.method), c.path, "root", c.body)
		of := doc.Paths[c.route][c.method].Responses["200"].Content["application/json"].Schema
		compiled, err := schema.Compile([]byte(`{"allOf":[` + string(of) + `],"components":` + string(doc.Components) + `}`))
		if err != nil {
			t.Fatalf("%s: %v", c.route, err)
		}
		for _, v := range compiled.Validate([]byte(text)) {
			t.Errorf("%s: %s %s in %s", c.path, v.Path, v.Message, text)
		}
		if compiled.Fits([]byte(`{"keys":5,"events":5,"groups":5}`)) {
			t.Errorf("%s: its schema takes anything", c.route)
		}
	}
}
