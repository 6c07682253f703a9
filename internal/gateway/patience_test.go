package gateway_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/simulate"
)

// A body that never ends is given up.
func TestEndlessBody(t *testing.T) {
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Patience: 20 * time.Millisecond})
	conn, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "POST "+chat+" HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestTimeout {
		t.Errorf("got status %d", resp.StatusCode)
	}
}

// A client that takes nothing in is given up, and so is the answer that it does not read.
func TestClientThatReadsNothing(t *testing.T) {
	given := make(chan struct{})
	srv := serve(t, gateway.Config{Patience: 50 * time.Millisecond, Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		piece := `data: {"choices":[{"index":0,"delta":{"content":"` + strings.Repeat("word ", 10_000) + `"}}]}` + "\n\n"
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, piece); err != nil {
				break
			}
		}
		close(given)
	}))})
	conn, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := question(chat, "openai/m", `,"stream":true`)
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", chat, len(body), body)
	<-given
}

// A connection is closed when no request came over it for the idle time, however many came before.
func TestIdleTime(t *testing.T) {
	srv := serve(t, gateway.Config{IdleTime: 100 * time.Millisecond, Models: models(t, simulate.New(simulate.Weather()))})
	conn, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	in, body := bufio.NewReader(conn), question(chat, "openai/native", "")
	for range 3 {
		time.Sleep(10 * time.Millisecond)
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", chat, len(body), body)
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("got %d, %v", resp.StatusCode, err)
		}
		resp.Body.Close()
	}
	if _, err := in.ReadByte(); err != io.EOF {
		t.Errorf("expected the end of the connection, got %v", err)
	}
}

// A choice of a tool that is not declared is the client's mistake, and costs no request.
func TestChoiceOfNothing(t *testing.T) {
	srv := simulated(t)
	for path, choice := range map[string]string{
		chat:     `,"tool_choice":{"type":"function","function":{"name":"nothing"}}`,
		messages: `,"tool_choice":{"type":"tool","name":"nothing"}`,
	} {
		if got := post(t, srv.URL+path, question(path, "openai/native", choice)); got.status != http.StatusBadRequest {
			t.Errorf("%s: got %d: %s", path, got.status, got.body)
		}
	}
}
