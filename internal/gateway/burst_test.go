package gateway_test

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/gateway"
)

// A streamed answer that was there at once leaves in one piece, whose length its head has; one that came in two does not wait for the second.
func TestBurstsLeaveInOnePiece(t *testing.T) {
	const whole = "whole"
	received := make(chan struct{})
	srv := serve(t, gateway.Config{Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		first, rest := echoStream("word-100"), ""
		if !strings.Contains(string(body), whole) {
			at := strings.Index(first, "30. ")
			at += strings.Index(first[at:], "\n\n") + 2
			first, rest = first[:at], first[at:]
		}
		io.WriteString(w, first)
		w.(http.Flusher).Flush()
		if rest != "" {
			<-received
			io.WriteString(w, rest)
		}
	}))})
	for _, user := range []string{whole, "halves"} {
		resp, err := http.Post(srv.URL+chat, "application/json", strings.NewReader(question(chat, "openai/m", `,"stream":true,"user":"`+user+`"`)))
		if err != nil {
			t.Fatal(err)
		}
		start := make([]byte, len("data: {"))
		if _, err := io.ReadFull(resp.Body, start); err != nil {
			t.Fatal(err)
		}
		if user != whole {
			received <- struct{}{}
		}
		rest, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || !strings.HasSuffix(string(rest), "data: [DONE]\n\n") {
			t.Errorf("%s: the answer ends with %.80q, %v", user, rest[max(len(rest)-80, 0):], err)
		}
		want := ""
		if user == whole {
			want = strconv.Itoa(len(start) + len(rest))
		}
		if got := resp.Header.Get("Content-Length"); got != want {
			t.Errorf("%s: Content-Length is %q, expected %q", user, got, want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}
