package anthropic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// turn is a message to be sent, made of one or more messages of the history that have the same role in this API.
type turn struct {
	role    callwright.Role
	results []item
	others  []item           // parts other than results
	raw     []byte           // bytes of the one message that it consists of, if they can be sent unchanged
	extra   callwright.Extra // unknown members of the message
	list    bool             // content must be a list of blocks
}

// item is a part to be sent, with its position in the history.
type item struct {
	part           callwright.Part
	message, index int // indices of the message and of the part
	nested         int // position in the parts of a result, from 1; 0 outside results
}

// path returns the JSON pointer to the item for notes, such as /messages/2/0.
func (t item) path() string {
	path := fmt.Sprintf("/messages/%d/%d", t.message, t.index)
	if t.nested > 0 {
		path += fmt.Sprintf("/content/%d", t.nested-1)
	}
	return path
}

// history encodes the messages and the system prompt. system is nil if there is none.
func (e *requestEncoder) history() (messages, system []byte) {
	read := kit.QuotedHistory
	if e.body != nil {
		read = (*callwright.Request).History
	}
	list, err := read(e.req)
	if err != nil {
		e.err = err
		return nil, nil
	}
	list = e.marks.ConvertHistory(list)
	e.list = list
	raws := e.unchangedBytes(list)
	start := 0
	for start < len(list) && list[start].Role == callwright.RoleSystem {
		start++
	}
	system = e.system(list[:start], raws)
	turns := e.turns(list, start, raws)
	e.callsWithoutReasoning = calledWithoutReasoning(turns)
	out := append(kit.EnsureCapacity(e.room, kit.EstimateSize(list)), '[')
	for i := range turns {
		if i > 0 {
			out = append(out, ',')
		}
		e.last = len(out)
		out = e.turn(out, &turns[i])
	}
	return append(out, ']'), system
}

// unchangedBytes returns for each message its bytes in the client's body, or nil for a message that is not in the body,
// was changed, or cannot be sent unchanged.
func (e *requestEncoder) unchangedBytes(list []callwright.Message) [][]byte {
	raws := make([][]byte, len(list))
	if e.body == nil {
		return raws
	}
	came := e.body.DecodedMessages()
	for i, m := range list {
		if j, same := came.Find(m); same && !e.body.foreign(j) && e.takesBlocks(j) && !slices.ContainsFunc(m.Parts, e.lacksSignature) {
			raws[i] = e.body.RawMessage(j)
		}
	}
	return raws
}

// system encodes the system prompt from the messages at the beginning of the history. It returns the client's bytes if
// nothing changed, otherwise a string for one plain text, otherwise a list of blocks.
func (e *requestEncoder) system(list []callwright.Message, raws [][]byte) []byte {
	if len(list) == 1 && raws[0] != nil && e.body.Apart {
		return raws[0]
	}
	var items []item
	asBlocks := false
	for i, m := range list {
		for j, p := range m.Parts {
			at := item{part: p, message: i, index: j}
			t, ok := p.(callwright.Text)
			x, _ := p.(callwright.Opaque)
			_, isQuoted := p.(kit.Quoted)
			switch {
			case own.JSON(x.Extra) != nil:
				items, asBlocks = append(items, at), true
			case isQuoted:
				items = append(items, at)
			case !ok:
				e.note("history.system_part", at.path(), fmt.Sprintf("%T", p), "", "instructions can contain only text")
			case strings.TrimSpace(t.Text) == "":
				e.note("history.empty_text", at.path(), t.Text, "", "empty text is refused")
			default:
				items = append(items, at)
				asBlocks = asBlocks || t.Extra.Wire == callwright.WireAnthropic
			}
		}
	}
	switch {
	case len(items) == 0:
		return nil
	case len(items) == 1 && !asBlocks:
		return e.content(nil, items)
	}
	return e.blocks(nil, items)
}

// turns joins the messages from index start on so that user and assistant alternate and results precede text.
func (e *requestEncoder) turns(list []callwright.Message, start int, raws [][]byte) []turn {
	turns := make([]turn, 0, len(list))
	var moved []item // text of system messages, for the next user message
	for i := start; i < len(list); i++ {
		m := &list[i]
		if m.Role == callwright.RoleSystem && !e.keepsSystem(m) {
			moved = append(moved, e.moveSystemText(i, m)...)
			continue
		}
		e.names.History = list[:i+1]
		t := e.sort(i, m)
		if m.Role == callwright.RoleSystem {
			t.role, t.raw = callwright.RoleSystem, raws[i]
			turns = append(turns, t)
			continue
		}
		if t.role == callwright.RoleUser && moved != nil {
			t.others = append(moved, t.others...)
		}
		if len(t.results)+len(t.others) == 0 && raws[i] == nil {
			e.note("history.empty_message", fmt.Sprintf("/messages/%d", i), string(m.Role), "", "a message without content is refused")
			continue
		}
		orderly := t.hasResultsFirst(m)
		if !orderly && len(t.results) > 0 {
			e.note("history.results_first", t.results[0].path(), "", "", "results must be the first parts of their message")
		}
		if raws[i] != nil && (t.role != callwright.RoleUser || moved == nil) && orderly {
			t.raw = raws[i]
		}
		if t.role == callwright.RoleUser {
			moved = nil
		}
		turns = e.join(turns, t)
	}
	if moved != nil {
		turns = e.join(turns, turn{role: callwright.RoleUser, others: moved, list: true})
	}
	return e.ends(turns)
}

