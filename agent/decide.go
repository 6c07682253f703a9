package agent

import (
	"context"
	"time"

	"github.com/callwright/callwright"
)

// A Decided is a person's decision about a tool call, as recorded in the journal of a run.
type Decided struct {
	Call     string    `json:"call"` // the id of the call
	Name     string    `json:"name"`
	Decision Decision  `json:"decision"` // Always also if a Yes covers all calls of the tool
	By       string    `json:"by,omitempty"`
	Time     time.Time `json:"time"`
}

// Decide records decisions about the calls of a parked run in the journal and does not continue the run. [Agent.Resume]
// continues it later, in any process, without answers. by names the person who decided. It is only displayed, is cut to
// a short excerpt, and may be empty.
//
// An answer to a call that does not wait is KindInvalid, and nothing is recorded. KindConflict means that another call
// of the run has started and not ended, or that another process continues the run at the same time. In the second case
// some answers may have been recorded; [Status] returns them.
func Decide(ctx context.Context, j Journal, id RunID, by string, answers ...Answer) error {
	r := &run{o: &options{journal: j}, recordsOnly: true, by: callwright.Excerpt(by)}
	if _, err := r.read(ctx, id); err != nil {
		return err
	}
	if err := r.decidable(answers); err != nil {
		return err
	}
	return r.answers(ctx, answers)
}

// decidable returns an error if Decide cannot record decisions now: without answers, without waiting calls (both
// KindInvalid), or while a call of the run has started and not ended (KindConflict).
func (r *run) decidable(answers []Answer) error {
	if len(answers) == 0 {
		return callwright.Errorf("agent.decide", callwright.KindInvalid, "", "expected at least one answer, got none")
	}
	if r.st.stopped != nil || r.st.round == nil {
		return r.unaskedError("nothing")
	}
	for _, p := range r.st.round.calls {
		if !p.ended && (p.asked == "" || p.started) {
			return callwright.Errorf("agent.decide", callwright.KindConflict, "",
				"the call %q of the run %s has not ended: wait for the process that runs it, or resume the interrupted run first",
				callwright.Excerpt(p.call.ID), r.st.id)
		}
	}
	return nil
}
