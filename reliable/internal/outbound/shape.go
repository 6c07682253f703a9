package outbound

import (
	"context"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/constraint"
	"github.com/callwright/callwright/internal/restore"
	"github.com/callwright/callwright/internal/transformset"
	"github.com/callwright/callwright/reliable/internal/decoding"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/translate"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/signature"
)

// A Shaped is a request adapted to a receiver.
type Shaped struct {
	Request        *callwright.Request
	own            companion.Variant // memory of Request
	Sent           judge.Sent
	Changed        bool              // the request differs from the client's
	FormInPrompt   bool              // the prompt describes the response format
	ChoiceInPrompt bool              // the prompt requires a call
	described      []constraint.Tool // the tools as the prompt describes them
	document       []byte            // response schema that only the prompt describes, otherwise nil
	Whole          bool              // the request must not be streamed, because native calls do not work in streams
}

// A Receiver is the target of a shaped request: a model in a mode.
type Receiver struct {
	ID           callwright.ModelID
	Caps         caps.Caps
	CapsExtended bool // Caps has more than the model's own capabilities
	Mode         caps.Mode
	Dialect      string
	Wording      string // name of the prompt wording in non-native modes, "" for the model's default
	Strict       callwright.StrictTools
	Constrain    caps.Truth // setting of WithConstraints
	Constrained  bool       // the last request had a decoding constraint
	Held         bool       // calls are always buffered until validated
	Transforms   *transformset.Set
	Marks        *dialect.Marks // table formats and the caller's own; nil means the table only
}

// A Shaper adapts requests to receivers.
type Shaper struct {
	Toolset    *judge.Toolset
	Ledger     *judge.Ledger
	Adapters   *adapter.Cache
	Grammars   *constraint.Cache
	Schemas    *schema.Cache             // for tools that a transform changes
	StrictJSON bool                      // stronger instruction in prompts that require JSON
	OverLimit  callwright.ToolsOverLimit // handling of more tools than the model accepts
	// Place returns the JSON pointer of a message part in the client's document, for notes. A negative part means the
	// message. If Place is nil, notes about the history have no path.
	Place func(message, part int) string
	// OnSend replaces the request's OnSend function unless it is nil.
	OnSend func(body []byte)
	// Asked receives the API key name and host that are used.
	Asked *companion.Target
	// HasFallback reports that another model is tried if this one fails.
	HasFallback bool
	// Signatures is the source of missing opaque state; nil if there is none.
	Signatures signature.Store
}

// Shape returns the request adapted to a receiver. It fixes the history and declares or describes the tools. It does
// not modify req.
func (f *Shaper) Shape(ctx context.Context, req *callwright.Request, to *Receiver) (*Shaped, error) {
	sh := new(Shaped)
	sh.Request = sh.own.Make(req, func(c *companion.Companion) { f.accompany(c, to) })
	out := sh.Request
	out.Model = to.ID
	if judge.ChangesNothing(f.Ledger.Policy) {
		if out.Cache != callwright.CacheOff {
			out.Cache = callwright.CacheClient
		}
		return sh, nil
	}
	turns := req.Summaries()
	if err := f.restore(ctx, out, turns); err != nil {
		return nil, err
	}
	f, turns, err := f.transform(sh, to, turns)
	if err != nil {
		return nil, err
	}
	var offered []int // indexes of the offered tools, nil for all
	if !f.Toolset.Search.Native(to.Mode, to.Caps) {
		of := *f
		if of.Toolset, offered, err = translate.LoadTools(out, f.Toolset, f.naming(sh, to), f.Ledger); err != nil {
			return nil, err
		}
		f, turns = &of, out.Summaries()
	}
	if changed, err := leaveOutImages(out, turns, to.Caps, f.Ledger); err != nil {
		return nil, err
	} else if changed {
		turns = out.Summaries()
	}
	limitParallel(&out.Params, to.Caps, len(f.Toolset.ByName) > 0, f.Ledger)
	native, ids := to.Mode == caps.Native, idRulesOf(req, to.Caps)
	if !fit(turns, to.Caps.History, ids, len(f.Toolset.ByName) > 0 || !native) {
		msgs, err := out.History()
		if err != nil {
			return nil, err
		}
		fixer := &historyFixer{h: to.Caps.History, rules: ids, l: f.Ledger, place: f.Place}
		out.Messages = fixer.fix(msgs)
	}
	if native {
		if err := shapeNative(sh, f, to, offered, turns); err != nil {
			return nil, err
		}
	} else if err := describeTools(sh, f, to, offered); err != nil {
		return nil, err
	}
	how := constraint.Conditions{Forced: sh.ChoiceInPrompt, Single: MaxCalls(req, to.Caps) == 1}
	format := func() (dialect.Format, bool) {
		return to.Marks.Lookup(DialectFor(caps.Text, to.Dialect, to.Marks, to.ID, to.Caps))
	}
	by := decoding.Receiver{Caps: &to.Caps, Mode: to.Mode, Asked: to.Constrain, Format: format, How: how, Document: sh.document}
	to.Constrained, sh.Sent.InText = decoding.Constrain(out, sh.described, by, f.Grammars, f.Ledger)
	allowEffort(&out.Params, to.Caps, f.Ledger)
	dropFields(out, to.Caps, f.Ledger)
	sh.Changed = sh.Changed || f.Ledger.Changed > 0
	return sh, nil
}

