package dashboard_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/trace"
)

// A fakeReplayer has something else come out.
type fakeReplayer struct {
	entries []trace.Entry
	out     *dashboard.Replayed
	err     error
}

func (r *fakeReplayer) Replay(_ context.Context, entries []trace.Entry) (*dashboard.Replayed, error) {
	r.entries = entries
	return r.out, r.err
}

// A trace is played again by its button: what came out otherwise is marked where it stands, what is changed now and was not then is new, and what was then is gone.
func TestReplay(t *testing.T) {
	data, err := conversation.MarshalResponse(&callwright.Response{
		Parts:  []callwright.Part{callwright.Reasoning{Text: hostile}, callwright.Text{Text: "So " + hostile + " not"}, callwright.Call{ID: "c" + hostile, Name: hostile, Arguments: []byte(`{"a":1}`)}},
		Report: &callwright.Report{ID: "rep_1", Model: "lab/m", Mode: caps.Native, Notes: []callwright.Note{callwright.Note{Rule: "json.quotes", Stage: callwright.StageValidate, Was: hostile}.Classify()}},
	})
	if err != nil {
		t.Fatal(err)
	}
	again := &fakeReplayer{out: &dashboard.Replayed{
		Differences: []trace.Difference{{Path: "/answer/" + hostile, Was: []byte(`"` + hostile[3:10] + `"`), Now: []byte(`"b"`)}}, Entries: []trace.Entry{{Kind: trace.KindAnswer, Data: data}}}}
	cfg := full(t)
	cfg.Replayer = again
	b := newBrowser(t, cfg)
	form := url.Values{"token": {b.token("/ui/traces/rep_1")}}
	got := b.do(http.MethodPost, "/ui/traces/rep_1/replay", form)
	if got.status != 200 || len(again.entries) != 3 || strings.Contains(got.body, "<script>") || strings.Contains(got.body, "<img") {
		t.Fatalf("got %d, %d entries: %s", got.status, len(again.entries), got.body)
	}
	for _, want := range []string{">different<", "/answer/", "<ins> not</ins>", `<span class="tag new">new</span>`, `<span class="tag gone">gone</span>`, "json.quotes", "json.trailing_comma", `id="now-sent"`, `id="then-sent"`} {
		if !strings.Contains(got.body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, tc := range []struct {
		name string
		out  *dashboard.Replayed
		err  error
		want string
	}{
		{"the same", &dashboard.Replayed{Same: true, FromAnswer: true, Entries: []trace.Entry{{Kind: trace.KindAnswer, Data: data}}}, nil, "so the recorded answer was replayed"},
		{"a failure", &dashboard.Replayed{Entries: []trace.Entry{{Kind: trace.KindError, Data: data, Failure: &callwright.Error{Kind: callwright.KindTimeout, Message: "late"}}}}, nil, "before the error"},
		{"not to be played", &dashboard.Replayed{Why: "it has " + hostile}, nil, "cannot be replayed"},
		{"an error", nil, &callwright.Error{Message: "without contents"}, "without contents"},
	} {
		again.out, again.err = tc.out, tc.err
		if got := b.do(http.MethodPost, "/ui/traces/rep_1/replay", form); got.status != 200 || !strings.Contains(got.body, tc.want) || strings.Contains(got.body, "<script>") {
			t.Errorf("%s: got %d %s", tc.name, got.status, got.body)
		}
	}
	if got := b.do(http.MethodPost, "/ui/traces/rep_2/replay", form); got.status != http.StatusNotFound {
		t.Errorf("what is not kept: %d", got.status)
	}
	if got := b.do(http.MethodPost, "/ui/traces/rep_1/replay", url.Values{}); got.status != http.StatusForbidden {
		t.Errorf("without a token: %d", got.status)
	}
	cfg.Replayer = nil
	if without := newBrowser(t, cfg); strings.Contains(without.get("/ui/traces/rep_1").body, "/replay") {
		t.Error("there is a button where nothing can be played")
	}
}
