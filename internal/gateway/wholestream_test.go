package gateway_test

import (
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// TestWholeAnswersAsStreams: where a model's calls do not come in streams, its answers are asked for whole, and clients that asked for a stream get one of
// their own API, over every API on both sides.
func TestWholeAnswersAsStreams(t *testing.T) {
	g := newRenaming(t)
	for _, client := range codecs.All() {
		a := askers[client.Name()]
		for _, far := range codecs.All() {
			for what, turn := range map[string]simulate.Turn{
				"a call": {Calls: []simulate.Call{{Name: "get_weather", Arguments: `{"city":"Oslo"}`}}},
				"a text": {Text: "It is cold."},
				"both":   {Text: "I look.", Calls: []simulate.Call{{Name: "get_weather", Arguments: `{"city":"Oslo"}`}}},
			} {
				g.set([]reliable.Option{reliable.WithFacts(append(slices.Clone(rule), fact("stream_tools", "no"))...)}, turn)
				path, body := a.ask(string(far.Name())+"/m", true)
				got := post(t, g.url+path, body)
				resp := decoded(t, client, true, got)
				if complaints := wiretest.StreamComplaints(client.Name(), got.header.Get("Content-Type"), []byte(got.body), false); len(complaints) > 0 {
					t.Errorf("%s over %s, %s: %q in %s", client.Name(), far.Name(), what, complaints, got.body)
				}
				if callwright.TextOf(resp.Parts) != turn.Text || len(resp.Calls()) != len(turn.Calls) {
					t.Errorf("%s over %s, %s: got %+v", client.Name(), far.Name(), what, resp.Parts)
				}
				if seen := g.requests(); len(seen) != 1 || seen[0].Stream {
					t.Errorf("%s over %s, %s: asked for %+v", client.Name(), far.Name(), what, seen)
				}
			}
		}
	}
}
