package agent

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/companion"
)

// The reasons for which the loop adds a user message of its own to the conversation. They are the "why" of an
// entryAdded in the journal.
const (
	addedEmpty     = "empty_final"
	addedIntent    = "intent"
	addedMoreWork  = "more_work"
	addedNoCall    = "no_call"
	addedTruncated = "truncated"
	addedWrong     = "verifier"
	addedFormat    = "format"
	addedClaim     = "claim"
)

// askModel sends the next request to the model and records the response in the journal.
func (r *run) askModel(ctx context.Context) error {
	tools, err := r.gather(ctx)
	if err != nil {
		return err
	}
	r.tools = tools
	if err := r.switchModel(ctx); err != nil {
		return err
	}
	req, err := r.request(ctx)
	if err != nil {
		return err
	}
	resp, err := r.answerOf(ctx, req)
	if err != nil {
		return r.afterFailure(ctx, err)
	}
	r.failing.retried = 0
	if len(resp.Calls()) > 0 {
		r.failing.badCalls = 0
	}
	r.normalise(resp)
	return r.record(ctx, "", answered{resp})
}

// request builds the next request to the model and applies the functions of WithRequest.
func (r *run) request(ctx context.Context) (*callwright.Request, error) {
	req := &callwright.Request{Messages: slices.Clip(r.st.messages), Tools: r.tools.offered, Params: callwright.Params{Format: r.o.format},
		Attached: &companion.Companion{Withheld: r.tools.withheld.names, CanAskPerson: callcheck.From(ctx) != nil}}
	switch {
	case r.failing.withoutTools:
		req.Tools = nil
	case len(req.Tools) == 0:
	case r.st.lastAdd == addedEmpty && !r.o.emptyFinal.KeepTools:
		req.Params.Choice.Mode = callwright.ChoiceNone
	case r.st.lastAdd == addedNoCall:
		req.Params.Choice.Mode = callwright.ChoiceRequired
	case r.st.steps == 0:
		req.Params.Choice = r.o.choice
	default:
		req.Params.Choice.Names = r.allowedNames()
	}
	return callWithRecover("a function of WithRequest", func() (*callwright.Request, error) {
		for _, change := range r.o.overrides {
			change(req)
		}
		return req, nil
	})
}

// allowedNames returns the tool names to which Choice.Names of WithChoice restricts every request of the run. It is nil
// for ChoiceNamed, which concerns only the first request.
func (r *run) allowedNames() []string {
	if r.o.choice.Mode == callwright.ChoiceNamed {
		return nil
	}
	return r.o.choice.Names
}

// model returns the model for the next request: the agent's own, or the current one of WithStrongerModels.
func (r *run) model() callwright.Model {
	at := min(r.st.model, len(r.o.chain)) // a resumed run may have an agent with a shorter chain
	if at == 0 {
		return r.a.model
	}
	return r.o.chain[at-1]
}

// answerOf sends a request and returns the response. In a streamed run it emits the text deltas as they arrive.
func (r *run) answerOf(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	if !r.streamed {
		resp, err := r.model().Generate(ctx, req)
		if err == nil && resp == nil {
			err = callwright.Errorf("agent.ask", callwright.KindBadAnswer, "", "the model returned neither an answer nor an error")
		}
		if err == nil {
			r.tellNotes(resp.Report)
		}
		return resp, err
	}
	var c callwright.Collector
	for ev, err := range r.model().Stream(ctx, req) {
		if err != nil {
			return nil, err
		}
		c.Add(ev)
		switch ev := ev.(type) {
		case callwright.TextDelta:
			r.emit(Event{Kind: EventText, Step: r.st.steps + 1, Text: ev.Text})
		case callwright.Done:
			r.tellNotes(ev.Report)
		}
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
	}
	return c.Response(), nil
}

// tellNotes emits an EventNote for each note of a report, without the notes that toldBefore reports. rep may be nil.
func (r *run) tellNotes(rep *callwright.Report) {
	if rep == nil {
		return
	}
	for i := range rep.Notes {
		if n := &rep.Notes[i]; !r.toldBefore(*n) {
			r.emit(Event{Kind: EventNote, Step: r.st.steps + 1, Note: n})
		}
	}
}

