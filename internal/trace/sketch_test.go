package trace_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
	"pgregory.net/rapid"
)

// What a query asks for is never kept from it by a sketch, also with an outcome that this version does not know.
func TestSketchesHideNothing(t *testing.T) {
	outcomes := rapid.SampledFrom([]outcome.Outcome{"", outcome.Answered, outcome.Healed, outcome.Passed, outcome.Translated, outcome.Failed, outcome.Unfinished, "later"})
	models := rapid.SampledFrom([]callwright.ModelID{"", "m", "lab/m", "lab/n"})
	moment := rapid.Custom(func(t *rapid.T) time.Time { return time.Unix(int64(rapid.IntRange(0, 9).Draw(t, "second")), 0) })
	words := rapid.SampledFrom([]string{"", "a", "b", "m", "timeout"})
	tools := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "m"}), 0, 2)
	rapid.Check(t, func(t *rapid.T) {
		s := trace.Summary{
			Time: moment.Draw(t, "time"), Outcome: outcomes.Draw(t, "outcome"), Model: models.Draw(t, "model"), Served: models.Draw(t, "served"),
			Rules: rapid.SliceOf(rapid.SampledFrom([]string{"a", "a.b", "a.b.c", "b"})).Draw(t, "rules"),
			Key:   words.Draw(t, "key"), Session: words.Draw(t, "session"), Kind: callwright.Kind(words.Draw(t, "kind")), Tools: tools.Draw(t, "tools"),
		}
		for i := range rapid.SampledFrom([]int{0, trace.SummaryTools}).Draw(t, "more tools") {
			s.Tools = append(s.Tools, "t"+strconv.Itoa(i))
		}
		q := trace.Query{Outcome: outcomes.Draw(t, "asked outcome"), Model: models.Draw(t, "asked model"), Rule: rapid.SampledFrom([]string{"", "a", "a.b", "a.*", "a.b.*", "b", "b.*"}).Draw(t, "asked rule")}
		q.Key, q.Session, q.Kind, q.Tools = words.Draw(t, "asked key"), words.Draw(t, "asked session"), callwright.Kind(words.Draw(t, "asked kind")), tools.Draw(t, "asked tools")
		if rapid.Bool().Draw(t, "bounded") {
			q.Since, q.Before = moment.Draw(t, "since"), moment.Draw(t, "before")
		}
		k := trace.SketchOf(&s)
		if may := trace.NewFilter(q).MayMatch(&k); q.MayMatch(&s) && !may {
			t.Errorf("%+v is asked for by %+v", s, q)
		}
	})
}
