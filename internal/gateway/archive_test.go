package gateway_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/simulate"
)

// errAway is what a store says that cannot be reached. Clients are not told of it.
var errAway = &callwright.Error{Kind: callwright.KindUnavailable, Err: errors.New("no servers available at nats://secret:4222")}

// away are stores that fail while down is true.
type away struct {
	archive.Answers
	archive.Reports
	down atomic.Bool
}

type awayAnswers struct{ *away }

func (a awayAnswers) Keep(ctx context.Context, k archive.Key, an archive.Answer) error {
	if a.down.Load() {
		return errAway
	}
	return a.Answers.Keep(ctx, k, an)
}

func (a awayAnswers) Find(ctx context.Context, k archive.Key) ([]byte, error) {
	if a.down.Load() {
		return nil, errAway
	}
	return a.Answers.Find(ctx, k)
}

func (a awayAnswers) Conversation(ctx context.Context, k archive.Key) (*archive.Turn, error) {
	if a.down.Load() {
		return nil, errAway
	}
	return a.Answers.Conversation(ctx, k)
}

func (a awayAnswers) Delete(ctx context.Context, k archive.Key) error {
	if a.down.Load() {
		return errAway
	}
	return a.Answers.Delete(ctx, k)
}

type awayReports struct{ *away }

func (a awayReports) Keep(ctx context.Context, r *archive.Report) error {
	if a.down.Load() {
		return errAway
	}
	return a.Reports.Keep(ctx, r)
}

func (a awayReports) Find(ctx context.Context, k archive.Key) (*archive.Report, error) {
	if a.down.Load() {
		return nil, errAway
	}
	return a.Reports.Find(ctx, k)
}

func (a awayReports) List(ctx context.Context, q archive.Query) ([]*archive.Report, error) {
	return a.Reports.List(ctx, q)
}

func (a awayReports) Delete(ctx context.Context, k archive.Key) error {
	return a.Reports.Delete(ctx, k)
}

// A store that is away fails no request that can do without. Who goes on from what it has, or asks for it, is told to try again, and can.
func TestStoresThatAreAway(t *testing.T) {
	stores := &away{Answers: archive.NewMemoryAnswers(nil, archive.Limits{}), Reports: archive.NewMemoryReports(nil, archive.Limits{})}
	log := &logged{}
	url, sent := spoken(t, gateway.Config{Answers: awayAnswers{stores}, Reports: awayReports{stores}, Logger: slog.New(slog.NewJSONHandler(log, nil))})
	first := post(t, url+answersPath, on("", "a", ""))
	before := sent()
	stores.down.Store(true)
	for name, got := range map[string]answer{
		"going on": post(t, url+answersPath, on("whole", "b", "")),
		"shown":    request(t, http.MethodGet, url+answersPath+"/whole"),
		"deleted":  request(t, http.MethodDelete, url+answersPath+"/whole"),
		"report":   get(t, url+"/callwright/reports/"+reportID(first)),
	} {
		if got.status != 503 || got.header.Get("Retry-After") == "" || !strings.Contains(got.body, "try again") || strings.Contains(got.body, "secret") {
			t.Errorf("%s: got %d %v %s", name, got.status, got.header, got.body)
		}
	}
	if sent() != before {
		t.Errorf("a model was asked %s", sent())
	}
	for _, stream := range []string{"", `,"stream":true`} {
		got := post(t, url+answersPath, on("", "b", stream), "Callwright-Report", "body")
		if got.status != 200 || got.err != nil || !strings.Contains(got.body, `"response.not_kept"`) || strings.Contains(got.body, "secret") {
			t.Errorf("got %d %v %s", got.status, got.err, got.body)
		}
	}
	warned := 0
	for _, line := range log.lines(t) {
		if line["level"] == "WARN" && line["error"] != nil && strings.Contains(line["error"].(string), "nats") {
			warned++
		}
	}
	if warned != 1 {
		t.Errorf("the log was told %d times of what failed, want once for all", warned)
	}
	stores.down.Store(false)
	if got := post(t, url+answersPath, on("whole", "b", "")); got.status != 200 || !strings.Contains(sent(), `"content":"a"`) {
		t.Errorf("got %d, sent %s", got.status, sent())
	}
}

