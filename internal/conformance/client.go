package conformance

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// maxBody is the maximum number of bytes read of one response.
const maxBody = 8 << 20

// A client sends the requests of one run.
type client struct {
	o    Options
	form *form
	url  func(model string, stream bool) string
	http *http.Client
	sent *atomic.Int64 // number of requests, without retries after a closed connection
}

func newClient(o Options, f *form, variant int) *client {
	b := newBase(o.URL)
	return &client{o: o, form: f, sent: &atomic.Int64{}, http: &http.Client{Transport: o.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		url: func(model string, stream bool) string { return f.urls(b, model, stream)[variant] }}
}

// send sends one request and decodes the response.
func (c *client) send(ctx context.Context, a *request) *answer {
	model := cmp.Or(a.model, c.o.Model)
	body := a.body
	if body == "" {
		doc := c.form.write(c.rewritePrompt(a), model, cmp.Or(a.most, c.o.MaxTokens))
		if a.edit != nil {
			a.edit(doc)
		}
		body = encode(doc)
	}
	got := &answer{request: a}
	ctx, cancel := context.WithTimeoutCause(ctx, c.o.Timeout, fmt.Errorf("no complete answer within %s", c.o.Timeout))
	defer cancel()
	address := c.url(model, a.stream)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		got.err = err
		return got
	}
	c.setHeaders(req, a.anonymous)
	got.curl = c.curl(req, body)
	began := time.Now()
	resp, err := c.do(req)
	if err != nil {
		got.err = plainError(ctx, err)
		return got
	}
	defer func() { _ = resp.Body.Close() }()
	got.status, got.header = resp.StatusCode, resp.Header
	var pause time.Duration
	got.body, pause, got.err = readPaced(resp.Body, began)
	got.took = time.Since(began)
	if got.err != nil {
		got.err = plainError(ctx, got.err)
	}
	if a.stream && got.status/100 == 2 {
		got.expect(pause <= c.o.Silence, "stream_silence", "the stream was silent for %s", pause.Round(time.Millisecond))
	}
	c.read(got)
	return got
}

// do sends a request. It retries once if the server closed a reused idle connection, which is allowed at any time:
// https://www.rfc-editor.org/rfc/rfc9112#section-9.3.1
func (c *client) do(req *http.Request) (*http.Response, error) {
	c.sent.Add(1)
	var reused atomic.Bool
	ctx := httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GotConn: func(got httptrace.GotConnInfo) { reused.Store(got.Reused) },
	})
	resp, err := c.http.Do(req.WithContext(ctx))
	if !errors.Is(err, io.EOF) || !reused.Load() || req.Body != nil && req.GetBody == nil {
		return resp, err
	}
	again := req.Clone(req.Context())
	if req.GetBody != nil {
		if again.Body, err = req.GetBody(); err != nil {
			return nil, err
		}
	}
	again.Close = true
	return c.http.Do(again)
}

// rewritePrompt returns the request with its last text rewritten by Options.Prompt.
func (c *client) rewritePrompt(a *request) *request {
	if c.o.Prompt == nil || len(a.messages) == 0 {
		return a
	}
	b := *a
	b.messages = slices.Clone(a.messages)
	last := &b.messages[len(b.messages)-1]
	if last.role == "tool" {
		last.result.text = c.o.Prompt(last.result.text)
	} else {
		last.text = c.o.Prompt(last.text)
	}
	return &b
}

// setHeaders sets the headers of a request. anonymous omits the API key.
func (c *client) setHeaders(req *http.Request, anonymous bool) {
	req.Header.Set("Content-Type", "application/json")
	if c.form.name == Anthropic {
		req.Header.Set("Anthropic-Version", "2023-06-01")
	}
	maps.Copy(req.Header, c.o.Header)
	switch {
	case c.o.Key == "" || anonymous:
	case c.o.KeyHeader != "":
		req.Header.Set(c.o.KeyHeader, c.o.Key)
	default:
		c.form.key(req.Header, c.o.Key)
	}
}

// curl returns the curl command for a request. Shell variables replace the API key and the values of user headers.
func (c *client) curl(req *http.Request, body string) string {
	var b strings.Builder
	b.WriteString("curl -sN " + quoteForShell(req.URL.String()))
	for _, name := range slices.Sorted(maps.Keys(req.Header)) {
		value := req.Header.Get(name)
		if _, own := c.o.Header[name]; own {
			value = "$" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		} else if c.o.Key != "" && strings.HasSuffix(value, c.o.Key) {
			value = strings.TrimSuffix(value, c.o.Key) + "$" + c.o.KeyVariable
		}
		b.WriteString(` -H "` + name + ": " + value + `"`)
	}
	if body != "" {
		b.WriteString(" -d " + quoteForShell(body))
	}
	return b.String()
}

// quoteForShell returns a text as a quoted word of a POSIX shell.
func quoteForShell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// readPaced reads a body of at most maxBody bytes. pause is the longest pause between two reads, the first one counted
// from the time began.
func readPaced(r io.Reader, began time.Time) (body []byte, pause time.Duration, err error) {
	piece := make([]byte, 32<<10)
	last := began
	for len(body) <= maxBody {
		n, err := r.Read(piece)
		now := time.Now()
		pause, last = max(pause, now.Sub(last)), now
		body = append(body, piece[:n]...)
		if errors.Is(err, io.EOF) {
			return body, pause, nil
		}
		if err != nil {
			return body, pause, err
		}
	}
	return body, pause, fmt.Errorf("the answer is longer than %d MiB", maxBody>>20)
}

// plainError returns the error of a request without its URL, or the cause of a done context.
func plainError(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the connection ended in the middle of the answer")
	}
	if at, ok := errors.AsType[*url.Error](err); ok {
		return at.Err
	}
	return err
}

// read decodes the body of a response.
func (c *client) read(a *answer) {
	if a.status/100 != 2 {
		c.readRefusal(a)
		return
	}
	if a.err != nil {
		return
	}
	a.expect(utf8.Valid(a.body), "utf8", "the body is not valid UTF-8")
	if a.request.stream {
		events := c.events(a)
		c.form.stream(a, events)
	} else {
		a.expect(strings.HasPrefix(a.header.Get("Content-Type"), "application/json"), "answer_type",
			"the Content-Type is %q, not application/json", a.header.Get("Content-Type"))
		t, err := parse(bytes.TrimSpace(a.body))
		if a.expect(err == nil, "answer_json", "the body is not JSON: %v", err); err != nil {
			a.err = errors.New("the body is not JSON")
			return
		}
		c.form.whole(a, t)
	}
	if a.err == nil {
		c.judge(a)
	}
}

func (c *client) readRefusal(a *answer) {
	t, err := parse(bytes.TrimSpace(a.body))
	why := ""
	if err != nil {
		why = "the body is not JSON"
	} else {
		why = c.form.refusal(t)
	}
	a.expect(why == "", "error_shape", "the error with status %d has another form: %s", a.status, why)
}

func errInStream(data string) error {
	return fmt.Errorf("the stream contains an error: %s", short(data))
}
