package codecs

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// A partKind classifies the parts of a message by the place where an API stores them: tool calls, tool results,
// reasoning and all others.
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

// A partLocation is a place where an API stores parts of one kind, relative to an element of its list of messages.
type partLocation struct {
	kind   partKind
	member string // the member of a list element that has the part, or a list of parts; "" for the element itself
	of     string // the type of the list elements, "" for any; a leading "_" makes it a suffix: "_call"
}

// spots lists the places where each API stores parts. Places of the same kind are in the order in which the codec reads
// them.
var spots = map[callwright.WireName][]partLocation{
	callwright.WireOpenAI: {{callPart, "tool_calls", ""}, {callPart, "function_call", ""}, {thoughtPart, "reasoning_content", ""},
		{thoughtPart, "reasoning", ""}, {otherPart, "content", ""}},
	callwright.WireOllama: {{callPart, "tool_calls", ""}, {thoughtPart, "thinking", ""}, {otherPart, "content", ""},
		{otherPart, "images", ""}},
	callwright.WireResponses: {{callPart, "", "_call"}, {resultPart, "", "_output"}, {thoughtPart, "", "reasoning"},
		{otherPart, "content", "message"}},
	callwright.WireAnthropic: {{otherPart, "content", ""}},
	callwright.WireGemini:    {{otherPart, "parts", ""}},
}

// covers reports whether list elements of the type kind have parts at this location. An element without a type is a
// message.
func (s partLocation) covers(kind string) bool {
	return s.of == "" || s.of == kind || s.of == "message" && kind == "" || s.of[0] == '_' && strings.HasSuffix(kind, s.of)
}

// blockTypes maps the types of content blocks, and the member names of Gemini's parts, to their partKind. Other blocks
// are otherPart.
var blockTypes = map[string]partKind{"tool_use": callPart, "tool_result": resultPart, "thinking": thoughtPart,
	"redacted_thinking": thoughtPart,
	"functionCall":      callPart, "function_call": callPart, "functionResponse": resultPart, "function_response": resultPart,
	"thought": thoughtPart}

// places has the JSON pointers of all messages and parts of a history.
type places struct {
	list     string                // pointer to the list of messages
	messages []string              // pointer to each message
	parts    [][partKinds][]string // pointers to the values in each message, by their kind
	of       [][]string            // pointer to each decoded part of each message
}

// index computes the pointers of all messages and parts in one pass over the body.
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
	p.assignPointers(history)
	return p
}

// walk records the pointers of all list elements and of their parts. One message may span several list elements. raw
// returns the bytes of message i.
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

// holds reports whether the slice element lies within the memory of the slice message.
func holds(message, element []byte) bool {
	start, _ := jsonx.Span(message, element)
	return start >= 0
}

// add records the pointers of the parts in element, one list element of a message. at is the pointer to element. For
// separate instructions, element may be a string or a list.
func (p *places) add(message int, at string, element []byte, spots []partLocation) {
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

// addValue appends at, the pointer to the value v, to the pointers of its kind. For a list v, it appends one to each
// element.
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

// kindOfBlock returns the kind of a content block, by its "type" or by its member names (Gemini): {"functionCall":{}}
// is a callPart.
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

// assignPointers assigns each decoded part the next recorded pointer of its kind in its message. A part without such a
// pointer gets the pointer of its message; so does a tool result that is a message by itself.
func (p *places) assignPointers(history []callwright.Message) {
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

// at returns the pointer to a part. If part is out of range, it returns the pointer to the message. If message is out
// of range, it returns the pointer to the list.
func (p *places) at(message, part int) string {
	switch {
	case message < 0 || message >= len(p.of):
		return p.list
	case part < 0 || part >= len(p.of[message]):
		return p.messages[message]
	}
	return p.of[message][part]
}
