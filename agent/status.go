package agent

import (
	"context"
	"encoding/json"
	"time"

	"github.com/callwright/callwright"
)

// A RunStatus is how far a run has come, as its journal has it.
type RunStatus struct {
	ID      RunID      `json:"run"`
	Began   time.Time  `json:"began"`
	Last    time.Time  `json:"last"`           // when its last entry was made
	Prompt  string     `json:"prompt"`         // what the user said last, bounded
	Steps   int        `json:"steps"`          // answers of the model
	Stop    Stop       `json:"stop,omitempty"` // empty: it was broken off, or goes on elsewhere
	Usage   Usage      `json:"usage"`
	Text    string     `json:"text,omitempty"` // the answer
	Waiting []Question `json:"waiting,omitempty"`
	Decided []Decided  `json:"decided,omitempty"` // what persons have said, in order
	// Answered: all that it waited for was decided by Decide, and no process has continued it since.
	Answered bool `json:"answered,omitempty"`

	Messages []callwright.Message `json:"-"` // the whole conversation so far; calls of its last message may have no results yet
	Setup    json.RawMessage      `json:"-"` // by WithSetup
}

// Status reads how far a run has come. A run that the journal does not know is KindNotFound. Usage.Cost is 0: only an
// agent counts it.
func Status(ctx context.Context, j Journal, id RunID) (*RunStatus, error) {
	r := &run{o: &options{journal: j}}
	entries, err := r.read(ctx, id)
	if err != nil {
		return nil, err
	}
	res := r.result()
	s := &RunStatus{ID: id, Stop: res.Stop, Began: entries[0].Time, Last: entries[len(entries)-1].Time, Steps: res.Steps,
		Usage: res.Usage, Waiting: res.Waiting,
		Decided: r.st.decided, Answered: res.Stop == "" && r.st.at.IsZero(), Messages: res.Messages, Setup: r.st.setup}
	if s.Stop == StopAnswered {
		s.Text = res.Text
	}
	for _, m := range res.Messages {
		if m.Role == callwright.RoleUser {
			s.Prompt = callwright.Excerpt(callwright.TextOf(m.Parts))
		}
		if m.Role == callwright.RoleAssistant && s.Prompt != "" {
			break
		}
	}
	return s, nil
}
