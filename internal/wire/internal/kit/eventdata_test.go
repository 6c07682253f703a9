package kit_test

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/sse"
)

// TestEventData: the data is the one that a Reader finds.
func TestEventData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var lines []string
		for range rapid.IntRange(0, 4).Draw(t, "lines") {
			lines = append(lines, rapid.SampledFrom([]string{
				"event: a", "data: {}", "data:{}", "data:", "data:  x ", "data", "datax: 1", ": data: no", "id: 7", "retry: 1", `data: {"a":"data: b"}`,
			}).Draw(t, "line"))
		}
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "end")
		raw := []byte(strings.Join(append(lines, "", ""), end))
		var want []byte
		if ev, err := sse.NewReader(bytes.NewReader(raw)).Next(); err == nil {
			want = ev.Data
		}
		if got := kit.EventData(raw); !bytes.Equal(got, want) {
			t.Fatalf("%q: got %q, want %q", raw, got, want)
		}
	})
}
