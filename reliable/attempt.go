package reliable

import (
	"errors"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/fingerprint"
	"github.com/callwright/callwright/internal/latertext"
	"github.com/callwright/callwright/reliable/internal/form"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/learning"
	"github.com/callwright/callwright/reliable/internal/opening"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"github.com/callwright/callwright/reliable/internal/quoted"
	"github.com/callwright/callwright/transform"
)

// An attempt is one request to one model and the response. It implements inbound.Attempt, through which the response
// reader gets the IDs in use and the options for parsing text.
type attempt struct {
	*run
	candidate *candidate
	ledger    judge.Ledger
	answer    inbound.Answer
	model     callwright.ModelID // candidate.ID
	asked     companion.Target
	reported  int // number of notes of the ledger that are already in the report
}

// newNotes returns the notes of the attempt that were added since the previous call of newNotes.
func (at *attempt) newNotes() []callwright.Note {
	from := at.reported
	at.reported = len(at.ledger.Notes)
	return at.ledger.Notes[from:]
}

// attempt sends one request for the candidate g and reads the response up to the End event. why is the value of
// Attempt.Why in the report.
func (r *run) attempt(g *candidate, req *callwright.Request, why string) (*attempt, error) {
	at := &attempt{run: r, candidate: g, ledger: *r.o.ledger(), model: g.ID}
	check := r.checkFor(g)
	req = r.withoutBarred(req, check)
	sh, err := r.shape(g, req, &at.ledger, r.newOnSend(req), &at.asked)
	if err != nil {
		r.take(at.newNotes())
		return at, err
	}
	r.changed = r.changed || sh.Changed
	if !r.o.changesNothing() {
		r.delivery.later.Keep, r.delivery.later.Note = !at.ledger.May(latertext.Rule), func(n callwright.Note) { r.note(n) }
		r.delivery.beginAttempt()
	}
	r.delivery.recorder.Begin(g.ID, g.Caps.History)
	r.delivery.follow(r.tools.Search)
	at.answer.Init(at.setup(sh))
	at.answer.TransformCalls(g.Transforms.Calls())
	at.answer.CheckCalls(check)
	began, ask := r.o.now(), r.ask
	companion.ProgressOf(req).Ask(&at.model, why)
	if sh.Whole && r.delivery.streams() {
		at.ledger.Add(callwright.Note{Rule: "params.stream", Stage: callwright.StageOutbound, Why: "the model's calls cannot be streamed"})
		ask = askWhole
	}
	err = readToEnd(&at.answer, ask(r.ctx, g.Transforms.Around(g.model, at.ledger.Add), sh.Request, &at.answer))
	r.record(at, why, began, err)
	return at, err
}

// newOnSend returns an OnSend function that sets r.bodyChanged if the body sent differs from the client's body. It
// then calls the OnSend of req. It returns nil if the difference does not matter.
func (r *run) newOnSend(req *callwright.Request) func(body []byte) {
	if companion.Of(r.req).Body == nil || r.changed {
		return nil
	}
	next := companion.Of(req).OnSend
	return func(body []byte) {
		r.bodyChanged = r.bodyChanged || !r.changed && !fingerprint.CameAs(r.req, body)
		if next != nil {
			next(body)
		}
	}
}

// shape adapts req to the candidate g. The notes go to l. onSend, if not nil, replaces the request's OnSend. asked
// receives the key and host that are used.
func (r *run) shape(g *candidate, req *callwright.Request, l *judge.Ledger, onSend func(body []byte),
	asked *companion.Target) (*outbound.Shaped, error) {
	return (&outbound.Shaper{Toolset: r.tools, Ledger: l, Adapters: r.o.adapters, Grammars: r.o.grammars, Schemas: r.o.schemas,
		StrictJSON: r.o.strictJSON, OverLimit: r.o.overLimit, OnSend: onSend, Asked: asked, HasFallback: r.hasFallback(g),
		Signatures: r.o.signatures}).Shape(r.ctx, req, &g.Receiver)
}

// readToEnd finishes reading a response. err is the result of the request. If err is a rejection that quotes model
// output, the output is read as the response.
func readToEnd(a *inbound.Answer, err error) error {
	if err == nil && a.Outcome.Err != nil {
		err = a.Outcome.Err
	}
	if e := withText(err, a); e != nil && a.Unsent() && !a.Setup.Passthrough && a.Setup.Ledger.May(inbound.RecoveredRule(e)) {
		a.ReadRefusal(e)
		err = nil
	}
	if err == nil && a.Outcome.End == nil && !a.Outcome.Delivered.Stopped {
		err = callwright.Errorf("answer", callwright.KindTruncated, "", "the answer ended without an end event")
	}
	if err != nil {
		return err
	}
	if a.Finalize(); a.Outcome.Err != nil {
		return a.Outcome.Err
	}
	return nil
}

