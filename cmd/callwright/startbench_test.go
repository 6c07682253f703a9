package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/store"
	"github.com/callwright/callwright/internal/trace"
	"golang.org/x/sync/errgroup"
)

// BenchmarkStart starts a gateway whose folder has 100,000 traces, with what is left of as many requests in its state, in a folder that was not closed, and with no state, until it answers, and then asks for pages.
// It prints the peak memory of the process, too. Run it with -benchtime 5x.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	folder, err := trace.OpenFolder(dir, nil, trace.LogLimits{})
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat("What is the weather? ", 100)
	for i := range 100_000 {
		id := fmt.Sprintf("rep_0199c0de5a7f7000a3f1c2d4%08x", i)
		asked := trace.Entry{Kind: trace.KindRequest, ID: id, Time: time.Now(), Model: "sim/hermes", Data: json.RawMessage(`{"messages":[{"role":"user","parts":[{"type":"text","text":"` + text + `"}]}]}`)}
		answer := trace.Entry{Kind: trace.KindAnswer, ID: id, Time: time.Now(), Duration: time.Second, Data: json.RawMessage(`{"report":{"id":"` + id + `","untouched":true},"parts":[{"type":"text","text":"` + text + `"}]}`)}
		for _, e := range []trace.Entry{asked, answer} {
			for err := trace.ErrFull; err != nil; {
				err = folder.Append(e)
			}
		}
	}
	if err := folder.Close(); err != nil {
		b.Fatal(err)
	}
	state := filepath.Join(b.TempDir(), "state")
	fillState(b, filepath.Join(state, "nats"))
	for name, conf := range map[string]string{"no state": "providers: {sim: {}}\n", "state": "providers: {sim: {}}\nstate: {dir: " + state + "}\n"} {
		b.Run(name, func(b *testing.B) {
			var peak float64
			for b.Loop() {
				p := startGateway(b, "", conf, "--trace", dir+"/", "--log-level", "error")
				fetchPage(b, p.url+"/healthz")
				b.StopTimer()
				for _, path := range []string{"/ui/", "/ui/traces", "/ui/traces?outcome=failed"} {
					fetchPage(b, p.url+path)
				}
				peak = max(peak, peakOf(b, p))
				_ = p.Process.Kill()
				_ = p.Wait()
				b.StartTimer()
			}
			b.ReportMetric(peak, "peak-MiB")
		})
	}
}

// fillState keeps in a folder what is left of 100,000 requests: as many answers and reports as a gateway keeps where nothing else is said.
func fillState(b *testing.B, dir string) {
	b.Helper()
	s, err := store.Open(b.Context(), store.Config{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	answers, reports := s.Answers(archive.Limits{}), s.Reports(archive.Limits{})
	body := []byte(strings.Repeat("What is the weather? ", 100))
	var clients errgroup.Group
	clients.SetLimit(16)
	for i := range 100_000 {
		id := fmt.Sprintf("rep_%08x", i)
		if err := reports.Keep(b.Context(), &archive.Report{Time: time.Now(), Report: &callwright.Report{ID: id, Model: "sim/hermes"}}); err != nil {
			b.Fatal(err)
		}
		if i%(100_000/archive.DefaultAnswers.Count) == 0 { // each is written to disk
			clients.Go(func() error {
				return answers.Keep(b.Context(), archive.Key{ID: id}, archive.Answer{Body: body, Turn: &archive.Turn{Items: body}})
			})
		}
	}
	if err := errors.Join(clients.Wait(), s.Close()); err != nil {
		b.Fatal(err)
	}
}

func fetchPage(b *testing.B, url string) {
	b.Helper()
	resp, err := http.Get(url)
	if err != nil {
		b.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		b.Fatalf("%s: got %d", url, resp.StatusCode)
	}
}
