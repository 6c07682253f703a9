package gateway_test

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
)

// TestTraceChangesNothing: with a trace a client of any wire gets the same bytes in the same writes and flushes as without, whatever
// the provider sends. The trace joins what belongs together by the report's id, and has the provider's bytes.
func TestTraceChangesNothing(t *testing.T) {
	for _, s := range scenarios(t) {
		for _, client := range codecs.All() {
			for _, far := range codecs.All() {
				for _, way := range ways {
					c := &cell{scenario: s, client: client, far: far, way: way}
					t.Run(s.name+"/"+string(client.Name())+"-"+string(far.Name())+"-"+way, func(t *testing.T) {
						synctest.Test(t, func(t *testing.T) { c.traced(t) })
					})
				}
			}
		}
	}
}

func (c *cell) traced(t *testing.T) {
	c.stage = newStage(t)
	c.play = c.answer(t, c.scenario)
	c.cut = c.name == truncated && c.way == whole
	plain := c.steps()
	var file bytes.Buffer
	w := trace.NewWriter(&file)
	c.server = c.tracedServer(t, w)
	got := c.steps()
	if diff := cmp.Diff(newIDs(plain.done), newIDs(got.done)); diff != "" {
		t.Errorf("(-without +with a trace):\n%s", diff)
	}
	entries, err := trace.ReadAll(&file)
	if err != nil || w.Err() != nil {
		t.Fatal(err, w.Err())
	}
	id, _, _ := strings.Cut(strings.TrimPrefix(got.header.Get("Callwright-Report"), "id="), ";")
	c.joined(t, id, entries)
}

// joined holds the entries of a request to each other.
func (c *cell) joined(t *testing.T, id string, entries []trace.Entry) {
	t.Helper()
	kinds := map[trace.Kind]int{}
	for i := range entries {
		e := &entries[i]
		kinds[e.Kind]++
		switch e.Kind {
		case trace.KindModel:
			continue
		case trace.KindRequest:
			if string(e.Body) != string(c.request()) || e.Wire != c.client.Name() || e.Model != callwright.ModelID(c.model()) || e.Fingerprint == "" {
				t.Errorf("the request is %+v", e)
			}
		case trace.KindSent:
			if kinds[trace.KindSent] == 1 && string(e.Data) != string(c.sent) {
				t.Errorf("sent %s, recorded %s", c.sent, e.Data)
			}
		case trace.KindReceived:
			got, err := e.ProviderAnswer()
			if err != nil || string(got.Body) != string(c.play.Body) || got.Status != c.play.Status || got.Wire != c.far.Name() || got.Whole() == c.cut {
				t.Errorf("received %+v, %v", got, err)
			}
		}
		if id != "" && e.ID != id {
			t.Errorf("%s has the id %s, the report %s", e.Kind, e.ID, id)
		}
	}
	if kinds[trace.KindRequest] != 1 || kinds[trace.KindSent] == 0 || kinds[trace.KindReceived] != kinds[trace.KindSent] || kinds[trace.KindAnswer]+kinds[trace.KindError] != 1 {
		t.Errorf("kinds of entries: %v", kinds)
	}
}

// askMany asks from several goroutines, each so often, each time in words of its own.
func askMany(t *testing.T, url string, workers, each int) {
	t.Helper()
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() {
			for k := range each {
				words := "words-" + strconv.Itoa(i*each+k) + "."
				body := `{"model":"anthropic/m","stream":` + strconv.FormatBool(k%2 == 0) + `,"messages":[{"role":"user","content":"` + words + `"}]}`
				resp, err := http.Post(url, "application/json", strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
		})
	}
	all.Wait()
}

