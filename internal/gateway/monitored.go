package gateway

import (
	"errors"
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/health"
)

// countHealth adds a finished request for a model to the health statistics. aborted means that the connection was
// reset.
func (s *Server) countHealth(x *exchange, aborted bool) {
	came, _ := x.ending.Outcome()
	if came == "" { // not a request for a model
		return
	}
	r := health.Request{Report: x.report, Outcome: came, Passed: x.passed}
	switch {
	case x.failed != nil:
		r.Kind = x.failed.Kind
	case aborted:
		r.Kind = callwright.KindCanceled
	case x.status >= http.StatusBadRequest:
		r.Kind = callwright.KindInternal
	}
	s.cfg.Health.Count(&r)
}

// watchStores registers the stores of reports and responses with the health monitor, which shows their failures.
func (s *Server) watchStores() {
	s.reportFault = s.cfg.Health.Fault("reports", "not stored", "check the disk, or state in the configuration")
	s.answerFault = s.cfg.Health.Fault("answers", "not stored or not read", "check the disk, or state in the configuration")
}

// noteAnswerError records the result of a call of the response store for the health monitor. A missing response, a
// response that no store could keep, and a delayed write are not failures. The store itself reports delayed writes.
func (s *Server) noteAnswerError(err error) {
	switch callwright.KindOf(err) {
	case callwright.KindNotFound:
		s.answerFault.Note(nil)
		return
	case callwright.KindTooLarge, callwright.KindInvalid, callwright.KindCanceled:
		return
	}
	if !errors.Is(err, archive.ErrLater) {
		s.answerFault.Note(err)
	}
}
