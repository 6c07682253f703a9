package gateway

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/mint"
	"github.com/callwright/callwright/internal/notes"
	"github.com/callwright/callwright/internal/pool"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
)

// answer answers a request of an API that says all in the body.
func (s *Server) answer(client wire.Codec, x *exchange, r *http.Request) error {
	return s.respond(client, x, r, nil)
}

// respond answers a request. said is what its path says, nil for nothing.
func (s *Server) respond(client wire.Codec, x *exchange, r *http.Request, said *inPath) error {
	body, err := s.lentBody(x, r)
	if err != nil {
		return err
	}
	return s.respondTo(client, x, r, body, said)
}

// respondTo answers a request whose body was read.
func (s *Server) respondTo(client wire.Codec, x *exchange, r *http.Request, body []byte, said *inPath) error {
	t, body, err := s.continuation(client, x, r, body)
	if err != nil {
		return err
	}
	req, err := client.DecodeRequest(body)
	if err != nil {
		return err
	}
	if said != nil {
		req.Model, req.Params.Stream = callwright.ModelID(said.model), said.stream
	}
	x.asked = req.Model
	model, err := s.resolve(x, string(req.Model))
	if err != nil {
		return err
	}
	if err := s.reserve(x, r, model, req, body); err != nil {
		return err
	}
	req.ReportID, req.Owner = mint.ID("rep_"), s.owner(x, r).text()
	ctx := provider.Forward(r.Context(), r.Header)
	asked := s.recorded(model)
	if tools := x.settings.hosted; tools != nil {
		asked = tools.Around(asked, runBy(ctx, model), req)
	}
	if req.Params.Stream {
		x.observed.streams(x)
		front, asked := s.withUsage(x, client, asked, req)
		return s.stream(x, r.WithContext(ctx), front, asked, req, t)
	}
	resp, err := asked.Generate(ctx, req)
	if err != nil {
		return err
	}
	x.answered(resp.Report)
	x.metered.answer(resp.Parts)
	return s.whole(x, r, client, req, resp, t)
}

// runBy returns the API whose hosted tools the provider runs that a client asks first: the one that it speaks, "" where it is not known to run any.
func runBy(ctx context.Context, client *reliable.Client) callwright.WireName {
	if !client.RunsHostedTools(ctx) {
		return ""
	}
	if m, ok := client.First().(interface{ Provider() *provider.Provider }); ok {
		return m.Provider().Wire()
	}
	return ""
}

// recorded returns the model that is asked: the client itself where nothing is recorded.
func (s *Server) recorded(client *reliable.Client) callwright.Model {
	if s.cfg.Record == nil {
		return client
	}
	return s.cfg.Record(client)
}

// lentBody reads a request's body as body does, into memory that ReuseBodies is about.
func (s *Server) lentBody(x *exchange, r *http.Request) ([]byte, error) {
	l, err := s.borrow(x, r)
	if err != nil {
		return nil, err
	}
	if s.cfg.ReuseBodies {
		x.body = l
	}
	return l.Bytes, nil
}

// body reads a request's body of JSON within the limits.
func (s *Server) body(x *exchange, r *http.Request) ([]byte, error) {
	l, err := s.borrow(x, r)
	if err != nil {
		return nil, err
	}
	return l.Bytes, nil
}

// borrow reads a request's body of JSON within the limits into memory that may be returned, or be kept for good.
func (s *Server) borrow(x *exchange, r *http.Request) (*pool.Loan, error) {
	ct := r.Header.Get("Content-Type")
	kind := mediaType(ct)
	if kind != mediaJSON && kind != mediaForm {
		return nil, notJSON(ct)
	}
	l, err := s.read(x, r)
	if err != nil {
		return nil, err
	}
	if kind == mediaForm && !jsonx.IsObject(jsonx.Trim(l.Bytes)) {
		return nil, notJSON(ct)
	}
	if err := x.settings.limits.check(l.Bytes); err != nil {
		return nil, err
	}
	return l, nil
}

