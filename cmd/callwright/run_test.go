package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/longtest"
)

// noteEffect is a tool as a command: it adds its argument n to the file of its own argument, and its effect cannot be taken back.
func noteEffect() {
	var in struct{ N int }
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	f, err := os.OpenFile(os.Args[1], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(f, in.N)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(`"noted"`)
}

// tenSteps is a model that calls a tool ten times, one call an answer, and then answers. It answers by the conversation alone, so that it
// is the same one for every process. told is what it was told of its calls.
type tenSteps struct {
	mu   sync.Mutex
	told map[string]string
}

func (m *tenSteps) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Stream   bool
		Messages []struct {
			Role       string
			Content    string
			ToolCallID string `json:"tool_call_id"`
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n := 0
	m.mu.Lock()
	for _, msg := range in.Messages {
		switch msg.Role {
		case "assistant":
			n++
		case "tool":
			if was, ok := m.told[msg.ToolCallID]; ok && was != msg.Content {
				m.told[msg.ToolCallID] = "it changed: " + was + msg.Content
			} else {
				m.told[msg.ToolCallID] = msg.Content
			}
		}
	}
	m.mu.Unlock()
	delta := `{"role":"assistant","content":"All ten are noted."}`
	finish := "stop"
	if n < 10 {
		delta = fmt.Sprintf(`{"role":"assistant","tool_calls":[{"index":0,"id":"call_%d","type":"function","function":{"name":"note","arguments":"{\"n\":%d}"}}]}`, n, n)
		finish = "tool_calls"
	}
	if !in.Stream {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":%s,"finish_reason":%q}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`, delta, finish)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":null}]}\n\n", delta)
	fmt.Fprintf(w, "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n", finish)
}

// A killable is a run of ten steps in processes that are killed.
type killable struct {
	t       testing.TB
	dir     string
	model   *tenSteps
	effects string
	run     string
}

func newKillable(t testing.TB) *killable {
	k := &killable{t: t, dir: t.TempDir(), model: &tenSteps{told: map[string]string{}}}
	srv := httptest.NewServer(k.model)
	t.Cleanup(srv.Close)
	k.effects = filepath.Join(k.dir, "effects")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(k.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("callwright.yaml", "providers:\n  far: {wire: openai, base_url: \""+srv.URL+"/v1\", api_key: any}\n")
	tool, err := json.Marshal(map[string]any{
		"type": "function", "function": map[string]any{"name": "note", "parameters": json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)},
		"run": map[string]any{"command": []string{"note-effect", k.effects}},
	})
	if err != nil {
		t.Fatal(err)
	}
	write("tools.json", string(tool))
	return k
}

// process starts or resumes the run and kills its process where until says so, of each line that it prints. It reports whether the run ended.
func (k *killable) process(until func(line int) bool, after time.Duration) (ended bool) {
	args := []string{"run", "--json", "--model", "far/m", "--tools", "tools.json", "--state", "state"}
	if k.run == "" {
		args = append(args, "Note ten numbers.")
	} else {
		args = append(args, "--resume", k.run)
	}
	cmd, _, out, wait := startToKill(k.t, k.dir, after, args...)
	final := false
	lines := bufio.NewScanner(out)
	for n := 1; lines.Scan(); n++ {
		var ev struct{ Event, Run, Stop, Text string }
		if json.Unmarshal(lines.Bytes(), &ev) != nil {
			continue // it was killed while it wrote
		}
		k.run, final = ev.Run, ev.Event == "final" && ev.Stop == "answered" && ev.Text == "All ten are noted."
		if until != nil && until(n) {
			_ = cmd.Process.Kill()
		}
	}
	return wait() && final
}

// startToKill starts a command of ours in a folder, which is killed after some time, 0 for never. wait waits for its end and reports whether it was not killed; one that ends with an error
// fails the test.
func startToKill(t testing.TB, dir string, after time.Duration, args ...string) (cmd *exec.Cmd, in io.WriteCloser, out io.Reader, wait func() bool) {
	cmd = exec.Command("callwright", args...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stderr = &said
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if out, err = cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := func() bool { return true }
	if after > 0 {
		stop = time.AfterFunc(after, func() { _ = cmd.Process.Kill() }).Stop
	}
	return cmd, in, out, func() bool {
		defer stop()
		_, _ = io.Copy(io.Discard, out)
		err := cmd.Wait()
		if err != nil && said.Len() > 0 && cmd.ProcessState.Exited() {
			t.Fatalf("%v: %s", err, &said)
		}
		return err == nil
	}
}

// check looks at what there is outside: no call that had ended was made again, and none is lost.
func (k *killable) check() {
	k.t.Helper()
	text, err := os.ReadFile(k.effects)
	if err != nil {
		k.t.Fatal(err)
	}
	times := map[string]int{}
	for line := range strings.Lines(string(text)) {
		times[strings.TrimSpace(line)]++
	}
	for i := range 10 {
		n, told := times[fmt.Sprint(i)], k.model.told[fmt.Sprintf("call_%d", i)]
		interrupted := strings.Contains(told, `"INTERRUPTED"`)
		if n > 1 || n == 0 && !interrupted || !interrupted && !strings.Contains(told, `"noted"`) || strings.HasPrefix(told, "it changed") {
			k.t.Errorf("call %d was made %d times, and the model was told %q", i, n, told)
		}
	}
}

// A run whose process is killed at each of its steps, or at any moment, goes on to its answer.
func TestRunSurvivesKills(t *testing.T) {
	killEverywhere(t, 22, 50, func(t testing.TB) victim { return newKillable(t) })
}

// A victim is a job in processes that are killed.
type victim interface {
	// process begins or goes on, and is killed where until says so, of each line that it prints, or after some time. It reports whether the job came to its end.
	process(until func(line int) bool, after time.Duration) (ended bool)
	check() // what there is in the end
}

// killEverywhere does a job, which prints at least so many lines, in processes that are killed at each line, and at so many moments.
func killEverywhere(t *testing.T, least, moments int, begin func(testing.TB) victim) {
	whole := begin(t)
	lines := 0
	began := time.Now()
	if !whole.process(func(n int) bool { lines = n; return false }, 0) {
		t.Fatal("the job does not come to its end")
	}
	whole.check()
	took := time.Since(began)
	if lines < least {
		t.Fatalf("the job tells of %d things", lines)
	}
	survives := func(t *testing.T, until func(int) bool, after func() time.Duration) {
		v := begin(t)
		for n := 0; !v.process(until, after()); n++ {
			if n > 100 {
				t.Fatal("the job does not come to its end")
			}
			until = nil // it is killed once at its place; then it may go on
		}
		v.check()
	}
	never := func() time.Duration { return 0 }
	step := 1
	switch {
	case !longtest.IsEnabled(): // a process of the race detector takes a second to start
		step, moments = lines/2, 1
	case !*wholeTests:
		step, moments = 3, moments/5
	}
	for at := 1; at < lines; at += step {
		t.Run(fmt.Sprint("line ", at), func(t *testing.T) { survives(t, func(n int) bool { return n == at }, never) })
	}
	for range moments {
		first := time.Duration(rand.Int64N(int64(took)))
		t.Run(fmt.Sprint("after ", first), func(t *testing.T) {
			kills := 0
			survives(t, nil, func() time.Duration {
				if kills++; kills > 2 {
					return 0
				}
				return first
			})
		})
	}
}
