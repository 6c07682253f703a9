package simulate_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/callwright/callwright/simulate"
)

// No body makes the server panic, but for the abort that a fault asks for; errors are always JSON.
func FuzzServer(f *testing.F) {
	for _, fault := range simulate.Faults() {
		c := conversation{model: fault.Model(), tools: true, messages: ask(twoCities)}
		for _, wire := range wires {
			path, body := request(f, wire, c.body(wire))
			f.Add(string(body), path)
		}
	}
	for _, l := range checkLists {
		for _, c := range l.cases {
			body := over(f, l.wire, c.trips)
			body["model"] = "strict-" + l.profile
			path, sent := request(f, l.wire, body)
			f.Add(string(sent), path)
		}
	}
	f.Add(`{"model":"missing","tool_choice":"required","tools":[{"type":"function","function":{"name":"a"}}],"messages":[{"role":"user","content":[]}]}`, "/v1/chat/completions")
	// A schema that refers to itself in many ways at once.
	f.Add(`{"model":"m","tool_choice":"required","tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","$defs":{"x":{"allOf":[{"$ref":"#/$defs/x"},{"$ref":"#/$defs/x"}],`+
		`"properties":{"a":{"$ref":"#/$defs/x"},"b":{"$ref":"#/$defs/x"}},"required":["a","b"]}},"properties":{"a":{"$ref":"#/$defs/x"}},"required":["a"]}}}],"messages":[{"role":"user","content":"f"}]}`, "/v1/chat/completions")
	f.Fuzz(func(t *testing.T, body, path string) {
		u, err := url.Parse(path)
		if err != nil || !strings.HasPrefix(path, "/") {
			t.Skip()
		}
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.URL = u
		r.Header.Set("anthropic-version", "2023-06-01")
		w := httptest.NewRecorder()
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				panic(p)
			}
		}()
		simulate.New(simulate.Weather()).ServeHTTP(w, r)
		if w.Code != http.StatusOK && !json.Valid(w.Body.Bytes()) {
			t.Errorf("status %d with %q", w.Code, w.Body)
		}
	})
}
