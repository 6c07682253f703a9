package codecs_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// A large answer is read and written in three times its size at most, whatever must be escaped in it. A stream of the Responses API
// repeats its text four times at its end, so that it takes more.
func TestLargeAnswers(t *testing.T) {
	if !longtest.IsEnabled() {
		t.Skip("under the race detector, where tests are short, growing takes its room twice")
	}
	const size = 512 << 10
	for _, e := range []string{"a", "é\n", "\x01"} {
		text := strings.Repeat(e, size/len(e))
		for _, from := range codecs.All() {
			whole, _, err := from.EncodeResponse(nil, &callwright.Response{ID: "c", Model: "m", Finish: callwright.FinishStop, Parts: []callwright.Part{callwright.Text{Text: text}}})
			if err != nil {
				t.Fatal(err)
			}
			var resp *callwright.Response
			reading := allocated(func() { resp, err = from.DecodeResponse(whole) })
			if err != nil || callwright.TextOf(resp.Parts) != text {
				t.Fatalf("%s: %v", from.Name(), err)
			}
			resp.Raw = nil
			for _, to := range codecs.All() {
				var out []byte
				writing := allocated(func() { out, _, err = to.EncodeResponse(&callwright.Request{Model: "m"}, resp) })
				if got, limit := reading+writing, 3*max(len(whole), len(out))+1<<16; err != nil || got > limit {
					t.Errorf("%s to %s, %q: %d bytes took %d, at most %d expected (%v)", from.Name(), to.Name(), e, len(whole), got, limit, err)
				}
			}
		}
		for _, to := range codecs.All() {
			events := (&callwright.Response{ID: "c", Model: "m", Finish: callwright.FinishStop, Parts: []callwright.Part{callwright.Text{Text: text}}}).Events()
			n := 0
			got := allocated(func() {
				e := to.NewStreamEncoder(&callwright.Request{Model: "m"})
				var out []byte
				for i := range events {
					out = e.Encode(out[:0], callwright.Batch{Events: events[i : i+1], More: true})
					n += len(out)
				}
			})
			if limit := 4*n + 1<<16; got > limit {
				t.Errorf("streamed to %s, %q: %d bytes took %d, at most %d expected", to.Name(), e, n, got, limit)
			}
		}
	}
}
