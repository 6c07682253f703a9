package archive_test

import (
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/archive/archivetest"
)

func TestMemoryAnswers(t *testing.T) {
	archivetest.Answers(t, func(_ *testing.T, now func() time.Time, l archive.Limits) archive.Answers {
		return archive.NewMemoryAnswers(now, l)
	})
}

func TestMemoryReports(t *testing.T) {
	archivetest.Reports(t, func(_ *testing.T, now func() time.Time, l archive.Limits) archive.Reports {
		return archive.NewMemoryReports(now, l)
	})
}

// Texts are found in errors, notes and rejected calls, whatever their case, and all of them have to stand there; tools also in rejected calls.
func TestQueryText(t *testing.T) {
	r := &archive.Report{Error: "No answer", Tools: []string{"get_weather"}, Report: &callwright.Report{
		Notes: []callwright.Note{{Rule: "json.quotes", Was: "{'city': 1}", Why: "Quotes"}}, Invalid: []callwright.InvalidCall{{Name: "lookup", Raw: "<Call>"}}}}
	for _, tt := range []struct {
		text, tools string
		want        bool
	}{
		{"", "", true}, {"no ANSWER", "", true}, {"'city'", "", true}, {"quotes|answer", "", true}, {"quotes|nothing", "", false}, {"<call>", "", true}, {"json.quotes", "", false},
		{"", "get_weather", true}, {"", "get_weather|lookup", true}, {"", "lookup|other", false}, {"answer", "lookup", true},
	} {
		split := func(s string) []string { return strings.FieldsFunc(s, func(r rune) bool { return r == '|' }) }
		q := archive.Query{AnyOwner: true, Text: split(tt.text), Tools: split(tt.tools)}
		if got := q.Matches(r); got != tt.want {
			t.Errorf("texts %q, tools %q: got %t", tt.text, tt.tools, got)
		}
	}
}
