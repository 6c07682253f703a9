package livetext_test

import (
	"testing"

	"github.com/callwright/callwright/internal/provider/internal/livetext"
)

// TestText: a text has one number as long as it is the same, also after it was another one.
func TestText(t *testing.T) {
	now := "one"
	text := livetext.New(func() string { return now })
	if text.Last() != 0 {
		t.Errorf("before the first look: %d", text.Last())
	}
	one := text.Look()
	if one == 0 || text.Look() != one || text.Last() != one {
		t.Errorf("got %d, then %d, last %d", one, text.Look(), text.Last())
	}
	now = "two"
	two := text.Look()
	if two == one || text.Last() != two {
		t.Errorf("another text: %d after %d, last %d", two, one, text.Last())
	}
	if now = "one"; text.Look() != one {
		t.Errorf("the first text again: %d, not %d", text.Look(), one)
	}
}
