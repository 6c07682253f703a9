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

// A Replayer replays recorded requests. It is called concurrently, once per click.
type Replayer interface {
	// Replay decodes the recorded provider responses of a request again, with the current configuration. It sends no
	// request and stores nothing.
	Replay(ctx context.Context, entries []trace.Entry) (*Replayed, error)
}

// A Replayed is the result of replaying a request.
type Replayed struct {
	Same bool
	// FromAnswer means that the recorded answer was replayed, because the bytes of the providers were not recorded.
	FromAnswer  bool
	Differences []trace.Difference
	Why         string        // why the request could not be replayed
	Entries     []trace.Entry // entries of the replay: sent bodies, and the answer or error
}

// A replayView is the page's view of a Replayed.
type replayView struct {
	*Replayed
	Problem string // why the request was not replayed, "" for none
	Rows    []differenceRow
	Steps   *stepsView
}

// A differenceRow is a location at which the replay has another result.
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
		s.problem(w, v.Request, http.StatusNotFound, "No trace of this request is kept, so it cannot be replayed.")
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

// compare sets the differences and the steps of the replay. entries are those of the recording, then its steps.
func (r *replayView) compare(ctx context.Context, entries []trace.Entry, then *stepsView) {
	for _, d := range r.Differences {
		r.Rows = append(r.Rows, differenceRow{d.Path, inplace.Difference("", inplace.Pretty(d.Was), inplace.Pretty(d.Now))})
	}
	if len(r.Entries) == 0 {
		return
	}
	now := slices.DeleteFunc(slices.Clone(entries), func(e trace.Entry) bool { return e.Kind != trace.KindReceived })
	if i := slices.IndexFunc(entries, func(e trace.Entry) bool { return e.Kind == trace.KindRequest }); i >= 0 {
		now = append(now, entries[i]) // has the API of the client
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

// changedRows returns the notes of the replay, with new ones marked, followed by those that only the recording has.
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
