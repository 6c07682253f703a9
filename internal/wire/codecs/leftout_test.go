package codecs_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// What a stream leaves out because the client's wire has no place for it has a note; what comes over that wire has none.
func TestStreamsNoteWhatTheyLeaveOut(t *testing.T) {
	for _, from := range codecs.All() {
		for _, to := range codecs.All() {
			e := to.NewStreamEncoder(&callwright.Request{Model: "m", Params: callwright.Params{Stream: true}})
			out := e.Encode(nil, callwright.Batch{Events: []callwright.Event{callwright.Begin{ID: "x"}, callwright.TextDelta{Text: "a"},
				callwright.OpaquePart{Extra: callwright.Extra{Wire: from.Name(), JSON: []byte(`{"type":"x","id":"y"}`)}}, callwright.End{Finish: callwright.FinishStop}}, More: true})
			want := 1
			if from.Name() == to.Name() {
				want = 0
			}
			if got := wire.LeftOut(e); len(got) != want {
				t.Errorf("%s to %s: expected %d notes, got %v in %s", from.Name(), to.Name(), want, got, out)
			}
		}
	}
}

// Citations and probabilities that only another wire knows have a note, whole and streamed.
func TestNotesOnWhatStandsBesideText(t *testing.T) {
	whole := &callwright.Response{Model: "m", Finish: callwright.FinishStop, Parts: []callwright.Part{callwright.Text{Text: "a",
		Extra: callwright.Extra{Wire: callwright.WireAnthropic, JSON: []byte(`{"citations":[{"cited_text":"x"}]}`)}}},
		Extra: callwright.Extra{Wire: callwright.WireGemini, JSON: []byte(`{"candidates":[{"groundingMetadata":{"webSearchQueries":["q"]},"logprobsResult":{"x":[]}}]}`)}}
	for _, c := range []wire.Codec{openai.Codec{}, responses.Codec{}} {
		if _, notes, _ := c.EncodeResponse(&callwright.Request{}, whole); len(notes) != 2 {
			t.Errorf("%s: expected a note for citations and one for probabilities, got %v", c.Name(), notes)
		}
	}
	for _, c := range codecs.All() {
		e := c.NewStreamEncoder(&callwright.Request{Model: "m"})
		e.Encode(nil, callwright.Batch{Events: (&callwright.Response{Parts: whole.Parts}).Events(), More: true})
		if got := len(wire.LeftOut(e)); (got == 1) == (c.Name() == callwright.WireAnthropic) {
			t.Errorf("%s: a whole answer streamed: %v", c.Name(), wire.LeftOut(e))
		}
	}
	const stream = "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"a\",\"annotations\":[{\"type\":\"url_citation\",\"url\":\"u\"}]}]}}\n\n" +
		"data: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\",\"status\":\"completed\"}}\n\n"
	batches := wiretest.Decode(responses.Codec{}, strings.NewReader(stream)).Batches
	for _, c := range codecs.All() {
		e := c.NewStreamEncoder(&callwright.Request{Model: "m"})
		for _, b := range batches {
			e.Encode(nil, b)
		}
		want := 0
		if c.Name() == callwright.WireOllama { // the only one that has no such sources
			want = 1
		}
		if got := len(wire.LeftOut(e)); got != want {
			t.Errorf("%s: %v", c.Name(), wire.LeftOut(e))
		}
	}
}
