package latertext_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/latertext"
)

func TestText(t *testing.T) {
	for _, tc := range []struct {
		name    string
		earlier []string
		keep    bool
		text    string
		want    string
		notes   int
	}{
		{name: "nothing before", text: "It is cold.", want: "It is cold."},
		{name: "white space before", earlier: []string{"\n "}, text: "It is cold.", want: "It is cold."},
		{name: "another text", earlier: []string{"Let me see."}, text: "It is cold.", want: "\nIt is cold."},
		{name: "the same beginning", earlier: []string{"Let me see."}, text: "Let me think.", want: "\nLet me think."},
		{name: "the same text", earlier: []string{"Let me see. "}, text: " Let me see.\n", want: "", notes: 1},
		{name: "the same text and more", earlier: []string{"Let me see."}, text: "Let me see. It is cold.", want: "\nIt is cold.", notes: 1},
		{name: "a word that begins alike", earlier: []string{"I"}, text: "It is cold.", want: "\nIt is cold."},
		{name: "cut off in the repetition", earlier: []string{"Let me see."}, text: "Let me", want: "\nLet me"},
		{name: "the longer of two", earlier: []string{"One.", "One. Two."}, text: "One. Two. Three.", want: "\nThree.", notes: 1},
		{name: "the first of two", earlier: []string{"One.", "Two."}, text: "One. Two.", want: "\nTwo.", notes: 1},
		{name: "repetitions are kept", earlier: []string{"One."}, keep: true, text: "One. Two.", want: "\nOne. Two."},
		{name: "white space alone", earlier: []string{"One."}, text: " \n", want: ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				notes := 0
				l := &latertext.Text{Keep: tc.keep, Note: func(callwright.Note) { notes++ }}
				for _, text := range tc.earlier {
					l.After(text)
				}
				var got strings.Builder
				for rest := tc.text; rest != ""; {
					n := rapid.IntRange(1, len(rest)).Draw(t, "bytes")
					got.WriteString(l.Feed(rest[:n]))
					rest = rest[n:]
				}
				got.WriteString(l.Close())
				if got.String() != tc.want || notes != tc.notes {
					t.Fatalf("got %q with %d notes, want %q with %d", got.String(), notes, tc.want, tc.notes)
				}
			})
		})
	}
}
