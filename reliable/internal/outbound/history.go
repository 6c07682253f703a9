package outbound

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/repair"
)

// A historyFixer makes a copy of a history that its receiver accepts: every call has an id of its own, an object as its
// arguments and exactly one result, right behind it; no text is empty; roles are in an order that the receiver accepts.
type historyFixer struct {
	h    caps.HistoryRules
	l    *judge.Ledger
	mint func(prefix string) string
	out  []callwright.Message
	ids  map[string]bool
	open []openCall // calls of the last assistant turn, in order
}

type openCall struct {
	was, now, name string
	callType       callwright.ToolType
	answered       bool
}

func (f *historyFixer) fix(msgs []callwright.Message) []callwright.Message {
	f.ids = map[string]bool{}
	for _, msg := range msgs {
		switch {
		case msg.Role == callwright.RoleSystem:
			f.system(msg)
		case msg.Role == callwright.RoleAssistant:
			f.closeCalls()
			f.assistant(msg)
		default:
			f.others(msg)
		}
	}
	f.closeCalls()
	f.endWithUser()
	return f.order()
}

// continueText follows an answer begun by the client, for receivers that accept no such answer as the last message.
const continueText = "Go on with your last message exactly where it stops. Do not repeat any of it."

// endWithUser adds a turn of the user to a history that ends with the beginning of an answer, where the receiver wants it so.
func (f *historyFixer) endWithUser() {
	if f.h.Prefill != caps.PrefillRefused || len(f.out) == 0 || !beginsAnswer(f.out[len(f.out)-1]) {
		return
	}
	f.l.Add(callwright.Note{Rule: "history.inserted_turn", Stage: callwright.StageOutbound, Now: continueText})
	f.out = append(f.out, callwright.UserText(continueText))
}

// beginsAnswer reports whether a last message is the beginning of an answer: of the assistant, with text and reasoning alone.
func beginsAnswer(m callwright.Message) bool {
	return m.Role == callwright.RoleAssistant && !slices.ContainsFunc(m.Parts, func(p callwright.Part) bool {
		switch p.(type) {
		case callwright.Text, callwright.Reasoning:
			return false
		}
		return true
	})
}

func (f *historyFixer) system(msg callwright.Message) {
	if f.h.OneSystem && len(f.out) > 0 {
		first := &f.out[0]
		if first.Role == callwright.RoleSystem {
			f.l.Add(callwright.Note{Rule: "history.merged_roles", Stage: callwright.StageOutbound, Was: "system"})
			first.Parts = append(slices.Clone(first.Parts), append([]callwright.Part{callwright.Text{Text: "\n\n"}}, msg.Parts...)...)
			return
		}
		f.l.Add(callwright.Note{Rule: "history.system_first", Stage: callwright.StageOutbound})
		f.out = slices.Insert(f.out, 0, msg)
		return
	}
	f.out = append(f.out, msg)
}

// assistant takes an assistant turn over and opens its calls.
func (f *historyFixer) assistant(msg callwright.Message) {
	msg.Parts = slices.Clone(msg.Parts)
	kept := msg.Parts[:0]
	for _, p := range msg.Parts {
		switch p := p.(type) {
		case callwright.Call:
			kept = append(kept, f.call(p))
			continue
		case callwright.Text:
			if strings.TrimSpace(p.Text) == "" && len(msg.Parts) > 1 {
				f.empty(msg.Role)
				continue
			}
		}
		kept = append(kept, p)
	}
	msg.Parts = kept
	if len(kept) == 0 {
		f.empty(msg.Role)
		return
	}
	f.out = append(f.out, msg)
}

// empty notes a text that is left out, or a message without any.
func (f *historyFixer) empty(role callwright.Role) {
	f.l.Add(callwright.Note{Rule: "history.empty_content", Stage: callwright.StageOutbound, Was: string(role)})
}

func (f *historyFixer) call(c callwright.Call) callwright.Call {
	was := c.ID
	switch {
	case c.ID == "":
		c.ID = f.mint("call_")
		f.l.Add(callwright.Note{Rule: "history.missing_id", Stage: callwright.StageOutbound, Call: c.Name, Now: c.ID})
	case f.ids[c.ID]:
		c.ID = f.mint("call_")
		f.l.Add(callwright.Note{Rule: "history.duplicate_id", Stage: callwright.StageOutbound, Call: c.Name, Was: was, Now: c.ID})
	}
	f.ids[c.ID] = true
	if c.Type != callwright.CustomTool && !jsonx.ValidObject(c.Arguments) {
		c.Arguments = f.arguments(c)
	}
	f.open = append(f.open, openCall{was: was, now: c.ID, name: c.Name, callType: c.Type})
	return c
}

// arguments repairs arguments of old calls. These are not run again: what cannot be read becomes {}.
func (f *historyFixer) arguments(c callwright.Call) []byte {
	now := []byte("{}")
	if r, err := repair.JSON(string(c.Arguments)); err == nil && jsonx.ValidObject(r.JSON) {
		now = r.JSON
	}
	f.l.Add(callwright.Note{Rule: "history.bad_arguments", Stage: callwright.StageOutbound, Call: c.Name, Was: string(c.Arguments), Now: string(now)})
	return now
}

