package provider_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/notice"
	"github.com/callwright/callwright/internal/provider"
)

func TestStream(t *testing.T) {
	m, _ := scripted(t, "lab", reply{body: chunks("Good", " ", "day.")})
	g := gather(context.Background(), m)
	if g.err != nil || g.text != "Good day." || g.finish != callwright.FinishStop || len(g.notes) != 0 {
		t.Errorf("got %q, %s, %v", g.text, g.finish, g.err)
	}
	var raw []byte
	for _, b := range g.batches {
		if len(b.Events) > 0 && b.Raw == nil {
			t.Errorf("a batch without bytes: %v", b.Events)
		}
		raw = append(raw, b.Raw...)
	}
	if want := chunks("Good", " ", "day."); string(raw) != want {
		t.Errorf("bytes %q, want %q", raw, want)
	}
}

// A batch says that more follows unless nothing more is at hand.
func TestMore(t *testing.T) {
	next := make(chan string)
	m := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for piece := range next {
			io.WriteString(w, piece)
			w.(http.Flusher).Flush()
		}
	})
	first, rest, _ := strings.Cut(chunks("a", "b", "c", "d"), "\n\n")
	pieces := []string{first + "\n\n", rest}
	var got []string
	go func() { next <- pieces[0] }()
	for b, err := range m.Batches(context.Background(), ask()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, ev := range b.Events {
			if text, ok := ev.(callwright.TextDelta); ok {
				got = append(got, text.Text)
			}
		}
		if b.More {
			continue
		}
		if got = append(got, "|"); len(pieces) > 1 {
			pieces = pieces[1:]
			go func() { next <- pieces[0]; close(next) }()
		}
	}
	if joined := strings.TrimRight(strings.Join(got, ""), "|"); joined != "a|bcd" {
		t.Errorf("got %s", joined)
	}
}

// Leaving the loop frees everything at once, wherever it is left, and so does ending the context.
func TestStopping(t *testing.T) {
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		t.Run(proto, func(t *testing.T) {
			before := goleak.IgnoreCurrent()
			gone := make(chan string, 1)
			srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				whole := chunks("a", "b")
				io.WriteString(w, whole[:strings.Index(whole, "\n\n")+2])
				w.(http.Flusher).Flush()
				<-r.Context().Done()
				gone <- r.Proto
			}))
			srv.EnableHTTP2 = proto == "HTTP/2.0"
			srv.StartTLS()
			transport := srv.Client().Transport.(*http.Transport)
			m := open(t, "lab/m-1", withBaseURL(srv.URL+"/v1"), withTransport(transport))
			stopEverywhere(t, m, func() {
				t.Helper()
				if got := <-gone; got != proto {
					t.Errorf("spoke %s", got)
				}
			})
			transport.CloseIdleConnections()
			srv.Close()
			goleak.VerifyNone(t, before)
		})
	}
}

// stopEverywhere ends requests in each of the ways there are; gone waits until the server saw the end of one.
func stopEverywhere(t *testing.T, m *provider.Remote, gone func()) {
	for _, err := range m.Stream(context.Background(), ask()) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	gone()

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var last error
	for b, err := range m.Batches(ctx, ask()) {
		if err == nil && !b.More {
			cancel()
		}
		last = err
	}
	gone()
	if callwright.KindOf(last) != callwright.KindCanceled {
		t.Errorf("a stream whose context ended: %v", last)
	}

	ctx, cancel = context.WithCancel(httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{
		GotFirstResponseByte: func() { cancel() },
	}))
	defer cancel()
	if _, err := m.Generate(ctx, ask()); callwright.KindOf(err) != callwright.KindCanceled {
		t.Errorf("a whole answer whose context ended: %v", err)
	}
	gone()
}

// A stream may be left at any of its events.
func TestStoppingAnywhere(t *testing.T) {
	m, _ := scripted(t, "lab", reply{body: chunks("a", "b")})
	all := len(gather(context.Background(), m).events)
	for stop := range all {
		n := 0
		for range m.Stream(context.Background(), ask()) {
			if n == stop {
				break
			}
			n++
		}
		if n != stop {
			t.Errorf("left at %d, wanted %d", n, stop)
		}
	}
}

