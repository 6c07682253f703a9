package promptcache

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Prompt is the encoded prompt of a request. Its bytes are not modified.
type Prompt struct {
	Tools    Section // the list of tools; its JSON is nil if there are none
	System   Section // a string or a list of blocks; its JSON is nil if the instructions are the first messages
	Messages Section // the list of messages
	// Last is an offset in Messages at which a message starts, or the comma before it. It is that of the last message or
	// of one close to it, from which the search for the last message starts.
	Last int
}

// A Section is the JSON of a prompt's tools, instructions or messages, with the cache marks to insert.
type Section struct {
	JSON  []byte
	marks []jsonx.Edit // insertions in ascending order
}

// HasMarks reports whether there are cache marks to insert.
func (s *Section) HasMarks() bool { return s.marks != nil }

// AppendTo appends the JSON of the section, with its cache marks inserted, to dst.
func (s *Section) AppendTo(dst []byte) []byte { return jsonx.Splice(dst, s.JSON, s.marks...) }

// InsertInto inserts the cache marks into the buffer b, in which the section starts at offset start. It returns the
// longer buffer.
func (s *Section) InsertInto(b []byte, start int) []byte {
	for _, e := range slices.Backward(s.marks) {
		b = slices.Insert(b, start+e.Start, e.New...)
	}
	return b
}

// mark adds cache marks, whose offsets are relative to v, a subslice of the section.
func (s *Section) mark(v []byte, marks ...jsonx.Edit) {
	from, _ := jsonx.Span(s.JSON, v)
	for _, e := range marks {
		e.Start, e.End = e.Start+from, e.End+from
		s.marks = append(s.marks, e)
	}
}

// ephemeral is the value of the cache marks that Add inserts. The provider keeps the cached prompt for its default
// time.
const ephemeral = `{"type":"ephemeral"}`

// lookback is the number of content blocks before a cache mark in which a provider searches for a cached prefix.
const lookback = 20

// Add adds cache marks to p: at the end of its tools, of its instructions and of its last message. It adds a mark only
// if the prompt up to there is long enough to be cached. If the client's request has a mark for the end of the prompt,
// Add instead marks only the last message. p.Last is invalid afterwards.
//
// Whether tools and instructions get a mark depends only on them, and only the last message gets a mark. So the prompt
// before that message does not change as the conversation grows. The mark moves to another message with each turn, but
// the provider does not compare marks: it searches for a cached prefix some blocks before a mark, and so finds the
// prompt of the previous turn.
func (m *Marks) Add(p *Prompt) {
	switch {
	case m.last != nil:
		if !m.markLast(p, m.last) {
			m.notes.Add(callwright.Note{Rule: "history.cache_mark", Was: Member, Why: "no part of the last message can have a cache mark"})
		}
	case m.least > 0:
		m.addOwn(p)
	}
}

// addOwn adds cache marks to a request without any, from a client whose API has none.
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
		m.notes.Add(callwright.Note{Rule: "cache.marked", Now: strings.Join(places, ", "), Why: "the client's API has no cache marks"})
	}
}

// markTools adds a cache mark to the last tool without defer_loading, since a deferred tool must not have a mark. It
// returns false if there is none.
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

// markSystem adds a cache mark to the end of the instructions: p.System, or the message between the offsets head and
// to. It returns false if no mark is possible.
func (m *Marks) markSystem(p *Prompt, head, to int) bool {
	if p.System.JSON == nil {
		return m.markMessage(p, head, to, []byte(ephemeral))
	}
	p.System.mark(p.System.JSON, m.content(p.System.JSON, []byte(ephemeral))...)
	return p.System.HasMarks()
}

// markLast adds a cache mark to the end of the last message. It returns false if no mark is possible. It also returns
// false without a mark from the client (m.last) if the last message is instructions, which markSystem marks.
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

// markFirst adds a cache mark to the first block of the last message, between the offsets at and to, if 10 or more of
// its blocks may have a mark. Otherwise the previous turn might be too far before the mark at the end of the message
// for the provider to find.
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

// markMessage adds a cache mark to the end of the message between the offsets at and to. It returns false if no mark is
// possible.
func (m *Marks) markMessage(p *Prompt, at, to int, mark []byte) bool {
	if at >= to {
		return false
	}
	content, _ := jsonx.Find(p.Messages.JSON[at:to], "content")
	edits := m.content(content, mark)
	p.Messages.mark(content, edits...)
	return edits != nil
}

// content returns the edits that add a cache mark to the end of a message's content v, a string or a list of parts. It
// returns nil if no part may have a mark, or the last such part already has one.
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

// member is the JSON name of a cache mark with the comma and the colon: `,"cache_control":`.
var member = []byte(`,"` + Member + `":`)

// markAt returns an edit that inserts a cache mark at offset end, the closing brace of an object.
func markAt(end int, mark []byte) jsonx.Edit {
	return jsonx.Edit{Start: end, End: end, New: slices.Concat(member, mark)}
}

// marks reports whether a part of a message's content may have a cache mark. Reasoning and blank texts may not
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

// leading returns the offsets of the last of the system messages at the start of the conversation, 0 and 0 if there are
// none.
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

// lastOf returns the offsets of the last element of the JSON list. i is the offset of an element or of the comma before
// it.
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
