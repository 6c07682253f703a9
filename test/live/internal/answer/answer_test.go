package answer_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright/test/live/internal/answer"
)

// A key goes by the content of a request, not by the order of its own members.
func TestKey(t *testing.T) {
	const base = `{"model": "m", "tools": [{"a": 1, "b": 2}]}`
	key := answer.Key("m", "e", "/p", []byte(base))
	for other, same := range map[string]bool{
		`{"tools":[{"a":1,"b":2}],"model":"m"}`:               true,
		`{"model": "m", "tools": [{"b": 2, "a": 1}]}`:         false,
		`{"model": "m", "tools": [{"a": 1, "b": 3}]}`:         false,
		`{"model": "m", "tools": [{"a": 1, "b": 2}], "n": 1}`: false,
	} {
		if got := answer.Key("m", "e", "/p", []byte(other)) == key; got != same {
			t.Errorf("%s: the same key: %t", other, got)
		}
	}
	if answer.Key("m2", "e", "/p", []byte(base)) == key || answer.Key("m", "e2", "/p", []byte(base)) == key || answer.Key("m", "e", "/q", []byte(base)) == key {
		t.Error("model, engine or path make no difference")
	}
}

// A request that was answered is not sent again, also after a kill that cut the last line of the file; a busy server is asked again.
func TestRecorder(t *testing.T) {
	sent := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent++
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "busy") {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		io.WriteString(w, "said "+string(body))
	}))
	defer server.Close()
	name := filepath.Join(t.TempDir(), "answers.jsonl")
	ask := func(texts ...string) (taken int) {
		store, err := answer.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		r := answer.NewRecorder(store, "m", "e")
		for _, text := range texts {
			resp, err := (&http.Client{Transport: r}).Post(server.URL+"/v1", "application/json", strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			got, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if string(got) != "said "+text {
				t.Errorf("%s was answered with %s", text, got)
			}
		}
		return len(r.Taken())
	}
	if n := ask("1", "2", "1"); n != 3 || sent != 2 {
		t.Errorf("%d answers of %d requests", n, sent)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text[:len(text)-5], 0o600); err != nil { // as if a kill had cut it
		t.Fatal(err)
	}
	if ask("1", "2", "3"); sent != 4 {
		t.Errorf("%d requests after the cut, expected 4", sent)
	}
	if ask("1", "2", "3"); sent != 4 {
		t.Errorf("%d requests after all was answered, expected 4", sent)
	}
	ask("busy")
	if ask("busy"); sent != 6 {
		t.Errorf("%d requests, expected the busy server to be asked again", sent)
	}
}

// A Cost is read out of both APIs.
func TestCost(t *testing.T) {
	for body, want := range map[string]answer.Cost{
		`{"usage":{"completion_tokens":30,"prompt_tokens":153},"timings":{"prompt_ms":1500.0,"predicted_ms":500.5}}`:                         {Input: 153, Output: 30, Seconds: 2.0005},
		`{"prompt_eval_count":10,"prompt_eval_duration":1000000000,"eval_count":5,"eval_duration":500000000,"load_duration":1}`:              {Input: 10, Output: 5, Seconds: 1.5},
		"data: {\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1}}\n\ndata: {\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":9}}": {Input: 7, Output: 9, Seconds: 4},
		`{"error": "no"}`: {Seconds: 4},
	} {
		if got := (&answer.Answer{Body: body, Seconds: 4}).Cost(); got != want {
			t.Errorf("%s: %+v, expected %+v", body, got, want)
		}
	}
}

// A second run does not get the file of one that goes on.
func TestOpenTwice(t *testing.T) {
	name := filepath.Join(t.TempDir(), "answers.jsonl")
	first, err := answer.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := answer.Open(name); err == nil {
		second.Close()
		t.Error("two runs have the file")
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := answer.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}
