package provider_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
)

var (
	good     = reply{body: wholeAnswer}
	slowDown = `{"error":{"message":"slow down"}}`
)

// header returns a refusal with headers, in pairs.
func header(status int, pairs ...string) reply {
	r := reply{status: status, body: slowDown, header: map[string]string{}}
	for i := 0; i < len(pairs); i += 2 {
		r.header[pairs[i]] = pairs[i+1]
	}
	return r
}

func TestRetry(t *testing.T) {
	for name, c := range map[string]struct {
		replies  []reply
		tries    int
		min, max time.Duration // waited all together
		kind     callwright.Kind
	}{
		"at once well":      {[]reply{good}, 1, 0, 0, ""},
		"milliseconds":      {[]reply{header(429, "Retry-After-Ms", "1500", "Retry-After", "9"), good}, 2, 1500 * time.Millisecond, 1500 * time.Millisecond, ""},
		"seconds":           {[]reply{header(429, "Retry-After", "3"), good}, 2, 3 * time.Second, 3 * time.Second, ""},
		"part of a second":  {[]reply{header(429, "Retry-After", "0.25"), good}, 2, 250 * time.Millisecond, 250 * time.Millisecond, ""},
		"date":              {[]reply{header(503, "Retry-After", "Sat, 01 Jan 2000 00:00:09 GMT"), good}, 2, 9 * time.Second, 9 * time.Second, ""},
		"nothing said":      {[]reply{header(503), good}, 2, 300 * time.Millisecond, 700 * time.Millisecond, ""},
		"longer each time":  {[]reply{header(500), header(500), good}, 3, time.Second, 2 * time.Second, ""},
		"nonsense said":     {[]reply{header(429, "Retry-After", "soon"), good}, 2, 300 * time.Millisecond, 700 * time.Millisecond, ""},
		"negative":          {[]reply{header(429, "Retry-After", "-5"), good}, 2, 300 * time.Millisecond, 700 * time.Millisecond, ""},
		"date gone by":      {[]reply{header(429, "Retry-After", "Fri, 31 Dec 1999 00:00:00 GMT"), good}, 2, 300 * time.Millisecond, 700 * time.Millisecond, ""},
		"connection":        {[]reply{{err: errors.New("connection reset")}, good}, 2, 300 * time.Millisecond, 700 * time.Millisecond, ""},
		"not read":          {[]reply{{body: "<html>"}, good}, 2, 300 * time.Millisecond, 700 * time.Millisecond, ""},
		"told to":           {[]reply{header(400, "X-Should-Retry", "true"), good}, 2, 300 * time.Millisecond, 700 * time.Millisecond, ""},
		"told not to":       {[]reply{header(503, "X-Should-Retry", "false"), good}, 1, 0, 0, callwright.KindOverloaded},
		"too long":          {[]reply{header(429, "Retry-After", "11"), good}, 1, 0, 0, callwright.KindRateLimited},
		"too long together": {[]reply{header(429, "Retry-After", "6"), header(429, "Retry-After", "6"), good}, 2, 6 * time.Second, 6 * time.Second, callwright.KindRateLimited},
		"no use":            {[]reply{{status: 400, body: `{"error":{"message":"bad"}}`}, good}, 1, 0, 0, callwright.KindInvalid},
		"the key":           {[]reply{{status: 401, body: `{}`}, good}, 1, 0, 0, callwright.KindAuth},
		"no try left":       {[]reply{header(500)}, 3, time.Second, 2 * time.Second, callwright.KindServer},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, s := scripted(t, "lab", c.replies...)
				start := time.Now()
				resp, err := m.Generate(context.Background(), ask())
				waited := time.Since(start)
				if len(s.bodies) != c.tries || waited < c.min || waited > c.max || callwright.KindOf(err) != c.kind {
					t.Fatalf("%d tries in %s, %v", len(s.bodies), waited, err)
				}
				rep := &callwright.Report{}
				if err == nil {
					rep = resp.Report
				} else {
					rep = errorOf(t, err).Report
				}
				if rep.Attempts[0].Tries != c.tries || len(rep.Notes) != c.tries-1 || rep.Attempts[0].Duration != waited {
					t.Errorf("report %+v", rep)
				}
				for _, n := range rep.Notes {
					if n.Rule != "transport.retry" || n.Stage != callwright.StageTransport || n.Why == "" {
						t.Errorf("note %+v", n)
					}
				}
				if bodies := s.bodies; len(bodies) > 1 && bodies[0] != bodies[1] {
					t.Error("the second try sent something else")
				}
			})
		})
	}
}