// read reads a request's body, up to the limit of its size. Writers that know no deadlines are left alone.
func (s *Server) read(x *exchange, r *http.Request) (*pool.Loan, error) {
	most := x.settings.limits.Body
	if r.ContentLength > most {
		return nil, tooLarge(most)
	}
	rc := http.NewResponseController(x)
	_ = rc.SetReadDeadline(time.Now().Add(s.cfg.Patience))
	body := pool.Borrow(int(min(max(r.ContentLength, 0), 1<<20)) + 1) // one more to see the end
	_, err := body.ReadFrom(http.MaxBytesReader(nil, r.Body, most))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, tooLarge(most)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &callwright.Error{Kind: callwright.KindInvalid, Status: http.StatusRequestTimeout,
			Message: "expected the whole body within " + s.cfg.Patience.String()}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, &callwright.Error{Kind: callwright.KindInvalid, Message: "the body ended before it was complete"}
	case err != nil:
		return nil, &callwright.Error{Kind: callwright.KindCanceled, Err: err}
	}
	_ = rc.SetReadDeadline(time.Time{})
	return body, nil
}

// The media types that a body may say it has. mediaForm is what curl and others say of any body when they are not told better.
const (
	mediaJSON = "application/json"
	mediaForm = "application/x-www-form-urlencoded"
)

// mediaType returns the media type of a header. None said is JSON.
func mediaType(header string) string {
	if header == "" || header == mediaJSON {
		return mediaJSON
	}
	kind, _, err := mime.ParseMediaType(header)
	if err != nil {
		return header
	}
	return kind
}

func notJSON(said string) error {
	return &callwright.Error{Kind: callwright.KindMediaType, Message: "expected content type application/json, got " + strconv.Quote(callwright.Excerpt(said))}
}

func tooLarge(limit int64) *callwright.Error {
	return &callwright.Error{Kind: callwright.KindTooLarge, Message: "the body is larger than " + strconv.FormatInt(limit, 10) + " bytes"}
}

// whole writes a whole answer.
func (s *Server) whole(x *exchange, r *http.Request, front wire.Front, req *callwright.Request, resp *callwright.Response, t *continuation) error {
	memory := answers.Get()
	defer answers.Put(memory)
	body, notes, err := memory.encode(front, req, resp, t)
	if err != nil {
		return err
	}
	addNotes(resp.Report, notes)
	t.keep(body)
	t.noted(resp.Report)
	s.keepReport(x, r, resp.Report)
	if r.Header.Get(reportHeader) == "body" {
		body = withReport(body, resp.Report)
	}
	h, values := x.Header(), []string{headerOf(resp.Report), "application/json", strconv.Itoa(len(body))}
	h[reportHeader], h["Content-Type"], h["Content-Length"] = values[:1:1], values[1:2:2], values[2:]
	_ = http.NewResponseController(x).SetWriteDeadline(time.Now().Add(s.cfg.Patience))
	x.WriteHeader(http.StatusOK)
	_, _ = x.Write(body)
	x.answered(resp.Report)
	s.observeTokens(r.Context(), req, resp.Report)
	return nil
}

// An answerMemory is memory that answers are encoded into until they are sent.
type answerMemory struct{ b []byte }

var answers = pool.New(func(m *answerMemory) [][]byte { return [][]byte{m.b} })

// mostAnswer bounds the memory that is kept for further answers.
const mostAnswer = 256 << 10

// encode writes an answer, in the memory where nobody keeps it.
func (m *answerMemory) encode(front wire.Front, req *callwright.Request, resp *callwright.Response, t *continuation) ([]byte, []callwright.Note, error) {
	appender, ok := front.(wire.ResponseAppender)
	if !ok || t != nil || !isOurs(front) {
		return front.EncodeResponse(req, resp)
	}
	body, fresh, notes, err := appender.AppendResponse(m.b, req, resp)
	if fresh && cap(body) <= mostAnswer {
		m.b = body[:0]
	}
	return body, notes, err
}

// isOurs reports whether a codec is one of package wire's itself. One that has it embedded may write answers otherwise.
func isOurs(front wire.Front) bool {
	c, ok := front.(wire.Codec)
	if !ok {
		return false
	}
	own, _ := codecs.Of(c.Name())
	return own == c
}

func addNotes(rep *callwright.Report, more []callwright.Note) {
	for _, n := range more {
		rep.Notes = notes.Fold(rep.Notes, n)
		rep.Untouched = false
	}
}

func asError(err error) *callwright.Error {
	if e, ok := errors.AsType[*callwright.Error](err); ok {
		return e
	}
	return &callwright.Error{Kind: callwright.KindInternal, Err: err}
}
