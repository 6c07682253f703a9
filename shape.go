package callwright

import (
	"context"
	"slices"
	"strings"

	"github.com/callwright/callwright/caps"
)

// shaped is a request as one rung sends it.
type shaped struct {
	req     *Request
	back    map[string]string // tool names as sent to the declared ones, nil where they are the same
	changed bool              // it differs from the client's
	said    bool              // the form of the answer was put into words
	asked   bool              // that a tool must be called was put into words
}

// shape makes a request fit for a rung: its history mended, its tools conveyed in the rung's mode. The request itself is
// left as it is.
func shape(ctx context.Context, req *Request, s *surface, g rung, o *options, l *ledger) (*shaped, error) {
	out := *req
	out.Model = g.id
	if g.more {
		known := g.caps
		out.Known = &known
	}
	sh := &shaped{req: &out}
	if o.policy == Off || o.policy == Observe {
		return sh, nil
	}
	turns := outline(req)
	if err := o.restore(ctx, &out, turns, g, l); err != nil {
		return nil, err
	}
	native := g.mode == caps.Native
	if !fit(turns, g.caps.History, len(s.byName) > 0 || !native) {
		msgs, err := out.History()
		if err != nil {
			return nil, err
		}
		m := &mender{h: g.caps.History, l: l, mint: o.newID}
		out.Messages = m.mend(msgs)
	}
	if native {
		if err := shapeNative(sh, s, g, turns, l); err != nil {
			return nil, err
		}
	} else if err := convey(sh, s, g, o, l); err != nil {
		return nil, err
	}
	allowEffort(&out.Params, g.caps, l)
	dropFields(&out, g.caps, l)
	sh.changed = l.changed > 0
	return sh, nil
}

// shapeNative adapts names, choice and switches to what the provider takes.
func shapeNative(sh *shaped, s *surface, g rung, turns []Turn, l *ledger) error {
	out := sh.req
	if g.caps.MaxTools > 0 && len(s.byName) > g.caps.MaxTools {
		return errorf("plan", KindInvalid, "/tools", "%d tools are declared and %s takes at most %d", len(s.byName), g.id, g.caps.MaxTools)
	}
	if err := renameTools(sh, s, g.caps, l); err != nil {
		return err
	}
	p := &out.Params
	tools := len(s.byName) > 0 && (out.Tools == nil || len(out.Tools) > 0)
	if err := sayFormat(sh, g.caps, tools, l); err != nil {
		return err
	}
	if !tools {
		if g.caps.History.ToolsForCalls {
			return declareFromHistory(out, turns, l)
		}
		return nil
	}
	withoutReasoning(p, g.caps, l)
	askParallel(p, g.caps, l)
	if p.Parallel != nil && g.caps.ParallelField == caps.No {
		if !*p.Parallel {
			l.add(Note{Rule: "parallel.emulated", Stage: StageOutbound})
			if err := addSystem(out, choiceSentence(Choice{}, true)); err != nil {
				return err
			}
		}
		p.Parallel = nil
	}
	if p.Choice.Mode == "" && len(p.Choice.Names) == 0 {
		return nil
	}
	lost := g.caps.ChoiceField == caps.No || p.Choice.Forced() && g.caps.ChoiceForced == caps.No
	if !lost {
		return nil
	}
	sh.asked = p.Choice.Forced()
	return emulateChoice(out, g.caps.History, l)
}

// emulateChoice says a choice in words where the provider cannot take it, and sends only the tools that it allows; the judge
// verifies it.
func emulateChoice(out *Request, h caps.HistoryRules, l *ledger) error {
	choice := out.Params.Choice
	out.Params.Choice = Choice{}
	if choice.Mode == Auto && len(choice.Names) == 0 {
		return nil
	}
	l.add(Note{Rule: "choice.emulated", Stage: StageOutbound, Was: string(choice.Mode)})
	if choice.Mode == None {
		if !h.ToolsForCalls {
			out.Tools = []Tool{}
		}
		return addSystem(out, "Do not call any tool in this answer.")
	}
	tools, err := out.Toolset()
	if err != nil {
		return err
	}
	if len(choice.Names) == 0 {
		choice.Names = fewNames(tools)
	} else {
		out.Tools = slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool {
			return t.Type != HostedTool && !slices.Contains(choice.Names, t.Name)
		})
	}
	if !choice.Forced() {
		return nil
	}
	return addSystem(out, strings.TrimSpace(choiceSentence(choice, false)))
}

// maxNamed bounds the tools that a demand to call one of them lists.
const maxNamed = 8

// fewNames are the names of the client's tools, nil where there are too many to list.
func fewNames(tools []Tool) []string {
	var names []string
	for _, t := range tools {
		if t.Type != HostedTool {
			names = append(names, t.Name)
		}
	}
	if len(names) > maxNamed {
		return nil
	}
	return names
}

// addSystem puts a text at the end of the first system message, or before everything where there is none.
func addSystem(out *Request, text string) error {
	msgs, err := out.History()
	if err != nil {
		return err
	}
	text = strings.TrimSpace(text)
	if len(msgs) > 0 && msgs[0].Role == System {
		first := msgs[0]
		first.Parts = slices.Clone(first.Parts)
		if n := len(first.Parts); n > 0 {
			text = "\n\n" + text
		}
		first.Parts = append(first.Parts, Text{Text: text})
		out.Messages = append([]Message{first}, msgs[1:]...)
		return nil
	}
	out.Messages = append([]Message{{Role: System, Parts: []Part{Text{Text: text}}}}, msgs...)
	return nil
}

// declareFromHistory declares the tools that a history calls where the receiver refuses calls without tools, and forbids
// calling them.
func declareFromHistory(out *Request, turns []Turn, l *ledger) error {
	var names []string
	for _, t := range turns {
		for _, c := range t.Calls {
			if !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	tools, err := out.Toolset()
	if err != nil {
		return err
	}
	tools = slices.Clone(tools)
	for _, n := range names {
		tools = append(tools, Tool{Name: n, Schema: []byte(`{"type":"object","properties":{}}`)})
	}
	l.add(Note{Rule: "history.declared_tools", Stage: StageOutbound, Now: strings.Join(names, ", ")})
	out.Tools, out.Params.Choice = tools, Choice{Mode: None}
	return nil
}
