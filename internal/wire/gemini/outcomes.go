package gemini

import (
	"fmt"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// ranked is a result with the position of its call among the calls of the turn.
type ranked struct {
	callwright.Result
	rank int
}

// others writes the messages between two model turns: first one content with all results, in the order of their calls,
// then the user messages. System messages become user contents.
func (h *historyWriter) others(messages []callwright.Message) {
	var found []ranked
	var raw []byte // of the only message with results, if it can be sent unchanged
	whole := -1    // index of that message
	var extra callwright.Extra
	holders, other, late := 0, false, ""
	for i, m := range messages {
		n := len(found)
		for _, p := range m.Parts {
			r, is := p.(callwright.Result)
			if !is {
				other = true
				continue
			}
			if other {
				late = r.CallID
			}
			found = append(found, ranked{r, h.rank(r.CallID)})
		}
		if len(found) > n {
			holders, extra = holders+1, m.Extra
			if same, ok := h.findUnchanged(m); ok && !h.mixed {
				raw, whole = same, i
			}
		}
	}
	sorted := late == "" && h.inOrder(found)
	if !sorted {
		h.notes.Add(callwright.Note{Rule: "history.results_first", Path: "/messages", Call: late,
			Why: "results must follow their calls directly, in the same order"})
		slices.SortStableFunc(found, func(a, b ranked) int { return a.rank - b.rank })
	}
	if holders > 1 && h.body != nil {
		h.notes.Add(callwright.Note{Rule: "history.joined_results", Path: "/messages", Call: found[0].CallID,
			Why: "the results of one turn must be in one content"})
	}
	switch {
	case len(found) > 0 && sorted && holders == 1 && raw != nil:
		h.Writer.Raw("", raw)
		messages = slices.Delete(slices.Clone(messages), whole, whole+1)
	case len(found) > 0:
		if holders > 1 || late != "" {
			extra = callwright.Extra{}
		}
		h.results(found, extra)
	}
	for _, m := range messages {
		h.other(m)
	}
}

// rank returns the position of a call among the calls of the last model turn, or their number if it is not one of them.
func (h *historyWriter) rank(id string) int {
	if at, known := h.order[id]; known {
		return at
	}
	return len(h.order)
}

func isResult(p callwright.Part) bool { _, is := p.(callwright.Result); return is }

// inOrder reports whether the results that are sent without an id are in the order of their calls, for each tool name.
func (h *historyWriter) inOrder(found []ranked) bool {
	if len(found) < 2 {
		return true
	}
	last := map[string]int{}
	for _, r := range found {
		if h.sent[r.CallID] != "" {
			continue
		}
		name := h.names[r.CallID]
		if before, seen := last[name]; seen && before > r.rank {
			return false
		}
		last[name] = r.rank
	}
	return true
}

// other writes a message of the user or the system, without its results.
func (h *historyWriter) other(m callwright.Message) {
	rest := m.Parts
	if slices.ContainsFunc(rest, isResult) {
		rest = slices.DeleteFunc(slices.Clone(rest), isResult)
	}
	switch raw, same := h.findUnchanged(m); {
	case len(rest) == 0 && (len(m.Parts) > 0 || m.Role == callwright.RoleSystem):
		return
	case same && len(rest) == len(m.Parts):
		h.Writer.Raw("", raw)
		return
	case m.Role == callwright.RoleSystem:
		h.notes.Add(callwright.Note{Rule: "history.system_moved", Path: "/messages", Was: callwright.TextOf(rest),
			Why: "system text in the middle of the history becomes a user turn"})
	case len(rest) < len(m.Parts):
		m.Extra = callwright.Extra{} // it belongs to the results
	}
	h.content(callwright.RoleUser, rest, m.Extra)
}

// results writes one content with the results of a turn. Media that cannot be in a result follow after the results.
func (h *historyWriter) results(found []ranked, extra callwright.Extra) {
	var beside []callwright.Part
	h.Open("", '{')
	h.role(callwright.RoleUser, extra)
	h.Open("parts", '[')
	for _, r := range found {
		beside = append(beside, h.result(r.Result)...)
	}
	h.parts(beside)
	h.Close(']')
	h.Writer.Extra(extra, "role")
	h.Close('}')
}

// result writes a functionResponse. It returns the parts of the result that have to follow after all results.
func (h *historyWriter) result(r callwright.Result) (beside []callwright.Part) {
	if r.Name == "" {
		r.Name = h.names[r.CallID]
	}
	inside := r.Parts
	if shown := media(r.Parts); len(shown) > 0 && h.caps.ResultImages == caps.No {
		inside = []callwright.Part{callwright.Text{Text: callwright.TextOf(r.Parts)}}
		beside = append(beside, callwright.Text{Text: fmt.Sprintf("[From the result of %s:]", r.Name)})
		beside = append(beside, shown...)
		h.notes.Add(callwright.Note{Rule: "history.result_image", Call: r.CallID, Path: "/messages",
			Why: "results can contain only text; the files follow them"})
	}
	var said, files []callwright.Part
	for _, p := range inside {
		switch p := h.convertPart(p).(type) {
		case callwright.Text:
			said = append(said, p)
		case callwright.File:
			files = append(files, p)
		}
	}
	r.Parts = said
	h.Open("", '{')
	h.Open(functionResponse.camel, '{')
	h.OptionalText("id", h.sent[r.CallID])
	h.Text("name", r.Name)
	h.response(r)
	if len(files) > 0 {
		h.Open("parts", '[')
		h.parts(files)
		h.Close(']')
	}
	h.Writer.Extra(own.Extra(own.Member(r.Extra, functionResponse.camel)), "response")
	h.Close('}')
	h.Writer.Extra(r.Extra, functionResponse.camel)
	h.Close('}')
	return beside
}
