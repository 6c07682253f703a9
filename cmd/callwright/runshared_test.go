package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A machine is one on which commands run: it has a configuration and a home of its own.
type machine struct {
	t    *testing.T
	conf string
	env  map[string]string
}

func newMachine(t *testing.T, conf string) *machine {
	return &machine{t: t, conf: written(t, t.TempDir(), "callwright.yaml", conf)}
}

// do runs a command line.
func (m *machine) do(ctx context.Context, args ...string) (status int, out, said string) {
	var o, e bytes.Buffer
	status = run(ctx, append(args, "--config", m.conf), streams{in: strings.NewReader(""), out: &o, err: &e}, func(name string) (string, bool) { v, ok := m.env[name]; return v, ok })
	return status, o.String(), e.String()
}

// runs are those that are kept, as they are listed.
func (m *machine) runs() (list []struct{ Run, Stop, Prompt string }) {
	m.t.Helper()
	status, out, said := m.do(m.t.Context(), "runs", "--json")
	if status != exitDone {
		m.t.Fatalf("status %d: %s", status, said)
	}
	for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
		var r struct{ Run, Stop, Prompt string }
		if err := dec.Decode(&r); err != nil {
			m.t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// asked is the id of the run that a command line has ended with.
func asked(t *testing.T, said string) string {
	t.Helper()
	_, id, found := strings.Cut(said, "--resume ")
	if !found {
		t.Fatalf("it cannot go on: %s", said)
	}
	return strings.Fields(id)[0]
}

const weatherToAsk = `{"name":"get_weather","approve":"always","parameters":{"type":"object","properties":{"city":{"type":"string"}}},"run":{"command":["echo","3 degrees"]}}`

// A run that waits for a person on one machine is listed and answered on another one, where both have the same NATS. A folder that is named stays one.
func TestRunsShared(t *testing.T) {
	needsLong(t)
	_, address := startNATS(t)
	conf := fmt.Sprintf("providers: {sim: {}}\nagent: {model: sim/native}\nstate: {nats: %q}\n", address)
	here, there := newMachine(t, conf), newMachine(t, conf)
	status, _, said := here.do(t.Context(), "run", "--tools", weatherToAsk, "What is the weather in Oslo?")
	if status != exitParked {
		t.Fatalf("status %d: %s", status, said)
	}
	id := asked(t, said)
	if list := there.runs(); len(list) != 1 || list[0].Run != id || list[0].Stop != "parked" || list[0].Prompt != "What is the weather in Oslo?" {
		t.Errorf("got %+v", list)
	}
	if status, out, said := there.do(t.Context(), "run", "--resume", id, "--answer", "yes"); status != exitDone || out == "" {
		t.Errorf("status %d: %s", status, said)
	}
	if list := here.runs(); len(list) != 1 || list[0].Stop != "answered" {
		t.Errorf("got %+v", list)
	}
	dir := t.TempDir()
	if status, _, said := here.do(t.Context(), "run", "--state", dir, "Hello."); status != exitDone || keptRun(t, dir) == "" {
		t.Errorf("in a folder: status %d: %s", status, said)
	}
	if list := there.runs(); len(list) != 1 {
		t.Errorf("a run in a folder is listed: %+v", list)
	}
}

// Of two processes that go on with one run at the same moment one does, and the other is told.
func TestRunsConflict(t *testing.T) {
	needsLong(t)
	_, address := startNATS(t)
	var resumed atomic.Bool
	var begin sync.Once
	var requests atomic.Int32 // of the two processes that go on
	begun, met := make(chan struct{}), make(chan struct{})
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet { // the list of models, before the run begins
			http.NotFound(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		if !resumed.Load() { // the run breaks off; the request may come again until then
			begin.Do(func() { close(begun) })
			<-r.Context().Done()
			return
		}
		if requests.Add(1) == 2 { // one that comes again later is answered at once
			close(met)
		}
		select {
		case <-met:
		case <-r.Context().Done():
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Done."},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	}))
	defer model.Close()
	conf := fmt.Sprintf("providers: {far: {wire: openai, base_url: %q, api_key: any}}\nagent: {model: far/m}\nstate: {nats: %q}\n", model.URL+"/v1", address)
	m := newMachine(t, conf)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		<-begun
		stop()
	}()
	_, _, said := m.do(ctx, "run", "Hello.")
	resumed.Store(true)
	id := asked(t, said)
	type end struct {
		status    int
		out, said string
	}
	ends := make(chan end, 2)
	for range 2 {
		other := newMachine(t, conf)
		go func() {
			status, out, said := other.do(t.Context(), "run", "--resume", id)
			ends <- end{status, out, said}
		}()
	}
	a, b := <-ends, <-ends
	if a.status != exitDone {
		a, b = b, a
	}
	if a.status != exitDone || !strings.Contains(a.out, "Done.") {
		t.Errorf("status %d: %s", a.status, a.said)
	}
	if b.status != exitFailed || !strings.Contains(b.said, "another process continues the run") {
		t.Errorf("status %d: %s%s", b.status, b.out, b.said)
	}
}

// Without NATS a run does not begin: what it does could not be kept. It is said which NATS is away.
func TestRunWithoutNATS(t *testing.T) {
	m := newMachine(t, "providers: {sim: {}}\nagent: {model: sim/native}\nstate: {nats: \"nats://127.0.0.1:1\"}\n")
	if status, _, said := m.do(t.Context(), "run", "Hello."); status != exitFailed || !strings.Contains(said, "nats://127.0.0.1:1") {
		t.Errorf("status %d: %s", status, said)
	}
}
