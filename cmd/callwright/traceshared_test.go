package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/trace"
)

// What gateways are asked is traced on NATS: commands list, show and replay it on any machine, and the pages of each gateway show the requests of all.
func TestTraceShared(t *testing.T) {
	needsLong(t)
	nats, address := startNATS(t)
	conf := fmt.Sprintf("providers: {sim: {}}\nstate: {nats: %q}\ntrace: {nats: on}\n", address)
	a, b := serve(t, conf, nil), serve(t, conf, nil)
	a.ask("sim/hermes-unclosed", "")
	b.ask("sim/native", "")
	there := newMachine(t, conf)
	var list []trace.Summary
	for len(list) < 2 { // they are written beside the requests
		status, out, said := there.do(t.Context(), "trace", "--json")
		if status != exitDone {
			t.Fatalf("status %d: %s", status, said)
		}
		list = nil
		for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
			var s trace.Summary
			if err := dec.Decode(&s); err != nil {
				t.Fatal(err)
			}
			list = append(list, s)
		}
	}
	if list[0].Model != "sim/native" || list[1].Model != "sim/hermes-unclosed" {
		t.Errorf("got %+v", list)
	}
	if status, out, said := there.do(t.Context(), "trace", list[1].ID); status != exitDone || !strings.Contains(out, "sim/hermes-unclosed") {
		t.Errorf("status %d: %s%s", status, out, said)
	}
	if status, out, said := there.do(t.Context(), "replay"); status != exitDone || !strings.Contains(out, "2 requests: 2 the same") {
		t.Errorf("status %d: %s%s", status, out, said)
	}
	for _, gateway := range []*served{a, b} {
		resp, err := http.Get(gateway.url + "/ui/traces")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || !strings.Contains(string(text), list[0].ID) || !strings.Contains(string(text), list[1].ID) {
			t.Errorf("the page of a gateway: %d %s", resp.StatusCode, text)
		}
	}
	nats.Shutdown()
	if status, _ := a.ask("sim/native", ""); status != http.StatusOK {
		t.Errorf("without NATS: got %d", status)
	}
	for _, command := range []string{"trace", "replay"} {
		if status, _, said := there.do(t.Context(), command); status != exitFailed || !strings.Contains(said, address) {
			t.Errorf("%s without NATS: status %d: %s", command, status, said)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	for _, gateway := range []*served{a, b} {
		gateway.stop()
		gateway.rest()
	}
}

// Without a trace in the configuration it is said how one is named.
func TestReplayWithoutTrace(t *testing.T) {
	m := newMachine(t, "providers: {sim: {}}\n")
	if status, _, said := m.do(t.Context(), "replay"); status != exitMisused || !strings.Contains(said, "name a file or a folder") {
		t.Errorf("status %d: %s", status, said)
	}
}
