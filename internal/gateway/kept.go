package gateway

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/session"
	"github.com/callwright/callwright/internal/wire"
)

// maxStoredResponse is the maximum size in bytes of a stored response. The stores limit their total size.
const maxStoredResponse = 64 << 20

// storePause is the Retry-After time of requests whose data a store cannot read now.
const storePause = time.Second

// answerKey returns the key of a stored response: its id together with the owner of the request, so that no other
// client can read it.
func (s *Server) answerKey(x *exchange, r *http.Request, id string) archive.Key {
	return archive.Key{Owner: archive.Owner(s.owner(x, r).text()), ID: id}
}

// showKept writes a stored response as the client got it.
func (s *Server) showKept(_ wire.Codec, x *exchange, r *http.Request) error {
	id := x.id
	body, err := s.cfg.Answers.Find(r.Context(), s.answerKey(x, r, id))
	if err != nil {
		return s.storeError(r, id, err, notKept(id))
	}
	x.Header().Set("Content-Type", "application/json")
	_, _ = x.Write(body)
	return nil
}

// forgetKept deletes a stored response.
func (s *Server) forgetKept(_ wire.Codec, x *exchange, r *http.Request) error {
	id := x.id
	if err := s.cfg.Answers.Delete(r.Context(), s.answerKey(x, r, id)); err != nil {
		return s.storeError(r, id, err, notKept(id))
	}
	return writeJSON(x, map[string]any{"id": id, "object": "response", "deleted": true})
}

func notKept(id string) *callwright.Error {
	return &callwright.Error{Kind: callwright.KindNotFound, Message: noAnswer(id)}
}

func noAnswer(id string) string {
	return "no answer " + strconv.Quote(callwright.Excerpt(id)) + " is stored for this key: " + keptRule
}

// keptRule describes, for error messages, how long responses are stored.
const keptRule = "answers are stored within the limits of state.answers, by default for an hour, unless the request has store false"

// storeError returns the error for a client after a store returned err: missing if the store does not have the data,
// err itself if the request was canceled. Any other failure becomes a retryable error, and its cause is logged.
func (s *Server) storeError(r *http.Request, id string, err error, missing *callwright.Error) error {
	switch callwright.KindOf(err) {
	case callwright.KindNotFound:
		return missing
	case callwright.KindCanceled:
		return err
	}
	s.noteAnswerError(err)
	s.logStoreError(r.Context(), "not read", id, err)
	return &callwright.Error{Kind: callwright.KindUnavailable, Path: missing.Path, RetryAfter: storePause,
		Message: "the state cannot be read now: try again in a moment"}
}

// warnEvery is the minimum interval between log lines about failing stores.
const warnEvery = 10 * time.Second

// logStoreError logs that a store failed to write or read, at most once every warnEvery. message is the log message.
func (s *Server) logStoreError(ctx context.Context, message, id string, err error) {
	now := time.Now().UnixNano()
	if last := s.warned.Load(); last != 0 && now-last < int64(warnEvery) || !s.warned.CompareAndSwap(last, now) {
		return
	}
	s.cfg.Logger.LogAttrs(ctx, slog.LevelWarn, message, slog.String("id", callwright.Excerpt(id)), slog.Any("error", err))
}

// keepFailure records the error of a request and stores its report, if it has one.
func (s *Server) keepFailure(x *exchange, r *http.Request, e *callwright.Error) {
	x.failed = e
	if e.Report != nil {
		x.report = e.Report
		s.keepReport(x, r, e.Report)
	}
}

// keepReport determines and returns the outcome of a request, and stores its report for the owner. A failure of the
// store is logged and does not fail the request.
func (s *Server) keepReport(x *exchange, r *http.Request, rep *callwright.Report) outcome.Outcome {
	came := x.ending.Decide(rep, x.failed != nil)
	kept := &archive.Report{Owner: s.reportOwner(x, r), Time: x.began, Duration: time.Since(x.began), Wire: x.wire,
		Streamed: x.streamed, Outcome: came, Report: rep,
		KeyName: x.key(), Session: session.Of(r.Header, nil), Tools: x.called}
	if e := x.failed; e != nil {
		kept.Failed, kept.Error = cmp.Or(e.Kind, callwright.KindInternal), callwright.Excerpt(e.Error())
	}
	for i := range rep.Attempts {
		u := &rep.Attempts[i].Usage
		kept.Usage.Input, kept.Usage.CacheRead, kept.Usage.Output = kept.Usage.Input+u.Input, kept.Usage.CacheRead+u.CacheRead,
			kept.Usage.Output+u.Output
	}
	ctx := context.WithoutCancel(r.Context())
	s.countConversation(ctx, x, rep)
	err := s.cfg.Reports.Keep(ctx, kept)
	s.reportFault.Note(err)
	if err != nil {
		s.logStoreError(ctx, "report not stored", rep.ID, err)
	}
	return came
}
