package codecs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// beside are members that stand beside the words of an answer, of a text of it, or in a part of their own, as each API has them.
var beside = []struct {
	wire          callwright.WireName
	answer, texts []string
	parts         []string
}{
	{callwright.WireOpenAI,
		[]string{`{"citations":["https://a.example"]}`, `{"choices":[{"logprobs":{"content":[{"token":"a"}]}}]}`, `{"choices":[{"logprobs":null,"message":{"annotations":[]}}]}`,
			`{"choices":[{"message":{"annotations":[{"type":"url_citation","url_citation":{"start_index":0,"end_index":1,"url":"u"}}]}}]}`, `{"search_results":[{"title":"a"},{"url":"u"}]}`},
		nil,
		[]string{`{"annotations":[{"type":"url_citation","url_citation":{"start_index":0,"end_index":1,"url":"u"}}]}`, `{"annotations":[]}`, `{"audio":{"id":"x"}}`, `{"images":[]}`, `{"type":"x","y":1}`}},
	{callwright.WireResponses,
		[]string{`{"background":false}`},
		[]string{`{"annotations":[{"type":"url_citation","start_index":0,"end_index":1,"url":"u"}]}`, `{"annotations":[{"type":"file_citation","file_id":"f"}]}`, `{"annotations":[],"logprobs":[{"token":"a"}]}`, `{"annotations":[],"logprobs":[]}`},
		[]string{`{"id":"ws_1","type":"web_search_call","status":"completed"}`, `{"annotations":[{"type":"file_citation","file_id":"f"}],"length":1}`, `{"annotations":[{"type":"url_citation","start_index":0,"end_index":1,"url":"u"}],"length":1}`}},
	{callwright.WireAnthropic,
		[]string{`{"container":{"id":"c"}}`},
		[]string{`{"citations":[{"cited_text":"x"}]}`, `{"citations":[]}`, `{"citations":null}`, `{"citations":[{"url":"u"}]}`, `{"citations":[{"url":"u"},{"source":"name"}]}`},
		[]string{`{"citations_delta":{"type":"citations_delta","citation":{"url":"u"}}}`, `{"citations_delta":{"type":"citations_delta","citation":{"cited_text":"x"}}}`, `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`}},
	{callwright.WireGemini,
		[]string{`{"candidates":{"groundingMetadata":{"webSearchQueries":["q"]}}}`, `{"candidates":{"logprobsResult":{"x":[1]},"citationMetadata":{}}}`,
			`{"candidate":{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u"}}]}}}`, `{"candidate":{"citationMetadata":{"citations":[{"uri":"u","startIndex":1,"endIndex":2},{"title":"t"}]}}}`},
		[]string{`{"partMetadata":{"x":1}}`},
		[]string{`{"executableCode":{"code":"1"}}`, `{"candidate":{"groundingMetadata":{"webSearchQueries":["q"]}}}`, `{"executableCode":null}`,
			`{"candidate":{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u"}}]}}}`}},
	{callwright.WireOllama,
		[]string{`{"total_duration":1}`, `{"logprobs":[{"token":"a"}]}`},
		nil,
		[]string{`{"message":{"images":["aGk="]}}`, `{"logprobs":[{"token":"a"}]}`}},
}

// randomAnswer is an answer of one wire with what it may have beside its words. Sources in a part of their own follow a text: a stream
// cannot add them to one that has ended.
func randomAnswer(r *rand.Rand) *callwright.Response {
	from := beside[r.IntN(len(beside))]
	pick := func(list []string) (x callwright.Extra) {
		if i := r.IntN(len(list) + 1); i < len(list) {
			x = callwright.Extra{Wire: from.wire, JSON: []byte(list[i])}
		}
		return x
	}
	resp := &callwright.Response{ID: "a", Model: "m", Finish: callwright.FinishStop, Extra: pick(from.answer)}
	for range r.IntN(5) {
		switch r.IntN(6) {
		case 5:
			media := []callwright.Part{callwright.Image{MediaType: "image/png", Data: "aGk="}, callwright.Image{URL: "https://a.example/i"}, callwright.Image{FileID: "f"},
				callwright.File{Name: "f.pdf", MediaType: "application/pdf", Data: "aGk="}, callwright.File{FileID: "f"}}
			resp.Parts = append(resp.Parts, media[r.IntN(len(media))])
		case 0:
			resp.Parts = append(resp.Parts, callwright.Call{ID: fmt.Sprint("c", len(resp.Parts)), Name: "f", Arguments: []byte(`{"a":1}`)})
			resp.Finish = callwright.FinishCalls
		case 1:
			resp.Parts = append(resp.Parts, callwright.Call{ID: fmt.Sprint("c", len(resp.Parts)), Name: "f", Arguments: []byte(`{"a":`)})
			resp.Finish = callwright.FinishLength
		case 2:
			resp.Parts = append(resp.Parts, callwright.Text{Text: "Hi ", Extra: pick(from.texts)})
		default:
			x := pick(from.parts)
			names := strings.Contains(string(x.JSON), "citations_delta") || strings.Contains(string(x.JSON), "annotations") // sources
			if x.JSON != nil && (!names || endsInText(resp.Parts)) {
				resp.Parts = append(resp.Parts, callwright.Opaque{Extra: x})
			}
		}
	}
	return resp
}

