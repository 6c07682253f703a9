package anthropic

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// messageReader turns messages and blocks into the vocabulary. What it does not understand becomes Opaque, so nothing is lost
// and nothing can go wrong.
type messageReader struct {
	in     *kit.Document     // the body, or the answer
	inner  bool              // inside a tool result
	result *messageReader    // for what results hold, nil before the first
	quoted bool              // long texts stay as they stand in the body
	signed []callwright.Call // id, signature and origin of calls whose state came in a carrier
	held   block             // the one at hand, in memory that is used again

	dropsMadeUp bool // leaves out sources that were made up for a client
}

func (d *messageReader) message(at int) callwright.Message {
	var m callwright.Message
	var rest extras
	object(d.in.Raw, at, func(name []byte, at int) int {
		switch string(name) {
		case "role":
			end := d.in.Skip(at)
			m.Role = roleOf(d.in.Raw[at:end])
			return end
		case "content":
			var end int
			m.Parts, end = d.content(at)
			return end
		}
		end := d.in.Skip(at)
		rest.add(name, d.in.Raw[at:end])
		return end
	})
	// The wire is named even without members: a system message in the middle may stay where the client itself put it.
	m.Extra = own.Extra(rest.extra().JSON)
	return m
}

// content decodes a string or a list of blocks.
func (d *messageReader) content(at int) ([]callwright.Part, int) {
	if at >= len(d.in.Raw) || d.in.Raw[at] != '[' {
		end := d.in.Skip(at)
		if v := d.in.Raw[at:end]; jsonx.KindOf(v) == jsonx.Text {
			if q, ok := d.in.Quoted(v); ok && d.quoted {
				return []callwright.Part{q}, end
			}
			return []callwright.Part{callwright.Text{Text: jsonx.TextOf(v)}}, end
		}
		return nil, end
	}
	parts := make([]callwright.Part, 0, 2)
	end := jsonx.WalkElements(d.in.Raw, at, func(_, at int) int {
		part, end := d.block(at)
		if part != nil {
			parts = append(parts, part)
		}
		return end
	})
	d.sign(parts)
	return parts, end
}

// sign gives calls of other wires their own state back.
func (d *messageReader) sign(parts []callwright.Part) {
	for _, s := range d.signed {
		for i, p := range parts {
			if c, ok := p.(callwright.Call); ok && c.ID == s.ID {
				c.Signature, c.Origin = s.Signature, s.Origin
				parts[i] = c
			}
		}
	}
	d.signed = nil
}

// block is one content block with the members that any type uses.
type block struct {
	raw                                                 []byte
	kind, text, id, name, input, content, source, title []byte
	thinking, signature, data, isError                  []byte
	results                                             []callwright.Part // content of a tool result
	count                                               int               // of members
	call                                                string            // to which the state in a carrier belongs
}

func (k *block) member(name string) *[]byte {
	switch name {
	case "type":
		return &k.kind
	case "text":
		return &k.text
	case "id", "tool_use_id":
		return &k.id
	case "name":
		return &k.name
	case "input":
		return &k.input
	case "content":
		return &k.content
	case "source":
		return &k.source
	case "title":
		return &k.title
	case "thinking":
		return &k.thinking
	case "signature":
		return &k.signature
	case "data":
		return &k.data
	case "is_error":
		return &k.isError
	}
	return nil
}

// block decodes the block at at, to nil for the carrier of a call's state. The content of a tool result may hold blocks too, but no further results.
func (d *messageReader) block(at int) (callwright.Part, int) {
	k, contentAt := &d.held, 0
	*k = block{}
	end := object(d.in.Raw, at, func(name []byte, at int) int {
		end := d.in.Skip(at)
		k.count++
		if to := k.member(string(name)); to != nil {
			if *to = d.in.Raw[at:end:end]; to == &k.content {
				contentAt = at
			}
		}
		return end
	})
	k.raw = d.in.Raw[at:end:end]
	kind := jsonx.TextBytes(k.kind)
	if string(kind) == "tool_result" && !d.inner && contentAt > 0 {
		if d.result == nil {
			d.result = &messageReader{in: d.in, inner: true}
		}
		d.result.quoted = d.quoted
		k.results, _ = d.result.content(contentAt)
	}
	if d.quoted && k.count == 2 && string(kind) == "text" {
		if q, ok := d.in.Quoted(k.text); ok {
			return q, end
		}
	}
	if row, ok := blockReaders[string(kind)]; ok && !(d.inner && row.outer) {
		part := row.read(k, k.rest(row.takes))
		if r, ok := part.(callwright.Reasoning); ok && k.call != "" {
			d.signed = append(d.signed, callwright.Call{ID: k.call, Signature: r.Signature, Origin: r.Origin})
			return nil, end
		}
		if t, ok := part.(callwright.Text); ok && d.dropsMadeUp && holdsMadeUp(own.Member(t.Extra, citations)) {
			t.Extra = withoutMadeUp(t.Extra)
			return t, end
		}
		if part != nil {
			return part, end
		}
	}
	return callwright.Opaque{Extra: own.Extra(k.raw)}, end
}

