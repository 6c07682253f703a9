package conversation

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A decoder decodes objects. After an error its results must not be used.
type decoder struct{ trail }

// decode decodes an object with the given fields.
func decode(op string, b []byte, fields []field) error {
	d := decoder{trail{op: op}}
	if err := jsonx.Valid(b); err != nil {
		d.fail("%v", err)
		return d.firstError()
	}
	d.object(jsonx.Trim(b), fields)
	return d.firstError()
}

// object decodes the members of an object. Duplicate and unknown members are errors.
func (d *decoder) object(v []byte, fields []field) {
	if !d.is(v, jsonx.Object) {
		return
	}
	seen := make([]bool, len(fields))
	for key, v := range jsonx.Members(v) {
		name := key.String()
		d.in(step{name: name}, func() {
			i := slices.IndexFunc(fields, func(f field) bool { return f.hasName(name) })
			switch {
			case i < 0:
				d.fail("the member is not known")
			case seen[i]:
				d.fail("the member stands twice")
			default:
				seen[i] = true
				d.value(v, fields[i], name)
			}
		})
	}
}

// hasName reports whether the field may be encoded under a name.
func (f field) hasName(name string) bool {
	if name == f.name {
		return true
	}
	switch f.at.(type) {
	case *json.RawMessage:
		return strings.TrimSuffix(name, jsonx.TextSuffix) == f.name
	case *blob:
		return name == inBase64
	}
	return false
}

// is records an error if a value is not of the kind want, and reports whether it is.
func (d *decoder) is(v []byte, want jsonx.Kind) bool {
	got := jsonx.KindOf(v)
	if got != want {
		d.fail("expected %s, got %s", want.InWords(), got.InWords())
	}
	return got == want
}

// value decodes one member with the given name.
func (d *decoder) value(v []byte, f field, name string) {
	switch at := f.at.(type) {
	case *string:
		*at = d.text(v)
	case *callwright.Role:
		*at = callwright.Role(d.text(v))
		d.checkRole(*at)
	case *callwright.ToolType:
		*at = callwright.ToolType(d.text(v))
		d.checkToolType(*at)
	case *bool:
		*at = d.flag(v)
	case **bool:
		flag := d.flag(v)
		*at = &flag
	case *int:
		d.integer(v, at)
	case *float64:
		d.float(v, at)
	case *json.Number:
		*at = d.number(v)
	case *json.RawMessage:
		if name == f.name {
			*at = bytes.Clone(v)
		} else {
			*at = []byte(d.text(v))
		}
	case *blob:
		d.blob(v, at, name)
	case []field:
		d.object(v, at)
	default:
		d.lists(v, f)
	}
}

// lists decodes members that are lists or pointers to objects.
func (d *decoder) lists(v []byte, f field) {
	switch at := f.at.(type) {
	case *[]string:
		*at = decodeList(d, v, func(v []byte, s *string) { *s = d.text(v) })
	case *[]callwright.Part:
		*at = decodeList(d, v, func(v []byte, p *callwright.Part) { *p = d.part(v, false) })
	case *innerParts:
		*at = decodeList(d, v, func(v []byte, p *callwright.Part) { *p = d.part(v, true) })
	case *[]callwright.Message:
		*at = decodeList(d, v, d.message)
	case *[]callwright.Tool:
		*at = decodeList(d, v, func(v []byte, t *callwright.Tool) { d.object(v, toolFields(t)) })
	case *[]callwright.Edit:
		*at = decodeList(d, v, func(v []byte, e *callwright.Edit) { d.object(v, editFields(e)) })
	case **callwright.AnswerFormat:
		*at = new(callwright.AnswerFormat)
		d.object(v, formatFields(*at))
	case **callwright.Raw:
		*at = new(callwright.Raw)
		d.object(v, rawFields(*at))
	case **callwright.Report:
		*at = d.report(v)
	}
}

// decodeList decodes a list. The result is not nil, even if the list is empty.
func decodeList[T any](d *decoder, v []byte, read func(v []byte, to *T)) []T {
	list := []T{}
	if !d.is(v, jsonx.Array) {
		return list
	}
	n := 0
	for v := range jsonx.Elements(v) {
		d.in(step{index: n, list: true}, func() {
			list = append(list, *new(T))
			read(v, &list[n])
		})
		n++
	}
	return list
}

func (d *decoder) message(v []byte, m *callwright.Message) {
	d.object(v, messageFields(m))
	d.in(step{name: "role"}, func() { d.checkRole(m.Role) })
}

// part decodes a part. inner is true for parts of a tool result.
func (d *decoder) part(v []byte, inner bool) callwright.Part {
	if !d.is(v, jsonx.Object) {
		return nil
	}
	var k kind
	d.in(step{name: "type"}, func() {
		var known bool
		typ, _ := jsonx.Find(v, "type")
		name := d.text(typ)
		if k, known = findKind(name); !known {
			d.fail("there is no part of type %q", callwright.Excerpt(name))
		} else if inner && !k.inner {
			d.fail("a result cannot hold a part of type %s", name)
		}
	})
	if d.err != nil {
		return nil
	}
	fields, part := k.empty()
	d.object(v, append(fields, field{"type", new(string)}))
	return part()
}

func (d *decoder) text(v []byte) string {
	if v == nil {
		d.fail("the member is missing")
		return ""
	}
	if !d.is(v, jsonx.Text) {
		return ""
	}
	s, _ := jsonx.String(v)
	return s
}

func (d *decoder) flag(v []byte) bool { return d.is(v, jsonx.Bool) && jsonx.IsTrue(v) }

func (d *decoder) integer(v []byte, to *int) {
	if !d.is(v, jsonx.Number) {
		return
	}
	n, err := strconv.Atoi(string(v))
	if err != nil {
		d.fail("expected a whole number, got %s", callwright.Excerpt(string(v)))
	}
	*to = n
}

func (d *decoder) float(v []byte, to *float64) {
	if !d.is(v, jsonx.Number) {
		return
	}
	x, err := strconv.ParseFloat(string(v), 64)
	if err != nil {
		d.fail("the number %s is out of range", callwright.Excerpt(string(v)))
	}
	*to = x
}

// number decodes a number without changing its digits, or a string that was encoded in place of an invalid number.
func (d *decoder) number(v []byte) json.Number {
	if jsonx.KindOf(v) == jsonx.Text {
		return json.Number(d.text(v))
	}
	d.is(v, jsonx.Number)
	return json.Number(v)
}

func (d *decoder) blob(v []byte, to *blob, name string) {
	text := d.text(v)
	if name != inBase64 {
		*to = blob(text)
		return
	}
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		d.fail("%v", err)
	}
	*to = b
}
