package citation_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/citation"
)

func extra(of callwright.WireName, v string) callwright.Extra {
	return callwright.Extra{Wire: of, JSON: []byte(v)}
}

// asAnnotations are the sources of an answer as Chat Completions has them, by their places and URLs.
func asAnnotations(resp *callwright.Response) string {
	g := citation.Of(resp, callwright.WireOllama)
	var out []string
	for _, s := range g.Take(true) {
		out = append(out, fmt.Sprintf("%d-%d %s", s.Start, s.End, s.URL))
	}
	return strings.Join(out, ", ")
}

// Each form of sources is read as its API means it.
func TestFormsOfSources(t *testing.T) {
	text := func(words string, x callwright.Extra) callwright.Part { return callwright.Text{Text: words, Extra: x} }
	for name, c := range map[string]struct {
		extra callwright.Extra
		parts []callwright.Part
		want  string
	}{
		"a list of addresses and what was found, which says more of them": {
			extra(callwright.WireOpenAI, `{"citations":["u1","u2","u1"],"search_results":[{"url":"u2","title":"T"},{"url":"u3"}]}`),
			[]callwright.Part{text("words", callwright.Extra{})}, "0-0 u1, 0-0 u2, 0-0 u3"},
		"bytes of all words, whatever parts stand before": {
			extra(callwright.WireGemini, `{"candidate":{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u1"}}],"groundingSupports":[{"segment":{"startIndex":3,"endIndex":5,"text":"ab"},"groundingChunkIndices":[0,7]}]}}}`),
			[]callwright.Part{callwright.Reasoning{Text: "hm"}, text("☃ab", callwright.Extra{})}, "1-3 u1"},
		"bytes of a part": {
			extra(callwright.WireGemini, `{"candidate":{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u1"}}],"groundingSupports":[{"segment":{"partIndex":2,"startIndex":1,"endIndex":2},"groundingChunkIndices":[0]}]}}}`),
			[]callwright.Part{callwright.Reasoning{Text: "hm"}, text("☃ab", callwright.Extra{}), text("cd", callwright.Extra{})}, "4-5 u1"},
		"a place that does not hold what is quoted is none": {
			extra(callwright.WireGemini, `{"candidate":{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u1"}},{"maps":{"uri":"u2"}},{"retrievedContext":{"uri":"gs://x"}}],"groundingSupports":[{"segment":{"endIndex":2,"text":"xy"},"groundingChunkIndices":[0]}]}}}`),
			[]callwright.Part{text("ab", callwright.Extra{})}, "0-0 u1, 0-0 u2"},
		"places that are too large cover nothing": {
			extra(callwright.WireGemini, `{"candidate":{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u1"}},{"web":{"uri":"u2"}}],"groundingSupports":[{"segment":{"partIndex":1,"startIndex":9223372036854775807,"endIndex":9223372036854775807},"groundingChunkIndices":[0]},{"segment":{"partIndex":1,"startIndex":2147483647,"endIndex":2147483647,"text":"d"},"groundingChunkIndices":[1]}]}}}`),
			[]callwright.Part{text("abc", callwright.Extra{}), text("def", callwright.Extra{})}, "3-3 u1, 0-0 u2"},
		"texts that Gemini repeats": {
			extra(callwright.WireGemini, `{"candidate":{"citationMetadata":{"citationSources":[{"uri":"u1","startIndex":1,"endIndex":2}]}}}`),
			[]callwright.Part{text("ab", callwright.Extra{})}, "1-2 u1"},
		"a block with its pieces": {callwright.Extra{}, []callwright.Part{
			text("ab", callwright.Extra{}), callwright.Opaque{Extra: extra(callwright.WireAnthropic, `{"citations_delta":{"citation":{"url":"u1"}},"ahead":true}`)},
			callwright.Opaque{Extra: extra(callwright.WireAnthropic, `{"citations_delta":{"citation":{"source":"https://u2"}},"ahead":true}`)}, text("cd", callwright.Extra{}),
			callwright.Opaque{Extra: extra(callwright.WireAnthropic, `{"citations_delta":{"citation":{"url":"u3"}}}`)}, text("ef", callwright.Extra{}),
			text("gh", extra(callwright.WireAnthropic, `{"citations":[{"url":"u4"},{"source":"a name"}]}`)),
		}, "2-6 u1, 2-6 https://u2, 2-6 u3, 6-8 u4"},
		"a refusal is none of the words": {callwright.Extra{}, []callwright.Part{
			text("no", extra(callwright.WireResponses, `{"type":"refusal"}`)), text("ab", extra(callwright.WireResponses, `{"annotations":[{"type":"url_citation","start_index":1,"end_index":2,"url":"u1"}]}`)),
		}, "1-2 u1"},
	} {
		if got := asAnnotations(&callwright.Response{Extra: c.extra, Parts: c.parts}); got != c.want {
			t.Errorf("%s: expected %s, got %s", name, c.want, got)
		}
	}
}

