package gateway_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright/internal/gateway"
)

// many is how many clients ask at once.
const many = 24

// echo returns a server that answers with the word of the question, streamed. The answers are written when every client has asked and is waiting.
func echo() http.HandlerFunc {
	var asked sync.WaitGroup
	asked.Add(many)
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		head, rest, _ := strings.Cut(echoStream(regexp.MustCompile(`word-\d+`).FindString(string(body))), "\n\n")
		io.WriteString(w, head+"\n\n"+rest[:40])
		w.(http.Flusher).Flush()
		asked.Done()
		asked.Wait()
		io.WriteString(w, rest[40:])
	}
}

func echoStream(word string) string {
	head := `data: {"id":"c` + word[5:] + `","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{`
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, `%s"role":"assistant","content":"%s %d. "},"finish_reason":null}]}`+"\n\n", head, word, i)
	}
	return b.String() + head + `},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
}

// atOnce calls f from many goroutines with a word of its own for each.
func atOnce(f func(word string)) {
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() { f(fmt.Sprintf("word-%d", 100+i)) })
	}
	wg.Wait()
}

// Streams at once share no buffer. Built with the race detector a buffer is overwritten as soon as it is free.
func TestStreamsApart(t *testing.T) {
	srv := serve(t, gateway.Config{Models: models(t, echo())})
	atOnce(func(word string) {
		got := post(t, srv.URL+chat, `{"model":"openai/m","stream":true,"messages":[{"role":"user","content":"`+word+`"}]}`)
		if want := echoStream(word); got.body != want {
			t.Errorf("got %q, want %q", got.body, want)
		}
	})
}

// An answer that is kept shares no buffer with the stream that it came in.
func TestKeptApart(t *testing.T) {
	srv := serve(t, gateway.Config{Models: models(t, echo())})
	atOnce(func(word string) {
		ask := `{"model":"openai/m","stream":true,"input":"` + word + `"`
		first := post(t, srv.URL+answersPath, ask+"}")
		id := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(first.body)
		if id == nil {
			t.Errorf("got %d %s", first.status, first.body)
			return
		}
		kept := request(t, http.MethodGet, srv.URL+answersPath+"/"+id[1])
		if !json.Valid([]byte(kept.body)) || strings.Count(kept.body, word) != 60 {
			t.Errorf("kept %q", kept.body)
		}
	})
}
