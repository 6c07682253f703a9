package jsonx_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
)

func TestVerbatim(t *testing.T) {
	deep := strings.Repeat("[", 460) + strings.Repeat("]", 460)
	for _, c := range []struct{ text, want string }{
		{``, `{}`},
		{`null`, `{"v":null}`},
		{`{"b": 1.0,"a":9007199254740993}`, `{"v":{"b": 1.0,"a":9007199254740993}}`},
		{`"<&>\u00e9"`, `{"v":"<&>\u00e9"}`},
		{"{\n}", `{"v_text":"{\n}"}`},
		{` 1`, `{"v_text":" 1"}`},
		{`{"a":`, `{"v_text":"{\"a\":"}`},
		{`1,2`, `{"v_text":"1,2"}`},
		{deep, `{"v_text":"` + deep + `"}`},
		{`"` + deep + `"`, `{"v":"` + deep + `"}`},
	} {
		got := append(jsonx.AppendVerbatim([]byte("{"), "v", []byte(c.text)), '}')
		if string(got) != c.want {
			t.Errorf("%s is written as %s, want %s", c.text, got, c.want)
		}
		if err := jsonx.Valid(got); err != nil {
			t.Errorf("%s: %v", got, err)
		}
		if back := jsonx.Verbatim(got, "v"); string(back) != c.text {
			t.Errorf("%s comes back as %s", c.text, back)
		}
	}
}
