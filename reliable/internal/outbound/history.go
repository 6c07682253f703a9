package outbound

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/repair"
)

// A historyFixer makes a copy of a history that its receiver accepts: every call has an id of its own, an object as its
// arguments and exactly one result, right after its turn; no text is empty; roles are in an order that the receiver
// accepts. A message that needs no change stays the same value.
type historyFixer struct {
	h     caps.HistoryRules
	rules idRules
	l     *judge.Ledger
	place func(message, part int) string // as that of a Shaper
	msgs  []callwright.Message
	out   []callwright.Message
	ids   map[string]bool // given out
	*pairing
	sentID []string       // the ids under which the calls are sent, by their numbers
	placed map[place]bool // results that were written with their calls
	seen   int            // calls whose turns were written
	done   int            // the last message of the user that was written with the results it begins with, -1 without one
}

func (f *historyFixer) fix(msgs []callwright.Message) []callwright.Message {
	f.msgs, f.ids, f.placed, f.pairing = msgs, map[string]bool{}, map[place]bool{}, pair(msgs)
	f.done = -1
	f.nameCalls()
	for i := 0; i < len(msgs); {
		switch msgs[i].Role {
		case callwright.RoleSystem:
			f.system(i)
			i++
		case callwright.RoleAssistant:
			i = f.run(i)
		default:
			f.others(i)
			i++
		}
	}
	if !f.hasConversation() {
		f.push(f.opening(0))
	}
	f.endWithUser()
	return f.order()
}

// nameCalls gives every call an id of its own: that of the client where there is one, else one that follows from the
// call and its place, so that it is the same in every request.
func (f *historyFixer) nameCalls() {
	f.sentID = make([]string, len(f.calls))
	for n := range f.calls {
		f.ids[f.calls[n].ID] = true
		f.ids[f.rules.own(f.calls[n].ID)] = true
	}
	came := map[string]bool{}
	for n := range f.calls {
		c := &f.calls[n]
		id := c.ID
		if own := f.rules.own(id); own != id && f.l.May(ruleOwnID) {
			f.note(c.at, callwright.Note{Rule: ruleOwnID, Call: c.Name, Was: id, Now: own})
			id = own
		}
		switch {
		case id == "":
			id = f.hashedID(c)
			f.note(c.at, callwright.Note{Rule: "history.missing_id", Call: c.Name, Now: id})
		case came[id]:
			id = f.hashedID(c)
			f.note(c.at, callwright.Note{Rule: "history.duplicate_id", Call: c.Name, Was: c.ID, Now: id})
		}
		came[id], f.sentID[n] = true, id
	}
}

// hashedID is an id for a call, which no other call of the history has.
func (f *historyFixer) hashedID(c *pastCall) string {
	h := fnv.New64a()
	fmt.Fprint(h, c.at.message, " ", c.at.part, " ", c.Name, " ", string(c.Arguments), " ", c.Input)
	for sum := h.Sum64(); ; sum++ {
		if id := "call_" + strconv.FormatUint(sum, 36); !f.ids[id] {
			f.ids[id] = true
			return id
		}
	}
}

// continueText follows an answer begun by the client, for receivers that accept no such answer as the last message.
const continueText = "Go on with your last message exactly where it stops. Do not repeat any of it."

// endWithUser adds a turn of the user to a history that ends with the beginning of an answer, where the receiver wants
// it so.
func (f *historyFixer) endWithUser() {
	if f.h.Prefill != caps.PrefillRefused || len(f.out) == 0 || !beginsAnswer(f.out[len(f.out)-1]) {
		return
	}
	f.note(place{len(f.msgs) - 1, allParts}, callwright.Note{Rule: "history.inserted_turn", Now: continueText})
	f.out = append(f.out, callwright.UserText(continueText))
}

