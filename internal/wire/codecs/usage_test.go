package codecs_test

import (
	"bytes"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/google/go-cmp/cmp"
)

// The counts of an answer are what they were on every wire that has them, whole and streamed: also zeros that take the place of other
// counts, and reasoning that a provider counts beside its output.
func TestCountsAreKept(t *testing.T) {
	first := callwright.Usage{Known: true, Input: 55277, CacheRead: 55096, CacheWrite: 180, Output: 1}
	for name, u := range map[string]callwright.Usage{
		"plain":               {Known: true, Input: 181, Output: 20},
		"cached":              {Known: true, Input: 181, CacheRead: 40, Output: 20},
		"with reasoning":      {Known: true, Input: 181, Output: 20, Reasoning: 12},
		"all of it reasoning": {Known: true, Input: 181, Output: 20, Reasoning: 20},
		"reasoning beside":    {Known: true, Input: 181, Output: 20, Reasoning: 30},
		"nothing said":        {Known: true, Input: 181},
	} {
		for _, c := range codecs.All() {
			enc := c.NewStreamEncoder(&callwright.Request{Params: callwright.Params{Stream: true, StreamUsage: true}})
			out := enc.Encode(nil, callwright.Batch{Events: []callwright.Event{callwright.Begin{ID: "m", Model: "m"}, callwright.UsageDelta{Usage: first},
				callwright.TextDelta{Text: "a"}, callwright.UsageDelta{Usage: u}, callwright.End{Finish: callwright.FinishStop}}, More: true})
			var streamed callwright.Collector
			for _, ev := range wiretest.Decode(c, bytes.NewReader(out)).Events {
				streamed.Add(ev)
			}
			body, _, err := c.EncodeResponse(nil, &callwright.Response{ID: "m", Model: "m", Parts: []callwright.Part{callwright.Text{Text: "a"}}, Finish: callwright.FinishStop, Usage: u})
			if err != nil {
				t.Fatal(err)
			}
			whole, err := c.DecodeResponse(body)
			if err != nil {
				t.Fatal(err)
			}
			for way, got := range map[string]callwright.Usage{"whole": whole.Usage, "streamed": streamed.Response().Usage} {
				want := u
				switch c.Name() {
				case callwright.WireOllama: // it has no other counts
					want.CacheRead, want.Reasoning = 0, 0
				case callwright.WireGemini: // its counts of reasoning and of what was said add up to the output
					want.Reasoning = min(u.Reasoning, u.Output)
				}
				got.Extra, want.Extra = callwright.Extra{}, callwright.Extra{}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, %s, %s (-want +got)\n%s", name, c.Name(), way, diff)
				}
			}
		}
	}
}
