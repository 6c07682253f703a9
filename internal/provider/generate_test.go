package provider_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
)

func TestGenerate(t *testing.T) {
	m, s := scripted(t, "lab", reply{body: wholeAnswer})
	resp, err := m.Generate(context.Background(), ask())
	if err != nil {
		t.Fatal(err)
	}
	if resp.Text() != "Good day." || resp.Finish != callwright.FinishStop || resp.Usage.Output != 3 {
		t.Errorf("got %+v", resp)
	}
	rep := resp.Report
	if rep == nil || len(rep.Attempts) != 1 || rep.Attempts[0].Tries != 1 || rep.Attempts[0].Model != "lab/m-1" ||
		rep.Attempts[0].Usage.Input != 7 {
		t.Errorf("report %+v", rep)
	}
	if !strings.Contains(s.bodies[0], `"model":"m-1"`) {
		t.Errorf("sent %s", s.bodies[0])
	}
}

// A whole answer is asked for without stream, a streamed one with it, whatever the request said before.
func TestStreamMember(t *testing.T) {
	m, s := scripted(t, "lab", reply{body: wholeAnswer}, reply{body: chunks("a")})
	req := ask()
	req.Params.Stream = true
	if _, err := m.Generate(context.Background(), req); err != nil {
		t.Fatal(err)
	}
	if g := gather(context.Background(), m); g.err != nil {
		t.Fatal(g.err)
	}
	if strings.Contains(s.bodies[0], `"stream":true`) || !strings.Contains(s.bodies[1], `"stream":true`) {
		t.Errorf("sent %s and %s", s.bodies[0], s.bodies[1])
	}
	if got := s.last.Header.Get("Accept"); got != "text/event-stream" {
		t.Errorf("accepts %q", got)
	}
}

func TestErrorKinds(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	for name, c := range map[string]struct {
		reply  reply
		kind   callwright.Kind
		status int
	}{
		"invalid":    {reply{status: 400, body: `{"error":{"message":"bad","type":"invalid_request_error"}}`}, callwright.KindInvalid, 400},
		"key":        {reply{status: 401, body: `{"error":{"message":"bad key"}}`}, callwright.KindAuth, 401},
		"not found":  {reply{status: 404, body: `{"error":{"message":"no such model"}}`}, callwright.KindNotFound, 404},
		"rate":       {reply{status: 429, body: `{"error":{"message":"slowly"}}`}, callwright.KindRateLimited, 429},
		"server":     {reply{status: 500, body: `oops`}, callwright.KindServer, 500},
		"redirect":   {reply{status: 307, header: map[string]string{"Location": "http://elsewhere.test"}}, callwright.KindBadAnswer, 307},
		"html":       {reply{body: `<html>welcome</html>`}, callwright.KindBadAnswer, 0},
		"connection": {reply{err: refused}, callwright.KindUnavailable, 0},
		"name":       {reply{err: &net.DNSError{Err: "no such host", Name: "lab.test"}}, callwright.KindUnavailable, 0},
		"slow dial":  {reply{err: &net.OpError{Op: "dial", Err: timeout{}}}, callwright.KindTimeout, 0},
		"closed":     {reply{err: io.EOF}, callwright.KindUnavailable, 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, s := scripted(t, "lab", c.reply)
			m := open(t, "lab/m-1", withTransport(s), withBaseURL("http://lab.test/v1"), withRetries(0))
			_, err := m.Generate(context.Background(), ask())
			e := errorOf(t, err)
			if e.Kind != c.kind || e.Status != c.status || e.Model != "lab/m-1" || e.Op != "" {
				t.Errorf("got kind %s, status %d, op %q, model %q: %v", e.Kind, e.Status, e.Op, e.Model, e)
			}
			if e.Report == nil || len(e.Report.Attempts) != 1 || e.Report.Attempts[0].Kind != c.kind {
				t.Errorf("report %+v", e.Report)
			}
			if g := gather(context.Background(), m); callwright.KindOf(g.err) != c.kind && name != "html" {
				t.Errorf("streamed: %v", g.err)
			}
		})
	}
}

type timeout struct{}

