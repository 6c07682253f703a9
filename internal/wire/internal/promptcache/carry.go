package promptcache

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// ConvertHistory is a history with the marks that it has in the form of another API as marks of this one, where they
// have a place here and may be sent: [kit.Notes.OfHistory] notes the others. Messages without marks stay as they are.
func (m *Marks) ConvertHistory(history []callwright.Message) []callwright.Message {
	if m == nil || !m.takes || m.mine() || !m.any() {
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

// fit leaves out the marks for which there is no room where the history has n of them, and gives how many of these are
// left out: the first ones, as the last ones cover the most. For the same reason those of tools go before all others.
func (m *Marks) fit(n int) (skip int) {
	room := MaxMarks
	if m.last != nil {
		room--
	}
	tools := m.countTools()
	m.wide = tools > 0 && tools+n > room
	if skip = max(0, n-room); skip > 0 {
		m.notes.Add(callwright.Note{Rule: "history.cache_mark", Path: "/messages", Was: Member, Count: skip,
			Why: "a request may have four marks"})
	}
	return skip
}

// countTools counts the marks of tools.
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

// count counts the marks of a message.
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

// of is the mark that a part has in the form of another API. That of a result may stand inside it.
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

// carry is a message with its marks in the form of this API, but for the first ones.
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

// withMark is a part with a mark of this API in the place of members of another one, nil for none. ok is false where
// the part has no place for it.
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

// markedResult is a result with a mark: of its own or at the end of its texts, as the API has it.
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

// hasWords reports whether a part is a text that may have a mark.
func hasWords(part callwright.Part) bool {
	t, _ := part.(callwright.Text)
	_, quoted := part.(kit.Quoted)
	return quoted || strings.TrimSpace(t.Text) != ""
}

// withExtra is a text with members of this API in the place of others. One that is copied from the body has none: it is
// read.
func withExtra(text callwright.Part, x callwright.Extra) callwright.Part {
	t, _ := text.(callwright.Text)
	if q, quoted := text.(kit.Quoted); quoted {
		t = q.Read()
	}
	t.Extra = x
	return t
}

// end is the place of the last part that may have a mark, below 0 without any.
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