// restore adds opaque state that the client did not send back to the history.
func (f *Shaper) restore(ctx context.Context, out *callwright.Request, turns []callwright.Summary) error {
	if f.Signatures == nil || !f.Ledger.May(restore.Rule) {
		return nil
	}
	notes, err := restore.Signatures(ctx, f.Signatures, out, turns, out.Model)
	for _, n := range notes {
		f.Ledger.Add(n)
	}
	return err
}

// shapeNative adapts tool names, tool choice and parameters to the provider.
func shapeNative(sh *Shaped, f *Shaper, to *Receiver, offered []int, turns []callwright.Summary) error {
	out, s, l := sh.Request, f.Toolset, f.Ledger
	if limit := to.Caps.MaxTools; limit > 0 && len(s.ByName) > limit {
		within := translate.SelectWithin(limit, out.Params.Choice, s, offered, l)
		if f.OverLimit == callwright.ToolsError && len(within) < len(translate.SelectedTools(s.Tools, offered)) {
			l.Add(callwright.Note{Rule: "tools.refused", Stage: callwright.StageOutbound, Path: "/tools",
				Why: "the request declares more tools than the model accepts"})
			return callwright.Errorf("plan", callwright.KindInvalid, "/tools",
				"%d tools are declared, but %s accepts at most %d (tools_over_limit: error)",
				len(translate.SelectedTools(s.Tools, offered)), to.ID, limit)
		}
		offered = within
	}
	if err := f.translate(sh, to, offered); err != nil {
		return err
	}
	if err := translate.GiveSchemas(out, to.Caps, l); err != nil {
		return err
	}
	p := &out.Params
	tools := len(s.ByName) > 0 && (out.Tools == nil || len(out.Tools) > 0)
	if err := describeFormat(sh, f.answers(sh, to), to.Caps, tools, l); err != nil {
		return err
	}
	if !tools {
		if to.Caps.History.ToolsForCalls {
			return translate.DeclareStandIn(out, turns, l)
		}
		return nil
	}
	sh.Whole = to.Caps.StreamTools == caps.No && l.May("params.stream")
	withoutReasoning(p, to.Caps, l)
	askParallel(p, to.Caps, l)
	if p.Parallel != nil && to.Caps.ParallelField == caps.No {
		if !*p.Parallel {
			l.Add(callwright.Note{Rule: "parallel.emulated", Stage: callwright.StageOutbound})
			if err := addSystem(out, ChoiceSentence(callwright.Choice{}, true)); err != nil {
				return err
			}
		}
		p.Parallel = nil
	}
	if p.Choice.Mode == "" && len(p.Choice.Names) == 0 {
		return nil
	}
	if to.Caps.ChoiceField != caps.No && (!p.Choice.IsForced() || to.Caps.ChoiceForced != caps.No) {
		return nil
	}
	sh.ChoiceInPrompt = p.Choice.IsForced()
	return emulateChoice(out, to.Caps.History, l)
}

