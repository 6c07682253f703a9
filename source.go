package callwright

import (
	"errors"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
)

// newAnswer makes the taker of one attempt's answer.
func (r *run) newAnswer(g rung, sh *shaped, l *ledger) *answer {
	r.keeper.begin(g)
	a := &answer{
		model: g.id,
		s:     r.s, l: l, mode: g.mode, choice: r.req.Params.Choice, lens: sh.back,
		single: r.req.Params.Parallel != nil && !*r.req.Params.Parallel,
		hold:   r.o.streamCalls == StreamHeld || r.o.streamCalls == StreamAuto && g.caps.NeedsHelp == caps.Yes || r.o.policy == Strict,
		sent:   len(r.good), started: r.begun, noFrames: r.begun || len(sh.back) > 0, mute: r.spoke,
		whole: &collector{},
	}
	if r.req.Body != nil {
		a.spoken = r.req.Body.Wire()
	}
	if g.mode == caps.Native && (len(r.s.byName) > 0 || sh.said) && r.o.policy != Off && r.o.policy != Observe {
		if a.form = r.form(); a.form != nil { // calls beside the document may have to go
			a.hold, a.form.said, a.q.held = true, sh.said, sh.said
		}
	}
	if sh.asked {
		a.asked, a.q.held = true, true
	}
	if n, err := r.req.Params.MaxTokens.Int64(); err == nil {
		a.maxOut = int(n)
	}
	a.j = &judge{s: r.s, l: l, unvalidated: g.mode == caps.Parsed, mint: r.o.newID, taken: a.taken}
	a.ids = r.usedIDs
	a.q.out = r.hand
	if r.yield == nil && r.collected == nil {
		r.collected = &collector{}
	}
	a.text = textReader{
		a:     a,
		off:   len(r.s.byName) == 0 || r.o.textCallsOff && g.mode == caps.Native || r.req.Params.Choice.Mode == None && g.mode == caps.Native,
		whole: g.mode == caps.JSONSchema || g.mode == caps.JSONObject,
		make:  func() dialect.Options { return r.scanOptions(g, l) },
	}
	if r.o.policy == Off || r.o.policy == Observe {
		a.q.out = func(Event) bool { return true }
		a.direct = r.hand
	}
	return a
}

// usedIDs tells which call ids the history has, for ids that must not come twice.
func (r *run) usedIDs(id string) bool {
	if r.seen == nil {
		r.seen = map[string]bool{}
		for _, t := range outline(r.req) {
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

func (r *run) scanOptions(g rung, l *ledger) dialect.Options {
	_, name := g.id.Split()
	return dialect.Options{
		Tools: r.s.shapes, Marks: r.o.marks, Names: r.s.names, Hint: g.dialect, Model: name, Disabled: l.refuses, Heuristic: r.o.policy == HealHeuristic,
		Quoted: quotedTexts(r.req),
	}
}

// quotedTexts are the latest texts of users and tool results, newest first, within quotedLimit.
func quotedTexts(req *Request) []string {
	msgs, err := req.History()
	if err != nil {
		return nil
	}
	var out []string
	left := quotedLimit
	for i := len(msgs) - 1; i >= 0 && left > 0; i-- {
		if msgs[i].Role == Assistant || msgs[i].Role == System {
			continue
		}
		for _, p := range msgs[i].Parts {
			texts := []Part{p}
			if res, ok := p.(Result); ok {
				texts = res.Parts
			}
			if t := TextOf(texts); t != "" && len(t) <= left {
				out = append(out, t)
				left -= len(t)
			}
		}
	}
	return out
}

// whole asks for a whole answer and feeds it.
func (r *run) whole(m Model, req *Request, a *answer) error {
	resp, err := m.Generate(r.ctx, req)
	if err != nil {
		a.tries = 1
		a.failedWith(err, false)
		return err
	}
	a.tries = triesOf(resp.Report)
	for _, ev := range EventsOf(resp) {
		if !a.take(ev) {
			break
		}
	}
	return nil
}

// triesOf is how often a provider was asked, as it says itself.
func triesOf(rep *Report) int {
	if rep == nil || len(rep.Attempts) == 0 {
		return 1
	}
	return max(rep.Attempts[0].Tries, 1)
}

// failedWith takes over what an error tells of the request that came to it: its notes where they were not told before.
func (a *answer) failedWith(err error, told bool) {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Report == nil {
		return
	}
	a.tries = triesOf(e.Report)
	if told {
		return
	}
	for _, n := range e.Report.Notes {
		a.l.add(n)
	}
}

// stream asks for a streamed answer and feeds it.
func (r *run) stream(m Model, req *Request, a *answer) error {
	a.tries = 1
	told := false // the notes came before the events
	for ev, err := range m.Stream(r.ctx, req) {
		if err != nil {
			a.failedWith(err, told)
			return err
		}
		told = true
		if n, ok := ev.(Noted); ok && n.Note.Rule == "transport.retry" {
			a.tries++
		}
		if !a.take(ev) {
			break
		}
	}
	return nil
}
