package gateway_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// reportIn returns the report that came with an answer: as a member of it, as a comment or as a line of its own.
func reportIn(a answer) (rep struct {
	ID, Class string
	Outcome   outcome.Outcome
}) {
	for line := range strings.Lines(a.body) {
		text, comment := strings.CutPrefix(line, ": callwright ")
		if comment && json.Unmarshal([]byte(text), &rep) == nil {
			return rep
		}
		var holder struct{ Callwright any }
		holder.Callwright = &rep
		if json.Unmarshal([]byte(line), &holder) == nil && rep.ID != "" {
			return rep
		}
	}
	return rep
}

// The report that comes with an answer, whole or streamed, healed or broken off, has the outcome that the kept one has.
func TestReportsHaveTheOutcome(t *testing.T) {
	kept := archive.NewMemoryReports(nil, archive.Limits{})
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Reports: kept})
	for _, c := range codecs.All() {
		a := askers[c.Name()]
		for model, want := range map[string]outcome.Outcome{"openai/hermes": outcome.Healed, "openai/native": "", "openai/midstream-cut": outcome.Failed} {
			for _, stream := range []bool{false, true} {
				path, body := a.ask(model, stream)
				got := post(t, srv.URL+path, body, "Callwright-Report", "body")
				came := want
				if came == "" {
					came = outcome.Translated
					if c.Name() == callwright.WireOpenAI {
						came = outcome.Passed
					}
				}
				rep := reportIn(got)
				if whole := !strings.HasPrefix(model, "openai/midstream"); (whole || stream) && (rep.ID != reportID(got) || rep.Outcome != came || rep.Class == "" != (came != outcome.Healed)) {
					t.Errorf("%s, stream %t: expected %s, got %+v in %s", path, stream, came, rep, got.body)
				}
				if head := got.header.Get("Callwright-Report"); !stream && !strings.HasSuffix(head, "; outcome="+string(came)) {
					t.Errorf("%s, stream %t: expected %s, got %s", path, stream, came, head)
				}
				if shown := reportIn(answer{body: `{"callwright":` + strings.ReplaceAll(get(t, srv.URL+"/callwright/reports/"+reportID(got)).body, "\n", "") + "}"}); shown.Outcome != came {
					t.Errorf("%s, stream %t: expected %s, kept is %+v", path, stream, came, shown)
				}
			}
		}
	}
}

// The report of a stream whose client leaves is kept as failed.
func TestReportOfLeft(t *testing.T) {
	kept := archive.NewMemoryReports(nil, archive.Limits{})
	srv := serve(t, gateway.Config{Reports: kept, Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, `data: {"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"Hello. "}}]}`+"\n\n")
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	}))})
	resp, err := http.Post(srv.URL+chat, "application/json", strings.NewReader(question(chat, "openai/m", `,"stream":true`)))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.ReadFull(resp.Body, make([]byte, 10))
	_ = resp.Body.Close()
	id := reportID(answer{header: resp.Header})
	http.DefaultClient.CloseIdleConnections()
	srv.Close() // waits for the request
	got, err := kept.List(t.Context(), archive.Query{AnyOwner: true, Outcome: outcome.Failed})
	if err != nil || len(got) != 1 || got[0].Report.ID != id || got[0].Failed != callwright.KindCanceled || !got[0].Streamed {
		t.Errorf("got %d, %v", len(got), err)
	}
}
