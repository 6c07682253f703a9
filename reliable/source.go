package reliable

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// setup says how the answer to an attempt is read.
func (r *run) setup(g rung, sh *outbound.Shaped, l *judge.Ledger) inbound.Setup {
	r.keeper.Begin(g.ID, g.Caps.History)
	if r.yield == nil && r.collected == nil {
		r.collected = &callwright.Collector{}
	}
	silent := r.o.policy == callwright.PolicyOff || r.o.policy == callwright.PolicyObserve
	native, choice := g.Mode == caps.Native, r.req.Params.Choice
	set := inbound.Setup{
		Surface: r.s, Ledger: l, Mint: r.o.newID, TakenIDs: r.usedIDs, Out: r.hand, Direct: silent,
		Model: g.ID, Mode: g.Mode, Choice: choice, Names: sh.Names, Asked: sh.Asked,
		Single: r.req.Params.Parallel != nil && !*r.req.Params.Parallel,
		Hold:   r.o.streamCalls == callwright.StreamHeld || r.o.streamCalls == callwright.StreamAuto && g.Caps.NeedsHelp == caps.Yes || r.o.policy == callwright.PolicyStrict,
		Handed: len(r.good), Started: r.begun, NoFrames: r.begun || len(sh.Names) > 0, Mute: r.spoke,
		Scan:     func() dialect.Options { return r.scanOptions(g, l) },
		TextOff:  len(r.s.ByName) == 0 || native && (r.o.textCallsOff || choice.Mode == callwright.ChoiceNone),
		Document: g.Mode == caps.JSONSchema || g.Mode == caps.JSONObject,
	}
	if r.req.Body != nil {
		set.Wire = r.req.Body.Wire()
	}
	if n, err := r.req.Params.MaxTokens.Int64(); err == nil {
		set.MaxOutput = int(n)
	}
	if native && (len(r.s.ByName) > 0 || sh.Said) && !silent {
		if set.Form = inbound.NewForm(r.req, r.o.schemas); set.Form != nil { // calls beside the document may have to go
			set.Hold, set.Form.Said = true, sh.Said
		}
	}
	return set
}

// usedIDs tells which call ids the history has, for ids that must not come twice.
func (r *run) usedIDs(id string) bool {
	if r.seen == nil {
		r.seen = map[string]bool{}
		for _, t := range r.req.Summaries() {
			for _, c := range t.Calls {
				r.seen[c.ID] = true
			}
		}
		for _, c := range r.good {
			r.seen[c.ID] = true
		}
	}
	return r.seen[id]
}

// quotedLimit bounds the texts of the history that are held against echoes.
const quotedLimit = 256 << 10

func (r *run) scanOptions(g rung, l *judge.Ledger) dialect.Options {
	_, name := g.ID.Split()
	return dialect.Options{
		Tools: r.s.Shapes, Marks: r.o.marks, Names: r.s.Names, Hint: g.Dialect, Model: name, Disabled: l.Refuses, Heuristic: r.o.policy == callwright.PolicyHealHeuristic,
		Quoted: quotedTexts(r.req),
	}
}

// quotedTexts are the latest texts of users and tool results, newest first, within quotedLimit.
func quotedTexts(req *callwright.Request) []string {
	msgs, err := req.History()
	if err != nil {
		return nil
	}
	var out []string
	left := quotedLimit
	for i := len(msgs) - 1; i >= 0 && left > 0; i-- {
		if msgs[i].Role == callwright.RoleAssistant || msgs[i].Role == callwright.RoleSystem {
			continue
		}
		for _, p := range msgs[i].Parts {
			texts := []callwright.Part{p}
			if res, ok := p.(callwright.Result); ok {
				texts = res.Parts
			}
			if t := callwright.TextOf(texts); t != "" && len(t) <= left {
				out = append(out, t)
				left -= len(t)
			}
		}
	}
	return out
}

// whole asks for a whole answer and feeds it.
func (r *run) whole(m callwright.Model, req *callwright.Request, a *inbound.Answer) error {
	resp, err := m.Generate(r.ctx, req)
	if err != nil {
		a.Tries = 1
		a.FailedWith(err, false)
		return err
	}
	a.Tries = inbound.TriesOf(resp.Report)
	for _, ev := range callwright.EventsOf(resp) {
		if !a.Take(ev) {
			break
		}
	}
	return nil
}

// stream asks for a streamed answer and feeds it.
func (r *run) stream(m callwright.Model, req *callwright.Request, a *inbound.Answer) error {
	a.Tries = 1
	told := false // the notes came before the events
	for ev, err := range m.Stream(r.ctx, req) {
		if err != nil {
			a.FailedWith(err, told)
			return err
		}
		told = true
		if n, ok := ev.(callwright.Noted); ok && n.Note.Rule == "transport.retry" {
			a.Tries++
		}
		if !a.Take(ev) {
			break
		}
	}
	return nil
}
