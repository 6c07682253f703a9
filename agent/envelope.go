package agent

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// appendTo appends the envelope to b as a JSON object. The bytes of Data do not change.
func (e *Envelope) appendTo(b []byte) []byte {
	b = append(b, `{"ok":`...)
	if e.OK {
		b = append(b, "true"...)
	} else {
		b = append(b, "false"...)
	}
	b = append(b, `,"data":`...)
	if e.Data == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, e.Data...)
	}
	b = append(b, `,"warnings":[`...)
	for i, w := range e.Warnings {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsonx.AppendQuote(b, w)
	}
	b = append(b, `],"errors":[`...)
	for i, x := range e.Errors {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsonx.AppendQuote(append(b, `{"code":`...), x.Code)
		b = jsonx.AppendQuote(append(b, `,"message":`...), x.Message)
		if x.Path != "" {
			b = jsonx.AppendQuote(append(b, `,"path":`...), x.Path)
		}
		b = append(b, '}')
	}
	return append(b, `]}`...)
}

// MarshalJSON writes all four members; nil lists become []. Data must be valid JSON.
func (e *Envelope) MarshalJSON() ([]byte, error) { return e.appendTo(nil), nil }

// failure returns the envelope of a failed call with one error.
func failure(code Code, format string, args ...any) *Envelope {
	return &Envelope{Errors: []ToolError{{Code: code, Message: fmt.Sprintf(format, args...)}}}
}

// code returns the code of the first error, "" if there is none.
func (e *Envelope) code() Code {
	if len(e.Errors) == 0 {
		return ""
	}
	return e.Errors[0].Code
}

// envelopeText returns the JSON text of the envelope in a tool result: the text of its first part, "" if that is not a
// Text.
func envelopeText(r callwright.Result) string {
	if len(r.Parts) > 0 {
		if t, ok := r.Parts[0].(callwright.Text); ok {
			return t.Text
		}
	}
	return ""
}

// envelopeOf parses the envelope in a tool result. If the text is not an envelope, Data is the whole text as a JSON
// string.
func envelopeOf(r callwright.Result) *Envelope {
	e := &Envelope{}
	if json.Unmarshal([]byte(envelopeText(r)), e) != nil {
		e = &Envelope{OK: !r.IsError, Data: jsonx.AppendQuote(nil, r.Text())}
	}
	return e
}

// result returns the tool result for the model: the envelope as JSON text, followed by the parts.
func (e *Envelope) result(c *callwright.Call, parts []callwright.Part) callwright.Result {
	r := callwright.Result{CallID: c.ID, Name: c.Name, Type: c.Type, IsError: !e.OK}
	r.Parts = append([]callwright.Part{callwright.Text{Text: string(e.appendTo(nil))}}, parts...)
	return r
}

// limit changes an envelope whose Data is larger than the maximum size most, in bytes. If cut is true, the middle of
// Data is replaced by a line with its size. Otherwise the envelope becomes a CodeOutputTooLarge error.
func (e *Envelope) limit(most int, cut bool) {
	if len(e.Data) <= most {
		return
	}
	if !cut {
		*e = Envelope{Warnings: e.Warnings, Errors: []ToolError{{Code: CodeOutputTooLarge,
			Message: fmt.Sprintf("the output has %d bytes, and %d are taken; ask for less of it", len(e.Data), most)}}}
		return
	}
	text, is := jsonx.String(e.Data)
	if !is {
		text = string(e.Data)
	}
	short, missing := cutMiddle(text, most)
	e.Warnings = append(e.Warnings, fmt.Sprintf("the output has %d bytes; %d in its middle are missing", len(text), missing))
	e.Data = jsonx.AppendQuote(nil, short)
}

// limitParts returns the parts with at most about most bytes of text in total. If their text is larger and cut is true,
// it cuts the middle of long texts. If cut is false, it returns nil and turns the envelope into an error. Images are
// not limited here, because providers have limits for them.
func (e *Envelope) limitParts(parts []callwright.Part, most int, cut bool) []callwright.Part {
	size, texts := 0, 0
	for _, p := range parts {
		if n := len(textOf(p)); n > 0 {
			size, texts = size+n, texts+1
		}
	}
	switch {
	case size <= most:
		return parts
	case !cut:
		*e = Envelope{Warnings: e.Warnings, Errors: []ToolError{{Code: CodeOutputTooLarge,
			Message: fmt.Sprintf("the output has %d bytes of text beside its data, and %d are taken; ask for less of it", size, most)}}}
		return nil
	}
	parts = slices.Clone(parts)
	for i, p := range parts {
		text := textOf(p)
		if len(text) <= most/texts {
			continue
		}
		short, missing := cutMiddle(text, most/texts)
		e.Warnings = append(e.Warnings, fmt.Sprintf("a part of the output has %d bytes; %d in its middle are missing", len(text), missing))
		switch p := p.(type) {
		case callwright.Text:
			p.Text = short
			parts[i] = p
		case callwright.File:
			p.Text = short
			parts[i] = p
		}
	}
	return parts
}

// textOf returns the text of a Text or a File, "" for other parts.
func textOf(p callwright.Part) string {
	switch p := p.(type) {
	case callwright.Text:
		return p.Text
	case callwright.File:
		return p.Text
	}
	return ""
}

// cutMiddle replaces the middle of text by a line "[... N bytes are missing ...]", where N is missing. The rest has at
// most the size most, in bytes: half before the line, half after it. No UTF-8 sequence is split.
func cutMiddle(text string, most int) (short string, missing int) {
	head := jsonx.Clip(text, most/2)
	tail := text[len(text)-min(len(text)-len(head), most/2):]
	for len(tail) > 0 && tail[0]&0xc0 == 0x80 { // a continuation byte of UTF-8
		tail = tail[1:]
	}
	missing = len(text) - len(head) - len(tail)
	return fmt.Sprintf("%s\n[... %d bytes are missing ...]\n%s", head, missing, tail), missing
}
