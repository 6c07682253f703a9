package codecs_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
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

// noText is the answer whose sources belong to a text that never comes.
const noText = "no text"

// someSources are that answer and others, of n texts whose sources all stand in one list, the last text's first.
func someSources(n int) map[string]*callwright.Response {
	const words = "some wörds "
	var chat, chunks, supports []string
	var texts, ahead []callwright.Part
	for i := range n {
		at, url := (n-1-i)*len([]rune(words)), fmt.Sprintf("https://s.example/%d", i)
		chat = append(chat, fmt.Sprintf(`{"type":"url_citation","url_citation":{"start_index":%d,"end_index":%d,"url":%q}}`, at, at+4, url))
		chunks = append(chunks, fmt.Sprintf(`{"web":{"uri":%q}}`, url))
		supports = append(supports, fmt.Sprintf(`{"segment":{"startIndex":%d,"endIndex":%d,"text":"some"},"groundingChunkIndices":[%d]}`, (n-1-i)*len(words), (n-1-i)*len(words)+4, i))
		texts = append(texts, callwright.Text{Text: words}, callwright.Reasoning{Text: "hm"})
		ahead = append(ahead, opaque(callwright.WireAnthropic, `{"citations_delta":{"citation":{"url":"https://s.example/%d"}},"ahead":true}`, i))
	}
	answer := func(parts []callwright.Part, wire callwright.WireName, extra string) *callwright.Response {
		return &callwright.Response{Model: "m", Finish: callwright.FinishStop, Parts: parts, Extra: callwright.Extra{Wire: wire, JSON: []byte(extra)}}
	}
	return map[string]*callwright.Response{
		"characters": answer(texts, callwright.WireOpenAI, `{"choices":[{"message":{"annotations":[`+strings.Join(chat, ",")+`]}}]}`),
		"bytes": answer(texts, callwright.WireGemini,
			`{"candidate":{"groundingMetadata":{"groundingChunks":[`+strings.Join(chunks, ",")+`],"groundingSupports":[`+strings.Join(supports, ",")+`]}}}`),
		noText: answer(ahead, "", ""),
	}
}

// streamOf is an answer as a stream.
func streamOf(to wire.Codec, resp *callwright.Response) []byte {
	e := to.NewStreamEncoder(&callwright.Request{Model: "m"})
	return e.Encode(nil, callwright.Batch{Events: resp.Events(), More: true})
}

// Sources that came before all the texts to which they belong, as a whole answer has them, reach every API that has them.
func TestManySourcesOverManyTexts(t *testing.T) {
	for name, resp := range someSources(300) {
		if name == noText {
			continue
		}
		for _, to := range codecs.All() {
			whole, _, err := to.EncodeResponse(&callwright.Request{}, resp)
			if err != nil {
				t.Fatal(err)
			}
			for form, out := range map[string][]byte{"whole": whole, "streamed": streamOf(to, resp)} {
				if got := bytes.Contains(out, []byte(`https://s.example/7"`)); got == (to.Name() == callwright.WireOllama) {
					t.Errorf("%s to %s, %s: a source is there: %t", name, to.Name(), form, got)
				}
			}
		}
	}
}

// A source takes as long among many as among few.
func BenchmarkManySources(b *testing.B) {
	for _, n := range []int{1000, 16_000} {
		for name, resp := range someSources(n) {
			for _, to := range codecs.All() {
				b.Run(fmt.Sprintf("%s/%s/%d", name, to.Name(), n), func(b *testing.B) {
					for b.Loop() {
						if _, _, err := to.EncodeResponse(&callwright.Request{}, resp); err != nil {
							b.Fatal(err)
						}
						streamOf(to, resp)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/source")
				})
			}
		}
	}
}

// An image or a file of which an API has no form in answers leaves nothing in its stream.
func TestMediaWithoutAFormLeaveNoEvent(t *testing.T) {
	for _, to := range codecs.All() {
		for _, p := range []callwright.Part{callwright.Image{FileID: "f"}, callwright.File{FileID: "f"}, callwright.File{Name: "n", Text: "words"}} {
			e := to.NewStreamEncoder(&callwright.Request{Model: "m"})
			e.Encode(nil, callwright.Batch{Events: []callwright.Event{callwright.Begin{}}, More: true})
			if out := e.Encode(nil, callwright.Batch{Events: []callwright.Event{callwright.MediaPart{Part: p}}, More: true}); strings.TrimSpace(string(out)) != "" {
				t.Errorf("%s: expected nothing, got %s", to.Name(), out)
			}
		}
	}
}
