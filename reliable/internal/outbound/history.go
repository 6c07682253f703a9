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

// A historyFixer makes a copy of the history that the provider accepts. Every call then has a unique ID, a JSON object
// as arguments and exactly one result, directly after its message. Texts are not empty, and the order of roles is
// valid. Messages without a change are not copied.
type historyFixer struct {
	h     caps.HistoryRules
	rules idRules
	l     *judge.Ledger
	place func(message, part int) string // see Shaper.Place
	msgs  []callwright.Message
	out   []callwright.Message
	ids   map[string]bool // IDs in use
	*pairing
	sentID []string       // IDs to send, by call number
	placed map[place]bool // results that were written together with their calls
	seen   int            // number of calls whose messages were written
	done   int            // the last user message that was written together with its leading results, -1 if none
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

// nameCalls assigns a unique ID to each call: the client's ID, or its original form if it is escaped. For a missing or
// duplicate ID it is a hash of the call and its position, which stays the same in later requests.
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

// hashedID returns a unique ID for a call whose ID is missing or a duplicate.
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

// continueText is the user message after a prefill, for providers that reject prefills.
const continueText = "Go on with your last message exactly where it stops. Do not repeat any of it."

// endWithUser appends a user message after a prefill if the provider requires this.
func (f *historyFixer) endWithUser() {
	if f.h.Prefill != caps.PrefillRefused || len(f.out) == 0 || !beginsAnswer(f.out[len(f.out)-1]) {
		return
	}
	f.note(place{len(f.msgs) - 1, allParts}, callwright.Note{Rule: "history.inserted_turn", Now: continueText})
	f.out = append(f.out, callwright.UserText(continueText))
}

// beginsAnswer reports whether m, the last message, is a prefill: an assistant message with only text and reasoning.
func beginsAnswer(m callwright.Message) bool {
	return m.Role == callwright.RoleAssistant && !slices.ContainsFunc(m.Parts, func(p callwright.Part) bool {
		switch p.(type) {
		case callwright.Text, callwright.Reasoning:
			return false
		}
		return true
	})
}

// note adds a note about a part of the history or a whole message.
func (f *historyFixer) note(at place, n callwright.Note) {
	n.Stage = callwright.StageOutbound
	if f.place != nil && at.message < len(f.msgs) {
		n.Path = f.place(at.message, at.part)
	}
	f.l.Add(n)
}

// system adds a system message. If the provider accepts only one, at the start, a message directly after it is joined
// to it. A later one becomes a user message, because the start of the request must not change as the conversation
// grows.
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

// blank reports whether parts has only texts of white space.
func blank(parts []callwright.Part) bool {
	return !slices.ContainsFunc(parts, func(p callwright.Part) bool {
		t, is := p.(callwright.Text)
		return !is || strings.TrimSpace(t.Text) != ""
	})
}

// run writes the consecutive assistant messages from index i, followed by the results of their calls, and returns the
// index of the next message. From the first message with calls on they are joined, because most providers require
// results directly after a message with calls.
func (f *historyFixer) run(i int) (next int) {
	var turn callwright.Message
	called := false
	var thoughts []callwright.Part // reasoning of messages without content, for the next message with content
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

// assistant returns assistant message i with its calls as they are sent. ok is false if nothing of it is left.
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

// ruleReasoningAlone is the rule for messages with only reasoning, which clients keep from interrupted responses.
const ruleReasoningAlone = "history.reasoning_alone"

// reasoningAlone reports whether parts has reasoning and otherwise only white space.
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

// reasoningOf returns the reasoning parts and their text.
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

// empty notes an empty text or message that is removed.
func (f *historyFixer) empty(at place, role callwright.Role) {
	f.note(at, callwright.Note{Rule: "history.empty_content", Was: string(role)})
}

// call returns call n with its assigned ID and a JSON object as arguments.
func (f *historyFixer) call(n int, c callwright.Call) (sent callwright.Call, changed bool) {
	if id := f.sentID[n]; id != c.ID {
		c.ID, changed = id, true
	}
	if c.Type != callwright.CustomTool && !jsonx.ValidObject(c.Arguments) {
		c.Arguments, changed = f.arguments(f.calls[n].at, c), true
	}
	return c, changed
}

// arguments repairs arguments in the history. Unreadable ones become {}.
func (f *historyFixer) arguments(at place, c callwright.Call) []byte {
	now := []byte("{}")
	if r, err := repair.JSON(string(c.Arguments)); err == nil && jsonx.ValidObject(r.JSON) {
		now = r.JSON
	}
	f.note(at, callwright.Note{Rule: "history.bad_arguments", Call: c.Name, Was: string(c.Arguments), Now: string(now)})
	return now
}

// order joins and separates messages as the provider requires.
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

// holdsResults reports whether a message has only results, which belong to the assistant message before it.
func holdsResults(m callwright.Message) bool {
	return len(m.Parts) > 0 && !slices.ContainsFunc(m.Parts, func(p callwright.Part) bool { _, is := p.(callwright.Result); return !is })
}

// joinMessages joins two messages with the same role, with a blank line between their texts.
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
