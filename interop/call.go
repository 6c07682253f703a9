package interop

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// ReadCall parses one tool call in the format f. The arguments keep their bytes. Arguments that are not valid JSON are
// kept as text; [callwright.Validate] can repair them. Errors are *callwright.Error of KindInvalid, with a JSON Pointer
// as Path.
func (f Form) ReadCall(text []byte) (callwright.Call, error) {
	const op = "read_call"
	d, err := f.open(op, text)
	if err != nil {
		return callwright.Call{}, err
	}
	for _, form := range f.Calls {
		if fits(form.Fixed, d) {
			return f.readCall(op, form, d)
		}
	}
	return callwright.Call{}, f.invalid(op, "", "expected a call, got an object of another type")
}

func (f Form) readCall(op string, form CallForm, d *doc) (callwright.Call, error) {
	strip(form.Fixed, d)
	c := callwright.Call{Type: form.Type}
	var ok bool
	if c.Name, ok = d.takeText(form.Name); !ok {
		return c, f.invalid(op, form.Name.pointer(), "expected the name of a tool")
	}
	c.ID = d.takeGiven(form.ID)
	if c.Signature = d.takeGiven(form.Signature); c.Signature != "" {
		c.Origin.Wire = f.Wire
	}
	switch {
	case form.Type == callwright.CustomTool:
		if c.Input, ok = d.takeText(form.Input); !ok {
			return c, f.invalid(op, form.Input.pointer(), "expected a string")
		}
	case form.AsText:
		text, ok := d.takeText(form.Arguments)
		if !ok {
			return c, f.invalid(op, form.Arguments.pointer(), "expected a string that holds JSON")
		}
		c.Arguments = []byte(text)
	default:
		if v, ok := d.take(form.Arguments); ok {
			c.Arguments = v
		}
	}
	c.Extra = f.extra(d)
	return c, nil
}

// WriteCall encodes one tool call in the format f. Notes name the parts that the format cannot express. Errors are
// *callwright.Error: for arguments that are not JSON in a format whose arguments are an object, and for a custom call
// in a format without custom calls.
func (f Form) WriteCall(c callwright.Call) ([]byte, []callwright.Note, error) {
	const op = "write_call"
	for _, form := range f.Calls {
		if form.Type == c.Type {
			return f.writeCall(op, form, c)
		}
	}
	return nil, nil, f.unsupportedError(op, "the call of a custom tool")
}

func (f Form) writeCall(op string, form CallForm, c callwright.Call) ([]byte, []callwright.Note, error) {
	var notes []callwright.Note
	d := begin(form.Fixed)
	if !d.setOptionalText(form.ID, c.ID) {
		notes = f.appendLossNote(notes, c.ID, "/id", c.ID)
	}
	d.text(form.Name, c.Name)
	args := c.Arguments
	if len(args) == 0 {
		args = []byte("{}")
	}
	switch {
	case form.Type == callwright.CustomTool:
		d.text(form.Input, c.Input)
	case form.AsText:
		d.text(form.Arguments, string(c.Arguments))
	case jsonx.Valid(args) != nil:
		return nil, nil, f.invalid(op, form.Arguments.pointer(), "the arguments are no JSON")
	default:
		d.put(form.Arguments, args)
	}
	switch {
	case c.Signature == "":
	case form.Signature == "" || c.Origin.Wire != "" && c.Origin.Wire != f.Wire:
		notes = f.appendLossNote(notes, c.ID, "/signature", c.Signature)
	default:
		d.text(form.Signature, c.Signature)
	}
	notes = f.strangers(notes, c.ID, c.Extra)
	return f.finish(d, c.Extra), notes, nil
}
