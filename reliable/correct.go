package reliable

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// correction is the request that asks again: the conversation so far, what the model wrote, and what is wrong with it.
func (r *run) correction(g rung, req *callwright.Request, a *inbound.Answer, ask string) (*callwright.Request, error) {
	msgs, err := req.History()
	if err != nil {
		return nil, err
	}
	next := *req
	next.Messages = slices.Clone(msgs)
	switch {
	case a.End.Finish == callwright.FinishMalformedCall && len(a.Invalid) == 0 && len(r.s.ByName) == 0:
		next.Messages = append(next.Messages, said(a), callwright.UserText("There is no tool to call. Answer in text."))
	case a.End.Finish == callwright.FinishMalformedCall && len(a.Invalid) == 0:
		next.Messages = append(next.Messages, said(a), callwright.UserText("Your tool call could not be read. Write the call again, or answer in text."))
	case ask == askForm:
		next.Messages = append(next.Messages, said(a), callwright.UserText("Give this answer as the JSON object that was asked for."))
		next.Tools, next.Params.Choice, next.Params.Parallel = []callwright.Tool{}, callwright.Choice{}, nil
	case ask == askEmpty && r.corrections == 1:
		return req, nil // an empty turn is often chance
	case ask == askMore, ask == askEmpty:
		next.Messages = append(next.Messages, said(a), callwright.UserText("Go on. Give your answer, or call a tool."))
	case len(a.Invalid) == 0:
		next.Messages = append(next.Messages, said(a), callwright.UserText("No tool was called. "+strings.TrimSpace(outbound.ChoiceSentence(req.Params.Choice, false))))
	case g.Mode == caps.Native && r.allDeclared(a.Invalid):
		next.Messages = append(next.Messages, r.nativeCorrection(a)...)
	default:
		next.Messages = append(next.Messages, said(a), callwright.UserText(violationText(a.Invalid)))
	}
	return &next, nil
}

// said is what the model wrote, as a turn: its text and the raw text of the calls that cannot be run.
func said(a *inbound.Answer) callwright.Message {
	text := strings.TrimSpace(a.Visible.String())
	if raw := joinRaw(a.Invalid); raw != "" {
		text = strings.TrimSpace(text + "\n" + raw)
	}
	if text == "" {
		text = "(no answer)"
	}
	return callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Text{Text: text}}}
}

func (r *run) allDeclared(invalid []callwright.InvalidCall) bool {
	return !slices.ContainsFunc(invalid, func(c callwright.InvalidCall) bool {
		_, _, ok := r.s.Declared(c.Name)
		return !ok
	})
}

// nativeCorrection is a turn with the broken calls and one with a result for each that says what is wrong. Arguments that
// are no object are shown in the result in place of the call.
func (r *run) nativeCorrection(a *inbound.Answer) []callwright.Message {
	turn := callwright.Message{Role: callwright.RoleAssistant}
	if text := strings.TrimSpace(a.Visible.String()); text != "" {
		turn.Parts = append(turn.Parts, callwright.Text{Text: text})
	}
	results := callwright.Message{Role: callwright.RoleTool}
	for _, c := range a.Invalid {
		tg, _, _ := r.s.Declared(c.Name)
		args, shown := json.RawMessage(c.Raw), ""
		if !jsonx.ValidObject(args) {
			args, shown = judge.EmptyArguments, "\nYou wrote: "+c.Raw
		}
		id := r.o.newID("call_")
		turn.Parts = append(turn.Parts, callwright.Call{ID: id, Name: tg.Tool.Name, Arguments: args})
		results.Parts = append(results.Parts, callwright.Result{CallID: id, Name: tg.Tool.Name, IsError: true, Parts: []callwright.Part{
			callwright.Text{Text: violationText([]callwright.InvalidCall{c}) + shown},
		}})
	}
	return []callwright.Message{turn, results}
}

// violationText says in words what is wrong with calls and what is wanted.
func violationText(invalid []callwright.InvalidCall) string {
	var b strings.Builder
	for _, c := range invalid {
		b.WriteString("The call of " + c.Name + " was not executed:\n")
		for i, v := range c.Violations {
			if i == 10 {
				b.WriteString("- and " + strconv.Itoa(len(c.Violations)-i) + " more\n")
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

// joinRaw bounds and joins the raw texts of calls that cannot be run, as they go back to the model.
func joinRaw(invalid []callwright.InvalidCall) string {
	var b bytes.Buffer
	for i, c := range invalid {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(c.Raw)
	}
	return b.String()
}
