package gateway_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/gateway"
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
