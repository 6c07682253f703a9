package codecs_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/wire/codecs"
)

// manyParts are parts of which an answer may have any number, by what they are: number i of them.
var manyParts = map[string]func(i int) []callwright.Part{
	"sources between words": func(i int) []callwright.Part {
		return []callwright.Part{callwright.Text{Text: "some words "}, opaque(callwright.WireAnthropic, `{"citations_delta":{"citation":{"cited_text":"%d"}}}`, i)}
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
