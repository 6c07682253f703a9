package gateway

import (
	"bytes"
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// Limits bound a request. A zero member stands for its default.
type Limits struct {
	Body     int64 // bytes: 32 MiB
	Messages int   // messages or items of a conversation: 20,000
	Parts    int   // parts of messages, all together: 100,000
	Tools    int   // declared tools: 20,000
}

func (l Limits) orDefault() Limits {
	if l.Body == 0 {
		l.Body = 32 << 20
	}
	for _, d := range []struct {
		at   *int
		want int
	}{{&l.Messages, 20_000}, {&l.Parts, 100_000}, {&l.Tools, 20_000}} {
		if *d.at == 0 {
			*d.at = d.want
		}
	}
	return l
}

// A tally counts the elements of the lists of a request, by the names that the APIs have for them. It decodes nothing: decoded, a list of
// empty objects takes many times the memory of its text.
type tally struct {
	messages, parts, tools int
	limits                 *Limits
}

// check returns an error for a body with more than the limits.
func (l *Limits) check(body []byte) error {
	if least := min(l.Messages, l.Parts, l.Tools); bytes.Count(body, []byte{','}) < least/2 {
		return nil // n elements of lists have at least n/2 commas between them and their lists
	}
	t := &tally{limits: l}
	for key, v := range jsonx.Members(body) {
		var err error
		switch {
		case key.Is("messages"), key.Is("contents"), key.Is("input"):
			err = t.list(v, &t.messages, l.Messages, "messages", t.message)
		case key.Is("system"), key.Is("instructions"):
			err = t.list(v, &t.parts, l.Parts, "parts", nil)
		case key.Is("systemInstruction"), key.Is("system_instruction"):
			err = t.message(v)
		case key.Is("tools"), key.Is("functions"):
			err = t.list(v, &t.tools, l.Tools, "tools", t.tool)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// list counts the elements of a list and looks into each.
func (t *tally) list(v []byte, n *int, limit int, what string, inside func(v []byte) error) error {
	for e := range jsonx.Elements(v) {
		if *n++; *n > limit {
			return &callwright.Error{Kind: callwright.KindTooLarge,
				Message: fmt.Sprintf("expected at most %d %s in a request, got more", limit, what)}
		}
		if inside != nil {
			if err := inside(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// message counts the parts of a message, and those inside its results.
func (t *tally) message(v []byte) error { return t.members(v, t.part) }

func (t *tally) part(v []byte) error { return t.members(v, nil) }

func (t *tally) members(v []byte, inside func(v []byte) error) error {
	for key, m := range jsonx.Members(v) {
		if key.Is("content") || key.Is("parts") || key.Is("tool_calls") || key.Is("output") || key.Is("summary") || key.Is("images") {
			if err := t.list(m, &t.parts, t.limits.Parts, "parts", inside); err != nil {
				return err
			}
		}
	}
	return nil
}

// tool counts what stands in a group of tools.
func (t *tally) tool(v []byte) error {
	for key, m := range jsonx.Members(v) {
		if key.Is("functionDeclarations") || key.Is("function_declarations") || key.Is("tools") {
			if err := t.list(m, &t.tools, t.limits.Tools, "tools", nil); err != nil {
				return err
			}
		}
	}
	return nil
}
