package outbound

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/repair"
)

// A mender makes a copy of a history fit for its receiver: every call has an id of its own, sound arguments and exactly
// one result, right behind it; nothing is empty; roles are in an order the receiver takes.
type mender struct {
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

func (m *mender) mend(msgs []callwright.Message) []callwright.Message {
	m.ids = map[string]bool{}
	for _, msg := range msgs {
		switch {
		case msg.Role == callwright.RoleSystem:
			m.system(msg)
		case msg.Role == callwright.RoleAssistant:
			m.closeCalls()
			m.assistant(msg)
		default:
			m.others(msg)
		}
	}
	m.closeCalls()
	m.goOn()
	return m.order()
}

// goOnWith is said to receivers that take no answer begun by the client.
const goOnWith = "Go on with your last message exactly where it stops. Do not repeat any of it."

// goOn ends a history that ends with a beginning of the answer with a turn of the user, where the receiver wants it so.
func (m *mender) goOn() {
	if m.h.Prefill != caps.PrefillRefused || len(m.out) == 0 || !begins(m.out[len(m.out)-1]) {
		return
	}
	m.l.Add(callwright.Note{Rule: "history.inserted_turn", Stage: callwright.StageOutbound, Now: goOnWith})
	m.out = append(m.out, callwright.UserText(goOnWith))
}

// begins reports whether a last message is a beginning of the answer: it is the assistant's and holds only what it says and thinks.
func begins(m callwright.Message) bool {
	return m.Role == callwright.RoleAssistant && !slices.ContainsFunc(m.Parts, func(p callwright.Part) bool {
		switch p.(type) {
		case callwright.Text, callwright.Reasoning:
			return false
		}
		return true
	})
}

func (m *mender) system(msg callwright.Message) {
	if m.h.OneSystem && len(m.out) > 0 {
		first := &m.out[0]
		if first.Role == callwright.RoleSystem {
			m.l.Add(callwright.Note{Rule: "history.merged_roles", Stage: callwright.StageOutbound, Was: "system"})
			first.Parts = append(slices.Clone(first.Parts), append([]callwright.Part{callwright.Text{Text: "\n\n"}}, msg.Parts...)...)
			return
		}
		m.l.Add(callwright.Note{Rule: "history.system_first", Stage: callwright.StageOutbound})
		m.out = slices.Insert(m.out, 0, msg)
		return
	}
	m.out = append(m.out, msg)
}

// assistant takes an assistant turn over and opens its calls.
func (m *mender) assistant(msg callwright.Message) {
	msg.Parts = slices.Clone(msg.Parts)
	kept := msg.Parts[:0]
	for _, p := range msg.Parts {
		switch p := p.(type) {
		case callwright.Call:
			kept = append(kept, m.call(p))
			continue
		case callwright.Text:
			if strings.TrimSpace(p.Text) == "" && len(msg.Parts) > 1 {
				m.empty(msg.Role)
				continue
			}
		}
		kept = append(kept, p)
	}
	msg.Parts = kept
	if len(kept) == 0 {
		m.empty(msg.Role)
		return
	}
	m.out = append(m.out, msg)
}

// empty notes a text that is left out, or a message without any.
func (m *mender) empty(role callwright.Role) {
	m.l.Add(callwright.Note{Rule: "history.empty_content", Stage: callwright.StageOutbound, Was: string(role)})
}

func (m *mender) call(c callwright.Call) callwright.Call {
	was := c.ID
	switch {
	case c.ID == "":
		c.ID = m.mint("call_")
		m.l.Add(callwright.Note{Rule: "history.missing_id", Stage: callwright.StageOutbound, Call: c.Name, Now: c.ID})
	case m.ids[c.ID]:
		c.ID = m.mint("call_")
		m.l.Add(callwright.Note{Rule: "history.duplicate_id", Stage: callwright.StageOutbound, Call: c.Name, Was: was, Now: c.ID})
	}
	m.ids[c.ID] = true
	if c.Type != callwright.CustomTool && !jsonx.ValidObject(c.Arguments) {
		c.Arguments = m.arguments(c)
	}
	m.open = append(m.open, openCall{was: was, now: c.ID, name: c.Name, callType: c.Type})
	return c
}

// arguments mends old arguments. A call of the past is not run again, so what cannot be read becomes {}.
func (m *mender) arguments(c callwright.Call) []byte {
	now := []byte("{}")
	if r, err := repair.JSON(string(c.Arguments)); err == nil && jsonx.ValidObject(r.JSON) {
		now = r.JSON
	}
	m.l.Add(callwright.Note{Rule: "history.bad_arguments", Stage: callwright.StageOutbound, Call: c.Name, Was: string(c.Arguments), Now: string(now)})
	return now
}

// others takes a turn of results, of the user, or of both.
func (m *mender) others(msg callwright.Message) {
	var results, rest []callwright.Part
	for _, p := range msg.Parts {
		if res, ok := p.(callwright.Result); ok {
			if mended, ok := m.result(res); ok {
				results = append(results, mended)
			} else {
				rest = append(rest, asText(res)...)
			}
			continue
		}
		if t, ok := p.(callwright.Text); ok && (t.Text == "" || m.h.NoBlankText && strings.TrimSpace(t.Text) == "") {
			m.empty(msg.Role)
			continue
		}
		rest = append(rest, p)
	}
	if len(rest) == 0 && len(results) == 0 {
		return
	}
	if len(rest) > 0 {
		results = append(results, m.missing()...)
	}
	switch {
	case len(results) == 0:
		m.push(callwright.Message{Role: callwright.RoleUser, Parts: rest, Extra: msg.Extra})
	case len(rest) == 0:
		m.push(callwright.Message{Role: callwright.RoleTool, Parts: results, Extra: msg.Extra})
	default:
		m.push(callwright.Message{Role: callwright.RoleTool, Parts: results})
		m.push(callwright.Message{Role: callwright.RoleUser, Parts: rest, Extra: msg.Extra})
	}
}

// push joins the results of one assistant turn, which some clients spread over several messages.
func (m *mender) push(msg callwright.Message) {
	if n := len(m.out); msg.Role == callwright.RoleTool && n > 0 && m.out[n-1].Role == callwright.RoleTool && msg.Extra.JSON == nil {
		m.out[n-1].Parts = append(slices.Clone(m.out[n-1].Parts), msg.Parts...)
		return
	}
	m.out = append(m.out, msg)
}

func (m *mender) result(res callwright.Result) (callwright.Result, bool) {
	for i := range m.open {
		c := &m.open[i]
		if !c.answered && (c.was == res.CallID || res.CallID == "" && (res.Name == "" || res.Name == c.name)) {
			c.answered = true
			res.CallID, res.Type = c.now, c.callType
			if res.Name == "" {
				res.Name = c.name
			}
			return res, true
		}
	}
	m.l.Add(callwright.Note{Rule: "history.orphan_result", Stage: callwright.StageOutbound, Call: res.CallID})
	return res, false
}

// asText keeps what a result said where no call asked for it.
func asText(res callwright.Result) []callwright.Part {
	head := "Result of an earlier tool call"
	if res.Name != "" {
		head += " (" + res.Name + ")"
	}
	return append([]callwright.Part{callwright.Text{Text: head + ":\n"}}, res.Parts...)
}

// missing makes results for the calls that have none.
func (m *mender) missing() []callwright.Part {
	var out []callwright.Part
	for _, c := range m.open {
		if c.answered {
			continue
		}
		m.l.Add(callwright.Note{Rule: "history.orphan_call", Stage: callwright.StageOutbound, Call: c.now})
		out = append(out, callwright.Result{CallID: c.now, Name: c.name, Type: c.callType, IsError: true, Parts: []callwright.Part{
			callwright.Text{Text: "no result: the call was not executed"},
		}})
	}
	m.open = nil
	return out
}

func (m *mender) closeCalls() {
	if parts := m.missing(); len(parts) > 0 {
		m.push(callwright.Message{Role: callwright.RoleTool, Parts: parts})
	}
}

// order joins and separates turns as the receiver wants them.
func (m *mender) order() []callwright.Message {
	if !m.h.Alternate && !m.h.NoUserAfterTool {
		return m.out
	}
	var out []callwright.Message
	for _, msg := range m.out {
		n := len(out)
		if n > 0 && m.h.NoUserAfterTool && msg.Role == callwright.RoleUser && out[n-1].Role == callwright.RoleTool {
			m.l.Add(callwright.Note{Rule: "history.inserted_turn", Stage: callwright.StageOutbound, Now: "OK."})
			out = append(out, callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Text{Text: "OK."}}})
			n++
		}
		if n > 0 && m.h.Alternate && out[n-1].Role == msg.Role && msg.Role != callwright.RoleSystem {
			m.l.Add(callwright.Note{Rule: "history.merged_roles", Stage: callwright.StageOutbound, Was: string(msg.Role)})
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
