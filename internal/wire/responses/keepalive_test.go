package responses_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/sse"
)

// TestNumbersAfterKeepAlive: the events after a sign of life have higher numbers, in whatever form the
// provider writes them.
func TestNumbersAfterKeepAlive(t *testing.T) {
	for name, rewrite := range map[string]func(raw []byte) []byte{
		"a line":        func(raw []byte) []byte { return raw },
		"several lines": func(raw []byte) []byte { return bytes.Replace(raw, []byte("data: {"), []byte("data: {\ndata: "), 1) },
	} {
		s := streams(t)["stream_text.txtar"]
		e := responses.Codec{}.NewStreamEncoder(&callwright.Request{})
		var out []byte
		for _, b := range s.Batches {
			b.Raw = rewrite(b.Raw)
			out = e.Encode(out, b)
			if _, ok := last(b.Events).(callwright.TextDelta); ok {
				out = e.KeepAlive(out, progress.Snapshot{})
			}
		}
		r := sse.NewReader(bytes.NewReader(out))
		for latest := -1; ; {
			ev, err := r.Next()
			if err != nil {
				break
			}
			var in struct {
				Number *int `json:"sequence_number"`
			}
			if json.Unmarshal(ev.Data, &in) != nil || in.Number == nil {
				continue
			}
			if *in.Number <= latest {
				t.Fatalf("%s: the number %d after %d: %s", name, *in.Number, latest, ev.Data)
			}
			latest = *in.Number
		}
		again := wiretest.Decode(responses.Codec{}, bytes.NewReader(out))
		if again.Err != nil || content(again.Events) != content(s.Events) {
			t.Errorf("%s: %v, got %s, expected %s", name, again.Err, content(again.Events), content(s.Events))
		}
	}
}
