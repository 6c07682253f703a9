package dialect

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/internal/jsonx"
)

// plainValues are the rules of formats whose values are text.
const plainValues = "Write strings as they are, without quotes or escapes; write other values as JSON."

// A tagRenderer writes one tag a call and one tag an argument.
type tagRenderer struct {
	open, shut, call, callEnd, value, valueEnd string
	lines                                      bool // values stand on lines of their own
	each                                       bool // open and shut stand around each call
	typed                                      bool // the value's tag says whether it is a string
}

func (v tagRenderer) rules() string { return plainValues }

func (v tagRenderer) calls(b *strings.Builder, calls []RenderedCall) {
	for i := range calls {
		c := &calls[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == 0 || v.each {
			b.WriteString(v.open)
		}
		fmt.Fprintf(b, v.call+"\n", c.Name)
		for k, val := range jsonx.Members(c.arguments()) {
			if v.typed {
				fmt.Fprintf(b, v.value, k.String(), strconv.FormatBool(jsonx.KindOf(val) == jsonx.Text))
			} else {
				fmt.Fprintf(b, v.value, k.String())
			}
			text := literal.Raw(val)
			if v.lines {
				text = "\n" + text + "\n"
			}
			b.WriteString(text + v.valueEnd + "\n")
		}
		b.WriteString(v.callEnd)
		if v.each || i == len(calls)-1 {
			b.WriteString(v.shut)
		}
	}
}

// A pairRenderer writes the name and pairs of keys and values.
type pairRenderer struct {
	open, shut    string // around all calls
	call, callEnd string // around each; call has a place for the name
	pair          string // has places for the key and the value
	join          string // between calls
}

func (pairRenderer) rules() string { return plainValues }

func (v pairRenderer) calls(b *strings.Builder, calls []RenderedCall) {
	b.WriteString(v.open)
	for i := range calls {
		if i > 0 {
			b.WriteString(v.join)
		}
		fmt.Fprintf(b, v.call, calls[i].Name)
		for k, val := range jsonx.Members(calls[i].arguments()) {
			fmt.Fprintf(b, v.pair, k.String(), literal.Raw(val))
		}
		b.WriteString(v.callEnd)
	}
	b.WriteString(v.shut)
}

// An xtmlRenderer writes tags whose brackets are special tokens, and says the type of each value.
type xtmlRenderer struct{}

func (xtmlRenderer) rules() string { return plainValues }

func (xtmlRenderer) calls(b *strings.Builder, calls []RenderedCall) {
	b.WriteString("<|open|>tools<|sep|>")
	for i := range calls {
		fmt.Fprintf(b, `<|open|>call tool="%s" index="%d"<|sep|>`, html.EscapeString(calls[i].Name), i+1)
		for k, val := range jsonx.Members(calls[i].arguments()) {
			fmt.Fprintf(b, `<|open|>argument key="%s" type="%s"<|sep|>%s<|close|>argument<|sep|>`, html.EscapeString(k.String()), jsonx.KindOf(val), literal.Raw(val))
		}
		b.WriteString("<|close|>call<|sep|>")
	}
	b.WriteString("<|close|>tools<|sep|>")
}

// An elementRenderer writes one element a value, nested; head stands before each tag.
type elementRenderer struct{ head string }

func (elementRenderer) rules() string {
	return "Write each value as an element named after its key, and each element of a list as an item."
}

func (v elementRenderer) calls(b *strings.Builder, calls []RenderedCall) {
	b.WriteString(v.head + "<tool_call>\n")
	for i := range calls {
		fmt.Fprintf(b, `%s<invoke name="%s">`, v.head, calls[i].Name)
		for k, val := range jsonx.Members(calls[i].arguments()) {
			v.element(b, k.String(), val)
		}
		b.WriteString(v.head + "</invoke>\n")
	}
	b.WriteString(v.head + "</tool_call>")
}

func (v elementRenderer) element(b *strings.Builder, name string, val []byte) {
	b.WriteString(v.head + "<" + name + ">")
	switch {
	case jsonx.KindOf(val) == jsonx.Object && markup.Writable(val):
		for k, e := range jsonx.Members(val) {
			v.element(b, k.String(), e)
		}
	case jsonx.KindOf(val) == jsonx.Array && markup.Writable(val):
		for e := range jsonx.Elements(val) {
			v.element(b, "item", e)
		}
	default:
		b.WriteString(literal.Raw(val))
	}
	b.WriteString(v.head + "</" + name + ">")
}
