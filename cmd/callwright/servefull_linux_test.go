package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/disktest"
)

// diskGateway is a gateway whose state is on a small disk.
type diskGateway struct {
	*process
	t     *testing.T
	asked int // how often by each API

	mu   sync.Mutex
	said []string
}

func startOnDisk(t *testing.T, dir, traces string) *diskGateway {
	t.Helper()
	f := &diskGateway{t: t, process: startGateway(t, "", fmt.Sprintf("state: {dir: %s}\ntrace: {file: %s/}\nproviders: {sim: {}}\n", filepath.Join(dir, "state"), traces))}
	lines := f.lines()
	go func() {
		for line := range lines {
			f.mu.Lock()
			f.said = append(f.said, line)
			f.mu.Unlock()
		}
	}()
	return f
}

// everywhere asks by each API, none of which may be refused, and gives the id of an answer that can be gone on from.
func (f *diskGateway) everywhere() (id string) {
	f.t.Helper()
	f.asked++
	for path, body := range map[string]string{
		"/v1/chat/completions": fmt.Sprintf(`{"model":"sim/native","messages":[{"role":"user","content":"[[%d]]"}]}`, f.asked),
		"/v1/responses":        `{"model":"sim/native","input":"hi"}`,
		"/v1/messages":         `{"model":"sim/native","max_tokens":100,"messages":[{"role":"user","content":"hi"}]}`,
		"/v1beta/models/sim/native:generateContent": `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`,
		"/api/chat": `{"model":"sim/native","stream":false,"messages":[{"role":"user","content":"hi"}]}`,
	} {
		status, text := f.get(f.t, http.MethodPost, path, "", body)
		if status != http.StatusOK {
			f.t.Errorf("%s: got %d %s", path, status, text)
		}
		if path == "/v1/responses" {
			id = streamID.FindString(text)
		}
	}
	return id
}

// ready waits until the gateway says of itself what it should.
func (f *diskGateway) ready(want ...string) {
	f.t.Helper()
	text := ""
	for begun := time.Now(); time.Since(begun) < 30*time.Second; time.Sleep(10 * time.Millisecond) {
		var status int
		status, text = f.get(f.t, http.MethodGet, "/readyz", "", "")
		missing := status != http.StatusOK
		for _, w := range want {
			missing = missing || !strings.Contains(text, w)
		}
		if !missing {
			return
		}
	}
	f.t.Fatalf("expected %q, got %s", want, text)
}

// goesOn goes on from an answer.
func (f *diskGateway) goesOn(id string) {
	f.t.Helper()
	if status, next := f.responses(f.t, "", id); status != http.StatusOK || next == "" {
		f.t.Errorf("going on from %q: got %d", id, status)
	}
}

// count counts the lines that have a text.
func (f *diskGateway) count(text string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, line := range f.said {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

// On a disk that is full a gateway answers as before, from what was kept, too; it says so, in the log once, and writes again when there is room.
func TestServeDiskFull(t *testing.T) {
	defer http.DefaultClient.CloseIdleConnections()
	dir := disktest.SmallDisk(t, "24m")
	traces := filepath.Join(dir, "trace")
	f := startOnDisk(t, dir, traces)
	before := f.everywhere()
	f.ready(readyNow)
	ballast := filepath.Join(dir, "ballast")
	disktest.Fill(t, ballast)
	for begun := time.Now(); (f.count("the trace cannot be written") == 0 || f.count("the folder cannot be written") == 0) && time.Since(begun) < time.Minute; {
		f.everywhere() // one may have room for longer than the other
	}
	f.ready(`"degraded"`, "state: ", "trace: ", "no space left on device")
	for range 20 {
		f.everywhere()
		f.goesOn(before)
	}
	if n := f.count("level=WARN") + f.count("level=ERROR"); n > 3 { // the state, the trace, and the first answer that is not kept
		t.Errorf("it says %d times that something is wrong:\n%s", n, strings.Join(f.said, "\n"))
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	f.ready(readyNow)
	after := f.everywhere()
	f.goesOn(before)
	f.goesOn(after)
	if n := f.count("is writable again"); n != 1 {
		t.Errorf("it says %d times that all is well", n)
	}
	if err := f.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = f.Wait()
	text := readAll(t, filepath.Join(traces, "*.jsonl"))
	for n := range f.asked {
		if mark := fmt.Sprintf("[[%d]]", n+1); !strings.Contains(text, mark) {
			t.Errorf("the trace lacks %s", mark)
		}
	}
}

// A gateway starts on a disk that can only be read, and uses it once it can be written.
func TestServeReadOnly(t *testing.T) {
	defer http.DefaultClient.CloseIdleConnections()
	dir := disktest.SmallDisk(t, "24m")
	traces := filepath.Join(t.TempDir(), "trace")
	f := startOnDisk(t, dir, traces)
	before := f.everywhere()
	if err := f.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = f.Wait()
	http.DefaultClient.CloseIdleConnections()
	disktest.ReadOnly(t, dir, true)
	f = startOnDisk(t, dir, traces)
	f.goesOn(f.everywhere())
	f.ready(`"degraded"`, "read-only file system")
	disktest.ReadOnly(t, dir, false)
	f.ready(readyNow)
	f.goesOn(before)
}
