package repair_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// said feeds a text in pieces of size bytes. Each piece of text that comes out is UTF-8.
func said(t testing.TB, text string, size int) (string, int, bool) {
	t.Helper()
	var r repair.TextReader
	var pieces []string // joined at the end: what was returned must stay as it is
	end, done := 0, false
	add := func(piece string, at int, over bool) {
		if !utf8.ValidString(piece) {
			t.Fatalf("%q in pieces of %d: %q is no UTF-8", text, size, piece)
		}
		pieces = append(pieces, piece)
		end, done = at, over
	}
	for rest := text; rest != "" && !done; {
		n := min(size, len(rest))
		add(r.Feed(rest[:n]))
		rest = rest[n:]
	}
	if !done {
		add(r.Close())
	}
	return strings.Join(pieces, ""), end, done
}

func TestTextReader(t *testing.T) {
	for _, c := range []struct {
		text, want string
		end        int // -1: it does not end
	}{
		{`"Hello" , "b": 1}`, "Hello", 7},
		{`""}`, "", 2},
		{`"", "b": 1}`, "", 2},
		{`"\n\t\"\\\/\b\f\r\u00e9\u0041" }`, "\n\t\"\\/\b\f\ré" + "A", 30},
		{`"\ud83d\ude00 \ud83d \ude00 \ud83dx \ud83d\u0041"}`, "😀 \uFFFD \uFFFD \uFFFDx \uFFFDA", 49},
		{`"wide 😀 é"}`, "wide 😀 é", 14},
		{"\"two\nlines\"}", "two\nlines", 11},
		{`'it's, well, 5 o'clock', "b": 1}`, "it's, well, 5 o'clock", 23},
		{`“typographic” }`, "typographic", 17},
		{`"""three "quotes" here"""}`, `three "quotes" here`, 25},
		{`"he said "yes", and left", "b": 1}`, `he said "yes", and left`, 25},
		{`"echo {"k":"v"}"}`, `echo {"k":"v"}`, 16},
		{`"\d+ \x41 \u{1F600} C:\users"}`, `\d+ A 😀 C:\users`, 29},
		{"\"\xff\"}", "\uFFFD", 3},
		{`"cut`, "cut", -1},
		{`"cut\`, "cut", -1},
		{`"cut\u00e`, "cut", -1},
		{`"cut\ud83d\ude0`, "cut\uFFFD", -1},
		{`"closed"`, "closed", 8},
		{`"closed", "ne`, "closed", 8},
		{`"a "b", c d`, `a "b", c d`, -1},
		{`x"`, "", 0},
	} {
		for size := 1; size <= len(c.text); size++ {
			got, end, done := said(t, c.text, size)
			if got != c.want || done != (c.end >= 0) || done && end != c.end {
				t.Errorf("%s in pieces of %d: got %q, %d %v, want %q, %d", c.text, size, got, end, done, c.want, c.end)
				break
			}
		}
	}
}

// After an element of a list another one may follow; after the value of a member only a name.
func TestTextReaderInList(t *testing.T) {
	for _, c := range []struct {
		text       string
		list       bool
		want, rest string
	}{
		{`"a", "b"]`, true, "a", `, "b"]`},
		{`"a", {"b": 1}]`, true, "a", `, {"b": 1}]`},
		{`"a", "b" and "c", "n": 1}`, false, `a", "b" and "c`, `, "n": 1}`},
	} {
		r := repair.TextReader{InList: c.list}
		got, _, done := r.Feed(c.text)
		if got != c.want || !done || r.Rest() != c.rest {
			t.Errorf("%s: got %q %v, then %q", c.text, got, done, r.Rest())
		}
	}
}

// What is certain is given at once: all of a text but for an escape that is not whole yet, and a quote that may not be the last.
func TestTextReaderDoesNotWait(t *testing.T) {
	var r repair.TextReader
	for _, c := range []struct{ piece, want string }{
		{`"Hel`, "Hel"}, {"lo", "lo"}, {`\`, ""}, {"n", "\n"}, {`\u00`, ""}, {"e9", "é"}, {" and th", " and th"}, {`en"`, "en"}, {`,`, ""}, {` "b`, ""},
	} {
		if got, _, done := r.Feed(c.piece); got != c.want || done {
			t.Errorf("%q: got %q %v, want %q", c.piece, got, done, c.want)
		}
	}
	if rest := r.Rest(); rest != "" {
		t.Errorf("%q is after the end that was not found yet", rest)
	}
	if got, end, done := r.Feed(`": 1`); got != "" || end != 24 || !done {
		t.Errorf("then %q, %d %v", got, end, done)
	}
	if rest := r.Rest(); rest != `, "b": 1` {
		t.Errorf("%q is after the end", rest)
	}
}

func TestTextReaderFixes(t *testing.T) {
	var r repair.TextReader
	for _, piece := range []string{"'a\n", `b\q `, `c\q'`, "}"} {
		r.Feed(piece)
	}
	var got []string
	for _, f := range r.Fixes() {
		got = append(got, f.Rule)
		if f.Rule == "invalid_escape" && (f.Offset != 4 || f.Was != `\`) {
			t.Errorf("got %+v", f)
		}
	}
	if want := "single_quotes raw_control invalid_escape"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// It reads what JSON reads, in every document of the tests whose first member is a string.
func TestTextReaderReadsAsJSON(t *testing.T) {
	read := 0
	for _, c := range mended {
		rest, ok := strings.CutPrefix(c.text, `{"a":`)
		v, found := jsonx.Find([]byte(c.want), "a")
		want, isText := jsonx.String(v)
		if !ok || !found || !isText || !strings.ContainsAny(rest[:1], "\"'`“‘„") {
			continue
		}
		if got, _, done := said(t, rest, 1); got != want || !done {
			t.Errorf("%s: got %q %v, want %q", c.text, got, done, want)
		}
		read++
	}
	if read < 10 {
		t.Errorf("only %d documents", read)
	}
}

// However a string is cut, its text and its end are the same; a sound one is read as it is.
func FuzzTextReader(f *testing.F) {
	for i, s := range seeds {
		_, value, _ := strings.Cut(s, ":")
		f.Add(strings.TrimSpace(value), uint8(i))
	}
	f.Add(`"\ud83d\ude00\u00e9 "a", b" , "k" : 1`, uint8(5))
	f.Fuzz(func(t *testing.T, text string, cut uint8) {
		want, end, done := said(t, text, len(text)+1)
		if end > len(text) || len(want) > 3*len(text) {
			t.Fatalf("%q gives %q, end %d", text, want, end)
		}
		for _, size := range []int{1, 2, 3, int(cut) + 1} {
			if got, at, over := said(t, text, size); got != want || at != end && done || over != done {
				t.Fatalf("%q in pieces of %d: %q %d %v, whole %q %d %v", text, size, got, at, over, want, end, done)
			}
		}
		if plain, ok := jsonx.String([]byte(text)); ok && jsonx.Valid([]byte(text)) == nil && strings.TrimSpace(text) == text {
			if got, at, over := said(t, text+"}", 1); got != plain || at != len(text) || !over {
				t.Fatalf("%q gives %q, end %d of %d", text, got, at, len(text))
			}
		}
	})
}