// TestTraceOfMany: requests at the same time are whole lines, joined by id, and none gets what belongs to another.
func TestTraceOfMany(t *testing.T) {
	const workers, each = 8, 6
	var file bytes.Buffer
	w := trace.NewWriter(&file)
	srv := tracing(t, simulate.New(func(seen simulate.Seen) simulate.Turn { return simulate.Turn{Text: "You said " + seen.User} }), w)
	askMany(t, srv.URL+chat, workers, each)
	http.DefaultClient.CloseIdleConnections()
	srv.Close()
	if strings.Contains(file.String(), "upstream-key") || strings.Contains(file.String(), "127.0.0.1") {
		t.Error("it shows the key or the address")
	}
	entries, err := trace.ReadAll(&file)
	if err != nil || w.Err() != nil {
		t.Fatal(err, w.Err())
	}
	words, counts := map[string]string{}, map[string]int{}
	for i := range entries {
		e := &entries[i]
		if e.Kind == trace.KindModel {
			continue
		}
		text := string(e.Data) + string(e.Body)
		at := strings.Index(text, "words-")
		if at < 0 {
			if got, err := e.ProviderAnswer(); e.Kind == trace.KindReceived && err == nil && got.Whole() {
				counts[e.ID]++ // a stream, in pieces of words
				continue
			}
			t.Fatalf("an entry about nothing: %+v", e)
		}
		said, _, _ := strings.Cut(text[at:], ".")
		if was, ok := words[e.ID]; ok && was != said {
			t.Errorf("%s is about %s and %s", e.ID, was, said)
		}
		words[e.ID] = said
		counts[e.ID]++
	}
	if len(counts) != workers*each {
		t.Errorf("%d ids", len(counts))
	}
	for id, n := range counts {
		if n != 4 {
			t.Errorf("%d entries of %s", n, id)
		}
	}
}

// TestTraceOfLeft: of a stream that the client breaks off what came until then is recorded.
func TestTraceOfLeft(t *testing.T) {
	pr, pw := io.Pipe()
	w := trace.NewWriter(pw)
	entries := make(chan trace.Entry, 100)
	go func() {
		for e, err := range trace.Read(pr) {
			if err == nil {
				entries <- e
			}
		}
		close(entries)
	}()
	srv := tracing(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		stream := echoStream("word-100")
		at := strings.Index(stream, "30. ")
		_, _ = io.WriteString(w, stream[:at+strings.Index(stream[at:], "\n\n")+2])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}), w)
	resp, err := http.Post(srv.URL+chat, "application/json", strings.NewReader(question(chat, "openai/m", `,"stream":true`)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(resp.Body, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	var got *trace.Received
	for e := range entries {
		switch e.Kind {
		case trace.KindReceived:
			if got, err = e.ProviderAnswer(); err != nil {
				t.Fatal(err)
			}
		case trace.KindAnswer, trace.KindError:
			answer, err := e.Response()
			if err != nil || got == nil || got.Whole() || !bytes.Contains(got.Body, []byte("30. ")) || answer == nil || !strings.Contains(answer.Text(), "30. ") || !e.Partial {
				t.Errorf("recorded %+v, %v, %+v, received %+v", e, err, answer, got)
			}
			_ = pw.Close()
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// full takes only so many bytes.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.left)
	if f.left -= n; n < len(p) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

// TestTraceOnFullDisk: wherever the disk is full, requests are answered, and it is said once.
func TestTraceOnFullDisk(t *testing.T) {
	for _, room := range []int{0, 100, 2000, 4000} {
		said := 0
		w := trace.NewWriter(&full{left: room}, trace.OnError(func(error) { said++ }))
		srv := tracing(t, simulate.New(simulate.Weather()), w)
		for _, more := range []string{"", `,"stream":true`} {
			if got := post(t, srv.URL+chat, question(chat, "anthropic/native", more)); got.status != http.StatusOK || !strings.Contains(got.body, "get_weather") {
				t.Errorf("room for %d: %d %s", room, got.status, got.body)
			}
		}
		if said != 1 {
			t.Errorf("room for %d: said %d times", room, said)
		}
	}
}
