package outbound

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
)

// others writes the parts of message i, which is not a system or assistant message, that were not written before.
// Results without a call become text.
func (f *historyFixer) others(i int) {
	msg := f.msgs[i]
	if f.done == i {
		return
	}
	if f.lonely(i) && msg.Role == callwright.RoleUser && !hasResult(msg.Parts) {
		f.push(f.alone(i))
		return
	}
	rest := make([]callwright.Part, 0, len(msg.Parts))
	changed := false
	for k, p := range msg.Parts {
		res, is := p.(callwright.Result)
		switch {
		case is && !f.placed[place{i, k}]:
			f.note(place{i, k}, callwright.Note{Rule: "history.orphan_result", Call: res.CallID})
			rest, changed = append(rest, asText(res)...), true
		case is:
			changed = true
		case f.drops(p, msg.Parts):
			f.empty(place{i, k}, msg.Role)
			changed = true
		default:
			rest = append(rest, p)
		}
	}
	switch n := len(f.out); {
	case len(rest) > 0 && changed:
		f.push(callwright.Message{Role: callwright.RoleUser, Parts: rest, Extra: msg.Extra})
	case len(rest) > 0:
		f.push(msg)
	case hasResult(msg.Parts):
	case !f.hasConversation():
		f.push(f.opening(i))
	case f.out[n-1].Role == callwright.RoleAssistant: // otherwise two assistant messages would be joined
		f.note(place{i, allParts}, callwright.Note{Rule: "history.inserted_turn", Now: nothingSaid})
		f.push(callwright.UserText(nothingSaid))
	case len(msg.Parts) == 0:
		f.empty(place{i, allParts}, msg.Role)
	}
}

// nothingSaid replaces an empty user message between two assistant messages.
const nothingSaid = "(no text)"

// results writes the results of the calls before message next: first those directly after the calls, then those
// elsewhere, then an error result for each call without one.
func (f *historyFixer) results(i, next int) {
	from := f.seen
	for f.seen < len(f.calls) && f.calls[f.seen].at.message < next {
		f.seen++
	}
	for m := next; m < len(f.msgs) && f.msgs[m].Role != callwright.RoleAssistant && f.msgs[m].Role != callwright.RoleSystem; m++ {
		if whole := f.leadingResults(m, from); !whole {
			break
		}
	}
	var late []callwright.Part
	for n := from; n < f.seen; n++ {
		if f.waits(n) {
			late = append(late, f.lateResult(n))
		}
	}
	if len(late) > 0 {
		f.push(callwright.Message{Role: callwright.RoleTool, Parts: late})
	}
}

// waits reports whether the result of call n is not written yet.
func (f *historyFixer) waits(n int) bool { return !f.calls[n].answered || !f.placed[f.calls[n].result] }

// leadingResults writes the results at the beginning of message m that belong to calls with numbers in [from, f.seen).
// whole reports that the message has no other parts.
func (f *historyFixer) leadingResults(m, from int) (whole bool) {
	msg := f.msgs[m]
	var results []callwright.Part
	changed := false
	for k, p := range msg.Parts {
		n, ok := f.answer[place{m, k}]
		if !ok || n < from || n >= f.seen {
			break
		}
		res, differs := f.result(n, p.(callwright.Result))
		results, changed = append(results, res), changed || differs
		f.placed[place{m, k}] = true
	}
	whole = len(results) == len(msg.Parts)
	switch {
	case len(results) == 0:
	case whole && !changed:
		f.push(msg)
	case !changed && !f.h.NoUserAfterTool && f.clean(msg.Parts, len(results)) && !slices.ContainsFunc(f.numbers(from), f.waits):
		f.push(msg)
		f.done = m
	default:
		if msg.Role, msg.Parts = callwright.RoleTool, results; !whole {
			msg.Extra = callwright.Extra{} // belongs to the rest of the message
		}
		f.push(msg)
	}
	return whole
}

// numbers returns the call numbers in [from, f.seen).
func (f *historyFixer) numbers(from int) []int {
	var out []int
	for n := from; n < f.seen; n++ {
		out = append(out, n)
	}
	return out
}

// clean reports whether the parts of a user message after n results can be sent unchanged.
func (f *historyFixer) clean(parts []callwright.Part, n int) bool {
	return !slices.ContainsFunc(parts[n:], func(p callwright.Part) bool {
		_, result := p.(callwright.Result)
		return result || f.drops(p, parts)
	})
}

// drops reports whether p is an empty text that must be removed. parts is the whole message.
func (f *historyFixer) drops(p callwright.Part, parts []callwright.Part) bool {
	t, ok := p.(callwright.Text)
	return ok && (f.h.NoBlankText && strings.TrimSpace(t.Text) == "" || t.Text == "" && blank(parts))
}

// lateResult returns the result of call n from elsewhere in the history, or an error result if there is none.
func (f *historyFixer) lateResult(n int) callwright.Result {
	c := &f.calls[n]
	if !c.answered {
		f.note(c.at, callwright.Note{Rule: "history.orphan_call", Call: f.sentID[n]})
		return callwright.Result{CallID: f.sentID[n], Name: c.Name, Type: c.Type, IsError: true, Parts: []callwright.Part{
			callwright.Text{Text: "no result: the call was not executed"},
		}}
	}
	f.note(c.result, callwright.Note{Rule: "history.results_first", Call: f.sentID[n]})
	f.placed[c.result] = true
	res, _ := f.result(n, f.msgs[c.result.message].Parts[c.result.part].(callwright.Result))
	return res
}

// result returns the result of call n as it is sent.
func (f *historyFixer) result(n int, res callwright.Result) (sent callwright.Result, changed bool) {
	c := &f.calls[n]
	changed = res.CallID != f.sentID[n] || res.Type != c.Type
	if res.CallID, res.Type = f.sentID[n], c.Type; res.Name == "" {
		res.Name = c.Name
	}
	return res, changed
}

func (f *historyFixer) push(msg callwright.Message) { f.out = append(f.out, msg) }

// asText converts a result without a call to text.
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

// lonely reports whether message i is the only one besides instructions. It is kept even if it is empty.
func (f *historyFixer) lonely(i int) bool {
	said := func(m callwright.Message) bool { return m.Role != callwright.RoleSystem }
	return slices.IndexFunc(f.msgs, said) == i && !slices.ContainsFunc(f.msgs[i+1:], said)
}

// alone returns user message i, which is the only one, in a form that the provider accepts.
func (f *historyFixer) alone(i int) callwright.Message {
	if !f.h.NoBlankText || !blank(f.msgs[i].Parts) {
		return f.msgs[i]
	}
	return f.opening(i)
}

// hasConversation reports whether there is a message besides instructions.
func (f *historyFixer) hasConversation() bool {
	return slices.ContainsFunc(f.out, func(m callwright.Message) bool { return m.Role != callwright.RoleSystem })
}

// opening returns a user message in place of the empty message i.
func (f *historyFixer) opening(i int) callwright.Message {
	f.note(place{i, allParts}, callwright.Note{Rule: "history.first_user", Now: openingText})
	return callwright.UserText(openingText)
}

// openingText is the text of the first user message if that is empty or missing.
const openingText = "(start of the conversation)"