// An answer that is in memory alone for now says so.
func TestAnswerIsKeptLater(t *testing.T) {
	url, _ := spoken(t, gateway.Config{Answers: laterAnswers{archive.NewMemoryAnswers(nil, archive.Limits{})}})
	for _, stream := range []string{"", `,"stream":true`} {
		got := post(t, url+answersPath, on("", "a", stream), "Callwright-Report", "body")
		if got.status != 200 || !strings.Contains(got.body, `"response.not_kept"`) || !strings.Contains(got.body, "only requests to this gateway can continue this answer") {
			t.Errorf("got %d %s", got.status, got.body)
		}
	}
	if got := post(t, url+answersPath, on("whole", "b", "")); got.status != 200 {
		t.Errorf("going on: got %d %s", got.status, got.body)
	}
}

// laterAnswers write nothing for now.
type laterAnswers struct{ archive.Answers }

func (l laterAnswers) Keep(ctx context.Context, k archive.Key, an archive.Answer) error {
	_ = l.Answers.Keep(ctx, k, an)
	return &callwright.Error{Kind: callwright.KindUnavailable, Err: archive.ErrLater}
}

// An answer that is larger than the room for all is answered all the same, with a note.
func TestAnswerLargerThanItsRoom(t *testing.T) {
	url, _ := spoken(t, gateway.Config{Answers: archive.NewMemoryAnswers(nil, archive.Limits{Bytes: 1000})})
	got := post(t, url+answersPath, on("", strings.Repeat("x", 2000), ""), "Callwright-Report", "body")
	if got.status != 200 || !strings.Contains(got.body, `"response.not_kept"`) || !strings.Contains(got.body, "it exceeds the size limit of stored answers") {
		t.Errorf("got %d %s", got.status, got.body)
	}
}

// A stream that the provider refused before it began was answered with a status of its own: its report says of no stream.
func TestReportOfRefusedStream(t *testing.T) {
	kept := archive.NewMemoryReports(nil, archive.Limits{})
	refusing := simulate.New(func(simulate.Seen) simulate.Turn { return simulate.Turn{Status: http.StatusUnauthorized, Text: "no"} })
	srv := serve(t, gateway.Config{Models: models(t, refusing), Reports: kept})
	got := post(t, srv.URL+chat, question(chat, "openai/m", `,"stream":true`))
	list, err := kept.List(t.Context(), archive.Query{AnyOwner: true})
	if err != nil || len(list) != 1 || list[0].Failed != callwright.KindAuth || list[0].Streamed || got.status != http.StatusUnauthorized {
		t.Errorf("got %d, %+v and %v", got.status, list, err)
	}
}

// What is kept of a report says who asked, how, and what came of it.
func TestReportsSayWhatCame(t *testing.T) {
	kept := archive.NewMemoryReports(nil, archive.Limits{})
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Keys: []string{"mine", "theirs"}, Reports: kept})
	began := time.Now()
	for _, body := range []string{question(chat, "openai/hermes", ""), question(chat, "openai/native", `,"stream":true`), question(chat, "nowhere/x", "")} {
		post(t, srv.URL+chat, body, "Authorization", "Bearer mine")
	}
	got, err := kept.List(t.Context(), archive.Query{AnyOwner: true})
	if err != nil || len(got) != 3 {
		t.Fatalf("got %d and %v", len(got), err)
	}
	failed, streamed, healed := got[0], got[1], got[2]
	if failed.Failed != callwright.KindNotFound || failed.Error == "" || streamed.Failed != "" || !streamed.Streamed || healed.Streamed || healed.Usage.Output == 0 {
		t.Errorf("got %+v\n%+v\n%+v", failed, streamed, healed)
	}
	for _, r := range got {
		if r.Wire != callwright.WireOpenAI || r.Time.Before(began) || r.Duration <= 0 || r.Owner == "" || r.Owner != healed.Owner {
			t.Errorf("got %+v", r)
		}
	}
	list, err := kept.List(t.Context(), archive.Query{Owner: healed.Owner, Rule: "dialect.hermes", Outcome: outcome.Healed})
	if err != nil || len(list) != 1 || list[0] != healed {
		t.Errorf("got %v and %v", list, err)
	}
}
