package kit_test

import (
	"fmt"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// recorder writes the type of each event and the bytes of each frame, but for those with the bytes "no", which do not fit.
type recorder struct{ kit.Framed }

func (r *recorder) Pass(dst []byte, f callwright.Frame) ([]byte, bool) {
	if string(f.Bytes) == "no" {
		return dst, false
	}
	return append(dst, f.Bytes...), true
}

func (r *recorder) Follow(dst []byte, ev callwright.Event) []byte {
	return fmt.Appendf(dst, "(%T)", ev)
}

func (r *recorder) Write(dst []byte, ev callwright.Event) []byte { return fmt.Appendf(dst, "<%T>", ev) }

func TestFramed(t *testing.T) {
	const own = kit.Own(callwright.WireGemini)
	frame := func(s string, n int) callwright.Frame {
		return callwright.Frame{Wire: callwright.WireGemini, Bytes: []byte(s), Events: n}
	}
	text, end := callwright.TextDelta{Text: "x"}, callwright.End{}
	for name, c := range map[string]struct {
		events []callwright.Event
		want   string
	}{
		"passed":        {[]callwright.Event{frame("F", 1), text, text}, "F(callwright.TextDelta)<callwright.TextDelta>"},
		"does not fit":  {[]callwright.Event{frame("no", 1), text}, "<callwright.TextDelta>"},
		"another wire":  {[]callwright.Event{callwright.Frame{Wire: callwright.WireOllama, Bytes: []byte("F"), Events: 1}, text}, "<callwright.TextDelta>"},
		"keep-alive":    {[]callwright.Event{frame("F", 1), callwright.KeepAlive{}, text}, "F<callwright.KeepAlive>(callwright.TextDelta)"},
		"note":          {[]callwright.Event{frame("F", 1), callwright.Noted{}, text}, "F(callwright.TextDelta)"},
		"fewer events":  {[]callwright.Event{frame("F", 2), text, frame("G", 0), text}, "F(callwright.TextDelta)G<callwright.TextDelta>"},
		"after the end": {[]callwright.Event{end, text, frame("F", 1), text, callwright.Flush{}, frame("G", 0)}, "<callwright.End>G"},
		"end in frame":  {[]callwright.Event{frame("F", 2), end, text, text}, "F(callwright.End)(callwright.TextDelta)"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{}
			var out []byte
			for _, ev := range c.events {
				out = r.Encode(out, ev, own, r)
			}
			if string(out) != c.want {
				t.Errorf("expected %s, got %s", c.want, out)
			}
		})
	}
}

func TestFrameData(t *testing.T) {
	for frame, want := range map[string]string{
		"": "", "data:a": "a", "data: a\n\n": " a", "event: x\ndata: a\ndata: b\n": " a", "event: x\rdata: a\r\r": " a", ": y\r\ndata:\r\n": "", "\n\ndata:a\r": "a", "data\nx": "",
	} {
		if got := string(kit.FrameData([]byte(frame))); got != want {
			t.Errorf("%q: %q, expected %q", frame, got, want)
		}
	}
}
