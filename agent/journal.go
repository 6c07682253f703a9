package agent

import (
	"context"
	"encoding/json"
	"time"
)

// A RunID names a run: "run_" and a UUID whose order is that of time.
type RunID string

// A Journal keeps the steps of runs. Append fails with [callwright.KindConflict] when the run has moved past prev, so that two workers
// never both record the same step; what it has returned for is kept even if the machine fails. Load of a run that is unknown returns no
// steps and 0; of one whose record is damaged an error that names the place. It is safe for concurrent use.
type Journal interface {
	Load(ctx context.Context, run RunID) (steps []Step, last uint64, err error)
	Append(ctx context.Context, run RunID, prev uint64, s Step) (last uint64, err error)
}

// A RunLister is a Journal that knows its runs. Runs lists them by their ids, the greatest first, so the newest where the ids are UUIDs by time.
type RunLister interface {
	Runs(ctx context.Context) ([]RunID, error)
}

// A Step is one record of a run.
type Step struct {
	Kind StepKind        `json:"kind"`
	Time time.Time       `json:"time"`
	Call string          `json:"call,omitempty"` // the id of the call that it is about
	Data json.RawMessage `json:"data,omitempty"` // its form goes by Kind
}

// A StepKind says what a Step records.
type StepKind string
