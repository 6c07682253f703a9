package gateway_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// holding is what a client of each wire is told of a call that is held.
var holding = map[callwright.WireName]string{
	callwright.WireOpenAI:    ": callwright: holding call get_weather, ",
	callwright.WireAnthropic: ": callwright: holding call get_weather, ",
	callwright.WireResponses: ": callwright: holding call get_weather, ",
	callwright.WireGemini:    `"callwright":{"progress":{"state":"holding","tool":"get_weather","bytes":`,
	callwright.WireOllama:    `"callwright":{"progress":{"state":"holding","tool":"get_weather","bytes":`,
}

// While a call is held each client is told so in the form of its API, and takes it for nothing else, whatever API the model's provider speaks.
func TestSignsOfLifeTellOfHeldCalls(t *testing.T) {
	for _, far := range []callwright.WireName{callwright.WireOpenAI, callwright.WireAnthropic, callwright.WireResponses} { // the others send calls in one piece
		fake := simulate.New(simulate.Weather(), simulate.Pause(8*time.Millisecond), simulate.Piece(2))
		url := serve(t, gateway.Config{Models: models(t, fake), KeepAlive: 4 * time.Millisecond}).URL
		for _, client := range codecs.All() {
			a := askers[client.Name()]
			path, body := a.ask(string(far)+"/native", true)
			got := post(t, url+path, body)
			complain(t, string(client.Name()), complaintsOf(client.Name(), true, false, &got), &got)
			at, call := strings.Index(got.body, holding[client.Name()]), strings.LastIndex(got.body, a.marks)
			if at < 0 || call < at {
				t.Errorf("%s client, %s: expected %s before the call: %s", client.Name(), far, holding[client.Name()], got.body)
			}
			if sign := got.body[max(at, 0):]; strings.Contains(sign[:strings.IndexByte(sign, '\n')], "Oslo") {
				t.Errorf("%s client, %s: a sign of life has arguments: %s", client.Name(), far, sign)
			}
		}
	}
}

// late waits before each answer.
type late struct {
	http.Handler
	wait time.Duration
}

func (l late) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	time.Sleep(l.wait)
	l.Handler.ServeHTTP(w, r)
}

// An answer that does not begin for long begins with a sign of life. Every client reads it, with the call, whatever follows.
func TestFirstSign(t *testing.T) {
	fake := late{simulate.New(simulate.Weather()), 60 * time.Millisecond}
	url := serve(t, gateway.Config{Models: models(t, fake), FirstSign: 5 * time.Millisecond, KeepAlive: 5 * time.Millisecond}).URL
	for _, client := range codecs.All() {
		for _, far := range codecs.All() {
			a := askers[client.Name()]
			path, body := a.ask(string(far.Name())+"/native", true)
			got := post(t, url+path, body)
			complain(t, string(client.Name())+" client, "+string(far.Name()), complaintsOf(client.Name(), true, false, &got), &got)
			if !strings.Contains(got.body, "waiting") || strings.Index(got.body, "waiting") > strings.LastIndex(got.body, a.marks) {
				t.Errorf("%s client, %s: expected a sign of life before the call: %s", client.Name(), far.Name(), got.body)
			}
		}
	}
}

