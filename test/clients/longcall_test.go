package clients_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// holdVariable names the variable with the time for which TestLongCall holds calls, such as 620s; shortHold without it.
// From wholeHold on, clients and gateways have their own limits and intervals. Below it they are fractions of the time,
// so that limits end before the call comes.
const (
	holdVariable = "CALLWRIGHT_HOLD"
	shortHold    = 30 * time.Second
	wholeHold    = 10 * time.Minute
)

// A holding is the time for which a call is held, with the limits and intervals meanwhile.
type holding struct {
	time  time.Duration
	limit time.Duration // of clients; 0 leaves each its own
	sign  time.Duration // silence of a gateway before a sign of life; 0 leaves it its own
}

// readHolding reads the holding from the environment.
func readHolding(t *testing.T) holding {
	t.Helper()
	d, err := time.ParseDuration(cmp.Or(os.Getenv(holdVariable), shortHold.String()))
	switch {
	case err != nil || d <= 0:
		t.Fatalf("%s: want a time such as 620s, got %q", holdVariable, os.Getenv(holdVariable))
	case d >= wholeHold:
		return holding{time: d}
	}
	return holding{time: d, limit: d / 3, sign: d / 10}
}

// afterHold is how long a client may take beside the time of the held call.
const afterHold = 2 * time.Minute

// TestLongCall holds a streamed call for each client, all at once: the provider sends the first piece of the call, and
// the rest after the time of holdVariable. With signs of life each client waits, asks once and reads the answer after
// the call. Without them each client gives up whose limit ends before.
func TestLongCall(t *testing.T) {
	h := readHolding(t)
	needNode(t) // installs the SDKs
	clients := listSDKs()
	if folder := os.Getenv(agentsFolder); folder != "" {
		clients = append(clients, listAgents(t, folder)...)
	} else if os.Getenv(holdVariable) != "" {
		t.Fatalf("%s is set: %s has to name a folder in which npm installed coding agents", holdVariable, agentsFolder)
	}
	var all sync.WaitGroup // t.Parallel has as many at once as there are cores
	for _, c := range clients {
		all.Go(func() { t.Run("signs/"+c.name, func(t *testing.T) { c.check(t, h, true) }) })
		all.Go(func() { t.Run("silence/"+c.name, func(t *testing.T) { c.check(t, h, false) }) })
	}
	all.Wait()
}

// A waiter is a client of a held call.
type waiter struct {
	name string
	wire string // of the model's provider
	tool string // whose call is held
	// open makes the asker, with a limit of silence; 0 is the client's own.
	open func(t *testing.T, limit time.Duration) asker
	// fixed says that no setting makes the client's own limit shorter.
	fixed bool
}

// An asker is a client with the model that it talks to.
type asker interface {
	turn(simulate.Seen) simulate.Turn
	// ask has the client ask a gateway for the model until it has the answer after the held call.
	ask(t *testing.T, url, model string, most time.Duration) error
	// countAsked counts how often the client asked for the held call.
	countAsked() int
}

// check lets the client wait.
func (w waiter) check(t *testing.T, h holding, signs bool) {
	a := w.open(t, h.limit)
	player := &heldServer{Server: simulate.New(a.turn, simulate.Key(upstreamKey), simulate.Piece(4)), tool: []byte(w.tool), time: h.time}
	srv := httptest.NewServer(player)
	t.Cleanup(srv.Close)
	cfg := gateway.Config{Models: openHeldModels(t, w.wire, srv.URL, h), Keys: []string{"gate-key"}, KeepAlive: h.sign, FirstSign: h.sign}
	if !signs {
		cfg.KeepAlive, cfg.FirstSign = 24*time.Hour, 24*time.Hour
	}
	url := serve(t, cfg)
	start := time.Now()
	err := a.ask(t, url, w.wire+"/native", h.time+afterHold)
	waited := time.Since(start).Round(100 * time.Millisecond)
	t.Logf("waited %s, asked %d times, error: %v", waited, a.countAsked(), err)
	gaveUp := err != nil || a.countAsked() != 1 || waited < h.time
	if want := !signs && (h.limit == 0 || !w.fixed); gaveUp != want || !player.held.Load() {
		t.Errorf("want a client that gives up: %v; got %v after %s, asked %d times, call held: %v, error: %v", want, gaveUp, waited, a.countAsked(), player.held.Load(), err)
	}
}

// openHeldModels opens one provider, which may be silent for longer than its calls are held.
func openHeldModels(t *testing.T, wire, url string, h holding) *models {
	t.Helper()
	m := &models{providers: map[string]*provider.Provider{}, clients: map[string]*reliable.Client{}}
	if wire == simulate.OpenAI || wire == simulate.Responses {
		url += "/v1"
	}
	m.open(t, provider.Config{Name: wire, Wire: callwright.WireName(wire), BaseURL: url,
		Timeouts: provider.Timeouts{FirstByte: h.time + afterHold, BetweenBytes: h.time + afterHold}})
	return m
}

// A heldServer is a simulated provider that is silent for some time after the first piece of its first call.
type heldServer struct {
	*simulate.Server
	tool []byte // its name
	time time.Duration
	held atomic.Bool // the call was held, or is
}

func (s *heldServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Server.ServeHTTP(&heldWriter{ResponseWriter: w, server: s, ended: r.Context().Done()}, r)
}