// translate translates the tool schemas and names for the receiver, in the definitions, the tool choice and the
// history. The translation of a tool does not depend on the selection of tools.
func (f *Shaper) translate(sh *Shaped, to *Receiver, offered []int) error {
	want := translate.WantFor(to.Caps, f.asker(sh, to))
	if to.Caps.RefusedTools != "" && !f.Ledger.May(translate.LeftOutRule) {
		want = want.WithAllSent()
	}
	tools := translate.ToolsFor(f.Toolset, want, f.Adapters)
	if tools.Left != nil {
		var err error
		if sh.Request.Params.Choice, err = tools.ChoiceWithout(sh.Request.Params.Choice, f.Toolset, to.ID); err != nil {
			return err
		}
		offered = tools.WithoutLeft(len(f.Toolset.Tools), offered)
		if tools.List == nil {
			f.Ledger.AddGraded(tools.Notes)
		}
	}
	if tools.List == nil {
		if sh.Sent.Undo = tools.Undo; offered != nil {
			sh.Request.Tools = translate.SelectedTools(f.Toolset.Tools, offered)
		}
		return nil
	}
	sh.Request.Tools, sh.Sent.Naming, sh.Sent.Undo = translate.SelectedTools(tools.List, offered), tools.Naming, tools.Undo
	f.Ledger.AddGraded(tools.Notes)
	return tools.Naming.Rename(sh.Request)
}

// accompany sets the internal data of a request for a receiver: extended capabilities, OnSend, Asked and HasFallback.
func (f *Shaper) accompany(c *companion.Companion, to *Receiver) {
	if to.CapsExtended {
		known := to.Caps
		c.Known = &known
	}
	if f.OnSend != nil {
		c.OnSend = f.OnSend
	}
	if f.Asked != nil {
		c.Asked = f.Asked
	}
	c.HasFallback = c.HasFallback || f.HasFallback
}

// naming returns the tool names for all tools that may ever be offered to the receiver without a native tool search.
func (f *Shaper) naming(sh *Shaped, to *Receiver) *judge.Naming {
	all := f.Toolset.OnlyOffered()
	switch {
	case to.Mode == caps.Native:
		return translate.ToolsFor(all, translate.WantFor(to.Caps, f.asker(sh, to)), f.Adapters).Naming
	case to.Mode.InDocument():
		return nil
	}
	format, _ := to.Marks.Lookup(to.Dialect)
	return translate.InText(all, format, to.Marks)
}

// asker returns the settings of the client's request that affect the translation of tools and response schemas.
func (f *Shaper) asker(sh *Shaped, to *Receiver) translate.Asker {
	return translate.Asker{Wire: companion.Of(sh.Request).Wire(), Strict: to.Strict, Held: to.Held, Off: !translate.May(f.Ledger)}
}

// answers returns the translation of response schemas for a receiver.
func (f *Shaper) answers(sh *Shaped, to *Receiver) translate.Answers {
	return translate.AnswersOf(to.Caps, f.asker(sh, to), f.Adapters)
}

// emulateChoice describes the tool choice in the prompt if the provider does not support it, and sends only the
// permitted tools. The response is checked against the choice.
func emulateChoice(out *callwright.Request, h caps.HistoryRules, l *judge.Ledger) error {
	choice := out.Params.Choice
	out.Params.Choice = callwright.Choice{}
	if choice.Mode == callwright.ChoiceAuto && len(choice.Names) == 0 {
		return nil
	}
	l.Add(callwright.Note{Rule: "choice.emulated", Stage: callwright.StageOutbound, Was: string(choice.Mode)})
	if choice.Mode == callwright.ChoiceNone {
		if !h.ToolsForCalls {
			out.Tools = []callwright.Tool{}
		}
		return addSystem(out, "Do not call any tool in this answer.")
	}
	tools, err := out.DeclaredTools()
	if err != nil {
		return err
	}
	if len(choice.Names) == 0 {
		choice.Names = translate.FewNames(tools)
	} else {
		out.Tools = slices.DeleteFunc(slices.Clone(tools), func(t callwright.Tool) bool {
			return t.Type != callwright.HostedTool && !slices.Contains(choice.Names, t.Name)
		})
	}
	if !choice.IsForced() {
		return nil
	}
	return addSystem(out, strings.TrimSpace(ChoiceSentence(choice, false)))
}

// addSystem appends a text to the first message if it is a system message. Otherwise it inserts a system message with
// the text at the start.
func addSystem(out *callwright.Request, text string) error {
	msgs, err := out.History()
	if err != nil {
		return err
	}
	text = strings.TrimSpace(text)
	if len(msgs) > 0 && msgs[0].Role == callwright.RoleSystem {
		first := msgs[0]
		first.Parts = slices.Clone(first.Parts)
		if n := len(first.Parts); n > 0 {
			text = "\n\n" + text
		}
		first.Parts = append(first.Parts, callwright.Text{Text: text})
		out.Messages = append([]callwright.Message{first}, msgs[1:]...)
		return nil
	}
	out.Messages = append([]callwright.Message{{Role: callwright.RoleSystem, Parts: []callwright.Part{callwright.Text{Text: text}}}}, msgs...)
	return nil
}
