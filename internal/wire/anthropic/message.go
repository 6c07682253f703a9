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

// messageReader is the kit.Visitor that decodes messages and content blocks. A block of an unknown type becomes an
// Opaque.
type messageReader struct {
	in      *kit.Document // the request body or the response
	walk    *kit.Walk     // nil before the first use
	quoted  bool          // long texts become parts of type kit.Quoted
	message callwright.Message
	parts   []callwright.Part // of the current message
	results []callwright.Part // of the current tool result
	signed  []callwright.Call // id, signature and origin of calls whose packed state was read

	dropsMadeUp bool // leaves out citations that this codec made for a client
}

func (d *messageReader) walker() *kit.Walk {
	if d.walk == nil {
		d.walk = kit.NewWalk(d.in, d)
	}
	return d.walk
}

// release frees the memory of the reader, which must not be used afterwards.
func (d *messageReader) release() {
	if d.walk != nil {
		d.walk.Release()
	}
}

// read decodes the message that begins at byte offset at of the document.
func (d *messageReader) read(at int) callwright.Message {
	d.walker().Element(0, at, messageShape)
	return d.message
}

// content decodes a content, a string or a list of blocks, that begins at byte offset at of the document. It also
// returns the offset of the end of the content.
func (d *messageReader) content(at int) ([]callwright.Part, int) {
	if at >= len(d.in.Raw) {
		return nil, at
	}
	d.parts = nil
	end := d.walker().List(at, blockShape)
	d.sign()
	return d.readContent(d.in.Raw[at:end], d.parts), end
}

// readContent returns the parts of a content: parts if it is a list, otherwise the string as a text.
func (d *messageReader) readContent(content []byte, parts []callwright.Part) []callwright.Part {
	switch {
	case jsonx.IsArray(content) && parts == nil:
		return []callwright.Part{}
	case jsonx.IsArray(content):
		return parts
	case !jsonx.IsText(content):
		return nil
	}
	if q, ok := d.in.AsQuoted(content); ok && d.quoted {
		return []callwright.Part{q}
	}
	return []callwright.Part{callwright.Text{Text: jsonx.TextOf(content)}}
}

// sign sets the signature of the calls of other APIs whose packed state was read.
func (d *messageReader) sign() {
	for _, s := range d.signed {
		for i, p := range d.parts {
			if c, ok := p.(callwright.Call); ok && c.ID == s.ID {
				c.Signature, c.Origin = s.Signature, s.Origin
				d.parts[i] = c
			}
		}
	}
	d.signed = nil
}

// Enter resets the parts for a new message or block. It always returns true.
func (d *messageReader) Enter(of *kit.Shape, _ int) bool {
	switch of.Kind {
	case ofMessage:
		d.parts = nil
	case ofBlock:
		d.results = nil
	}
	return true
}

// Leave adds a decoded block to its message or tool result, and completes a message.
func (d *messageReader) Leave(x *kit.Object) {
	switch x.Shape.Kind {
	case ofMessage: // Extra names this API even if it is empty, for keepsSystem
		d.sign()
		d.message = callwright.Message{Role: roles.Of(jsonx.TextBytes(x.Get(mRole))), Parts: d.readContent(x.Get(mContent), d.parts),
			Extra: x.Rest(own, mRole, mContent)}
	case ofBlock:
		if p := d.block(x); p != nil {
			if d.parts == nil {
				d.parts = make([]callwright.Part, 0, 2)
			}
			d.parts = append(d.parts, p)
		}
	case ofInner:
		if p := d.block(x); p != nil {
			d.results = append(d.results, p)
		}
	}
}

// block decodes a content block. It returns nil for a block that only carries the packed state of a call.
func (d *messageReader) block(b *kit.Object) callwright.Part {
	kind, inner := jsonx.TextBytes(b.Get(bType)), b.Shape.Kind == ofInner
	if d.quoted && string(kind) == "text" && b.Only(bType, bText) {
		if q, ok := d.in.AsQuoted(b.Get(bText)); ok {
			return q
		}
	}
	row, ok := blockReaders[string(kind)]
	if !ok || inner && row.outer {
		return callwright.Opaque{Extra: own.Extra(b.Raw())}
	}
	switch part := row.read(d, b, b.Rest(own, row.takes...)).(type) {
	case nil:
		return callwright.Opaque{Extra: own.Extra(b.Raw())}
	case callwright.Reasoning:
		r, call := wire.Unpack(part, part.Signature+part.Redacted)
		if call == "" {
			return r
		}
		d.signed = append(d.signed, callwright.Call{ID: call, Signature: r.Signature, Origin: r.Origin})
		return nil
	case callwright.Text:
		if d.dropsMadeUp && holdsMadeUp(own.Member(part.Extra, citations)) {
			part.Extra = withoutMadeUp(part.Extra)
		}
		return part
	default:
		return part
	}
}

