package outbound

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/prompt"
	"github.com/callwright/callwright/reliable/internal/decoding"
	"github.com/callwright/callwright/reliable/internal/documentschema"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/translate"
)

// describeTools describes the tools in the prompt and renders the calls and results of the history as text, for
// non-native modes. sent has the indexes of the tools to describe; nil means all.
func describeTools(sh *Shaped, f *Shaper, g *Receiver, sent []int) error {
	out, l := sh.Request, f.Ledger
	s := f.Toolset
	if sent != nil {
		s = s.Only(translate.SelectedTools(s.Tools, sent))
	}
	s = translate.CallableTools(s, l)
	choice, wanted := out.Params.Choice, out.Params.Format
	single := out.Params.Parallel != nil && !*out.Params.Parallel
	format, _ := g.Marks.Lookup(g.Dialect)
	var instruction, words, wording string
	var err error
	if g.Mode.InDocument() {
		format, _ = dialect.Lookup("envelope")
		document := f.describeDocument(sh, s, g)
		words, wording, sh.Sent.Asked = document.Title(), document.Name, []string{"document"}
		instruction = documentInstruction(document, s, choice, single, f.StrictJSON || g.Caps.StrictJSON == caps.Yes)
	} else {
		out.Params.Format = nil // it would exclude calls
		if choice, err = f.nameInText(sh, s, format, g); err != nil {
			return err
		}
		o := renderOptions(g, choice, single)
		text := prompt.TextFor(o.Wording, format.Name, o.Model)
		words, wording, sh.Sent.Asked = text.Title(), text.Name, append(strings.Fields(text.AlsoParses), format.Name)
		instruction = format.RenderTools(offeredShapes(s, sh.Sent.Naming, choice), o)
		sh.described = decoding.DescribeTools(s, sh.Sent.Naming, choice)
	}
	if g.Wording != "" && g.Wording != wording {
		return &callwright.Error{Kind: callwright.KindInvalid,
			Message: fmt.Sprintf("the mode %s of this model has no wording %q", g.Mode, g.Wording)}
	}
	msgs, err := out.History()
	if err != nil {
		return err
	}
	out.Messages = renderHistory(msgs, format, s, l)
	out.Tools = []callwright.Tool{}
	out.Params.Choice, out.Params.Parallel = callwright.Choice{}, nil
	if choice.Mode == callwright.ChoiceNone {
		out.Params.Format = wanted
		return describeFormat(sh, f.answers(sh, g), g.Caps, false, l)
	}
	if g.Caps.Tools == caps.No {
		l.Add(callwright.Note{Rule: "plan.no_tools", Stage: callwright.StagePlan})
	}
	l.Add(callwright.Note{Rule: "tools.conveyed", Stage: callwright.StageOutbound,
		Now: strings.TrimSpace(string(g.Mode) + " " + g.Dialect), Why: "in the wording " + words})
	if sh.ChoiceInPrompt = choice.IsForced(); sh.ChoiceInPrompt {
		l.Add(callwright.Note{Rule: "choice.emulated", Stage: callwright.StageOutbound, Was: string(choice.Mode)})
	} else if wanted != nil {
		l.Add(callwright.Note{Rule: "format.emulated", Stage: callwright.StageOutbound})
		where := alone
		if g.Mode.InDocument() {
			where = asMember
		}
		instruction, sh.FormInPrompt = instruction+"\n"+formatSentence(wanted, where), true
	}
	return addSystem(out, instruction)
}

// describeDocument requests a JSON document as the response. It returns the prompt wording that describes the
// document.
func (f *Shaper) describeDocument(sh *Shaped, s *judge.Toolset, g *Receiver) *prompt.Document {
	out, document := sh.Request, prompt.DocumentFor(g.Wording)
	out.Params.Format = &callwright.AnswerFormat{Name: "answer"}
	if g.Mode == caps.JSONSchema {
		return f.putDocument(sh, s, MaxCalls(out, g.Caps), g, document)
	}
	if g.Caps.Constraint != "" && out.Params.Choice.Mode != callwright.ChoiceNone {
		sh.document = documentschema.Of(document, s, out.Params.Choice, MaxCalls(out, g.Caps), documentschema.Apart)
	}
	return document
}

func renderOptions(g *Receiver, c callwright.Choice, single bool) dialect.RenderOptions {
	_, model := g.ID.Split()
	o := dialect.RenderOptions{Model: model, Wording: g.Wording}
	switch {
	case c.IsForced() && len(c.Names) == 1:
		o.Choice, o.Tool = dialect.OneTool, c.Names[0]
	case c.IsForced():
		o.Choice = dialect.AnyTool
	}
	if single {
		o.Parallel = dialect.Single
	}
	return o
}

