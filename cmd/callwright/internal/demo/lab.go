package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// again is the prefix of simulated model names that repeat their fault after a correction: "again/NAME".
const again = "again/"

// pieceSize is the number of bytes of text in an event of a simulated stream: few as with real models, but readable.
const pieceSize = 24

// A lab is a simulated model server and the gateway in front of it. Both listen on 127.0.0.1.
type lab struct {
	base     string // URL of the gateway
	upstream string
	pool     *http.Transport
	client   *http.Client
	models   models
	stop     context.CancelFunc
	done     sync.WaitGroup
}

// newLab starts the simulated model server and the gateway. The caller must call close.
func newLab(ctx context.Context) (*lab, error) {
	models, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	front, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		_ = models.Close()
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	l := &lab{base: "http://" + front.Addr().String(), upstream: "http://" + models.Addr().String(), stop: stop}
	l.pool = &http.Transport{MaxIdleConnsPerHost: 32}
	l.client = &http.Client{Transport: l.pool}
	l.models.byName = map[string]*reliable.Client{}
	l.done.Go(func() { serveModels(ctx, models) })
	gate := gateway.New(gateway.Config{Models: &l.models})
	l.done.Go(func() { _ = gate.Serve(ctx, front) })
	return l, nil
}

// serveModels serves the simulated models until ctx is done.
func serveModels(ctx context.Context, ln net.Listener) {
	srv := &http.Server{Handler: simulate.New(script(simulate.Weather()), simulate.Piece(pieceSize))}
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() })
	defer stop()
	_ = srv.Serve(ln)
}

// script modifies the weather script: a model whose name has the prefix again keeps its fault after corrections, and
// JSON results are repeated in words.
func script(weather simulate.Script) simulate.Script {
	return func(req simulate.Seen) simulate.Turn {
		turn := weather(req)
		turn.Text = inWords(turn.Text)
		if strings.HasPrefix(req.Model, again) {
			turn.Fault, _ = simulate.ParseFault(req.Model)
		}
		return turn
	}
}

// inWords converts `It is {"content": "X"}.` to "It is X.".
func inWords(text string) string {
	object := strings.TrimSuffix(strings.TrimPrefix(text, "It is "), ".")
	var result struct{ Content string }
	if json.Unmarshal([]byte(object), &result) != nil || result.Content == "" {
		return text
	}
	return "It is " + result.Content + "."
}

// close stops the model server and the gateway, and waits until they have stopped.
func (l *lab) close() {
	l.pool.CloseIdleConnections()
	l.stop()
	l.done.Wait()
	l.pool.CloseIdleConnections()
}

// model adds a model to the gateway: name is its name for clients, as its name at the simulated server, and wire the
// API between them. The recorder records the responses of the server.
func (l *lab) model(name, as string, wire callwright.WireName, opts ...reliable.Option) (*recorder, error) {
	base := l.upstream
	if wire == callwright.WireOpenAI {
		base += "/v1"
	}
	rec := &recorder{next: l.pool}
	p, err := provider.New(provider.Config{Name: "sim", Wire: wire, BaseURL: base, Transport: rec})
	if err != nil {
		return nil, err
	}
	l.models.add(name, reliable.New(p.Model(as), opts...))
	return rec, nil
}

// models are the gateway's models. Each has its own client, so that cases do not affect each other.
type models struct {
	mu     sync.Mutex
	byName map[string]*reliable.Client
}

var _ gateway.Models = (*models)(nil)

func (m *models) add(name string, c *reliable.Client) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.byName[name] = c
}

func (m *models) Resolve(name string) (*reliable.Client, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.byName[name]; c != nil {
		return c, nil
	}
	return nil, &callwright.Error{Kind: callwright.KindNotFound, Message: "unknown model " + name}
}

func (m *models) List(context.Context) []callwright.ModelID {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []callwright.ModelID
	for name := range m.byName {
		out = append(out, callwright.ModelID(name))
	}
	return out
}

// A recorder is an http.RoundTripper that records the responses of a model server.
type recorder struct {
	next http.RoundTripper
	mu   sync.Mutex
	all  []*recording
}

// A recording is one recorded response. cut is true if the connection broke.
type recording struct {
	status int
	stream bool
	mu     sync.Mutex
	body   bytes.Buffer
	cut    bool
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	a := &recording{status: resp.StatusCode, stream: strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream")}
	r.mu.Lock()
	r.all = append(r.all, a)
	r.mu.Unlock()
	resp.Body = &tee{resp.Body, a}
	return resp, nil
}

// collectSent returns the part to print of each recorded model response.
func (r *recorder) collectSent() []Sent {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []Sent
	for _, a := range r.all {
		out = append(out, a.buildSent())
	}
	return out
}

// A tee is a response body that copies the bytes read to a recording.
type tee struct {
	io.ReadCloser
	to *recording
}

func (b *tee) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.to.mu.Lock()
	defer b.to.mu.Unlock()
	b.to.body.Write(p[:n])
	b.to.cut = b.to.cut || err != nil && !errors.Is(err, io.EOF)
	return n, err
}

// bytes returns the recorded response body so far, and whether the connection broke.
func (r *recording) bytes() ([]byte, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return bytes.Clone(r.body.Bytes()), r.cut
}
