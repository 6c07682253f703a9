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

// An Input contains the trace of a request and the settings for replaying it.
type Input struct {
	// Entries are the trace entries of one request, preceded by the entry with the known facts about its model.
	Entries []trace.Entry
	// Config contains the current settings for requests; nil means the defaults.
	Config *config.Config
	// Credentials are known secrets. They are hidden wherever they occur.
	Credentials []string
	// Around wraps the model when the request is replayed; nil wraps nothing. See [replay.Replay].
	Around func(callwright.Model) callwright.Model
	// Limits limit the search for a smaller case.
	Limits reduce.Limits
}

// A Bundle contains the recorded evidence about one request, without secrets.
type Bundle struct {
	ID      string
	Files   []File
	Finding finding.Finding
	Verdict side.Verdict
	Removed []secretscan.Removed
	Case    *casefile.Case // nil if the request cannot be replayed
	Replay  Replayed
}

// A Replayed is the result of replaying the recorded request.
type Replayed struct {
	Same bool   `json:"same"`          // the replay had the recorded finding
	Why  string `json:"why,omitempty"` // the reason if it had another one or could not be replayed
	// Reduction contains the counts of the reduction of the case; it is zero if the case is the whole request.
	Reduction reduce.Stats `json:"reduction,omitzero"`
}

// Make creates the bundle of a request. It fails with [casefile.ErrContent] if the trace has no contents, and with an
// error if the entries contain no request. Equal inputs and versions give equal bytes.
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

// A maker creates one evidence bundle.
type maker struct {
	in       *Input
	scan     *secretscan.Scan
	entries  []trace.Entry // the entries without secrets
	asked    *trace.Entry  // the last request in entries
	end      *trace.Entry  // the end of the request; nil if it was not recorded
	settings []byte
}

// replay replays the request and sets b.Case to a case with the recorded finding, reduced if possible.
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
		b.Replay.Why = "the replay has another finding: " + got.String()
	case !whole.Finding.IsFault():
		b.Replay.Same = true
	default:
		b.Replay.Same = true
		m.reduce(ctx, b, whole)
	}
	return nil
}

// reduce removes parts of a case as long as a replay has the same finding and the same guilty side. The reduced case
// must also pass after it is encoded and parsed again, and contain no secret. Otherwise b does not change.
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
		return // the recorded entries have facts that a replay lacks
	}
	small, stats := reduce.Case(ctx, whole, keeps, m.in.Limits)
	if small == nil || !keeps(small) {
		return
	}
	if again, err := casefile.Parse(small.Append(nil)); err == nil && keeps(again) && !m.scan.Leaks(small.Append(nil)) {
		b.Case, b.Replay.Reduction = small, stats
	}
}

// withKnown combines trace entries for the verdict: the model facts, the request and the providers' responses from the
// case c, the sent requests and the final result from replayed. If c has no valid entries, it returns replayed.
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

// read replays a case and returns the finding: the outcome and the rules of its faults.
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

// plain returns the message of an error without its operation.
func plain(err error) string {
	if e, ok := errors.AsType[*callwright.Error](err); ok && e.Message != "" {
		return e.Message
	}
	return err.Error()
}
