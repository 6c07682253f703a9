package correction

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// Nothing returns the error message for an answer that is still empty after all corrections by a rule.
func Nothing(rule string) string {
	if rule == RuleSearched {
		return "the model searched for tools again and again and called none"
	}
	return "the model gave an empty answer: neither text nor a call"
}

// Note returns the note about a correction: the model is asked again by a rule.
func Note(rule string, out *inbound.Outcome) callwright.Note {
	n := callwright.Note{Rule: rule, Stage: callwright.StageCorrect, Was: joinRaw(out.Invalid, "")}.Classify()
	switch {
	case out.End.Finish == callwright.FinishMalformedCall:
		n.Fault = "F14"
	case rule == RuleInvalid && len(out.Invalid) == 0: // a call is required and none came
		n.Fault = "F41"
	}
	return n
}

// A Correction has the data for the correction of an answer, beside the outcome of the answer.
type Correction struct {
	Toolset *judge.Toolset
	Mint    func(prefix string) string // makes ids for the calls that are shown to the model
	Mode    caps.Mode                  // the mode of the request that was answered
	Next    caps.Mode                  // the mode of the request that asks again
	Rule    string                     // the rule by which it is asked again
	// FormInPrompt says that the prompt describes the form of the answer.
	FormInPrompt bool
	// Marked says that the model is shown its own arguments with the broken places marked.
	Marked bool
}

// Request returns the request that asks the model again. It has the conversation so far, the answer of the model and
// its errors. req does not change.
func (c Correction) Request(req *callwright.Request, out *inbound.Outcome) (*callwright.Request, error) {
	msgs, err := req.History()
	if err != nil {
		return nil, err
	}
	next := *req
	next.Messages = slices.Clone(msgs)
	switch {
	case out.End.Finish == callwright.FinishMalformedCall && len(out.Invalid) == 0 && len(c.Toolset.ByName) == 0:
		next.Messages = append(next.Messages, makeModelTurn(out), callwright.UserText("There is no tool to call. Answer in text."))
	case out.End.Finish == callwright.FinishMalformedCall && len(out.Invalid) == 0:
		next.Messages = append(next.Messages, makeModelTurn(out),
			callwright.UserText("Your tool call could not be read. Write the call again, or answer in text."))
	case c.Rule == RuleWrongForm:
		text := "Give this answer as the JSON object that was asked for."
		if !c.FormInPrompt { // the model may not have been told of its schema
			text += outbound.SchemaSentence(req.Params.Format)
		}
		next.Messages = append(next.Messages, makeModelTurn(out), callwright.UserText(text))
		if c.Next == caps.Native { // elsewhere the form is asked for in words either way
			next.Tools, next.Params.Choice, next.Params.Parallel = []callwright.Tool{}, callwright.Choice{}, nil
		}
	case c.Rule == RuleEmpty && out.Forbidden > 0:
		next.Messages = append(next.Messages, makeModelTurn(out), callwright.UserText(forbiddenText(c.Toolset.Naming.Choice(req.Params.Choice))))
	case c.Rule == RuleMoreWork, c.Rule == RuleEmpty:
		next.Messages = append(next.Messages, makeModelTurn(out), callwright.UserText(c.goOnText(req)))
	case len(out.Invalid) == 0:
		next.Messages = append(next.Messages, makeModelTurn(out),
			callwright.UserText("No tool was called. "+
				strings.TrimSpace(outbound.ChoiceSentence(c.Toolset.Naming.Choice(req.Params.Choice), false))))
	case (c.Mode == caps.Native || c.Next == caps.Native) && c.allDeclared(out.Invalid):
		next.Messages = append(next.Messages, c.failedResults(out)...)
	default:
		turn := makeModelTurn(out)
		taken, results := acceptCalls(out)
		turn.Parts = append(append(turn.Parts, out.Delivered.Searches...), taken...)
		if next.Messages = append(next.Messages, turn); len(results) > 0 {
			next.Messages = append(next.Messages, callwright.Message{Role: callwright.RoleTool, Parts: results})
		}
		next.Messages = append(next.Messages, callwright.UserText(c.violationText(out.Invalid, req.Params.Choice.IsForced())))
	}
	return &next, nil
}

