package kit_test

import (
	"fmt"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// recorder writes the type of each event and the bytes of each batch, but for those with the bytes "no", which do not fit.
type recorder struct{ kit.Encoder }

func (r *recorder) Pass(dst []byte, b *callwright.Batch) ([]byte, bool) {
	if string(b.Raw) == "no" {
		return dst, false
	}
	return append(dst, b.Raw...), true
}

func (r *recorder) Follow(dst []byte, ev callwright.Event) []byte {
	return fmt.Appendf(dst, "(%T)", ev)
}

func (r *recorder) Write(dst []byte, ev callwright.Event) []byte { return fmt.Appendf(dst, "<%T>", ev) }

// flusher is a recorder that writes when it is flushed.
type flusher struct{ recorder }

func (f *flusher) Flush(dst []byte) []byte { return append(dst, '.') }

func TestEncoder(t *testing.T) {
	const own = kit.API(callwright.WireGemini)
	batch := func(s string, events ...callwright.Event) callwright.Batch {
		return callwright.Batch{Wire: callwright.WireGemini, Raw: []byte(s), Events: events}
	}
	events := func(events ...callwright.Event) callwright.Batch { return callwright.Batch{Events: events} }
	text, end := callwright.TextDelta{Text: "x"}, callwright.End{}
	for name, c := range map[string]struct {
		batches []callwright.Batch
		want    string
	}{
		"passed":        {[]callwright.Batch{batch("F", text), events(text)}, "F(callwright.TextDelta)<callwright.TextDelta>"},
		"does not fit":  {[]callwright.Batch{batch("no", text)}, "<callwright.TextDelta>"},
		"another API":   {[]callwright.Batch{{Wire: callwright.WireOllama, Raw: []byte("F"), Events: []callwright.Event{text}}}, "<callwright.TextDelta>"},
		"note":          {[]callwright.Batch{{Notes: []callwright.Note{{}}}, {Wire: callwright.WireGemini, Raw: []byte("F"), Events: []callwright.Event{text}, Notes: []callwright.Note{{}}}}, "F(callwright.TextDelta)"},
		"no events":     {[]callwright.Batch{batch("F", text), batch("G"), events(text)}, "F(callwright.TextDelta)G<callwright.TextDelta>"},
		"after the end": {[]callwright.Batch{events(end), events(text), batch("F", text), {}, batch("G")}, "<callwright.End>G"},
		"end in batch":  {[]callwright.Batch{batch("F", end, text), events(text)}, "F(callwright.End)(callwright.TextDelta)"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{}
			var out []byte
			for _, b := range c.batches {
				out = r.Encode(out, b, own, r)
			}
			if string(out) != c.want {
				t.Errorf("expected %s, got %s", c.want, out)
			}
		})
	}
}

// An encoder that delays bytes is flushed where the answer pauses, until it has ended.
func TestEncoderFlushes(t *testing.T) {
	const own = kit.API(callwright.WireGemini)
	text := []callwright.Event{callwright.TextDelta{Text: "x"}}
	f := &flusher{}
	var out []byte
	for _, b := range []callwright.Batch{
		{Events: text, More: true}, {Events: text}, {More: true}, {}, {Wire: callwright.WireGemini, Raw: []byte("F"), Events: text},
		{Events: []callwright.Event{callwright.End{}}}, {},
	} {
		out = f.Encode(out, b, own, f)
	}
	if want := "<callwright.TextDelta><callwright.TextDelta>..F(callwright.TextDelta).<callwright.End>"; string(out) != want {
		t.Errorf("expected %s, got %s", want, out)
	}
}
