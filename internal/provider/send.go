package provider

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"path"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/pool"
	"github.com/callwright/callwright/internal/provider/internal/balance"
)

// prototype returns a template of POST requests to a URL, without body, context and the provider's header.
func (p *Provider) prototype(to *url.URL, accept string) *http.Request {
	return &http.Request{
		Method: http.MethodPost, URL: to, Host: to.Host, Header: http.Header{"Accept": {accept}},
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
}

// A response is a provider's response whose header was received. close releases it.
type response struct {
	*http.Response
	watch *watch
	body  watched
	again io.Reader // the rest of the body after its beginning was inspected
}

// reader returns a reader of the unread part of the body.
func (a *response) reader() io.Reader {
	if a.again != nil {
		return a.again
	}
	return &a.body
}

func (a *response) close() {
	a.watch.close()
	_ = a.Body.Close()
}

// send makes one try: it sends the body and waits for the response header. Without an error the status is 2xx. first
// limits the wait. to is the target, nil if the provider has only one. force reports whether the provider demands a
// retry regardless of the kind of error. If the provider refuses the credentials, send renews them once and sends the
// body again.
func (r *Remote) send(ctx context.Context, proto *http.Request, body *encoded, first *phase, to *balance.Target) (a *response,
	force bool, err *callwright.Error) {
	a, sent, force, err := r.sendOnce(ctx, proto, body, first, to)
	if auth := r.p.cfg.Authorizer; err != nil && auth != nil && sent != nil && isRefused(err) && auth.Renew(sent) {
		body.renewed = true
		a, _, force, err = r.sendOnce(ctx, proto, body, first, to)
	}
	return a, force, err
}

// sendOnce is send without the renewal of credentials. sent is the request, or nil if none was sent.
func (r *Remote) sendOnce(ctx context.Context, proto *http.Request, body *encoded, first *phase,
	to *balance.Target) (a *response, sent *http.Request, force bool, err *callwright.Error) {
	w := newWatch(ctx, r.id, first)
	own := r.p.header
	if to != nil {
		w.host, own, proto = to.Host, r.p.targets.keys[to.Key].header, r.prototypeAt(proto, to.Host)
	}
	req := proto.WithContext(w.ctx)
	req.Header = r.p.buildHeader(ctx, own(), proto.Header)
	if len(body.bytes) > 0 {
		req.ContentLength = int64(len(body.bytes))
		req.GetBody = body.reader
		req.Body, _ = body.reader()
	}
	if err = r.p.authorize(ctx, w, req, body.bytes); err != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		w.close()
		return nil, nil, false, err
	}
	resp, failed := r.p.transport.RoundTrip(req) //nolint:bodyclose // the answer has it, and is closed by who reads it
	if failed != nil {
		err = r.p.transportError(ctx, w, failed, false)
		w.close()
		return nil, req, false, err
	}
	w.next(&r.p.betweenBytes)
	a = &response{Response: resp, watch: w}
	a.body = watched{body: resp.Body, watch: w}
	if resp.StatusCode/100 == 2 && !a.isPage() {
		return a, req, false, nil
	}
	defer a.close()
	force, err = r.readErrorAnswer(ctx, a)
	return nil, req, force, err
}

// readErrorAnswer returns the error for an error response. force reports whether the provider demands a retry.
func (r *Remote) readErrorAnswer(ctx context.Context, a *response) (force bool, err *callwright.Error) {
	body, failed := r.p.read(a, maxErrorRead)
	if failed != nil && ctx.Err() != nil {
		return false, r.p.transportError(ctx, a.watch, failed, true)
	}
	switch a.StatusCode / 100 {
	case 2:
		err = &callwright.Error{Kind: callwright.KindBadAnswer, NoRetry: true,
			Message: "expected an answer of an API, got a page of HTML: does " + r.p.cfg.baseName() + " name a web site?"}
	case 3:
		// Redirects are not followed, so that the key is sent only to the configured address.
		err = &callwright.Error{Kind: callwright.KindBadAnswer, Message: "expected an answer, got a redirect", NoRetry: true}
	default:
		err = r.p.codec.DecodeError(a.StatusCode, a.Header, body)
		if hint := r.p.pathHint(a.StatusCode, body); hint != "" {
			err.Message += ": " + hint
		}
	}
	if err.Status == 0 && a.StatusCode/100 != 2 {
		err.Status = a.StatusCode
	}
	if err.Body == nil {
		err.Body = body
	}
	// The codec reads Retry-After and whether a retry is useless. It cannot express that a retry is demanded regardless of
	// the kind of error.
	return a.Header.Get("X-Should-Retry") == "true", err
}

// pathHint returns a question whether the base address is wrong, for a message. It returns "" unless the status is 404
// or 405 and the body is not a JSON object, as in an API's error.
func (p *Provider) pathHint(status int, body []byte) string {
	if status != http.StatusNotFound && status != http.StatusMethodNotAllowed || jsonx.KindOf(body) == jsonx.Object {
		return ""
	}
	return p.baseHint()
}

// baseHint returns a question whether the base address is wrong, such as "does base_url lack /v1?".
func (p *Provider) baseHint() string {
	switch wrong, last := p.wrongBase(), path.Base(p.base.Path); wrong {
	case lacksVersion:
		return "does " + p.cfg.baseName() + " lack /v1?"
	case hasVersionTwice:
		return "does " + p.cfg.baseName() + " have /" + last + " twice?"
	}
	return "is " + p.cfg.baseName() + " right?"
}

// A baseFault is an error that is visible in a base address: a missing or repeated version, such as /v1.
type baseFault int

const (
	noFault baseFault = iota
	lacksVersion
	hasVersionTwice
)

// wrongBase returns the visible error in the base address, noFault if there is none or the API is not one of OpenAI's.
func (p *Provider) wrongBase() baseFault {
	versioned := p.row.Wire == callwright.WireOpenAI || p.row.Wire == callwright.WireResponses
	last := path.Base(p.base.Path)
	switch {
	case !versioned:
		return noFault
	case len(last) < 2 || last[0] != 'v' || last[1] < '0' || last[1] > '9':
		return lacksVersion
	case path.Base(path.Dir(p.base.Path)) == last:
		return hasVersionTwice
	}
	return noFault
}

// read reads the body of a response, at most limit bytes. It returns errTooLong for a longer body. The caller owns the
// result.
func (p *Provider) read(a *response, limit int64) ([]byte, error) {
	if n := a.ContentLength; n >= 0 && n <= limit {
		body := make([]byte, n)
		got, err := io.ReadFull(a.reader(), body)
		if err == nil {
			// The end must be read, or the connection cannot be reused.
			_, _ = a.reader().Read(make([]byte, 1))
		}
		return body[:got], err
	}
	buf := answerBuffers.Get()
	defer answerBuffers.Put(buf)
	buf.Reset()
	n, err := buf.ReadFrom(io.LimitReader(a.reader(), limit+1))
	if err == nil && n > limit {
		buf.Truncate(int(limit))
		err = errTooLong
	}
	if buf.Len() > maxScratch { // return a large buffer itself instead of pooling it
		large := buf.Bytes()
		*buf = bytes.Buffer{}
		return large, err
	}
	return bytes.Clone(buf.Bytes()), err
}

var answerBuffers = pool.New(func(b *bytes.Buffer) [][]byte { return [][]byte{b.Bytes()} })

// maxScratch is the maximum size in bytes of a pooled buffer.
const maxScratch = 8 << 20