// endsInText reports whether a piece of a text can follow.
func endsInText(parts []callwright.Part) bool {
	return len(parts) > 0 && isText(parts[len(parts)-1])
}

func isText(p callwright.Part) bool {
	_, is := p.(callwright.Text)
	return is
}

// losses are notes as a reader compares them.
func losses(notes []callwright.Note) (out []string) {
	for _, n := range notes {
		out = append(out, fmt.Sprintf("%s: %s (%s)", n.Rule, n.Was, n.Why))
	}
	slices.Sort(out)
	return out
}

// A whole answer and the same one as a stream report the same losses, over every pair of wires, and none on their own wire.
func TestWholeAndStreamedAnswersReportTheSameLosses(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	reported := map[string]bool{}
	for range 4000 {
		resp := randomAnswer(r)
		for _, to := range codecs.All() {
			_, notes, err := to.EncodeResponse(&callwright.Request{}, resp)
			if err != nil {
				t.Fatal(err)
			}
			e := to.NewStreamEncoder(&callwright.Request{Model: "m"})
			e.Encode(nil, callwright.Batch{Events: resp.Events(), More: true})
			whole, streamed := losses(notes), losses(wire.LeftOut(e))
			if !slices.Equal(whole, streamed) {
				t.Fatalf("%s, whole: %q, streamed: %q\n%+v", to.Name(), whole, streamed, resp)
			}
			for _, n := range notes {
				reported[string(to.Name())+" "+n.Rule] = true
			}
		}
	}
	for _, c := range codecs.All() {
		for _, rule := range []string{"response.citations", "response.logprobs", "response.opaque", "response.image", "response.file"} {
			if !reported[string(c.Name())+" "+rule] {
				t.Errorf("%s never reported %s", c.Name(), rule)
			}
		}
	}
}

// However many parts of an answer are left out, the notes are bounded, and all of the parts are counted: whole and streamed.
func TestManyLossesAreCounted(t *testing.T) {
	const n = 1000
	resp := &callwright.Response{Model: "m", Finish: callwright.FinishStop}
	for i := range n {
		resp.Parts = append(resp.Parts, callwright.Opaque{Extra: callwright.Extra{Wire: "other", JSON: fmt.Appendf(nil, `{"type":"x","id":%d}`, i)}})
	}
	for _, to := range codecs.All() {
		_, whole, _ := to.EncodeResponse(&callwright.Request{}, resp)
		e := to.NewStreamEncoder(&callwright.Request{Model: "m"})
		e.Encode(nil, callwright.Batch{Events: resp.Events(), More: true})
		for form, notes := range map[string][]callwright.Note{"whole": whole, "streamed": wire.LeftOut(e)} {
			total := 0
			for _, note := range notes {
				total += max(note.Count, 1)
			}
			if total != n || len(notes) > n/2 {
				t.Errorf("%s, %s: %d notes stand for %d parts of %d", to.Name(), form, len(notes), total, n)
			}
		}
	}
}

// An image and a file that a model made reach a client whose API has them in answers, over every pair of wires, whole and streamed, and
// are named where it has not.
func TestMediaOfAnswers(t *testing.T) {
	resp := &callwright.Response{Model: "m", Finish: callwright.FinishStop, Parts: []callwright.Part{callwright.Text{Text: "Look."},
		callwright.Image{MediaType: "image/png", Data: "aW1hZ2U="}, callwright.File{Name: "a.pdf", MediaType: "application/pdf", Data: "ZmlsZQ=="}}}
	for _, to := range codecs.All() {
		whole, notes, err := to.EncodeResponse(&callwright.Request{}, resp)
		if err != nil {
			t.Fatal(err)
		}
		e := to.NewStreamEncoder(&callwright.Request{Model: "m"})
		streamed := e.Encode(nil, callwright.Batch{Events: resp.Events(), More: true})
		for form, c := range map[string]struct {
			out   []byte
			notes []callwright.Note
		}{"whole": {whole, notes}, "streamed": {streamed, wire.LeftOut(e)}} {
			for rule, data := range map[string]string{"response.image": "aW1hZ2U=", "response.file": "ZmlsZQ=="} {
				named := slices.ContainsFunc(c.notes, func(n callwright.Note) bool { return n.Rule == rule })
				if there := strings.Contains(string(c.out), data); there == named {
					t.Errorf("%s, %s: %s is there: %t, named: %t", to.Name(), form, data, there, named)
				}
			}
		}
		has := to.Name() == callwright.WireGemini || to.Name() == callwright.WireOllama
		if strings.Contains(string(whole), "aW1hZ2U=") != has {
			t.Errorf("%s: got %s", to.Name(), whole)
		}
	}
}
