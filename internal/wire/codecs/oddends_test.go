package codecs_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// collectedOf is the answer of a stream, and how many ends it has.
func collectedOf(s wiretest.Stream) (resp *callwright.Response, ends int) {
	var all callwright.Collector
	for _, ev := range s.Events {
		if all.Add(ev); ev == nil {
			continue
		}
		if _, ok := ev.(callwright.End); ok {
			ends++
		}
	}
	return all.Response(), ends
}

// differs says how an answer is not the one that was drawn, "" where it is.
func differs(want *wiretest.EndedStream, s wiretest.Stream) string {
	got, ends := collectedOf(s)
	calls := got.Calls()
	switch {
	case s.Err != nil:
		return s.Err.Error()
	case len(calls) != len(want.Calls):
		return fmt.Sprintf("%d calls", len(calls))
	case ends != 1 || got.Finish != callwright.FinishCalls:
		return fmt.Sprintf("%d ends, finish %s", ends, got.Finish)
	case got.Text() != want.Text:
		return fmt.Sprintf("text %q", got.Text())
	}
	for i, c := range calls {
		w := want.Calls[i]
		if len(c.Arguments) == 0 && c.Type == callwright.FunctionTool {
			c.Arguments = []byte("{}")
		}
		if c.ID != w.ID || c.Name != w.Name || c.Type != w.Type || c.Input != w.Input || c.Type == callwright.FunctionTool && !jsonx.Equal(c.Arguments, w.Arguments) {
			return fmt.Sprintf("call %d is %s %s %s%s", i, c.ID, c.Name, c.Arguments, c.Input)
		}
	}
	return ""
}

// Ends of an answer that come where they do not belong change nothing of its calls: pieces that follow belong to their call until
// the stream ends, and the last finish counts. A sound stream is passed on byte for byte; an odd one in a form that is sound.
func TestEndsInTheMiddle(t *testing.T) {
	for _, c := range codecs.All() {
		t.Run(string(c.Name()), func(t *testing.T) {
			for seed := range uint64(500) {
				checkEnds(t, c, seed)
			}
		})
	}
}

func FuzzEndsInTheMiddle(f *testing.F) {
	for api := range len(codecs.All()) {
		f.Add(uint8(api), uint64(api))
	}
	f.Fuzz(func(t *testing.T, api uint8, seed uint64) {
		checkEnds(t, codecs.All()[int(api)%len(codecs.All())], seed)
	})
}

// checkEnds draws an answer by the seed, sound and with ends in its middle, reads both, writes them and reads them again.
func checkEnds(t *testing.T, c wire.Codec, seed uint64) {
	tools := []callwright.Tool{{Name: "f"}, {Name: "g"}}
	if c.Name() == callwright.WireOpenAI || c.Name() == callwright.WireResponses {
		tools = append(tools, callwright.Tool{Name: "h", Type: callwright.CustomTool})
	}
	s := wiretest.DrawEnds(rand.New(rand.NewPCG(seed, 1)), c.Name(), tools...)
	for form, raw := range map[string]string{"sound": s.Sound, "odd": s.Odd} {
		read := wiretest.Decode(c, strings.NewReader(raw))
		if why := differs(&s, read); why != "" {
			t.Fatalf("seed %d, %s: expected %v, got %s\n%s", seed, form, s.Calls, why, raw)
		}
		out := wiretest.EncodeBatches(c, read.Batches)
		if form == "sound" && (!read.Kept || string(out) != raw) {
			t.Fatalf("seed %d: not passed as it came\n%s\n%s", seed, raw, out)
		}
		again := wiretest.Decode(c, bytes.NewReader(out))
		if why := differs(&s, again); why != "" || !again.Kept {
			t.Fatalf("seed %d, %s: expected %v, a client gets %s, kept %t\n%s\n%s", seed, form, s.Calls, why, again.Kept, raw, out)
		}
	}
}