// nameInText renames tools whose names the text format cannot represent, in the history and the tool choice. It
// returns the tool choice. The names do not depend on the selection of tools.
func (f *Shaper) nameInText(sh *Shaped, s *judge.Toolset, format dialect.Format, g *Receiver) (callwright.Choice, error) {
	sh.Sent.Naming = translate.InText(f.Toolset, format, g.Marks)
	f.Ledger.AddGraded(translate.RenameTools(slices.Clone(s.Tools), sh.Sent.Naming))
	err := sh.Sent.Naming.Rename(sh.Request)
	return sh.Request.Params.Choice, err
}

// offeredShapes returns the tools that the choice c permits, with sent names.
func offeredShapes(s *judge.Toolset, names *judge.Naming, c callwright.Choice) []dialect.Tool {
	var out []dialect.Tool
	for _, t := range s.Shapes {
		t.Name = names.SentName(t.Name)
		if c.Allows(t.Name) {
			out = append(out, t)
		}
	}
	return out
}

// renderHistory renders the calls and results of the history in a text format. Results become user messages, and
// consecutive user messages are joined.
func renderHistory(msgs []callwright.Message, f dialect.Format, s *judge.Toolset, l *judge.Ledger) []callwright.Message {
	out := make([]callwright.Message, 0, len(msgs))
	rendered := 0
	names := map[string]string{} // tool names by call ID, because results may lack them
	for _, m := range msgs {
		msg := m
		switch {
		case m.Role == callwright.RoleAssistant:
			if calls := callwright.CallsOf(m.Parts); len(calls) > 0 {
				for _, c := range calls {
					names[c.ID] = c.Name
				}
				msg = renderAssistant(m, calls, f)
				rendered += len(calls)
			}
		case m.Role == callwright.RoleTool || hasResult(m.Parts):
			msg = renderResults(m, f, names)
		}
		if n := len(out); n > 0 && msg.Role == callwright.RoleUser && out[n-1].Role == callwright.RoleUser {
			out[n-1] = joinMessages(out[n-1], msg)
			continue
		}
		out = append(out, msg)
	}
	if rendered > 0 {
		l.Add(callwright.Note{Rule: "history.rendered", Stage: callwright.StageOutbound, Now: f.Name, Why: "calls: " + strconv.Itoa(rendered)})
	}
	return out
}

func hasResult(parts []callwright.Part) bool {
	return slices.ContainsFunc(parts, func(p callwright.Part) bool { _, ok := p.(callwright.Result); return ok })
}

func renderAssistant(m callwright.Message, calls []callwright.Call, f dialect.Format) callwright.Message {
	var parts []callwright.Part
	text := strings.TrimSpace(callwright.TextOf(m.Parts))
	for _, p := range m.Parts {
		switch p.(type) {
		case callwright.Text, callwright.Call:
		default:
			parts = append(parts, p)
		}
	}
	rendered := make([]dialect.RenderedCall, len(calls))
	for i, c := range calls {
		args := []byte(c.Arguments)
		if c.Type == callwright.CustomTool {
			args = customArguments(c.Input)
		}
		rendered[i] = dialect.RenderedCall{Name: c.Name, ID: c.ID, Arguments: args}
	}
	if text != "" {
		text += "\n"
	}
	return callwright.Message{Role: callwright.RoleAssistant, Parts: append(parts, callwright.Text{Text: text + f.RenderCalls(rendered)})}
}

// renderResults renders results as a user message. Images and files stay parts of it.
func renderResults(m callwright.Message, f dialect.Format, names map[string]string) callwright.Message {
	var results []dialect.RenderedResult
	var rest []callwright.Part
	for _, p := range m.Parts {
		res, ok := p.(callwright.Result)
		if !ok {
			rest = append(rest, p)
			continue
		}
		if res.Name == "" {
			res.Name = names[res.CallID]
		}
		results = append(results, dialect.RenderedResult{Name: res.Name, ID: res.CallID, Text: res.Text(), IsError: res.IsError})
		for _, inner := range res.Parts {
			if _, text := inner.(callwright.Text); !text {
				rest = append(rest, inner)
			}
		}
	}
	return callwright.Message{Role: callwright.RoleUser,
		Parts: append([]callwright.Part{callwright.Text{Text: f.RenderResults(results)}}, rest...)}
}

func customArguments(input string) json.RawMessage {
	return append(jsonx.AppendQuote([]byte(`{"input":`), input), '}')
}

// DialectFor returns the text format for modes text and parsed: the configured one, otherwise that of the model's
// family, otherwise hermes. For other modes it returns "".
func DialectFor(mode caps.Mode, configured string, own *dialect.Marks, id callwright.ModelID, c caps.Caps) string {
	if mode != caps.Text && mode != caps.Parsed {
		return ""
	}
	_, name := id.Split()
	for _, d := range []string{configured, c.Dialect} {
		if f, ok := own.Lookup(d); ok && f.Renders() {
			return d
		}
	}
	return dialect.ForModel(name)
}
