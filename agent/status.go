package agent

import (
	"context"
	"encoding/json"
	"time"

	"github.com/callwright/callwright"
)

// A RunStatus is the progress of a run according to its journal.
type RunStatus struct {
	ID      RunID      `json:"run"`
	Began   time.Time  `json:"began"`
	Last    time.Time  `json:"last"`           // time of the last entry
	Prompt  string     `json:"prompt"`         // excerpt of the last user message
	Steps   int        `json:"steps"`          // number of the model's responses
	Stop    Stop       `json:"stop,omitempty"` // empty if the run was interrupted or is still running
	Usage   Usage      `json:"usage"`
	Text    string     `json:"text,omitempty"` // the final answer
	Waiting []Question `json:"waiting,omitempty"`
	Decided []Decided  `json:"decided,omitempty"` // decisions of persons, in order
	// Answered reports whether Decide has decided all waiting calls and no process has resumed the run since.
	Answered bool `json:"answered,omitempty"`

	Messages []callwright.Message `json:"-"` // the conversation; calls of the last message may have no results yet
	Setup    json.RawMessage      `json:"-"` // the value of WithSetup
}

// Status reads the progress of a run from its journal. An unknown run is KindNotFound. Usage.Cost is 0, because only an
// agent has the function that computes costs.
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
