package config_test

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/simulate"
)

// lines is a log that may be read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Only an unknown model whose settings ask for it is probed after its first use, once, also where programs share a folder.
func TestProbeUnknown(t *testing.T) {
	llm := simulate.New(simulate.Weather())
	srv := httptest.NewServer(llm)
	t.Cleanup(srv.Close)
	dir := t.TempDir()
	c := parse(t, `
state: {dir: `+dir+`}
providers: {lab: {base_url: `+srv.URL+`/v1, probe: unknown}}
models:
  lab/known: {caps: {tools: yes}}
  lab/left: {probe: off}
  alias: {model: lab/new}
`)
	var log lines
	first := registry(t, c, config.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	for _, name := range []string{"lab/known", "lab/left", "alias", "lab/new"} {
		ask(t, first, name)
	}
	deadline := time.Now().Add(2 * time.Minute)
	for !strings.Contains(log.String(), "was probed") && time.Now().Before(deadline) {
		time.Sleep(20 * time.Millisecond)
	}
	said := log.String()
	if strings.Count(said, "is probed in the background") != 1 || !strings.Contains(said, "model=lab/new") || !strings.Contains(said, "most_requests=") {
		t.Fatalf("the log says\n%s", said)
	}
	probed := func(r *config.Registry, name string) (n int) {
		client, err := r.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		facts, err := client.Facts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range facts {
			if f.Source == caps.Probed {
				n++
			}
		}
		return n
	}
	if probed(first, "alias") < 5 || probed(first, "lab/known") > 0 || probed(first, "lab/left") > 0 {
		t.Errorf("facts: %d %d %d", probed(first, "alias"), probed(first, "lab/known"), probed(first, "lab/left"))
	}
	second := registry(t, c)
	before := len(llm.Requests())
	ask(t, second, "lab/new")
	second.Close()
	if n := len(llm.Requests()) - before; n > 2 {
		t.Errorf("%d requests: it was probed again", n)
	}
	if probed(second, "lab/new") < 5 {
		t.Error("the other program has no facts")
	}
}

// Without the setting nothing runs in the background, and asking a model directly is no use.
func TestProbeOff(t *testing.T) {
	llm, base := upstream(t)
	r := registry(t, parse(t, "providers: {lab: {base_url: "+base+"/v1}, other: {base_url: "+base+"/v1, probe: unknown}}"))
	ask(t, r, "lab/new")
	m, err := r.Direct("other/new")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Generate(t.Context(), &callwright.Request{Model: "other/new", Messages: []callwright.Message{callwright.UserText("Hello.")}}); err != nil {
		t.Fatal(err)
	}
	r.Close()
	if n := len(llm.Requests()); n != 3 {
		t.Errorf("%d requests", n)
	}
}