// An error before the first sign of life has a status of its own. Afterwards it is one of the stream.
func TestErrorAroundFirstSign(t *testing.T) {
	refuse := late{http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no room", http.StatusServiceUnavailable) }), 40 * time.Millisecond}
	for first, begun := range map[time.Duration]bool{0: false, 5 * time.Millisecond: true} {
		url := serve(t, gateway.Config{Models: models(t, refuse), FirstSign: first}).URL
		for _, client := range codecs.All() {
			a := askers[client.Name()]
			path, body := a.ask("openai/native", true)
			got := post(t, url+path, body)
			if (got.status == http.StatusOK) != begun || !strings.Contains(got.body, "no room") {
				t.Errorf("%s client, first sign after %s: got %d: %s", client.Name(), first, got.status, got.body)
			}
			if reset := got.err != nil; reset != begun {
				t.Errorf("%s client, first sign after %s: the connection's end is %v", client.Name(), first, got.err)
			}
		}
	}
}

// Requests that are being answered are listed with their state until they have ended, whole ones and streams.
func TestRunningRequests(t *testing.T) {
	release := make(chan struct{})
	fake := simulate.New(simulate.Weather())
	wait := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-release
		fake.ServeHTTP(w, r)
	})
	list := new(progress.List)
	srv := serve(t, gateway.Config{Models: models(t, wait), Running: list})
	done := make(chan answer, 2)
	for _, stream := range []bool{false, true} {
		a := askers[callwright.WireOpenAI]
		path, body := a.ask("openai/native", stream)
		go func() { done <- post(t, srv.URL+path, body) }()
	}
	var got progress.Listing
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		got = progress.Listing{}
		r, err := http.Get(srv.URL + "/callwright/running")
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r.Body)
		_ = r.Body.Close()
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if len(got.Running) == 2 && got.Running[0].Now.State == "waiting" && got.Running[1].Now.State == "waiting" {
			break
		}
	}
	if len(got.Running) != 2 || got.Running[0].Stream == got.Running[1].Stream {
		t.Fatalf("expected a stream and a whole answer, got %+v", got)
	}
	for _, r := range got.Running {
		if r.Model != "openai/native" || r.Asked != "openai/native" || r.Wire != callwright.WireOpenAI || r.Attempts != 1 || r.Now.State != "waiting" || !strings.HasPrefix(r.Report, "rep_") {
			t.Errorf("unexpected request %+v", r)
		}
	}
	close(release)
	for range 2 {
		if a := <-done; a.status != http.StatusOK {
			t.Errorf("expected 200, got %d: %s", a.status, a.body)
		}
	}
	for deadline := time.Now().Add(10 * time.Second); len(list.At(time.Now()).Running) > 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if left := list.At(time.Now()); len(left.Running) > 0 {
		t.Errorf("expected no request at the end, got %+v", left)
	}
	if r, err := http.Post(srv.URL+"/callwright/running", "", nil); err != nil || r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("expected POST to be refused, got %v, %v", r, err)
	} else {
		_ = r.Body.Close()
	}
}

// The log is told of a request that has been running for long, with the tool whose call is held.
func TestLogOfLongRequests(t *testing.T) {
	var log bytes.Buffer
	s := gateway.New(gateway.Config{Models: directory{}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	s.LogRunning(t.Context(), &progress.Running{Report: "rep_1", Model: "fast", Asked: "lab/m", Key: "ops", Elapsed: 60, Attempts: 2,
		Now: progress.Snapshot{State: "holding", Tool: "write_file", Bytes: 18432, Seconds: 42, Silent: 3}})
	const want = "level=INFO msg=running report=rep_1 model=fast asked=lab/m seconds=60 state=holding state_seconds=42 attempts=2 key=ops tool=write_file bytes=18432 silent_seconds=3\n"
	if got := log.String(); !strings.HasSuffix(got, want) {
		t.Errorf("expected %s, got %s", want, got)
	}
}

// sharedText collects text that one goroutine writes and another reads.
type sharedText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *sharedText) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *sharedText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// A request is logged when it has been running for 30 seconds, and each time that this has doubled, as long as it is running.
func TestTimesOfLongRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log sharedText
		list := &progress.List{}
		s := gateway.New(gateway.Config{Models: directory{}, Running: list, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		stop := s.LogLong(t.Context())
		r := &progress.Request{Report: "rep_1", Began: time.Now()}
		list.Add(r)
		for i, c := range []struct {
			wait  time.Duration
			lines int
		}{{29 * time.Second, 0}, {7 * time.Second, 1}, {20 * time.Second, 1}, {10 * time.Second, 2}, {60 * time.Second, 3}} {
			time.Sleep(c.wait)
			synctest.Wait()
			if got := strings.Count(log.String(), "msg=running"); got != c.lines {
				t.Errorf("step %d: %d lines, expected %d: %s", i, got, c.lines, log.String())
			}
		}
		list.Remove(r)
		time.Sleep(time.Hour)
		stop()
		if got := strings.Count(log.String(), "msg=running"); got != 3 {
			t.Errorf("%d lines of a request that has ended, expected 3", got)
		}
	})
}
