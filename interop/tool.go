package interop

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// ReadTool parses one declared tool in the format f. The schema keeps its bytes. Errors are *callwright.Error of
// KindInvalid, with a JSON Pointer as Path.
func (f Form) ReadTool(text []byte) (callwright.Tool, error) {
	const op = "read_tool"
	d, err := f.open(op, text)
	if err != nil {
		return callwright.Tool{}, err
	}
	first := -1
	for i, form := range f.Tools {
		if !fits(form.Fixed, d) {
			continue
		}
		if first < 0 {
			first = i
		}
		if _, ok := d.get(form.Schema); ok {
			return f.readTool(op, form, i == first, d)
		}
	}
	if first >= 0 {
		return f.readTool(op, f.Tools[first], true, d)
	}
	v, _ := d.get(f.Hosted)
	kind, ok := jsonx.String(v)
	if !ok {
		return callwright.Tool{}, f.invalid(op, "", "expected a tool, got an object of another type")
	}
	return callwright.Tool{Name: kind, Type: callwright.HostedTool, Extra: f.extra(d)}, nil
}

func (f Form) readTool(op string, form ToolForm, first bool, d *doc) (callwright.Tool, error) {
	strip(form.Fixed, d)
	t := callwright.Tool{Type: form.Type}
	var ok bool
	if t.Name, ok = d.takeText(form.Name); !ok || t.Name == "" {
		return t, f.invalid(op, form.Name.pointer(), "expected the name of a tool")
	}
	t.Description = d.takeGiven(form.Description)
	if v, ok := d.get(form.Schema); ok && !jsonx.IsNull(v) {
		if k := jsonx.KindOf(v); k != jsonx.Object && k != jsonx.Bool {
			return t, f.invalid(op, form.Schema.pointer(), "expected a schema, got "+k.String())
		}
		d.take(form.Schema)
		t.Schema = v
		if !first { // remember the path, so that WriteTool uses it again
			d.put(form.Schema, []byte("null"))
		}
	}
	if v, ok := d.get(form.Strict); ok && jsonx.KindOf(v) == jsonx.Bool {
		d.take(form.Strict)
		strict := jsonx.IsTrue(v)
		t.Strict = &strict
	}
	t.Extra = f.extra(d)
	return t, nil
}

// WriteTool encodes one declared tool in the format f. Notes name the parts that the format cannot express. Errors are
// *callwright.Error of KindUnsupported: for a provider-hosted tool that was read in another format, and for a custom
// tool in a format without custom tools.
func (f Form) WriteTool(t callwright.Tool) ([]byte, []callwright.Note, error) {
	const op = "write_tool"
	if t.Type == callwright.HostedTool {
		if t.Extra.Wire != f.Wire || t.Extra.JSON == nil {
			return nil, nil, f.unsupportedError(op, "the tool "+t.Name+" of another provider")
		}
		return append([]byte(nil), t.Extra.JSON...), nil, nil
	}
	var form *ToolForm
	for i := range f.Tools {
		g := &f.Tools[i]
		if g.Type == t.Type && (form == nil || f.cameAt(g.Schema, t)) {
			form = g
		}
	}
	if form == nil {
		return nil, nil, f.unsupportedError(op, "the custom tool "+t.Name)
	}
	d := begin(form.Fixed)
	d.text(form.Name, t.Name)
	var notes []callwright.Note
	if !d.setOptionalText(form.Description, t.Description) {
		notes = f.appendLossNote(notes, t.Name, "/description", t.Description)
	}
	switch {
	case t.Schema != nil && form.Schema == "":
		notes = f.appendLossNote(notes, t.Name, "/schema", string(t.Schema))
	case t.Schema != nil:
		d.put(form.Schema, t.Schema)
	case form.Required:
		d.put(form.Schema, []byte(`{"type":"object","properties":{}}`))
	}
	switch {
	case t.Strict == nil:
	case form.Strict == "":
		notes = f.appendLossNote(notes, t.Name, "/strict", truth(*t.Strict))
	default:
		d.put(form.Strict, []byte(truth(*t.Strict)))
	}
	notes = f.strangers(notes, t.Name, t.Extra)
	return f.finish(d, t.Extra), notes, nil
}

// cameAt reports whether the tool was read with its schema at p, a path that is not the first of its format.
func (f Form) cameAt(p Path, t callwright.Tool) bool {
	if t.Extra.Wire != f.Wire || t.Schema == nil || len(t.Extra.JSON) == 0 {
		return false
	}
	d, err := parse(t.Extra.JSON)
	if err != nil {
		return false
	}
	v, ok := d.get(p)
	return ok && jsonx.IsNull(v)
}

func truth(b bool) string {
	if b {
		return "true"
	}
	return "false"
}
