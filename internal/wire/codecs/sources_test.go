package codecs_test

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// check holds what an answer names against what was drawn.
func (a *sourced) check(t *testing.T, form string, from, to wire.Codec, body []byte, notes []callwright.Note) {
	t.Helper()
	noted := slices.ContainsFunc(notes, func(n callwright.Note) bool { return n.Rule == "response.citations" })
	placed, unplaced := []found{}, append([]string{}, a.unplaced...)
	if from.Name() == callwright.WireAnthropic { // which has a text for each
		unplaced = []string{}
	}
	for _, s := range a.all() {
		for _, url := range s.urls {
			placed = append(placed, found{url, s.words})
		}
	}
	names := len(placed)+len(unplaced) > 0
	if to.Name() == callwright.WireOllama {
		if noted != (names || a.lossy) {
			t.Errorf("%s to %s, %s: noted: %t, %+v", from.Name(), to.Name(), form, noted, a)
		}
		return
	}
	if lost := a.lossy && from.Name() != to.Name(); noted != lost {
		t.Errorf("%s to %s, %s: lost: %t, noted: %v", from.Name(), to.Name(), form, lost, notes)
	}
	words, list := read(t, to, body)
	if want := wordsOf(a.all()); words != want {
		t.Errorf("%s to %s, %s: expected %q, got %q", from.Name(), to.Name(), form, want, words)
	}
	havePlace, haveNone := []found{}, []string{}
	for _, f := range list {
		if slices.Contains(unplaced, f.url) {
			haveNone = append(haveNone, f.url)
			continue
		}
		havePlace = append(havePlace, f)
	}
	late := a.called && strings.Contains(form, "stream") // sources that come after their text has ended
	if late {
		for i := range min(len(havePlace), len(placed)) {
			havePlace[i].words = cmp.Or(havePlace[i].words, placed[i].words)
		}
	}
	if !slices.Equal(havePlace, placed) || !slices.Equal(haveNone, unplaced) {
		t.Errorf("%s to %s, %s: expected %q and %q, got %q and %q\n%s", from.Name(), to.Name(), form, placed, unplaced, havePlace, haveNone, body)
	}
}

// The sources that an answer names reach clients of every wire that has sources, whole and streamed, in order, once each, and stand for the
// same words; what was lost is noted, and nothing else.
func TestSourcesReachEveryWire(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 150 {
		a := randomSourced(r)
		for _, from := range codecs.All() {
			write := map[callwright.WireName]func(*rand.Rand) (string, string){callwright.WireOpenAI: a.chat, callwright.WireResponses: a.item,
				callwright.WireAnthropic: a.blocks, callwright.WireGemini: a.candidate}[from.Name()]
			if write == nil {
				continue
			}
			whole, stream := write(r)
			resp, err := from.DecodeResponse([]byte(whole))
			if err != nil {
				t.Fatalf("%v in %s", err, whole)
			}
			resp.Raw = nil
			decoded := wiretest.Decode(from, strings.NewReader(stream))
			pieces := decoded.Events
			var all callwright.Collector
			for _, ev := range pieces {
				all.Add(ev)
			}
			for _, to := range codecs.All() {
				for form, resp := range map[string]*callwright.Response{"whole": resp, "a stream made whole": all.Response()} {
					out, notes, err := to.EncodeResponse(&callwright.Request{}, resp)
					if err != nil {
						t.Fatal(err)
					}
					a.check(t, form, from, to, out, notes)
				}
				for form, events := range map[string][]callwright.Event{"a stream": pieces, "a whole answer streamed": resp.Events()} {
					e := to.NewStreamEncoder(&callwright.Request{Model: "m"})
					out := e.Encode(nil, callwright.Batch{Events: events, More: true})
					if d := wiretest.StreamComplaints(to.Name(), e.ContentType(), out, false); len(d) > 0 {
						t.Errorf("%s to %s, %s: %v", from.Name(), to.Name(), form, d)
					}
					a.check(t, form, from, to, joinedStream(t, to, out), wire.LeftOut(e))
				}
			}
			if t.Failed() {
				return
			}
		}
	}
}

// An answer that names sources of the client's own API and of another, as one with a tool that was run here, has both, each once.
func TestSourcesOfTwoAPIs(t *testing.T) {
	const own, other = "https://own.example", "https://other.example"
	extra := func(of callwright.WireName, format string) callwright.Extra {
		return callwright.Extra{Wire: of, JSON: []byte(strings.ReplaceAll(format, "URL", own))}
	}
	foreign := map[bool]callwright.Part{ // of OpenAI's, or for clients of those APIs
		false: callwright.Opaque{Extra: callwright.Extra{Wire: callwright.WireResponses, JSON: []byte(`{"annotations":[{"type":"url_citation","start_index":0,"end_index":0,"url":"` + other + `","title":"T"}]}`)}},
		true:  callwright.Opaque{Extra: callwright.Extra{Wire: callwright.WireGemini, JSON: []byte(`{"candidate":{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"` + other + `"}}]}}}`)}},
	}
	for name, c := range map[callwright.WireName]struct{ answer, text, part callwright.Extra }{
		callwright.WireOpenAI:    {answer: extra(callwright.WireOpenAI, `{"choices":[{"message":{"annotations":[{"type":"url_citation","url_citation":{"start_index":0,"end_index":1,"url":"URL"}}]}}]}`)},
		callwright.WireResponses: {text: extra(callwright.WireResponses, `{"annotations":[{"type":"url_citation","start_index":0,"end_index":1,"url":"URL"}]}`)},
		callwright.WireAnthropic: {text: extra(callwright.WireAnthropic, `{"citations":[{"type":"web_search_result_location","url":"URL","title":"T","encrypted_index":"x","cited_text":"a"}]}`)},
		callwright.WireGemini:    {part: extra(callwright.WireGemini, `{"candidate":{"groundingMetadata":{"webSearchQueries":["q"],"groundingChunks":[{"web":{"uri":"URL"}}]}}}`)},
	} {
		resp := &callwright.Response{ID: "a", Model: "m", Finish: callwright.FinishStop, Extra: c.answer}
		if c.part.JSON != nil {
			resp.Parts = append(resp.Parts, callwright.Opaque{Extra: c.part})
		}
		resp.Parts = append(resp.Parts, foreign[name == callwright.WireOpenAI || name == callwright.WireResponses], callwright.Text{Text: "ab", Extra: c.text})
		to, _ := codecs.Of(name)
		whole, notes, err := to.EncodeResponse(&callwright.Request{}, resp)
		if err != nil || len(notes) > 0 {
			t.Errorf("%s: %v, %v", name, notes, err)
		}
		e := to.NewStreamEncoder(&callwright.Request{Model: "m"})
		out := e.Encode(nil, callwright.Batch{Events: resp.Events(), More: true})
		for form, body := range map[string][]byte{"whole": whole, "streamed": joinedStream(t, to, out)} {
			var urls []string
			_, list := read(t, to, body)
			for _, f := range list {
				urls = append(urls, f.url)
			}
			if slices.Sort(urls); !slices.Equal(urls, []string{other, own}) {
				t.Errorf("%s, %s: got %q in %s", name, form, urls, body)
			}
			if n := bytes.Count(body, []byte(`"annotations"`)); name == callwright.WireOpenAI && n != 1 {
				t.Errorf("%s, %s: %d lists in %s", name, form, n, body)
			}
		}
	}
}
