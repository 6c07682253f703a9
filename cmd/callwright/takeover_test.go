//go:build unix

package main

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/version"
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
// the old process goes when all is done. What is kept in a folder goes with it: conversations go on at any time, also from what the stream said.
func TestTakeover(t *testing.T) {
	for name, state := range map[string]string{"memory": "", "folder": "state: {dir: kept}\n"} {
		t.Run(name, func(t *testing.T) {
			far, begun, finish := slowStream(t)
			p := startGateway(t, "", state+`providers: {far: {base_url: "`+far+`/v1", discover: off}}`, "--pid-file", "callwright.pid")
			stream := openStream(t, p)
			<-begun
			asking := newAsker(t, p, state != "")
			lines := p.lines()
			p.wantPID(t, p.Process.Pid)
			next, said := takeOver(t, p, lines)
			p.wantPID(t, next)
			if status, err := p.ask(&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, "far/m"); status != 200 {
				t.Errorf("the new process: %d, %v", status, err)
			}
			close(finish)
			text, err := io.ReadAll(stream)
			if err != nil || !strings.Contains(string(text), "one ") || !strings.Contains(string(text), "two") || !strings.Contains(string(text), "response.completed") {
				t.Errorf("the stream broke: %v\n%s", err, text)
			}
			http.DefaultClient.CloseIdleConnections()
			if state, err := p.Process.Wait(); err != nil || !state.Success() {
				t.Errorf("the old process: %v, %v", state, err)
			}
			if state != "" {
				asking.after(streamID.FindString(string(text)))
			}
			asking.end()
			if status, err := p.ask(&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, "far/m"); status != 200 {
				t.Errorf("the new process alone: %d, %v", status, err)
			}
			if err := syscall.Kill(next, syscall.SIGTERM); err != nil {
				t.Error(err)
			}
			for line := range lines { // up to the end of the new process
				said = append(said, line)
			}
			p.wantPID(t, 0)
			if all := strings.Join(said, "\n"); strings.Count(all, "callwright listens on") != 1 || !strings.Contains(all, " version="+version.This().Version+" new_version="+version.This().Version) || !strings.Contains(all, "finishes its requests") || strings.Contains(all, "level=WARN") {
				t.Errorf("said:\n%s", all)
			}
		})
	}
}

// wantPID fails where the PID file has another number, or is there although it is to be 0.
func (p *process) wantPID(t *testing.T, want int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.Dir, "callwright.pid"))
	if want == 0 && errors.Is(err, fs.ErrNotExist) {
		return
	}
	if got := strings.TrimSpace(string(text)); err != nil || got != strconv.Itoa(want) {
		t.Errorf("the PID file has %q, want %d: %v", got, want, err)
	}
}

// openStream asks for an answer that slowStream begins.
func openStream(t *testing.T, p *process) io.Reader {
	t.Helper()
	resp, err := http.Post(p.url+"/v1/responses", "application/json", strings.NewReader(`{"model":"far/m","stream":true,"input":"hi"}`))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp.Body
}

// lines has what is said from now on, without what is said of requests.
func (p *process) lines() <-chan string {
	out := make(chan string, 1000)
	go func() {
		defer close(out)
		for p.said.Scan() {
			if line := p.said.Text(); !strings.Contains(line, "msg=request") {
				out <- line
			}
		}
	}()
	return out
}

// takeOver has another process take the place of a gateway, and gives its number and what was said.
func takeOver(t *testing.T, p *process, lines <-chan string) (next int, said []string) {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGUSR2); err != nil {
		t.Fatal(err)
	}
	for line := range lines {
		said = append(said, line)
		if strings.Contains(line, "has taken over") || strings.Contains(line, "could take over") {
			break
		}
	}
	next = pidOf(t, strings.Join(said, "\n"))
	t.Cleanup(func() { _ = syscall.Kill(next, syscall.SIGKILL) })
	return next, said
}

// The process that has the folder is killed while it finishes a stream: the one that took its place takes the folder too, with all that was kept.
func TestTakeoverKilled(t *testing.T) {
	far, begun, _ := slowStream(t)
	p := startGateway(t, "", "state: {dir: kept}\n"+`providers: {far: {base_url: "`+far+`/v1", discover: off}}`)
	openStream(t, p)
	<-begun
	lines := p.lines()
	takeOver(t, p, lines)
	go func() {
		for range lines { //nolint:revive // what is said must not hold anybody
		}
	}()
	asking := newAsker(t, p, true)
	asking.turns(10)
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = p.Process.Wait()
	asking.turns(50)
	asking.end()
	http.DefaultClient.CloseIdleConnections()
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

// An asker asks a gateway all the time, each time over a connection of its own and over one that it keeps; one with a conversation goes on with that all the time.
type asker struct {
	t      *testing.T
	p      *process
	done   chan struct{}
	all    sync.WaitGroup
	asked  atomic.Int64
	failed atomic.Int64
	turned atomic.Int64 // turns of the conversation
}

func newAsker(t *testing.T, p *process, converses bool) *asker {
	a := &asker{t: t, p: p, done: make(chan struct{})}
	for _, c := range []*http.Client{{Transport: &http.Transport{DisableKeepAlives: true}}, {Transport: &http.Transport{}}} {
		a.all.Go(func() {
			a.ask(func() (int, error) { return p.ask(c, "far/m") })
			c.CloseIdleConnections()
		})
	}
	if converses {
		last := ""
		a.all.Go(func() {
			a.ask(func() (status int, err error) {
				if a.turned.Load()%100 == 0 {
					last = "" // or it becomes too long
				}
				status, last, err = a.turn(last)
				return status, err
			})
		})
	}
	return a
}

// ask asks until it is the end.
func (a *asker) ask(once func() (int, error)) {
	for {
		select {
		case <-a.done:
			return
		default:
		}
		status, err := once()
		if a.asked.Add(1); status != 200 {
			a.failed.Add(1)
			a.t.Logf("got %d, %v", status, err)
		}
	}
}

// turn goes on from an answer, or from nothing.
func (a *asker) turn(previous string) (status int, id string, err error) {
	body := `{"model":"far/m","input":"Hello"`
	if previous != "" {
		body += `,"previous_response_id":"` + previous + `"`
	}
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := c.Post(a.p.url+"/v1/responses", "application/json", strings.NewReader(body+"}"))
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	a.turned.Add(1)
	return resp.StatusCode, streamID.FindString(string(text)), err
}

// turns waits until the conversation has gone on for so many turns.
func (a *asker) turns(n int64) {
	a.t.Helper()
	until := a.turned.Load() + n
	for begun := time.Now(); a.turned.Load() < until; time.Sleep(time.Millisecond) {
		if time.Since(begun) > time.Minute {
			a.t.Fatal("the conversation does not go on")
		}
	}
}

// after goes on from an answer, which has to be kept.
func (a *asker) after(id string) {
	a.t.Helper()
	if status, _, err := a.turn(id); status != 200 || id == "" {
		a.t.Errorf("going on from %q: %d, %v", id, status, err)
	}
}

// end stops asking. None must have failed.
func (a *asker) end() {
	a.t.Helper()
	close(a.done)
	a.all.Wait()
	a.t.Logf("%d requests, %d turns", a.asked.Load(), a.turned.Load())
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
	p.until(t, "this process continues")
	if status, err := p.ask(http.DefaultClient, "sim/native"); status != 200 {
		t.Errorf("got %d, %v", status, err)
	}
	http.DefaultClient.CloseIdleConnections()
}
