package conformance_test

import (
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/conformance"
)

// An ender ends each third connection before an answer, as servers end idle ones.
type ender struct {
	*server
	asked atomic.Int64
	every bool
	fresh bool // the connections were not used before
}

func (e *ender) RoundTrip(r *http.Request) (*http.Response, error) {
	if t := httptrace.ContextClientTrace(r.Context()); t != nil && t.GotConn != nil {
		t.GotConn(httptrace.GotConnInfo{Reused: !e.fresh})
	}
	if n := e.asked.Add(1); e.every && n > 1 || n%3 == 0 && !r.Close {
		return nil, io.EOF
	}
	return e.server.RoundTrip(r)
}

// A connection that ended before the answer is no fault of the server, one that always ends is.
func TestEndedConnection(t *testing.T) {
	for _, c := range []struct{ every, fresh, fails bool }{{}, {every: true, fails: true}, {fresh: true, fails: true}} {
		e := &ender{server: newServer(chat, &breakage{}), every: c.every, fresh: c.fresh}
		card := check(t, chat, &breakage{}, func(o *conformance.Options) { o.Transport = e })
		if got := len(failures(card)) > 0; got != c.fails {
			t.Errorf("%+v: failures: %v", c, failures(card))
		}
	}
}

// A paused body is silent before its end.
type paused struct {
	io.ReadCloser
	pause time.Duration
}

func (p *paused) Read(b []byte) (int, error) {
	time.Sleep(p.pause)
	return p.ReadCloser.Read(b)
}

// silent pauses in streams.
type silent struct{ *server }

func (s silent) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := s.server.RoundTrip(r)
	if err == nil && resp.Header.Get("Content-Type") != "application/json" {
		resp.Body = &paused{resp.Body, 30 * time.Millisecond}
	}
	return resp, err
}

// A stream that is silent for too long is found.
func TestSilence(t *testing.T) {
	for _, api := range conformance.APIs() {
		card := check(t, api, &breakage{}, func(o *conformance.Options) {
			o.Transport, o.Silence = silent{newServer(api, &breakage{})}, 20*time.Millisecond
		})
		if got := failures(card); len(got) != 1 || got[0] != "stream_silence" {
			t.Errorf("%s: got %v", api, got)
		}
	}
}
