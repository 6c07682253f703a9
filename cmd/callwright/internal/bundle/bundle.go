package bundle

import (
	"context"
	"errors"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/bundle/internal/reduce"
	"github.com/callwright/callwright/cmd/callwright/internal/bundle/internal/secretscan"
	"github.com/callwright/callwright/cmd/callwright/internal/bundle/internal/side"
	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
	"github.com/callwright/callwright/cmd/callwright/internal/finding"
	"github.com/callwright/callwright/cmd/callwright/internal/replay"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/trace"
)

// An Input is the record of a request, with the settings for reading it.
type Input struct {
	// Entries are the entries of one request, after the entry with the known facts of its model.
	Entries []trace.Entry
	// Config has the current settings for requests. Nil stands for the defaults.
	Config *config.Config
	// Credentials are secrets that are known. They are hidden wherever they stand.
	Credentials []string
	// Around wraps the model when the request is replayed; nil wraps nothing. See [replay.Replay].
	Around func(callwright.Model) callwright.Model
	// Limits bound the search for the smallest case.
	Limits reduce.Limits
}

// A Bundle is the evidence about one request, without secrets.
type Bundle struct {
	ID      string
	Files   []File
	Finding finding.Finding
	Verdict side.Verdict
	Removed []secretscan.Removed
	Case    *casefile.Case // nil where the request cannot be read again
	Replay  Replayed
}

// A Replayed is the result of replaying the request.
type Replayed struct {
	Same bool   `json:"same"`          // it came to the finding of its record
	Why  string `json:"why,omitempty"` // why it did not, or could not be read again
	// Reduction has the counts of the reduction of the case; it is zero if the case is the whole request.
	Reduction reduce.Stats `json:"reduction,omitzero"`
}

// Make makes the bundle of a request. It fails with [casefile.ErrContent] if the trace has no contents, and if there is
// no request. Two bundles of one record by one version have the same bytes.
func Make(ctx context.Context, in Input) (*Bundle, error) {
	m := &maker{in: &in, scan: &secretscan.Scan{}}
	if err := m.hide(); err != nil {
		return nil, err
	}
	b := &Bundle{ID: m.asked.ID, Finding: finding.Of(m.entries)}
	b.Verdict = side.Of(&b.Finding, side.FactsOf(m.entries))
	if err := m.replay(ctx, b); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.files(b)
	return b, nil
}

// A maker makes one bundle.
type maker struct {
	in       *Input
	scan     *secretscan.Scan
	entries  []trace.Entry // without secrets
	asked    *trace.Entry  // of them, the last request
	end      *trace.Entry  // nil where it has none
	settings []byte
}

// replay makes the smallest case that comes to the finding.
func (m *maker) replay(ctx context.Context, b *Bundle) error {
	whole, err := casefile.FromEntries(m.entries)
	if err != nil {
		b.Replay.Why = plain(err)
		return nil
	}
	if m.settings, err = m.config().SettingsOf(append([]callwright.ModelID{whole.Head.Model}, whole.Head.Asked...)...); err != nil {
		return err
	}
	m.scan.Look(m.settings)
	m.settings = m.scan.Hide("settings", m.settings)
	whole.Settings, whole.Side = m.settings, string(b.Verdict.Side)
	b.Case = whole
	got, err := m.read(ctx, whole)
	switch {
	case err != nil:
		b.Replay.Why = plain(err)
	case !got.Equal(&whole.Finding):
		b.Replay.Why = "it comes to another finding: " + got.String()
	case !whole.Finding.IsFault():
		b.Replay.Same = true
	default:
		b.Replay.Same = true
		m.reduce(ctx, b, whole)
	}
	return nil
}

// reduce makes a case smaller as long as it comes to the same finding on the same side. The smaller case is read once
// more before it is taken.
func (m *maker) reduce(ctx context.Context, b *Bundle, whole *casefile.Case) {
	keeps := func(c *casefile.Case) bool {
		got, entries, err := m.readAll(ctx, c)
		if err != nil || !got.Equal(&whole.Finding) {
			return false
		}
		known := side.FactsOf(withKnown(c, entries))
		v := side.Of(&got, known)
		return v.Side == b.Verdict.Side
	}
	if !keeps(whole) {
		return // the facts of a replay say less than those of the record
	}
	small, stats := reduce.Case(ctx, whole, keeps, m.in.Limits)
	if small == nil || !keeps(small) {
		return
	}
	if again, err := casefile.Parse(small.Append(nil)); err == nil && keeps(again) && !m.scan.Leaks(small.Append(nil)) {
		b.Case, b.Replay.Reduction = small, stats
	}
}

// withKnown returns entries of a replay with those of the case that the verdict needs: the known facts of the model,
// and the received answers.
func withKnown(c *casefile.Case, replayed []trace.Entry) []trace.Entry {
	asked, err := c.Entries()
	if err != nil {
		return replayed
	}
	var out []trace.Entry
	for _, e := range asked {
		if e.Kind == trace.KindModel || e.Kind == trace.KindRequest {
			out = append(out, e)
		}
	}
	for _, e := range replayed {
		if e.Kind == trace.KindSent {
			out = append(out, e)
		}
	}
	for _, e := range asked {
		if e.Kind == trace.KindReceived {
			out = append(out, e)
		}
	}
	for _, e := range replayed {
		if e.Kind == trace.KindAnswer || e.Kind == trace.KindError {
			out = append(out, e)
		}
	}
	return out
}

// read reads a case again.
func (m *maker) read(ctx context.Context, c *casefile.Case) (finding.Finding, error) {
	got, _, err := m.readAll(ctx, c)
	return got, err
}

func (m *maker) readAll(ctx context.Context, c *casefile.Case) (finding.Finding, []trace.Entry, error) {
	return (&replay.Replay{Around: m.in.Around}).Case(ctx, c)
}

func (m *maker) config() *config.Config {
	if m.in.Config == nil {
		return &config.Config{}
	}
	return m.in.Config
}

// plain is an error as people read it, without the operation in which it came up.
func plain(err error) string {
	if e, ok := errors.AsType[*callwright.Error](err); ok && e.Message != "" {
		return e.Message
	}
	return err.Error()
}
