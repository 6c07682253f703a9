package grammar_test

import (
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/grammar"
)

// FuzzCheck holds that a grammar compiles or is unsupported, that a check ends within its budget, and that a mismatch names a place of the
// text that the rest of the text does not move.
func FuzzCheck(f *testing.F) {
	for _, c := range checks {
		for _, text := range append(c.good, c.bad...) {
			f.Add(c.kind == grammar.Lark, c.grammar, text)
		}
	}
	f.Fuzz(func(t *testing.T, lark bool, definition, text string) {
		kind := grammar.Regex
		if lark {
			kind = grammar.Lark
		}
		g, err := grammar.Compile(kind, definition)
		if err != nil {
			if _, ok := errors.AsType[*grammar.UnsupportedError](err); !ok {
				t.Fatalf("error %v", err)
			}
			return
		}
		b := &grammar.Budget{Steps: 1 << 18}
		err = g.Check(text, b)
		m, broken := errors.AsType[*grammar.MismatchError](err)
		if err != nil && !broken && !errors.Is(err, grammar.ErrBudget) {
			t.Fatalf("error %v", err)
		}
		if !broken {
			return
		}
		if m.Offset < 0 || m.Offset > len(text) || m.Line < 1 || m.Column < 1 || len(m.Expected) > 6 || m.Found == "" {
			t.Fatalf("%+v", m)
		}
		if m.Offset == len(text) {
			return
		}
		_, width := utf8.DecodeRuneInString(text[m.Offset:])
		err = g.Check(text[:m.Offset+width]+"#", &grammar.Budget{Steps: 1 << 18})
		if again, ok := errors.AsType[*grammar.MismatchError](err); !ok || again.Offset != m.Offset {
			t.Fatalf("with another rest: %v, not a mismatch at %d", err, m.Offset)
		}
	})
}
