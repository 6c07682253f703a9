package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/literal"
)

// A delimitedRenderer writes call:name{key:value}, with delimiters around strings and keys without quotes.
type delimitedRenderer struct{ open, shut, quote string }

func (delimitedRenderer) rules() string { return "" }

func (v delimitedRenderer) calls(b *strings.Builder, calls []RenderedCall) {
	for i := range calls {
		b.WriteString(v.open + "call:" + calls[i].Name)
		literal.Write(b, calls[i].arguments(), v.quote)
		b.WriteString(v.shut)
	}
}