// others takes a turn of results, of the user, or of both.
func (f *historyFixer) others(msg callwright.Message) {
	var results, rest []callwright.Part
	for _, p := range msg.Parts {
		if res, ok := p.(callwright.Result); ok {
			if fixed, ok := f.result(res); ok {
				results = append(results, fixed)
			} else {
				rest = append(rest, asText(res)...)
			}
			continue
		}
		if t, ok := p.(callwright.Text); ok && (t.Text == "" || f.h.NoBlankText && strings.TrimSpace(t.Text) == "") {
			f.empty(msg.Role)
			continue
		}
		rest = append(rest, p)
	}
	if len(rest) == 0 && len(results) == 0 {
		return
	}
	if len(rest) > 0 {
		results = append(results, f.missing()...)
	}
	switch {
	case len(results) == 0:
		f.push(callwright.Message{Role: callwright.RoleUser, Parts: rest, Extra: msg.Extra})
	case len(rest) == 0:
		f.push(callwright.Message{Role: callwright.RoleTool, Parts: results, Extra: msg.Extra})
	default:
		f.push(callwright.Message{Role: callwright.RoleTool, Parts: results})
		f.push(callwright.Message{Role: callwright.RoleUser, Parts: rest, Extra: msg.Extra})
	}
}

// push joins the results of one assistant turn, which some clients spread over several messages.
func (f *historyFixer) push(msg callwright.Message) {
	if n := len(f.out); msg.Role == callwright.RoleTool && n > 0 && f.out[n-1].Role == callwright.RoleTool && msg.Extra.JSON == nil {
		f.out[n-1].Parts = append(slices.Clone(f.out[n-1].Parts), msg.Parts...)
		return
	}
	f.out = append(f.out, msg)
}

func (f *historyFixer) result(res callwright.Result) (callwright.Result, bool) {
	for i := range f.open {
		c := &f.open[i]
		if !c.answered && (c.was == res.CallID || res.CallID == "" && (res.Name == "" || res.Name == c.name)) {
			c.answered = true
			res.CallID, res.Type = c.now, c.callType
			if res.Name == "" {
				res.Name = c.name
			}
			return res, true
		}
	}
	f.l.Add(callwright.Note{Rule: "history.orphan_result", Stage: callwright.StageOutbound, Call: res.CallID})
	return res, false
}

// asText writes a result that answers no call as text.
func asText(res callwright.Result) []callwright.Part {
	head := "Result of an earlier tool call"
	if res.Name != "" {
		head += " (" + res.Name + ")"
	}
	out := []callwright.Part{callwright.Text{Text: head + ":\n" + res.Text()}}
	for _, p := range res.Parts {
		if _, text := p.(callwright.Text); !text {
			out = append(out, p)
		}
	}
	return out
}

// missing makes results for the calls that have none.
func (f *historyFixer) missing() []callwright.Part {
	var out []callwright.Part
	for _, c := range f.open {
		if c.answered {
			continue
		}
		f.l.Add(callwright.Note{Rule: "history.orphan_call", Stage: callwright.StageOutbound, Call: c.now})
		out = append(out, callwright.Result{CallID: c.now, Name: c.name, Type: c.callType, IsError: true, Parts: []callwright.Part{
			callwright.Text{Text: "no result: the call was not executed"},
		}})
	}
	f.open = nil
	return out
}

func (f *historyFixer) closeCalls() {
	if parts := f.missing(); len(parts) > 0 {
		f.push(callwright.Message{Role: callwright.RoleTool, Parts: parts})
	}
}

// order joins and separates turns as the receiver wants them.
func (f *historyFixer) order() []callwright.Message {
	if !f.h.Alternate && !f.h.NoUserAfterTool {
		return f.out
	}
	var out []callwright.Message
	for _, msg := range f.out {
		n := len(out)
		if n > 0 && f.h.NoUserAfterTool && msg.Role == callwright.RoleUser && out[n-1].Role == callwright.RoleTool {
			f.l.Add(callwright.Note{Rule: "history.inserted_turn", Stage: callwright.StageOutbound, Now: "OK."})
			out = append(out, callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Text{Text: "OK."}}})
			n++
		}
		if n > 0 && f.h.Alternate && out[n-1].Role == msg.Role && msg.Role != callwright.RoleSystem {
			f.l.Add(callwright.Note{Rule: "history.merged_roles", Stage: callwright.StageOutbound, Was: string(msg.Role)})
			out[n-1] = joinMessages(out[n-1], msg)
			continue
		}
		out = append(out, msg)
	}
	return out
}

// joinMessages is two messages of one role as one, with a blank line between their texts.
func joinMessages(a, b callwright.Message) callwright.Message {
	parts := slices.Clone(a.Parts)
	if len(parts) > 0 && len(b.Parts) > 0 {
		_, left := parts[len(parts)-1].(callwright.Text)
		_, right := b.Parts[0].(callwright.Text)
		if left && right {
			parts = append(parts, callwright.Text{Text: "\n\n"})
		}
	}
	a.Parts = append(parts, b.Parts...)
	return a
}
