package config

import (
	"time"

	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/signature"
)

// A Retention limits the stored data of one kind for all clients together. If a limit is exceeded, the oldest data is
// deleted first. An absent field has its default.
type Retention struct {
	Age   time.Duration `json:"age,omitempty" default:"depends on the data" example:"24h" jsonschema:"how long an entry is kept; in vault, since its last use"`
	Bytes int64         `json:"bytes,omitempty" default:"depends on the data" jsonschema:"the approximate size of all entries together"`
	Count int           `json:"count,omitempty" default:"depends on the data" jsonschema:"the number of entries"`
}

// Bounds limit the stored data of one kind. An absent field has its default.
type Bounds struct {
	Age   time.Duration `json:"age,omitempty" default:"depends on the data" example:"720h" jsonschema:"how long an entry is kept after its last change"`
	Bytes int64         `json:"bytes,omitempty" default:"depends on the data" jsonschema:"the size of all entries in bytes, at least 1048576"`
}

// leastBytes is the minimum of Bounds.Bytes, which must exceed the size of one change.
const leastBytes = 1 << 20

// Archive returns the limits as the type of package archive, for stored responses or reports.
func (r Retention) Archive() archive.Limits {
	return archive.Limits{Age: r.Age, Bytes: r.Bytes, Count: r.Count}
}

// Signatures returns the limits as the type of package signature.
func (r Retention) Signatures() signature.Limits {
	return signature.Limits{TTL: r.Age, Bytes: int(r.Bytes), Entries: r.Count}
}

// Log returns the limits of a trace that is stored in a folder or in NATS.
func (t *Trace) Log() trace.LogLimits { return trace.LogLimits{Age: t.Age, Bytes: t.Bytes} }

// retention reports limits of stored data that are set to 0, since 0 would mean the default.
func (k *checker) retention() {
	st := &k.c.State
	for _, b := range []struct {
		path string
		n    int64
	}{
		{"state.answers.bytes", st.Answers.Bytes}, {"state.answers.count", int64(st.Answers.Count)},
		{"state.reports.bytes", st.Reports.Bytes}, {"state.reports.count", int64(st.Reports.Count)},
		{"state.vault.bytes", st.Signatures.Bytes}, {"state.vault.count", int64(st.Signatures.Count)},
		{"trace.bytes", k.c.Trace.Bytes},
	} {
		if _, said := k.d.places[b.path]; said && b.n == 0 && !k.bad(b.path) {
			k.fail(b.path, "expected a number from 1, got 0: leave it out for the default")
		}
	}
	for _, b := range []struct {
		path string
		n    int64
	}{
		{"state.facts.bytes", st.Facts.Bytes}, {"state.runs.bytes", st.Runs.Bytes}, {"state.evals.bytes", st.Evals.Bytes},
		{"state.counters.bytes", st.Counters.Bytes},
	} {
		if _, said := k.d.places[b.path]; said && b.n < leastBytes && !k.bad(b.path) {
			k.fail(b.path, "expected at least %d bytes, got %d: leave it out for the default", leastBytes, b.n)
		}
	}
}

// traces reports errors in the destination of the trace.
func (k *checker) traces() {
	const path = "trace.nats"
	t := &k.c.Trace
	switch {
	case t.NATS != On || k.bad(path):
	case t.File != "":
		k.fail(path, "expected either a file or NATS for the trace, got both: remove trace.file or trace.nats")
	case k.c.State.NATS.URL == "" && !k.bad("state.nats"):
		k.fail(path, "expected the address of a NATS server under state.nats, got none")
	}
}
