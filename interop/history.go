package interop

import (
	"errors"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// said has the paths of a message without calls and results.
var said = struct{ role, content Path }{"role", "content"}

// ReadHistory parses a conversation as a JSON array: calls and results in the format f, and messages with "role"
// (system, user or assistant) and a string "content". Each element becomes one message. Errors are *callwright.Error
// with a JSON Pointer as Path.
func (f Form) ReadHistory(text []byte) ([]callwright.Message, error) {
	const op = "read_history"
	if err := jsonx.Valid(text); err != nil {
		return nil, f.invalid(op, "", err.Error())
	}
	if jsonx.KindOf(text) != jsonx.Array {
		return nil, f.invalid(op, "", "expected a list, got "+jsonx.KindOf(text).String())
	}
	out := []callwright.Message{}
	for v := range jsonx.Elements(jsonx.Trim(text)) {
		m, err := f.readTurn(v)
		if err != nil {
			if e, ok := errors.AsType[*callwright.Error](err); ok {
				e.Path = "/" + strconv.Itoa(len(out)) + e.Path
			}
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// readTurn parses one element of a conversation: a call, a result or a message.
func (f Form) readTurn(v []byte) (callwright.Message, error) {
	const op = "read_history"
	d, err := f.open(op, v)
	if err != nil {
		return callwright.Message{}, err
	}
	if role, ok := d.takeText(said.role); ok && role != string(callwright.RoleTool) {
		words, ok := d.takeText(said.content)
		if !ok {
			return callwright.Message{}, f.invalid(op, said.content.pointer(), "expected a text")
		}
		m := callwright.Message{Role: callwright.Role(role), Parts: []callwright.Part{callwright.Text{Text: words}}, Extra: f.extra(d)}
		switch m.Role {
		case callwright.RoleSystem, callwright.RoleUser, callwright.RoleAssistant:
			return m, nil
		}
		return m, f.invalid(op, said.role.pointer(), "expected system, user or assistant, got "+role)
	}
	if d, _ := parse(v); f.isResult(d) {
		r, err := f.ReadResult(v)
		return callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{r}}, err
	}
	c, err := f.ReadCall(v)
	return callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{c}}, err
}

// isResult reports whether the object matches a ResultForm and has its content.
func (f Form) isResult(d *doc) bool {
	for i := range f.Results {
		if _, ok := d.get(f.Results[i].Content); ok && fits(f.Results[i].Fixed, d) {
			return true
		}
	}
	return false
}

// WriteHistory encodes a conversation as the array that ReadHistory parses. Notes name the parts that the format cannot
// express.
func (f Form) WriteHistory(history []callwright.Message) ([]byte, []callwright.Note, error) {
	out := []byte{'['}
	var notes []callwright.Note
	add := func(v []byte) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	for _, m := range history {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case callwright.Call:
				v, left, err := f.WriteCall(p)
				if err != nil {
					return nil, nil, err
				}
				notes = append(notes, left...)
				add(v)
			case callwright.Result:
				v, left, err := f.WriteResult(p)
				if err != nil {
					return nil, nil, err
				}
				notes = append(notes, left...)
				add(v)
			case callwright.Text:
				d := &doc{}
				d.text(said.role, string(m.Role))
				d.text(said.content, p.Text)
				add(f.finish(d, m.Extra))
			default:
				notes = f.leftPart(notes, "", p)
			}
		}
	}
	return append(out, ']'), notes, nil
}