// A provider that does not stream, and one that answers a stream with an error and a good status.
func TestWholeAnswerInPlaceOfStream(t *testing.T) {
	m, _ := scripted(t, "lab", reply{body: wholeAnswer})
	g := gather(context.Background(), m)
	if g.err != nil || g.text != "Good day." || g.finish != callwright.FinishStop {
		t.Errorf("got %q, %s, %v", g.text, g.finish, g.err)
	}
	body := `{"id":"c","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[` +
		`{"id":"call_1","type":"function","function":{"name":"open_gate","arguments":"{\"gate\":\"B7\"}"}}]},"finish_reason":"tool_calls"}]}`
	m, _ = scripted(t, "lab", reply{body: body})
	var got string
	for _, ev := range gather(context.Background(), m).events {
		switch ev := ev.(type) {
		case callwright.CallBegin:
			got += ev.ID + " " + ev.Name
		case callwright.CallDelta:
			got += " " + ev.Text
		case callwright.CallEnd:
			got += " end"
		}
	}
	if got != `call_1 open_gate {"gate":"B7"} end` {
		t.Errorf("got %s", got)
	}
	m, _ = scripted(t, "lab", reply{body: strings.Replace(wholeAnswer, `"index":0,`, "", 1)})
	if g := gather(context.Background(), m); len(g.notes) != 1 || g.notes[0].Rule != "wire.choice_index" {
		t.Errorf("expected the note of a choice without its index, got %+v", g.notes)
	}
	synctest.Test(t, func(t *testing.T) {
		m, s := scripted(t, "lab", reply{body: `{"error":{"message":"overloaded","code":502}}`})
		if g := gather(context.Background(), m); g.err == nil || len(g.events) != 0 || len(s.bodies) == 0 {
			t.Errorf("got %v, %v", g.events, g.err)
		}
	})
}

func TestTimeouts(t *testing.T) {
	limits := provider.Timeouts{FirstByte: 7 * time.Second, BetweenBytes: 3 * time.Second}
	// silent answers with a head and pieces of a body, each after its pause, and waits for ever after the last.
	silent := func(head time.Duration, pauses ...time.Duration) tripper {
		return func(r *http.Request) (*http.Response, error) {
			select {
			case <-time.After(head):
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
			resp := reply{body: "data:"}.response(r)
			resp.Body = &slow{ctx: r.Context(), pauses: pauses, text: chunks("a")}
			return resp, nil
		}
	}
	for name, c := range map[string]struct {
		transport tripper
		after     time.Duration
	}{
		"first byte":       {silent(time.Hour), 7 * time.Second},
		"between bytes":    {silent(time.Second), 4 * time.Second},
		"after some bytes": {silent(6*time.Second, 2*time.Second, 2*time.Second, 2*time.Second), 15 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := open(t, "lab/m", withBaseURL("http://lab.test"), withTransport(c.transport),
					withTimeouts(limits), withRetries(0))
				for verb, do := range map[string]func() error{
					"stream": func() error { return gather(context.Background(), m).err },
					"whole":  func() error { _, err := m.Generate(context.Background(), ask()); return err },
				} {
					start := time.Now()
					err := do()
					if callwright.KindOf(err) != callwright.KindTimeout || time.Since(start) != c.after {
						t.Errorf("%s: %v after %s", verb, err, time.Since(start))
					}
				}
			})
		})
	}
}