// toldBefore reports whether an equal note of the plan, outbound or encode stage was emitted earlier in the run. These
// stages repeat their notes because each request contains the same tools and history again.
func (r *run) toldBefore(n callwright.Note) bool {
	switch n.Stage {
	case callwright.StagePlan, callwright.StageOutbound, callwright.StageEncode:
	default:
		return false
	}
	if r.told[n] {
		return true
	}
	if r.told == nil {
		r.told = map[callwright.Note]bool{}
	}
	r.told[n] = true
	return false
}

// normalise prepares a response for the conversation. It replaces missing, invalid and duplicate call ids by fresh ids,
// and removes the text after the last call, because the model wrote it without the results.
func (r *run) normalise(resp *callwright.Response) {
	parts := slices.Clone(resp.Parts)
	seen := map[string]bool{}
	n, last := 0, -1
	for i, p := range parts {
		c, ok := p.(callwright.Call)
		if !ok {
			continue
		}
		if !isCallID(c.ID) || r.st.ids[c.ID] || seen[c.ID] {
			was := callwright.Excerpt(c.ID)
			c.ID = r.st.freshID(n, seen)
			parts[i] = c
			r.emit(Event{Kind: EventNote, Step: r.st.steps + 1, Call: c.ID, Name: c.Name,
				Note: &callwright.Note{Rule: "loop.call_id", Call: c.Name, Was: was, Now: c.ID, Why: "the id is missing, duplicate or invalid"}})
		}
		seen[c.ID] = true
		n, last = n+1, i
	}
	if last >= 0 {
		kept := parts[:last+1]
		for _, p := range parts[last+1:] {
			if t, ok := p.(callwright.Text); ok {
				r.emit(Event{Kind: EventNote, Step: r.st.steps + 1,
					Note: &callwright.Note{Rule: "loop.behind_calls", Was: callwright.Excerpt(t.Text),
						Why: "the model cannot know the results of its calls"}})
				continue
			}
			kept = append(kept, p)
		}
		parts = kept
	}
	resp.Parts, resp.Raw = parts, nil
}

// truncatedText is the message to a model whose response was cut at the length limit before it had any usable text or
// call.
const truncatedText = "Your last answer was cut at its length limit, and nothing of it was run. Make a shorter call, or several, or answer in a few words."

// maxCallID is the maximum length in bytes of a call id; a longer id is replaced.
const maxCallID = 4096

// isCallID reports whether an id can be kept unchanged: it is not empty, at most maxCallID bytes, valid UTF-8, and free
// of control characters.
func isCallID(id string) bool {
	return id != "" && len(id) <= maxCallID && utf8.ValidString(id) && !strings.ContainsFunc(id, unicode.IsControl)
}

// switchModel switches the run to the next model of WithStrongerModels if mustSwitchModel reports true.
func (r *run) switchModel(ctx context.Context) error {
	if !r.mustSwitchModel() {
		return nil
	}
	r.emit(Event{Kind: EventNote, Note: &callwright.Note{Rule: "loop.next_model", Why: "the model keeps making calls that cannot be run"}})
	r.failing = failing{}
	return r.record(ctx, "", moved{r.st.model + 1})
}

// mustSwitchModel reports whether the run must switch to the next model: WithModelSwitch is set, the bad calls have
// reached the limit, and the chain has a next model.
func (r *run) mustSwitchModel() bool {
	return r.o.move && r.bad() >= r.o.failLimit && r.st.model < len(r.o.chain)
}

// bad returns the number of consecutive bad responses: responses whose calls could not be run, and responses that the
// reliable client rejected for their calls.
func (r *run) bad() int { return r.st.bad + r.failing.badCalls }

// addUserMessage adds a user message with the given text to the conversation and emits a note. why is one of the
// constants addedEmpty, addedIntent, etc.
func (r *run) addUserMessage(ctx context.Context, why, text string) error {
	r.emit(Event{Kind: EventNote, Note: &callwright.Note{Rule: "loop.told", Now: text, Why: why}})
	return r.record(ctx, "", added{callwright.UserText(strings.TrimSpace(text)), why})
}