// withText returns err as an *Error if it has output of the model, or if it rejects a call after part of the response
// was streamed. Otherwise it returns nil.
func withText(err error, a *inbound.Answer) *callwright.Error {
	if e, ok := errors.AsType[*callwright.Error](err); ok &&
		(e.Recovered != "" || e.Kind == callwright.KindRefusedCall && e.Feature == "" && a.Outcome.Begun) {
		return e
	}
	return nil
}

// record adds the finished attempt to the report. If the attempt failed with err, it also learns from the response.
func (r *run) record(at *attempt, why string, began time.Time, err error) {
	g, out := at.candidate, &at.answer.Outcome
	row := callwright.Attempt{Model: g.ID, Mode: g.Mode, Dialect: g.Dialect, Why: why, Began: began,
		Duration: r.o.now().Sub(began), Tries: out.Tries, Usage: out.Usage, Key: at.asked.Key, Host: at.asked.Host}
	if err != nil {
		row.Error, row.Kind = asError(err).Error(), callwright.KindOf(err)
		// after reasoning alone another mode may still be tried
		shown := out.Delivered.Answered || out.Delivered.Shown && !learning.IsUnparsed(err)
		r.delivery.shown = r.delivery.shown || r.delivery.streams() && shown
		r.learn(g, out)
	}
	r.report.Attempts = append(r.report.Attempts, row)
	r.delivery.usageFinal = out.Usage
	if read := out.Usage.CacheRead; read > 0 {
		r.report.CachedTokens += read
		r.report.CacheHits++
	}
	r.take(at.newNotes())
	judge.AddInvalid(&r.report, out.Invalid)
}

// setup returns the settings for reading the response to an attempt.
func (at *attempt) setup(sh *outbound.Shaped) inbound.Setup {
	r, g, d := at.run, at.candidate, &at.run.delivery
	native, choice, tools, wire := g.Mode == caps.Native, r.req.Params.Choice, len(r.tools.ByName) > 0, companion.Of(r.req).Wire()
	set := inbound.Setup{
		ClientWire:     wire,
		ClientIDs:      caps.IDsOfWire(string(wire)),
		Toolset:        r.tools.WithNaming(sh.Sent.Naming),
		Ledger:         &at.ledger,
		Mint:           mintOr(r.o.mint),
		Attempt:        at,
		Out:            d.hand,
		Model:          g.ID,
		Progress:       companion.ProgressOf(r.req),
		Mode:           g.Mode,
		Choice:         choice,
		Sent:           sh.Sent,
		Calls:          inbound.CallLimits{Allowed: outbound.MaxCalls(r.req, g.Caps), Known: g.Caps.CallsPerAnswer},
		ChoiceInPrompt: sh.ChoiceInPrompt && choice.IsForced(), // the correction may force a call although the client did not
		Start:          opening.PredictStart(&g.Caps, r.req),
		WantsWhole:     !d.streams() && d.collected == nil && !d.usageBefore.Known,
		Passthrough:    r.o.changesNothing(),
		HoldCalls:      r.o.holdsCalls(g.Caps) || g.Transforms.Has(transform.ToolCalls),
		TextOff:        !tools || native && (r.o.textCallsOff || g.Caps.TextCalls == caps.No || choice.Mode == callwright.ChoiceNone),
		Document:       g.Mode.InDocument(),
		NoBytes:        d.begun || d.usageBefore.Known || sh.Sent.Naming != nil || sh.Whole && d.streams(),
		ClientBegun:    d.begun,
		EarlierText:    d.text,
		Earlier:        d.good,
	}
	if limit := r.req.Params.MaxTokens; limit != "" {
		n, _ := limit.Int64() // 0 (no limit) if it is not an integer
		set.MaxOutput = int(n)
	}
	if (native || sh.FormInPrompt) && !set.Passthrough {
		if set.Form = form.New(r.req, r.o.schemas); set.Form != nil {
			set.HoldCalls, set.Form.InPrompt = true, sh.FormInPrompt // calls beside the JSON document may have to be dropped
		}
	}
	return set
}

// ScanOptions returns the options for finding calls in the response text.
func (at *attempt) ScanOptions() dialect.Options {
	o := inbound.ScanOptions(at.answer.Setup.Toolset, at.answer.Setup.Sent.Undo, &at.ledger, at.candidate.ID)
	o.Hint, o.Marks, o.Quoted = at.candidate.Dialect, at.o.marks, quoted.Latest(at.req)
	return o
}

// IsStopped reports whether the context of the request is done: the client canceled it, or a time limit was reached.
func (r *run) IsStopped() bool { return r.ctx.Err() != nil }

// IDTaken reports whether a call of the conversation or of an earlier attempt has the ID.
func (r *run) IDTaken(id string) bool {
	return r.past.Has(id, r.req) || slices.ContainsFunc(r.delivery.good, func(c callwright.Call) bool { return c.ID == id })
}
