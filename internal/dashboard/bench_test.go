package dashboard_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/trace"
)

// manyTraces is how many requests the pages of the benchmark have.
const manyTraces = 100_000

// BenchmarkPages makes each page of a gateway that keeps 100,000 traces in a folder and as many reports: lists by every filter, also by such as few requests match, or none.
func BenchmarkPages(b *testing.B) {
	began := time.Now().Add(-manyTraces * 100 * time.Millisecond)
	log, kept := tracesAndReports(b, began)
	gate, err := access.New(access.Config{})
	if err != nil {
		b.Fatal(err)
	}
	models := &fakeModels{}
	for i := range 200 {
		facts := map[string]string{}
		for _, key := range []string{"tools", "json_schema", "parallel_calls", "max_tools", "dialect"} {
			facts[key] = "yes (shipped)"
		}
		models.list = append(models.list, dashboard.Model{Name: callwright.ModelID(fmt.Sprintf("lab/m%d", i)), Facts: facts})
	}
	pages := newBrowser(b, dashboard.Config{Access: gate, Reports: kept, Traces: log, Models: models, Facts: models, Explainer: models})
	last := began.Add(manyTraces / 2 * 100 * time.Millisecond).UTC().Format(time.RFC3339Nano)
	for _, page := range []struct{ name, path string }{
		{"overview", "/ui/"}, {"overview of a week", "/ui/?window=week"}, {"traces", "/ui/traces"}, {"traces from the middle", "/ui/traces?before=" + last},
		{"healed", "/ui/traces?outcome=healed"}, {"answered", "/ui/traces?outcome=answered"}, {"failed, one of 20000", "/ui/traces?outcome=failed"}, {"unfinished, none", "/ui/traces?outcome=unfinished"},
		{"passed, none", "/ui/traces?outcome=passed"}, {"rules of a family", "/ui/traces?rule=json.*"}, {"rule, none", "/ui/traces?rule=coerce.*"}, {"model", "/ui/traces?model=lab/m7"},
		{"model, none", "/ui/traces?model=lab/other"}, {"age", "/ui/traces?age=15m&outcome=failed"}, {"trace, the first", "/ui/traces/" + idOf(0)}, {"trace, the last", "/ui/traces/" + idOf(manyTraces-1)},
		{"models", "/ui/models"}, {"model's facts", "/ui/models/lab/m7"}, {"keys", "/ui/keys"}, {"playground", "/ui/playground"}, {"explain", "/ui/explain"},
	} {
		b.Run(page.name, func(b *testing.B) {
			for b.Loop() {
				if got := pages.get(page.path); got.status != 200 {
					b.Fatal(got.status, got.body)
				}
			}
		})
	}
}

func idOf(i int) string { return fmt.Sprintf("rep_0199c0de5a7f7000a3f1c2d4%08x", i) }

// tracesAndReports are those of many requests, one every 100 ms.
func tracesAndReports(b *testing.B, began time.Time) (*trace.Folder, archive.Reports) {
	b.Helper()
	log, err := trace.OpenFolder(b.TempDir(), nil, trace.LogLimits{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = log.Close() })
	kept := archive.NewMemoryReports(nil, archive.Limits{Bytes: -1, Count: -1})
	asked := json.RawMessage(`{"messages":[{"role":"user","parts":[{"type":"text","text":"` + strings.Repeat("What is the weather? ", 100) + `"}]}]}`)
	for i := range manyTraces {
		model := callwright.ModelID(fmt.Sprintf("lab/m%d", i%20))
		r := &callwright.Report{ID: idOf(i), Model: model, Mode: caps.Native, Attempts: []callwright.Attempt{{Model: model, Mode: caps.Native, Why: callwright.AttemptFirst, Duration: time.Second}},
			Notes: []callwright.Note{callwright.Note{Rule: "json.trailing_comma", Was: "1,]", Now: "1]"}.Classify(), callwright.Note{Rule: "dialect.hermes"}.Classify()}}
		at := began.Add(time.Duration(i) * 100 * time.Millisecond)
		report, err := json.Marshal(r)
		if err != nil {
			b.Fatal(err)
		}
		request := trace.Entry{Kind: trace.KindRequest, ID: r.ID, Time: at, Model: model, Data: asked}
		end := trace.Entry{Kind: trace.KindAnswer, ID: r.ID, Time: at.Add(time.Second), Duration: time.Second,
			Data: json.RawMessage(`{"report":` + string(report) + `,"parts":[{"type":"text","text":"` + strings.Repeat("It rains. ", 200) + `"}]}`)}
		whole := &archive.Report{Time: at, Duration: time.Second, Report: r}
		if i%20_000 == 7 {
			end.Kind, end.Failure = trace.KindError, &callwright.Error{Kind: callwright.KindTimeout, Message: "no answer", Report: r}
			whole.Failed = callwright.KindTimeout
		}
		for _, e := range []trace.Entry{request, end} {
			for err := trace.ErrFull; err != nil; {
				err = log.Append(e)
			}
		}
		if err := kept.Keep(b.Context(), whole); err != nil {
			b.Fatal(err)
		}
	}
	return log, kept
}
