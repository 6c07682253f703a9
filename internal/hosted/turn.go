package hosted

import (
	"context"
	"iter"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/notes"
	"github.com/callwright/callwright/internal/wire/hostedform"
)

// A turn makes one answer for the client from one or more answers of the model.
type turn struct {
	m     *model
	ctx   context.Context
	yield func(callwright.Batch) bool
	ask   func(req *callwright.Request) iter.Seq2[callwright.Batch, error]

	names   map[string]standIn
	begun   bool             // a Begin event was sent to the client
	stopped bool             // the client stopped reading
	calls   int              // number of calls sent to the client
	ran     int              // number of calls run by the gateway
	spent   callwright.Usage // usage of the previous answers of the model
	report  *callwright.Report
	more    *bool // NeedsMoreWork of the last answer
	notes   []callwright.Note
	shown   map[*hostedform.Kind][]*hostedform.Outcome // outcomes sent to the client, by kind of tool

	// Fields of the current answer of the model.
	whole  callwright.Collector // all its events
	inside bool                 // within a call of a standIn function, which the client does not see
	used   callwright.Usage     // usage of the current answer
	end    *callwright.End      // its End event
	own    int                  // number of calls in this answer that the client must run
}

// run requests answers from the model until one has no call of a standIn function, or has a call that the client must
// run. After Config.Rounds further requests, it no longer offers these functions.
func (t *turn) run(req *callwright.Request) error {
	next, names, err := t.m.prepareRequest(req)
	if err != nil {
		return err
	}
	t.names = names
	for round := 0; ; round++ {
		if round == t.m.r.cfg.Rounds { // the last round: the model must answer without these functions
			next.Tools = slices.DeleteFunc(slices.Clone(next.Tools), func(tool callwright.Tool) bool { _, is := names[tool.Name]; return is })
		}
		if err := t.answer(next); err != nil || t.stopped {
			return err
		}
		resp := t.whole.Response()
		outcomes := t.outcomes(resp)
		switch {
		case t.stopped:
			return nil
		case t.ctx.Err() != nil:
			return t.withReport(&callwright.Error{Op: "hosted", Kind: callwright.KindCanceled, Err: t.ctx.Err()})
		}
		if len(outcomes) == 0 || t.own > 0 || round == t.m.r.cfg.Rounds {
			t.close()
			return nil
		}
		if next, err = following(next, resp, outcomes); err != nil {
			return err
		}
		t.spent = t.spent.Plus(t.used)
	}
}

// answer requests one answer from the model and sends it to the client, without its end and without calls of standIn
// functions.
func (t *turn) answer(req *callwright.Request) error {
	t.whole, t.inside, t.used, t.end, t.own = callwright.Collector{}, false, callwright.Usage{}, nil, 0
	for b, err := range t.ask(req) {
		if err != nil {
			return t.withReport(err)
		}
		// Raw bytes are omitted, because the answer for the client combines several answers.
		out := callwright.Batch{Notes: b.Notes, More: b.More}
		for _, ev := range b.Events {
			t.whole.Add(ev)
			if now := t.event(ev); now != nil {
				out.Events = append(out.Events, now)
			}
		}
		if !t.yield(out) {
			t.stopped = true
			return nil
		}
	}
	return nil
}

// event returns the event to send to the client for an event of the model, or nil for none.
func (t *turn) event(ev callwright.Event) callwright.Event {
	switch ev := ev.(type) {
	case callwright.Begin:
		if t.begun {
			return nil
		}
		t.begun = true
	case callwright.CallBegin:
		if _, t.inside = t.names[ev.Name]; t.inside {
			return nil
		}
		ev.Index = t.calls
		t.calls++
		t.own++
		return ev
	case callwright.CallDelta:
		ev.Index = t.calls - 1
		return t.ofClient(ev)
	case callwright.CallEnd:
		ev.Index = t.calls - 1
		return t.ofClient(ev)
	case callwright.UsageDelta:
		t.used = t.used.Merge(ev.Usage)
		return callwright.UsageDelta{Usage: t.spent.Plus(t.used)}
	case callwright.End:
		t.end = &ev
		return nil
	case callwright.Done:
		t.merge(ev.Report)
		t.more = ev.NeedsMoreWork
		return nil
	}
	return ev
}

// ofClient returns ev, or nil if it belongs to a call of a standIn function.
func (t *turn) ofClient(ev callwright.Event) callwright.Event {
	if t.inside {
		return nil
	}
	return ev
}