func (timeout) Error() string   { return "i/o timeout" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

// What a provider repeats of the key does not leave, and its body is bounded.
func TestErrorsKeepNoSecret(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	for _, r := range []reply{
		{status: 401, body: `{"error":{"message":"Incorrect API key provided: ` + testKey + `"}}`},
		{status: 400, body: `key ` + testKey + " " + long},
		{err: errors.New("proxy said: " + testKey)},
	} {
		m := open(t, "lab/m-1", withTransport(&script{replies: []reply{r}}), withBaseURL("http://lab.test/v1"),
			withRetries(0))
		_, err := m.Generate(context.Background(), ask())
		e := errorOf(t, err)
		if strings.Contains(e.Error(), testKey) || strings.Contains(string(e.Body), testKey) ||
			strings.Contains(e.Report.Attempts[0].Error, testKey) {
			t.Errorf("the key is in %v / %.100s", e, e.Body)
		}
		if len(e.Body) > 64<<10 {
			t.Errorf("body of %d bytes", len(e.Body))
		}
	}
}

func TestAnswerIsBounded(t *testing.T) {
	for name, length := range map[string]int64{"declared": 0, "chunked": -1} {
		t.Run(name, func(t *testing.T) {
			s := &script{replies: []reply{{body: wholeAnswer + strings.Repeat(" ", 5000)}}}
			p, err := provider.New(provider.Config{
				Name: "lab", BaseURL: "http://lab.test", MaxAnswer: 4096,
				Transport: tripper(func(r *http.Request) (*http.Response, error) {
					resp, err := s.RoundTrip(r)
					if length < 0 {
						resp.ContentLength = -1
					}
					return resp, err
				}),
			})
			if err != nil {
				t.Fatal(err)
			}
			_, failed := p.Model("m").Generate(context.Background(), ask())
			if e := errorOf(t, failed); e.Kind != callwright.KindBadAnswer || len(s.bodies) != 1 {
				t.Errorf("got %v after %d tries", e, len(s.bodies))
			}
		})
	}
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A body that is shorter than announced is a truncated answer, over a real connection.
func TestCutBody(t *testing.T) {
	tries := 0
	m := serve(t, func(w http.ResponseWriter, r *http.Request) {
		tries++
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, wholeAnswer)
	}, withRetries(0))
	_, err := m.Generate(context.Background(), ask())
	if e := errorOf(t, err); e.Kind != callwright.KindTruncated || tries != 1 {
		t.Errorf("got %v after %d tries", e, tries)
	}
}

func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	m := open(t, "lab/m-1", withBaseURL("http://"+address+"/v1"), withRetries(0))
	if _, err := m.Generate(context.Background(), ask()); callwright.KindOf(err) != callwright.KindUnavailable {
		t.Errorf("got %v", err)
	}
}

// A connection is used again after whole answers, streamed answers and refusals.
func TestConnectionsAreKept(t *testing.T) {
	addresses := map[string]bool{}
	n := 0
	m := serve(t, func(w http.ResponseWriter, r *http.Request) {
		addresses[r.RemoteAddr] = true
		sent, _ := io.ReadAll(r.Body)
		switch n++; {
		case n%3 == 0:
			w.WriteHeader(400)
			io.WriteString(w, `{"error":{"message":"no"}}`)
		case strings.Contains(string(sent), `"stream":true`):
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, chunks("a", "b"))
		default:
			io.WriteString(w, wholeAnswer)
		}
	})
	for range 4 {
		m.Generate(context.Background(), ask())
		gather(context.Background(), m)
		m.Generate(context.Background(), ask())
	}
	if len(addresses) != 1 {
		t.Errorf("%d connections for %d requests", len(addresses), n)
	}
}

// Every answer is closed, and one that was wanted whole is read to its very end first.
func TestAnswersAreEnded(t *testing.T) {
	for name, c := range map[string]struct {
		reply  reply
		stream bool
	}{
		"whole":    {reply{body: wholeAnswer}, false},
		"streamed": {reply{body: chunks("a")}, true},
		"refused":  {reply{status: 400, body: `{"error":{"message":"no"}}`}, false},
		"bad":      {reply{status: 307, body: `moved`}, true},
	} {
		t.Run(name, func(t *testing.T) {
			var body *counted
			m := open(t, "lab/m", withBaseURL("http://lab.test"), withTransport(tripper(func(r *http.Request) (*http.Response, error) {
				resp := c.reply.response(r)
				body = &counted{Reader: strings.NewReader(c.reply.body)}
				resp.Body = body
				return resp, nil
			})))
			if c.stream {
				gather(context.Background(), m)
			} else {
				m.Generate(context.Background(), ask())
			}
			if body.ends == 0 || body.closes != 1 {
				t.Errorf("the end was seen %d times, closed %d times", body.ends, body.closes)
			}
		})
	}
}

// counted is a body that counts how often its end was seen and how often it was closed.
type counted struct {
	io.Reader
	ends, closes int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if err == io.EOF {
		c.ends++
	}
	return n, err
}

func (c *counted) Close() error {
	c.closes++
	return nil
}

func TestPreview(t *testing.T) {
	m, s := scripted(t, "groq", reply{body: wholeAnswer})
	req := ask()
	req.Params.Stream = true
	p, err := m.Preview(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	if p.Method != "POST" || p.URL != "http://groq.test/v1/chat/completions" || len(s.bodies) != 0 {
		t.Errorf("%s %s, %d sent", p.Method, p.URL, len(s.bodies))
	}
	if body := string(p.Body); !strings.Contains(body, `"stream":true`) || !strings.Contains(body, "Good day!") ||
		strings.Contains(body, testKey) {
		t.Errorf("body %s", body)
	}
	m = open(t, "lab/m", withBaseURL("http://lab.test/v1?code="+testKey))
	if p, err = m.Preview(context.Background(), req); err != nil || strings.Contains(p.URL, testKey) {
		t.Errorf("%s, %v", p.URL, err)
	}
}
