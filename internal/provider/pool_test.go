package provider_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright"
)

// many is how many requests are under way at once.
const many = 24

// echoed serves a model whose answers are the words of the question again and again: streamed, as a whole answer of unknown length, or as an error
// in the middle of a stream. A stream waits in the middle of an event until every request has come.
func echoed(t *testing.T) callwright.Model {
	var asked sync.WaitGroup
	asked.Add(many)
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, word, _ := strings.Cut(string(body), "word-")
		word, _, _ = strings.Cut(word, `"`)
		kind, word, _ := strings.Cut(word, "-")
		if kind == "whole" {
			w.Header().Set("Content-Type", "application/json")
			w.(http.Flusher).Flush() // so the length is not known
			io.WriteString(w, strings.Replace(wholeAnswer, "Good day.", strings.Repeat(word, 500), 1))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		stream := chunks(strings.Split(strings.Repeat(word+" ", 60), " ")...)
		if kind == "broken" {
			stream = stream[:strings.Index(stream, "\n\n")+2] + `data: {"error":{"message":"lost ` + word + `","type":"server_error"}}` + "\n\n"
		}
		half := len(stream) - len(stream)/3
		io.WriteString(w, stream[:half])
		w.(http.Flusher).Flush()
		asked.Done()
		asked.Wait()
		io.WriteString(w, stream[half:])
	})
}

// together calls f with the name of a question and its words, from many goroutines at once.
func together(kind string, f func(i int, req *callwright.Request)) {
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() {
			req := ask()
			req.Messages[0].Parts = []callwright.Part{callwright.Text{Text: fmt.Sprintf("word-%s-%s", kind, wordOf(i))}}
			f(i, req)
		})
	}
	wg.Wait()
}

func wordOf(i int) string { return fmt.Sprintf("<%03d>", i) }

// Streams at once share no buffer, and the events of each, but for the bytes of batches, stay as they are when it has ended. Built with the race
// detector a buffer is overwritten as soon as it is free.
func TestEventsLast(t *testing.T) {
	m := echoed(t)
	streams := make([][]callwright.Event, many)
	together("stream", func(i int, req *callwright.Request) {
		for b, err := range callwright.Batches(context.Background(), m, req) {
			if err != nil {
				t.Error(err)
			}
			if len(b.Events) > 0 && !strings.HasPrefix(string(b.Raw), "data: ") {
				t.Errorf("bytes %q", b.Raw)
			}
			streams[i] = append(streams[i], b.Events...)
		}
	})
	for i, events := range streams {
		var text string
		for _, ev := range events {
			switch ev := ev.(type) {
			case callwright.TextDelta:
				text += ev.Text
			case callwright.Begin:
				text += ev.ID + " " + ev.Model + " "
			}
		}
		if want := "chatcmpl-2 m-1 " + strings.Repeat(wordOf(i), 60); text != want {
			t.Errorf("got %q, want %q", text, want)
		}
	}
}

// An error in the middle of a stream keeps its words and its body.
func TestErrorsLast(t *testing.T) {
	m := echoed(t)
	errs := make([]error, many)
	together("broken", func(i int, req *callwright.Request) {
		for _, err := range m.Stream(context.Background(), req) {
			if err != nil {
				errs[i] = err
			}
		}
	})
	for i, err := range errs {
		e := errorOf(t, err)
		if want := "lost " + wordOf(i); !strings.Contains(e.Message, want) || !strings.Contains(string(e.Body), want) {
			t.Errorf("got %q with the body %q, want %q", e.Message, e.Body, want)
		}
	}
}

// A whole answer shares no memory with those that are read after it.
func TestAnswersLast(t *testing.T) {
	m := echoed(t)
	answers := make([]*callwright.Response, many)
	together("whole", func(i int, req *callwright.Request) {
		resp, err := m.Generate(context.Background(), req)
		if err != nil {
			t.Error(err)
		}
		answers[i] = resp
	})
	for i, resp := range answers {
		if resp == nil {
			continue
		}
		want := strings.Repeat(wordOf(i), 500)
		if got := resp.Text(); got != want || !strings.Contains(string(resp.Raw.Bytes), want) {
			t.Errorf("got %q of %q, want %q", got, resp.Raw.Bytes, want)
		}
	}
}