// outcomes runs the calls of standIn functions, at most Config.Calls, and sends their results to the client.
func (t *turn) outcomes(resp *callwright.Response) []hostedform.Outcome {
	var out []hostedform.Outcome
	for _, call := range resp.Calls() {
		s, ok := t.names[call.Name]
		if !ok || len(out) == t.m.r.cfg.Calls || t.ctx.Err() != nil {
			continue
		}
		t.ran++
		o := t.m.outcomeOf(t.ctx, s, call, t.ran)
		o.Before = t.shown[s.kind]
		if t.shown == nil {
			t.shown = map[*hostedform.Kind][]*hostedform.Outcome{}
		}
		t.shown[s.kind] = append(slices.Clip(o.Before), &o)
		out = append(out, o)
		t.notes = append(t.notes, callwright.Note{Rule: "hosted.ran", Stage: callwright.StageValidate, Call: call.Name,
			Was: callwright.Excerpt(string(call.Arguments)), Now: callwright.Excerpt(s.tool.Name)}.Classify())
		for _, p := range o.Parts(s.kind, s.wire) {
			if opaque, ok := p.(callwright.Opaque); ok && !t.give(callwright.OpaquePart(opaque)) {
				t.stopped = true
				return out
			}
		}
	}
	return out
}

// give sends one event to the client. It returns false if the client stopped reading.
func (t *turn) give(ev callwright.Event) bool {
	return t.yield(callwright.Batch{Events: []callwright.Event{ev}})
}

// following returns the next request to the model, with the results of the calls. A call above Config.Calls gets an
// error result. A tool choice that forced a call is reset.
func following(req *callwright.Request, resp *callwright.Response, outcomes []hostedform.Outcome) (*callwright.Request, error) {
	history, err := req.History()
	if err != nil {
		return nil, err
	}
	next := *req
	next.Messages = append(slices.Clone(history), resp.Message())
	for i, call := range resp.Calls() {
		result := callwright.Result{CallID: call.ID, Name: call.Name, IsError: true,
			Parts: []callwright.Part{callwright.Text{Text: "The call was not run: there were too many."}}}
		if i < len(outcomes) {
			result.IsError, result.Parts = outcomes[i].Failed, []callwright.Part{callwright.Text{Text: outcomes[i].Text}}
		}
		next.Messages = append(next.Messages, callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{result}})
	}
	if next.Params.Choice.IsForced() {
		next.Params.Choice = callwright.Choice{}
	}
	return &next, nil
}

// close adds the notes to the report and sends the End event. An answer all of whose calls were run here ends with
// FinishStop.
func (t *turn) close() {
	for _, n := range t.notes {
		if t.report != nil {
			t.report.Notes, t.report.Untouched = notes.Fold(t.report.Notes, n), false
		}
	}
	if t.end == nil {
		return
	}
	if t.own == 0 && t.end.Finish == callwright.FinishCalls { // all its calls were run here
		t.end.Finish = callwright.FinishStop
	}
	t.stopped = !t.give(*t.end)
}

// merge adds the report of one answer to the report of the turn.
func (t *turn) merge(rep *callwright.Report) {
	switch {
	case rep == nil:
		return
	case t.report == nil:
		merged := *rep
		merged.Attempts, merged.Notes, merged.Invalid = slices.Clone(rep.Attempts), slices.Clone(rep.Notes), slices.Clone(rep.Invalid)
		t.report = &merged
		return
	}
	all := t.report
	all.Attempts, all.Invalid, all.Mode = append(all.Attempts, rep.Attempts...), append(all.Invalid, rep.Invalid...), rep.Mode
	for _, n := range rep.Notes {
		all.Notes = notes.Fold(all.Notes, n)
	}
	all.Untouched, all.Confidence = all.Untouched && rep.Untouched, min(all.Confidence, rep.Confidence)
	all.CachedTokens, all.CacheHits = all.CachedTokens+rep.CachedTokens, all.CacheHits+rep.CacheHits
}

// withReport returns err with the merged report of all answers.
func (t *turn) withReport(err error) error {
	e, ok := err.(*callwright.Error) //nolint:errorlint // an error of a model is one
	if !ok || t.report == nil {
		return err
	}
	out := *e
	t.merge(e.Report)
	t.report.Notes = append(t.report.Notes, t.notes...)
	out.Report = t.report
	return &out
}
