package agent

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// appendTo writes the envelope. Data keeps its bytes.
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

// MarshalJSON writes all four members, lists also where they are empty. Data must be JSON.
func (e *Envelope) MarshalJSON() ([]byte, error) { return e.appendTo(nil), nil }

// failure is the envelope of a call without an outcome.
func failure(code Code, format string, args ...any) *Envelope {
	return &Envelope{Errors: []ToolError{{Code: code, Message: fmt.Sprintf(format, args...)}}}
}

// code is the code of the first error, "" without one.
func (e *Envelope) code() Code {
	if len(e.Errors) == 0 {
		return ""
	}
	return e.Errors[0].Code
}

// envelopeText is the envelope of a result, behind which stand further parts.
func envelopeText(r callwright.Result) string {
	if len(r.Parts) > 0 {
		if t, ok := r.Parts[0].(callwright.Text); ok {
			return t.Text
		}
	}
	return ""
}

// envelopeOf reads a result, as far as it is an envelope.
func envelopeOf(r callwright.Result) *Envelope {
	e := &Envelope{}
	if json.Unmarshal([]byte(envelopeText(r)), e) != nil {
		e = &Envelope{OK: !r.IsError, Data: jsonx.AppendQuote(nil, r.Text())}
	}
	return e
}

// result returns the tool result for the model.
func (e *Envelope) result(c *callwright.Call, parts []callwright.Part) callwright.Result {
	r := callwright.Result{CallID: c.ID, Name: c.Name, Type: c.Type, IsError: !e.OK}
	r.Parts = append([]callwright.Part{callwright.Text{Text: string(e.appendTo(nil))}}, parts...)
	return r
}

// limit replaces data that is longer than so many bytes: by an error, or by its head and its tail.
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

// limitParts bounds the text of the parts beside the data together. Images and files in other forms have bounds of
// their providers.
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

// textOf is the text of a part that a model reads as such.
func textOf(p callwright.Part) string {
	switch p := p.(type) {
	case callwright.Text:
		return p.Text
	case callwright.File:
		return p.Text
	}
	return ""
}

// cutMiddle leaves the head and the tail of a text, in whole characters, with a mark that states the missing length
// between them.
func cutMiddle(text string, most int) (short string, missing int) {
	head := jsonx.Clip(text, most/2)
	tail := text[len(text)-min(len(text)-len(head), most/2):]
	for len(tail) > 0 && tail[0]&0xc0 == 0x80 { // inside a character
		tail = tail[1:]
	}
	missing = len(text) - len(head) - len(tail)
	return fmt.Sprintf("%s\n[... %d bytes are missing ...]\n%s", head, missing, tail), missing
}
