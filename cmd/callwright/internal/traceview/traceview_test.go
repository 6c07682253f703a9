package traceview_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/cmd/callwright/internal/traceview"
	"github.com/callwright/callwright/internal/trace"
)

// A model that was skipped is shown in words.
func TestSkipped(t *testing.T) {
	var b bytes.Buffer
	traceview.Request(paint.New(&b, func(string) (string, bool) { return "", false }), []trace.Entry{
		{Kind: trace.KindReceived, Data: []byte(`{"provider":"lab","wire":"openai","skipped_ns":39500000000,"kind":"rate_limited"}`)},
		{Kind: trace.KindError, Failure: &callwright.Error{Kind: callwright.KindRateLimited, Report: &callwright.Report{Attempts: []callwright.Attempt{{Model: "lab/a", Error: "lab/a: skipped: limited, 40 s left"}}}}},
	})
	if out := b.String(); strings.Count(out, "skipped: limited, 40 s left") != 2 || strings.Contains(out, "status") {
		t.Errorf("got:\n%s", out)
	}
}
