package jsonx_test

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
	"pgregory.net/rapid"
)

var anySpace = rapid.SampledFrom([]string{"", "", "", " ", "\n", "\t ", "\r\n"})

var anyNumber = rapid.OneOf(
	rapid.SampledFrom([]string{"0", "-0", "0.1", "9223372036854775807", "1e5", "-2.50E-3", "100"}),
	rapid.Map(rapid.Int64(), func(n int64) string { return fmt.Sprint(n) }),
)

// anyString is a JSON string; not all that could be plain is.
var anyString = rapid.Custom(func(t *rapid.T) string {
	part := rapid.SampledFrom([]string{"a", "b", "role", " ", "}", "]", "{", ",", ":", "é", "世界", "🌍", `\"`, `\\`, `\n`, `\/`, `\u0061`,
		`\ud83d\ude00`, `\ud800`, "longer than eight bytes"})
	return `"` + strings.Join(rapid.SliceOfN(part, 0, 6).Draw(t, "text"), "") + `"`
})

// anyValue returns JSON text nested up to depth, with white space here and there.
func anyValue(depth int) *rapid.Generator[string] {
	scalar := rapid.OneOf(anyString, anyNumber, rapid.SampledFrom([]string{"true", "false", "null"}))
	if depth == 0 {
		return scalar
	}
	return rapid.OneOf(scalar, anyContainer(depth, "[", "]"), anyContainer(depth, "{", "}"))
}

func anyContainer(depth int, opener, closer string) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		space := func() string { return anySpace.Draw(t, "space") }
		out := opener + space()
		seen := map[string]bool{}
		for i := range rapid.IntRange(0, 4).Draw(t, "length") {
			if i > 0 {
				out += "," + space()
			}
			if opener == "{" {
				key := anyString.Filter(func(k string) bool { return !seen[plainText(k)] }).Draw(t, "key")
				seen[plainText(key)] = true
				out += key + space() + ":" + space()
			}
			out += anyValue(depth-1).Draw(t, "value") + space()
		}
		return out + closer
	})
}

func plainText(v string) string {
	s, _ := jsonx.String([]byte(v))
	return s
}
