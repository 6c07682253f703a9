package opening_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/reliable/internal/opening"
	"pgregory.net/rapid"
)

// A request that switches reasoning off in any of the ways that servers have is not answered in reasoning.
func TestIsOff(t *testing.T) {
	for members, want := range map[string]bool{
		``: false, `,"reasoning_effort":"high"`: false, `,"chat_template_kwargs":{"enable_thinking":true}`: false, `,"chat_template_kwargs":{"x":false}`: false,
		`,"reasoning_effort":"none"`: true, `,"reasoning":{"enabled":false}`: true, `,"thinking":{"type":"disabled"}`: true, `,"enable_thinking":false`: true,
		`,"chat_template_kwargs":{"enable_thinking":false}`: true, `,"chat_template_kwargs":{"thinking":false}`: true, `,"chat_template_kwargs": { "thinking" : false }`: true,
	} {
		req, err := openai.Codec{}.DecodeRequest([]byte(`{"model":"m","messages":[{"role":"user","content":"Say \"enable_thinking\":false"}]` + members + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := opening.IsOff(req); got != want {
			t.Errorf("%s: got %t", members, got)
		}
		known := caps.Caps{ReasoningStart: opening.Primed}.From(caps.Learned)
		if got := opening.PredictStart(&known, req); got == opening.InReasoning == want {
			t.Errorf("%s: expected %d", members, got)
		}
	}
	if opening.IsOff(&callwright.Request{}) || companion.Of(&callwright.Request{}).Bytes() != nil {
		t.Error("a request that says nothing switches nothing off")
	}
}

// A text that is not searched is parted at the first mark that ends reasoning, in any pieces: nothing but the mark and the white space around it is lost.
func TestSplit(t *testing.T) {
	scraps := []string{"<", "</", "think", ">", "</think>", "[/THINK]", "[/THI", " ", "\n", "Hm.", "a < b", "<|END_THINKING|>", "ü"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(scraps), 0, 12).Draw(t, "scraps"), "")
		var whole, pieces opening.Split
		wantThought, wantRest := whole.Feed(text)
		wantThought += whole.Close()
		var thought, rest string
		for left := text; left != ""; {
			n := rapid.IntRange(1, len(left)).Draw(t, "piece")
			a, b := pieces.Feed(left[:n])
			thought, rest, left = thought+a, rest+b, left[n:]
		}
		thought += pieces.Close()
		if strings.TrimSpace(thought) != strings.TrimSpace(wantThought) || rest != wantRest || pieces.Ended != whole.Ended {
			t.Fatalf("%q: %q and %q, whole %q and %q", text, thought, rest, wantThought, wantRest)
		}
		at := -1
		for _, mark := range []string{"</think>", "[/THINK]", "<|END_THINKING|>"} {
			if i := strings.Index(text, mark); i >= 0 && (at < 0 || i < at) {
				at = i
			}
		}
		if whole.Ended != (at >= 0) || at < 0 && wantThought != text || at >= 0 && strings.TrimSpace(text[:at]) != strings.TrimSpace(wantThought) {
			t.Fatalf("%q: %q and %q", text, wantThought, wantRest)
		}
		if !strings.HasSuffix(text, wantRest) {
			t.Fatalf("%q: %q is not its end", text, wantRest)
		}
	})
}
