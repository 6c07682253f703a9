package config

import (
	"time"

	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/signature"
)

// A Retention bounds the kept data of one kind, of all clients together. An absent member is its default; the oldest
// goes first.
type Retention struct {
	Age   time.Duration `json:"age,omitempty" default:"by what is kept" example:"24h" jsonschema:"how long it is kept; of the vault, since it was asked for last"`
	Bytes int64         `json:"bytes,omitempty" default:"by what is kept" jsonschema:"about how many bytes all of it may take"`
	Count int           `json:"count,omitempty" default:"by what is kept" jsonschema:"how many there may be"`
}

// Bounds bound the kept data of one kind. An absent member is its default.
type Bounds struct {
	Age   time.Duration `json:"age,omitempty" default:"by what is kept" example:"720h" jsonschema:"how long it is kept since it was changed last"`
	Bytes int64         `json:"bytes,omitempty" default:"by what is kept" jsonschema:"how many bytes all of it may take, 1048576 or more"`
}

// leastBytes is the least of Bounds: more than one change takes.
const leastBytes = 1 << 20

// Archive is the retention as the limits of answers or of reports.
func (r Retention) Archive() archive.Limits {
	return archive.Limits{Age: r.Age, Bytes: r.Bytes, Count: r.Count}
}

// Signatures is the retention as the limits of a signature store.
func (r Retention) Signatures() signature.Limits {
	return signature.Limits{TTL: r.Age, Bytes: int(r.Bytes), Entries: r.Count}
}

// Log is how much of a trace is kept where it is written to a folder or to NATS.
func (t *Trace) Log() trace.LogLimits { return trace.LogLimits{Age: t.Age, Bytes: t.Bytes} }

// retention checks the bounds of kept data: 0 would stand for the default.
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

// traces checks where the trace is kept.
func (k *checker) traces() {
	const path = "trace.nats"
	t := &k.c.Trace
	switch {
	case t.NATS != On || k.bad(path):
	case t.File != "":
		k.fail(path, "expected a file or NATS to write the trace to, got both: leave trace.file out, or this")
	case k.c.State.NATS.URL == "" && !k.bad("state.nats"):
		k.fail(path, "expected the address of a NATS server under state.nats, got none")
	}
}
