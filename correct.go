package callwright

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
)

func customArguments(input string) json.RawMessage {
	return append(jsonx.AppendQuote([]byte(`{"input":`), input), '}')
}

// correction is the request that asks again: the conversation so far, what the model wrote, and what is wrong with it.
func (r *run) correction(g rung, req *Request, a *answer, ask string) (*Request, error) {
	msgs, err := req.History()
	if err != nil {
		return nil, err
	}
	next := *req
	next.Messages = slices.Clone(msgs)
	switch {
	case a.end.Finish == FinishMalformedCall && len(a.invalid) == 0 && len(r.s.byName) == 0:
		next.Messages = append(next.Messages, said(a), asUser("There is no tool to call. Answer in text."))
	case a.end.Finish == FinishMalformedCall && len(a.invalid) == 0:
		next.Messages = append(next.Messages, said(a), asUser("Your tool call could not be read. Write the call again, or answer in text."))
	case ask == askForm:
		next.Messages = append(next.Messages, said(a), asUser("Give this answer as the JSON object that was asked for."))
		next.Tools, next.Params.Choice, next.Params.Parallel = []Tool{}, Choice{}, nil
	case ask == askEmpty && r.corrections == 1:
		return req, nil // an empty turn is often chance
	case ask == askMore, ask == askEmpty:
		next.Messages = append(next.Messages, said(a), asUser("Go on. Give your answer, or call a tool."))
	case len(a.invalid) == 0:
		next.Messages = append(next.Messages, said(a), asUser("No tool was called. "+strings.TrimSpace(choiceSentence(req.Params.Choice, false))))
	case g.mode == caps.Native && r.allDeclared(a.invalid):
		next.Messages = append(next.Messages, r.nativeCorrection(a)...)
	default:
		next.Messages = append(next.Messages, said(a), asUser(violationText(a.invalid)))
	}
	return &next, nil
}

func asUser(text string) Message { return Message{Role: User, Parts: []Part{Text{Text: text}}} }

// said is what the model wrote, as a turn: its text and the raw text of the calls that cannot be run.
func said(a *answer) Message {
	text := strings.TrimSpace(a.visible.String())
	if raw := joinRaw(a.invalid); raw != "" {
		text = strings.TrimSpace(text + "\n" + raw)
	}
	if text == "" {
		text = "(no answer)"
	}
	return Message{Role: Assistant, Parts: []Part{Text{Text: text}}}
}

func (r *run) allDeclared(invalid []InvalidCall) bool {
	return !slices.ContainsFunc(invalid, func(c InvalidCall) bool {
		_, _, ok := r.s.declared(c.Name)
		return !ok
	})
}

// nativeCorrection is a turn with the broken calls and one with a result for each that says what is wrong. Arguments that
// are no object are shown in the result in place of the call.
func (r *run) nativeCorrection(a *answer) []Message {
	turn := Message{Role: Assistant}
	if text := strings.TrimSpace(a.visible.String()); text != "" {
		turn.Parts = append(turn.Parts, Text{Text: text})
	}
	results := Message{Role: RoleTool}
	for _, c := range a.invalid {
		tg, _, _ := r.s.declared(c.Name)
		args, shown := json.RawMessage(c.Raw), ""
		if !isObject(args) {
			args, shown = emptyArguments, "\nYou wrote: "+c.Raw
		}
		id := r.o.newID("call_")
		turn.Parts = append(turn.Parts, Call{ID: id, Name: tg.tool.Name, Arguments: args})
		results.Parts = append(results.Parts, Result{CallID: id, Name: tg.tool.Name, IsError: true, Parts: []Part{
			Text{Text: violationText([]InvalidCall{c}) + shown},
		}})
	}
	return []Message{turn, results}
}

// violationText says in words what is wrong with calls and what is wanted.
func violationText(invalid []InvalidCall) string {
	var b strings.Builder
	for _, c := range invalid {
		b.WriteString("The call of " + c.Name + " was not executed:\n")
		for i, v := range c.Violations {
			if i == 10 {
				b.WriteString("- and " + itoa(len(c.Violations)-i) + " more\n")
				break
			}
			b.WriteString("- ")
			if v.Path != "" && !strings.Contains(v.Message, v.Path) {
				b.WriteString(v.Path + ": ")
			}
			b.WriteString(v.Message + "\n")
		}
	}
	b.WriteString("Write the call again, complete and corrected.")
	return b.String()
}
