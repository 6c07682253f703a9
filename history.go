package callwright

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/repair"
)

// A mender makes a copy of a history fit for its receiver: every call has an id of its own, sound arguments and exactly
// one result, right behind it; nothing is empty; roles are in an order the receiver takes.
type mender struct {
	h    caps.HistoryRules
	l    *ledger
	mint func(prefix string) string
	out  []Message
	ids  map[string]bool
	open []openCall // calls of the last assistant turn, in order
}

type openCall struct {
	was, now, name string
	callType       CallType
	answered       bool
}

func (m *mender) mend(msgs []Message) []Message {
	m.ids = map[string]bool{}
	for _, msg := range msgs {
		switch {
		case msg.Role == System:
			m.system(msg)
		case msg.Role == Assistant:
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
	if m.h.Prefill != "no" || len(m.out) == 0 || !begins(m.out[len(m.out)-1]) {
		return
	}
	m.l.add(Note{Rule: "history.inserted_turn", Stage: StageOutbound, Now: goOnWith})
	m.out = append(m.out, asUser(goOnWith))
}

// begins tells whether a last message is a beginning of the answer: it is the assistant's and holds only what it says and thinks.
func begins(m Message) bool {
	return m.Role == Assistant && !slices.ContainsFunc(m.Parts, func(p Part) bool {
		switch p.(type) {
		case Text, Reasoning:
			return false
		}
		return true
	})
}

func (m *mender) system(msg Message) {
	if m.h.OneSystem && len(m.out) > 0 {
		first := &m.out[0]
		if first.Role == System {
			m.l.add(Note{Rule: "history.merged_roles", Stage: StageOutbound, Was: "system"})
			first.Parts = append(slices.Clone(first.Parts), append([]Part{Text{Text: "\n\n"}}, msg.Parts...)...)
			return
		}
		m.l.add(Note{Rule: "history.system_first", Stage: StageOutbound})
		m.out = slices.Insert(m.out, 0, msg)
		return
	}
	m.out = append(m.out, msg)
}

// assistant takes an assistant turn over and opens its calls.
func (m *mender) assistant(msg Message) {
	msg.Parts = slices.Clone(msg.Parts)
	kept := msg.Parts[:0]
	for _, p := range msg.Parts {
		switch p := p.(type) {
		case Call:
			kept = append(kept, m.call(p))
			continue
		case Text:
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
func (m *mender) empty(role Role) {
	m.l.add(Note{Rule: "history.empty_content", Stage: StageOutbound, Was: string(role)})
}

func (m *mender) call(c Call) Call {
	was := c.ID
	switch {
	case c.ID == "":
		c.ID = m.mint("call_")
		m.l.add(Note{Rule: "history.missing_id", Stage: StageOutbound, Call: c.Name, Now: c.ID})
	case m.ids[c.ID]:
		c.ID = m.mint("call_")
		m.l.add(Note{Rule: "history.duplicate_id", Stage: StageOutbound, Call: c.Name, Was: was, Now: c.ID})
	}
	m.ids[c.ID] = true
	if c.Type != Custom && !isObject(c.Arguments) {
		c.Arguments = m.arguments(c)
	}
	m.open = append(m.open, openCall{was: was, now: c.ID, name: c.Name, callType: c.Type})
	return c
}

// arguments mends old arguments. A call of the past is not run again, so what cannot be read becomes {}.
func (m *mender) arguments(c Call) []byte {
	now := []byte("{}")
	if r, err := repair.JSON(string(c.Arguments)); err == nil && isObject(r.JSON) {
		now = r.JSON
	}
	m.l.add(Note{Rule: "history.bad_arguments", Stage: StageOutbound, Call: c.Name, Was: string(c.Arguments), Now: string(now)})
	return now
}

// others takes a turn of results, of the user, or of both.
func (m *mender) others(msg Message) {
	var results, rest []Part
	for _, p := range msg.Parts {
		if res, ok := p.(Result); ok {
			if mended, ok := m.result(res); ok {
				results = append(results, mended)
			} else {
				rest = append(rest, asText(res)...)
			}
			continue
		}
		if t, ok := p.(Text); ok && (t.Text == "" || m.h.NoBlankText && strings.TrimSpace(t.Text) == "") {
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
		m.push(Message{Role: User, Parts: rest, Extra: msg.Extra})
	case len(rest) == 0:
		m.push(Message{Role: RoleTool, Parts: results, Extra: msg.Extra})
	default:
		m.push(Message{Role: RoleTool, Parts: results})
		m.push(Message{Role: User, Parts: rest, Extra: msg.Extra})
	}
}

// push joins the results of one assistant turn, which some clients spread over several messages.
func (m *mender) push(msg Message) {
	if n := len(m.out); msg.Role == RoleTool && n > 0 && m.out[n-1].Role == RoleTool && msg.Extra.JSON == nil {
		m.out[n-1].Parts = append(slices.Clone(m.out[n-1].Parts), msg.Parts...)
		return
	}
	m.out = append(m.out, msg)
}

func (m *mender) result(res Result) (Result, bool) {
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
	m.l.add(Note{Rule: "history.orphan_result", Stage: StageOutbound, Call: res.CallID})
	return res, false
}

// asText keeps what a result said where no call asked for it.
func asText(res Result) []Part {
	head := "Result of an earlier tool call"
	if res.Name != "" {
		head += " (" + res.Name + ")"
	}
	return append([]Part{Text{Text: head + ":\n"}}, res.Parts...)
}

// missing makes results for the calls that have none.
func (m *mender) missing() []Part {
	var out []Part
	for _, c := range m.open {
		if c.answered {
			continue
		}
		m.l.add(Note{Rule: "history.orphan_call", Stage: StageOutbound, Call: c.now})
		out = append(out, Result{CallID: c.now, Name: c.name, Type: c.callType, IsError: true, Parts: []Part{
			Text{Text: "no result: the call was not executed"},
		}})
	}
	m.open = nil
	return out
}

func (m *mender) closeCalls() {
	if parts := m.missing(); len(parts) > 0 {
		m.push(Message{Role: RoleTool, Parts: parts})
	}
}

// order joins and separates turns as the receiver wants them.
func (m *mender) order() []Message {
	if !m.h.Alternate && !m.h.NoUserAfterTool {
		return m.out
	}
	var out []Message
	for _, msg := range m.out {
		n := len(out)
		if n > 0 && m.h.NoUserAfterTool && msg.Role == User && out[n-1].Role == RoleTool {
			m.l.add(Note{Rule: "history.inserted_turn", Stage: StageOutbound, Now: "OK."})
			out = append(out, Message{Role: Assistant, Parts: []Part{Text{Text: "OK."}}})
			n++
		}
		if n > 0 && m.h.Alternate && out[n-1].Role == msg.Role && msg.Role != System {
			m.l.add(Note{Rule: "history.merged_roles", Stage: StageOutbound, Was: string(msg.Role)})
			out[n-1] = joinMessages(out[n-1], msg)
			continue
		}
		out = append(out, msg)
	}
	return out
}

// joinMessages is two messages of one role as one, with a blank line between their texts.
func joinMessages(a, b Message) Message {
	parts := slices.Clone(a.Parts)
	if len(parts) > 0 && len(b.Parts) > 0 {
		_, left := parts[len(parts)-1].(Text)
		_, right := b.Parts[0].(Text)
		if left && right {
			parts = append(parts, Text{Text: "\n\n"})
		}
	}
	a.Parts = append(parts, b.Parts...)
	return a
}
