package answer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A Recorder sends requests to a server and keeps the answers in a Store. Requests with an answer in the Store are not
// sent. Requests other than POST are sent as they are. It is an http.RoundTripper, safe for concurrent use.
type Recorder struct {
	Store         *Store
	Model, Engine string
	Next          http.RoundTripper

	mu    sync.Mutex
	used  []*Answer
	sent  int
	aside int // requests other than POST that are under way
}

// NewRecorder makes a Recorder that sends by http.DefaultTransport.
func NewRecorder(store *Store, model, engine string) *Recorder {
	return &Recorder{Store: store, Model: model, Engine: engine, Next: http.DefaultTransport}
}

// RoundTrip answers a request out of the Store, or sends it.
func (r *Recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodPost {
		r.count(&r.aside, 1)
		defer r.count(&r.aside, -1)
		return r.Next.RoundTrip(req)
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	req.Body.Close()
	key := Key(r.Model, r.Engine, req.URL.Path, body)
	a := r.Store.Get(key)
	if a == nil {
		if a, err = r.send(req, key, body); err != nil {
			return nil, err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used = append(r.used, a)
	return a.response(req), nil
}

func (r *Recorder) count(n *int, by int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	*n += by
}

// send asks the server. An answer of a server that fails is not kept.
func (r *Recorder) send(req *http.Request, key string, body []byte) (*Answer, error) {
	r.count(&r.sent, 1)
	began := time.Now()
	again := req.Clone(req.Context())
	again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	again.Header.Del("Accept-Encoding") // the transport decodes what it asks for itself
	resp, err := r.Next.RoundTrip(again)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	a := &Answer{Key: key, Model: r.Model, Engine: r.Engine, Path: req.URL.Path, Request: string(body), Status: resp.StatusCode,
		Type: resp.Header.Get("Content-Type"), Body: string(text), Seconds: float64(time.Since(began).Milliseconds()) / 1000}
	if a.Status == http.StatusServiceUnavailable || a.Status == http.StatusTooManyRequests {
		return a, nil // loading or busy: another time it answers
	}
	return a, r.Store.Put(a)
}

// Taken returns the answers that were given since it was called last.
func (r *Recorder) Taken() []*Answer {
	r.mu.Lock()
	defer r.mu.Unlock()
	used := r.used
	r.used = nil
	return used
}

// Sent is how many requests went to the server.
func (r *Recorder) Sent() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sent
}

// IsIdle reports whether no request other than POST is under way.
func (r *Recorder) IsIdle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.aside == 0
}

// response is the answer as an HTTP response.
func (a *Answer) response(req *http.Request) *http.Response {
	return &http.Response{Status: fmt.Sprint(a.Status, " ", http.StatusText(a.Status)), StatusCode: a.Status, Proto: "HTTP/1.1",
		ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {a.Type}}, ContentLength: int64(len(a.Body)),
		Body: io.NopCloser(strings.NewReader(a.Body)), Request: req}
}

// ErrUnrecorded says that a request has no recorded answer.
var ErrUnrecorded = errors.New("no answer was recorded")

// A Player gives answers in the order in which they were recorded, to whichever requests come. A request for a stream
// gets one also where a whole answer was recorded. It is an http.RoundTripper for one conversation at a time.
type Player struct {
	Answers []*Answer

	next    int
	missing bool
}

// RoundTrip gives the next answer. Without one it fails with ErrUnrecorded.
func (p *Player) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodPost {
		return nil, ErrUnrecorded
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	req.Body.Close()
	if p.next >= len(p.Answers) {
		p.missing = true
		return nil, ErrUnrecorded
	}
	a := p.Answers[p.next]
	p.next++
	if wantsStream(req.URL.Path, body) && isWhole(a) {
		if a, err = a.streamed(); err != nil {
			return nil, err
		}
	}
	return a.response(req), nil
}

// Missing reports whether a request had no recorded answer.
func (p *Player) Missing() bool { return p.missing }

// Taken returns the answers that were given so far.
func (p *Player) Taken() []*Answer { return p.Answers[:p.next] }
