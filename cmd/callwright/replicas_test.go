package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// startNATS starts a server of NATS that keeps what it is told, and returns its address.
func startNATS(t *testing.T) (s *server.Server, address string) {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("NATS is not ready")
	}
	return s, s.ClientURL()
}

// responses asks for an answer with a key, and returns its status and id.
func (p *process) responses(t *testing.T, key, previous string) (status int, id string) {
	t.Helper()
	body := `{"model":"sim/native","input":"Hello"}`
	if previous != "" {
		body = `{"model":"sim/native","input":"And again?","previous_response_id":"` + previous + `"}`
	}
	status, text := p.get(t, http.MethodPost, "/v1/responses", key, body)
	var out struct{ ID string }
	_ = json.Unmarshal([]byte(text), &out)
	return status, out.ID
}

func (p *process) get(t *testing.T, method, path, key, body string) (status int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(out)
}

// Two gateways on one NATS are one: a conversation goes on at either, whichever of them is killed, and a key may use so much of both together.
// Without NATS they go on and say so.
func TestReplicas(t *testing.T) {
	defer http.DefaultClient.CloseIdleConnections()
	nats, address := startNATS(t)
	const limit = 40
	conf := fmt.Sprintf(`state: {nats: %q}
keys: [{name: ci, key: sesame, requests_per_minute: %d}, {name: free, key: free}]
providers: {sim: {}}
`, address, limit)
	gateways := []*process{startGateway(t, "", conf), startGateway(t, "", conf)}
	last := ""
	for i := range 6 {
		status, id := gateways[i%2].responses(t, "free", last)
		if status != http.StatusOK || id == "" {
			t.Fatalf("turn %d: got %d", i, status)
		}
		last = id
	}
	if status, _ := gateways[0].responses(t, "sesame", last); status != http.StatusBadRequest {
		t.Errorf("the answer of another key: got %d", status)
	}
	passed := 0
	for i := range 3 * limit {
		if status, _ := gateways[i%2].responses(t, "sesame", ""); status == http.StatusOK {
			passed++
		} else if status != http.StatusTooManyRequests {
			t.Fatalf("got %d", status)
		}
	}
	if passed < limit*95/100-1 || passed > 2*limit { // a new minute may begin meanwhile
		t.Errorf("%d requests of %d a minute were let through", passed, limit)
	}
	_ = gateways[0].Process.Kill()
	status, last := gateways[1].responses(t, "free", last)
	if status != http.StatusOK {
		t.Errorf("after a kill: got %d", status)
	}
	nats.Shutdown()
	if status, _ := gateways[1].responses(t, "free", ""); status != http.StatusOK {
		t.Errorf("without NATS: got %d", status)
	}
	if status, text := gateways[1].get(t, http.MethodGet, "/readyz", "", ""); status != http.StatusOK || !strings.HasPrefix(text, "degraded\n") {
		t.Errorf("without NATS: got %d %q", status, text)
	}
	if last == "" {
		t.Error("no answer after the kill")
	}
}
