package jsonx_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// values are valid; together they have each way on in the grammar.
var values = []string{
	`null`, `true`, `false`, ` true `, `0`, `-0`, `10`, `-12.50`, `0.1`, `1e5`, `0E+10`, `1.5e-300`, `123456789012345678901234567890`,
	`""`, `"a"`, `"a b"`, `"\"\\\/\b\f\n\r\t"`, `"\u00e9\uD83D\uDE00\ud800"`, `"é 世 🌍"`, `"twelve bytes and more \n than a word"`,
	"\"\x7f\"", `"\u0000"`, `[]`, `[ ]`, `[1]`, `[1,"a",null,[],{}]`, " [ 1 , 2 ] \r\n\t", `{}`, `{ }`, `{"a":1}`, `{"":""}`,
	`{"a":{"b":[{"c":null}]},"a":2}`, "{\n\t\"a\" : [ true , false ] ,\r\n \"b\\u0020c\" : \"}]{[\"\n}", `[[[[]]],[[{}]]]`,
	`[-1.0e+1,0,-0.0]`, `{"name":"get","arguments":"{\"q\":\"x\"}"}`,
}

// broken has texts that are not JSON, where they stop to be, and what was wanted and found there.
var broken = []struct {
	text   string
	offset int
	want   string
	got    string
}{
	{``, 0, "a value", "end of text"},
	{`  `, 2, "a value", "end of text"},
	{`x`, 0, "a value", "'x'"},
	{"\uFEFF{}", 0, "a value", "byte 0xef"},
	{`{} x`, 3, "nothing more", "'x'"},
	{`1 2`, 2, "nothing more", "'2'"},
	{`{}{}`, 2, "nothing more", "'{'"},
	{`nul`, 3, "null", "end of text"},
	{`nulL`, 3, "null", "'L'"},
	{`True`, 0, "a value", "'T'"},
	{`falsey`, 5, "nothing more", "'y'"},
	{`01`, 1, "the end of the number", "'1'"},
	{`-`, 1, "a digit", "end of text"},
	{`-a`, 1, "a digit", "'a'"},
	{`+1`, 0, "a value", "'+'"},
	{`.5`, 0, "a value", "'.'"},
	{`1.`, 2, "a digit", "end of text"},
	{`1.e5`, 2, "a digit", "'e'"},
	{`1e`, 2, "a digit or a sign", "end of text"},
	{`1e+`, 3, "a digit", "end of text"},
	{`1e5.0`, 3, "a digit or the end of the number", "'.'"},
	{`0x10`, 1, "the end of the number", "'x'"},
	{`NaN`, 0, "a value", "'N'"},
	{`"abc`, 4, `text or '"'`, "end of text"},
	{"\"a\nb\"", 2, `text or '"'`, "byte 0x0a"},
	{"\"a long run of text\x00\"", 19, `text or '"'`, "byte 0x00"},
	{`"\x41"`, 2, "an escape character", "'x'"},
	{`"\`, 2, "an escape character", "end of text"},
	{`"\u12`, 5, "a hexadecimal digit", "end of text"},
	{`"\u12g4"`, 5, "a hexadecimal digit", "'g'"},
	{"\"\xff\"", 1, `text or '"'`, "byte 0xff"},
	{"\"\xc0\xaf\"", 1, `text or '"'`, "byte 0xc0"},
	{"\"\xe4\xb8\"", 3, "UTF-8", "'\"'"},
	{"\"\xed\xa0\x80\"", 2, "UTF-8", "byte 0xa0"},
	{"\"\xf4\x90\x80\x80\"", 2, "UTF-8", "byte 0x90"},
	{"\"\xe0\x80\x80\"", 2, "UTF-8", "byte 0x80"},
	{"\"ok \xe4\xb8\x96 then \x80 and \x01\"", 13, `text or '"'`, "byte 0x80"},
	{`'a'`, 0, "a value", "'\\''"},
	{`[`, 1, "a value or ']'", "end of text"},
	{`[,1]`, 1, "a value or ']'", "','"},
	{`[1,]`, 3, "a value", "']'"},
	{`[1 2]`, 3, "',' or ']'", "'2'"},
	{`[1 }`, 3, "',' or ']'", "'}'"},
	{`[1`, 2, "a digit or the end of the number", "end of text"},
	{`["a"`, 4, "',' or ']'", "end of text"},
	{`{`, 1, "a member name or '}'", "end of text"},
	{`{a:1}`, 1, "a member name or '}'", "'a'"},
	{`{"a"}`, 4, "':'", "'}'"},
	{`{"a" 1}`, 5, "':'", "'1'"},
	{`{"a":}`, 5, "a value", "'}'"},
	{`{"a":1,}`, 7, "a member name", "'}'"},
	{`{"a":1 "b":2}`, 7, "',' or '}'", "'\"'"},
	{`{"a":1]`, 6, "a digit or the end of the number", "']'"},
	{`{"a":"b"]`, 8, "',' or '}'", "']'"},
	{`{1:2}`, 1, "a member name or '}'", "'1'"},
	{`]`, 0, "a value", "']'"},
}

func TestValid(t *testing.T) {
	for _, v := range values {
		if err := jsonx.Valid([]byte(v)); err != nil {
			t.Errorf("%s: got error %v", v, err)
		}
	}
	for _, c := range broken {
		want := &jsonx.SyntaxError{Offset: c.offset, Want: c.want, Got: c.got}
		var got *jsonx.SyntaxError
		if err := jsonx.Valid([]byte(c.text)); !errors.As(err, &got) || *got != *want {
			t.Errorf("%q: got error %v, want %v", c.text, err, want)
		}
	}
}

func nested(n int) string {
	return strings.Repeat(`[{"a":`, n/2) + strings.Repeat("[", n%2) + strings.Repeat("]", n%2) +
		strings.Repeat(" ", 1-n%2) + "null"[:4*(1-n%2)] + strings.Repeat("}]", n/2)
}

func TestDepth(t *testing.T) {
	for _, c := range []struct {
		text string
		want error
	}{
		{nested(jsonx.MaxDepth), nil},
		{nested(jsonx.MaxDepth - 1), nil},
		{nested(jsonx.MaxDepth + 1), jsonx.ErrDepth},
		{nested(jsonx.MaxDepth + 2), jsonx.ErrDepth},
		{strings.Repeat("[", 1_000_000), jsonx.ErrDepth},
	} {
		var k jsonx.Checker
		if err := jsonx.Valid([]byte(c.text)); err != c.want {
			t.Errorf("%.20s... of %d bytes: got %v, want %v", c.text, len(c.text), err, c.want)
		}
		if err := k.FeedString(c.text); err != c.want {
			t.Errorf("%.20s... of %d bytes, Checker: got %v, want %v", c.text, len(c.text), err, c.want)
		}
	}
}

func TestSyntaxErrorText(t *testing.T) {
	got := jsonx.Valid([]byte(`{"a":1,}`)).Error()
	if want := `json: expected a member name at byte 7, got '}'`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestValidDoesNotAllocate(t *testing.T) {
	text := chat()
	if n := testing.AllocsPerRun(10, func() { _ = jsonx.Valid(text) }); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}

// checkAll feeds text to a Checker in two pieces and compares it with Valid: the same verdict, and the same error.
func checkAll(text []byte, split int) string {
	want := jsonx.Valid(text)
	var c jsonx.Checker
	err := c.Feed(text[:split])
	if err == nil {
		err = c.FeedString(string(text[split:]))
	}
	complete := c.Complete()
	if err == nil {
		err = c.Close()
	}
	if complete != (want == nil) {
		return "complete although Valid says no, or the other way round"
	}
	return cmp.Diff(want, err, cmp.Comparer(func(a, b error) bool {
		if a == nil || b == nil {
			return a == b
		}
		return a.Error() == b.Error()
	}))
}

func TestChecker(t *testing.T) {
	texts := append([]string{}, values...)
	for _, c := range broken {
		texts = append(texts, c.text)
	}
	for _, text := range texts {
		for split := range len(text) + 1 {
			if diff := checkAll([]byte(text), split); diff != "" {
				t.Errorf("%q split at %d: %s", text, split, diff)
			}
		}
	}
}

func TestCheckerState(t *testing.T) {
	steps := []struct {
		piece    string
		depth    int
		inString bool
		complete bool
	}{
		{" ", 0, false, false}, {`{"na`, 1, true, false}, {`me"`, 1, false, false}, {`:[`, 2, false, false}, {`"x\`, 2, true, false},
		{`u00`, 2, true, false}, {"e9\xe4", 2, true, false}, {"\xb8\x96", 2, true, false}, {`",1`, 2, false, false},
		{`2]`, 1, false, false}, {`}`, 0, false, true}, {"\n", 0, false, true},
	}
	var c jsonx.Checker
	for i, s := range steps {
		err := c.FeedString(s.piece)
		if err != nil || c.Depth() != s.depth || c.InString() != s.inString || c.Complete() != s.complete {
			t.Errorf("step %d, %q: got depth %d, in string %v, complete %v, error %v, want %+v",
				i, s.piece, c.Depth(), c.InString(), c.Complete(), err, s)
		}
	}
	first := c.FeedString("x")
	if first == nil || c.FeedString(" ") != first || c.Close() != first || c.Complete() {
		t.Errorf("after the error %v: want the same error from then on", first)
	}
}

func TestCheckerDoesNotAllocate(t *testing.T) {
	text := string(chat())
	for _, size := range []int{7, 700, len(text)} {
		n := testing.AllocsPerRun(5, func() {
			var c jsonx.Checker
			for i := 0; i < len(text); i += size {
				_ = c.FeedString(text[i:min(i+size, len(text))])
			}
		})
		if n != 0 {
			t.Errorf("pieces of %d bytes: got %v allocations, want none", size, n)
		}
	}
}

// Every prefix that the Checker takes must be the beginning of some value: here it is completed to one.
func TestCheckerPrefixesCanGoOn(t *testing.T) {
	for _, text := range append([]string{string(chat()[:3000])}, values...) {
		for end := range min(len(text), 700) {
			var c jsonx.Checker
			if err := c.FeedString(text[:end]); err != nil {
				t.Fatalf("%q: got %v", text[:end], err)
			}
			if !completes(c) {
				t.Errorf("%q: taken, but nothing goes on from there", text[:end])
			}
		}
	}
}

// completes tries, one byte at a time, what may come next, those that lead to an end first.
func completes(c jsonx.Checker) bool {
	for range 20 {
		if c.Complete() {
			return true
		}
		ends, ok := []string{"}", "]", ":", "1", "u", "l", "r", "e", "a", "s", "\""}, false
		if c.InString() {
			ends = []string{"\"", "\x96", "1", "b"}
		}
		for _, next := range ends {
			try := c
			if ok = try.FeedString(next) == nil; ok {
				c = try
				break
			}
		}
		if !ok {
			return false
		}
	}
	return c.Complete()
}

func FuzzValid(f *testing.F) {
	for _, v := range values {
		f.Add([]byte(v), uint16(3))
	}
	for _, c := range broken {
		f.Add([]byte(c.text), uint16(1))
	}
	f.Fuzz(func(t *testing.T, text []byte, at uint16) {
		got, want := jsonx.Valid(text), json.Valid(text)
		// Ours is stricter in two points: depth, and UTF-8.
		if got == nil != want && !(want && (errors.Is(got, jsonx.ErrDepth) || !utf8.Valid(text))) {
			t.Errorf("%q: got %v, encoding/json says %v", text, got, want)
		}
		if got == nil && !utf8.Valid(text) {
			t.Errorf("%q: valid although it is not UTF-8", text)
		}
		if diff := checkAll(text, int(at)%(len(text)+1)); diff != "" {
			t.Errorf("%q split at %d: %s", text, int(at)%(len(text)+1), diff)
		}
		for split := 0; split < len(text) && len(text) < 100; split++ {
			if diff := checkAll(text, split); diff != "" {
				t.Errorf("%q split at %d: %s", text, split, diff)
			}
		}
	})
}

func TestValidAgreesOnDamagedValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(anyValue(3).Draw(t, "value"))
		text[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.SampledFrom([]byte(`{}[],:"\0-.eE 1tnu`+"\x00\xe4")).Draw(t, "byte")
		if got := jsonx.Valid(text); got == nil != (json.Valid(text) && utf8.Valid(text)) {
			t.Fatalf("%q: got %v", text, got)
		}
	})
}
