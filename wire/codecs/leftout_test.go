package codecs_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/codecs"
)

// What a stream leaves out because the client's wire has no place for it has a note; what comes over that wire has none.
func TestStreamsNoteWhatTheyLeaveOut(t *testing.T) {
	for _, from := range codecs.All() {
		for _, to := range codecs.All() {
			e := to.NewStreamEncoder(&callwright.Request{Model: "m", Params: callwright.Params{Stream: true}})
			var out []byte
			for _, ev := range []callwright.Event{callwright.Begin{ID: "x"}, callwright.TextDelta{Text: "a"},
				callwright.OpaquePart{Extra: callwright.Extra{Wire: from.Name(), JSON: []byte(`{"type":"x","id":"y"}`)}}, callwright.End{Finish: callwright.FinishStop}} {
				out = e.Encode(out, ev)
			}
			want := 1
			if from.Name() == to.Name() {
				want = 0
			}
			if got := wire.LeftOut(e); len(got) != want {
				t.Errorf("%s to %s: expected %d notes, got %v in %s", from.Name(), to.Name(), want, got, out)
			}
		}
	}
}
