package promptcache

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Prompt is what was written of a request, as JSON. Its bytes are not written to.
type Prompt struct {
	Tools    []byte // the list of tools, nil without any
	System   []byte // a text or a list of blocks, nil where instructions are the first messages
	Messages []byte // the list of messages
	// Last is a place in Messages where one of them begins, or the comma before it: the last one, or one that is not far from it.
	Last int
}

// ephemeral is the mark that is added: what is cached stays for as long as the provider keeps it by default.
const ephemeral = `{"type":"ephemeral"}`

// Add adds marks to a prompt: at the end of its tools, of its instructions and of its last message, each where what would be cached by
// it is long enough.
//
// Whether tools and instructions are marked depends on them alone, and of the messages only the last one is marked, so that nothing
// before it changes as the conversation grows. The mark goes to another message with each turn. It is no part of what the provider
// compares, which looks for a beginning that it has some blocks before a mark: so the next turn is found to begin with this one.
func (m *Marks) Add(p *Prompt) {
	switch {
	case m.last != nil:
		if !m.markLast(p, m.last) {
			m.notes.Add(callwright.Note{Rule: "history.cache_mark", Was: Member, Why: "nothing in the last message may have a mark"})
		}
	case m.least > 0:
		m.addOwn(p)
	}
}

// addOwn adds marks that no client asked for.
func (m *Marks) addOwn(p *Prompt) {
	var places []string
	size := len(p.Tools)
	if size >= m.least && m.markTools(p) {
		places = append(places, "tools")
	}
	head, to := leading(p)
	if size += len(p.System) + to - head; size >= m.least && m.markSystem(p, head, to) {
		places = append(places, "system")
	}
	if size+len(p.Messages) >= m.least && m.markLast(p, []byte(ephemeral)) {
		m.markFirst(p)
		places = append(places, "messages")
	}
	if places != nil {
		m.notes.Add(callwright.Note{Rule: "cache.marked", Now: strings.Join(places, ", "), Why: "the client's API has no word for what to cache"})
	}
}

// markTools marks the last tool that may have a mark: one whose definition is to be loaded later may not.
func (m *Marks) markTools(p *Prompt) bool {
	end := bytes.LastIndexByte(p.Tools, '}')
	if bytes.Contains(p.Tools, []byte(`"defer_loading"`)) {
		end = -1
		for t := range jsonx.Elements(p.Tools) {
			if later, _ := jsonx.Find(t, "defer_loading"); !jsonx.IsTrue(later) {
				_, to := jsonx.Span(p.Tools, t)
				end = to - 1
			}
		}
	}
	if end < 0 {
		return false
	}
	p.Tools = withMark(p.Tools, end, []byte(ephemeral))
	return true
}

// markSystem marks the end of the instructions, which are a member of their own or the message at head.
func (m *Marks) markSystem(p *Prompt, head, to int) bool {
	if p.System != nil {
		out := m.content(p.System, []byte(ephemeral))
		if out != nil {
			p.System = out
		}
		return out != nil
	}
	return m.markMessage(p, head, to, []byte(ephemeral))
}

// markLast marks the end of the last message. Instructions that nothing follows are marked as such.
func (m *Marks) markLast(p *Prompt, mark []byte) bool {
	head, _ := leading(p)
	at, to := lastOf(p.Messages, p.Last)
	if at < to && at == head && m.last == nil {
		return false
	}
	return m.markMessage(p, at, to, mark)
}

// lookback is how many blocks before a mark a provider looks for a beginning that it has.
const lookback = 20

// markFirst marks the first block of a last message that has so many that the beginning before it and the answer that it goes with may
// be out of sight of the mark at its end.
func (m *Marks) markFirst(p *Prompt) {
	at, to := lastOf(p.Messages, p.Last)
	if m.form != Blocks || at >= to {
		return
	}
	content, _ := jsonx.Find(p.Messages[at:to], "content")
	var first []byte
	n := 0
	for b := range jsonx.Elements(content) {
		if n++; first == nil && m.form.marks(b) {
			first = b
		}
	}
	if n < lookback/2 {
		return
	}
	_, end := jsonx.Span(p.Messages, first)
	p.Messages = withMark(p.Messages, end-1, []byte(ephemeral))
}

// markMessage marks the end of the message that stands at a place.
func (m *Marks) markMessage(p *Prompt, at, to int, mark []byte) bool {
	if at >= to {
		return false
	}
	content, _ := jsonx.Find(p.Messages[at:to], "content")
	out := m.content(content, mark)
	if out == nil {
		return false
	}
	from, end := jsonx.Span(p.Messages, content)
	p.Messages = slices.Concat(p.Messages[:from], out, p.Messages[end:])
	if p.Last > end {
		p.Last += len(out) - len(content)
	}
	return true
}

// content is a content with a mark at its end, nil where nothing in it may have one.
func (m *Marks) content(v, mark []byte) []byte {
	if jsonx.IsText(v) {
		if jsonx.IsBlank(v) {
			return nil
		}
		text := append(append([]byte(`{"type":"text","text":`), v...), '}')
		return append(append([]byte{'['}, withMark(text, len(text)-1, mark)...), ']')
	}
	var last []byte
	for b := range jsonx.Elements(v) {
		if m.form.marks(b) {
			last = b
		}
	}
	if _, marked := jsonx.Find(last, Member); marked || last == nil {
		return nil
	}
	_, to := jsonx.Span(v, last)
	return withMark(v, to-1, mark)
}

// marks reports whether a part of a content may have a mark: thoughts and empty texts may not
// (https://platform.claude.com/docs/en/build-with-claude/prompt-caching#what-cannot-be-cached).
func (f Form) marks(part []byte) bool {
	kind, _ := jsonx.Find(part, "type")
	switch jsonx.Alias(kind) {
	case "text":
		words, _ := jsonx.Find(part, "text")
		return jsonx.IsText(words) && !jsonx.IsBlank(words)
	case "image", "document", "tool_use", "tool_result":
		return f == Blocks
	}
	return false
}

// withMark is v with a mark as the last member of the object that ends at end.
func withMark(v []byte, end int, mark []byte) []byte {
	return slices.Concat(v[:end], []byte(`,"`+Member+`":`), mark, v[end:])
}

// leading is the place of the last of the messages that the conversation begins with and that are instructions, an empty one where there
// is none.
func leading(p *Prompt) (from, to int) {
	if p.System != nil {
		return 0, 0
	}
	jsonx.WalkElements(p.Messages, 0, func(_, at int) int {
		end := jsonx.SkipValue(p.Messages, at)
		role, _ := jsonx.Find(p.Messages[at:end], "role")
		if r := jsonx.Alias(role); r != "system" && r != "developer" {
			return len(p.Messages)
		}
		from, to = at, end
		return end
	})
	return from, to
}

// lastOf is the place of the last element of a list, of which one begins at i or after the comma there.
func lastOf(list []byte, i int) (from, to int) {
	for i < len(list) {
		switch c := list[i]; {
		case c == ']':
			return from, to
		case c == '[' || c == ',' || c <= ' ':
			i++
		default:
			from = i
			to = jsonx.SkipValue(list, i)
			i = to
		}
	}
	return from, to
}
