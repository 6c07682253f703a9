package codecs_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// What was read from a provider's cache and what was written to it reaches the clients of every API that has a member for it.
func TestCachedTokens(t *testing.T) {
	reads := map[callwright.WireName]bool{callwright.WireOpenAI: true, callwright.WireResponses: true, callwright.WireAnthropic: true, callwright.WireGemini: true}
	writes := map[callwright.WireName]bool{callwright.WireOpenAI: true, callwright.WireResponses: true, callwright.WireAnthropic: true}
	for _, c := range codecs.All() {
		t.Run(string(c.Name()), func(t *testing.T) {
			resp := &callwright.Response{ID: "r", Model: "m", Finish: callwright.FinishStop, Parts: []callwright.Part{callwright.Text{Text: "Hi."}},
				Usage: callwright.Usage{Known: true, Input: 100, CacheRead: 40, CacheWrite: 30, Output: 5}}
			body, _, err := c.EncodeResponse(&callwright.Request{}, resp)
			if err != nil {
				t.Fatal(err)
			}
			back, err := c.DecodeResponse(body)
			if err != nil {
				t.Fatal(err)
			}
			want := callwright.Usage{Known: true, Input: 100, Output: 5}
			if reads[c.Name()] {
				want.CacheRead = 40
			}
			if writes[c.Name()] {
				want.CacheWrite = 30
			}
			back.Usage.Extra = callwright.Extra{}
			if got := back.Usage; got.Input != want.Input || got.Output != want.Output || got.CacheRead != want.CacheRead || got.CacheWrite != want.CacheWrite {
				t.Errorf("expected %+v, got %+v from %s", want, got, body)
			}
		})
	}
}
