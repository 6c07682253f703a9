package callwright

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
)

// convey puts the tools into the prompt, and calls and results of the history into text, for the modes that do not use the
// provider's own members.
func convey(sh *shaped, s *surface, g rung, o *options, l *ledger) error {
	out := sh.req
	choice := out.Params.Choice
	single := out.Params.Parallel != nil && !*out.Params.Parallel
	format, _ := dialect.Lookup(g.dialect)
	var instruction string
	switch g.mode {
	case caps.JSONSchema, caps.JSONObject:
		format, _ = dialect.Lookup("envelope")
		out.Params.Format = &Format{Name: "answer"}
		if g.mode == caps.JSONSchema {
			strict := false
			out.Params.Format.Schema, out.Params.Format.Strict = documentSchema(s, choice, single), &strict
		}
		instruction = documentInstruction(s, choice, single, o.strictJSON)
	default:
		instruction = format.RenderTools(offeredShapes(s, choice), renderOptions(choice, single))
	}
	msgs, err := out.History()
	if err != nil {
		return err
	}
	out.Messages = renderHistory(msgs, format, s, l)
	out.Tools = []Tool{}
	out.Params.Choice, out.Params.Parallel = Choice{}, nil
	if choice.Mode == None {
		out.Params.Format = nil
		return nil
	}
	l.add(Note{Rule: "tools.conveyed", Stage: StageOutbound, Now: string(g.mode) + " " + g.dialect})
	if sh.asked = choice.Forced(); sh.asked {
		l.add(Note{Rule: "choice.emulated", Stage: StageOutbound, Was: string(choice.Mode)})
	}
	return addSystem(out, instruction)
}

func renderOptions(c Choice, single bool) dialect.RenderOptions {
	var o dialect.RenderOptions
	switch {
	case c.Forced() && len(c.Names) == 1:
		o.Choice, o.Tool = dialect.OneTool, c.Names[0]
	case c.Forced():
		o.Choice = dialect.AnyTool
	}
	if single {
		o.Parallel = dialect.Single
	}
	return o
}

func offeredShapes(s *surface, c Choice) []dialect.Tool {
	return slices.DeleteFunc(slices.Clone(s.shapes), func(t dialect.Tool) bool { return !offered(c, t.Name) })
}

// renderHistory writes the calls and results of a history as text in one format. Turns of the user that follow one another
// are joined, since results become turns of the user.
func renderHistory(msgs []Message, f dialect.Format, s *surface, l *ledger) []Message {
	out := make([]Message, 0, len(msgs))
	rendered := 0
	names := map[string]string{} // of the tools called, by the id of the call: results need not say it
	for _, m := range msgs {
		msg := m
		switch {
		case m.Role == Assistant:
			if calls := CallsOf(m.Parts); len(calls) > 0 {
				for _, c := range calls {
					names[c.ID] = c.Name
				}
				msg = renderAssistant(m, calls, f)
				rendered += len(calls)
			}
		case m.Role == RoleTool || hasResult(m.Parts):
			msg = renderResults(m, f, names)
		}
		if n := len(out); n > 0 && msg.Role == User && out[n-1].Role == User {
			out[n-1] = joinMessages(out[n-1], msg)
			continue
		}
		out = append(out, msg)
	}
	if rendered > 0 {
		l.add(Note{Rule: "history.rendered", Stage: StageOutbound, Now: itoa(rendered) + " calls as " + f.Name})
	}
	return out
}

func hasResult(parts []Part) bool {
	return slices.ContainsFunc(parts, func(p Part) bool { _, ok := p.(Result); return ok })
}

func renderAssistant(m Message, calls []Call, f dialect.Format) Message {
	var parts []Part
	text := strings.TrimSpace(TextOf(m.Parts))
	for _, p := range m.Parts {
		switch p.(type) {
		case Text, Call:
		default:
			parts = append(parts, p)
		}
	}
	rendered := make([]dialect.RenderedCall, len(calls))
	for i, c := range calls {
		args := []byte(c.Arguments)
		if c.Type == Custom {
			args = customArguments(c.Input)
		}
		rendered[i] = dialect.RenderedCall{Name: c.Name, ID: c.ID, Arguments: args}
	}
	if text != "" {
		text += "\n"
	}
	return Message{Role: Assistant, Parts: append(parts, Text{Text: text + f.RenderCalls(rendered)})}
}

// renderResults writes results as a turn of the user; pictures and files stay parts of it.
func renderResults(m Message, f dialect.Format, names map[string]string) Message {
	var results []dialect.RenderedResult
	var rest []Part
	for _, p := range m.Parts {
		res, ok := p.(Result)
		if !ok {
			rest = append(rest, p)
			continue
		}
		if res.Name == "" {
			res.Name = names[res.CallID]
		}
		results = append(results, dialect.RenderedResult{Name: res.Name, ID: res.CallID, Text: TextOf(res.Parts), IsError: res.IsError})
		for _, inner := range res.Parts {
			if _, text := inner.(Text); !text {
				rest = append(rest, inner)
			}
		}
	}
	return Message{Role: User, Parts: append([]Part{Text{Text: f.RenderResults(results)}}, rest...)}
}
