package inplace_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/dashboard/internal/inplace"
	"pgregory.net/rapid"
)

// written is a text with what was as [-…-] and what is as {+…+}.
func written(t inplace.Text) string {
	var b strings.Builder
	for _, p := range t.Pieces {
		if p.Changed {
			b.WriteString("[-" + p.Was + "-]{+" + p.Now + "+}")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestDifference(t *testing.T) {
	for _, tc := range []struct{ was, now, want string }{
		{"", "", ""},
		{"same\n", "same\n", "same\n"},
		{"a\nb\nc\n", "a\nx\nc\n", "a\n[-b-]{+x+}\nc\n"},
		{"a\n", "a\nb\n", "a\n[--]{+b\n+}"},
		{"a\nb\n", "b\n", "[-a\n-]{++}b\n"},
		{"{\n \"days\": \"3\"\n}", "{\n \"days\": 3\n}", "{\n \"days\": [-\"3\"-]{+3+}\n}"},
		{"é", "è", "[-é-]{+è+}"},
	} {
		got := written(inplace.Difference("", tc.was, tc.now))
		if got != tc.want {
			t.Errorf("%q, %q: got %q, want %q", tc.was, tc.now, got, tc.want)
		}
	}
}

// Whatever differs, both texts can be read out of what is shown, in whole characters.
func TestDifferenceShowsBoth(t *testing.T) {
	lines := rapid.StringOf(rapid.SampledFrom([]rune("ab\n\"é日")))
	rapid.Check(t, func(rt *rapid.T) {
		was, now := lines.Draw(rt, "was"), lines.Draw(rt, "now")
		text := inplace.Difference("", was, now)
		var then, today strings.Builder
		marked := false
		for _, p := range text.Pieces {
			if !utf8.ValidString(p.Text + p.Was + p.Now) {
				rt.Fatalf("%+v is no text", p)
			}
			then.WriteString(p.Text + p.Was)
			today.WriteString(p.Text + p.Now)
			marked = marked || p.Changed
		}
		if then.String() != was || today.String() != now || marked == (was == now) {
			rt.Fatalf("%q and %q are shown as %q", was, now, written(text))
		}
	})
}

// A change is marked where its old text stands once, as it is or in a JSON string; nowhere else.
func TestMarked(t *testing.T) {
	changed := func(was, now string) callwright.Note {
		return callwright.Note{Rule: "json.quotes", Risk: callwright.RiskLossless, Was: was, Now: now}
	}
	for _, tc := range []struct {
		text  string
		notes []callwright.Note
		want  string
	}{
		{`{'a': 1}`, []callwright.Note{changed(`{'a': 1}`, `{"a": 1}`)}, `[-{'a': 1}-]{+{"a": 1}+}`},
		{`"x{'a': \"1\"}"`, []callwright.Note{changed(`{'a': "1"}`, `{}`)}, `"x[-{'a': \"1\"}-]{+{}+}"`},
		{"abc abc", []callwright.Note{changed("abc", "x")}, "abc abc"},
		{"ab", []callwright.Note{changed("ab", "x")}, "ab"},
		{"abcdef", []callwright.Note{changed("cdef", "y"), changed("abcd", "x")}, "[-abcd-]{+x+}ef"},
		{"abcdef", []callwright.Note{{Rule: "found", Was: "abcd", Now: "x"}}, "abcdef"},
	} {
		if got := written(inplace.MarkChanges("", tc.text, tc.notes)); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.text, got, tc.want)
		}
	}
	long := inplace.Plain("", strings.Repeat("é", inplace.Most))
	if n := len(written(long)); n > inplace.Most || n < inplace.Most-4 || long.Cut != 2*inplace.Most-n || !utf8.ValidString(written(long)) {
		t.Errorf("%d bytes are shown, %d are not", n, long.Cut)
	}
}
