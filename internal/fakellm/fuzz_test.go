package fakellm_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/fakellm"
)

// No body makes the server panic, but for the abort that a fault asks for; errors are always JSON.
func FuzzServer(f *testing.F) {
	for _, fault := range fakellm.Faults() {
		c := conversation{model: fault.Model(), tools: true, messages: ask(twoCities)}
		for i, wire := range wires {
			body, err := json.Marshal(c.body(wire))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(body), i == 0)
		}
	}
	f.Add(`{"model":"missing","tool_choice":"required","tools":[{"type":"function","function":{"name":"a"}}],"messages":[{"role":"user","content":[]}]}`, true)
	f.Fuzz(func(t *testing.T, body string, openAI bool) {
		path := paths[fakellm.Anthropic]
		if openAI {
			path = paths[fakellm.OpenAI]
		}
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("anthropic-version", "2023-06-01")
		w := httptest.NewRecorder()
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				panic(p)
			}
		}()
		fakellm.New(fakellm.Weather()).ServeHTTP(w, r)
		if w.Code != http.StatusOK && !json.Valid(w.Body.Bytes()) {
			t.Errorf("status %d with %q", w.Code, w.Body)
		}
	})
}
