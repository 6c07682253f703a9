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

// EmptyResponseMessage returns the error message for a response that is still empty after all corrections by a rule.
func EmptyResponseMessage(rule string) string {
	if rule == RuleSearched {
		return "the model searched for tools again and again and called none"
	}
	return "the model gave an empty answer: neither text nor a call"
}

// Note returns the note about a self-correction request by the given rule.
func Note(rule string, out *inbound.Outcome) callwright.Note {
	n := callwright.Note{Rule: rule, Stage: callwright.StageCorrect, Was: joinRaw(out.Invalid, "")}.Classify()
	switch {
	case out.End.Finish == callwright.FinishMalformedCall:
		n.Fault = "F14"
	case rule == RuleInvalid && len(out.Invalid) == 0: // a call is required and the model made none
		n.Fault = "F41"
	}
	return n
}

// A Correction has the settings for writing a self-correction request.
type Correction struct {
	Toolset *judge.Toolset
	Mint    func(prefix string) string // makes IDs for calls in the request
	Mode    caps.Mode                  // mode of the failed request
	Next    caps.Mode                  // mode of the self-correction request
	Rule    string                     // rule of the correction, see RuleInvalid
	// FormInPrompt reports that the prompt describes the response format.
	FormInPrompt bool
	// Marked reports that the request shows the model's arguments with the errors marked.
	Marked bool
}

// Request returns the self-correction request: the conversation of req, the model's response and its errors. It does
// not modify req.
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
		if !c.FormInPrompt { // the model may not have received the schema
			text += outbound.SchemaSentence(req.Params.Format)
		}
		next.Messages = append(next.Messages, makeModelTurn(out), callwright.UserText(text))
		if c.Next == caps.Native { // in other modes the prompt always describes the format
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

// goOnText returns the prompt to continue a response. It mentions tools if they may be called.
func (c Correction) goOnText(req *callwright.Request) string {
	if len(c.Toolset.ByName) == 0 || req.Params.Choice.Mode == callwright.ChoiceNone {
		return "Go on. Give your answer."
	}
	return "Go on. Give your answer, or call a tool."
}

// forbiddenText returns a sentence about which tools the tool choice permits.
func forbiddenText(choice callwright.Choice) string {
	if choice.Mode == callwright.ChoiceNone || len(choice.Names) == 0 {
		return "No tool may be called here. Answer in text."
	}
	return "Only these tools may be called here: " + strings.Join(choice.Names, ", ") + ". Call one of them, or answer in text."
}

// makeModelTurn returns the response as an assistant message: its text and the raw text of its invalid calls.
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

// failedResults returns an assistant message with the calls of a response, and a message with their results. The
// result of a valid call says that it was accepted. The result of an invalid call has its errors. Arguments that are
// not a JSON object are in the result instead of the call.
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

// freeText returns the input of a rejected custom-tool call. If the call has no input in the expected form, input is
// "" and shown quotes the raw text for the result.
func freeText(call *callwright.InvalidCall) (input, shown string) {
	if call.Type == callwright.CustomTool {
		return call.Raw, ""
	}
	if input, ok := judge.OwnInput(call.Raw); ok {
		return input, ""
	}
	return "", "\nYou wrote: " + call.Raw
}

// Message returns a message to the model with the violations of the invalid call in v: a tool result, or a user message
// for a call without ID. It is empty for a valid call. names maps declared tool names to the names sent to the model.
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

// violationText describes the violations of the calls and the expected form. forced reports that a call is required.
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
	switch { // "write the call again" would make a model repeat a call of an undeclared tool
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
	if cut { // with the same output limit the same call would be truncated again
		b.WriteString(" If it was too long for one answer, make several shorter calls one after another.")
	}
	return b.String()
}

// writeViolations writes the path and message of the first ten violations.
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

// joinRaw returns the raw texts of the invalid calls that text does not contain, one on each line.
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

// acceptedText is the tool result for a valid call in a self-correction request.
const acceptedText = "This call was accepted. Its result follows later: do not make it again."

// acceptCalls returns the valid calls of a response, and results for them that tell the model not to repeat them.
func acceptCalls(out *inbound.Outcome) (calls, results []callwright.Part) {
	for _, c := range out.Good {
		calls = append(calls, c)
		results = append(results, callwright.Result{CallID: c.ID, Name: c.Name, Type: c.Type,
			Parts: []callwright.Part{callwright.Text{Text: acceptedText}}})
	}
	return calls, results
}
