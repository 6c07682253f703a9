package promptcache

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// ConvertHistory returns history with marks of another API converted to marks of this API. Marks that the provider does
// not accept, or that this API has no place for, are dropped; [kit.Notes.OfHistory] notes them. Messages without marks
// stay as they are. history is not modified.
func (m *Marks) ConvertHistory(history []callwright.Message) []callwright.Message {
	if m == nil || !m.takes || m.isSameAPI() || !m.any() {
		return history
	}
	n := 0
	for i := range history {
		n += m.count(&history[i])
	}
	skip := m.fit(n)
	if n == 0 {
		return history
	}
	out := slices.Clone(history)
	for i := range out {
		if k := m.count(&out[i]); k > 0 {
			out[i] = m.carry(out[i], skip)
			skip = max(0, skip-k)
		}
	}
	return out
}

// fit returns how many of the n cache marks of a history exceed MaxMarks. The first marks are dropped, because a later
// mark covers a longer prompt. For the same reason the marks of tools are dropped before those of the history; fit then
// sets m.dropToolMarks.
func (m *Marks) fit(n int) (skip int) {
	room := MaxMarks
	if m.last != nil {
		room--
	}
	tools := m.countTools()
	m.dropToolMarks = tools > 0 && tools+n > room
	if skip = max(0, n-room); skip > 0 {
		m.notes.Add(callwright.Note{Rule: "history.cache_mark", Path: "/messages", Was: Member, Count: skip,
			Why: "a request can have at most four cache marks"})
	}
	return skip
}

// countTools returns the number of tools with a cache mark of another API.
func (m *Marks) countTools() (n int) {
	tools, err := m.req.DeclaredTools()
	if err != nil {
		return 0
	}
	for i := range tools {
		if m.foreign(tools[i].Extra) != nil {
			n++
		}
	}
	return n
}

// count returns the number of cache marks of another API in a message.
func (m *Marks) count(msg *callwright.Message) (n int) {
	if m.foreign(msg.Extra) != nil {
		n++
	}
	for _, p := range msg.Parts {
		if m.of(p) != nil {
			n++
		}
	}
	return n
}

// of returns the JSON value of a part's cache mark if it is of another API, nil if there is none. The mark of a tool
// result may be in one of its parts.
func (m *Marks) of(part callwright.Part) []byte {
	mark := m.foreign(extraOf(part))
	if r, ok := part.(callwright.Result); ok && mark == nil {
		for _, in := range r.Parts {
			if v := m.of(in); v != nil {
				mark = v
			}
		}
	}
	return mark
}

// carry returns msg with its cache marks of other APIs converted to the provider's API. It removes the first marks
// instead, as many as skip.
func (m *Marks) carry(msg callwright.Message, skip int) callwright.Message {
	msg.Parts = slices.Clone(msg.Parts)
	for i, p := range msg.Parts {
		mark := m.of(p)
		if mark == nil {
			continue
		}
		if skip > 0 {
			mark = nil
			skip--
		}
		if with, ok := m.withMark(p, mark); ok {
			msg.Parts[i] = with
		}
	}
	if mark := m.foreign(msg.Extra); mark != nil {
		if i := m.end(msg.Parts); i >= 0 && skip == 0 {
			msg.Parts[i], _ = m.withMark(msg.Parts[i], mark)
		}
		msg.Extra = callwright.Extra{Wire: msg.Extra.Wire}
	}
	return msg
}

// withMark returns a copy of part whose Extra has only a cache mark of this API, or nothing if mark is nil. ok is false
// if this API has no place for a mark in such a part.
func (m *Marks) withMark(part callwright.Part, mark []byte) (with callwright.Part, ok bool) {
	var x callwright.Extra
	if mark != nil {
		x = m.own.Keep(x, Member, mark)
	}
	switch p := part.(type) {
	case callwright.Text, kit.Quoted:
		return withExtra(p, x), true
	case callwright.Image:
		p.Extra = x
		return p, true
	case callwright.File:
		p.Extra = x
		return p, true
	case callwright.Call:
		p.Extra = x
		return p, m.form == Blocks
	case callwright.Result:
		return m.markedResult(p, x)
	}
	return part, false
}

// markedResult returns a copy of the tool result r with the cache mark x, on the result or on the last of its texts,
// depending on m.form. ok is false if there is no place for the mark.
func (m *Marks) markedResult(r callwright.Result, x callwright.Extra) (with callwright.Part, ok bool) {
	r.Parts = slices.Clone(r.Parts)
	end := -1
	for i, p := range r.Parts {
		if m.of(p) != nil {
			r.Parts[i], _ = m.withMark(p, nil)
		}
		if hasWords(p) {
			end = i
		}
	}
	if m.form == Blocks {
		r.Extra = x
		return r, true
	}
	if end < 0 {
		return r, false
	}
	r.Extra = callwright.Extra{}
	r.Parts[end] = withExtra(r.Parts[end], x)
	return r, true
}

// hasWords reports whether part is a text that is not blank, and so may have a cache mark.
func hasWords(part callwright.Part) bool {
	t, _ := part.(callwright.Text)
	_, quoted := part.(kit.Quoted)
	return quoted || strings.TrimSpace(t.Text) != ""
}

// withExtra returns a copy of a text part with the Extra x. A Quoted part, which has no Extra, becomes a plain Text.
func withExtra(text callwright.Part, x callwright.Extra) callwright.Part {
	t, _ := text.(callwright.Text)
	if q, quoted := text.(kit.Quoted); quoted {
		t = q.Read()
	}
	t.Extra = x
	return t
}

// end returns the index of the last part that may have a cache mark, -1 if there is none.
func (m *Marks) end(parts []callwright.Part) int {
	for i, p := range slices.Backward(parts) {
		switch p.(type) {
		case callwright.Text, kit.Quoted:
			if hasWords(p) {
				return i
			}
		case callwright.Image, callwright.File:
			return i
		case callwright.Call, callwright.Result:
			if m.form == Blocks {
				return i
			}
		}
	}
	return -1
}