// A heldWriter is the answer of a heldServer to one request.
type heldWriter struct {
	http.ResponseWriter
	server *heldServer
	ended  <-chan struct{}
}

func (w *heldWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *heldWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	if err == nil && bytes.Contains(p, w.server.tool) && w.server.held.CompareAndSwap(false, true) {
		_ = http.NewResponseController(w.ResponseWriter).Flush()
		select {
		case <-time.After(w.server.time):
		case <-w.ended:
		}
	}
	return n, err
}

// listSDKs returns the SDKs, each before a provider of its own API, whose stream passes, and before one of another API.
func listSDKs() (waiters []waiter) {
	for _, sdk := range []string{"openai", "responses", "anthropic"} {
		other := simulate.OpenAI
		if sdk == other {
			other = simulate.Anthropic
		}
		for _, wire := range []string{sdk, other} {
			open := func(_ *testing.T, limit time.Duration) asker { return &sdkAsker{sdk: sdk, limit: limit} }
			waiters = append(waiters, waiter{name: sdk + " SDK behind " + wire, wire: wire, tool: "get_weather", open: open})
		}
	}
	return waiters
}

// An sdkAsker is an SDK that converses about the weather.
type sdkAsker struct {
	sdk   string
	limit time.Duration
	first atomic.Int32 // requests for the first turn
}

func (a *sdkAsker) countAsked() int { return int(a.first.Load()) }

func (a *sdkAsker) turn(req simulate.Seen) simulate.Turn {
	if req.Turn == 0 {
		a.first.Add(1)
	}
	return simulate.Weather()(req)
}

func (a *sdkAsker) ask(t *testing.T, url, model string, _ time.Duration) error {
	t.Helper()
	c := check{Name: a.sdk, SDK: a.sdk, Base: url, Key: "gate-key", Model: model, Stream: true, Prompt: question, Retries: 2, Limit: -1}
	if a.limit > 0 {
		c.Limit = int(a.limit.Milliseconds())
	}
	got := drive(t, []check{c})[a.sdk]
	switch {
	case got.Error != nil:
		return fmt.Errorf("%s: %s", got.Error.Class, got.Error.Message)
	case len(got.Rounds) != 1 || len(got.Rounds[0]) != 2 || len(got.Rounds[0][0].Calls) != 1 || !strings.Contains(got.Rounds[0][1].Text, "Oslo"):
		return fmt.Errorf("want a call and an answer about Oslo, got %+v", got.Rounds)
	}
	return nil
}

// listAgents returns the coding agents of a folder.
func listAgents(t *testing.T, folder string) (waiters []waiter) {
	t.Helper()
	bin, program := filepath.Join(folder, "node_modules", ".bin"), buildProgram(t)
	for _, c := range agentCases {
		limiting, ok := withLimit[c.name]
		if !ok {
			continue
		}
		if _, err := exec.LookPath(filepath.Join(bin, c.name)); err != nil {
			t.Fatalf("%s is not installed in %s", c.name, folder)
		}
		open := func(t *testing.T, limit time.Duration) asker {
			t.Helper()
			limited := c
			if limit > 0 && limiting != nil {
				limited = limiting(c, int(limit.Milliseconds()))
			}
			home := limited.makeHome(t)
			return &agentAsker{fileReader: fileReader{agentCase: limited, work: workFolder(home)}, program: program, bin: bin, home: home}
		}
		waiters = append(waiters, waiter{name: c.name, wire: simulate.OpenAI, tool: c.tool, open: open, fixed: limiting == nil})
	}
	return waiters
}

// withLimit has the coding agents of TestLongCall by name. A function sets the milliseconds of silence after which the
// agent gives up; nil: no setting does.
var withLimit = map[string]func(c agentCase, ms int) agentCase{
	"claude": nil, // CLAUDE_STREAM_IDLE_TIMEOUT_MS is ignored below 5 minutes
	"codex": func(c agentCase, ms int) agentCase {
		c.args = append([]string{"-c", fmt.Sprintf("model_providers.callwright.stream_idle_timeout_ms=%d", ms)}, c.args...)
		return c
	},
	"opencode": func(c agentCase, ms int) agentCase {
		c.text = fmt.Sprintf(`{"provider": {"callwright": {"options": {"chunkTimeout": %d}}}}`, ms)
		return c
	},
}

// An agentAsker is a coding agent that reads two files. The call for the first one is held.
type agentAsker struct {
	fileReader
	program, bin, home string
}

func (a *agentAsker) countAsked() int { return a.called("first.txt") }

func (a *agentAsker) ask(t *testing.T, url, model string, most time.Duration) error {
	t.Helper()
	conf := filepath.Join(a.home, "callwright.yaml")
	a.write(t, conf, fmt.Sprintf("listen: %s\nkeys: [gate-key]\n", strings.TrimPrefix(url, "http://")))
	ctx, cancel := context.WithTimeout(t.Context(), most)
	defer cancel()
	cmd := a.command(ctx, a.program, a.bin, a.home, "--config", conf, "--model", model)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || !strings.Contains(out.String(), "heron-4711") {
		return fmt.Errorf("%w, calls %v\n%s\n%s", cmp.Or(err, errNoWord), a.calls, &out, &errs)
	}
	return nil
}

var errNoWord = errors.New("the answer has not the word of the second file")
