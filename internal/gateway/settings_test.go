package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/simulate"
)

// A server goes by other settings from one request to the next; those that were running are told of when they have ended.
func TestReplace(t *testing.T) {
	begun, end := make(chan bool), make(chan bool)
	upstream := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == messages {
			begun <- true
			<-end
		}
		simulate.New(simulate.Weather()).ServeHTTP(w, r)
	})
	cfg := gateway.Config{Models: models(t, upstream)}
	g := gateway.New(cfg)
	srv := httptest.NewServer(g)
	defer srv.Close()
	long := question(chat, "openai/native", "")
	check := func(about string, want, host, origin, passed int) {
		t.Helper()
		for what, got := range map[string][2]int{
			"body":    {post(t, srv.URL+chat, long).status, want},
			"host":    {get(t, srv.URL+"/v1/models", "Host", "gate.example").status, host},
			"origin":  {get(t, srv.URL+"/v1/models", "Origin", "https://page.example").status, origin},
			"passage": {post(t, srv.URL+"/v1/embeddings", `{"model":"nowhere/m","input":"a"}`).status, passed},
		} {
			if got[0] != got[1] {
				t.Errorf("%s, %s: got %d, want %d", about, what, got[0], got[1])
			}
		}
	}
	check("at first", 200, 403, 403, 404)
	var running sync.WaitGroup
	running.Go(func() {
		if got := post(t, srv.URL+messages, question(messages, "anthropic/native", "")); got.status != 200 {
			t.Errorf("got %d %s", got.status, got.body)
		}
	})
	<-begun
	idle := g.Replace(gateway.Config{Hosts: []string{"gate.example"}, Origins: []string{"https://page.example"}, Passthrough: []string{}, Limits: gateway.Limits{Body: 10}})
	check("replaced", 413, 200, 200, http.StatusNotImplemented)
	select {
	case <-idle:
		t.Error("nobody needs the settings that a request goes by")
	default:
	}
	end <- true
	running.Wait()
	<-idle
	<-g.Replace(cfg)
	check("replaced again", 200, 403, 403, 404)
}
