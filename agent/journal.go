package agent

import (
	"context"
	"encoding/json"
	"time"
)

// A RunID names a run: "run_" and a UUID whose order is that of time.
type RunID string

// A Journal keeps the entries of runs. Append fails with [callwright.KindConflict] when the run has moved past prev, so
// that two workers never both record the same entry; an entry for which it has returned nil is kept even if the machine
// fails. Load of a run that is unknown returns no entries and 0; of one whose record is damaged an error that names the
// place. It is safe for concurrent use.
type Journal interface {
	Load(ctx context.Context, run RunID) (entries []Entry, last uint64, err error)
	Append(ctx context.Context, run RunID, prev uint64, e Entry) (last uint64, err error)
}

// A RunLister is a Journal that knows its runs. Runs lists them by their ids, the greatest first, so the newest where
// the ids are UUIDs by time.
type RunLister interface {
	Runs(ctx context.Context) ([]RunID, error)
}

// An Entry is one record of a run.
type Entry struct {
	Kind EntryKind       `json:"kind"`
	Time time.Time       `json:"time"`
	Call string          `json:"call,omitempty"` // the id of the call that it is about
	Data json.RawMessage `json:"data,omitempty"` // its form goes by Kind
}

// An EntryKind is the kind of an Entry.
type EntryKind string
