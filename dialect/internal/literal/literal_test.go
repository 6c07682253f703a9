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

// A value without quotes ends before the name of a declared parameter, also before one that has spaces, and before no other words.
func TestReadKeys(t *testing.T) {
	types := func(name string) ([]string, bool) {
		return []string{"string"}, name == "a" || name == "key with space" || name == "b"
	}
	for text, want := range map[string]string{
		`{a:false,key with space:1.5e-05,b:x}`:   `{"a":"false","key with space":"1.5e-05","b":"x"}`,
		`{a:x,"key with space":y}`:               `{"a":"x","key with space":"y"}`,
		`{a:x, key with space = y,b:1}`:          `{"a":"x","key with space":"y","b":"1"}`,
		`{a:one, no key with space: two,b:z}`:    `{"a":"one, no key with space: two","b":"z"}`,
		"{a:one,\nkey with space\n: two,b:z}":    "{\"a\":\"one,\\nkey with space\\n: two\",\"b\":\"z\"}",
		`{a:one, key with, space: two,b:z}`:      `{"a":"one, key with, space: two","b":"z"}`,
		`{a:{key with space:1,c d:2},b:{e f:3}}`: `{"a":{"key with space":1,"c d":2},"b":{"e f":3}}`,
	} {
		if got, _, ok := literal.Read(text, types); !ok || got != want {
			t.Errorf("%q: got %s %t, want %s", text, got, ok, want)
		}
	}
}

// Strings side by side, or with a plus between them, are one value, and backquotes are quotes; a value that goes on otherwise is none of them.
func TestReadJoins(t *testing.T) {
	for text, want := range map[string]string{
		"{a:`x`}":                                   `{"a":"x"}`,
		"{a:`x \"y\"`,b:1}":                         `{"a":"x \"y\"","b":1}`,
		`{a:"x\n" + "y\n"}`:                         `{"a":"x\ny\n"}`,
		`{a:"x"+'y',b:'z'}`:                         `{"a":"xy","b":"z"}`,
		`{a:"x" "y" "z"}`:                           `{"a":"xyz"}`,
		`{a:<|"|>x\n<|"|> + <|"|>y<|"|>,b:1}`:       `{"a":"x\\ny","b":1}`,
		`{a:<|"|>x<|"|><|"|>y<|"|>}`:                `{"a":"xy"}`,
		`{a:["x" + "y","z"],b:{c:"x" "y"}}`:         `{"a":["xy","z"],"b":{"c":"xy"}}`,
		`{a:"x"y"z"}`:                               `{"a":"x\"y\"z"}`,
		"{a:use `x` and `y`,b:1}":                   "{\"a\":\"use `x` and `y`\",\"b\":1}",
		`{a:<escape>x<escape> + <escape>y<escape>}`: `{"a":"xy"}`,
	} {
		types := func(string) ([]string, bool) { return nil, true }
		if got, _, ok := literal.Read(text, types); !ok || got != want {
			t.Errorf("%s: got %s %t, want %s", text, got, ok, want)
		}
	}
}

// Words for null are null where a parameter takes more than strings.
func TestReadNull(t *testing.T) {
	for word, want := range map[string]string{"null": "null", "NULL": "null", "None": "null", "none": `"none"`, "nil": `"nil"`} {
		for kind, wanted := range map[string]string{"null": want, "integer": want, "string": `"` + word + `"`} {
			types := func(string) ([]string, bool) { return []string{"string", kind}, true }
			if kind != "null" {
				types = func(string) ([]string, bool) { return []string{kind}, true }
			}
			if got, _, ok := literal.Read("{a:"+word+"}", types); !ok || got != `{"a":`+wanted+"}" {
				t.Errorf("%s for %s: got %s %t, want %s", word, kind, got, ok, wanted)
			}
		}
	}
}
