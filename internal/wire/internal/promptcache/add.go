package promptcache

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Prompt is the written part of a request. Its bytes are not written to.
type Prompt struct {
	Tools    Section // the list of tools, without JSON where there are none
	System   Section // a text or a list of blocks, without JSON where instructions are the first messages
	Messages Section // the list of messages
	// Last is a place in Messages where one of them begins, or the comma before it: the last one, or one that is not
	// far from it.
	Last int
}

// A Section is one of the three parts of a prompt, with the marks that it gets.
type Section struct {
	JSON  []byte
	marks []jsonx.Edit // what is to be inserted, in order
}

// HasMarks reports whether there are marks.
func (s *Section) HasMarks() bool { return s.marks != nil }

// AppendTo appends the section with its marks.
func (s *Section) AppendTo(dst []byte) []byte { return jsonx.Splice(dst, s.JSON, s.marks...) }

// InsertInto inserts the marks where the section stands in a buffer, from start on, and gives the longer buffer.
func (s *Section) InsertInto(b []byte, start int) []byte {
	for _, e := range slices.Backward(s.marks) {
		b = slices.Insert(b, start+e.Start, e.New...)
	}
	return b
}

// mark adds a mark, of a place in v, which is a piece of the section.
func (s *Section) mark(v []byte, marks ...jsonx.Edit) {
	from, _ := jsonx.Span(s.JSON, v)
	for _, e := range marks {
		e.Start, e.End = e.Start+from, e.End+from
		s.marks = append(s.marks, e)
	}
}

// ephemeral is the mark that is added: the provider keeps the cached prompt for its default time.
const ephemeral = `{"type":"ephemeral"}`

// lookback is the number of blocks before a mark in which a provider looks for a cached prefix.
const lookback = 20

// Add adds marks to a prompt: at the end of its tools, of its instructions and of its last message, each where the
// cached prompt is long enough. Last is of no use afterwards.
//
// Whether tools and instructions are marked depends on them alone, and of the messages only the last one is marked, so
// that nothing before it changes as the conversation grows. The mark moves to another message with each turn. It is no
// part of the text that the provider compares, which looks for a cached beginning some blocks before a mark: so the
// next turn is found to begin with this one.
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
	size := len(p.Tools.JSON)
	if size >= m.least && p.markTools() {
		places = append(places, "tools")
	}
	head, to := p.leading()
	if size += len(p.System.JSON) + to - head; size >= m.least && m.markSystem(p, head, to) {
		places = append(places, "system")
	}
	if size+len(p.Messages.JSON) >= m.least && m.markLast(p, []byte(ephemeral)) {
		places = append(places, "messages")
	}
	if places != nil {
		m.notes.Add(callwright.Note{Rule: "cache.marked", Now: strings.Join(places, ", "), Why: "the client's API has no word for what to cache"})
	}
}

// markTools marks the last tool that may have a mark: one whose definition is to be loaded later may not.
func (p *Prompt) markTools() bool {
	tools := p.Tools.JSON
	end := bytes.LastIndexByte(tools, '}')
	if jsonx.Mentions(tools, "defer_loading") {
		end = -1
		for t := range jsonx.Elements(tools) {
			if later, _ := jsonx.Find(t, "defer_loading"); !jsonx.IsTrue(later) {
				_, to := jsonx.Span(tools, t)
				end = to - 1
			}
		}
	}
	if end < 0 {
		return false
	}
	p.Tools.mark(tools, markAt(end, []byte(ephemeral)))
	return true
}

// markSystem marks the end of the instructions, which are a member of their own or the message at head.
func (m *Marks) markSystem(p *Prompt, head, to int) bool {
	if p.System.JSON == nil {
		return m.markMessage(p, head, to, []byte(ephemeral))
	}
	p.System.mark(p.System.JSON, m.content(p.System.JSON, []byte(ephemeral))...)
	return p.System.HasMarks()
}

// markLast marks the end of the last message. Instructions that nothing follows are marked as such.
func (m *Marks) markLast(p *Prompt, mark []byte) bool {
	head, _ := p.leading()
	at, to := lastOf(p.Messages.JSON, p.Last)
	if at < to && at == head && m.last == nil {
		return false
	}
	if m.form == Blocks && m.last == nil {
		m.markFirst(p, at, to)
	}
	return m.markMessage(p, at, to, mark)
}

// markFirst marks the first block of a last message that has so many blocks that the previous request, and the answer
// to it, may be out of sight of the mark at its end.
func (m *Marks) markFirst(p *Prompt, at, to int) {
	if at >= to {
		return
	}
	content, _ := jsonx.Find(p.Messages.JSON[at:to], "content")
	var first []byte
	n := 0
	for b := range jsonx.Elements(content) {
		if m.form.marks(b) {
			if n++; first == nil {
				first = b
			}
		}
	}
	if n >= lookback/2 {
		p.Messages.mark(first, markAt(len(first)-1, []byte(ephemeral)))
	}
}

// markMessage marks the end of the message that stands at a place.
func (m *Marks) markMessage(p *Prompt, at, to int, mark []byte) bool {
	if at >= to {
		return false
	}
	content, _ := jsonx.Find(p.Messages.JSON[at:to], "content")
	edits := m.content(content, mark)
	p.Messages.mark(content, edits...)
	return edits != nil
}

// content marks the end of a content: it returns the edits, nil where nothing in it may have a mark, or the last such
// part has one already.
func (m *Marks) content(v, mark []byte) []jsonx.Edit {
	if jsonx.IsText(v) {
		if jsonx.IsBlank(v) {
			return nil
		}
		end := len(v)
		return []jsonx.Edit{{New: []byte(`[{"type":"text","text":`)}, {Start: end, End: end, New: slices.Concat(member, mark, []byte("}]"))}}
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
	_, end := jsonx.Span(v, last)
	return []jsonx.Edit{markAt(end-1, mark)}
}

// member is the name of a mark after another member.
var member = []byte(`,"` + Member + `":`)

// markAt puts a mark before the end of an object.
func markAt(end int, mark []byte) jsonx.Edit {
	return jsonx.Edit{Start: end, End: end, New: slices.Concat(member, mark)}
}

// marks reports whether a part of a content may have a mark: thoughts and empty texts may not
// (https://platform.claude.com/docs/en/build-with-claude/prompt-caching#what-cannot-be-cached).
func (f Form) marks(part []byte) bool {
	kind, _ := jsonx.Find(part, "type")
	switch string(jsonx.TextBytes(kind)) {
	case "text":
		words, _ := jsonx.Find(part, "text")
		return jsonx.IsText(words) && !jsonx.IsBlank(words)
	case "image", "document", "tool_use", "tool_result":
		return f == Blocks
	}
	return false
}

// leading is the place of the last of the messages that the conversation begins with and that are instructions, an
// empty one where there is none.
func (p *Prompt) leading() (from, to int) {
	if p.System.JSON != nil {
		return 0, 0
	}
	list := p.Messages.JSON
	jsonx.WalkElements(list, 0, func(_, at int) int {
		end := jsonx.SkipValue(list, at)
		role, _ := jsonx.Find(list[at:end], "role")
		if r := jsonx.TextBytes(role); string(r) != "system" && string(r) != "developer" {
			return len(list)
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