// goOnText asks for the rest of an answer, and speaks of tools where they may be called.
func (c Correction) goOnText(req *callwright.Request) string {
	if len(c.Toolset.ByName) == 0 || req.Params.Choice.Mode == callwright.ChoiceNone {
		return "Go on. Give your answer."
	}
	return "Go on. Give your answer, or call a tool."
}

// forbiddenText returns a sentence with the calls that the request allows.
func forbiddenText(choice callwright.Choice) string {
	if choice.Mode == callwright.ChoiceNone || len(choice.Names) == 0 {
		return "No tool may be called here. Answer in text."
	}
	return "Only these tools may be called here: " + strings.Join(choice.Names, ", ") + ". Call one of them, or answer in text."
}

// makeModelTurn returns the answer of the model as an assistant turn: its text and the raw text of the calls that
// cannot be run.
func makeModelTurn(out *inbound.Outcome) callwright.Message {
	text := strings.TrimSpace(out.Visible.String())
	if raw := joinRaw(out.Invalid, text); raw != "" {
		text = strings.TrimSpace(text + "\n" + raw)
	}
	if text == "" {
		text = "(no answer)"
	}
	return callwright.AssistantText(text)
}

func (c Correction) allDeclared(invalid []callwright.InvalidCall) bool {
	return !slices.ContainsFunc(invalid, func(call callwright.InvalidCall) bool {
		_, _, ok := c.Toolset.ResolveTool(call.Name)
		return !ok
	})
}

// failedResults returns an assistant turn with the calls of an answer, and a turn with their results. The result of a
// valid call says that the call is accepted, that of an invalid call has its errors. Arguments that are no object stand
// in the result and not in the call.
func (c Correction) failedResults(out *inbound.Outcome) []callwright.Message {
	turn := callwright.Message{Role: callwright.RoleAssistant}
	if text := strings.TrimSpace(out.Visible.String()); text != "" {
		turn.Parts = append(turn.Parts, callwright.Text{Text: text})
	}
	taken, results := acceptCalls(out)
	turn.Parts = append(append(turn.Parts, out.Delivered.Searches...), taken...)
	for _, call := range out.Invalid {
		tg, _, _ := c.Toolset.ResolveTool(call.Name)
		args, shown := json.RawMessage(call.Raw), ""
		if in, isCall := argumentsOf(args, call.Name, c.Toolset.Naming.SentName(call.Name)); isCall && jsonx.ValidObject(args) {
			args = in
		}
		if !jsonx.ValidObject(args) {
			args, shown = judge.EmptyArguments, "\nYou wrote: "+call.Raw
		}
		id := c.Mint("call_")
		again := callwright.Call{ID: id, Name: tg.Tool.Name, Type: tg.Tool.Type, Arguments: args}
		if again.Type == callwright.CustomTool {
			again.Arguments = nil
			again.Input, shown = freeText(&call)
		}
		turn.Parts = append(turn.Parts, again)
		results = append(results, callwright.Result{CallID: id, Name: tg.Tool.Name, Type: again.Type, IsError: true, Parts: []callwright.Part{
			callwright.Text{Text: c.violationText([]callwright.InvalidCall{call}, false) + shown},
		}})
	}
	return []callwright.Message{turn, {Role: callwright.RoleTool, Parts: results}}
}

// freeText returns the input of a refused call of a custom tool in the form that its model knows. Where the call has no
// such input, input is "" and shown is the raw text of the call for the result. The call that is sent is written in the
// form of the receiver.
func freeText(call *callwright.InvalidCall) (input, shown string) {
	if call.Type == callwright.CustomTool {
		return call.Raw, ""
	}
	if input, ok := judge.OwnInput(call.Raw); ok {
		return input, ""
	}
	return "", "\nYou wrote: " + call.Raw
}