// beginsAnswer reports whether a last message is the beginning of an answer: of the assistant, with text and reasoning
// alone.
func beginsAnswer(m callwright.Message) bool {
	return m.Role == callwright.RoleAssistant && !slices.ContainsFunc(m.Parts, func(p callwright.Part) bool {
		switch p.(type) {
		case callwright.Text, callwright.Reasoning:
			return false
		}
		return true
	})
}

// note adds a note on a part of the history, or on a whole message.
func (f *historyFixer) note(at place, n callwright.Note) {
	n.Stage = callwright.StageOutbound
	if f.place != nil && at.message < len(f.msgs) {
		n.Path = f.place(at.message, at.part)
	}
	f.l.Add(n)
}

// system adds instructions. Where only the first message may hold any, later ones become the user's words: the request
// bytes for the beginning of a conversation must not change as it grows.
func (f *historyFixer) system(i int) {
	msg, whole := f.msgs[i], place{i, allParts}
	switch n := len(f.out); {
	case !f.h.OneSystem || n == 0:
		f.out = append(f.out, msg)
	case n == 1 && f.out[0].Role == callwright.RoleSystem:
		f.note(whole, callwright.Note{Rule: "history.merged_roles", Was: "system"})
		first := &f.out[0]
		first.Parts = append(slices.Clone(first.Parts), append([]callwright.Part{callwright.Text{Text: "\n\n"}}, msg.Parts...)...)
	case blank(msg.Parts):
		f.empty(whole, msg.Role)
	default:
		f.note(whole, callwright.Note{Rule: "history.system_moved", Was: callwright.TextOf(msg.Parts)})
		f.push(callwright.Message{Role: callwright.RoleUser, Parts: msg.Parts})
	}
}

// blank reports whether parts are texts of white space alone, or none.
func blank(parts []callwright.Part) bool {
	return !slices.ContainsFunc(parts, func(p callwright.Part) bool {
		t, is := p.(callwright.Text)
		return !is || strings.TrimSpace(t.Text) != ""
	})
}

// run takes over the turns of the model from i on, with the results of their calls after them, and gives the message
// that comes next. From the first one with calls on they are one turn: most receivers want the results right after a
// turn with calls.
func (f *historyFixer) run(i int) (next int) {
	var turn callwright.Message
	called := false
	var thoughts []callwright.Part // of turns without content, for the next one that has some
	for next = i; next < len(f.msgs) && f.msgs[next].Role == callwright.RoleAssistant; next++ {
		msg, ok := f.assistant(next)
		if ok && f.h.NoEmptyAssistant && reasoningAlone(msg.Parts) {
			list, text := reasoningOf(msg.Parts)
			thoughts = append(thoughts, list...)
			f.note(place{next, allParts}, callwright.Note{Rule: ruleReasoningAlone, Was: text})
			continue
		}
		if ok && len(thoughts) > 0 {
			msg.Parts, thoughts = append(thoughts, msg.Parts...), nil
		}
		switch {
		case !ok:
		case called:
			f.note(place{next, allParts}, callwright.Note{Rule: "history.merged_roles", Was: string(msg.Role)})
			turn = joinMessages(turn, msg)
		case hasCall(msg.Parts):
			turn, called = msg, true
		default:
			f.out = append(f.out, msg)
		}
	}
	if called {
		f.out = append(f.out, turn)
		f.results(i, next)
	}
	return next
}

// assistant is a turn of the model with calls as they are sent; ok is false where nothing of it is left.
func (f *historyFixer) assistant(i int) (msg callwright.Message, ok bool) {
	msg = f.msgs[i]
	kept := make([]callwright.Part, 0, len(msg.Parts))
	changed := false
	for k, p := range msg.Parts {
		switch q := p.(type) {
		case callwright.Call:
			c, differs := f.call(f.callAt[place{i, k}], q)
			kept, changed = append(kept, c), changed || differs
			continue
		case callwright.Text:
			if f.h.NoBlankText && strings.TrimSpace(q.Text) == "" && len(msg.Parts) > 1 {
				f.empty(place{i, k}, msg.Role)
				changed = true
				continue
			}
		}
		kept = append(kept, p)
	}
	if f.h.NoEmptyAssistant && blank(kept) || len(kept) == 0 && changed {
		f.empty(place{i, allParts}, msg.Role)
		return msg, false
	}
	if changed {
		msg.Parts = kept
	}
	return msg, true
}

