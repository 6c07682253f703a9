//go:build unix

package main

import (
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A slowStream is a provider that begins an answer and ends it when it is told to.
func slowStream(t *testing.T) (address string, begun, finish chan struct{}) {
	t.Helper()
	begun, finish = make(chan struct{}), make(chan struct{})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), `"stream":true`) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}]}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"one "}}]}`+"\n\n")
		_ = http.NewResponseController(w).Flush()
		close(begun)
		<-finish
		_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"two"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	})}
	go func() { _ = srv.Serve(ln) }()
	t.Cleanup(func() { _ = srv.Close() })
	return "http://" + ln.Addr().String(), begun, finish
}

// Another process takes the place of the gateway while a stream runs and others ask: the stream ends as it would have, nobody is refused, and
// the old process goes when all is done.
func TestTakeover(t *testing.T) {
	far, begun, finish := slowStream(t)
	p := startGateway(t, "", `providers: {far: {base_url: "`+far+`/v1", discover: off}}`)
	resp, err := http.Post(p.url+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"far/m","stream":true,"messages":[{"role":"user","content":"hi"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	<-begun
	asking := newAsker(t, p)
	if err := p.Process.Signal(syscall.SIGUSR2); err != nil {
		t.Fatal(err)
	}
	var said []string
	for {
		line := p.until(t, "") // each line
		if !strings.Contains(line, "msg=request") {
			said = append(said, line)
		}
		if strings.Contains(line, "has taken over") {
			break
		}
	}
	asking.end()
	next := pidOf(t, strings.Join(said, "\n"))
	t.Cleanup(func() { _ = syscall.Kill(next, syscall.SIGKILL) })
	if status, err := p.ask(&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, "far/m"); status != 200 {
		t.Errorf("the new process: %d, %v", status, err)
	}
	close(finish)
	text, err := io.ReadAll(resp.Body)
	if err != nil || !strings.Contains(string(text), "one ") || !strings.Contains(string(text), "two") || !strings.Contains(string(text), "[DONE]") {
		t.Errorf("the stream broke: %v\n%s", err, text)
	}
	http.DefaultClient.CloseIdleConnections()
	if state, err := p.Process.Wait(); err != nil || !state.Success() {
		t.Errorf("the old process: %v, %v", state, err)
	}
	if status, err := p.ask(&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, "far/m"); status != 200 {
		t.Errorf("the new process alone: %d, %v", status, err)
	}
	if err := syscall.Kill(next, syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	for p.said.Scan() { // up to the end of the new process
		said = append(said, p.said.Text())
	}
	if all := strings.Join(said, "\n"); strings.Count(all, "callwright listens on") != 1 || !strings.Contains(all, "finishes what is running") {
		t.Errorf("said:\n%s", all)
	}
}

// pidOf reads the number of the new process from what the old one said.
func pidOf(t *testing.T, said string) int {
	t.Helper()
	_, rest, _ := strings.Cut(said, "pid=")
	pid := 0
	for _, c := range rest {
		if c < '0' || c > '9' {
			break
		}
		pid = 10*pid + int(c-'0')
	}
	if pid == 0 {
		t.Fatalf("no process took over:\n%s", said)
	}
	return pid
}

// An asker asks a gateway all the time, each time over a connection of its own and over one that it keeps.
type asker struct {
	t      *testing.T
	done   chan struct{}
	all    sync.WaitGroup
	asked  atomic.Int64
	failed atomic.Int64
}

func newAsker(t *testing.T, p *process) *asker {
	a := &asker{t: t, done: make(chan struct{})}
	for _, c := range []*http.Client{{Transport: &http.Transport{DisableKeepAlives: true}}, {Transport: &http.Transport{}}} {
		a.all.Go(func() {
			defer c.CloseIdleConnections()
			for {
				select {
				case <-a.done:
					return
				default:
				}
				status, err := p.ask(c, "far/m")
				if a.asked.Add(1); status != 200 {
					a.failed.Add(1)
					t.Logf("got %d, %v", status, err)
				}
			}
		})
	}
	return a
}

// end stops asking. None must have failed.
func (a *asker) end() {
	a.t.Helper()
	close(a.done)
	a.all.Wait()
	if a.failed.Load() > 0 || a.asked.Load() == 0 {
		a.t.Errorf("%d of %d requests failed", a.failed.Load(), a.asked.Load())
	}
}

// Where no other process can serve the old one goes on.
func TestTakeoverFails(t *testing.T) {
	p := startGateway(t, "", "providers: {sim: {}}\n")
	if err := replaceConfig(p, "providers: [\n"); err != nil {
		t.Fatal(err)
	}
	if err := p.Process.Signal(syscall.SIGUSR2); err != nil {
		t.Fatal(err)
	}
	p.until(t, "this one goes on")
	if status, err := p.ask(http.DefaultClient, "sim/native"); status != 200 {
		t.Errorf("got %d, %v", status, err)
	}
	http.DefaultClient.CloseIdleConnections()
}
