package render

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/internal/jsonx"
)

// plainValues is the instruction of formats with values as plain text.
const plainValues = "Write strings as they are, without quotes or escapes; write other values as JSON."

// A Tags is a Renderer of a tag for each call and a tag for each argument.
type Tags struct {
	Open, Shut, Call, CallEnd, Value, ValueEnd string
	Lines                                      bool // values are on separate lines
	Each                                       bool // Open and Shut enclose each call instead of all
	Typed                                      bool // the value tag has an attribute that says whether it is a string
}

// Invokes returns a Renderer of tags <invoke name="..."> between open and shut.
func Invokes(open, shut string) Renderer {
	return Tags{Open: open, Shut: shut, Call: `<invoke name="%s">`, CallEnd: "</invoke>", Value: `<parameter name="%s">`,
		ValueEnd: "</parameter>"}
}

// Functions returns a Renderer of tags <function=...>, each between open and shut.
func Functions(open, shut string) Renderer {
	return Tags{Open: open, Shut: shut, Call: "<function=%s>", CallEnd: "</function>", Value: "<parameter=%s>",
		ValueEnd: "</parameter>", Lines: true, Each: true}
}

// NewBarredTags returns a Renderer of tags with a namespace between bars, such as <｜DSML｜invoke>. space is the
// namespace and block the name of the enclosing tag.
func NewBarredTags(space, block string) Renderer {
	bar := "｜" + space + "｜"
	return Tags{Open: "<" + bar + block + ">\n", Shut: "\n</" + bar + block + ">", Call: "<" + bar + `invoke name="%s">`,
		CallEnd: "</" + bar + "invoke>",
		Value:   "<" + bar + `parameter name="%s" string="%s">`, ValueEnd: "</" + bar + "parameter>", Typed: true}
}

func (v Tags) Rules() string { return plainValues }

func (v Tags) Calls(b *strings.Builder, calls []Call) {
	for i := range calls {
		c := &calls[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == 0 || v.Each {
			b.WriteString(v.Open)
		}
		fmt.Fprintf(b, v.Call+"\n", c.Name)
		for k, val := range jsonx.Members(c.arguments()) {
			if v.Typed {
				fmt.Fprintf(b, v.Value, k.String(), strconv.FormatBool(jsonx.KindOf(val) == jsonx.Text))
			} else {
				fmt.Fprintf(b, v.Value, k.String())
			}
			text := literal.Raw(val)
			if v.Lines {
				text = "\n" + text + "\n"
			}
			b.WriteString(text + v.ValueEnd + "\n")
		}
		b.WriteString(v.CallEnd)
		if v.Each || i == len(calls)-1 {
			b.WriteString(v.Shut)
		}
	}
}

// A Pairs is a Renderer of the tool name followed by keys and values in separate tags.
type Pairs struct {
	Open, Shut    string // around all calls
	Call, CallEnd string // around each call; Call has %s for the name
	Pair          string // has %s for the key and %s for the value
	Join          string // separator of calls
}

func (Pairs) Rules() string { return plainValues }

func (v Pairs) Calls(b *strings.Builder, calls []Call) {
	b.WriteString(v.Open)
	for i := range calls {
		if i > 0 {
			b.WriteString(v.Join)
		}
		fmt.Fprintf(b, v.Call, calls[i].Name)
		for k, val := range jsonx.Members(calls[i].arguments()) {
			fmt.Fprintf(b, v.Pair, k.String(), literal.Raw(val))
		}
		b.WriteString(v.CallEnd)
	}
	b.WriteString(v.Shut)
}

// An XTML is a Renderer of tags whose brackets are special tokens, with the type of each value (Kimi K3).
type XTML struct{}

func (XTML) Rules() string { return plainValues }

func (XTML) Calls(b *strings.Builder, calls []Call) {
	b.WriteString("<|open|>tools<|sep|>")
	for i := range calls {
		fmt.Fprintf(b, `<|open|>call tool="%s" index="%d"<|sep|>`, html.EscapeString(calls[i].Name), i+1)
		for k, val := range jsonx.Members(calls[i].arguments()) {
			fmt.Fprintf(b, `<|open|>argument key="%s" type="%s"<|sep|>%s<|close|>argument<|sep|>`,
				html.EscapeString(k.String()), jsonx.KindOf(val), literal.Raw(val))
		}
		b.WriteString("<|close|>call<|sep|>")
	}
	b.WriteString("<|close|>tools<|sep|>")
}

// An Elements is a Renderer of nested XML elements. Head is the prefix of each tag.
type Elements struct{ Head string }

func (Elements) Rules() string {
	return "Write each value as an element named after its key, and each element of a list as an item."
}

func (v Elements) Calls(b *strings.Builder, calls []Call) {
	b.WriteString(v.Head + "<tool_call>\n")
	for i := range calls {
		fmt.Fprintf(b, `%s<invoke name="%s">`, v.Head, calls[i].Name)
		for k, val := range jsonx.Members(calls[i].arguments()) {
			v.element(b, k.String(), val)
		}
		b.WriteString(v.Head + "</invoke>\n")
	}
	b.WriteString(v.Head + "</tool_call>")
}

func (v Elements) element(b *strings.Builder, name string, val []byte) {
	b.WriteString(v.Head + "<" + name + ">")
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
	b.WriteString(v.Head + "</" + name + ">")
}

// A Delimited is a Renderer of call:name{key:value}, with unquoted keys and with Quote around strings (Gemma).
type Delimited struct{ Open, Shut, Quote string }

func (Delimited) Rules() string { return "" }

func (v Delimited) Calls(b *strings.Builder, calls []Call) {
	for i := range calls {
		b.WriteString(v.Open + "call:" + calls[i].Name)
		literal.Write(b, calls[i].arguments(), v.Quote)
		b.WriteString(v.Shut)
	}
}
