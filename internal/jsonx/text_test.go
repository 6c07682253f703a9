package jsonx_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
)

func TestString(t *testing.T) {
	for _, c := range []struct {
		v, want string
		ok      bool
	}{
		{`""`, "", true}, {`"plain"`, "plain", true}, {` "x" `, "x", true}, {`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t", true},
		{`"\u0041\u00e9\u4e16"`, "Aé世", true}, {`"\ud83d\ude00!"`, "😀!", true}, {`"\uD83D\uDE00"`, "😀", true},
		{`"\ud83d"`, "\uFFFD", true}, {`"\ud83dx"`, "\uFFFDx", true}, {`"\ude00\ud83d"`, "\uFFFD\uFFFD", true},
		{`"\ud83d\ud83d\ude00"`, "\uFFFD😀", true}, {`"\ud83d\u0041"`, "\uFFFDA", true}, {`"世界"`, "世界", true},
		{`1`, "", false}, {`null`, "", false}, {`["x"]`, "", false}, {``, "", false}, {`"`, "", false},
	} {
		got, ok := jsonx.String([]byte(c.v))
		if got != c.want || ok != c.ok {
			t.Errorf("%s: got %q, %v, want %q, %v", c.v, got, ok, c.want, c.ok)
		}
		if got := string(jsonx.Unquote([]byte("> "), []byte(c.v))); got != "> "+c.want {
			t.Errorf("%s appended: got %q", c.v, got)
		}
	}
}

// A String is a copy: it does not change with the bytes it was read from.
func TestStringIsACopy(t *testing.T) {
	v := []byte(`"abc"`)
	s, _ := jsonx.String(v)
	v[1] = 'X'
	if s != "abc" {
		t.Errorf("got %q", s)
	}
}

type name string

// Long strings are read in pieces; escapes are read wherever a piece ends.
func TestStringReadsEscapesAtEveryPlace(t *testing.T) {
	for _, escape := range []string{`\n`, `\u00e9`, `\u20ac`, `\ud83d\ude00`, `\ud83d`, `\ud83d\u0041`} {
		for n := range 1600 {
			for _, after := range []string{"", "b", "bcdefghijklmnop"} {
				v := []byte(`"` + strings.Repeat("a", n) + escape + after + `"`)
				var want string
				if err := json.Unmarshal(v, &want); err != nil {
					t.Fatal(err)
				}
				if got, ok := jsonx.String(v); !ok || got != want {
					t.Fatalf("%s after %d bytes: expected %q, got %q", escape, n, want, got)
				}
				if got := jsonx.Unquote(nil, v); string(got) != want {
					t.Fatalf("%s after %d bytes: expected %q, got %q", escape, n, want, got)
				}
			}
		}
	}
}

func TestAppendQuote(t *testing.T) {
	for in, want := range map[string]string{
		"":                              `""`,
		"plain":                         `"plain"`,
		`a "b" \c`:                      `"a \"b\" \\c"`,
		"\b\f\n\r\t":                    `"\b\f\n\r\t"`,
		"\x00\x1f\x7f":                  "\"\\u0000\\u001f\x7f\"",
		"<a href='x'>&amp;</a>":         `"<a href='x'>&amp;</a>"`,
		"é世🌍\u2028":                     `"é世🌍` + "\u2028" + `"`,
		"a\xffb\xe4\xb8c":               `"a` + "\uFFFD" + `b` + "\uFFFD\uFFFD" + `c"`,
		"\uFFFD stays":                  `"` + "\uFFFD" + ` stays"`,
		"long enough for words, then\n": `"long enough for words, then\n"`,
	} {
		if got := string(jsonx.AppendQuote([]byte("> "), in)); got != "> "+want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
		if got := string(jsonx.AppendQuote(nil, []byte(in))); got != want {
			t.Errorf("%q as bytes: got %s, want %s", in, got, want)
		}
		if got := string(jsonx.AppendQuote(nil, name(in))); got != want {
			t.Errorf("%q as a named type: got %s, want %s", in, got, want)
		}
	}
}

func TestAppendQuoteDoesNotCopyItsText(t *testing.T) {
	text := chat()
	plain, named := string(text), name(text)
	dst := make([]byte, 0, 2*len(text))
	for kind, quote := range map[string]func(){
		"bytes":        func() { jsonx.AppendQuote(dst, text) },
		"a string":     func() { jsonx.AppendQuote(dst, plain) },
		"a named type": func() { jsonx.AppendQuote(dst, named) },
	} {
		if n := testing.AllocsPerRun(5, quote); n != 0 {
			t.Errorf("%s: got %v allocations, want none", kind, n)
		}
	}
}

func FuzzAppendQuote(f *testing.F) {
	for _, s := range []string{"", "plain text", "\"\\\n", "\xff\xe4\xb8", "é世🌍", "\u2028<>&"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		quoted := jsonx.AppendQuote(nil, s)
		if err := jsonx.Valid(quoted); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		want := strings.ToValidUTF8(s, "\uFFFD")
		if !utf8.ValidString(s) {
			want = string([]rune(s)) // one U+FFFD for each byte
		}
		var other string
		if err := json.Unmarshal(quoted, &other); err != nil || other != want {
			t.Errorf("%q: encoding/json reads %q, %v", s, other, err)
		}
		if got, ok := jsonx.String(quoted); got != want || !ok {
			t.Errorf("%q: came back as %q", s, got)
		}
		if !jsonx.Key(quoted).Is(want) {
			t.Errorf("%q: the key is not %q", s, want)
		}
	})
}
