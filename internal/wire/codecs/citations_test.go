package codecs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// citedText is a text with the sources that it names. The URL of each is what it stands for, so that its place can be checked.
type citedText struct {
	text      string
	citations [][2]int // in characters
}

func randomText(r *rand.Rand) citedText {
	var c citedText
	letters := []rune("abc é☃😀\n")
	runes := make([]rune, 1+r.IntN(12))
	for i := range runes {
		runes[i] = letters[r.IntN(len(letters))]
	}
	c.text = string(runes)
	for range r.IntN(3) {
		from := r.IntN(len(runes))
		c.citations = append(c.citations, [2]int{from, from + 1 + r.IntN(len(runes)-from)})
	}
	return c
}

func quote(s string) string { return string(jsonx.AppendQuote(nil, s)) }

// annotations are the citations as a list of the Responses API, or of Chat Completions; shift is what stands before the text.
func (c citedText) annotations(nested bool, shift int) string {
	var list []string
	for _, at := range c.citations {
		words := string([]rune(c.text)[at[0]:at[1]])
		source := fmt.Sprintf(`"start_index":%d,"end_index":%d,"url":%s,"title":"T"`, at[0]+shift, at[1]+shift, quote(words))
		if nested {
			source = `"url_citation":{` + source + `}`
		}
		list = append(list, `{"type":"url_citation",`+source+`}`)
	}
	return strings.Join(list, ",")
}

// answers are an answer with the texts over a wire, whole and streamed.
func answers(c wire.Codec, texts []citedText) (whole, stream string) {
	var parts, all []string
	words, said := "", 0
	for _, t := range texts {
		parts = append(parts, `{"type":"output_text","text":`+quote(t.text)+`,"annotations":[`+t.annotations(false, 0)+`],"logprobs":[]}`)
		if list := t.annotations(true, said); list != "" {
			all = append(all, list)
		}
		words += t.text
		said += len([]rune(t.text))
	}
	if c.Name() == callwright.WireOpenAI {
		notes := `"annotations":[` + strings.Join(all, ",") + `]`
		return `{"id":"c","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":` + quote(words) + `,` + notes + `},"finish_reason":"stop"}]}`,
			`data: {"id":"c","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":` + quote(words) + `}}]}` + "\n\n" +
				`data: {"id":"c","model":"m","choices":[{"index":0,"delta":{` + notes + `}}]}` + "\n\n" +
				`data: {"id":"c","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
	}
	item := `{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[` + strings.Join(parts, ",") + `]}`
	whole = `{"id":"resp_c","object":"response","model":"m","status":"completed","output":[` + item + `]}`
	events := []string{`{"type":"response.output_item.added","output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","content":[]}}`}
	for i, t := range texts {
		at := fmt.Sprintf(`"item_id":"msg_1","output_index":0,"content_index":%d`, i)
		events = append(events, `{"type":"response.content_part.added",`+at+`,"part":{"type":"output_text","text":"","annotations":[]}}`,
			`{"type":"response.output_text.delta",`+at+`,"delta":`+quote(t.text)+`}`, `{"type":"response.content_part.done",`+at+`,"part":`+parts[i]+`}`)
	}
	events = append(events, `{"type":"response.output_item.done","output_index":0,"item":`+item+`}`, `{"type":"response.completed","response":`+whole+`}`)
	for _, e := range events {
		stream += "data: " + e + "\n\n"
	}
	return whole, stream
}

// streamed is the whole answer that the events of a stream come to for a client: what it puts together of the pieces.
func streamed(t *testing.T, c wire.Codec, events []callwright.Event) []byte {
	t.Helper()
	e := c.NewStreamEncoder(&callwright.Request{Model: "m"})
	out := e.Encode(nil, callwright.Batch{Events: events, More: true})
	if notes := wire.LeftOut(e); len(notes) > 0 {
		t.Errorf("%s: %v", c.Name(), notes)
	}
	if d := wiretest.StreamComplaints(c.Name(), e.ContentType(), out, false); len(d) > 0 {
		t.Errorf("%s: %v", c.Name(), d)
	}
	return joinedStream(t, c, out)
}

// The sources that an answer names reach clients of both APIs of OpenAI from both, whole and streamed, and stand for the same words.
func TestCitationsAreCarried(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	both := []wire.Codec{openai.Codec{}, responses.Codec{}}
	for range 300 {
		texts := make([]citedText, 1+r.IntN(3))
		want, sources := "", 0
		for i := range texts {
			texts[i] = randomText(r)
			want += texts[i].text
			sources += len(texts[i].citations)
		}
		for _, from := range both {
			whole, stream := answers(from, texts)
			resp, err := from.DecodeResponse([]byte(whole))
			if err != nil {
				t.Fatal(err)
			}
			resp.Raw = nil
			pieces := wiretest.Decode(from, strings.NewReader(stream)).Events
			var all callwright.Collector
			for _, ev := range pieces {
				all.Add(ev)
			}
			for _, to := range both {
				for form, body := range map[string][]byte{"whole": encoded(t, to, resp), "a stream": streamed(t, to, pieces),
					"a whole answer streamed": streamed(t, to, resp.Events()), "a stream made whole": encoded(t, to, all.Response())} {
					words, list := readAnnotated(t, body)
					misplaced := slices.ContainsFunc(list, func(f found) bool { return f.words != f.url })
					if words != want || len(list) != sources || misplaced {
						t.Errorf("%s to %s, %s: expected %q with %d sources, got %q with %q\n%s", from.Name(), to.Name(), form, want, sources, words, list, body)
					}
				}
			}
			if t.Failed() {
				return
			}
		}
	}
}

func encoded(t *testing.T, c wire.Codec, resp *callwright.Response) []byte {
	t.Helper()
	out, notes, err := c.EncodeResponse(&callwright.Request{}, resp)
	if err != nil || len(notes) > 0 {
		t.Errorf("%s: %v %v", c.Name(), notes, err)
	}
	return out
}
