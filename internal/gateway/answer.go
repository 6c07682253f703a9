package gateway

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/mint"
	"github.com/callwright/callwright/internal/notes"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/pool"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
)

// answer reads a request and writes its response, for APIs whose request body names the model.
func (s *Server) answer(client wire.Codec, x *exchange, r *http.Request) error {
	return s.readAndAnswer(client, x, r, nil)
}

// readAndAnswer reads the body of a request and writes the response. fromPath holds the model and the streaming flag
// from the URL path; nil if the API has both in the body.
func (s *Server) readAndAnswer(client wire.Codec, x *exchange, r *http.Request, fromPath *pathParams) error {
	body, err := s.readPooledJSON(x, r)
	if err != nil {
		return err
	}
	return s.answerBody(client, x, r, body, fromPath)
}

// answerBody writes the response to a request whose body has been read. fromPath is as for readAndAnswer.
func (s *Server) answerBody(client wire.Codec, x *exchange, r *http.Request, body []byte, fromPath *pathParams) error {
	t, body, err := s.continuation(client, x, r, body)
	if err != nil {
		return err
	}
	owner := s.owner(x, r).text()
	req, err := s.decode(client, owner, body)
	if err != nil {
		return err
	}
	if fromPath != nil {
		req.Model, req.Params.Stream = callwright.ModelID(fromPath.model), fromPath.stream
	}
	x.asked = req.Model
	model, err := s.resolve(x, string(req.Model))
	if err != nil {
		return err
	}
	if err := s.reserve(x, r, model, req, body); err != nil {
		return err
	}
	if err := s.enterConversation(x, r, model, req); err != nil { // must be last: may add a one-time notice to the prompt
		x.use.Cancel(r.Context())
		return err
	}
	x.reportID = mint.ID("rep_")
	companion.Edit(req, func(c *companion.Companion) {
		c.ReportID, c.Owner, c.Earlier = x.reportID, owner, t.earlier()
		c.Key, c.Group, c.Header, c.Progress = x.key(), x.group(), r.Header, &x.running.Progress
	})
	s.listRunning(x, req)
	if chooses(model) {
		s.countsTokens(r.Context(), req)
	}
	ctx := s.withNotices(provider.Forward(r.Context(), r.Header), x.reportID)
	asked := callwright.Model(model)
	if s.cfg.Record != nil {
		ctx, asked = outcome.With(ctx, &x.ending), s.cfg.Record(model)
	}
	if tools := x.settings.hosted; tools != nil {
		asked = tools.Around(asked, hostedToolsWire(ctx, model), req)
	}
	if req.Params.Stream {
		x.observed.beginStream(x)
		front, asked := s.withUsage(x, codecForClient(client, r), asked, req)
		return s.writeStream(x, r.WithContext(ctx), front, asked, req, t)
	}
	resp, err := asked.Generate(ctx, req)
	if err != nil {
		return err
	}
	x.report = resp.Report
	for _, p := range resp.Parts {
		if c, ok := p.(callwright.Call); ok {
			x.call(c.Name)
		}
	}
	x.metered.countAnswer(resp.Parts)
	return s.writeWhole(x, r, client, req, resp, t)
}

// decode decodes a request body. If the codec supports it, messages that were decoded for an earlier request of the
// same owner are reused.
func (s *Server) decode(client wire.Codec, owner string, body []byte) (*callwright.Request, error) {
	if reader, ok := client.(wire.HistoryReader); ok && s.histories != nil && isOurs(client) {
		return reader.DecodeRequestWith(s.histories.Of(owner), body)
	}
	return client.DecodeRequest(body)
}

// HistoryBytes returns the memory used by cached message histories, in bytes.
func (s *Server) HistoryBytes() int { return s.histories.Size() }

// hostedToolsWire returns the API of the provider of the fallback chain's first model, if this provider runs the hosted
// tools of its API itself, such as web search. Otherwise, or if that is unknown, it returns "".
func hostedToolsWire(ctx context.Context, model *reliable.Client) callwright.WireName {
	if !model.RunsHostedTools(ctx) {
		return ""
	}
	if m, ok := model.First().(interface{ Provider() *provider.Provider }); ok {
		return m.Provider().Wire()
	}
	return ""
}

// writeWhole writes a response that is not streamed, with its report header.
func (s *Server) writeWhole(x *exchange, r *http.Request, front wire.Front, req *callwright.Request, resp *callwright.Response,
	t *continuation) error {
	memory := answers.Get()
	defer answers.Put(memory)
	body, notes, err := memory.encode(front, req, resp, t)
	if err != nil {
		return err
	}
	addNotes(resp.Report, notes)
	t.keep(body)
	t.addNotesTo(resp.Report)
	x.hideCredentials(req, resp.Report)
	came := s.keepReport(x, r, resp.Report)
	if r.Header.Get(reportHeader) == "body" {
		body = withReport(body, x.withOutcome(resp.Report))
	}
	h, values := x.Header(), []string{headerOf(resp.Report, came), "application/json", strconv.Itoa(len(body))}
	h[reportHeader], h["Content-Type"], h["Content-Length"] = values[:1:1], values[1:2:2], values[2:]
	_ = http.NewResponseController(x).SetWriteDeadline(time.Now().Add(s.cfg.Patience))
	x.WriteHeader(http.StatusOK)
	_, _ = x.Write(body)
	s.observeTokens(r.Context(), req, resp.Report)
	return nil
}

// An answerMemory is a reusable buffer for encoded responses.
type answerMemory struct{ b []byte }

var answers = pool.New(func(m *answerMemory) [][]byte { return [][]byte{m.b} })

// mostAnswer is the maximum capacity in bytes of a buffer that is reused.
const mostAnswer = 256 << 10

// encode encodes a response and returns the body and the notes about its encoding. It uses the buffer of m unless the
// body is kept after the response was sent.
func (m *answerMemory) encode(front wire.Front, req *callwright.Request, resp *callwright.Response, t *continuation) ([]byte,
	[]callwright.Note, error) {
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

// isOurs reports whether front is an unmodified codec of this module. A codec that embeds one may encode responses
// differently.
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
