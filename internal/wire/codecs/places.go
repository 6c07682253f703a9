package codecs

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// A partKind tells the parts of a message apart that a wire keeps in different places.
type partKind uint8

const (
	callPart partKind = iota
	resultPart
	thoughtPart
	otherPart
	partKinds int = iota
)

func kindOfPart(p callwright.Part) partKind {
	switch p.(type) {
	case callwright.Call:
		return callPart
	case callwright.Result:
		return resultPart
	case callwright.Reasoning:
		return thoughtPart
	}
	return otherPart
}

// A spot is where a wire keeps parts: a member of an element of the history, each element of it where it is a list, or
// the element itself where no member is named. A spot with a type is one of elements of that type alone; "_call" stands
// for all types that end so.
type spot struct {
	kind   partKind
	member string
	of     string
}

// spots are the places of parts, those of a kind in the order in which they are read.
var spots = map[callwright.WireName][]spot{
	callwright.WireOpenAI: {{callPart, "tool_calls", ""}, {callPart, "function_call", ""}, {thoughtPart, "reasoning_content", ""},
		{thoughtPart, "reasoning", ""}, {otherPart, "content", ""}},
	callwright.WireOllama: {{callPart, "tool_calls", ""}, {thoughtPart, "thinking", ""}, {otherPart, "content", ""},
		{otherPart, "images", ""}},
	callwright.WireResponses: {{callPart, "", "_call"}, {resultPart, "", "_output"}, {thoughtPart, "", "reasoning"},
		{otherPart, "content", "message"}},
	callwright.WireAnthropic: {{otherPart, "content", ""}},
	callwright.WireGemini:    {{otherPart, "parts", ""}},
}

// covers reports whether a spot is one of elements of a type; those without one are messages.
func (s spot) covers(kind string) bool {
	return s.of == "" || s.of == kind || s.of == "message" && kind == "" || s.of[0] == '_' && strings.HasSuffix(kind, s.of)
}

// blockTypes are the types of blocks, and members of parts, that hold something else than shown content.
var blockTypes = map[string]partKind{"tool_use": callPart, "tool_result": resultPart, "thinking": thoughtPart,
	"redacted_thinking": thoughtPart,
	"functionCall":      callPart, "function_call": callPart, "functionResponse": resultPart, "function_response": resultPart,
	"thought": thoughtPart}

// places are the places of all parts of a history.
type places struct {
	list     string                // of the history
	messages []string              // of each message
	parts    [][partKinds][]string // of what each message holds, by kinds
	of       [][]string            // of each part of each message
}

// index finds the places in one pass over the body.
func (c *Conversation) index() *places {
	p := &places{list: "/" + listNames[c.Wire()]}
	if c.alone {
		p.list = ""
	}
	history, err := c.Request.History()
	came := companion.Of(c.Request)
	raws, ok := came.Body.(interface{ RawMessage(i int) []byte })
	if err != nil || !ok {
		return p
	}
	p.messages, p.parts = make([]string, len(history)), make([][partKinds][]string, len(history))
	body := came.Bytes()
	list, _ := jsonx.Find(body, listNames[c.Wire()])
	for i := range history {
		p.messages[i] = p.list
		if start, _ := jsonx.Span(list, raws.RawMessage(i)); start < 0 {
			p.messages[i] = "/" + conversationNames[c.Wire()][0]
			p.add(i, p.messages[i], raws.RawMessage(i), spots[c.Wire()])
		}
	}
	p.walk(c.Wire(), list, raws.RawMessage)
	p.settle(history)
	return p
}

// walk takes the elements of the list, of which a message may be one or several.
func (p *places) walk(name callwright.WireName, list []byte, raw func(i int) []byte) {
	message, n, last := 0, 0, -1
	for e := range jsonx.Elements(list) {
		for message < len(p.messages) && !holds(raw(message), e) {
			message++
		}
		if message == len(p.messages) {
			return
		}
		at := p.list + "/" + strconv.Itoa(n)
		if message != last {
			p.messages[message], last = at, message
		}
		p.add(message, at, e, spots[name])
		n++
	}
}

// holds reports whether a message holds an element.
func holds(message, element []byte) bool {
	start, _ := jsonx.Span(message, element)
	return start >= 0
}

// add adds the places of the parts in an element of the history. Instructions may be a text or a list alone.
func (p *places) add(message int, at string, element []byte, spots []spot) {
	to := &p.parts[message]
	kind, _ := jsonx.Find(element, "type")
	for _, s := range spots {
		switch v, ok := jsonx.Find(element, s.member); {
		case !s.covers(jsonx.TextOf(kind)):
		case s.member == "":
			to[s.kind] = append(to[s.kind], at)
		case !jsonx.IsObject(element):
			addValue(to, s.kind, at, element)
		case ok && !jsonx.IsNull(v):
			addValue(to, s.kind, at+"/"+s.member, v)
		}
	}
}

// addValue adds the place of a value, or of each of its elements.
func addValue(to *[partKinds][]string, kind partKind, at string, v []byte) {
	if !jsonx.IsArray(v) {
		to[kind] = append(to[kind], at)
		return
	}
	n := 0
	for e := range jsonx.Elements(v) {
		k := kind
		if k == otherPart {
			k = kindOfBlock(e)
		}
		to[k] = append(to[k], at+"/"+strconv.Itoa(n))
		n++
	}
}

// kindOfBlock is the kind of a block, or of a part whose kind a member names.
func kindOfBlock(v []byte) partKind {
	for k, in := range jsonx.Members(v) {
		name := k.String()
		if name == "type" {
			name = jsonx.TextOf(in)
		}
		if kind, ok := blockTypes[name]; ok && !jsonx.IsNull(in) && string(in) != "false" {
			return kind
		}
	}
	return otherPart
}

// settle gives each part its place: the next of its kind, or that of its message where there is none. The result that a
// message of its own has is the message.
func (p *places) settle(history []callwright.Message) {
	p.of = make([][]string, len(history))
	for i, m := range history {
		var taken [partKinds]int
		for _, part := range m.Parts {
			kind, at := kindOfPart(part), p.messages[i]
			if known := p.parts[i][kind]; taken[kind] < len(known) {
				at = known[taken[kind]]
			}
			taken[kind]++
			p.of[i] = append(p.of[i], at)
		}
	}
}

// at is the place of a part, of its message, or of the whole history.
func (p *places) at(message, part int) string {
	switch {
	case message < 0 || message >= len(p.of):
		return p.list
	case part < 0 || part >= len(p.of[message]):
		return p.messages[message]
	}
	return p.of[message][part]
}
