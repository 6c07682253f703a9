package dashboard

import (
	"context"
	"net/http"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/dashboard/internal/inplace"
	"github.com/callwright/callwright/internal/dashboard/internal/steps"
	"github.com/callwright/callwright/internal/trace"
)

// A Replayer plays recorded requests again. It is called concurrently, once for each time that somebody asks for it.
type Replayer interface {
	// Replay reads what providers sent for a request again, by the configuration of now. Nobody is asked, and nothing
	// is kept.
	Replay(ctx context.Context, entries []trace.Entry) (*Replayed, error)
}

// A Replayed is the result of replaying a request.
type Replayed struct {
	Same bool
	// FromAnswer says that the bytes of the providers were not recorded, and that the answer was played in their place.
	FromAnswer  bool
	Differences []trace.Difference
	Why         string        // why it could not be played
	Entries     []trace.Entry // of what was done again: what was sent, and the answer or the error
}

// A replayView is a page's view of it.
type replayView struct {
	*Replayed
	Problem string
	Rows    []differenceRow
	Steps   *stepsView
}

// A differenceRow is a place where something else came out.
type differenceRow struct {
	Path string
	Text inplace.Text
}

// replay shows a trace with the result of its replay.
func (s *server) replay(w http.ResponseWriter, v *visit) {
	ctx, cancel := withSourceTimeout(v.Request)
	defer cancel()
	id := v.PathValue("id")
	entries, err := s.entries(ctx, id)
	if err != nil {
		s.writeErrorPage(w, v.Request, err)
		return
	}
	if entries == nil || s.Replayer == nil {
		s.problem(w, v.Request, http.StatusNotFound, "Nothing is kept of such a request that could be played again.")
		return
	}
	p := s.buildTracePage(ctx, v, entries)
	p.Replay = &replayView{}
	if p.Replay.Replayed, err = s.Replayer.Replay(ctx, entries); err != nil {
		p.Replay.Problem = err.Error()
	} else {
		p.Replay.compare(ctx, entries, p.Steps)
	}
	s.show(w, v, http.StatusOK, "trace", "Trace "+id, p)
}

// compare shows the new result beside the recorded one.
func (r *replayView) compare(ctx context.Context, entries []trace.Entry, then *stepsView) {
	for _, d := range r.Differences {
		r.Rows = append(r.Rows, differenceRow{d.Path, inplace.Difference("", inplace.Pretty(d.Was), inplace.Pretty(d.Now))})
	}
	if len(r.Entries) == 0 {
		return
	}
	now := slices.DeleteFunc(slices.Clone(entries), func(e trace.Entry) bool { return e.Kind != trace.KindReceived })
	if i := slices.IndexFunc(entries, func(e trace.Entry) bool { return e.Kind == trace.KindRequest }); i >= 0 {
		now = append(now, entries[i]) // which has the API of the client
	}
	for _, e := range r.Entries {
		if e.Kind == trace.KindAnswer || e.Kind == trace.KindError {
			now = append(now, e)
		}
	}
	r.Steps = viewOf(steps.Of(ctx, now), "now")
	r.Steps.Sent = inplace.Difference("", then.Steps.Sent, r.Steps.Steps.Sent)
	r.Steps.Mended = changedRows(then.Steps.Mended, r.Steps.Steps.Mended)
}

// changedRows are the notes of now, those that are new marked, and behind them those that are gone.
func changedRows(then, now []callwright.Note) []noteRow {
	left := slices.Clone(then)
	out := noteRows(now)
	for i := range out {
		if at := slices.Index(left, out[i].Note); at >= 0 {
			left = slices.Delete(left, at, at+1)
		} else {
			out[i].State = "new"
		}
	}
	for _, row := range noteRows(left) {
		row.State = "gone"
		out = append(out, row)
	}
	return out
}
