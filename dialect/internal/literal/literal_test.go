package literal_test

import (
	"testing"

	"github.com/callwright/callwright/dialect/internal/literal"
)

// A string in double quotes is read as JSON reads it, escapes that JSON does not know included.
func TestReadUnescapes(t *testing.T) {
	for text, want := range map[string]string{
		`{a:"x\ny \"z\""}`:                   `{"a":"x\ny \"z\""}`,
		`{a:"{\"b\":1}"}`:                    `{"a":"{\"b\":1}"}`,
		`{a:"rmdir \"C:\data\new\"",b:"x"}`:  `{"a":"rmdir \"C:\\data\\new\"","b":"x"}`,
		`{a:"import re\nre.match('\d')"}`:    `{"a":"import re\nre.match('\\d')"}`,
		`{a:"say "x\ny" \d"}`:                `{"a":"say \"x\ny\" \\d"}`,
		`{a:"\bword\d+\b",b:'\bword\d+\b'}`:  `{"a":"\\bword\\d+\\b","b":"\\bword\\d+\\b"}`,
		`{a:"\\server\share\new \u12"}`:      `{"a":"\\\\server\\share\\new \\u12"}`,
		`{a:<|"|>\bword\d+\b\n<|"|>}`:        `{"a":"\\bword\\d+\\b\\n"}`,
		`(a=C:\data\new, b="C:\\data\\new")`: `{"a":"C:\\data\\new","b":"C:\\data\\new"}`,
	} {
		if got, _, ok := literal.Read(text, nil); !ok || got != want {
			t.Errorf("%s: got %s %t, want %s", text, got, ok, want)
		}
	}
}