// others returns the members of the JSON object raw except "type" and those in takes.
func others(raw []byte, takes []string) extras {
	var x extras
	for name, v := range jsonx.Members(raw) {
		if known := name.String(); known != "type" && !slices.Contains(takes, known) {
			x.add([]byte(known), v)
		}
	}
	return x
}

// blockReaders maps block types to their decoders and the members that these decode. A decoder returns nil for a block
// that the part cannot represent completely.
var blockReaders = map[string]struct {
	takes []int // slots in blockShape
	outer bool  // not allowed inside a tool result
	read  func(*messageReader, *kit.Object, callwright.Extra) callwright.Part
}{
	"text":              {[]int{bType, bText}, false, readText},
	"image":             {[]int{bType, bSource}, false, readImage},
	"document":          {[]int{bType, bSource, bTitle}, false, readDocument},
	"tool_use":          {[]int{bType, bID, bName, bInput}, true, readCall},
	"tool_result":       {[]int{bType, bResultOf, bContent, bIsError}, true, readResult},
	"thinking":          {[]int{bType, bThinking, bSignature}, true, readThinking},
	"redacted_thinking": {[]int{bType, bData}, true, readRedacted},
	"tool_reference":    {[]int{bType}, false, readFound},
	"search_result":     {[]int{bType}, false, readFound},
}

// readFound decodes a tool_reference or search_result block to a text that stands for it.
func readFound(_ *messageReader, b *kit.Object, _ callwright.Extra) callwright.Part {
	words := wordsOf(b.Raw())
	if words == "" {
		return nil
	}
	return own.ReplaceBlock(words, b.Raw())
}

// wordsOf returns the text that replaces a tool_reference or search_result block for a provider of another API: the
// name of the tool, or title, source and content. It returns "" if the block has none of them.
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

func readText(_ *messageReader, b *kit.Object, x callwright.Extra) callwright.Part {
	if !jsonx.IsText(b.Get(bText)) {
		return nil
	}
	return callwright.Text{Text: b.Text(bText), Extra: x}
}

func readCall(_ *messageReader, b *kit.Object, x callwright.Extra) callwright.Part {
	input := b.Get(bInput)
	if jsonx.IsNull(input) {
		input = []byte("{}")
	}
	return callwright.Call{ID: b.Text(bID), Name: b.Text(bName), Arguments: input, Origin: origin, Extra: x}
}

func readResult(d *messageReader, b *kit.Object, x callwright.Extra) callwright.Part {
	failed := b.Get(bIsError)
	if failed != nil && !jsonx.IsTrue(failed) {
		x = with(x, "is_error", failed) // kept, though it is the default
	}
	return callwright.Result{CallID: b.Text(bResultOf), Parts: d.readContent(b.Get(bContent), d.results), IsError: jsonx.IsTrue(failed), Extra: x}
}

func readThinking(_ *messageReader, b *kit.Object, x callwright.Extra) callwright.Part {
	return callwright.Reasoning{Text: b.Text(bThinking), Signature: b.Text(bSignature), Origin: origin, Extra: x}
}

func readRedacted(_ *messageReader, b *kit.Object, x callwright.Extra) callwright.Part {
	return callwright.Reasoning{Redacted: b.Text(bData), Origin: origin, Extra: x}
}

// with returns x with the member name set to value.
func with(x callwright.Extra, name string, value []byte) callwright.Extra {
	list, _ := jsonx.ParseObject(x.JSON)
	list.Set(name, value)
	return callwright.Extra{Wire: x.Wire, JSON: list.Append(nil)}
}

// billingMark is the beginning of a text that Claude Code adds to its system prompt. The text has a number that changes
// in each request, so that other providers could not cache the prompt after it.
const billingMark = "x-anthropic-billing-header:"

// makeBillingOpaque replaces the texts of a system prompt that begin with billingMark by opaque parts, which only
// Anthropic gets.
func makeBillingOpaque(parts []callwright.Part) {
	for i, p := range parts {
		t, _ := p.(callwright.Text)
		q, _ := p.(kit.Quoted)
		if strings.HasPrefix(t.Text, billingMark) || bytes.HasPrefix(q.JSON, []byte(`"`+billingMark)) {
			parts[i] = callwright.Opaque{Extra: own.Extra(appendBlock(nil, p))}
		}
	}
}
