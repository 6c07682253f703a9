package trace

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/redact"
)

// An Endpoint is the provider and API to which a transport sends requests.
type Endpoint struct {
	Provider string
	Wire     callwright.WireName
	// DecodeError decodes an error response, as the codec of the API does. A response with an error of KindAuth is
	// recorded without its body, which may contain a part of the key. If nil, the status alone decides.
	DecodeError func(status int, header http.Header, body []byte) *callwright.Error
}

// Transport returns a transport that behaves like next and records the bytes of each response, as far as they are read,
// if the request comes from a model recorded with the same Writer; see [Record]. Other requests are only passed on. A
// response is recorded when its body is closed. Of the request headers, only those without secrets are recorded.
// Secrets of the request that the response repeats are removed. A nil next means http.DefaultTransport.
func (w *Writer) Transport(next http.RoundTripper, to Endpoint) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	return &tap{w: w, next: next, to: to}
}

// recordingKey is the context key of a *recording.
type recordingKey struct{}

// A tap is an http.RoundTripper that records responses.
type tap struct {
	w    *Writer
	next http.RoundTripper
	to   Endpoint
}

func (t *tap) RoundTrip(req *http.Request) (*http.Response, error) {
	a, _ := req.Context().Value(recordingKey{}).(*recording)
	if a == nil || a.w != t.w {
		return t.next.RoundTrip(req)
	}
	c := &capture{tap: t, recording: a, ctx: req.Context(), secrets: secretsOf(req), began: t.w.now()}
	c.known = a.tap(c.secrets)
	c.got.Sent = askedHeader(req.Header, c.known)
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		c.fail(err)
		c.finish()
		return resp, err
	}
	c.got.Status, c.got.Header = resp.StatusCode, recordedHeader(resp.Header, resp.StatusCode, c.began)
	c.body, resp.Body = resp.Body, c
	return resp, nil
}

// A capture is the body of a response that is being recorded.
type capture struct {
	*tap
	*recording
	ctx     context.Context //nolint:containedctx // of the request: has the cause of a failed read
	secrets []secret        // secrets of the request
	known   redact.Secrets  // all secrets to remove from a response
	began   time.Time
	body    io.ReadCloser

	mu    sync.Mutex // Close and Read may be concurrent
	got   Received
	ended bool // EOF or an error was read
	done  bool
}

// Read reads from the body and records the bytes.
func (c *capture) Read(p []byte) (int, error) {
	n, err := c.body.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.done {
		c.keep(p[:n])
		switch {
		case errors.Is(err, io.EOF):
			c.ended = true
		case err != nil:
			c.fail(err)
		}
	}
	return n, err
}

func (c *capture) keep(b []byte) {
	c.got.Size += int64(len(b))
	room := c.tap.w.maxAnswer - len(c.got.Body)
	c.got.Body = append(c.got.Body, b[:min(len(b), max(room, 0))]...)
}

// fail records the error that ends the response, or the cause of a done context.
func (c *capture) fail(err error) {
	c.ended = true
	if cause := context.Cause(c.ctx); cause != nil {
		c.got.Broken, c.got.Late = cause.Error(), !errors.Is(cause, context.Canceled)
		return
	}
	var timed net.Error
	c.got.Broken, c.got.Late = err.Error(), errors.As(err, &timed) && timed.Timeout()
}

// Close closes the body and records the response.
func (c *capture) Close() error {
	err := c.body.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended && !c.done {
		c.got.Broken = unread
	}
	c.finish()
	return err
}

// unread is the recorded error of a response that was not read to its end.
const unread = "not read to its end"

// finish records the response, once.
func (c *capture) finish() {
	if c.done {
		return
	}
	c.done = true
	c.got.Provider, c.got.Wire = c.to.Provider, c.to.Wire
	c.hide()
	c.recording.recordAnswer(&c.got, c.tap.w.now().Sub(c.began))
	c.got.Body = nil
}

// hide removes credentials from the recorded bytes.
func (c *capture) hide() {
	r := &c.got
	if c.aboutKey() {
		r.Withheld, r.Body, r.Size = true, nil, 0
	}
	known := c.known
	broken := known
	for _, s := range c.secrets {
		if broken = broken.With(s.text); r.Status/100 != 2 {
			known = known.With(s.text)
		}
	}
	left := r.Size - int64(len(r.Body))
	r.Body = known.Stream(r.Body)
	r.Size = left + int64(len(r.Body))
	if !r.Whole() {
		r.Body = known.Cut(r.Body)
	}
	r.Broken = broken.Text(r.Broken)
	for name, values := range r.Header {
		r.Header[name] = []string{headerValue(values, known)}
	}
}

// aboutKey reports whether the response says that the API key was rejected.
func (c *capture) aboutKey() bool {
	r := &c.got
	switch {
	case r.Status == 0 || r.Status/100 == 2:
		return false
	case r.Status == http.StatusUnauthorized || c.to.DecodeError == nil && r.Status == http.StatusForbidden:
		return true
	}
	return c.to.DecodeError != nil && c.to.DecodeError(r.Status, r.Header, bytes.Clone(r.Body)).Kind == callwright.KindAuth
}

// public lists the request headers without secrets. A header or query parameter whose name contains a string of
// credentialName holds a credential.
var (
	public = map[string]bool{
		"Accept": true, "Accept-Encoding": true, "Content-Type": true, "User-Agent": true, "Anthropic-Version": true, "Anthropic-Beta": true,
		"X-Request-Id": true, "X-Client-Request-Id": true,
	}
	credentialName = []string{"auth", "key", "token", "secret", "password", "cookie", "sig"}
)

// A secret is a value of the request that recorded responses must not contain.
type secret struct {
	text   string
	always bool // a credential by its name; otherwise removed only from error responses
}

// secretsOf returns the values in the headers and in the query of a request, the longest first because one may contain
// another.
func secretsOf(req *http.Request) []secret {
	var out []secret
	keep := func(text string, always bool) {
		if len(text) >= redact.MinLength {
			out = append(out, secret{text, always})
		}
	}
	add := func(name string, values []string) {
		name = strings.ToLower(name)
		always := slices.ContainsFunc(credentialName, func(part string) bool { return strings.Contains(name, part) })
		for _, v := range values {
			if i := strings.LastIndexByte(v, ' '); i >= 0 && name == "authorization" {
				v = v[i+1:] // without "Bearer" or "Basic"
				if pair, err := base64.StdEncoding.DecodeString(v); err == nil {
					_, password, _ := strings.Cut(string(pair), ":")
					keep(password, always)
				}
			}
			keep(v, always)
		}
	}
	for name, values := range req.Header {
		if !public[name] {
			add(name, values)
		}
	}
	if req.URL != nil {
		for name, values := range req.URL.Query() {
			add(name, values)
		}
	}
	slices.SortFunc(out, func(a, b secret) int { return len(b.text) - len(a.text) })
	return out
}