// TestSlow: a model that has been silent for half a minute is told of, once, and a model that never answers is asked once where another one can be.
func TestSlow(t *testing.T) {
	for name, c := range map[string]struct {
		fallback bool
		limit    time.Duration
		want     string
	}{
		"with a fallback": {true, 10 * time.Minute, "slow 30s"},
		"alone":           {false, 10 * time.Minute, "slow 30s, retry, slow 30s"},
		"not for long":    {false, 20 * time.Second, "retry"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := open(t, "lab/m", withBaseURL("http://lab.test"), withRetries(1), withTimeouts(provider.Timeouts{FirstByte: c.limit}), withTransport(tripper(func(r *http.Request) (*http.Response, error) {
					<-r.Context().Done()
					return nil, r.Context().Err()
				})))
				var told []string
				ctx := notice.With(context.Background(), func(n notice.Notice) {
					if n.Event == notice.Slow {
						told = append(told, fmt.Sprintf("%s %s", n.Event, n.Wait))
						return
					}
					told = append(told, string(n.Event))
				})
				req := companion.With(ask(), func(a *companion.Companion) { a.HasFallback = c.fallback })
				if _, err := m.Generate(ctx, req); callwright.KindOf(err) != callwright.KindTimeout {
					t.Error(err)
				}
				if got := strings.Join(told, ", "); got != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
			})
		})
	}
}

// TestFirstByteBeforeFallback: a stream waits for a minute where another model is asked next, unless first_byte is set. Whole answers wait for all.
func TestFirstByteBeforeFallback(t *testing.T) {
	for _, c := range []struct {
		fallback, whole bool
		set, want       time.Duration
	}{
		{true, false, 0, time.Minute}, {false, false, 0, 10 * time.Minute}, {true, true, 0, 10 * time.Minute},
		{true, false, 3 * time.Minute, 3 * time.Minute}, {true, false, 5 * time.Second, 5 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := open(t, "lab/m", withBaseURL("http://lab.test"), withRetries(0), withTimeouts(provider.Timeouts{FirstByte: c.set}), withTransport(tripper(func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				return nil, r.Context().Err()
			})))
			req := companion.With(ask(), func(a *companion.Companion) { a.HasFallback = c.fallback })
			start := time.Now()
			var err error
			if c.whole {
				_, err = m.Generate(context.Background(), req)
			} else {
				for _, failed := range m.Stream(context.Background(), req) {
					err = failed
				}
			}
			if took := time.Since(start).Round(time.Millisecond); callwright.KindOf(err) != callwright.KindTimeout || took != c.want {
				t.Errorf("%+v: %v after %s", c, err, took)
			}
		})
	}
}

// A client that reads slowly is not taken for a silent provider, and the deadline of the request is its own.
func TestTimeoutsMindTheProviderAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := chunks("a", "b", "c")
		m := open(t, "lab/m", withBaseURL("http://lab.test"), withTransport(tripper(func(r *http.Request) (*http.Response, error) {
			resp := reply{body: body}.response(r)
			resp.Body = io.NopCloser(io.MultiReader(
				&slow{ctx: r.Context(), pauses: make([]time.Duration, len(body)/4), text: body[:len(body)/4*4]},
				strings.NewReader(body[len(body)/4*4:])))
			return resp, nil
		})))
		n := 0
		for _, err := range m.Stream(context.Background(), ask()) {
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
			n++
		}
		if n < 5 {
			t.Errorf("%d events", n)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		sent := 0
		m := open(t, "lab/m", withBaseURL("http://lab.test"), withTransport(tripper(func(r *http.Request) (*http.Response, error) {
			sent++
			<-r.Context().Done()
			return nil, r.Context().Err()
		})))
		_, err := m.Generate(ctx, ask())
		if e := errorOf(t, err); e.Kind != callwright.KindTimeout || sent != 1 {
			t.Errorf("%v after %d tries", e, sent)
		}
	})
}

// slow is a body that gives a few bytes after each pause and then nothing for ever.
type slow struct {
	ctx    context.Context
	pauses []time.Duration
	text   string
}

func (s *slow) Read(p []byte) (int, error) {
	if len(s.pauses) == 0 {
		if s.text == "" {
			return 0, io.EOF
		}
		<-s.ctx.Done()
	}
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	time.Sleep(s.pauses[0])
	s.pauses = s.pauses[1:]
	n := copy(p, s.text[:4])
	s.text = s.text[n:]
	return n, nil
}

func (s *slow) Close() error { return nil }
