package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// TestLaterTextReachesClients: a client of a stream gets the text of a correction behind the text that it has, and the usage of both answers. The
// client of a whole answer gets the text of the last one.
func TestLaterTextReachesClients(t *testing.T) {
	first := simulate.Turn{Text: "Let me check.", Calls: []simulate.Call{{Name: "look_up", Arguments: `{"city":"Oslo"}`}}}
	again := simulate.Turn{Text: "It is 21 degrees."}
	g := newRenaming(t)
	for _, client := range codecs.All() {
		a := askers[client.Name()]
		for _, far := range codecs.All() {
			for _, stream := range []bool{false, true} {
				path, body := a.ask(string(far.Name())+"/m", stream)
				if stream && client.Name() == callwright.WireOpenAI {
					body = strings.Replace(body, `"stream":true`, `"stream":true,"stream_options":{"include_usage":true}`, 1)
				}
				var usage [2]callwright.Usage // of the second answer alone, and of both
				var texts [2]string
				for i, turns := range [][]simulate.Turn{{again}, {first, again}} {
					g.set([]reliable.Option{}, turns...)
					got := post(t, g.url+path, body)
					resp := decoded(t, client, stream, got)
					if n := len(g.requests()); n != len(turns) {
						t.Fatalf("%s over %s, stream %t: %d requests, want %d: %s", client.Name(), far.Name(), stream, n, len(turns), got.body)
					}
					usage[i], texts[i] = resp.Usage, resp.Text()
				}
				want := again.Text
				if stream {
					want = first.Text + "\n" + again.Text
				}
				if texts[1] != want || texts[0] != again.Text {
					t.Errorf("%s over %s, stream %t: got %q, want %q", client.Name(), far.Name(), stream, texts[1], want)
				}
				if usage[0].Input == 0 || usage[1].Input < 2*usage[0].Input || usage[1].Output <= usage[0].Output {
					t.Errorf("%s over %s, stream %t: usage of one answer %+v, of two %+v", client.Name(), far.Name(), stream, usage[0], usage[1])
				}
			}
		}
	}
}

// decoded returns an answer as its client reads it.
func decoded(t *testing.T, c wire.Codec, stream bool, got answer) *callwright.Response {
	t.Helper()
	if got.status != http.StatusOK || got.err != nil {
		t.Fatalf("%s: status %d, %v: %s", c.Name(), got.status, got.err, got.body)
	}
	if !stream {
		resp, err := c.DecodeResponse([]byte(got.body))
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	var col callwright.Collector
	for ev, err := range wiretest.Decode(c, strings.NewReader(got.body)).All() {
		if err != nil {
			t.Fatalf("%v: %s", err, got.body)
		}
		col.Add(ev)
	}
	return col.Response()
}
