package gateway_test

import (
	"testing"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// TestUnparsedCallsReachClients: the client of a server whose parser fails on the calls of its model gets the call, over every API on both sides. Its first
// question is asked twice, its second once.
func TestUnparsedCallsReachClients(t *testing.T) {
	g := newRenaming(t)
	for _, client := range codecs.All() {
		a := askers[client.Name()]
		for _, far := range codecs.All() {
			for _, option := range []string{"", "inband", "thought"} {
				turn := simulate.Turn{Calls: []simulate.Call{{Name: "get_weather", Arguments: `{"city":"Oslo"}`}}, Fault: simulate.Fault{Name: "engine500_parser"}}
				if option != "" {
					turn.Fault.Options = []string{option}
				}
				for _, stream := range []bool{false, true} {
					opts := []reliable.Option{reliable.WithCapsStore(caps.NewMemory(nil)), reliable.WithFacts(rule...)}
					for i, want := range []int{2, 1} {
						g.set(nil, turn)
						g.opts = opts
						path, body := a.ask(string(far.Name())+"/m", stream)
						got := post(t, g.url+path, body)
						resp := decoded(t, client, stream, got)
						complaints := wiretest.WholeComplaints(client.Name(), []byte(got.body))
						if stream {
							complaints = wiretest.StreamComplaints(client.Name(), got.header.Get("Content-Type"), []byte(got.body), false)
						}
						if len(complaints) > 0 {
							t.Errorf("%s over %s, fault %q, stream %t: %q in %s", client.Name(), far.Name(), option, stream, complaints, got.body)
						}
						if calls := resp.Calls(); len(calls) != 1 || calls[0].Name != "get_weather" || len(g.requests()) != want {
							t.Errorf("%s over %s, fault %q, stream %t, question %d: %+v after %d requests, want %d", client.Name(), far.Name(), option, stream, i, calls, len(g.requests()), want)
						}
					}
				}
			}
		}
	}
}
