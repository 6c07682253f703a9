package agent

import (
	"context"
	"encoding/json"
	"time"
)

// A RunID identifies a run. By default it is "run_" and a version 7 UUID, which sorts by creation time.
type RunID string

// A Journal stores the entries of runs. It must be safe for concurrent use.
//
// Load returns the entries of a run and their number. An unknown run has no entries and no error; a damaged record is
// an error with its position. Append adds an entry after the first prev entries and returns prev+1. It fails with
// [callwright.KindConflict] if the run has more entries, so that two workers never record the same step. An entry must
// be durable when Append returns nil.
type Journal interface {
	Load(ctx context.Context, run RunID) (entries []Entry, last uint64, err error)
	Append(ctx context.Context, run RunID, prev uint64, e Entry) (last uint64, err error)
}

// A RunLister is a Journal that can list its runs. Runs returns the ids in descending order, which means the newest
// first for default ids.
type RunLister interface {
	Runs(ctx context.Context) ([]RunID, error)
}

// An Entry is one record in the journal of a run.
type Entry struct {
	Kind EntryKind       `json:"kind"`
	Time time.Time       `json:"time"`
	Call string          `json:"call,omitempty"` // the id of the call that the entry describes
	Data json.RawMessage `json:"data,omitempty"` // JSON whose members depend on Kind
}

// An EntryKind is the type of a journal Entry, such as "started" for the start of a tool call.
type EntryKind string
