package codecs_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/pool"
	"github.com/callwright/callwright/wire/codecs"
)

// manyParts are parts of which an answer may have any number, by what they are: number i of them.
var manyParts = map[string]func(i int) []callwright.Part{
	"sources between words": func(i int) []callwright.Part {
		return []callwright.Part{callwright.Text{Text: "some words "}, opaque(callwright.WireAnthropic, `{"citations_delta":{"citation":{"cited_text":"%d"}}}`, i)}
	},
	"sources of pieces": func(i int) []callwright.Part {
		return []callwright.Part{callwright.Text{Text: "some words "}, opaque(callwright.WireAnthropic, `{"citations_delta":{"citation":{"url":"https://s.example/%d"}}}`, i)}
	},
	"sources of texts": func(i int) []callwright.Part {
		return []callwright.Part{callwright.Text{Text: "some words ", Extra: callwright.Extra{Wire: callwright.WireResponses,
			JSON: fmt.Appendf(nil, `{"annotations":[{"type":"url_citation","start_index":0,"end_index":4,"url":"https://s.example/%d"}]}`, i)}}}
	},
	"annotations of texts": func(i int) []callwright.Part {
		return []callwright.Part{callwright.Text{Text: "some words "}, opaque(callwright.WireResponses, `{"annotations":[{"type":"file_citation","file_id":"%d"}]}`, i)}
	},
	"members of lines": func(i int) []callwright.Part {
		return []callwright.Part{opaque(callwright.WireOllama, `{"m%[1]d":1,"message":{"n%[1]d":1}}`, i)}
	},
	"members of candidates": func(i int) []callwright.Part {
		return []callwright.Part{opaque(callwright.WireGemini, `{"candidate":{"m%d":1}}`, i)}
	},
	"media": func(i int) []callwright.Part {
		return []callwright.Part{callwright.Image{Data: "aGk="}, callwright.File{FileID: fmt.Sprint(i)}}
	},
}

func opaque(of callwright.WireName, format string, i int) callwright.Part {
	return callwright.Opaque{Extra: callwright.Extra{Wire: of, JSON: fmt.Appendf(nil, format, i)}}
}

// An answer of eight times the parts takes about eight times the memory to write, over every pair of wires: nothing is copied for each part.
func TestAnswersOfManyPartsAreLinear(t *testing.T) {
	const n, times = 500, 8
	for name, parts := range manyParts {
		for _, to := range codecs.All() {
			taken := func(n int) uint64 {
				resp := &callwright.Response{Model: "m", Finish: callwright.FinishStop}
				for i := range n {
					resp.Parts = append(resp.Parts, parts(i)...)
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				if _, _, err := to.EncodeResponse(&callwright.Request{}, resp); err != nil {
					t.Fatal(err)
				}
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc
			}
			if less, more := taken(n), taken(times*n); more > 2*times*less {
				t.Errorf("%s to %s: %d bytes for %d, %d bytes for %d times as many", name, to.Name(), less, n, more, times)
			}
		}
	}
}

// mostTime bounds what takes far less where the work is linear, and far more where it is not.
func mostTime() time.Duration {
	if pool.Poisons { // with the race detector all takes many times as long
		return time.Minute
	}
	return 5 * time.Second
}

// Sources that came before all the texts to which they belong, as a whole answer has them, are told apart without a look at each for each text.
func TestManySourcesOverManyTexts(t *testing.T) {
	const n = 20_000
	const words = "some wörds "
	var chat, chunks, supports []string
	resp := &callwright.Response{Model: "m", Finish: callwright.FinishStop}
	for i := range n {
		at, url := (n-1-i)*len([]rune(words)), fmt.Sprintf("https://s.example/%d", i)
		chat = append(chat, fmt.Sprintf(`{"type":"url_citation","url_citation":{"start_index":%d,"end_index":%d,"url":%q}}`, at, at+4, url))
		chunks = append(chunks, fmt.Sprintf(`{"web":{"uri":%q}}`, url))
		supports = append(supports, fmt.Sprintf(`{"segment":{"startIndex":%d,"endIndex":%d,"text":"some"},"groundingChunkIndices":[%d]}`, (n-1-i)*len(words), (n-1-i)*len(words)+4, i))
		resp.Parts = append(resp.Parts, callwright.Text{Text: words}, callwright.Reasoning{Text: "hm"})
	}
	for wireName, extra := range map[callwright.WireName]string{
		callwright.WireOpenAI: `{"choices":[{"message":{"annotations":[` + strings.Join(chat, ",") + `]}}]}`,
		callwright.WireGemini: `{"candidate":{"groundingMetadata":{"groundingChunks":[` + strings.Join(chunks, ",") + `],"groundingSupports":[` + strings.Join(supports, ",") + `]}}}`,
	} {
		resp.Extra = callwright.Extra{Wire: wireName, JSON: []byte(extra)}
		for _, to := range codecs.All() {
			begin := time.Now()
			whole, _, err := to.EncodeResponse(&callwright.Request{}, resp)
			if err != nil {
				t.Fatal(err)
			}
			e := to.NewStreamEncoder(&callwright.Request{Model: "m"})
			var streamed []byte
			for _, ev := range resp.Events() {
				streamed = e.Encode(streamed, ev)
			}
			if took := time.Since(begin); took > mostTime() {
				t.Errorf("%s to %s: %s", wireName, to.Name(), took)
			}
			for form, out := range map[string][]byte{"whole": whole, "streamed": streamed} {
				if got := bytes.Contains(out, []byte("https://s.example/7\"")); got == (to.Name() == callwright.WireOllama) {
					t.Errorf("%s to %s, %s: a source is there: %t", wireName, to.Name(), form, got)
				}
			}
		}
	}
}

// So are sources of a text that never comes, without a look at all of those behind for each.
func TestManySourcesOfNoText(t *testing.T) {
	const n = 10_000
	resp := &callwright.Response{Model: "m", Finish: callwright.FinishStop}
	for i := range n {
		resp.Parts = append(resp.Parts, opaque(callwright.WireAnthropic, `{"citations_delta":{"citation":{"url":"https://s.example/%d"}},"ahead":true}`, i))
	}
	for _, to := range codecs.All() {
		begin := time.Now()
		if _, _, err := to.EncodeResponse(&callwright.Request{}, resp); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took > mostTime() {
			t.Errorf("to %s: %s", to.Name(), took)
		}
	}
}

// An image or a file of which an API has no form in answers leaves nothing in its stream.
func TestMediaWithoutAFormLeaveNoEvent(t *testing.T) {
	for _, to := range codecs.All() {
		for _, p := range []callwright.Part{callwright.Image{FileID: "f"}, callwright.File{FileID: "f"}, callwright.File{Name: "n", Text: "words"}} {
			e := to.NewStreamEncoder(&callwright.Request{Model: "m"})
			e.Encode(nil, callwright.Begin{})
			if out := e.Encode(nil, callwright.MediaPart{Part: p}); strings.TrimSpace(string(out)) != "" {
				t.Errorf("%s: expected nothing, got %s", to.Name(), out)
			}
		}
	}
}
