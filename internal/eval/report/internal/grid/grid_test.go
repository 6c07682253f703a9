package grid_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/eval/report/internal/grid"
	"pgregory.net/rapid"
)

// columns are some of each kind.
func columns() []grid.Column {
	return []grid.Column{
		{Head: "model", Names: true, Least: 12, Cells: []string{"maker/model-with-a-long-name-7", "short"}},
		{Head: "n", Right: true, Cells: []string{"7", "1200"}},
		{Head: "p95", Right: true, Drop: 1, Cells: []string{"12", "8"}},
		{Head: "empty", Drop: 2, Cells: []string{"", ""}},
		{Head: "notes", Least: 10, Drop: 3, Cells: []string{"", "something to be said"}},
	}
}

// What does not fit is shortened first, then left out, and names last of all.
func TestWrite(t *testing.T) {
	for width, want := range map[int]string{
		80: "" +
			"model                              n  p95  notes\n" +
			"maker/model-with-a-long-name-7     7   12\n" +
			"short                           1200    8  something to be said\n",
		50: "" +
			"model                  n  p95  notes\n" +
			"maker/…long-name-7     7   12\n" +
			"short               1200    8  something to be sa…\n",
		30: "" +
			"model                   n  p95\n" +
			"maker/…-long-name-7     7   12\n" +
			"short                1200    8\n",
		14: "" +
			"model        n\n" +
			"mak…me-7     7\n" +
			"short     1200\n",
	} {
		var b strings.Builder
		if err := grid.Write(&b, width, columns()); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("at %d:\n%s\nwant\n%s", width, &b, want)
		}
	}
}

func TestVisible(t *testing.T) {
	if got, want := grid.Visible("a\tb\nc\x1b[31m\u202ex\u2028y\u009b東"), "a b c�[31m�x�y�東"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Every word is there, in lines that are not too wide; a line that could have taken the next word has it.
func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[a-zø]{1,12}`)).Draw(t, "words")
		width := rapid.IntRange(1, 20).Draw(t, "width")
		lines := grid.Wrap(strings.Join(words, "  "), width)
		if got := strings.Join(lines, ""); strings.ReplaceAll(got, " ", "") != strings.Join(words, "") {
			t.Fatalf("%q", lines)
		}
		for i, line := range lines {
			n := utf8.RuneCountInString(line)
			if n > width {
				t.Fatalf("%q is wider than %d", line, width)
			}
			if i+1 < len(lines) {
				next, _, _ := strings.Cut(lines[i+1], " ")
				if n+1+utf8.RuneCountInString(next) <= width && slices.Contains(words, next) && slices.Contains(words, line) {
					t.Fatalf("%q and %q have room in one line of %d", line, next, width)
				}
			}
		}
	})
}

// What is shortened has the width that there is, and its ends.
func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text      string
		most      int
		end, name string
	}{
		{"maker/model", 11, "maker/model", "maker/model"}, {"maker/model", 8, "maker/m…", "mak…odel"}, {"maker/model", 1, "…", "…"},
		{"one two three", 9, "one two…", "one…three"}, {"東京東京東京", 4, "東京東…", "東…東京"},
	} {
		var b strings.Builder
		if err := grid.Write(&b, c.most, []grid.Column{{Least: 1, Cells: []string{c.text}}}); err != nil {
			t.Fatal(err)
		}
		if end, name := strings.TrimSpace(b.String()), grid.ShortenName(c.text, c.most); end != c.end || name != c.name {
			t.Errorf("%s to %d: got %q and %q", c.text, c.most, end, name)
		}
	}
}

// Clip counts bytes and cuts no character.
func TestClip(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{{"maker", 5, "maker"}, {"maker/model", 8, "maker…"}, {"東京東京", 9, "東京…"}, {"東京東京", 8, "東…"}, {"a\xffb", 9, "a�b"}} {
		if got := grid.Clip(c.text, c.most); got != c.want {
			t.Errorf("%q to %d: got %q, want %q", c.text, c.most, got, c.want)
		}
	}
}
