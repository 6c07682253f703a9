package reliable

import (
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

// The rules by which a model is asked again.
const (
	ruleInvalid   = "correct.asked" // a call is invalid, or missing
	ruleMoreWork  = "correct.more_work"
	ruleEmpty     = "correct.empty"
	rulePaused    = "correct.paused"
	ruleWrongForm = "correct.format"
)

// maxPauses bounds how often a paused answer is continued.
const maxPauses = 10

// needs is the rule by which the model has to be asked again, "" when the answer stands.
func (r *run) needs(out *inbound.Outcome) string {
	good := len(r.client.good)
	switch {
	case r.o.changesNothing():
		return ""
	case out.End.Finish == callwright.FinishPause && out.Collected != nil && r.pauses < maxPauses && r.ctx.Err() == nil:
		return rulePaused
	case out.End.Finish == callwright.FinishContentFilter:
		return ""
	case out.Correctable(), r.req.Params.Choice.Forced() && len(out.Good)+good == 0:
		return ruleInvalid
	case len(out.Good)+out.Repeated > 0:
		return ""
	case out.ScratchpadOnly, out.MoreWork != nil && *out.MoreWork:
		return ruleMoreWork
	case out.Empty() && good+r.pauses == 0 && !r.client.text:
		return ruleEmpty
	case out.End.Finish == callwright.FinishMalformedCall && good == 0:
		return ruleInvalid
	case out.WrongForm:
		return ruleWrongForm
	}
	return ""
}

// askedNote is the note that a model is asked again.
func askedNote(rule string, out *inbound.Outcome) callwright.Note {
	n := callwright.Note{Rule: rule, Stage: callwright.StageCorrect, Was: joinRaw(out.Invalid)}.Graded()
	if out.End.Finish == callwright.FinishMalformedCall {
		n.Fault = "F14"
	}
	return n
}

// swallowed reports whether the server's own parser took a call of the model and gave nothing: it would do so again, and another mode
// does without that parser. Those in which the answer has to be a document are left out: they make a model that called an undeclared
// tool call a declared one.
func (r *run) swallowed(g rung, out *inbound.Outcome) bool {
	if g.Mode != caps.Native || len(r.tools.ByName) == 0 || !out.Swallowed() {
		return false
	}
	r.rungs = slices.DeleteFunc(r.rungs, func(next rung) bool { return next.place == g.place && inDocument(next.Mode) })
	if len(r.rungs) == 0 {
		return false
	}
	r.note(callwright.Note{Rule: "correct.swallowed", Stage: callwright.StageCorrect, Was: strconv.Itoa(out.Usage.Output) + " tokens"})
	return true
}

// continuation is the request that continues a paused answer: the same with the answer so far behind it, unchanged. Clients of
// other wires do not know pauses.
func (r *run) continuation(req *callwright.Request, at attempt) (*callwright.Request, error) {
	msgs, err := req.History()
	if err != nil {
		return nil, err
	}
	out := &at.answer.Outcome
	r.pauses++
	at.answer.ReleaseWithoutEnd()
	r.altered = true
	r.client.keepPaused(out)
	r.note(callwright.Note{Rule: rulePaused, Stage: callwright.StageCorrect})
	next := *req
	next.Messages = append(slices.Clone(msgs), out.Collected.Response().Message())
	return &next, nil
}

// A correction asks a model again.
type correction struct {
	tools  *judge.Toolset
	mint   func(prefix string) string
	mode   caps.Mode
	rule   string // by which it is asked
	number int    // of the corrections of the run, from 1
}

// request is the request that asks again: the conversation so far, what the model wrote, and what is wrong with it.
func (c correction) request(req *callwright.Request, out *inbound.Outcome) (*callwright.Request, error) {
	msgs, err := req.History()
	if err != nil {
		return nil, err
	}
	next := *req
	next.Messages = slices.Clone(msgs)
	switch {
	case out.End.Finish == callwright.FinishMalformedCall && len(out.Invalid) == 0 && len(c.tools.ByName) == 0:
		next.Messages = append(next.Messages, written(out), callwright.UserText("There is no tool to call. Answer in text."))
	case out.End.Finish == callwright.FinishMalformedCall && len(out.Invalid) == 0:
		next.Messages = append(next.Messages, written(out), callwright.UserText("Your tool call could not be read. Write the call again, or answer in text."))
	case c.rule == ruleWrongForm:
		next.Messages = append(next.Messages, written(out), callwright.UserText("Give this answer as the JSON object that was asked for."))
		next.Tools, next.Params.Choice, next.Params.Parallel = []callwright.Tool{}, callwright.Choice{}, nil
	case c.rule == ruleEmpty && out.Forbidden > 0:
		next.Messages = append(next.Messages, written(out), callwright.UserText(forbiddenText(req.Params.Choice)))
	case c.rule == ruleEmpty && c.number == 1:
		return req, nil // an empty answer is often chance
	case c.rule == ruleMoreWork, c.rule == ruleEmpty:
		next.Messages = append(next.Messages, written(out), callwright.UserText("Go on. Give your answer, or call a tool."))
	case len(out.Invalid) == 0:
		next.Messages = append(next.Messages, written(out), callwright.UserText("No tool was called. "+strings.TrimSpace(outbound.ChoiceSentence(req.Params.Choice, false))))
	case c.mode == caps.Native && c.allDeclared(out.Invalid):
		next.Messages = append(next.Messages, c.failedResults(out)...)
	default:
		turn := written(out)
		taken, results := out.Taken()
		turn.Parts = append(turn.Parts, taken...)
		if next.Messages = append(next.Messages, turn); len(results) > 0 {
			next.Messages = append(next.Messages, callwright.Message{Role: callwright.RoleTool, Parts: results})
		}
		next.Messages = append(next.Messages, callwright.UserText(violationText(out.Invalid)))
	}
	return &next, nil
}

// forbiddenText says which calls the request allows.
func forbiddenText(choice callwright.Choice) string {
	if choice.Mode == callwright.ChoiceNone || len(choice.Names) == 0 {
		return "No tool may be called here. Answer in text."
	}
	return "Only these tools may be called here: " + strings.Join(choice.Names, ", ") + ". Call one of them, or answer in text."
}

// written is what the model wrote, as a turn: its text and the raw text of the calls that cannot be run.
func written(out *inbound.Outcome) callwright.Message {
	text := strings.TrimSpace(out.Visible.String())
	if raw := joinRaw(out.Invalid); raw != "" {
		text = strings.TrimSpace(text + "\n" + raw)
	}
	if text == "" {
		text = "(no answer)"
	}
	return callwright.AssistantText(text)
}

func (c correction) allDeclared(invalid []callwright.InvalidCall) bool {
	return !slices.ContainsFunc(invalid, func(call callwright.InvalidCall) bool {
		_, _, ok := c.tools.Declared(call.Name)
		return !ok
	})
}

// failedResults is a turn with the calls of an answer and one with their results: of the good ones that they are taken, of the
// broken ones what is wrong. Arguments that are no object stand in the result and not in the call.
func (c correction) failedResults(out *inbound.Outcome) []callwright.Message {
	turn := callwright.Message{Role: callwright.RoleAssistant}
	if text := strings.TrimSpace(out.Visible.String()); text != "" {
		turn.Parts = append(turn.Parts, callwright.Text{Text: text})
	}
	taken, results := out.Taken()
	turn.Parts = append(turn.Parts, taken...)
	for _, call := range out.Invalid {
		tg, _, _ := c.tools.Declared(call.Name)
		args, shown := json.RawMessage(call.Raw), ""
		if !jsonx.ValidObject(args) {
			args, shown = judge.EmptyArguments, "\nYou wrote: "+call.Raw
		}
		id := c.mint("call_")
		again := callwright.Call{ID: id, Name: tg.Tool.Name, Type: tg.Tool.Type, Arguments: args}
		if again.Type == callwright.CustomTool {
			again.Arguments, again.Input, shown = nil, call.Raw, ""
		}
		turn.Parts = append(turn.Parts, again)
		results = append(results, callwright.Result{CallID: id, Name: tg.Tool.Name, Type: again.Type, IsError: true, Parts: []callwright.Part{
			callwright.Text{Text: violationText([]callwright.InvalidCall{call}) + shown},
		}})
	}
	return []callwright.Message{turn, {Role: callwright.RoleTool, Parts: results}}
}

// violationText describes what is wrong with calls and what is wanted.
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

// joinRaw joins the raw texts of calls that cannot be run, a line each.
func joinRaw(invalid []callwright.InvalidCall) string {
	var b strings.Builder
	for i, c := range invalid {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(c.Raw)
	}
	return b.String()
}