// rest is what the block holds beside its type and the members its reader takes. A block without such members has
// an Extra with the wire alone: it came as a block, not as a plain string.
func (k *block) rest(takes []string) callwright.Extra {
	taken := 1
	for _, name := range takes {
		if *k.member(name) != nil {
			taken++
		}
	}
	var x extras
	if k.count > taken {
		x = others(k.raw, takes)
	}
	return own.Extra(x.extra().JSON)
}

// others are the members of an object that are neither its type nor among takes.
func others(raw []byte, takes []string) extras {
	var x extras
	for name, v := range jsonx.Members(raw) {
		if known := name.String(); known != "type" && !slices.Contains(takes, known) {
			x.add([]byte(known), v)
		}
	}
	return x
}

// blockReaders has a reader for each type of block the vocabulary has a part for. A reader gives nil for a block that
// says more than the part can.
var blockReaders = map[string]struct {
	takes []string
	outer bool // not inside a tool result
	read  func(*block, callwright.Extra) callwright.Part
}{
	"text":              {[]string{"text"}, false, readText},
	"image":             {[]string{"source"}, false, readImage},
	"document":          {[]string{"source", "title"}, false, readDocument},
	"tool_use":          {[]string{"id", "name", "input"}, true, readCall},
	"tool_result":       {[]string{"tool_use_id", "content", "is_error"}, true, readResult},
	"thinking":          {[]string{"thinking", "signature"}, true, readThinking},
	"redacted_thinking": {[]string{"data"}, true, readRedacted},
	"tool_reference":    {nil, false, readFound},
	"search_result":     {nil, false, readFound},
}

// readFound reads a block that says what a search found, a tool or a source, as a text that stands for it.
func readFound(k *block, _ callwright.Extra) callwright.Part {
	words := wordsOf(k.raw)
	if words == "" {
		return nil
	}
	return own.Standing(words, k.raw)
}

// wordsOf is what a block says that has no part of its own, "" for one that says nothing.
func wordsOf(raw []byte) string {
	if name := kit.TextAt(raw, "tool_name"); name != "" {
		return "[Tool: " + name + "]"
	}
	var lines []string
	for _, member := range []string{"title", "source"} {
		if s := kit.TextAt(raw, member); s != "" {
			lines = append(lines, s)
		}
	}
	content, _ := jsonx.Find(raw, "content")
	for v := range jsonx.Elements(content) {
		if s := kit.TextAt(v, "text"); s != "" {
			lines = append(lines, s)
		}
	}
	return strings.Join(lines, "\n")
}

func readText(k *block, x callwright.Extra) callwright.Part {
	if jsonx.KindOf(k.text) != jsonx.Text {
		return nil
	}
	return callwright.Text{Text: jsonx.TextOf(k.text), Extra: x}
}

func readCall(k *block, x callwright.Extra) callwright.Part {
	input := k.input
	if jsonx.KindOf(input) <= jsonx.Null {
		input = []byte("{}")
	}
	return callwright.Call{ID: jsonx.TextOf(k.id), Name: jsonx.TextOf(k.name), Arguments: input, Origin: origin, Extra: x}
}

func readResult(k *block, x callwright.Extra) callwright.Part {
	failed := string(k.isError) == "true"
	if k.isError != nil && !failed {
		x = with(x, "is_error", k.isError) // kept, though it is the default
	}
	return callwright.Result{CallID: jsonx.TextOf(k.id), Parts: k.results, IsError: failed, Extra: x}
}

func readThinking(k *block, x callwright.Extra) callwright.Part {
	r := callwright.Reasoning{Text: jsonx.TextOf(k.thinking), Signature: jsonx.TextOf(k.signature), Origin: origin, Extra: x}
	r, k.call = wire.Unpack(r, r.Signature)
	return r
}

func readRedacted(k *block, x callwright.Extra) callwright.Part {
	r := callwright.Reasoning{Redacted: jsonx.TextOf(k.data), Origin: origin, Extra: x}
	r, k.call = wire.Unpack(r, r.Redacted)
	return r
}

// with is x with one more member.
func with(x callwright.Extra, name string, value []byte) callwright.Extra {
	list, _ := jsonx.ParseObject(x.JSON)
	list.Set(name, value)
	return callwright.Extra{Wire: x.Wire, JSON: list.Append(nil)}
}

// billingMark begins a text among the instructions of this API's own coding agent, which has a number that is another one in every
// request: no other provider could keep what follows it.
const billingMark = "x-anthropic-billing-header:"

// setAside makes texts of instructions that only this API understands opaque.
func setAside(parts []callwright.Part) {
	for i, p := range parts {
		t, _ := p.(callwright.Text)
		q, _ := p.(kit.Quoted)
		if strings.HasPrefix(t.Text, billingMark) || bytes.HasPrefix(q.JSON, []byte(`"`+billingMark)) {
			parts[i] = callwright.Opaque{Extra: own.Extra(appendBlock(nil, p))}
		}
	}
}
