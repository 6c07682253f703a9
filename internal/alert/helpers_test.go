package alert_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright/internal/alert"
	"github.com/callwright/callwright/internal/health"
)

// A received is a request that a receiver got.
type received struct {
	at     time.Time
	header http.Header
	body   string
	event  alert.Event
}

// A receiver answers requests in turn, the last answer again and again: a status, a status with the seconds of Retry-After behind a blank, or "reset" for a
// connection that breaks. It is the transport of a client: nothing goes over a network, so that a test's clock stands still meanwhile.
type receiver struct {
	mu      sync.Mutex
	answers []string
	got     []received
}

var errReset = errors.New("connection reset by peer")

func (r *receiver) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	one := received{at: time.Now(), header: req.Header, body: string(body)}
	if err := json.Unmarshal(body, &one.event); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	answer := "200"
	if len(r.answers) > 0 {
		answer = r.answers[min(len(r.got), len(r.answers)-1)]
	}
	r.got = append(r.got, one)
	if answer == "reset" {
		return nil, errReset
	}
	code, after, _ := strings.Cut(answer, " ")
	status, err := strconv.Atoi(code)
	if err != nil {
		return nil, err
	}
	resp := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("ok")), Request: req}
	if after != "" {
		resp.Header.Set("Retry-After", after)
	}
	if status == http.StatusFound {
		resp.Header.Set("Location", "https://elsewhere.example/")
	}
	return resp, nil
}

// all returns the requests so far.
func (r *receiver) all() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]received(nil), r.got...)
}

// types returns the types of the events of all requests.
func (r *receiver) types() string {
	var out []string
	for _, g := range r.all() {
		out = append(out, g.event.Type)
	}
	return strings.Join(out, " ")
}

// A scene is a gateway with problems that a test sets, and a receiver of its alerts, in a bubble of synctest.
type scene struct {
	receiver
	cfg alert.Config
	log bytes.Buffer

	mu       sync.Mutex
	problems []health.Problem
	counted  map[string]int
	stop     context.CancelFunc
	done     chan struct{}
}

// secretText is a secret of 24 bytes, address an address with a token.
const (
	secretText = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	address    = "https://hooks.example/services/canary-token"
)

// A lockedLog is a log that several goroutines write.
type lockedLog struct{ s *scene }

func (l lockedLog) Write(p []byte) (int, error) {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return l.s.log.Write(p)
}

func newScene(t *testing.T, answers ...string) *scene {
	t.Helper()
	secret, err := alert.ParseSecret(secretText)
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{receiver: receiver{answers: answers}, counted: map[string]int{}}
	s.cfg = alert.Config{
		URL: address, Secret: secret, Transport: &s.receiver, Gateway: "gw1", Every: time.Second,
		Problems: func() []health.Problem {
			s.mu.Lock()
			defer s.mu.Unlock()
			return append([]health.Problem(nil), s.problems...)
		},
		Counted: func(_, outcome string) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.counted[outcome]++
		},
	}
	s.cfg.Logger = slog.New(slog.NewTextHandler(lockedLog{s}, nil))
	return s
}

// start makes the alerts and runs them until end.
func (s *scene) start(t *testing.T) *alert.Alerts {
	t.Helper()
	a, err := alert.New(s.cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	s.stop, s.done = stop, make(chan struct{})
	go func() {
		defer close(s.done)
		a.Run(ctx)
	}()
	return a
}

// end ends the alerts and waits for that.
func (s *scene) end() {
	s.stop()
	<-s.done
}

// set has the gateway have problems, and waits for some time of the bubble.
func (s *scene) set(wait time.Duration, problems ...health.Problem) {
	s.mu.Lock()
	s.problems = problems
	s.mu.Unlock()
	time.Sleep(wait)
	synctest.Wait()
}

// count returns how many messages had an outcome.
func (s *scene) count(outcome string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counted[outcome]
}

// The problems of tests.
var (
	opened = health.Problem{Severity: health.Broken, Subject: "lab/m", Model: "lab/m", Kind: "provider_error", Topic: health.TopicBreaker,
		Cause: "the circuit breaker is open: 28 s left", Remedy: "look at the provider"}
	refusedKey = health.Problem{Severity: health.Broken, Subject: "lab/m", Model: "lab/m", Kind: "authentication", Cause: "3 of 3 refused: key not accepted", Remedy: "set a valid key"}
	badFile    = health.Problem{Severity: health.Degraded, Subject: "configuration", Topic: health.TopicConfiguration, Cause: "callwright.yaml:3:7: unknown key <modal>", Remedy: "correct the file"}
	away       = health.Problem{Severity: health.Degraded, Subject: "state", Topic: health.TopicState, Cause: "NATS is away", Remedy: "start NATS"}
	jumped     = health.Problem{Severity: health.Degraded, Subject: "lab/m", Model: "lab/m", Topic: health.TopicHealing, Cause: "the healing rate jumped", Remedy: "look at the traces"}
	timedOut   = health.Problem{Severity: health.Degraded, Subject: "lab/m", Model: "lab/m", Kind: "timeout", Cause: "3 of 24 failed: no answer in time", Remedy: "add a fallback"}
)