// Message describes the faults of the call of a verdict to the model: as the result of the call, or as a message of the
// user for a call without id. It is empty for a verdict that is OK. names are those that the model knows.
func Message(v callwright.Verdict, names *judge.Naming) callwright.Message {
	if v.OK {
		return callwright.Message{}
	}
	text := (&Correction{Toolset: &judge.Toolset{Naming: names}}).violationText([]callwright.InvalidCall{v.Invalid}, false)
	if v.Invalid.ID == "" {
		return callwright.UserText(text)
	}
	return callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{
		CallID: v.Invalid.ID, Name: v.Invalid.Name, IsError: true, Parts: []callwright.Part{callwright.Text{Text: text}},
	}}}
}

// violationText describes the faults of calls and the expected form. names are those that the model knows. forced says
// that a call is required.
func (c *Correction) violationText(invalid []callwright.InvalidCall, forced bool) string {
	var b strings.Builder
	cut, undeclared, refused := false, true, true
	for i := range invalid {
		call := &invalid[i]
		refused = refused && call.Why == callcheck.InvalidRefused
		cut, undeclared = cut || call.Why == callwright.InvalidTruncated, undeclared && call.Why == callwright.InvalidUndeclared
		b.WriteString("The call of " + c.Toolset.Naming.SentName(call.Name) + " was not executed:\n")
		writeViolations(&b, call.Violations)
		if c.Marked {
			if excerpt := Excerpt(call); excerpt != "" {
				b.WriteString("Your arguments, each broken place between " + openMark + " and " + closeMark + ":\n" + excerpt + "\n")
			}
		}
	}
	switch { // a model that is told to write the call again writes that of an undeclared tool again
	case undeclared && forced:
		b.WriteString("Call one of these tools.")
	case refused && forced:
		b.WriteString("Do not make this call again. Call a tool in another way.")
	case refused:
		b.WriteString("Do not make this call again. Go on in another way, or answer in text and say that it was refused.")
	case undeclared:
		b.WriteString("Call one of these tools, or answer in text if none of them fits.")
	default:
		b.WriteString("Write the call again, complete and corrected.")
	}
	if cut { // at the same limit the same call would be cut again
		b.WriteString(" If it was too long for one answer, make several shorter calls one after another.")
	}
	return b.String()
}

// writeViolations writes each violation with its place, the first ten of many.
func writeViolations(b *strings.Builder, violations []callwright.Violation) {
	for i, v := range violations {
		if i == 10 {
			b.WriteString("- and " + decimal(len(violations)-i) + " more\n")
			break
		}
		b.WriteString("- ")
		if v.Path != "" && !strings.Contains(v.Message, v.Path) {
			b.WriteString(v.Path + ": ")
		}
		b.WriteString(v.Message + "\n")
	}
}

func decimal(n int) string { return strconv.Itoa(n) }

// joinRaw joins the raw texts of calls that cannot be run and do not stand in text, a line each.
func joinRaw(invalid []callwright.InvalidCall, text string) string {
	var b strings.Builder
	for _, c := range invalid {
		if text != "" && strings.Contains(text, strings.TrimSpace(c.Raw)) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(c.Raw)
	}
	return b.String()
}

// acceptedText is the result that a correction shows for a call that needs none.
const acceptedText = "This call was accepted. Its result follows later: do not make it again."

// acceptCalls are the good calls of an answer that has to be corrected, and results that keep its model from making
// them again.
func acceptCalls(out *inbound.Outcome) (calls, results []callwright.Part) {
	for _, c := range out.Good {
		calls = append(calls, c)
		results = append(results, callwright.Result{CallID: c.ID, Name: c.Name, Type: c.Type,
			Parts: []callwright.Part{callwright.Text{Text: acceptedText}}})
	}
	return calls, results
}
