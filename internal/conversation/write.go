package conversation

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// An encoder encodes objects. After an error its output must not be used.
type encoder struct {
	trail
	dst []byte
}

// encode encodes an object with the given fields.
func encode(op string, fields []field) ([]byte, error) {
	e := encoder{trail: trail{op: op}}
	e.object(fields)
	if err := e.firstError(); err != nil {
		return nil, err
	}
	return e.dst, nil
}

func (e *encoder) object(fields []field) {
	e.dst = append(e.dst, '{')
	for _, f := range fields {
		e.in(step{name: f.name}, func() { e.member(f) })
	}
	e.dst = append(e.dst, '}')
}

func (e *encoder) key(f field) { e.dst = jsonx.AppendKey(e.dst, f.name) }

// member encodes one member, unless its value is empty.
func (e *encoder) member(f field) {
	switch at := f.at.(type) {
	case *string:
		e.text(f, *at)
	case *callwright.Role:
		e.checkRole(*at)
		e.text(f, string(*at))
	case *callwright.ToolType:
		e.checkToolType(*at)
		e.text(f, string(*at))
	case *bool:
		if *at {
			e.key(f)
			e.dst = append(e.dst, "true"...)
		}
	case **bool:
		if *at != nil {
			e.key(f)
			e.dst = strconv.AppendBool(e.dst, **at)
		}
	case *int:
		if *at != 0 {
			e.key(f)
			e.dst = strconv.AppendInt(e.dst, int64(*at), 10)
		}
	case *float64:
		e.float(f, *at)
	case *json.Number:
		e.number(f, string(*at))
	case *json.RawMessage:
		e.dst = jsonx.AppendVerbatim(e.dst, f.name, *at)
	case *blob:
		e.blob(f, *at)
	case *written:
		if *at != nil {
			e.dst = append(jsonx.AppendKey(e.dst, f.name), *at...)
		}
	case []field:
		e.writeNested(f, at)
	default:
		e.lists(f)
	}
}

// lists encodes members that are lists or pointers to objects.
func (e *encoder) lists(f field) {
	switch at := f.at.(type) {
	case *[]string:
		encodeList(e, f, *at, func(s *string) { e.dst = jsonx.AppendQuote(e.dst, *s) })
	case *[]callwright.Part:
		encodeList(e, f, *at, func(p *callwright.Part) { e.part(*p, false) })
	case *innerParts:
		encodeList(e, f, *at, func(p *callwright.Part) { e.part(*p, true) })
	case *[]callwright.Message:
		encodeList(e, f, *at, func(m *callwright.Message) { e.object(messageFields(m)) })
	case *[]callwright.Tool:
		encodeList(e, f, *at, func(t *callwright.Tool) { e.object(toolFields(t)) })
	case *[]callwright.Edit:
		encodeList(e, f, *at, func(d *callwright.Edit) { e.object(editFields(d)) })
	case **callwright.AnswerFormat:
		if *at != nil {
			e.key(f)
			e.object(formatFields(*at))
		}
	case **callwright.Raw:
		if *at != nil {
			e.key(f)
			e.object(rawFields(*at))
		}
	case **callwright.Report:
		if *at != nil {
			e.key(f)
			e.report(*at)
		}
	}
}

func encodeList[T any](e *encoder, f field, list []T, write func(*T)) {
	if list == nil {
		return
	}
	e.key(f)
	e.elements(len(list), func(i int) { write(&list[i]) })
}

func (e *encoder) elements(n int, write func(i int)) {
	e.dst = append(e.dst, '[')
	for i := range n {
		if i > 0 {
			e.dst = append(e.dst, ',')
		}
		e.in(step{index: i, list: true}, func() { write(i) })
	}
	e.dst = append(e.dst, ']')
}

func (e *encoder) part(p callwright.Part, inner bool) {
	for i := range kinds {
		k := &kinds[i]
		fields, ok := k.of(p)
		if !ok {
			continue
		}
		if inner && !k.inner {
			e.fail("a result cannot hold a part of type %s", k.name)
		}
		e.object(append([]field{{"type", &k.name}}, fields...))
		return
	}
	e.fail("%T is no part", p)
}

// writeNested encodes a nested object, unless it has no members.
func (e *encoder) writeNested(f field, fields []field) {
	before := len(e.dst)
	e.key(f)
	begin := len(e.dst)
	e.object(fields)
	if len(e.dst)-begin == len("{}") {
		e.dst = e.dst[:before]
	}
}

func (e *encoder) text(f field, s string) {
	if s != "" {
		e.key(f)
		e.dst = jsonx.AppendQuote(e.dst, s)
	}
}

func (e *encoder) float(f field, x float64) {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		e.fail("%v is no number of JSON", x)
	case x != 0:
		e.key(f)
		e.dst = strconv.AppendFloat(e.dst, x, 'g', -1, 64)
	}
}

// number encodes a number without changing its digits. Text that is not a JSON number is encoded as a string.
func (e *encoder) number(f field, n string) {
	if raw := []byte(n); jsonx.KindOf(raw) == jsonx.Number && jsonx.Valid(raw) == nil && len(jsonx.Trim(raw)) == len(raw) {
		e.key(f)
		e.dst = append(e.dst, n...)
		return
	}
	e.text(f, n)
}

func (e *encoder) blob(f field, b []byte) {
	switch {
	case len(b) == 0:
	case utf8.Valid(b):
		e.key(f)
		e.dst = jsonx.AppendQuote(e.dst, b)
	default:
		e.dst = jsonx.AppendQuote(jsonx.AppendKey(e.dst, inBase64), base64.StdEncoding.EncodeToString(b))
	}
}

// inBase64 is the name of a member with bytes that are not UTF-8.
const inBase64 = "base64"