// calledWithoutReasoning reports whether the last turn has results of calls that were made without reasoning: the
// assistant turn before it was encoded from its parts and does not begin with reasoning.
func calledWithoutReasoning(turns []turn) bool {
	n := len(turns) - 1
	if n < 1 || len(turns[n].results) == 0 || turns[n-1].raw != nil || len(turns[n-1].others) == 0 {
		return false
	}
	_, thought := turns[n-1].others[0].part.(callwright.Reasoning)
	return !thought
}

// resultsSpread reports whether two successive messages have results.
func resultsSpread(turns []callwright.Summary) bool {
	for i := 1; i < len(turns); i++ {
		if len(turns[i].Results) > 0 && len(turns[i-1].Results) > 0 {
			return true
		}
	}
	return false
}

// keepsSystem reports whether a system message may stay among the messages: it came over this API, and the provider
// accepts it there.
func (e *requestEncoder) keepsSystem(m *callwright.Message) bool {
	return m.Extra.Wire == callwright.WireAnthropic && !e.caps.History.OneSystem
}

// moveSystemText returns the text of the system message m, for insertion into the next user message. i is its index.
func (e *requestEncoder) moveSystemText(i int, m *callwright.Message) []item {
	text := callwright.TextOf(kit.UnquoteParts(m.Parts))
	path := fmt.Sprintf("/messages/%d", i)
	if strings.TrimSpace(text) == "" {
		e.note("history.empty_text", path, text, "", "empty text is refused")
		return nil
	}
	e.note("history.system_moved", path, text, "", "system text in the middle of the history is moved to the next user message")
	return []item{{part: callwright.Text{Text: text}, message: i}}
}

// hasResultsFirst reports whether the results of the message m precede all of its other parts.
func (t *turn) hasResultsFirst(m *callwright.Message) bool {
	for i, p := range m.Parts {
		if _, ok := p.(callwright.Result); ok && i >= len(t.results) {
			return false
		}
	}
	return true
}

// join appends the turn t, or merges it into the last turn if that has the same role. Two messages that both came over
// this API are not merged, because the API does that itself, unless both have results: these must be in one message.
func (e *requestEncoder) join(turns []turn, t turn) []turn {
	n := len(turns) - 1
	if n < 0 || turns[n].role != t.role {
		return append(turns, t)
	}
	prev := &turns[n]
	if prev.extra.Wire == callwright.WireAnthropic && t.extra.Wire == callwright.WireAnthropic {
		if len(prev.results) == 0 || len(t.results) == 0 {
			return append(turns, t)
		}
		e.note("history.joined_results", t.results[0].path(), "", "", "the results of one turn go into one message")
	}
	// The results of both turns precede all other parts.
	prev.results, prev.others = append(prev.results, t.results...), append(prev.others, t.others...)
	prev.raw, prev.list = nil, true
	if prev.extra.JSON == nil {
		prev.extra = t.extra
	}
	return turns
}

// ends makes sure that the first turn is the user's and that a last assistant turn does not end in white space.
func (e *requestEncoder) ends(turns []turn) []turn {
	if n := len(turns) - 1; n >= 0 && turns[n].role == callwright.RoleAssistant {
		turns = e.trim(turns, n)
	}
	for _, t := range turns {
		if t.role == callwright.RoleUser {
			break
		}
		if t.role == callwright.RoleAssistant {
			return e.addOpening(turns)
		}
	}
	if len(turns) == 0 {
		return e.addOpening(turns)
	}
	return turns
}

// opening is the text of the user message that is inserted if the history begins with an assistant message or is empty.
const opening = "(start of the conversation)"

func (e *requestEncoder) addOpening(turns []turn) []turn {
	e.note("history.first_user", "/messages/0", "", opening, "the first message must be the user's")
	first := turn{role: callwright.RoleUser, others: []item{{part: callwright.Text{Text: opening}}}}
	return append([]turn{first}, turns...)
}

// trim removes white space from the end of the last turn, which is the assistant's and has the index n. It removes a
// turn that becomes empty.
func (e *requestEncoder) trim(turns []turn, n int) []turn {
	t := &turns[n]
	k := len(t.others) - 1
	if k < 0 {
		return turns
	}
	last, ok := kit.UnquoteParts([]callwright.Part{t.others[k].part})[0].(callwright.Text)
	if !ok {
		return turns
	}
	cut := strings.TrimRight(last.Text, " \t\r\n")
	if cut == last.Text {
		return turns
	}
	e.note("history.trailing_space", t.others[k].path(), last.Text[len(cut):], "", "a last text must not end in white space")
	t.raw, last.Text = nil, cut
	t.others = append([]item(nil), t.others...)
	t.others[k].part = last
	if cut == "" {
		t.others = t.others[:k]
	}
	if len(t.others) == 0 {
		return turns[:n]
	}
	return turns
}