func TestRetryAfterIsInTheError(t *testing.T) {
	m, _ := scripted(t, "lab", header(429, "Retry-After", "3600"))
	_, err := m.Generate(context.Background(), ask())
	if e := errorOf(t, err); e.RetryAfter != time.Hour {
		t.Errorf("retry after %s", e.RetryAfter)
	}
}

func TestRetriesAreConfigured(t *testing.T) {
	for _, n := range []int{0, 1, 5} {
		synctest.Test(t, func(t *testing.T) {
			s := &script{replies: []reply{header(503)}}
			m := open(t, "lab/m-1", withTransport(s), withBaseURL("http://lab.test"), withRetries(n))
			if _, err := m.Generate(context.Background(), ask()); err == nil || len(s.bodies) != n+1 {
				t.Errorf("%d tries, %v", len(s.bodies), err)
			}
		})
	}
}

// Waiting ends with the request; a wait that would pass its deadline is not begun.
func TestRetryEndsWithTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(2*time.Second, cancel)
		m, s := scripted(t, "lab", header(429, "Retry-After", "9"), good)
		start := time.Now()
		_, err := m.Generate(ctx, ask())
		if callwright.KindOf(err) != callwright.KindCanceled || time.Since(start) != 2*time.Second || len(s.bodies) != 1 {
			t.Errorf("%v after %s", err, time.Since(start))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		m, _ := scripted(t, "lab", header(429, "Retry-After", "9"), good)
		start := time.Now()
		_, err := m.Generate(ctx, ask())
		if callwright.KindOf(err) != callwright.KindRateLimited || time.Since(start) != 0 {
			t.Errorf("%v after %s", err, time.Since(start))
		}
	})
}

// A stream is tried again until its first event was handed on, and never after.
func TestStreamRetry(t *testing.T) {
	cut := strings.TrimSuffix(chunks("a"), "data: [DONE]\n\n")
	cut = cut[:strings.Index(cut, "\n\n")+2]
	for name, c := range map[string]struct {
		replies []reply
		tries   int
		text    string
		kind    callwright.Kind
	}{
		"refused first":      {[]reply{header(429, "Retry-After", "1"), {body: chunks("a", "b")}}, 2, "ab", ""},
		"an error first":     {[]reply{{body: "data: {\"error\":{\"message\":\"overloaded\",\"code\":503}}\n\n"}, {body: chunks("a")}}, 2, "a", ""},
		"cut before events":  {[]reply{{header: map[string]string{"Content-Type": "text/event-stream"}}, {body: chunks("a")}}, 2, "a", ""},
		"cut after an event": {[]reply{{body: cut}, {body: chunks("a")}}, 1, "a", callwright.KindTruncated},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, s := scripted(t, "lab", c.replies...)
				g := gather(context.Background(), m)
				if len(s.bodies) != c.tries || g.text != c.text || callwright.KindOf(g.err) != c.kind {
					t.Fatalf("%d tries, %q, %v", len(s.bodies), g.text, g.err)
				}
				if len(g.notes) != c.tries-1 {
					t.Errorf("notes %+v", g.notes)
				}
				if first := g.batches[0]; len(g.notes) > 0 && (len(first.Notes) != len(g.notes) || len(first.Events) > 0) {
					t.Errorf("the first batch has %d notes and %d events", len(first.Notes), len(first.Events))
				}
			})
		})
	}
}

func TestBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		status := 500
		sent := 0
		p, err := provider.New(provider.Config{
			Name: "lab", BaseURL: "http://lab.test",
			Transport: tripper(func(r *http.Request) (*http.Response, error) {
				sent++
				if status == 200 {
					return good.response(r), nil
				}
				return header(status).response(r), nil
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		m := p.Model("m")
		p.Model("only-listed")
		if got := p.Breakers(); len(got) != 0 {
			t.Errorf("before anything was asked: %v", got)
		}
		failing, stop := context.WithTimeout(context.Background(), 300*time.Millisecond) // too short for a second try
		defer stop()
		try := func() callwright.Kind {
			_, err := m.Generate(failing, ask())
			return callwright.KindOf(err)
		}
		for range 19 {
			if k := try(); k != callwright.KindServer {
				t.Fatalf("kind %s", k)
			}
		}
		if try() != callwright.KindServer || sent != 20 {
			t.Fatalf("%d sent", sent)
		}
		start := time.Now()
		if got := p.Breakers(); len(got) != 1 || got[0].Model != "lab/m" || got[0].State != provider.BreakerOpen || got[0].Last == "" || got[0].Left <= 0 {
			t.Errorf("got %v", got)
		}
		if k := try(); k != callwright.KindUnavailable || sent != 20 || time.Since(start) != 0 {
			t.Errorf("%s after %d sent: the breaker is not open", k, sent)
		}
		if _, err := m.Generate(context.Background(), ask()); errorOf(t, err).RetryAfter == 0 || sent != 20 || time.Since(start) != 0 {
			t.Errorf("an open breaker was waited for: %v", err)
		}
		if g := gather(context.Background(), m); callwright.KindOf(g.err) != callwright.KindUnavailable || sent != 20 {
			t.Errorf("streamed: %v", g.err)
		}
		if _, err := p.Model("other").Generate(context.Background(), ask()); callwright.KindOf(err) != callwright.KindServer {
			t.Errorf("another model: %v", err)
		}
		status, sent, failing = 200, 0, context.Background()
		time.Sleep(31 * time.Second)
		if got := p.Breakers()[0]; got.State != provider.BreakerHalfOpen {
			t.Errorf("after a rest: %v", got)
		}
		if k := try(); k != "" || sent != 1 {
			t.Errorf("%s after a rest", k)
		}
		if got := p.Breakers()[0]; got.State != provider.BreakerClosed {
			t.Errorf("when all is well again: %v", got)
		}
		if k := try(); k != "" {
			t.Errorf("%s when all is well again", k)
		}
	})
}

// What is not the provider's failure never opens the breaker, and half of the tries have to fail.
func TestBreakerStaysClosed(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		ctx     context.Context
		replies func(n int) reply
	}{
		"refusals":  {context.Background(), func(int) reply { return header(429, "X-Should-Retry", "false") }},
		"bad keys":  {context.Background(), func(int) reply { return reply{status: 401, body: `{}`} }},
		"clients":   {canceled, func(int) reply { return reply{err: context.Canceled} }},
		"one third": {context.Background(), func(n int) reply { return [...]reply{good, good, header(500)}[n%3] }},
		"recovered": {context.Background(), func(int) reply {
			return reply{status: 500, body: `{"error":{"code":500,"message":"Failed to parse input at pos 3: <tool_call>"}}`}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			m := open(t, "llamacpp/m", withRetries(0), withTransport(tripper(func(r *http.Request) (*http.Response, error) {
				n++
				if rep := c.replies(n); rep.err == nil {
					return rep.response(r), nil
				}
				return nil, context.Canceled
			})))
			for range 60 {
				m.Generate(c.ctx, ask())
			}
			if n != 60 {
				t.Errorf("%d of 60 requests were sent", n)
			}
		})
	}
}

func ExampleProvider_Model() {
	p, err := provider.New(provider.Config{
		Name: "lab", Wire: callwright.WireOpenAI, BaseURL: "http://127.0.0.1:8000/v1", APIKey: provider.NewSecret("sk-secret"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	fmt.Println(p)
	fmt.Println(p.Model("own-7b").ID())
	// Output:
	// provider lab at http://127.0.0.1:8000/v1
	// lab/own-7b
}
