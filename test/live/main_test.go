package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/test/live/internal/arm"
)

// A fakeServer answers like llama-server, by a hash of the request: a call, a call in the text, a call without arguments, or words.
type fakeServer struct {
	mu      sync.Mutex
	asked   map[string]int
	after   int    // requests after which stop is called
	stop    func() // as a kill does
	current int
}

func (f *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.Method != http.MethodPost {
		io.WriteString(w, `{"build_info": "fake"}`)
		return
	}
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	f.asked[string(body)]++
	f.current++
	if f.stop != nil && f.current > f.after {
		f.stop()
		f.mu.Unlock()
		<-r.Context().Done()
		return
	}
	f.mu.Unlock()
	var req struct {
		Tools []struct{ Function struct{ Name string } }
	}
	_ = json.Unmarshal(body, &req)
	name := "nothing"
	if len(req.Tools) > 0 {
		name = req.Tools[0].Function.Name
	}
	message := map[string]any{"role": "assistant", "content": "Yes."}
	switch sha256.Sum256(body)[0] % 4 {
	case 0:
		message["content"] = "<tool_call>{\"name\": \"" + name + "\", \"arguments\": {\"city\": \"Oslo\"}}</tool_call>"
	case 1:
		message["tool_calls"] = []any{map[string]any{"id": "", "type": "function", "function": map[string]string{"name": name, "arguments": "{}"}}}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"id": "1", "object": "chat.completion", "choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": "stop"}},
		"usage": map[string]int{"prompt_tokens": 10, "completion_tokens": 5}})
}

// A run that is killed at any request goes on where it was, asks no request twice but the one that was under way, and comes to the same trials.
func TestResume(t *testing.T) {
	play := func(cache string, f *fakeServer) ([]arm.Trial, error) {
		server := httptest.NewServer(f)
		defer server.Close()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if f.after > 0 {
			f.stop = cancel
		}
		o := &options{models: "smollm135m", arms: "direct,off,auto,text,auto/anthropic", per: 1, cache: cache, server: server.URL}
		if err := run(ctx, o, io.Discard); err != nil {
			return nil, err
		}
		c, err := readCorpus(filepath.Join(cache, "live", "smollm135m"))
		if err != nil {
			return nil, err
		}
		for i := range c.trials {
			c.trials[i].Seconds = 0
		}
		return c.trials, nil
	}
	whole := &fakeServer{asked: map[string]int{}}
	want, err := play(t.TempDir(), whole)
	if err != nil {
		t.Fatal(err)
	}
	for body, n := range whole.asked {
		if n > 1 {
			t.Errorf("asked %d times: %s", n, body)
		}
	}
	if whole.current < 12 {
		t.Fatalf("%d requests are too few", whole.current)
	}
	for _, after := range []int{1, whole.current / 2, whole.current - 1} {
		t.Run(fmt.Sprint(after), func(t *testing.T) {
			cache := t.TempDir()
			first := &fakeServer{asked: map[string]int{}, after: after}
			if _, err := play(cache, first); err == nil {
				t.Fatal("the run ended before it was killed")
			}
			second := &fakeServer{asked: map[string]int{}}
			got, err := play(cache, second)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if all := after + second.current; all != whole.current {
				t.Errorf("%d requests before the kill and %d after it, expected %d", after, second.current, whole.current)
			}
		})
	}
}

// -update keeps the runs of other models, and the causes that a person wrote.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	c, err := readCorpus("testdata")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.write(dir); err != nil {
		t.Fatal(err)
	}
	again, err := readCorpus(dir)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(c.trials, again.trials); d != "" {
		t.Error(d)
	}
	for _, name := range []string{trialsFile, answersFile, runsFile, causesFile} {
		was, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		is, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if string(was) != string(is) {
			t.Errorf("%s changes when it is written again", name)
		}
	}
	for _, tr := range c.trials {
		for _, key := range tr.Answers {
			if c.answers.Get(key) == nil {
				t.Errorf("%s, %s, %s: the answer %s is missing", tr.Model, tr.Arm, tr.Question, key)
			}
		}
	}
}

var update = flag.Bool("update", false, "write the page, after causes were filled in")

// The page has the tables of what is kept.
func TestPage(t *testing.T) {
	c, err := readCorpus("testdata")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := c.writePage(); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, inside, _, err := section(string(text), sectionName)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(inside, c.section()); d != "" {
		t.Errorf("the page is stale: go test -run TestPage -update writes it. Page (-) kept (+):\n%s", d)
	}
	if !strings.Contains(inside, "| direct |") {
		t.Error("the page has no direct arm")
	}
}
