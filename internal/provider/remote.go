package provider

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider/internal/balance"
	"github.com/callwright/callwright/internal/wire"
)

// A Remote is one model of a Provider. It is safe for concurrent use. It need not be closed.
type Remote struct {
	p               *Provider
	name            string
	id              callwright.ModelID
	wholePrototype  *http.Request // template of requests for a complete response
	streamPrototype *http.Request // template of requests for a streamed response
	breaker         *breaker
	limits          *balance.Model  // state of its cooldowns
	elsewhere       []prototypePair // templates of requests by host; nil for a single target
	// cannotCount is set if a request showed that the provider does not count tokens for this model.
	cannotCount atomic.Bool

	shipped, configured caps.Caps
	known               atomic.Pointer[caps.Caps] // all facts combined; must not be modified
	due                 atomic.Int64              // time of the next discovery, in Unix nanoseconds
	// wait after the last failed discovery, 0 after a success; only the running discovery uses it
	backoff time.Duration
}

var (
	_ callwright.Model      = (*Remote)(nil)
	_ callwright.Describer  = (*Remote)(nil)
	_ callwright.Identifier = (*Remote)(nil)
	_ callwright.Previewer  = (*Remote)(nil)
)

// ID returns "provider/name".
func (r *Remote) ID() callwright.ModelID { return r.id }

// Provider returns the provider of the model.
func (r *Remote) Provider() *Provider { return r.p }

// Caps returns the built-in, discovered and configured facts about the model. Callers must not modify Sources.
func (r *Remote) Caps(context.Context) caps.Caps { return *r.known.Load() }

// SharedCaps returns the same facts as Caps without a copy. Callers must not modify them. The pointer changes if and
// only if the facts change.
func (r *Remote) SharedCaps() *caps.Caps { return r.known.Load() }

// Format prints only the model's id, for every verb.
func (r *Remote) Format(f fmt.State, _ rune) { io.WriteString(f, string(r.id)) }

// Generate sends the request and returns the complete response. The Report of the response has the notes of the encoder
// and of retries, and one Attempt. An error is a *callwright.Error with such a Report.
func (r *Remote) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	t := r.newTries(req)
	t.over(req)
	defer t.leave()
	if err := t.admit(ctx); err != nil {
		return nil, err
	}
	body, notes, err := r.encode(req, false)
	if err != nil {
		return nil, r.seal(err)
	}
	t.sent, t.notes = body.bytes, notes
	defer body.release()
	if observe := companion.Of(req).OnSend; observe != nil {
		observe(body.bytes)
	}
	for {
		t.n++
		resp, force, err := r.generate(ctx, body, t)
		if err == nil {
			read := resp.Report // the report of the codec
			if resp.Report = t.report(resp.Usage); read != nil {
				resp.Report.Notes = append(resp.Report.Notes, read.Notes...)
			}
			return resp, nil
		}
		if err = t.again(ctx, err, force); err != nil {
			return nil, err
		}
	}
}

// generate makes one try. force reports whether the provider demands a retry.
func (r *Remote) generate(ctx context.Context, body *encoded, t *tries) (resp *callwright.Response, force bool, err *callwright.Error) {
	done, err := r.allow(ctx)
	if err != nil {
		return nil, false, err
	}
	defer func() { done(t.outcome(err)) }()
	a, force, err := r.send(ctx, r.wholePrototype, body, &r.p.firstByte, t.target())
	t.noteRenewal(body)
	if t.begun = err == nil; err != nil {
		return nil, force, err
	}
	defer a.close()
	t.route.NoteAnswer()
	r.discover()
	resp, err = r.answer(ctx, a)
	return resp, false, err
}

// answer reads and decodes a complete response.
func (r *Remote) answer(ctx context.Context, a *response) (*callwright.Response, *callwright.Error) {
	body, failed := r.p.read(a, r.p.maxAnswer)
	switch {
	case failed == errTooLong:
		return nil, tooLong(r.p.maxAnswer)
	case failed != nil:
		return nil, r.p.transportError(ctx, a.watch, failed, true)
	}
	resp, failed, streamed := r.collectStream(ctx, jsonx.Trim(body))
	if !streamed {
		resp, failed = r.p.codec.DecodeResponse(body)
	}
	if failed != nil && ctx.Err() != nil {
		return nil, r.p.transportError(ctx, a.watch, failed, true)
	}
	if failed != nil {
		err := errorOf(failed, callwright.KindBadAnswer, opSend)
		if err.Body == nil {
			err.Body = body
		}
		return nil, err
	}
	return resp, nil
}

func tooLong(limit int64) *callwright.Error {
	return &callwright.Error{
		Op: opSend, Kind: callwright.KindBadAnswer, NoRetry: true,
		Message: fmt.Sprintf("expected an answer of at most %d bytes, got more", limit),
	}
}

// Preview encodes the request as Generate does, or as Stream if req.Params.Stream is set, and does not send it.
func (r *Remote) Preview(_ context.Context, req *callwright.Request) (callwright.Preview, error) {
	body, notes, err := r.encode(req, req.Params.Stream)
	if err != nil {
		return callwright.Preview{}, r.seal(err)
	}
	defer body.release()
	proto := r.wholePrototype
	if req.Params.Stream {
		proto = r.streamPrototype
	}
	return callwright.Preview{Method: proto.Method, URL: r.p.redactURL(proto.URL), Body: bytes.Clone(body.bytes), Notes: notes}, nil
}

// encode encodes the request for this model, for a complete or a streamed response. The caller must release the body.
func (r *Remote) encode(req *callwright.Request, stream bool) (*encoded, []callwright.Note, *callwright.Error) {
	edits, quirks := r.p.edits(req)
	if len(edits) > 0 || req.Params.Stream != stream {
		req = companion.With(req, func(c *companion.Companion) { c.Edits = slices.Concat(edits, c.Edits) })
		req.Params.Stream = stream
	}
	known := companion.Of(req).Known
	if known == nil {
		known = r.known.Load()
	}
	body, notes, err := r.write(req, known)
	if err != nil {
		return nil, nil, errorOf(err, callwright.KindInvalid, "provider.encode")
	}
	return body, slices.Concat(notes, quirks), nil
}

func (r *Remote) write(req *callwright.Request, known *caps.Caps) (*encoded, []callwright.Note, error) {
	codec, ok := r.p.codec.(wire.RequestAppender)
	if !ok {
		body, notes, err := r.p.codec.EncodeRequest(req, r.name, *known)
		return newEncoded(body, nil), notes, err
	}
	m := bodies.Get()
	body, fresh, notes, err := codec.AppendRequest(m.b, req, r.name, *known)
	if !fresh {
		bodies.Put(m)
		m = nil
	}
	return newEncoded(body, m), notes, err
}