// ruleReasoningAlone is the rule for turns of reasoning alone, which a client keeps of an answer that was interrupted.
const ruleReasoningAlone = "history.reasoning_alone"

// reasoningAlone reports whether parts are reasoning and nothing else but texts of white space.
func reasoningAlone(parts []callwright.Part) bool {
	reasoning := false
	for _, p := range parts {
		switch p := p.(type) {
		case callwright.Reasoning:
			reasoning = true
		case callwright.Text:
			if strings.TrimSpace(p.Text) != "" {
				return false
			}
		default:
			return false
		}
	}
	return reasoning
}

// reasoningOf are the parts that are reasoning, and their text.
func reasoningOf(parts []callwright.Part) (list []callwright.Part, text string) {
	for _, p := range parts {
		if r, is := p.(callwright.Reasoning); is {
			list, text = append(list, p), text+r.Text
		}
	}
	return list, text
}

func hasCall(parts []callwright.Part) bool {
	return slices.ContainsFunc(parts, func(p callwright.Part) bool { _, is := p.(callwright.Call); return is })
}

// empty notes a text that is left out, or a message without any.
func (f *historyFixer) empty(at place, role callwright.Role) {
	f.note(at, callwright.Note{Rule: "history.empty_content", Was: string(role)})
}

// call is call n with its id, and with an object as its arguments.
func (f *historyFixer) call(n int, c callwright.Call) (sent callwright.Call, changed bool) {
	if id := f.sentID[n]; id != c.ID {
		c.ID, changed = id, true
	}
	if c.Type != callwright.CustomTool && !jsonx.ValidObject(c.Arguments) {
		c.Arguments, changed = f.arguments(f.calls[n].at, c), true
	}
	return c, changed
}

// arguments repairs arguments of old calls. These are not run again: unreadable ones become {}.
func (f *historyFixer) arguments(at place, c callwright.Call) []byte {
	now := []byte("{}")
	if r, err := repair.JSON(string(c.Arguments)); err == nil && jsonx.ValidObject(r.JSON) {
		now = r.JSON
	}
	f.note(at, callwright.Note{Rule: "history.bad_arguments", Call: c.Name, Was: string(c.Arguments), Now: string(now)})
	return now
}

// order joins and separates turns as the receiver wants them.
func (f *historyFixer) order() []callwright.Message {
	if !f.h.Alternate && !f.h.NoUserAfterTool {
		return f.out
	}
	var out []callwright.Message
	for _, msg := range f.out {
		n, results := len(out), holdsResults(msg)
		if n > 0 && f.h.NoUserAfterTool && msg.Role == callwright.RoleUser && !results && holdsResults(out[n-1]) {
			f.l.Add(callwright.Note{Rule: "history.inserted_turn", Stage: callwright.StageOutbound, Now: "OK."})
			out = append(out, callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Text{Text: "OK."}}})
			n++
		}
		if n > 0 && f.h.Alternate && out[n-1].Role == msg.Role && msg.Role != callwright.RoleSystem && !results && !holdsResults(out[n-1]) {
			f.l.Add(callwright.Note{Rule: "history.merged_roles", Stage: callwright.StageOutbound, Was: string(msg.Role)})
			out[n-1] = joinMessages(out[n-1], msg)
			continue
		}
		out = append(out, msg)
	}
	return out
}

// holdsResults reports whether a message holds results and nothing else: these belong to the turn of the model before
// them.
func holdsResults(m callwright.Message) bool {
	return len(m.Parts) > 0 && !slices.ContainsFunc(m.Parts, func(p callwright.Part) bool { _, is := p.(callwright.Result); return !is })
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