// What names no sources is not gathered.
func TestAnswersWithoutSources(t *testing.T) {
	for _, x := range []callwright.Extra{{}, extra(callwright.WireOpenAI, `{"system_fingerprint":"x","choices":[{"message":{"annotations":[]}}]}`),
		extra(callwright.WireGemini, `{"candidate":{"groundingMetadata":{}}}`), extra(callwright.WireAnthropic, `{"citations":[{"url":"u"}]}`)} {
		if g := citation.Of(&callwright.Response{Extra: x, Parts: []callwright.Part{callwright.Text{Text: "a", Extra: x}}}, callwright.WireAnthropic); g != nil {
			t.Errorf("%s: expected none, got %v", x.JSON, g.Take(true))
		}
	}
}

// Sources are added behind those that a candidate has, whose numbers stay what they are.
func TestGroundingIsAddedTo(t *testing.T) {
	g := citation.Of(&callwright.Response{Extra: extra(callwright.WireOpenAI, `{"annotations":[{"type":"url_citation","url_citation":{"start_index":0,"end_index":1,"url":"u1","title":"T"}},`+
		`{"type":"url_citation","url_citation":{"start_index":0,"end_index":1,"url":"u2"}},{"type":"url_citation","url_citation":{"start_index":1,"end_index":2,"url":"u1","title":"T"}}]}`),
		Parts: []callwright.Part{callwright.Text{Text: "☃b"}}}, callwright.WireGemini)
	got := string(g.AppendGrounding(nil, []byte(`{"webSearchQueries":["q"],"groundingChunks":[{"web":{"uri":"u0"}}],"groundingSupports":[{"x":1}]}`), g.Take(true)))
	const want = `{"webSearchQueries":["q"],"groundingChunks":[{"web":{"uri":"u0"}},{"web":{"uri":"u1","title":"T"}},{"web":{"uri":"u2","title":"u2"}}],"groundingSupports":[{"x":1},` +
		`{"segment":{"startIndex":0,"endIndex":3,"text":"☃"},"groundingChunkIndices":[1,2]},{"segment":{"startIndex":3,"endIndex":4,"text":"b"},"groundingChunkIndices":[1]}]}`
	if got != want || jsonx.Valid([]byte(got)) != nil {
		t.Errorf("expected %s, got %s", want, got)
	}
}

// A few bytes that repeat a source many times do not become many times the bytes.
func TestRepeatedSourcesAreBounded(t *testing.T) {
	const n = 3000
	url := "https://s.example/" + strings.Repeat("x", 1<<16)
	var supports []string
	for i := range n {
		supports = append(supports, fmt.Sprintf(`{"segment":{"startIndex":%d,"endIndex":%d},"groundingChunkIndices":[0]}`, i, i+1))
	}
	v := `{"candidate":{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"` + url + `"}}],"groundingSupports":[` + strings.Join(supports, ",") + `]}}}`
	g := citation.Of(&callwright.Response{Extra: extra(callwright.WireGemini, v), Parts: []callwright.Part{callwright.Text{Text: "ab"}}}, callwright.WireOpenAI)
	size := 0
	for _, s := range g.Take(true) {
		size += len(s.AppendAnnotation(nil, 0, true))
	}
	if size < 1<<20 || size > 4<<20 {
		t.Errorf("%d bytes became %d", len(v), size)
	}
}

// Only a piece of a text block in a stream of Anthropic's belongs to a text beside it, whatever members a part of another API has.
func TestPiecesOfTexts(t *testing.T) {
	for _, tt := range []struct {
		wire          callwright.WireName
		json          string
		goesOn, ahead bool
	}{
		{callwright.WireAnthropic, `{"citations_delta":{}}`, true, false},
		{callwright.WireAnthropic, `{"citations_delta":{},"ahead":true}`, false, true},
		{callwright.WireAnthropic, `{"type":"x","ahead":true}`, false, false},
		{callwright.WireOpenAI, `{"ahead":true}`, false, false},
		{callwright.WireOpenAI, `{"citations_delta":{},"ahead":true}`, false, false},
	} {
		x := callwright.Extra{Wire: tt.wire, JSON: []byte(tt.json)}
		if goesOn, ahead := citation.IsInlineCitation(x), citation.IsEarlyCitation(x); goesOn != tt.goesOn || ahead != tt.ahead {
			t.Errorf("%s %s: goes on %t, ahead %t", tt.wire, tt.json, goesOn, ahead)
		}
	}
}

// Nor do indices of a few bytes become sources of many times the memory.
func TestRepeatedIndicesAreBounded(t *testing.T) {
	const n = 1 << 20
	v := `{"candidate":{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u"}}],"groundingSupports":[{"segment":{"endIndex":1},"groundingChunkIndices":[0` + strings.Repeat(",0", n) + `]}]}}}`
	resp := callwright.Response{Extra: extra(callwright.WireGemini, v), Parts: []callwright.Part{callwright.Text{Text: "ab"}}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := asAnnotations(&resp)
	runtime.ReadMemStats(&after)
	if got != "0-1 u" {
		t.Errorf("expected one source, got %d bytes", len(got))
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
		t.Errorf("%d bytes took %d", len(v), took)
	}
}
