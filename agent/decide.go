package agent

import (
	"context"
	"time"

	"github.com/callwright/callwright"
)

// A Decided is a recorded decision about a call.
type Decided struct {
	Call     string    `json:"call"` // its id
	Name     string    `json:"name"`
	Decision Decision  `json:"decision"` // Always also where a yes holds for all calls of the tool
	By       string    `json:"by,omitempty"`
	Time     time.Time `json:"time"`
}

// Decide records in its journal the decisions about the calls of a parked run, without continuing it: [Agent.Resume]
// does so, in any process, and needs no answers then. by names the person who decided, bounded, for people; it may be
// empty.
//
// An answer that no call waits for is KindInvalid, and nothing is recorded. A run whose other calls have not ended yet,
// since a process still makes them or was killed while it did, is KindConflict, as is one that another process
// continues meanwhile: then [Status] says which answers are there.
func Decide(ctx context.Context, j Journal, id RunID, by string, answers ...Answer) error {
	r := &run{o: &options{journal: j}, apart: true, by: callwright.Excerpt(by)}
	if _, err := r.read(ctx, id); err != nil {
		return err
	}
	if err := r.decidable(answers); err != nil {
		return err
	}
	return r.answers(ctx, answers)
}

// decidable reports why nothing can be decided about a run apart from a process that continues with it.
func (r *run) decidable(answers []Answer) error {
	if len(answers) == 0 {
		return callwright.Errorf("agent.decide", callwright.KindInvalid, "", "expected an answer")
	}
	if r.st.stopped != nil || r.st.round == nil {
		return r.unaskedError("nothing")
	}
	for _, p := range r.st.round.calls {
		if !p.ended && (p.asked == "" || p.started) {
			return callwright.Errorf("agent.decide", callwright.KindConflict, "",
				"the call %q of the run %s has not ended: a process makes it, or was broken off before it had ended, and has to go on with the run first",
				callwright.Excerpt(p.call.ID), r.st.id)
		}
	}
	return nil
}
